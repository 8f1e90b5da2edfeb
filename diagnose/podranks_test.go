package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// mpiCluster is an MPIJob of four workers whose launcher prints a line of process 19 and ended.
func mpiCluster(slots, line string) func(*cluster) {
	return func(c *cluster) {
		c.object(kinds.Jobs()[slices.IndexFunc(kinds.Jobs(), func(k kinds.Kind) bool { return k.GroupKind.Kind == "MPIJob" })].GroupKind, fmt.Sprintf(`
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata: {name: bert, namespace: ml, uid: job-1, creationTimestamp: "2026-11-20T11:50:00Z"}
spec: {%s mpiReplicaSpecs: {Launcher: {replicas: 1}, Worker: {replicas: 4}}}
status: {conditions: [{type: Failed, status: "True", reason: BackoffLimitExceeded, lastTransitionTime: "2026-11-20T11:59:00Z"}]}`, slots))
		pod := func(name, role, index string, change func(*corev1.Pod)) {
			p := podOf(name, 8)
			p.Labels = map[string]string{"training.kubeflow.org/job-name": "bert", "training.kubeflow.org/operator-name": "mpi-operator", "training.kubeflow.org/job-role": role, "training.kubeflow.org/replica-type": role, "training.kubeflow.org/replica-index": index}
			yes := true
			p.OwnerReferences = []metav1.OwnerReference{{APIVersion: "kubeflow.org/v2beta1", Kind: "MPIJob", Name: "bert", UID: "job-1", Controller: &yes}}
			change(p)
			c.add(kinds.PodKind, p)
		}
		for rank := range 4 {
			node := fmt.Sprintf("gpu-%d", rank)
			c.node(node, 8)
			pod(fmt.Sprintf("bert-worker-%d", rank), "worker", fmt.Sprint(rank), running(node, 9))
		}
		pod("bert-launcher-x8k2p", "launcher", "", ended("gpu-0", 1, "Error", "", 1))
		l := c.log(0)
		l.stream.Pod, l.stream.UID = "bert-launcher-x8k2p", "uid-bert-launcher-x8k2p"
		l.read("2026-11-20T11:58:00Z [1,0]<stdout>:step 10 loss 2.5\n2026-11-20T11:58:59Z " + line + "\n")
	}
}

// What an MPI launcher prints of a process is about the worker on which that runs, and its
// number is never mixed with those of pods.
func TestTheProcessOfALauncher(t *testing.T) {
	const oom = "[1,19]<stderr>:torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 79.10 GiB"
	for _, c := range []struct {
		name, slots, title, note string
		ranks                    []int
		root                     int
	}{
		{"slots", "slotsPerWorker: 8,", "MPI process 19 on worker-2: The GPU ran out of memory", "mpirun fills them in order", []int{2, 4}, 2},
		{"other slots", "slotsPerWorker: 16,", "MPI process 19 on worker-1: The GPU ran out of memory", "mpirun fills them in order", []int{1, 4}, 1},
		{"without slots", "", "MPI process 19 of launcher-0: The GPU ran out of memory", "on which worker that runs is not known", []int{4}, 4},
		{"more processes than slots", "slotsPerWorker: 2,", "MPI process 19 of launcher-0: The GPU ran out of memory", "on which worker that runs is not known", []int{4}, 4},
	} {
		f := answerOf(t, mpiCluster(c.slots, oom)).Findings[0]
		if f.Cause != "cuda-out-of-memory" || f.Title != c.title || !slices.Equal(f.Ranks, c.ranks) || f.RootRank != c.root || !strings.Contains(f.Explanation, c.note) {
			t.Errorf("%s: %s %q, ranks %v, rank %d first: %s", c.name, f.Cause, f.Title, f.Ranks, f.RootRank, f.Explanation)
		}
		if at := f.Evidence[0]; at.Rank != 4 && at.Stream.Pod == "bert-launcher-x8k2p" {
			t.Errorf("%s: the line of the launcher is quoted as one of rank %d", c.name, at.Rank)
		}
	}
}

// A pod with several processes is one rank of the job, whatever number the program gives them.
func TestProcessesOfOnePod(t *testing.T) {
	const oom = "[rank19]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 79.10 GiB\n"
	nodes := func(c *cluster, status string) {
		c.job(4, status)
		for rank := range 4 {
			c.node(fmt.Sprintf("gpu-%d", rank), 8)
		}
	}
	f := answerOf(t, func(c *cluster) {
		nodes(c, runs)
		for rank := range 4 {
			c.worker(rank, running(fmt.Sprintf("gpu-%d", rank), 9))
		}
		c.log(2).read("2026-11-20T11:58:59Z " + oom)
	}).Findings[0]
	if f.Cause != "cuda-out-of-memory" || !slices.Equal(f.Ranks, []int{2}) || !strings.Contains(f.Explanation, "rank 19 of the program, which runs in worker-2") {
		t.Errorf("%s of ranks %v: %s", f.Cause, f.Ranks, f.Explanation)
	}
	f = answerOf(t, func(c *cluster) {
		nodes(c, runs)
		for rank := range 4 {
			c.worker(rank, running(fmt.Sprintf("gpu-%d", rank), 90))
			if rank == 2 {
				c.log(rank).read("2026-11-20T11:40:00Z step 10 loss 2.5\n")
				continue
			}
			c.log(rank).read("2026-11-20T11:40:00Z step 10 loss 2.5\n2026-11-20T11:58:00Z " + strings.ReplaceAll(watchdogOf, "RANK", fmt.Sprint(8*rank+3)))
		}
	}).Findings[0]
	if f.Cause != train.Cause("one-rank-behind") || f.RootRank != 2 || !slices.Equal(f.Ranks, []int{2}) {
		t.Errorf("the pod that says nothing: %s of ranks %v, %s", f.Cause, f.Ranks, f.Title)
	}
}

const watchdogOf = "[rankRANK]:[E ProcessGroupNCCL.cpp:616] [Rank RANK] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=4211, OpType=ALLREDUCE, NumelIn=1048576, NumelOut=1048576, Timeout(ms)=600000) ran for 600021 milliseconds before timing out.\n"
