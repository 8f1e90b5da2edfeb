package dump

import (
	"os"
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

// TestNamesBeforeLines: a name before the lines of a tool identifies the node, or the pod
// that it ran in, if it is among the objects.
func TestNamesBeforeLines(t *testing.T) {
	objects := write(t, "objects.yaml", podOnNode)
	before := func(name string) string {
		return name + strings.ReplaceAll(strings.TrimSuffix(smiBoxOfOne, "\n"), "\n", "\n"+name) + "\n"
	}
	for what, text := range map[string]string{
		"pdsh": before("gpu-0: ") + before("gpu-7: "), "kubectl": before("[pod/bert-worker-0/pytorch] ") + before("[pod/gpu-7/main] "),
	} {
		states := gpusOf(t, write(t, "smi.txt", text), objects)
		if len(states) != 2 || states[0].GPU.Node != "gpu-0" || states[0].GPU.Pod != "bert-worker-0" || states[1].GPU.Node != "gpu-7" || states[1].GPU.Pod != "" {
			t.Errorf("%s: %+v", what, states)
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

// The quote marks of a mail or an issue, and the backslashes of Markdown, go before a
// reader of metrics looks (nvidia-smi dmon in mozilla/DeepSpeech issue 178).
func TestQuotedMetrics(t *testing.T) {
	all := gpusOf(t, "testdata/nvsmi-dmon-quoted-2016.txt")
	if len(all) != 4 {
		t.Fatalf("%d GPUs, want 4", len(all))
	}
	for i, use := range []float64{25, 18, 24, 18} {
		if got, known := all[i].Values.Get(train.GPUUtilization); !known || got != use {
			t.Errorf("GPU %s: %v, want %v", all[i].GPU.Index, got, use)
		}
	}
}

func TestUnmeasuredTexts(t *testing.T) {
	for text, want := range map[string]string{
		"# a title\nhello there\n":           `nothing about GPUs was read: it begins with "hello there", which is neither a table nor a series of GPUs that is known`,
		"# TYPE x_y gauge\nx_y{a=\"b\"} 1\n": `nothing about GPUs was read: Prometheus text: no GPU metrics; it begins with "x_y{a=\"b\"} 1"`,
		dcgmPage:                             "",
		"step 1\n" + smiBoxOfOne:             "",
		podOnNode:                            "",
	} {
		path := filepath.Join(t.TempDir(), "text")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		files := New([]string{path}, Options{})
		files.ExpectMetrics()
		if err := files.Run(t.Context(), store.New(time.Now)); err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, u := range files.Unmeasured() {
			said += u.Text
		}
		if said != want {
			t.Errorf("%.30q: %q, want %q", text, said, want)
		}
	}
}

// A note that quotes a tool is a log too: what else it contains is not lost.
func TestNoteIsLogAndMetrics(t *testing.T) {
	path := write(t, "note.md", "It failed.\n\n```\n"+smiBoxOfOne+"```\n\n```\nTraceback (most recent call last):\ntorch.OutOfMemoryError: CUDA out of memory.\n```\n")
	if states := gpusOf(t, path); len(states) != 1 {
		t.Errorf("%d GPUs, want 1", len(states))
	}
	h, _, err := readAll(t, Options{}, path)
	if err != nil {
		t.Fatal(err)
	}
	if text := h.health["file "+path].Text; !strings.Contains(text, "1 log") {
		t.Errorf("health: %q", text)
	}
}
