package logfindings_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

func watchdog(rank, sequence, op, elements, enqueued string) string {
	return "[rank" + rank + "]:[E626 06:24:44.159932949 ProcessGroupNCCL.cpp:616] [Rank " + rank + "] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=" + sequence +
		", OpType=" + op + ", NumelIn=" + elements + ", NumelOut=" + elements + ", Timeout(ms)=600000) ran for 600030 milliseconds before timing out.\n" +
		"[rank" + rank + "]:[E626 06:24:44.160366013 ProcessGroupNCCL.cpp:1785] [PG ID 0 PG GUID 0(default_pg) Rank " + rank +
		"] Exception (either an error or timeout) detected by watchdog at work: " + sequence + ", last enqueued NCCL work: " + enqueued + ", last completed NCCL work: 807.\n"
}

// TestRootRank checks which rank is named when several report errors. The
// lines are those of PyTorch 2.6.
func TestRootRank(t *testing.T) {
	const steps = "step 1 loss 2.5\nstep 2 loss 2.4\n"
	const oom = "[rank2]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 2 has a total capacity of 79.15 GiB of which 1.00 GiB is free.\n"
	const reset = "worker0:15:91 [3] include/socket.h 398 NCCL WARN Call to recv failed : Connection reset by peer.\n"
	f := func(name string, want train.Cause, root int, texts ...string) {
		t.Helper()
		found := diagnosed(texts...)
		if len(found) == 0 || found[0].Cause != want || found[0].RootRank != root {
			t.Errorf("%s: got %+v, want %s of rank %d", name, found, want, root)
		}
	}
	f("equal ranks name nobody", "nccl-timeout", -1, watchdog("0", "808", "ALLREDUCE", "10", "811"), watchdog("1", "808", "ALLREDUCE", "10", "811"))
	f("the rank that enqueued least", "one-rank-behind", 1, watchdog("0", "808", "ALLREDUCE", "10", "811"), watchdog("1", "808", "ALLREDUCE", "10", "808"), watchdog("2", "808", "ALLREDUCE", "10", "811"))
	f("the rank that says nothing", "one-rank-behind", 1, watchdog("0", "808", "ALLREDUCE", "10", "811"), steps, watchdog("2", "808", "ALLREDUCE", "10", "811"))
	const joins = "torch.distributed.DistNetworkError: The client socket has timed out after 600000ms while trying to connect to (bert-master-0, 23456).\n"
	f("the rank that did not come", "rendezvous-timeout", 0, "Downloading shards: 40%\n", joins, joins)
	f("the rank that came, and waits for the others", "rendezvous-timeout", 1, "waiting for clients 1/3\n", joins, joins)
	f("a rank that says it goes down", "nccl-timeout", -1, watchdog("0", "808", "ALLREDUCE", "10", "811"), "[rank1]:[E626 06:24:44.440271515 ProcessGroupNCCL.cpp:698] [Rank 1] To avoid data inconsistency, we are taking the entire process down.\n")
	f("Horovod's tag behind a time", "gloo-connect-failure", 13, "Tue Nov 10 10:05:04 2020[13]<stderr>:  what():  [enforce fail at gloo/transport/tcp/device.cc:83] ifa != nullptr. Unable to find address for: enp129s0f1\n")
	f("Open MPI's tag behind a time", "cuda-out-of-memory", 3, "Thu Mar  1 13:55:18 2018[1,3]<stderr>:RuntimeError: CUDA out of memory. Tried to allocate 1.00 GiB\n")
	f("other collectives", "nccl-desync", -1, watchdog("0", "808", "ALLREDUCE", "10", "811"), watchdog("1", "808", "BROADCAST", "10", "811"))
	f("another collective than all others", "nccl-desync", 0, watchdog("0", "808", "REDUCE", "10", "811"), watchdog("1", "808", "BROADCAST", "10", "811"), watchdog("2", "808", "BROADCAST", "10", "811"))
	f("three collectives", "nccl-desync", -1, watchdog("0", "808", "REDUCE", "10", "811"), watchdog("1", "808", "BROADCAST", "10", "811"), watchdog("2", "808", "ALLREDUCE", "10", "811"))
	f("other sizes", "nccl-desync", -1, watchdog("0", "808", "ALLREDUCE", "10", "811"), watchdog("1", "808", "ALLREDUCE", "20", "811"))
	f("sizes that differ as a rule", "nccl-timeout", -1, watchdog("0", "808", "ALLTOALL_BASE", "10", "811"), watchdog("1", "808", "ALLTOALL_BASE", "20", "811"))
	f("several operations in one", "nccl-timeout", -1, watchdog("0", "808", "COALESCED", "56320", "811"), watchdog("1", "808", "COALESCED", "107520", "811"))
	f("two ends of one transfer", "nccl-timeout", -1, watchdog("0", "808", "SEND", "10", "811"), watchdog("1", "808", "RECV", "10", "811"))
	f("a traceback that is cut off", "python-exception", 1, steps, "Traceback (most recent call last):\n  File \"train.py\", line 9, in step\n    x[k]\n")
	f("an own error beats a timeout", "cuda-out-of-memory", 2, watchdog("0", "808", "ALLREDUCE", "10", "811"), watchdog("1", "808", "ALLREDUCE", "10", "811"), oom)
	f("an own error beats a lost connection", "cuda-out-of-memory", 2, reset, reset, oom)
	f("a plain exception beats a timeout", "python-exception", 1, watchdog("0", "808", "ALLREDUCE", "10", "811"), "Traceback (most recent call last):\n  File \"train.py\", line 9, in step\n    x[k]\nKeyError: 'lr'\n")
	f("a watchdog repeats its own rank's error", "gpu-ecc-error", 1, "RuntimeError: CUDA error: uncorrectable ECC error encountered\n[E ProcessGroupNCCL.cpp:916] [Rank 1] NCCL watchdog thread terminated with exception: CUDA error: uncorrectable ECC error encountered\n")
	f("two watchdogs repeat an error", "gpu-ecc-error", -1, "RuntimeError: CUDA error: uncorrectable ECC error encountered\n[E ProcessGroupNCCL.cpp:916] [Rank 1] NCCL watchdog thread terminated with exception: CUDA error: uncorrectable ECC error encountered\n[E ProcessGroupNCCL.cpp:916] [Rank 0] NCCL watchdog thread terminated with exception: CUDA error: uncorrectable ECC error encountered\n")
	f("other ranks print steps after a rank failed", "cuda-out-of-memory", 1,
		"[rank0]: step 1 loss 2.5\n[rank1]: step 1 loss 2.5\n[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n[rank0]: step 2 loss 2.4\n[rank0]: step 3 loss 2.3\n[rank0]: NCCL error: remote process exited or there was a network error, NCCL version 2.19.3\n")
	f("another log follows behind a header", "cuda-out-of-memory", -1,
		"==> a.log <==\nstep 1 loss 2.5\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n==> b.log <==\nstep 1 loss 2.5\nstep 2 loss 2.4\nstep 3 loss 2.4\n")
	f("another log follows, its clock begins earlier", "cuda-out-of-memory", -1,
		"2026-11-20T08:00:01Z step 1 loss 2.5\n2026-11-20T08:00:09Z torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n2026-11-20T08:00:01Z step 1 loss 2.5\n2026-11-20T08:00:05Z step 2 loss 2.4\n2026-11-20T08:00:12Z step 3 loss 2.4\n")

	f("mpiexec -l, and its clean-up of other ranks", "cuda-out-of-memory", 6,
		"[6] Traceback (most recent call last):\n[6]   File \"t.py\", line 2, in <module>\n[6]     loss.backward()\n[6] torch.OutOfMemoryError: XPU out of memory. Tried to allocate 2.00 GiB.\n\n=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES\n=   RANK 0 PID 168950 RUNNING AT n0\n=   KILLED BY SIGNAL: 9 (Killed)\n")
	f("LightGBM's machines lose one that was refused memory", "oom-killed", 2,
		"[LightGBM] [Fatal] Socket recv error, Connection reset by peer (code: 104)\n", "[LightGBM] [Fatal] Socket recv error, Connection reset by peer (code: 104)\n", "Met Exceptions:\nstd::bad_alloc\n")
	const child = "E1130 01:08:30.482000 1 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: -9) local_rank: 0 (pid: 71) of binary: /opt/conda/bin/python\n"
	f("a node's agent names its own process", "oom-killed", 2, steps, steps, child)
	f("the only node's agent names its process", "oom-killed", 3, steps+strings.Replace(child, "local_rank: 0", "local_rank: 3", 1))
	f("JAX names the task that stopped", "nccl-connection-lost", 3,
		"F0926 17:26:32.075587  157988 client.h:77] Terminating process because the JAX distributed service detected fatal errors. absl::Status: UNAVAILABLE: The following tasks are unhealthy (stopped sending heartbeats):\n/job:jax_worker/replica:0/task:3\nThe tasks have crashed.\n")
	f("JAX names the task that did not come", "rendezvous-timeout", 7,
		"XlaRuntimeError: DEADLINE_EXCEEDED: Barrier timed out. Id: PjRT_Client_Connect. # of tasks that reached the barrier: 15/16. The first task at the barrier: /job:jax_worker/replica:0/task:3. Some timed out task names:\n/job:jax_worker/replica:0/task:7\n")
	f("SkyPilot's codes", "application-error", 1, "ERROR: Job 4 failed with return code list: [137, 1, 137] (A worker failed with return code 1, SkyPilot cleaned up the processes on other nodes with return code 137)\n")
	f("an actor's name", "ray-worker-died", 0, "ray.exceptions.ActorDiedError: The actor died unexpectedly before finishing this task.\n\tclass_name: create_colocated_worker_cls.<locals>.WorkerDict\n\tname: WQ0HJEWorkerDict_0:0\n")
	f("the earliest of two own errors", "cuda-out-of-memory", 1,
		"2026-11-20T08:00:09Z RuntimeError: CUDA out of memory. Tried to allocate 1.00 GiB\n", "2026-11-20T08:00:01Z RuntimeError: CUDA out of memory. Tried to allocate 1.00 GiB\n")
}

