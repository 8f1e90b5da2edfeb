package faults

import (
	"cmp"
	_ "embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/traintop/traintop/testdata"
	"github.com/traintop/traintop/train/kinds"
)

// Namespace holds the jobs: hubert-xl failed at rank 2, wav2vec2-ctc restarts,
// usm-jax runs.
const Namespace = "speech"

// measuring are an exporter's pod and the Service of a Prometheus.
//
//go:embed testdata/measuring.yaml
var measuring []byte

// objects are the cluster, by the path of the collection over all namespaces.
type objects map[string][]map[string]any

// recordedObjects are the nodes and one namespace of the demo cluster.
func recordedObjects() (objects, error) {
	all := objects{"/apis/batch/v1/jobs": nil} // as each cluster serves them
	for _, path := range coreCollections() {
		all[path] = nil
	}
	for _, file := range []string{"cluster.yaml", Namespace + ".yaml"} {
		text, err := fs.ReadFile(testdata.Demo, file)
		if err != nil {
			return nil, fmt.Errorf("read the recorded cluster: %w", err)
		}
		if err := all.add(text); err != nil {
			return nil, fmt.Errorf("read %s of the recorded cluster: %w", file, err)
		}
	}
	if err := all.add(measuring); err != nil {
		return nil, fmt.Errorf("read testdata/measuring.yaml: %w", err)
	}
	return all, nil
}

// add adds the objects of a list.
func (o objects) add(text []byte) error {
	var list struct{ Items []map[string]any }
	if err := yaml.Unmarshal(text, &list); err != nil {
		return err
	}
	for _, item := range list.Items {
		apiVersion, _ := item["apiVersion"].(string)
		kind, _ := item["kind"].(string)
		path := collectionOf(apiVersion, kind)
		metadata(item)["resourceVersion"] = "1000"
		metadata(item)["uid"] = cmp.Or(field(item, "uid"), "uid-"+field(item, "name"))
		o[path] = append(o[path], item)
	}
	for _, items := range o {
		slices.SortFunc(items, func(a, b map[string]any) int {
			return cmp.Or(cmp.Compare(field(a, "namespace"), field(b, "namespace")), cmp.Compare(field(a, "name"), field(b, "name")))
		})
	}
	return nil
}

func metadata(item map[string]any) map[string]any {
	m, _ := item["metadata"].(map[string]any)
	return m
}

func field(item map[string]any, name string) string {
	text, _ := metadata(item)[name].(string)
	return text
}

// core are the kinds that every API server serves, with their plurals.
var core = map[string]string{
	"Pod": "pods", "Node": "nodes", "Event": "events", "PersistentVolumeClaim": "persistentvolumeclaims",
	"PersistentVolume": "persistentvolumes", "ResourceQuota": "resourcequotas", "LimitRange": "limitranges",
	"Service": "services", "ServiceAccount": "serviceaccounts", "Namespace": "namespaces", "Secret": "secrets", "ConfigMap": "configmaps",
}

func coreCollections() []string {
	paths := []string{"/apis/storage.k8s.io/v1/storageclasses", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"}
	for _, plural := range core {
		paths = append(paths, "/api/v1/"+plural)
	}
	return paths
}

// collectionOf is where all objects of a kind are listed.
func collectionOf(apiVersion, kind string) string {
	if apiVersion == "v1" {
		return "/api/v1/" + core[kind]
	}
	group, _, _ := strings.Cut(apiVersion, "/")
	for _, k := range slices.Concat(kinds.Jobs(), kinds.Related()) {
		if k.Group == group && k.Kind == kind {
			return "/apis/" + apiVersion + "/" + k.Resource
		}
	}
	return "/apis/" + apiVersion + "/" + strings.ToLower(kind) + "es" // StorageClass
}
