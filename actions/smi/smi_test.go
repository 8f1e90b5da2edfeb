package smi

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// recorded are outputs of real tools; sources/metrics names their origins.
const recorded = "../../sources/metrics/testdata/"

var began = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

func answered(t testing.TB, file string, command ...string) actions.Answer {
	t.Helper()
	text, err := os.ReadFile(recorded + file)
	if err != nil {
		t.Fatal(err)
	}
	return actions.Answer{
		Target:  actions.Target{Container: actions.Container{Namespace: "ml", Pod: "bert-worker-0", Name: "pytorch"}, Node: "gpu-0"},
		Command: command, Stdout: text, Began: began, Took: time.Second,
	}
}

func TestReadingsNameThePod(t *testing.T) {
	for file, gpus := range map[string]int{
		"nvsmi-query-gpu-h100-load.csv":     1,
		"nvsmi-query-gpu-h100-mig-load.csv": 1,
		"nvsmi-table-510.txt":               0,
		"nvsmi-table-h100-590-load.txt":     1,
		"nvsmi-table-h100-mig-590-idle.txt": 1,
		"nvsmi-table-t4-535.txt":            1,
		"amd-smi-monitor-ptv.txt":           1,
		"rocm-smi-mi100_rocm602.json":       1,
	} {
		readings, trouble := Read(answered(t, file, "nvidia-smi"))
		if len(readings) < gpus {
			t.Errorf("%s: %d readings, want at least %d (%s)", file, len(readings), gpus, trouble)
		}
		for _, r := range readings {
			g := r.GPU
			if g.Namespace != "ml" || g.Pod != "bert-worker-0" || g.Container != "pytorch" || g.Node != "gpu-0" || r.Source != train.FromTool {
				t.Errorf("%s: %+v", file, g)
			}
			if !r.At.Equal(began.Add(time.Second)) {
				t.Errorf("%s: at %s", file, r.At)
			}
		}
	}
}

func TestOnlyBoardsWithAnIdentityReachTheStore(t *testing.T) {
	a := answered(t, "nvsmi-query-gpu-h100-load.csv", "nvidia-smi")
	readings, _ := Read(a)
	m := Measured(a, readings, 5*time.Second)
	if m == nil || m.Source != "nvidia-smi in the pod ml/bert-worker-0" || m.Node != "gpu-0" || m.Every != 5*time.Second || m.Readings[0].GPU.Index != "" {
		t.Errorf("%+v", m)
	}
	if readings[0].GPU.Index == "" && readings[0].GPU.UUID == "" {
		t.Error("what was read was changed")
	}
	unnamed := []train.GPUReading{{GPU: train.GPU{Index: "0"}}}
	if m := Measured(a, unnamed, 0); m != nil {
		t.Errorf("a GPU known by its number in the pod alone: %+v", m)
	}
}

// The store merges the readings of a pod's own tool into the board that the pod holds.
func TestReadingsReachTheGPUs(t *testing.T) {
	st := store.New(func() time.Time { return began.Add(2 * time.Second) })
	pod := podWith("nvidia.com/gpu")
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "gpu-0"}}
	node.Status.Capacity = corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("1")}
	node.Status.Allocatable = node.Status.Capacity
	st.Apply(store.Listed{Kind: kinds.PodKind, Objects: []kinds.Object{pod}}, store.Listed{Kind: kinds.NodeKind, Objects: []kinds.Object{node}})
	a := answered(t, "nvsmi-table-h100-590-load.txt", "nvidia-smi")
	readings, trouble := Read(a)
	m := Measured(a, readings, 5*time.Second)
	if m == nil {
		t.Fatalf("nothing measured: %s", trouble)
	}
	st.Apply(*m)
	gpus := st.Snapshot().AllGPUs()
	if len(gpus) != 1 || gpus[0].GPU.Pod != "bert-worker-0" || !gpus[0].Values.Known(train.GPUPower) || gpus[0].Sources[0] != train.FromTool {
		t.Errorf("%d GPUs: %+v", len(gpus), gpus)
	}
}