// TestHealed checks that what a run recovered from is reported as such.
func TestHealed(t *testing.T) {
	const after = "step 1 loss 2.5\nstep 2 loss 2.4\nstep 3 loss 2.3\nstep 4 loss 2.2\n"
	for _, line := range []string{
		"[W socket.cpp:663] [c10d] The client socket has failed to connect to [worker-0]:29500 (errno: 111 - Connection refused).\n",
		"RuntimeError: CUDA out of memory. Tried to allocate 2.87 GiB\n",
		"[W socket.cpp:558] [c10d] The IPv6 network addresses of (worker-0, 29500) cannot be retrieved (gai error: -2 - Name or service not known).\n",
	} {
		for _, f := range diagnosed(line + after) {
			if f.Severity != train.SeverityInfo {
				t.Errorf("%s after which training went on: %s %s", line, f.Severity, f.Title)
			}
		}
	}
}

// TestAttempts checks that a failed attempt is no alarm where others follow, and that the
// last one is.
func TestAttempts(t *testing.T) {
	for text, want := range map[string]train.Severity{
		"Attempt 1/3 to upload the checkpoint failed: SlowDown\nAttempt 2/3 succeeded\n": train.SeverityInfo,
		"Attempt 3/3 to upload the checkpoint failed: SlowDown\ngiving up\n":             train.SeverityError,
	} {
		if found := diagnosed(text); len(found) != 1 || found[0].Severity != want {
			t.Errorf("%q: got %+v", text, found)
		}
	}
	const tenacity = "WARNING:tenacity: Retrying upload in 2.0 seconds as it raised ClientError: An error occurred (SlowDown) when calling the PutObject operation\n"
	if found := diagnosed(tenacity); len(found) > 0 {
		t.Errorf("tenacity: got %+v", found)
	}
}

