// Package generate makes the files of the demo cluster: the YAML that kubectl
// would print for the cluster that story.go describes.
//
//	go run testdata/demo/write.go
//
// The story says which job is in which state on which node; everything else
// follows from it: owner references, conditions, events, and what the
// scheduler says about a pending pod, which is computed from the nodes. Texts
// and shapes are those of Kubernetes 1.36, training-operator 1.8, trainer
// 2.1, JobSet 0.10, mpi-operator 0.6, Kueue 0.10, KubeRay 1.3, Volcano 1.10
// and LWS 0.7, as they print them on a real control plane. A story that
// cannot be (a pod that waits though it fits, a node with more GPUs held than
// it has) is a programmer's error and panics.
//
// What the GPUs do follows from what their pods do; the numbers are those that
// DCGM's exporter 4.5.3-4.8.2, Prometheus 3.7 and metrics-server 0.8 would answer.
package generate

import (
	"maps"

	"sigs.k8s.io/yaml"
)

// Files returns the lists, the packed logs and the packed answers of exporters
// by file name.
func Files() (map[string][]byte, error) {
	c := story()
	lists := c.files() // gives the pods their names
	files := c.logs()
	for name, items := range lists {
		text, err := yaml.Marshal(object{
			"apiVersion": "v1", "kind": "List", "items": items, "metadata": object{"resourceVersion": ""},
		})
		if err != nil {
			return nil, err
		}
		files[name+".yaml"] = text
	}
	gpus := c.accelerators()
	for name, page := range pages(gpus) {
		files[name] = page
	}
	files["metrics/last-hour.json.gz"] = past(gpus)
	usage, err := c.usage()
	maps.Copy(files, usage)
	return files, err
}
