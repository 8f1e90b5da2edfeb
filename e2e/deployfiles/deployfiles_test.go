package deployfiles

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/yaml"
)

// strictDecoder refuses kinds that it does not know, unknown fields and fields
// that are there twice, as the API server does with fieldValidation=Strict.
func strictDecoder(t *testing.T) runtime.Decoder {
	t.Helper()
	known := runtime.NewScheme()
	if err := errors.Join(scheme.AddToScheme(known), monitoringv1.AddToScheme(known)); err != nil {
		t.Fatal(err)
	}
	return serializer.NewCodecFactory(known, serializer.EnableStrict).UniversalDeserializer()
}

// decode returns the objects of a file of several documents.
func decode(t *testing.T, text []byte) (objects []runtime.Object, err error) {
	t.Helper()
	decoder, documents := strictDecoder(t), utilyaml.NewDocumentDecoder(io.NopCloser(bytes.NewReader(text)))
	defer func() { _ = documents.Close() }()
	buffer := make([]byte, len(text)+1)
	for {
		n, err := documents.Read(buffer)
		if errors.Is(err, io.EOF) {
			return objects, nil
		}
		if err != nil {
			return objects, err
		}
		object, _, err := decoder.Decode(buffer[:n], nil, nil)
		if err != nil {
			return objects, err
		}
		objects = append(objects, object)
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "deploy", name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// asPrometheusRule is a file of rules as the operator takes it: as deploy says,
// its groups stand below spec.
func asPrometheusRule(t *testing.T, text []byte) []byte {
	t.Helper()
	var spec any
	if err := yaml.Unmarshal(text, &spec); err != nil {
		t.Fatal(err)
	}
	rule, err := yaml.Marshal(map[string]any{
		"apiVersion": "monitoring.coreos.com/v1", "kind": "PrometheusRule", "metadata": map[string]any{"name": "traintop"}, "spec": spec,
	})
	if err != nil {
		t.Fatal(err)
	}
	return rule
}

// Each object of each file is of a known kind and has only fields of that.
func TestFilesAreWhatTheirKindsAllow(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "..", "deploy", "*.yaml"))
	if err != nil || len(files) < 5 {
		t.Fatalf("files are %v (%v)", files, err)
	}
	for _, path := range files {
		name := filepath.Base(path)
		text := read(t, name)
		switch name {
		case "alert-rules.test.yaml": // of promtool, which reads it strictly
			continue
		case "alert-rules.yaml":
			text = asPrometheusRule(t, text)
		}
		objects, err := decode(t, text)
		if err != nil {
			t.Errorf("deploy/%s: object %d: %v", name, len(objects), err)
		}
		if len(objects) == 0 {
			t.Errorf("deploy/%s has no object", name)
		}
	}
}

// What people may write wrong is found.
func TestMistakesInFilesAreFound(t *testing.T) {
	for _, mistake := range []struct{ file, from, to string }{
		{"watch-servicemonitor.yaml", "honorLabels", "honourLabels"},
		{"watch-servicemonitor.yaml", "matchLabels:\n      app: traintop-watch", "matchLabels: traintop-watch"},
		{"watch-servicemonitor.yaml", "honorLabels: true", "honorLabels: \"yes\""},
		{"watch-servicemonitor.yaml", "kind: ServiceMonitor", "kind: ServiceMonitors"},
		{"watch.yaml", "readOnlyRootFilesystem", "readonlyRootFilesystem"},
		{"recorder.yaml", "claimName", "claim"},
		{"rbac.yaml", "verbs", "verb"},
		{"alert-rules.yaml", "annotations:", "notes:"},
	} {
		before := string(read(t, mistake.file))
		text := []byte(strings.Replace(before, mistake.from, mistake.to, 1))
		if string(text) == before {
			t.Errorf("%s has no %q", mistake.file, mistake.from)
		}
		if mistake.file == "alert-rules.yaml" {
			text = asPrometheusRule(t, text)
		}
		if _, err := decode(t, text); err == nil {
			t.Errorf("%s with %q is taken", mistake.file, mistake.to)
		}
	}
}