// TestTracebacks checks which exception of several is reported, and whose
// frame.
func TestTracebacks(t *testing.T) {
	const chain = `Traceback (most recent call last):
  File "/app/data.py", line 12, in load
    return table[key]
KeyError: 'tokens'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/app/train.py", line 40, in main
    load()
  File "/usr/lib/python3/dist-packages/x.py", line 1, in y
    raise ValueError("no data")
ValueError: no data
`
	found := diagnosed(chain)
	if len(found) != 1 || !strings.Contains(found[0].Title, "KeyError: 'tokens'") || !strings.Contains(found[0].Title, "data.py:12 in load") {
		t.Errorf("a chain of exceptions: %+v", found)
	}
	if found := diagnosed("Exception ignored in: <function _MultiProcessingDataLoaderIter.__del__ at 0x7f>\n" + strings.SplitN(chain, "\n\n", 2)[0] + "\n"); len(found) > 0 {
		t.Errorf("an exception that Python ignored at exit: %+v", found)
	}
	mixed := "[rank1]: Traceback (most recent call last):\n[rank0]: step 3\n[rank1]:   File \"/app/train.py\", line 7, in f\n[rank0]: step 4\n[rank1]: IndexError: list index out of range\n"
	if found := diagnosed(mixed); len(found) == 0 || found[0].RootRank != 1 || !strings.Contains(found[0].Title, "train.py:7") {
		t.Errorf("lines of two ranks mixed: %+v", found)
	}
}

// TestServerAnswersAgain checks that only the server that did not answer can
// heal the error.
func TestServerAnswersAgain(t *testing.T) {
	const silent = "nfs: server data-1 not responding, still trying\n"
	for after, want := range map[string]train.Severity{
		"nfs: server data-1 OK\n": train.SeverityInfo,
		"nfs: server data-2 OK\n": train.SeverityError,
		"":                        train.SeverityError,
	} {
		if found := diagnosed(silent + after); len(found) != 1 || found[0].Severity != want {
			t.Errorf("after %q: %+v, want %s", after, found, want)
		}
	}
}

