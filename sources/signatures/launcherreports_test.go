package signatures

import (
	"slices"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// TestLauncherReports checks that a signal has one cause in the words of every launcher,
// and that other lines with the same words are none. Sources: the table's origins.
func TestLauncherReports(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"mpirun noticed that process rank 7 with PID 0 on node n1 exited on signal 9 (Killed).":        "sigkill-received",
		"prterun noticed that process rank 7 with PID 0 on node n1 exited on signal 6 (Aborted).":      "abort-sigabrt",
		"prterun noticed that process rank 7 with PID 0 on node n1 exited on signal 4 (Illegal inst).": "image-arch-mismatch",
		"mpirun noticed that process rank 7 with PID 0 on node n1 exited on signal 15 (Terminated).":   "sigterm-received",
		"mpirun noticed that process rank 7 with PID 0 on node n1 exited on signal 1 (Hangup).":        "sighup-received",
		"=   EXIT CODE: 134": "abort-sigabrt",
		"=   EXIT CODE: 7":   "shm-too-small",
		"=   EXIT CODE: 6":   "",
		"=   KILLED BY SIGNAL: 11 (Segmentation fault)":                                          "segfault",
		"= RANK 1 PID 20066 RUNNING AT node01":                                                   "application-error",
		"the rank 1 of PID 20 is RUNNING AT node01":                                              "",
		"srun: error: nid001: task 0: Exited with exit code 1":                                   "application-error",
		"srun: error: nid001: task 0: Exited with exit code 139":                                 "segfault",
		"srun: error: nid001: tasks 0-3: Killed":                                                 "sigkill-received",
		"srun: error: nid001: task 2: Aborted (core dumped)":                                     "abort-sigabrt",
		"srun: job 17 queued and waiting for resources":                                          "",
		"Container rank 0 status failed cmd ['python', '-u', 'train.py'] code 1 log log/0.log":   "torchrun-child-failed",
		"Container rank 0 status failed cmd ['python', '-u', 'train.py'] code 137 log log/0.log": "sigkill-received",
		"ERROR:composer.cli.launcher:Rank 3 crashed with exit code 1.":                           "application-error",
		"ERROR:composer.cli.launcher:Rank 3 crashed with exit code -11.":                         "segfault",
		"Global rank 5 (PID 312) exited with code -9":                                            "sigkill-received",
		"Global rank 5 (PID 312) exited with code 0":                                             "",
		"Exit code: 137":                        "sigkill-received",
		"  Exit code:    3":                     "application-error",
		"  Exit code:    0":                     "",
		"Process 2 exit with status code 134.":  "abort-sigabrt",
		"  Process name: [[56171,1],6]":         "application-error",
		"  Process name: [prterun-n1-2231@1,6]": "application-error",
		"Process name: trainer":                 "",
		"torch.multiprocessing.spawn.ProcessExitedException: process 1 terminated with signal SIGABRT": "abort-sigabrt",
		"torch.multiprocessing.spawn.ProcessExitedException: process 3 terminated with exit code 1":    "application-error",
		"Process 2 exited with SIGABRT":        "abort-sigabrt",
		"Process 2 exited with signal SIGSEGV": "segfault",
		"Process 2 exited normally":            "",
		"ERROR: Job 4 failed with return code list: [137, 1, 137] (A worker failed with return code 1, SkyPilot cleaned up the processes on other nodes with return code 137)": "application-error",
		"ERROR: Job 4 failed with return code list:[137]": "sigkill-received",
		"Job 4 failed with return code list: [0, 0]":      "",
		"	name: f5QwErWorkerDict_0:3":                     "ray-worker-died",
		"name: my-trainer":                                "",
		"lightgbm.basic.LightGBMError: Socket recv error, Connection reset by peer (code: 104)":                                                           "nccl-connection-lost",
		"[LightGBM] [Warning] Connecting to rank 5 failed, waiting for 1626 milliseconds":                                                                 "rendezvous-timeout",
		"/job:jax_worker/replica:0/task:3":                                                                                                                "",
		"RuntimeError: Using hostfile at /job/hostfile but host=gpu-11 was not reachable via ssh. If you are running with a single node please remove it": "mpi-launcher-ssh-failure",
		"subprocess.CalledProcessError: Command 'ssh -o PasswordAuthentication=no gpu-11 hostname' returned non-zero exit status 255.":                    "mpi-launcher-ssh-failure",
		"ERROR: Job 1's setup failed. Failed workers: (pid=1840, returncode=1), (pid=2061, returncode=1). See error logs above for more details.":         "application-error",
		"ExecutorLostFailure (executor 3 exited unrelated to the running tasks) Reason: worker lost":                                                      "node-lost",
		"ExecutorLostFailure (executor 3 exited caused by one of the running tasks) Reason: Command exited with code 1":                                   "",
		"Client mesh is unhealthy with uneven heartbeats":                                                                                                 "one-rank-behind",
		"MPICH ERROR [Rank 4] [job id 1.0] [n1] - Abort(-1) (rank 4 in comm 0): MPIDI_CRAY_init: no GTL":                                                  "application-error",
		"(TorchTrainer pid=79392) Worker 3 has failed.":                                                                                                   "ray-worker-died",
		"Worker 3 has failed over to node 2":                                                                                                              "",
		"[ERROR] URL https://registry.example.com/v2/x returned error code: 401 Unauthorized":                                                             "image-pull-unauthorized",
		"[ERROR] URL https://registry.example.com/v2/x returned error code: 404 Not Found":                                                                "image-not-found",
	})
}

