package diagnose

import "testing"

// The message of a line of JSON is read like a line, with or without a blank
// behind the colon.
func TestMessagesOfLinesOfJSON(t *testing.T) {
	for line, want := range map[string]string{
		`{"level":"ERROR","message":"KeyError: 'abc'"}`:    "KeyError: 'abc'",
		`{"level": "ERROR", "message": "KeyError: 'abc'"}`: "KeyError: 'abc'",
		`{"msg" : "panic: \"x\" failed", "step": 3}`:       `panic: \"x\" failed`,
		`{"step": 3}`: `{"step": 3}`,
		`loss {"message": "ValueError: bad"} is no line of JSON`: `loss {"message": "ValueError: bad"} is no line of JSON`,
	} {
		if got := messageOf(line); got != want {
			t.Errorf("%s: %q", line, got)
		}
	}
}

func TestLastLinesThatSpeakOfAnEnd(t *testing.T) {
	for line, want := range map[string]bool{
		"Terminated": true,
		"train.sh: line 12: DATA_DIR: unbound variable":           true,
		"run.sh: 4: DATA: parameter not set":                      true,
		"train.sh: line 33: syntax error: unexpected end of file": true,
		"uncorrected error is not recoverable: exiting now":       true,
		"rsync error: some files could not be sent (code 23)":     true,
		"x509: certificate has expired or is not yet valid":       true,
		"psql could not connect to server":                        true,
		"bash: fork: retry: Resource temporarily unavailable":     true,
		"Hangup":                                            true,
		"Uncaught exception: std::out_of_range":             true,
		"prterun has exited due to process rank 1":          true,
		"Container exceeded its memory limit":               true,
		"rm: /mnt/a: Transport endpoint is not connected":   true,
		"recv failed: Connection reset by peer":             true,
		"watchdog: BUG: soft lockup - CPU#3 stuck for 22s!": true,
		"Job 123 has been requeued":                         true,
		"mce: [Hardware Error]: CPU 3: Machine Check Exception: 5 Bank 7: bd80000000100134":        true,
		"Memory failure: 0x12345: Sending SIGBUS to python:4242 due to hardware memory corruption": true,
		"EDAC MC0: 1 UE memory read error on CPU_SrcID#0_MC#0_Chan#0_DIMM#0":                       true,
		"EDAC MC0: 1 CE memory read error on CPU_SrcID#0_MC#0_Chan#0_DIMM#0":                       false,
		"EDAC MC0: 0 UE": false,
		"rcu: INFO: rcu_sched self-detected stall on CPU":                     true,
		"bond0: link status definitely down for interface eth0, disabling it": true,
		"cni0: port 2(veth2) entered disabled state":                          false,
		"md/raid1:md0: Disk failure on nvme0n1, disabling device.":            true,
		"^C": true,
		"step 300: all prompts stay within the limit of 4096":                                           false,
		"0 samples exceeded the length 4096":                                                            false,
		"[2023-10-13 17:40:02,544] torch.distributed.elastic.multiprocessing.api: [ERROR":               true,
		"torch._C._cuda_setDevice(device) RuntimeError: cuda runtime error (38) : no CUDA-capable devi": true,
		"Traceback (most recent call la":                                                                true,
		"StopIteration":                                                                                 true,
		"FAILED":                                                                                        true,
		"Lost connection to server":                                                                     true,
		"Failed to initialize NVML: Driver/libr":                                                        true,
		"E0312 09:00:00.123 shard.cc:17] unreadable":                                                    true,
		"Uncorrectable ECC error encountered":                                                           true,
		"进程已退出，退出码 1":                                                                                   true,
		"进程已退出，退出码 0":                                                                                   false,
		"FEHLER: Kein Speicherplatz mehr auf dem Gerät":                                                 true,
		"val MeanSquaredError: 0.31":                                                                    false,
		"Epoch 3: 0 FAILED":                                                                             false,
		"Loss diverged at step 1200, stopping":                                                          true,
		"[INFO] [launch.py:319:sigkill_handler] Killing subprocess 123":                                 true,
		"12 passed, 0 failed":                                                                           false,
		"eval error: 0.031":                                                                             false,
		"no improvement, stopping early":                                                                false,
		"thread 'main' panicked at src/main.rs:4:5":                                                     true,
		"note: run with `RUST_BACKTRACE=1` environment variable":                                        true,
		"\tat java.util.Arrays.copyOf(Arrays.java:3210)":                                                true,
		"Floating point exception (core dumped)":                                                        true,
		"Process exited with code 137":                                                                  true,
		"make: *** [Makefile:12: train] Error 1":                                                        true,
		"Execution halted":                                                                              true,
		"2026-11-20 08:50:00 ERROR trainer failed, aborting":                                            true,
		"error: unexpected EOF":                                                                         true,
		"rpc error: code = NotFound desc = an error occurred":                                           true,
		"ln: failed to create symbolic link '/data/x': File exists":                                     true,
		"OSError: [Errno 17] File exists: '/a' -> '/b'":                                                 true,
		"dial tcp 10.0.3.7:10250: i/o timeout":                                                          true,
		"error dialing backend: dial tcp 10.0.3.7:10250: connect: no route to host":                     true,
		"`Trainer.fit` stopped: signaled to stop...":                                                    true,
		"Killed": true,
		"./run.sh: line 12:    17 Bus error               (core dumped) python train.py":                true,
		"slurmstepd: error: *** STEP 12.0 ON n1 CANCELLED AT 2026-11-20T08:50:00 DUE TO TIME LIMIT ***": true,
		"srun: error: n1: task 3: Exited with exit code 1":                                              true,
		"slurmstepd: error: Detected 1 oom_kill event in StepId=12.0":                                   true,
		"mpirun noticed that process rank 3 exited on signal 15 (Terminated).":                          true,
		"Received SIGTERM: 15": true,
		"EC2 spot interruption notice received, instance will stop in 2 minutes": true,
		"This VM was preempted":                                                    true,
		"write /ckpt/model.pt: No space left on device":                            true,
		"wandb: Run stopped":                                                       true,
		"(raylet) A worker died or was killed while executing a task.":             true,
		"(pid=1) Worker 7 has crashed":                                             true,
		"panic: runtime error: index out of range [3] with length 3":               true,
		"Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space": true,
		"Caused by: java.net.SocketException: x":                                   true,
		"BrokenPipeError: [Errno 32] Broken pipe":                                  true,
		"ConnectionResetError: [Errno 104] Connection reset by peer":               true,
		"container train: exit status 137":                                         true,
		"bash: torchrun: command not found":                                        true,
		"sh: 1: nvidia-smi: not found":                                             true,
		"cp: cannot stat '/data/a': Permission denied":                             true,
		"context deadline exceeded":                                                true,
		"ValueError: bad":                                                          true,
		"uploaded 3 files, no errors":                                              false,
		"0 failed, 12 passed":                                                      false,
		"Trainer.fit stopped: `max_steps=400` reached.":                            false,
		"`Trainer.fit` stopped: `max_epochs=3` reached.":                           false,
		"job finished": false,
		"wandb: Synced 5 W&B file(s), 0 media file(s)":                                false,
		"early stopping: val_loss has not improved, run stopped at the best step 300": false,
		"destroyed process group":                                                     false,
		"step 100 | error: 0.02":                                                      false,
		"node-3 rank 4 heartbeat ok":                                                  false,
		"signal to noise ratio 15":                                                    false,
		"installed signal handler for SIGUSR1":                                        false,
		"val_error: 0.02, not preempted since step 4":                                 false,
		"step 200 loss 1.83 lr 3e-4":                                                  false,
		"training finished, exit code 0":                                              false,
		"eval error 0.031 accuracy 0.97":                                              false,
		"saved checkpoint-400 to /ckpt":                                               false,
		"error rate 0.02, mean absolute error 0.11 at step 80":                        false,
		"{\"step\": 20, \"loss\": 2.1, \"status\": 200}":                              false,
		"wandb: Run summary: train/loss 1.2":                                          false,
	} {
		if got := speaksOfAnEnd.MatchString(line); got != want {
			t.Errorf("%q: %t, want %t", line, got, want)
		}
	}
}