// TestEventsAreOrderedByAge checks that an event heals what is older than it,
// whichever kubectl prints first.
func TestEventsAreOrderedByAge(t *testing.T) {
	const (
		waits = "  Normal   NotTriggerScaleUp  7m10s  cluster-autoscaler  pod didn't trigger scale-up: 1 pod has unbound immediate PersistentVolumeClaims\n"
		place = "  Normal   Scheduled          5m21s  default-scheduler   Successfully assigned ml/a to n\n"
		fails = "  Warning  Failed             10s    kubelet             Failed to pull image \"a/b:1\": dial tcp 10.0.0.1:443: i/o timeout\n"
		pulls = "  Normal   Pulled             5m     kubelet             Successfully pulled image \"a/c:1\" in 2s\n"
	)
	for text, want := range map[string]bool{waits + place: false, place + waits: false, place + fails: true, fails + pulls: true, pulls + fails: true, "2m18s  Normal  Scheduled  pod/a  Successfully assigned ml/a to n\n3d4h (x9 over 4d)  Warning  FailedScheduling  pod/a  0/1 nodes are available: 1 Insufficient cpu.\n": false} {
		found := diagnosed(text)
		if got := slices.ContainsFunc(found, func(f train.Finding) bool { return f.Severity != train.SeverityInfo }); got != want {
			t.Errorf("%s%+v", text, found)
		}
	}
}

// TestEachPodIsPlacedOnce checks that the place of a pod ends what kept it from it, among
// however many pods, and also where all events are as many minutes old.
func TestEachPodIsPlacedOnce(t *testing.T) {
	row := func(pod int, waits, placed bool) (rows string) {
		if placed {
			rows = fmt.Sprintf("31m  Normal   Scheduled         pod/a-worker-%d  Successfully assigned ml/a-worker-%d to n\n", pod, pod)
		}
		if waits {
			rows += fmt.Sprintf("31m  Warning  FailedScheduling  pod/a-worker-%d  0/4 nodes are available: 4 Insufficient nvidia.com/gpu.\n", pod)
		}
		return rows
	}
	described := func(pod int, waits, placed bool) string {
		text := fmt.Sprintf("Name:             a-worker-%d\nEvents:\n  Type     Reason            Age    From               Message\n", pod)
		if waits {
			text += "  Warning  FailedScheduling  8m14s  default-scheduler  0/4 nodes are available: 4 Insufficient nvidia.com/gpu.\n"
		}
		if placed {
			text += fmt.Sprintf("  Normal   Scheduled         8m14s  default-scheduler  Successfully assigned ml/a-worker-%d to n\n", pod)
		}
		return text
	}
	for name, of := range map[string]func(pod int, waits, placed bool) string{"events": row, "descriptions": described} {
		all, one := "", ""
		for pod := range 40 {
			all += of(pod, true, true)
			one += of(pod, pod == 20, pod != 20)
		}
		for text, want := range map[string]train.Severity{all: train.SeverityInfo, one: train.SeverityError} {
			if found := diagnosed(text); len(found) != 1 || found[0].Cause != "insufficient-gpu" || found[0].Severity != want {
				t.Errorf("%s, want %s: %+v", name, want, found)
			}
		}
	}
}

// Each log is that of a node, whose lines name their ranks: one ends without a word while
// ranks in the other report that the collective timed out. An error in it counts instead.
func TestANodeWhoseLogEndsWithoutAWord(t *testing.T) {
	node := func(first int, last string) string {
		text := ""
		for step := range 8 {
			for rank := first; rank < first+2; rank++ {
				text += fmt.Sprintf("[rank%d]: step %d loss %.2f\n", rank, step+1, 3-0.1*float64(step))
			}
		}
		return text + last
	}
	waits := watchdog("0", "808", "ALLREDUCE", "10", "811") + watchdog("1", "808", "ALLREDUCE", "10", "811")
	found := diagnosed(node(0, waits), node(2, ""))
	if len(found) == 0 || found[0].Cause != "nccl-timeout" || !strings.HasPrefix(found[0].Title, "Ranks 2-3 print nothing more") || !slices.Contains(found[0].Ranks, 3) {
		t.Errorf("got %+v", found)
	}
	if e := found[0].Evidence[0]; e.Text != "[rank3]: step 8 loss 2.30" {
		t.Errorf("the first line is %q", e.Text)
	}
	for name, texts := range map[string][]string{
		"an error in it":   {node(0, waits), node(2, "[rank2]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n")},
		"all nodes report": {node(0, waits), node(2, watchdog("2", "808", "ALLREDUCE", "10", "811"))},
		"two are silent":   {node(0, waits), node(2, ""), node(4, "")},
	} {
		if found := diagnosed(texts...); len(found) == 0 || strings.Contains(found[0].Title, "nothing more") {
			t.Errorf("%s: got %+v", name, found)
		}
	}
}