// TestNamedRanks checks the spellings of a rank, and that ranks of tensors and matrices are
// none.
func TestNamedRanks(t *testing.T) {
	for text, want := range map[string]int{
		"Unexpected result nan on rank 3 at iteration #4":                                    3,
		"RuntimeError: Rank 180, node n1, device 0, iteration 670314: Unexpected result inf": 180,
		"[Rank 5] something failed":                                                          5,
		"ValueError: bad shard [host=n1, rank=6]":                                            6,
		"rank=[3] failed":        3,
		"Global rank 12 stopped": 12,
		"world_rank=7: stopped":  7,
		"HCCL error, rank_id:4":  4,
		"(PID:62743, Device:11, RankID:43) ERR02005 DIST internal error":                                 43,
		"(PID:62743, Device:-1, RankID:-1) ERR00100 PTA call acl api failed":                             -1,
		"torch.multiprocessing.spawn.ProcessExitedException: process 1 terminated with signal SIGKILL":   1,
		"[E ProcessGroupNCCL.cpp:474] [Rank 9] Watchdog":                                                 9,
		"ValueError: Shape must be rank 2 but is rank 3":                                                 -1,
		"lora rank=16 is not supported":                                                                  -1,
		"local_rank: 3 failed":                                                                           -1,
		"torch.distributed.checkpoint.api.CheckpointException: CheckpointException ranks:dict_keys([3])": 3,
		"The first task at the barrier: /job:jax_worker/replica:0/task:3":                                -1,
		"[rank: 4] Received SIGTERM: 15":                                                                 4,
		"OOM on /job:worker/replica:0/task:1/device:GPU:0 by allocator GPU_0_bfc":                        1,
		"OOM on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc":                     -1,
		"input of rank 4": -1,
		"[2025-02-08 00:55:32 TP5] Scheduler hit an exception":         5,
		"[2025-04-12 09:01:07 DP5 TP5] Scheduler hit an exception":     5,
		"[2025-04-12 09:01:07 DP0 TP3 EP3] Scheduler hit an exception": 3,
		"[2025-04-12 09:01:07 DP1 TP0] Scheduler hit an exception":     -1, // of the second replica
		"[2025-04-12 09:01:07 PP1 TP0] Scheduler hit an exception":     -1, // of the second stage
	} {
		if got := namedRank([]byte(text)); got != want {
			t.Errorf("%s: got %d, want %d", text, got, want)
		}
	}
}

