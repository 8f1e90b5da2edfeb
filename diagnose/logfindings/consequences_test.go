package logfindings_test

import (
	"testing"

	"github.com/traintop/traintop/train"
)

// A rank that was signalled to end loses its connections afterwards: the
// signal comes first. A signal that follows a lost connection is the
// launcher's answer to it.
func TestSignalBeforeTheLostConnection(t *testing.T) {
	const (
		steps  = "2026-11-20T10:00:10Z step 2 loss 2.2\n2026-11-20T10:00:20Z step 3 loss 2.1\n"
		signal = "2026-11-20T10:00:30Z Received SIGTERM, shutting down\n"
		early  = "2026-11-20T10:00:28Z [rank0]: torch.distributed.DistBackendError: NCCL error: remote process exited or there was a network error\n"
		late   = "2026-11-20T10:00:35Z [rank0]: torch.distributed.DistBackendError: NCCL error: remote process exited or there was a network error\n"
	)
	if found := diagnosed(steps + signal + late); len(found) != 1 || found[0].Cause != "sigterm-received" {
		t.Errorf("signal first: %+v", found)
	}
	if found := diagnosed(steps + early + signal); len(found) == 0 || found[0].Cause != "nccl-connection-lost" {
		t.Errorf("signal last: %+v", found)
	}
	if found := diagnosed(steps+signal, steps+late); len(found) == 0 || found[0].Cause != "sigterm-received" || found[0].RootRank != 0 {
		t.Errorf("signal on another rank: %+v", found)
	}
}

// Reports of ranks about a peer that is gone hide no exception of the peer's
// own program, whatever library reports it.
func TestOwnExceptionBeatsLostPeers(t *testing.T) {
	const own = "[rank3]: Traceback (most recent call last):\n[rank3]:   File \"t.py\", line 4, in g\n[rank3]:     check(label)\n[rank3]: ValueError: bad label 7\n"
	for _, lost := range []string{
		"jaxlib.xla_extension.XlaRuntimeError: ABORTED: Gloo all-reduce failed: Connection closed by peer",
		"jaxlib.xla_extension.XlaRuntimeError: DEADLINE_EXCEEDED: Barrier timed out. Id: PjRT_Client_Connect",
		"RuntimeError: HCCL function error: HcclAllreduce, error code is 9",
		"torch.distributed.DistBackendError: NCCL error: remote process exited",
		"torch.distributed.DistBackendError: NCCL error in: ../ProcessGroupNCCL.cpp:1970, unhandled system error, NCCL version 2.19.3",
		"BrokenPipeError: [Errno 32] Broken pipe",
		"ConnectionResetError: [Errno 104] Connection reset by peer",
		"EOFError",
	} {
		text := "step 1 loss 2.0\nstep 2 loss 1.9\n[rank0]: Traceback (most recent call last):\n[rank0]:   File \"t.py\", line 3, in f\n[rank0]:     loss.backward()\n[rank0]: " + lost + "\n"
		found := diagnosed(text + own)
		if len(found) != 1 || found[0].Cause != "python-exception" || found[0].RootRank != 3 {
			t.Errorf("%s: got %+v", lost, found)
		}
		if alone := diagnosed(text); len(alone) == 0 || alone[0].RootRank != 0 && alone[0].RootRank != -1 {
			t.Errorf("%s alone: got %+v", lost, alone)
		}
	}
}

// A kill by Slurm or the kernel for memory explains a data loader's worker that
// ended, and MPI_Abort what srun kills after it.
func TestConsequencesOfKills(t *testing.T) {
	const worker = "RuntimeError: DataLoader worker (pid(s) 188) exited unexpectedly\n"
	for text, want := range map[string]struct {
		cause train.Cause
		rank  int
	}{
		worker + "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=48.0.\nsrun: error: gpu001: task 0: Out Of Memory\n":                                                                          {"oom-killed", 0},
		worker + "Memory cgroup out of memory: Killed process 188 (python)\n":                                                                                                                             {"oom-killed", -1},
		worker + "the loader may be out of memory\n":                                                                                                                                                      {"dataloader-worker-killed", -1},
		"Abort(1) on node 0 (rank 2 in comm 0): application called MPI_Abort(MPI_COMM_WORLD, 1) - process 2\nsrun: error: n126: tasks 0-35: Killed\n":                                                     {"application-error", 2},
		"[Rank 4] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1, OpType=ALLGATHER, Timeout(ms)=1800000) ran for 1804782 milliseconds before timing out.\nFatal Python error: Aborted\n": {"nccl-timeout", -1},
		"Fatal Python error: Aborted\n":           {"abort-sigabrt", -1},
		"srun: error: n126: tasks 0-35: Killed\n": {"sigkill-received", -1},
		"UserWarning: TPU backend initialization is taking more than 60.0 seconds.\n*** SIGSEGV (@(nil)), see gl__41#s15 received by PID 11743 (TID 12350) on cpu 17; stack trace: ***\n": {"segfault", -1},
	} {
		found := diagnosed(text)
		if len(found) == 0 || found[0].Cause != want.cause || firstRank(found) != want.rank {
			t.Errorf("%s: got %+v, want %+v", text, found, want)
		}
	}
}

// TestActorsThatAWatchdogEnds checks that what Ray prints about a dead worker yields to the
// watchdog that ended it, unless Ray knows why itself.
func TestActorsThatAWatchdogEnds(t *testing.T) {
	const (
		watchdog = "(WorkerDict pid=8) [rank62]:[E809 14:59:33.656957424 ProcessGroupNCCL.cpp:629] [Rank 62] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=5, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600034 milliseconds before timing out.\n"
		died     = "(raylet) A worker died or was killed while executing a task by an unexpected system error. Worker exit type: SYSTEM_ERROR Worker exit detail: connection error code 2. End of file.\n"
		pressed  = "(raylet) 1 Workers (tasks / actors) killed due to memory pressure (OOM), 0 Workers crashed due to other reasons at node (ID: ab)\n"
	)
	for text, want := range map[string]train.Cause{died + watchdog: "nccl-timeout", watchdog + died: "nccl-timeout", died: "ray-worker-died"} {
		if found := diagnosed(text); len(found) == 0 || found[0].Cause != want {
			t.Errorf("%q: got %+v, want %s", text, found, want)
		}
	}
	if found := diagnosed(pressed + watchdog); len(found) == 0 || found[0].Cause == "nccl-timeout" {
		t.Errorf("a worker that Ray ended: got %+v", found)
	}
}

// An extension that cannot be built is DeepSpeed's where the log names it, in a frame above.
func TestWhoseExtensionItIs(t *testing.T) {
	const failed = "subprocess.CalledProcessError: Command '['ninja', '-v']' returned non-zero exit status 1.\n"
	for text, want := range map[string]train.Cause{
		"  File \"/opt/lib/deepspeed/ops/op_builder/builder.py\", line 454, in jit_load\n" + failed: "deepspeed-init",
		"  File \"/app/kernels/build.py\", line 4, in load\n" + failed:                              "extension-build-failed",
	} {
		if found := diagnosed(text); len(found) == 0 || found[0].Cause != want {
			t.Errorf("%s: %+v", text, found)
		}
	}
}
