package logfindings_test

import (
	"testing"

	"github.com/traintop/traintop/train"
)

// reportBlock is a rank's block of torchrun's report (PyTorch 2.9
// torch/distributed/elastic/multiprocessing/errors).
func reportBlock(at, rank, code string) string {
	return "[0]:\n  time      : 2026-09-07_" + at + "\n  host      : n1\n  rank      : " + rank + " (local_rank: " + rank + ")\n" +
		"  exitcode  : " + code + " (pid: 20308)\n  error_file: <N/A>\n"
}

// TestAnswersOfLaunchers checks that ranks which a launcher ended after the first
// failure are not the root, and that a rank which was killed first is.
func TestAnswersOfLaunchers(t *testing.T) {
	const failures, root = "Failures:\n", "Root Cause (first observed failure):\n"
	f := func(name string, want train.Cause, rank int, text string) {
		t.Helper()
		found := diagnosed(text)
		if len(found) == 0 || found[0].Cause != want || found[0].RootRank != rank {
			t.Errorf("%s: got %+v, want %s of rank %d", name, found, want, rank)
		}
	}
	const raised = "Traceback (most recent call last):\n  File \"torchrun\", line 8, in <module>\n    sys.exit(main())\ntorch.distributed.elastic.multiprocessing.api.SignalException: Process 4711 got signal: "
	f("a session that ended", "sighup-received", -1, "WARNING:torch.distributed.elastic.multiprocessing.api:Sending process 11 closing signal SIGHUP\n"+raised+"1\n")
	f("stopped", "sigterm-received", -1, "WARNING:torch.distributed.elastic.multiprocessing.api:Sending process 11 closing signal SIGTERM\n"+raised+"15\n")
	f("the toolkit of a cloud", "application-error", -1, "sagemaker-containers ERROR    ExecuteUserScriptError:\nCommand \"/usr/bin/python -m rnn\"\n2019-02-25 14:11:16 Failed - Training job failed\n")
	f("an error before it", "python-exception", -1, "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    f()\nValueError: x\n2022-06-02 17:28:13,101 sagemaker-training-toolkit ERROR    Reporting training FAILURE\n2019-02-25 14:11:16 Failed - Training job failed\n")
	f("killed by the agent", "torchrun-child-failed", 1, failures+reportBlock("11:42:49", "0", "-9")+reportBlock("11:42:49", "2", "-15")+root+reportBlock("11:42:18", "1", "1"))
	f("killed first", "oom-killed", 1, failures+reportBlock("11:42:49", "2", "-15")+root+reportBlock("11:42:18", "1", "-9"))
	f("no block of the first failure", "oom-killed", 0, failures+reportBlock("11:42:49", "0", "-9")+reportBlock("11:42:49", "2", "1"))
	f("the earlier of two agents", "torchrun-child-failed", 4, root+reportBlock("21:15:52", "0", "1")+"\nChildFailedError:\n"+root+reportBlock("21:15:01", "4", "1"))
	f("a report cut before the code", "torchrun-child-failed", 1, failures+reportBlock("11:42:18", "3", "1")+root+"[0]:\n  time      : 2026-09-07_11:42:18\n  host      : n1\n  rank      : 1 (local_rank: 1)\n")
	f("a report cut before the rank", "torchrun-child-failed", -1, root+"[0]:\n  time      : 2026-09-07_11:42:18\n  host      : n1\n")
	aborted := func(rank string) string {
		return reportBlock("11:42:18", rank, "-6") + "  traceback : Signal 6 (SIGABRT) received by PID 20308\n"
	}
	f("a report cut before the signal of the first", "abort-sigabrt", 0, failures+aborted("1")+aborted("2")+root+reportBlock("11:42:18", "0", "-6"))
	f("a report of aborted ranks", "abort-sigabrt", 0, failures+aborted("1")+root+aborted("0"))
	const closed = "RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:534] Connection closed by peer [10.0.0.2]:35230\n"
	failed := func(code string) string {
		return "E0526 11:02:25.394000 139 torch/distributed/elastic/multiprocessing/api.py:826] failed (exitcode: " + code + ") local_rank: 2 (pid: 70) of binary: python\n"
	}
	f("a rank that others lost", "gloo-connection-lost", 2, "[rank0]: "+closed+"[rank1]: "+closed+failed("1"))
	f("a rank that lost another itself", "gloo-connection-lost", -1, "[rank0]: "+closed+"[rank2]: "+closed+failed("1"))
	f("a rank that aborted itself", "gloo-connection-lost", -1, "[rank0]: "+closed+failed("-6"))
	f("nobody knows who lost it", "gloo-connection-lost", -1, closed+failed("1"))
	const scheduler = "] Scheduler hit an exception: Traceback (most recent call last):\n  File \"/opt/sglang/srt/managers/scheduler.py\", line 1787, in run_scheduler_process\n    scheduler.event_loop_normal()\n"
	f("a scheduler of SGLang", "python-exception", 4, "[2025-02-16 19:29:38 TP4"+scheduler+"IndexError: index 2383 is out of bounds for dimension 0 with size 2383\n")
	f("a scheduler of SGLang without memory", "cuda-out-of-memory", 5, "[2025-02-16 19:29:38 DP5 TP5"+scheduler+"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n")
	f("a scheduler of a second replica", "cuda-out-of-memory", -1, "[2025-02-16 19:29:38 DP1 TP0"+scheduler+"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n")
	f("srun ends the others", "application-error", 3, "srun: error: n1: task 3: Exited with exit code 1\nsrun: error: n1: task 0: Killed\n")
	f("srun cancels the step", "application-error", 3, "srun: error: n1: task 3: Exited with exit code 1\nsrun: Terminating job step 1.0\nslurmstepd: error: *** STEP 1.0 ON n1 CANCELLED AT 2024-01-01T00:00:00 ***\n")
	f("srun tells a kill first", "sigkill-received", 0, "srun: error: n1: task 0: Killed\nsrun: error: n1: task 3: Exited with exit code 1\n")
	f("Lightning ends the others", "torchrun-child-failed", 1, "[rank: 1] Child process with PID 2053468 terminated with code 1. Forcefully terminating all other processes to avoid zombies\nKilled\n")
	f("a kill, and then a report of it", "sigkill-received", 1, "Killed\n[rank: 1] Child process with PID 2053468 terminated with code 1. Forcefully terminating all other processes to avoid zombies\n")
	f("Hydra names a signal of another process", "abort-sigabrt", -1, "=   EXIT CODE: 134\n=   CLEANING UP REMAINING PROCESSES\n=   YOU CAN IGNORE THE BELOW CLEANUP MESSAGES\n==========\nYOUR APPLICATION TERMINATED WITH THE EXIT STRING: Terminated (signal 15)\n")
	f("Hydra names one signal twice", "sigkill-received", -1, "=   EXIT CODE: 9\n=   CLEANING UP REMAINING PROCESSES\n=   YOU CAN IGNORE THE BELOW CLEANUP MESSAGES\n==========\nYOUR APPLICATION TERMINATED WITH THE EXIT STRING: Killed (signal 9)\n")
	f("Hydra names a signal alone", "sigterm-received", -1, "=   EXIT CODE: 15\n==========\nYOUR APPLICATION TERMINATED WITH THE EXIT STRING: Terminated (signal 15)\n")
	f("HCCL names the rank that is waited for", "nccl-timeout", 4, "EI0002: The wait execution of the Notify register times out. Reason: The Notify register has not received the Notify record from remote rank [4].base information: [streamID:[2]]\n")
	f("HCCL counts within a group", "nccl-timeout", -1, "EI0002: [PID: 2969] The wait execution of the Notify register times out. Reason: The Notify register has not received the Notify record from remote rank: [24]. base information: [streamID:[109]]. group information: [group:[group_name_1654], rankSize[32], rankId[25 24]]\n")
	f("a barrier with errors of one rank", "one-rank-behind", 3, "[rank0]: RuntimeError: Rank 0 successfully reached monitoredBarrier, but received errors while waiting for send/recv from rank 3. Please check rank 3 logs for faulty rank.\n")
	const reached = "[rank2]: RuntimeError: Rank 2 successfully reached monitoredBarrier, but received errors while waiting for send/recv from rank 0. Please check rank 0 logs for faulty rank.\n[rank2]:  Original exception:\n[rank2]: [../third_party/gloo/gloo/transport/tcp/"
	f("a barrier whose first rank ended", "gloo-connection-lost", -1, reached+"pair.cc:525] Read error [10.0.239.2]:35230: Connection reset by peer\n")
	f("a barrier whose first rank waited", "nccl-timeout", -1, reached+"unbound_buffer.cc:81] Timed out waiting 1800000ms for recv operation to complete\n")
	f("a barrier that a rank did not reach", "one-rank-behind", 6, "[rank0]: RuntimeError: [Rank 0]: Rank 6 failed to pass monitoredBarrier in 1800000 ms\n")
	f("a barrier that several did not reach", "one-rank-behind", -1, "[rank0]: RuntimeError: [Rank 0]: Ranks 5, 6 failed to pass monitoredBarrier in 1800000 ms\n")
}

