package dump_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/testdata"
	"github.com/traintop/traintop/train"
)

// demoCluster reads the demo as the program does.
func demoCluster(t *testing.T) *store.Snapshot {
	t.Helper()
	snapshot, err := readDemo()
	if err != nil {
		t.Fatal(err)
	}
	return snapshot
}

var readDemo = sync.OnceValues(func() (*store.Snapshot, error) {
	s := store.New(nil) // the dump sets the clock
	files := dump.New([]string{"."}, dump.Options{FS: testdata.Demo})
	if err := files.Run(context.Background(), s); err != nil {
		return nil, err
	}
	if problems := files.Summary().Problems; len(problems) > 0 {
		return nil, fmt.Errorf("problems: %v", problems)
	}
	return s.Snapshot(), nil
})

func TestDemoShowsEveryPhase(t *testing.T) {
	snapshot := demoCluster(t)
	phases := map[train.Phase]int{}
	kinds := map[string]bool{}
	for _, job := range snapshot.Jobs() {
		phases[job.Phase]++
		kinds[job.Ref.Group+"/"+job.Ref.Kind] = true
	}
	for _, phase := range train.Phases {
		if phases[phase] == 0 {
			t.Errorf("no job is %s", phase)
		}
	}
	if len(kinds) < 10 {
		t.Errorf("only %d kinds of jobs", len(kinds))
	}
	if got := snapshot.Now.Format("2006-01-02T15:04:05Z"); got != "2026-11-20T10:00:00Z" {
		t.Errorf("it is %s in the demo", got)
	}
}

func TestDemoJobs(t *testing.T) {
	snapshot := demoCluster(t)
	job := func(group, kind, namespace, name string, phase train.Phase, ready, wanted, gpus int) *train.Job {
		t.Helper()
		j := snapshot.JobOf(schema.GroupKind{Group: group, Kind: kind}, namespace, name)
		if j == nil {
			t.Fatalf("no %s %s/%s", kind, namespace, name)
		}
		got := []any{j.Phase, j.Ready, j.Wanted, j.GPUs}
		if want := []any{phase, ready, wanted, gpus}; !cmp.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
		return j
	}
	job("kubeflow.org", "PyTorchJob", "llm", "llama-70b", train.Running, 8, 8, 64)
	job("trainer.kubeflow.org", "TrainJob", "llm", "qwen3-sft", train.Running, 2, 2, 16)
	job("batch.volcano.sh", "Job", "llm", "dbrx-finetune", train.Pending, 0, 4, 32)
	job("kubeflow.org", "PyTorchJob", "vision", "vit-elastic", train.Running, 4, 5, 10)
	job("kubeflow.org", "PyTorchJob", "speech", "hubert-xl", train.Failed, 2, 3, 6)
	job("kubeflow.org", "PyTorchJob", "students", "mnist-big", train.Pending, 2, 4, 4)
	job("batch", "Job", "eval", "hpo-sweep", train.Running, 4, 6, 6)
	job("kubeflow.org", "MPIJob", "hpc", "resnet-allreduce", train.Running, 3, 3, 8)
	if j := job("jobset.x-k8s.io", "JobSet", "rl", "grpo-math", train.Running, 2, 2, 8); j.Restarts != 1 {
		t.Errorf("grpo-math restarted %d times", j.Restarts)
	}
	for place, name := range []string{"phi-4-dpo", "gemma-3-sft"} {
		j := snapshot.JobOf(schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}, "research", name)
		if j == nil || j.Phase != train.Queued || j.Queue == nil || j.Queue.Place != place+1 {
			t.Errorf("%s is not at place %d of its queue: %+v", name, place+1, j)
		}
	}
	if j := job("batch", "Job", "infra", "etcd-backup-29919420", train.Succeeded, 0, 1, 0); j.Training {
		t.Error("the backup passes for training")
	}
}

func TestDemoNodesHoldNoMoreThanTheyHave(t *testing.T) {
	cordoned, notReady, full := 0, 0, 0
	nodes := demoCluster(t).Nodes()
	for _, node := range nodes {
		if node.Held > node.Allocatable {
			t.Errorf("%s holds %d of %d GPUs", node.Name, node.Held, node.Allocatable)
		}
		if node.Cordoned {
			cordoned++
		}
		if !node.Ready {
			notReady++
		}
		if node.Allocatable > 0 && node.Free() == 0 {
			full++
		}
	}
	if cordoned != 1 || notReady != 1 || full < 10 {
		t.Errorf("of %d nodes %d are cordoned, %d not ready, %d full", len(nodes), cordoned, notReady, full)
	}
}

// The GPUs of the demo behave as the story of their jobs requires.
func TestDemoGPUs(t *testing.T) {
	snapshot := demoCluster(t)
	states := map[string]*train.GPUState{}
	for _, state := range snapshot.AllGPUs() {
		if state.GPU.Index != "" && state.GPU.MIG.Instance == "" {
			states[state.GPU.Node+"/"+state.GPU.Index] = state
		}
	}
	f := func(place, job string, q train.Quantity, least, most float64) {
		t.Helper()
		state := states[place]
		if state == nil {
			t.Fatalf("no GPU %s", place)
		}
		if job != "" && (state.Job == nil || state.Job.Name != job) {
			t.Errorf("%s is held by %v, not by %s", place, state.Job, job)
		}
		if v, known := state.Values.Get(q); !known || v < least || v > most {
			t.Errorf("%s: quantity %d is %v (known %v), not between %v and %v", place, q, v, known, least, most)
		}
	}
	f("gpu-h100-06/3", "llama-70b", train.GPUPower, 370, 430) // the slow one
	f("gpu-h100-06/2", "llama-70b", train.GPUPower, 600, 670)
	f("gpu-a100-02/6", "resnet-allreduce", train.GPUTemperature, 90, 96)
	f("gpu-h100-11/4", "hubert-xl", train.GPUUtilization, 0, 0) // held and idle
	f("gpu-a100-04/7", "", train.GPUXid, 79, 79)
	if states["gpu-a100-04/7"].Values.Count() != 1 {
		t.Error("a GPU that is off the bus still tells of itself")
	}
	slow := states["gpu-h100-06/3"].GPU.ID()
	if points := snapshot.GPUPast(slow, train.GPUPower); len(points) < 50 || points[0].Value < 600 {
		t.Errorf("the past of the slow GPU: %v", points)
	}
	if used := snapshot.NodeUsage("gpu-h100-09"); used == nil {
		t.Error("nothing says what CPUs do")
	} else if cores, _ := used.Values.Get(train.UsedCPU); cores < 172 || cores > 191 {
		t.Errorf("%v CPUs of gpu-h100-09 are used", cores)
	}
}
