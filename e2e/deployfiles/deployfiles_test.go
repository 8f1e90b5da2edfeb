package deployfiles

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	monitoringv1 "github.com/prometheus-operator/prometheus-operator/pkg/apis/monitoring/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
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

// asPrometheusRule is a file of rules as the operator takes it: as deploy
// describes, its groups are below spec.
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

// The recorder's metrics are served once its comments are taken away, at the port
// to which its Service leads.
func TestTheRecorderCanServeMetrics(t *testing.T) {
	text := string(read(t, "recorder.yaml"))
	for _, comment := range []string{"# - --metrics", "# - :9464"} {
		if strings.Count(text, comment) != 1 {
			t.Fatalf("recorder.yaml has %q %d times", comment, strings.Count(text, comment))
		}
		text = strings.Replace(text, comment, strings.TrimPrefix(comment, "# "), 1)
	}
	objects, err := decode(t, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var deployment *appsv1.Deployment
	var service *corev1.Service
	for _, object := range objects {
		switch o := object.(type) {
		case *appsv1.Deployment:
			deployment = o
		case *corev1.Service:
			service = o
		}
	}
	container := deployment.Spec.Template.Spec.Containers[0]
	want := []string{"record", "-o", "/data/cluster.ttrec", "--max-size", "10Gi", "--keep", "14d", "--metrics", ":9464"}
	if !slices.Equal(container.Args, want) {
		t.Errorf("it runs %q, want %q", container.Args, want)
	}
	port, leadsTo := container.Ports[0], service.Spec.Ports[0]
	if port.ContainerPort != 9464 || leadsTo.TargetPort.StrVal != port.Name || service.Spec.Selector["app"] != deployment.Spec.Template.Labels["app"] {
		t.Errorf("the Service leads to %+v of %v, the container has %+v", leadsTo, service.Spec.Selector, port)
	}
}

// Mistakes that people may make are found.
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