// TestReportedRanks checks which rank a launcher's line names: none for several tasks.
func TestReportedRanks(t *testing.T) {
	for text, want := range map[string]int{
		"srun: error: nid001: task 4: Killed":                                                                                      4,
		"srun: error: nid001: tasks 0-3: Killed":                                                                                   -1,
		"ERROR:composer.cli.launcher:Rank 3 crashed with exit code 1.":                                                             3,
		"Global rank 5 (PID 312) exited with code -9":                                                                              5,
		"[Rank 8 Error Snippet]:":                                                                                                  8,
		"torch.multiprocessing.spawn.ProcessExitedException: process 1 terminated with signal SIGABRT":                             1,
		"Process 0 exited with SIGABRT":                                                                                            0,
		"Process 93000 exited with SIGABRT":                                                                                        -1,
		"	name: f5QwErWorkerDict_0:3":                                                                                              3,
		"	name: f5QwErWorkerDict_1:3":                                                                                              -1,
		"ERROR: Job 4 failed with return code list: [137, 0, 1, 137] (A worker failed with return code 1)":                         2,
		"ERROR: Job 4 failed with return code list: [0, 137]":                                                                      1,
		"[6] torch.OutOfMemoryError: XPU out of memory. Tried to allocate 2.00 GiB.":                                               6,
		"[6]: torch.OutOfMemoryError: XPU out of memory. Tried to allocate 2.00 GiB.":                                              6,
		"(worker1, rank=1, pid=1840, ip=172.31.6.148) torch.OutOfMemoryError: CUDA out of memory.":                                 1,
		"3: 2026-11-29T08:01:00Z torch.OutOfMemoryError: CUDA out of memory.":                                                      3,
		"3: 2026-11-29 08:01:00,123 torch.OutOfMemoryError: CUDA out of memory.":                                                   3,
		"(head, rank=0, pid=4100) torch.OutOfMemoryError: CUDA out of memory.":                                                     0,
		"(task, pid=4100) torch.OutOfMemoryError: CUDA out of memory.":                                                             -1,
		"0000-steps/0 [default6]:[rank6]: torch.OutOfMemoryError: CUDA out of memory.":                                             6,
		"trainer/1 [default6]:[rank14]: torch.OutOfMemoryError: CUDA out of memory.":                                               14,
		"trainer/1 [default6]:torch.OutOfMemoryError: CUDA out of memory.":                                                         6,
		"a list[rank5]: torch.OutOfMemoryError: CUDA out of memory.":                                                               -1,
		"(Worker_TP3 pid=4121) ERROR 07-01 torch.OutOfMemoryError: CUDA out of memory.":                                            3,
		"(EngineCore_DP0 pid=11) (Worker_DP0_TP1_EP1 pid=12) ERROR torch.OutOfMemoryError: CUDA out of memory.":                    1,
		"(Worker_DP1_TP1 pid=12) ERROR torch.OutOfMemoryError: CUDA out of memory.":                                                -1,
		"(VllmWorker rank=2 pid=317) ERROR torch.OutOfMemoryError: CUDA out of memory.":                                            2,
		"W0101 launcher: child process of rank 5 exited with SIGABRT":                                                              5,
		"2024-05-01 Rank 7 exited with code -6":                                                                                    7,
		"[ERROR] rank 4: process exited with SIGSEGV":                                                                              4,
		"lora rank 16 finished with code 0":                                                                                        -1,
		"<>        [2021-12-07 10:41:27] d173154e [rank=3] || torch.OutOfMemoryError: CUDA out of memory.":                         3,
		"[prterun-n1-2231@1,5]<stderr>: torch.OutOfMemoryError: CUDA out of memory.":                                               5,
		"x4117c2s6b0n0.cm.example.com 12: torch.OutOfMemoryError: XPU out of memory.":                                              12,
		"  Process name: [prterun-n1-2231@1,6]":                                                                                    6,
		"E0000 coordination_service.cc:954] /job:jax_worker/replica:0/task:37 has been set to ERROR in coordination service: gone": 37,
	} {
		if hits := scanned(text); want < 0 && len(hits) == 0 {
			continue
		} else if len(hits) != 1 || hits[0].Rank != want {
			t.Errorf("%s: got %+v, want rank %d", text, hits, want)
		}
	}
}

// TestBareRanks checks that a rank in brackets is taken off as a prefix where it is one.
func TestBareRanks(t *testing.T) {
	hits := scanned("[6] Traceback (most recent call last):\n[6]   File \"/opt/train/train.py\", line 21, in main\n[6]     y = table[key]\n[6] KeyError: 'input_ids'")
	if close := scanned("[6]:Traceback (most recent call last):\n[6]:KeyError: 'input_ids'"); len(close) != 1 || close[0].Rank != 6 {
		t.Errorf("without a blank: %+v", close)
	}
	if len(hits) != 1 || hits[0].Rank != 6 || hits[0].Text != "KeyError: 'input_ids'" || hits[0].Frame == "" {
		t.Errorf("mpiexec -l: %+v", hits)
	}
	const message = "[7] is setting up NCCL communicator and retrieving ncclUniqueId from [0] via c10d key-value store by key '0', but store->get('0') got error: Timeout waiting for key: default_pg/0/0 after 1800000 ms"
	if hits = scanned(message); len(hits) != 1 || hits[0].Rank != 7 || hits[0].Signature != "nccl-unique-id" {
		t.Errorf("a sentence: %+v", hits)
	}
}

