package signatures

import (
	"fmt"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// TestErrorCodes checks that each code of a closed list is read in the form in which
// programs print it.
func TestErrorCodes(t *testing.T) {
	forms := map[string]string{
		"cuda-code":           "failed call to cuInit: %s: as the driver says it",
		"hip-code":            "RuntimeError: HIP error: %s",
		"nccl-code":           "ncclCommGetAsyncError: %s",
		"cuda-words":          "RuntimeError: CUDA error: %s",
		"library-status":      "RuntimeError: CUDA error: %s when calling `function(handle)`",
		"library-need":        "RuntimeError: error: %s",
		"cublas-words":        "cuda_blas.cc:188] failed to create cublas handle: %s",
		"ucx-status":          "[1660340564.784335] [n097:127549:0]  sock.c:327  UCX  ERROR  ucp_ep_create(proc=1) x %s",
		"mpi-layer":           "[n1:7] %s in file ptl_tcp_component.c at line 1849",
		"damaged":             "builtins.%s: words",
		"nvml":                "pynvml.%s: as NVML says it",
		"nvml-words":          "Failed to initialize NVML: %s",
		"hsa":                 ":0:rocdevice.cpp :2660: 1234 us:  Device::callbackQueue aborting with error : %s: words code: 0x1",
		"cann":                "[PID: 7] %s2024-05-21-11:57:54.167.645 Something failed.",
		"cann-link":           "[PID: 7] %s2024-05-21-11:57:54.167.645 Something failed.",
		"cann-start":          "[PID: 7] 2026-10-09-08:38:04.978.003 Title%s Something failed.",
		"ray-exception":       "(raylet) %s: words",
		"http-client":         "%s: words",
		"slurm-state":         "1234         train        gpu         acct        8 %s   0:9",
		"slurm-job":           "   %s Reason=None Dependency=(null)",
		"slurm-reason":        "             1234       gpu    train    alice PD       0:00      4 %s)",
		"slurm-pending":       "   JobState=PENDING %s Dependency=(null)",
		"slurm-answer":        "srun: error: Unable to allocate resources: %s",
		"image-code":          `Failed to pull image "r.example.com/a:1": rpc error: %s desc = words`,
		"kueue-reason":        "    reason: %s",
		"interruption-reason": "2m  Warning  %s  node/gpu-1  words",
		"owner-reason":        "  reason: %s",
		"cloud-code":          "creating machines: error %s: words",
		"lsf-end":             "%s: job killed by the batch system.",
		"slurm-nodes":         "error: Nodes gpu-[3-4]%s",
		"slurm-aborting":      "srun: error: Aborting, %s 3",
		"toolkit-cuda":        "stderr: nvidia-container-cli: initialization error: cuda error: %s: unknown",
		"kubelet-refusal":     "  Warning  %s  3s  kubelet  words",
		"paddle-signal":       "FatalError: `%s` is detected by the operating system.",
		"errno-shell":         "-bash: cd: /mnt/out: %s",
		"ibv-status":          "[gpu-3] mlx5_0: %s, vendor error 0x81",
		"engine-memory":       "RuntimeError: Not enough memory. %s.",
		"platform-state":      "Run failed with error code %s. Check the logs.",
		"errno":               "terminate called: filesystem error: cannot create directories: %s [/mnt/out]",
	}
	for _, family := range codeFamilies {
		where := InLog
		if family.in == InEvent {
			where = InEvent
		}
		for _, of := range family.codes {
			for _, code := range of.codes {
				line := fmt.Sprintf(forms[family.name], strings.TrimSuffix(code, ":"))
				matches := Find(where, line)
				if len(matches) == 0 || matches[0].Cause != of.cause {
					t.Errorf("%s: got %v, want %s", line, matches, of.cause)
				}
			}
		}
	}
}

// TestWordsLikeErrorCodes checks that lines with the same words beside no failure are none,
// and that the code of a more specific status wins over that of a general one.
func TestWordsLikeErrorCodes(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"the file's integrity checks failed once, reading it again":                                                                           "",
		"See CUBLAS_STATUS_MAPPING_ERRORS in the manual":                                                                                      "",
		"import httpx.ReadTimeout as t":                                                                                                       "",
		"retry on httpx.ReadTimeout":                                                                                                          "",
		"1234 train gpu acct 8 RUNNING 0:0":                                                                                                   "",
		"   JobState=RUNNING Reason=None TimeLimit=1-00:00:00":                                                                                "",
		"             1234       gpu    train    alice  R       0:00      4 (QOSMaxGRESPerUser)":                                              "",
		"             1234       gpu    train    alice PD       0:00      4 (None)":                                                           "",
		"             1234       gpu    train    alice PD       0:00      4 (BeginTime)":                                                      "",
		"   JobState=PENDING Reason=BeginTime Dependency=(null)":                                                                              "",
		"srun: Requested nodes are busy, job 12 queued and waiting for resources":                                                             "",
		"the partition answers Invalid feature specification for such names":                                                                  "",
		"RuntimeError: cuDNN error: CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED":                                                     "cuda-out-of-memory",
		"RuntimeError: cuDNN error: CUDNN_STATUS_INTERNAL_ERROR":                                                                              "illegal-memory-access",
		"cupy.cuda.nccl.NcclError: NCCL_ERROR_SYSTEM_ERROR: unhandled system error":                                                           "nccl-init-failure",
		"Worker exit type: SYSTEM_ERROR Worker exit detail: Worker unexpectedly exits":                                                        "ray-worker-died",
		"2024 W tensorflow/core/framework/op_kernel.cc:1828] OP_REQUIRES failed at x.cc:1 : OK; done":                                         "",
		"bash: fork: Cannot allocate memory":                                                                                                  "oom-killed",
		"slurmstepd: error: mpi/pmix_v3: pmixp_coll_belong_chk: No process controlled by this slurmstepd is involved in this collective.":     "mpi-init-failure",
		"[PID: 7] 2026-10-09-08:38:04.978.003 Invalid_Argument(EI0005): The parameters of operator AllReduce are inconsistent between ranks.": "nccl-desync",
		"[PID: 7] 2026-10-09-08:38:04.978.003 Communication_Error_Bind_IP_Port(EI0019): Failed to enable listening for the host network.":     "port-in-use",
		"[PID: 7] 2026-10-09-08:38:04.978.003 Communication_Error_Initialize_Transport(EI0009): Device 0 transport init error.":               "nccl-init-failure",
		"[PID: 7] 2026-10-09-08:38:04.978.003 Memory_Allocation_Failure(EL0004): Failed to allocate memory.":                                  "cuda-out-of-memory",
		"(EI0002): A timeout occurs when the Notify register waits for execution. Waiting peer rank: 3; task information: x.":                 "nccl-timeout",
		"ACL stream synchronize failed, error code:207018":                                                                                    "cuda-out-of-memory",
		"OSError: [Errno 117] Structure needs cleaning: '/data/train/shard-1.tar'":                                                            "storage-hang",
		"TimeoutError: [Errno 110] Connection timed out: '/data/train/shard-1.tar'":                                                           "storage-hang",
		"OSError: [Errno 108] Cannot send after transport endpoint shutdown: '/scratch/ckpt'":                                                 "storage-hang",
		"TimeoutError: [Errno 110] Connection timed out":                                                                                      "python-exception",
		"Warning: Queue error - HSA_STATUS_ERROR_MEMORY_FAULT":                                                                                "illegal-memory-access",
		"see the chapter on link setup (EI0006) of the manual":                                                                                "",
		"check EI0015 and EI0019 in the manual":                                                                                               "",
		"PMIX ERROR: UNREACHABLE was seen, trying another network":                                                                            "",
		"the resource allocation failed once, trying again":                                                                                   "",
		"[n1:7:0] sock.c:327  UCX  INFO  connect(fd=45) failed: Connection refused, trying the next one":                                      "",
		"RuntimeError: Request failed with status code 500: No available agent to submit job, please try again later.":                        "ray-job-not-started",
		"Request failed with status code 404: no such job":                                                                                    "",
		"Error: max retries exceeded: unexpected EOF":                                                                                         "dataset-download-failure",
		"rocdevice.cpp: HSA_STATUS_SUCCESS":                                                                                                   "",
		"XlaRuntimeError: INTERNAL: NCCL operation ncclGroupEnd() failed: remote process exited or there was a network error.":                "nccl-connection-lost",
	})
	event := eventTells(t)
	event("insufficient-memory", "0/29 nodes are available: 18 Insufficient cpu, 21 Insufficient memory.")
	event("insufficient-cpu", "0/29 nodes are available: 21 Insufficient cpu, 20 Insufficient memory.")
	event("", "  Normal  Pulling  3s  kubelet  Pulling image \"a\" (code = Canceled once)")
	event("", "  Normal  Scheduled  3s  default-scheduler  pod with AppArmor profile assigned")
}