func TestWhyThereIsNothing(t *testing.T) {
	check := func(a actions.Answer, want string) {
		t.Helper()
		if readings, trouble := Read(a); !strings.Contains(trouble, want) || len(readings) > 0 {
			t.Errorf("%d readings, %q, want %q", len(readings), trouble, want)
		}
	}
	check(actions.Answer{Command: []string{"nvidia-smi"}, Exit: -1, Failure: &actions.Failure{Kind: actions.NoProgram, Text: "the container has no nvidia-smi"}}, "no nvidia-smi")
	check(actions.Answer{Command: neuron().Commands(GPUs)[0], Exit: 127, Stderr: []byte("sh: neuron-monitor: not found")}, "the container has no neuron-monitor")
	check(actions.Answer{Command: []string{"nvidia-smi"}, Exit: 9, Stderr: []byte("NVIDIA-SMI has failed\x1b[31m because it couldn't communicate\nmore")}, `exit code 9: "NVIDIA-SMI has failed\x1b[31m because it couldn't communicate"`)
	check(actions.Answer{Command: []string{"nvidia-smi"}, Stdout: []byte("hello")}, `nothing that can be read as GPUs: "hello"`)
	check(actions.Answer{Command: []string{"nvidia-smi"}}, "nothing that can be read")
	check(answered(t, "nvsmi-error-unknown-error.txt", "nvidia-smi"), "Unable to determine the device handle")
}

func TestTheToolFollowsTheResources(t *testing.T) {
	for name, want := range map[corev1.ResourceName]string{
		"nvidia.com/gpu": "nvidia-smi", "nvidia.com/mig-1g.10gb": "nvidia-smi", "amd.com/gpu": "rocm-smi", "habana.ai/gaudi": "hl-smi",
		"aws.amazon.com/neuroncore": "neuron-ls", "google.com/tpu": "tpu-info", "huawei.com/Ascend910": "npu-smi",
		"nvidia.com/hostdev": "nvidia-smi", "cpu": "nvidia-smi",
	} {
		pod := podWith(name)
		st := store.New(func() time.Time { return began })
		st.Apply(store.Set{Kind: kinds.PodKind, Object: pod})
		tool := Of(st.Snapshot(), actions.Target{Container: actions.Container{Namespace: "ml", Pod: "bert-worker-0", Name: "pytorch"}})
		if tool.Name != want || len(tool.Views()) == 0 {
			t.Errorf("%s: %s with %v", name, tool.Name, tool.Views())
		}
		sliced := strings.HasPrefix(string(name), "nvidia.com/mig-")
		if want == "nvidia-smi" && slices.Contains(tool.Commands(GPUs)[0], "-x") != sliced {
			t.Errorf("%s asks %v", name, tool.Commands(GPUs))
		}
	}
}

func podWith(name corev1.ResourceName) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "bert-worker-0", UID: "p"}}
	pod.Spec.NodeName, pod.Status.Phase = "gpu-0", corev1.PodRunning
	pod.Spec.Containers = []corev1.Container{
		{Name: "sidecar"},
		{Name: "pytorch", Resources: corev1.ResourceRequirements{Limits: corev1.ResourceList{name: resource.MustParse("1")}}},
	}
	return pod
}

func TestProcesses(t *testing.T) {
	found, trouble := ReadProcesses(answered(t, "nvsmi-compute-apps-h100.csv", "nvidia-smi"))
	if trouble != "" || len(found) != 3 || found[0] != (Process{"GPU-00000000-0000-0000-0000-000000000000", 11327, "/opt/tools/memhog", 2566}) {
		t.Errorf("%+v %s", found, trouble)
	}
	text := "gpu_uuid, pid, process_name, used_gpu_memory [MiB]\nGPU-1, 7, python, -c, x\x1b[2J, [N/A]\nshort\n"
	found, trouble = ReadProcesses(actions.Answer{Stdout: []byte(text)})
	if len(found) != 1 || found[0].Name != "python, -c, x" || found[0].MemoryMiB != -1 || trouble == "" {
		t.Errorf("%+v %q", found, trouble)
	}
}

func FuzzRead(f *testing.F) {
	for _, file := range []string{"nvsmi-query-gpu-h100-load.csv", "nvsmi-table-h100-590-load.txt", "nvsmi-compute-apps-h100.csv", "rocm-smi-mi100_rocm602.json"} {
		f.Add(answered(f, file).Stdout, 0)
	}
	f.Add([]byte("\x1b]0;x\a"), 9)
	f.Fuzz(func(t *testing.T, text []byte, exit int) {
		a := actions.Answer{Command: []string{"nvidia-smi"}, Stdout: text, Stderr: text, Exit: exit}
		readings, trouble := Read(a)
		processes, also := ReadProcesses(a)
		for _, said := range []string{trouble, also} {
			if strings.ContainsAny(said, "\x1b\n\r") {
				t.Errorf("unsafe: %q", said)
			}
		}
		if len(readings) == 0 && trouble == "" || len(processes) > maxProcesses {
			t.Errorf("%d readings, %d processes, %q", len(readings), len(processes), trouble)
		}
		for _, p := range processes {
			if strings.ContainsAny(p.Name+p.GPU, "\x1b\n") {
				t.Errorf("unsafe: %q", p.Name)
			}
		}
		Measured(a, readings, 0)
	})
}
