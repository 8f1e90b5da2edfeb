package logfindings_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// The rows of kubectl get pods show which rank failed where nothing else does.
func TestRankOfARowOfPods(t *testing.T) {
	const head = "NAME                          READY   STATUS      RESTARTS   AGE\n"
	row := func(pod, status string) string {
		return pod + strings.Repeat(" ", 30-len(pod)) + "0/1     " + status + "   0          14m\n"
	}
	for about, c := range map[string]struct {
		text string
		root int
	}{
		"workers come behind the master": {head + row("llama-sft-master-0", "Error") + row("llama-sft-worker-0", "Error") + row("llama-sft-worker-1", "OOMKilled") + row("llama-sft-worker-2", "Error"), 2},
		"below a sentence, quoted":       {"It died:\n\n> " + head + "> " + row("llama-worker-0", "Error") + "> " + row("llama-worker-1", "OOMKilled"), 1},
		"a JobSet, with the namespace":   {"ml   " + row("llama-node-0-0-x7k2p", "Running") + "ml   " + row("llama-node-0-1-9zk4m", "OOMKilled"), 1},
		"an indexed Job":                 {row("train-0-x7k2p", "Completed") + row("train-1-9zk4m", "OOMKilled") + row("train-2-wxz24", "Completed"), 1},
		"some ranks are not in it":       {row("train-1-9zk4m", "OOMKilled") + row("train-5-wxz24", "Completed"), -1},
		"pods of other things":           {row("web-7d9f8b6c5d-x7k2p", "Running") + row("notebook-x7k2p", "OOMKilled"), -1},
		"one pod that is watched":        {row("llama-worker-1", "Running") + row("llama-worker-1", "OOMKilled"), -1},
		"one pod":                        {row("llama-worker-1", "OOMKilled"), -1},
	} {
		found := diagnosed(c.text)
		if len(found) == 0 || found[0].Cause != "oom-killed" || found[0].RootRank != c.root {
			t.Errorf("%s: got %+v, want rank %d", about, found, c.root)
		}
	}
}

// torchrun's tag counts the processes of a node, which is one of several.
func TestLocalRankIsNoRankOfTheJob(t *testing.T) {
	const steps = "[default0]:step 1 loss 2.5\n[default3]:step 1 loss 2.5\n"
	const oom = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 3 has a total capacity of 79.15 GiB of which 1.00 GiB is free.\n"
	for about, c := range map[string]struct {
		texts []string
		root  int
	}{
		"the node whose process failed":      {[]string{steps, steps + "[default3]:" + oom}, 1},
		"the process names its rank as well": {[]string{steps, steps + "[default3]:[rank11]: " + oom}, 11},
		"the log of one node":                {[]string{steps + "[default3]:" + oom}, 3},
	} {
		found := diagnosed(c.texts...)
		if len(found) == 0 || found[0].Cause != "cuda-out-of-memory" || found[0].RootRank != c.root {
			t.Errorf("%s: got %+v, want rank %d", about, found, c.root)
		}
	}
}

// Logs of nodes whose lines name the ranks of the job: the number of the log is none, and the
// agent's local rank is that of its place among them.
func TestLogsOfNodesNameTheirRanks(t *testing.T) {
	steps := func(from int) (text string) {
		for step := range 20 {
			for rank := from; rank < from+4; rank++ {
				text += fmt.Sprintf("[rank%d]: step %d loss %.3f\n", rank, step, 3-0.01*float64(step))
			}
		}
		return text
	}
	const agent = "E1120 10:05:01.000000 1 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: -9) local_rank: 2 (pid: 143) of binary: /usr/bin/python\n"
	const lost = "[rank0]: torch.distributed.DistBackendError: NCCL error in: ProcessGroupNCCL.cpp:2251, remote process exited or there was a network error\n"
	for about, texts := range map[string][]string{
		"two nodes": {steps(0) + lost, steps(4) + agent},
		"one node":  {steps(4) + agent},
	} {
		found := diagnosed(texts...)
		if len(found) == 0 || !slices.Equal(found[0].Ranks, []int{6}) {
			t.Errorf("%s: got %+v, want rank 6", about, found)
		}
	}
	for _, f := range diagnosed(steps(0)+lost, steps(4)) {
		if f.RootRank == 1 || slices.Equal(f.Ranks, []int{1}) {
			t.Errorf("the number of a node is told as a rank: %+v", f)
		}
	}
}