// TestEndsOfEveryLauncher checks one signal after the other in the words of launchers that
// give codes.
func TestEndsOfEveryLauncher(t *testing.T) {
	for signal, want := range map[int]train.Cause{4: "image-arch-mismatch", 6: "abort-sigabrt", 7: "shm-too-small", 8: "application-error", 9: "", 11: "segfault"} {
		lines := []string{
			fmt.Sprintf("E1106 04:43:02.651000 26021 torch/distributed/elastic/multiprocessing/api.py:869] failed (exitcode: -%d) local_rank: 3 (pid: 7) of binary: /bin/python", signal),
			fmt.Sprintf("[ERROR] [launch.py:434:sigkill_handler] ['python', '-u', 'main.py'] exits with return code = -%d", signal),
			fmt.Sprintf("subprocess.CalledProcessError: Command 'torchrun train.py' returned non-zero exit status %d.", 128+signal),
			fmt.Sprintf("sagemaker_training.errors.ExecuteUserScriptError: ExitCode %d", 128+signal),
			fmt.Sprintf("make: *** [Makefile:12: train] Error %d", 128+signal),
			fmt.Sprintf("<SpawnProcess name='SpawnProcess-4' pid=1 parent=1 stopped exitcode=-%d>", signal),
		}
		for _, line := range lines {
			hits := scanned(line)
			switch {
			case len(hits) == 0:
				t.Errorf("%s: nothing", line)
			case want == "" && hits[0].Cause != "oom-killed" && hits[0].Cause != "sigkill-received", want != "" && hits[0].Cause != want:
				t.Errorf("%s: got %s, want %s", line, hits[0].Cause, want)
			}
		}
	}
	checkFirst(t, map[string]train.Cause{
		"api.py:869] failed (exitcode: -5) local_rank: 3 (pid: 7) of binary: /bin/python": "torchrun-child-failed",
		"  exitcode  : -13 (pid: 7)":                                        "torchrun-child-failed",
		"make: *** [Makefile:12: train] Error 1":                            "application-error",
		"make: 'train' is up to date.":                                      "",
		"<SpawnProcess name='S-1' pid=1 parent=1 stopped exitcode=0>":       "",
		"<ForkProcess name='F-1' pid=1 parent=1 stopped exitcode=-SIGABRT>": "abort-sigabrt",
	})
}