// TestKubectlOfNoLauncher checks that a program that trains and calls kubectl has lost
// no worker of MPI, and that a launcher has that prints the same.
func TestKubectlOfNoLauncher(t *testing.T) {
	const steps = "step 1 loss 2.5\nstep 2 loss 2.4\nstep 3 loss 2.3\n"
	const gone = "Error from server (NotFound): pods \"bert-worker-3\" not found\n"
	has := func(text string) bool {
		for _, f := range diagnosed(text) {
			for _, cause := range append([]train.Cause{f.Cause}, f.Hides...) {
				if cause == "mpi-worker-lost" {
					return true
				}
			}
		}
		return false
	}
	for text, want := range map[string]bool{
		steps + gone + steps: false,
		gone + "ORTE was unable to reliably start one or more daemons.\n":         true,
		steps + gone + "ORTE was unable to reliably start one or more daemons.\n": true,
	} {
		if got := has(text); got != want {
			t.Errorf("%q: a lost worker %v, want %v", text, got, want)
		}
	}
}

// TestANamelessExceptionYields checks that the rank of the child counts where the parent
// raises an exception without words, and that such an exception alone is reported.
func TestANamelessExceptionYields(t *testing.T) {
	const child = "\n\n-- Process 2 terminated with the following error:\nTraceback (most recent call last):\n  File \"/app/train.py\", line 19, in main\n"
	const parent = "Traceback (most recent call last):\n  File \"launch.py\", line 162, in <module>\n    raise Exception(msg)\nException:\n"
	for text, want := range map[string]int{
		parent + child + "    step()\nValueError: no such layer\n": 2,
		parent + child + "    step()\n":                            2,
		parent:                                                     -1,
		"torch.multiprocessing.spawn.ProcessRaisedException: Process 5 terminated with the following error:\nTraceback (most recent call last):\n  File \"/app/train.py\", line 19, in main\n    step()\nKeyError: 'x'\n": 5,
	} {
		found := diagnosed(text)
		if len(found) == 0 || found[0].Cause != "python-exception" || found[0].RootRank != want {
			t.Errorf("%s\n got %v, want rank %d", text, found, want)
		}
	}
}