func TestAnythingThatFailed(t *testing.T) {
	for line, want := range map[string]bool{"License checkout failed.": true, "12 passed, none failed": false, "12 passed, 0 failed": false} {
		if got := endsBadly(line); got != want {
			t.Errorf("%q: %t, want %t", line, got, want)
		}
	}
}

func TestLinesThatOpenAnError(t *testing.T) {
	for line, want := range map[string]bool{
		"CMake Error at CMakeLists.txt:3 (find_package):":                      true,
		"EnvironmentNameNotFound: Could not find conda environment: train":     true,
		"Unhandled exception. System.IO.FileNotFoundException: Could not find": true,
		"# A fatal error has been detected by the Java Runtime Environment:":   true,
		"prep.rb:3:in `<main>': undefined local variable (NameError)":          true,
		"luajit: train.lua:12: attempt to index global 'opt' (a nil value)":    true,
		"Error using zeros": true,
		"E0501 10:00:20.123456 12 coordination_service_agent.cc:123] set ERROR": true,
		"errors so far: 0": false,
		"Error rate 0.12":  false,
		"I0501 10:00:20.123456 12 a.cc:123] no error": false,
		"Epoch: 3": false,
	} {
		if got := opensAnError.MatchString(line); got != want {
			t.Errorf("%s: %v", line, got)
		}
	}
}
