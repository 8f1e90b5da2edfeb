package namespaces

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views/screentest"

	"testing/fstest"
)

// TestSlicesHeldAreNoGPUs checks that MIG slices that pods hold are shown apart from
// whole GPUs, with nodes and without.
func TestSlicesHeldAreNoGPUs(t *testing.T) {
	pod := func(namespace, devices string) string {
		return `---
apiVersion: v1
kind: Pod
metadata: {name: a-0, namespace: ` + namespace + `, uid: ` + namespace + `, labels: {training.kubeflow.org/job-name: a, training.kubeflow.org/replica-type: worker, training.kubeflow.org/replica-index: "0"}, ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: a, uid: j` + namespace + `, controller: true}]}
spec: {nodeName: n0, containers: [{name: pytorch, image: x, resources: {limits: {` + devices + `}}}]}
status: {phase: Running}
---
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: a, namespace: ` + namespace + `, uid: j` + namespace + `}
spec: {pytorchReplicaSpecs: {Worker: {replicas: 1, template: {spec: {containers: [{name: pytorch, image: x, resources: {limits: {` + devices + `}}}]}}}}}
`
	}
	const node = "---\napiVersion: v1\nkind: Node\nmetadata: {name: n0, uid: n}\nstatus: {allocatable: {nvidia.com/gpu: 8, nvidia.com/mig-1g.5gb: 7}}\n"
	pods := pod("ml", "nvidia.com/gpu: 4") + pod("dev", "nvidia.com/mig-1g.5gb: 3")
	for name, text := range map[string]string{"with the node": pods + node, "without": pods} {
		s := store.New(time.Now)
		if err := dump.New([]string{"."}, dump.Options{FS: fstest.MapFS{"a.yaml": {Data: []byte(text)}}}).Run(t.Context(), s); err != nil {
			t.Fatal(err)
		}
		screen := screentest.Plain(New(nil), screentest.Frame(t, s.Snapshot(), 120, 30, themes.Options{}))
		for of, want := range map[string]string{"all namespaces": "4 + 3 MIG", "ml ": "4", "dev ": "3 MIG"} {
			row := ""
			for line := range strings.Lines(screen) {
				if strings.Contains(line, of) {
					row = strings.TrimRight(strings.TrimSpace(line), " │")
				}
			}
			if cells := strings.Join(strings.Fields(row), " "); !strings.HasSuffix(strings.TrimSuffix(cells, " current"), want) {
				t.Errorf("%s: %q does not end in %q\n%s", name, row, want, screen)
			}
		}
	}
}