// TestBlocksOfRanks checks that an error in Ray Train's report has the rank of its block,
// and none where several ranks have it or the report has not begun.
func TestBlocksOfRanks(t *testing.T) {
	const blocks = "[Rank 0, 1]:\ntorch.OutOfMemoryError: CUDA out of memory.\n[Rank 3]:\n  File \"train.py\", line 88, in f\npyarrow.lib.ArrowInvalid: Could not open the file"
	for head, want := range map[string][]int{"ray.train.WorkerGroupError: Training failed due to worker errors:\n": {-1, 3}, "": {-1, -1}} {
		var ranks []int
		for _, hit := range scanned(head + blocks) {
			ranks = append(ranks, hit.Rank)
		}
		if !slices.Equal(ranks, want) {
			t.Errorf("%q: ranks %v, want %v", head, ranks, want)
		}
	}
}

// TestUnhealthyTasks checks that the tasks which JAX lists as stopped are ranks, and that a
// task alone is none.
func TestUnhealthyTasks(t *testing.T) {
	const list = "UNAVAILABLE: The following tasks are unhealthy (stopped sending heartbeats):\n/job:jax_worker/replica:0/task:3\n/job:jax_worker/replica:0/task:5\nThe tasks have crashed."
	var ranks []int
	for _, hit := range scanned(list) {
		if hit.Rank >= 0 {
			ranks = append(ranks, hit.Rank)
		}
	}
	if !slices.Equal(ranks, []int{3, 5}) {
		t.Errorf("got ranks %v", ranks)
	}
}

// TestSpawnedRanks checks that the error of a spawned process is reported with its rank,
// and not the exception that carries it.
func TestSpawnedRanks(t *testing.T) {
	const text = "Traceback (most recent call last):\n  File \"train.py\", line 304, in main\n    mp.spawn(work, nprocs=n)\ntorch.multiprocessing.spawn.ProcessRaisedException:\n\n" +
		"-- Process 0 terminated with the following error:\nTraceback (most recent call last):\n  File \"spawn.py\", line 59, in _wrap\n    fn(i, *args)\nKeyError: 'a.wav'"
	hits := scanned(text)
	if len(hits) != 2 || hits[0].Cause != "torchrun-child-failed" || hits[1].Rank != 0 || hits[1].Text != "KeyError: 'a.wav'" {
		t.Errorf("got %+v", hits)
	}
}

// TestLinesOfNewSources checks texts of other makers, and lines beside them that are quiet.
func TestLinesOfNewSources(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"amdgpu 0000:66:00.0: amdgpu: VM_L2_PROTECTION_FAULT_STATUS:0x00341051":                                        "illegal-memory-access",
		"amdgpu 0000:66:00.0: amdgpu: GCVM_L2_PROTECTION_FAULT_STATUS:0x00341051":                                      "illegal-memory-access",
		"amdgpu 0000:03:00.0: amdgpu: [gfxhub0] no-retry page fault (src_id:0 ring:24 vmid:8 pasid:32769, for python)": "illegal-memory-access",
		"amdgpu 0000:66:00.0: amdgpu: VRAM: 65520M 0x0000008000000000 (65520M used)":                                   "",
		"slurmstepd: error: pyxis:     mkdir: cannot create directory '/scratch/42': Permission denied":                "permission-denied",
		"slurmstepd: error: pyxis:     id: cannot find name for user ID 42":                                            "",
		"ERROR 227874 [neuronx-cc]:  An Internal Compiler Error has occurred":                                          "python-exception",
		"INFO 227874 [neuronx-cc]:  Compiler status PASS":                                                              "",
		"ERROR  TDRV:exec_consume (NON-FATAL, Ignoring) inference timeout (180000 ms) on Neuron Device 0 NC 0":         "",
		"RuntimeError: Rank 180, node n1, device 0, iteration 670314: Unexpected result inf in bucket #0":              "nan-loss",
		"Rank 180, node n1, iteration 670314: loss 2.1":                                                                "",
		"[rank0]: RuntimeError: [Rank 0]: Rank 6 failed to pass monitoredBarrier in 1800000 ms":                        "one-rank-behind",
	})
	for text, want := range map[string]train.Cause{
		"0/4 nodes are available: 3 node unregistered.":                   "device-plugin-missing",
		"0/4 nodes are available: 4 quota group is draining.":             "node-selector-mismatch",
		"0/4 nodes are available: 4 Insufficient cpu.":                    "insufficient-cpu",
		`"Unable to schedule pod; no fit; waiting" pod="default/gpu-pod"`: "",
		"Unable to schedule podgroup":                                     "gang-not-ready",
	} {
		matches := Find(InEvent, text)
		got := train.Cause("")
		if len(matches) > 0 {
			got = matches[0].Cause
		}
		if got != want {
			t.Errorf("%s: got %v, want %s", text, matches, want)
		}
	}
}

