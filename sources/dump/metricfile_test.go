package dump

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Excerpts of a dcgm-exporter 3.1 page and of nvidia-smi 535 in a container.
const (
	dcgmPage = `# TYPE DCGM_FI_DEV_GPU_UTIL gauge
DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-7a2e92f2-be71-d37e-a744-541600ffc722",modelName="Tesla T4",Hostname="nvidia-dcgm-exporter-s228n",container="",namespace="",pod=""} 12
`
	smiBoxOfOne = `+-----------------------------------------------------------------------------+
| NVIDIA-SMI 535.86.10    Driver Version: 535.86.10    CUDA Version: 12.2     |
|-------------------------------+----------------------+----------------------+
| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
|===============================+======================+======================|
|   0  Tesla T4            On   | 00000000:00:1E.0 Off |                    0 |
| N/A   34C    P8     9W /  70W |      0MiB / 15109MiB |      7%      Default |
+-------------------------------+----------------------+----------------------+
`
)

const podOnNode = `apiVersion: v1
kind: Pod
metadata: {name: bert-worker-0, namespace: ml}
spec:
  nodeName: gpu-0
  containers:
  - name: pytorch
    resources: {limits: {nvidia.com/gpu: 1}}
`

func gpusOf(t *testing.T, paths ...string) []train.GPUState {
	t.Helper()
	known := store.New(func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) })
	if err := New(paths, Options{}).Run(t.Context(), known); err != nil {
		t.Fatal(err)
	}
	return known.Snapshot().GPUStates()
}

// The name of a file identifies the node, or the pod, if it is among the
// objects.
func TestMetricFileNames(t *testing.T) {
	objects := write(t, "objects.yaml", podOnNode)
	for name, text := range map[string]string{
		"gpu-0.prom": dcgmPage, "gpu-0-dcgm.txt": dcgmPage, "bert-worker-0.txt": smiBoxOfOne,
	} {
		states := gpusOf(t, write(t, name, text), objects)
		if len(states) != 1 {
			t.Fatalf("%s: %d GPUs, want 1: %+v", name, len(states), states)
		}
		if g := states[0].GPU; g.Node != "gpu-0" || g.Pod != "bert-worker-0" {
			t.Errorf("%s: node %q, pod %q", name, g.Node, g.Pod)
		}
	}
}

func TestUnknownFileNameIsNoNode(t *testing.T) {
	states := gpusOf(t, write(t, "saved.prom", dcgmPage))
	if len(states) != 1 || states[0].GPU.Node != "" {
		t.Fatalf("%+v", states)
	}
}

func TestTableInLog(t *testing.T) {
	states := gpusOf(t, write(t, "train.log", "starting\n"+smiBoxOfOne+"step 1 loss 2.5\nstep 2 loss 2.4\nstep 3 loss 2.3\n"))
	if len(states) != 1 {
		t.Fatalf("%d GPUs, want 1", len(states))
	}
	if use, known := states[0].Values.Get(train.GPUUtilization); !known || use != 7 {
		t.Errorf("use is %v %v", use, known)
	}
}

// The valid part of a page is read, and an error is reported with its line.
func TestBadMetricFile(t *testing.T) {
	path := write(t, "cut.prom", dcgmPage+"DCGM_FI_DEV_GPU_TEMP{gpu=\"0\",UU")
	h, _, err := readAll(t, Options{}, path)
	if err != nil {
		t.Fatal(err)
	}
	if states := gpusOf(t, path); len(states) != 1 {
		t.Errorf("GPUs: %+v", states)
	}
	health := h.health["file "+path]
	if health.State != train.SourceFailed || !strings.Contains(health.Text, filepath.Base(path)+":3:") {
		t.Errorf("health: %+v", health)
	}
}