// TestLimitsAndStorage checks limits of rate, memory of accelerators and failures of
// storage, and lines beside them.
func TestLimitsAndStorage(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"We had to rate limit you, you hit the quota of 1000 api requests per 5 minutes period.":                                  "dataset-download-failure",
		"fatal error: An error occurred (RequestLimitExceeded) when calling the ListObjectsV2 operation: Request limit exceeded.": "dataset-download-failure",
		"openai.RateLimitError: Error code: 429 - {'error': {'message': 'Rate limit reached'}}":                                   "dataset-download-failure",
		"retry on RateLimitError: 5 times":                     "",
		"synStatus=9 [Device out of memory] during allocation": "cuda-out-of-memory",
		"synStatus=0 [Success]":                                "",
		"ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY":                 "cuda-out-of-memory",
		"Queue 0x7f aborting with error : HSA_STATUS_ERROR_OUT_OF_RESOURCES: The runtime failed to allocate the necessary resources. code: 0x1008": "cuda-out-of-memory",
		"MemoryError: std::bad_alloc: out_of_memory: RMM failure at:/rmm/pool_memory_resource.hpp:196: Maximum pool size exceeded":                 "cuda-out-of-memory",
		"MemoryError: std::bad_alloc":                                                                     "oom-killed",
		"cp: error reading '/mnt/data/a.bin': Input/output error":                                         "storage-hang",
		"RuntimeError: unable to mmap file </mnt/lustre/a>: Input/output error (5)":                       "storage-hang",
		"the word Input/output error in a sentence":                                                       "",
		"habanalabs 0000:1a:00.0: Failed to initialize hl2. Device is NOT usable !":                       "gpu-xid-error",
		"habanalabs hl2: Failed to communicate with Device CPU (CPU-CP timeout)":                          "gpu-xid-error",
		"habanalabs hl1: Successfully loaded firmware to device":                                          "",
		"running PreFilter plugin \"Coscheduling\": gang child pod not collect enough, gangName: ml/test": "gang-not-ready",
	})
}

// TestUnknownComponents checks events of schedulers, of the API server's plug-ins and of
// NVSentinel, and limits that are no registry's.
func TestUnknownComponents(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"  Warning  FailedScheduling  5m (x3 over 6m)  moon-scheduler  pod does not fit the lunar quota":                                                      "node-selector-mismatch",
		"5m          Warning   FailedScheduling   pod/train-0   pod does not fit the lunar quota":                                                             "node-selector-mismatch",
		"  Warning  FailedScheduling  5m  default-scheduler  0/4 nodes are available: 4 Insufficient nvidia.com/gpu.":                                         "insufficient-gpu",
		"the FailedScheduling of pods is counted":                                                                                                             "",
		`Error creating: Internal error occurred: admission plugin "Moon" failed to complete validation in 13s`:                                               "admission-webhook-down",
		"Internal error occurred: the moon is full":                                                                                                           "",
		"  GpuMemWatch  True  Tue, 24 Nov 2026 16:00:00 +0000  GpuMemWatchIsNotHealthy  ErrorCode:DCGM_FR_FAULTY_MEMORY GPU:3 Recommended Action=RESTART_VM;": "gpu-ecc-error",
		"  GpuMemWatch  False  Tue, 24 Nov 2026 16:00:00 +0000  GpuMemWatchIsHealthy  No Health Failures":                                                     "",
		"HTTP 429 Too Many Requests from https://huggingface.co/x":                                                                                            "dataset-download-failure",
		"HTTP 429 Too Many Requests from https://data.example.com/x":                                                                                          "dataset-download-failure",
		"HTTP 429 Too Many Requests from https://data.example.com/x, sleeping 10s before retry":                                                               "",
		`Failed to pull image "a": unexpected status code 429 Too Many Requests`:                                                                              "image-pull-rate-limited",
		"libtpu.so already in used by another process. Not attempting to load libtpu.so in this process.":                                                     "tpu-init",
	})
}

// TestSlurmAnswers checks what Slurm reports about jobs, and errors of Go's and
// Arrow's.
func TestSlurmAnswers(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"slurmstepd: error: *** JOB 123 ON n1 CANCELLED AT 2024-01-01T00:00:00 DUE to SIGNAL Terminated ***": "sigterm-received",
		"slurmstepd: error: *** STEP 1.0 ON n1 CANCELLED AT 2024-01-01T00:00:00 DUE TO TASK FAILURE ***":     "application-error",
		"srun: error: Node failure on n7": "node-lost",
		"sbatch: error: Batch job submission failed: Requested node configuration is not available": "node-selector-mismatch",
		"sbatch: error: QOSMaxGRESPerUser":                               "queue-quota-exceeded",
		"the QOSMaxGRESPerUser is 8":                                     "",
		"pyarrow.lib.ArrowMemoryError: malloc of size 1073741824 failed": "oom-killed",
		"ValueError: Can't find 'adapter_config.json' at 'out/lora'":     "checkpoint-missing",
		"level=error msg=\"read /data/a.bin: input/output error\"":       "storage-hang",
		"OSError: [Errno 27] File too large":                             "python-exception",
	})
	if cause, _, found := Hint("OSError: [Errno 27] File too large"); found {
		t.Errorf("errno 27: %s", cause)
	}
}

// TestTranslatedErrors checks messages of libc in other languages.
func TestTranslatedErrors(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"OSError: [Errno 5] 输入/输出错误: '/mnt/data/a.bin'": "storage-hang",
		"OSError: [Errno 98] 地址已在使用":                    "port-in-use",
		"OSError: [Errno 12] 无法分配内存":                    "oom-killed",
		"OSError: [Errno 98] アドレスは既に使用中です":              "port-in-use",
		"ssh: connect to host gpu-1 port 22: 连接超时":      "mpi-launcher-ssh-failure",
		"连接超时的时间设为 30 秒":                                "",
	})
}

// TestErrorRecord checks that the exception which torchelastic's record names is reported,
// and not the traceback of the record that is cut off (kubeflow/trainer#1638).
func TestErrorRecord(t *testing.T) {
	for text, want := range map[string]train.Cause{
		"{\n  \"message\": {\n    \"message\": \"RendezvousClosedError: \",\n    \"extraInfo\": {\n      \"py_callstack\": \"Traceback (most recent call last):\\n  File \\\"/app/x.py\\\", line 3, in wrapper\\n    return f()\\n": "rendezvous-timeout",
		"    \"message\": \"KeyError: 'lr'\",\n":           "python-exception",
		"    \"message\": \"no KeyError: all is well\",\n": "",
	} {
		hits := scanned(text)
		if want == "" && len(hits) > 0 || want != "" && (len(hits) != 1 || hits[0].Cause != want) {
			t.Errorf("%q: got %+v", text, hits)
		}
	}
}

// A rank is named by a member of a record as by a launcher's prefix, and processes whose
// records are mixed are distinguished.
func TestRanksOfRecordsAndOfPrefixes(t *testing.T) {
	for _, lines := range [][]string{
		{`{"rank": 5, "message": "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB"}`},
		{`{"global_rank":"5","msg":"Traceback (most recent call last):\n  File \"a.py\", line 88, in f\n    g()\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB"}`},
		{"rank 5: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB"},
		{"[local_rank=5] torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB"},
	} {
		s := NewScanner(InLog)
		var hits []train.LogHit
		for i, line := range lines {
			hits = append(hits, s.Line(int64(i+1), time.Time{}, []byte(line))...)
		}
		if hits = append(hits, s.End()...); len(hits) != 1 || hits[0].Cause != "cuda-out-of-memory" || hits[0].Rank != 5 {
			t.Errorf("%s: %+v", lines, hits)
		}
	}
}
