package signatures

import (
	"testing"

	"github.com/traintop/traintop/train"
)

// TestReportedTexts checks texts of launchers, NCCL and runtimes that their sources print or
// people reported, and texts beside them that name no failure.
func TestReportedTexts(t *testing.T) {
	for text, want := range map[string]string{
		// Slurm slurmstepd, srun, salloc
		"slurmstepd: error: *** JOB 68 STEPD TERMINATED ON n24b AT 2019-11-07T02:10:11 DUE TO JOB NOT ENDING WITH SIGNALS ***": "stuck-terminating",
		"slurmstepd: error: *** JOB 18 ON n48 CANCELLED AT 2024-07-12T04:41:51 DUE TO JOB REQUEUE ***":                         "sigterm-received",
		"salloc: Job 3612 has exceeded its time limit and its allocation has been revoked":                                     "active-deadline-exceeded",
		"salloc: Job allocation 74 has been revoked.":                                                                          "",
		"srun: error: Unable to create step for job 30: More processors requested than permitted":                              "node-selector-mismatch",
		"srun: error: Unable to create step for job 30: Invalid generic resource (gres) specification":                         "node-selector-mismatch",
		"srun: Job 30 step creation temporarily disabled, retrying (Requested nodes are busy)":                                 "",
		"srun: error: invalid partition specified: gpu8":                                                                       "application-error",
		"sbatch: error: Invalid --gres specification":                                                                          "application-error",
		"srun: error: Ignoring --whole since --cpus-per-gpu used":                                                              "",
		"srun: error: Invalid MPI type 'pmi3', --mpi=list for acceptable types":                                                "application-error",
		"srun: error: Task launch for StepId=96.0 failed on node n1: Socket timed out on send/recv operation":                  "mpi-launcher-ssh-failure",
		"srun: error: Task launch for StepId=96.0 failed on node n2: No such process":                                          "application-error",
		"train.sh: line 3:  1234 Terminated              python train.py":                                                      "sigterm-received",
		"train.sh: line 3: Terminated early, see above":                                                                        "",
		"FATAL:   container creation failed: mount /proc/self/fd/3->/mnt/session/rootfs error: no loop devices available":      "application-error",
		// Dask, whose nannies end workers
		"distributed.nanny - WARNING - Worker exceeded 95% memory budget. Restarting":                                  "oom-killed",
		"distributed.nanny - WARNING - Worker tcp://10.0.0.1:40331 (pid=71) exceeded 95% memory budget. Restarting...": "oom-killed",
		"distributed.nanny - WARNING - Worker process 50 was killed by unknown signal":                                 "application-error",
		"distributed.worker - WARNING - Worker is at 84% memory usage. Pausing worker.":                                "",
		// HAMi, clouds
		"RuntimeError: The current node timed out during startup. This could happen because some of the Ray processes failed to startup.": "ray-worker-died",
		`reason="FilteringFailed" message="no available node, 1 nodes do not meet CardInsufficientMemory"`:                                "insufficient-gpu",
		`reason="FilteringFailed" message="1 nodes CardTypeMismatch(1/1)"`:                                                                "node-selector-mismatch",
		"Host EC2 (instance i-0abc) terminated.":                                                                                          "spot-interruption",
		`{"code": 8, "message": "There is no more capacity in the zone \"us-central2-b\"; you can try in another zone"}`:                  "autoscaler-not-scaling-up",
		`ServiceError: {"code": "InternalError", "message": "Out of host capacity.", "status": 500}`:                                      "autoscaler-not-scaling-up",
		"results in exceeding approved Standard NCASv3_T4 Family Cores quota.":                                                            "autoscaler-not-scaling-up",
		// glibc, as pastes turn its quotes
		"python3: csrc/permute.cu:412: void launch(Args) [with T = float]: Assertion 'out != nullptr' failed.": "abort-sigabrt",
		"RuntimeError: cuDNN error: CUDNN_STATUS_BAD_PARAM":                                                    "cuda-unknown-error",
		"RuntimeError: CUDA error: invalid configuration argument":                                             "cuda-unknown-error",
		// Ray
		"(raylet) node_manager.cc:2963: System memory low at node with IP 172.17.0.2. Used memory (23.63GB) / total capacity (33.28GB)": "oom-killed",
		"ray.exceptions.OutOfMemoryError: Task was killed due to the node running low on memory.":                                       "oom-killed",
		// NCCL 2.29
		"node1:345:678 [3] NCCL WARN NET/Socket : No usable listening interface found":                                                                     "nccl-init-failure",
		"node1:345:678 [3] NCCL WARN no device found matching ib0, verify NCCL_OOB_NET_IFNAME":                                                             "nccl-init-failure",
		"node1:345:678 [3] NCCL WARN Bootstrap Root : mismatch in info from procs, nranks 3 vs 4":                                                          "nccl-init-failure",
		"node1:345:678 [3] NCCL WARN Multiple Ranks are using the same GPU/Partition. Set NCCL_MULTI_RANK_GPU_ENABLE=1":                                    "nccl-init-failure",
		"node1:345:678 [3] NCCL WARN No transport found for rank 3[1f] -> rank 4[2f]":                                                                      "nccl-init-failure",
		"node1:345:678 [3] NCCL WARN MNNVL (cliqueSize 4) is available but not working on this system. Check the IMEX configuration (nvidia-imex-ctl -N).": "nvlink-error",
		"node1:345:678 [3] NCCL WARN P2P is disabled between NVLINK connected GPUs 1 and 3. This should not be the case":                                   "nvlink-error",
		"node1:345:678 [3] NCCL INFO MNNVL busId 0x1f fabric UUID 0.0 cliqueId 0x0 state 3 healthMask 0x0":                                                 "",
		"ncclSystemError: System call (e.g. socket, malloc) or external library call failed or device error.":                                              "nccl-init-failure",
		// Caffe2, and gcloud's ssh to all hosts of a TPU
		"common_world_ops.h:126] Caught store handler timeout exception: ":           "rendezvous-timeout",
		"redis_store_handler.cc:126] Wait timeout ":                                  "rendezvous-timeout",
		"##### Command execution on worker 3 failed with exit status 1. Continuing.": "application-error",
		"##### Command execution on worker 3 failed with exit status 137.":           "sigkill-received",
		// HIP, and NCCL's results
		"hipMalloc failed with hipErrorOutOfMemory at module.cpp:31":                                      "cuda-out-of-memory",
		"HIP error: hipErrorECCNotCorrectable":                                                            "gpu-ecc-error",
		"hipModuleLoad: hipErrorInvalidKernelFile":                                                        "cuda-arch-mismatch",
		"hipDeviceSynchronize returned hipErrorIllegalAddress (700)":                                      "illegal-memory-access",
		"hipEventQuery returned hipErrorNotReady":                                                         "",
		"hipDeviceGetByPCIBusId: hipErrorOutOfMemoryCounter = 0":                                          "",
		"ncclCommGetAsyncError: ncclTimeout":                                                              "nccl-timeout",
		"[ERROR] RUNTIME(9,python3): rtSetDevice failed, ErrCode=507033, desc=[device open failed]":       "gpu-xid-error",
		"rtGetDevMsg execute failed, reason=[driver error:internal error][FUNC:FuncErrorReason][LINE:53]": "gpu-xid-error",
		"RUNTIME(9,python3): done, ErrCode=0":                                                             "",
		// CANN, MindSpore, PaddlePaddle, Lightning, JAX
		"rtDeviceSynchronize execute failed, reason=[task timeout][FUNC:FuncErrorReason][FILE:error_message_manage.cc][LINE:53]":                           "nccl-timeout",
		"Possible Cause: 1. An exception occurs during the execution on some NPUs in the cluster. As a result, collective communication operation failed.": "nccl-timeout",
		"[mindspore/parallel/cluster/process_entity/_api.py:268] Worker process 1306 exit with exception.":                                                 "application-error",
		"[mindspore/parallel/cluster/process_entity/_api.py:268] Worker process 1306 exit with exception. Error code: -9.":                                 "sigkill-received",
		"W0529 18:27:06.378240 40642 init.cc:209] Warning: PaddlePaddle catches a failure signal, it may not work properly":                                "abort-sigabrt",
		`*** Aborted at 1590748026 (unix time) try "date -d @1590748026" if you are using GNU date ***`:                                                    "abort-sigabrt",
		"Aborted at the end of the epoch, as asked": "",
		"Child process with PID 652 terminated with code 1. Forcefully terminating all other processes to avoid zombies":    "torchrun-child-failed",
		"Child process with PID 652 terminated with code -9. Forcefully terminating all other processes to avoid zombies":   "sigkill-received",
		"UserWarning: TPU backend initialization is taking more than 60.0 seconds. Did you run your code on all TPU hosts?": "tpu-init",
	} {
		got := ""
		if found := Find(InLog, text); len(found) > 0 {
			got = string(found[0].Cause)
		}
		if got != want {
			t.Errorf("%s\n\t got %q want %q, all %v", text, got, want, Find(InLog, text))
		}
	}
}

// TestPublicExceptions checks last lines of tracebacks and lines of loggers that people
// reported, and lines beside them that name no failure or another one.
func TestPublicExceptions(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		// github.com/meta-pytorch/torchtune/issues/1142, github.com/nanoporetech/remora/issues/226: the
		// file is whole, and torch.load refuses a class in it
		"_pickle.UnpicklingError: Weights only load failed. Re-running `torch.load` with `weights_only` set to `False` will likely succeed, but it can result in arbitrary code execution.Do it only if you get the file from a trusted source. WeightsUnpickler error: Unsupported class omegaconf.listconfig.ListConfig": "python-exception",
		"UnpicklingError: Weights only load failed. This file can still be loaded, to do so you have two options, do those steps only if you trust the source of the checkpoint.":                                                                                                                                          "python-exception",
		"WeightsUnpickler error: Unsupported global: GLOBAL numpy.core.multiarray._reconstruct was not an allowed global by default.":                                                                                                                                                                                      "python-exception",
		"_pickle.UnpicklingError: Weights only load failed. Re-running `torch.load` with `weights_only` set to `False` will likely succeed. WeightsUnpickler error: invalid load key, 'v'.":                                                                                                                                "checkpoint-corrupt",
		"_pickle.UnpicklingError: invalid load key, 'v'.": "checkpoint-corrupt",
		// github.com/OpenRLHF/OpenRLHF/issues/911
		"(ActorModelRayActor pid=8249) Refer to the documentation on how to address the out of memory issue: https://docs.ray.io/en/latest/ray-core/scheduling/ray-oom-prevention.html. Consider provisioning more memory on this node": "oom-killed",
		// github.com/ray-project/ray/issues/41437, github.com/ray-project/ray/issues/30898
		"Job supervisor actor failed to start within 900.0 seconds. This timeout can be configured by setting the environment variable RAY_JOB_START_TIMEOUT_SECONDS.": "ray-job-not-started",
		"[2022-12-05 20:45:23,198 I 47 180] task_manager.cc:466: No retries left for task ffffffffffffffff35e305b2f42ca28de15bbbee01000000, not going to resubmit.":    "ray-worker-died",
		// github.com/huguyuehuhu/HCN-pytorch/issues/26, github.com/HenryLittle/GloFE/issues/6
		"RuntimeError: cuda runtime error (710) :":                         "device-side-assert",
		"RuntimeError: cuda runtime error (719) at /pytorch/aten/src/x.cu": "gpu-xid-error",
		"OSError: file notebooks/config.json not found":                    "file-not-found",
		// github.com/ROCm/legacy-rocm-build/issues/2494, and kfd_int_process_v10.c
		"[22340.220490] amdgpu: sq_intr: error, detail 0x00000000, type 1, sh 1, priv 1, wave_id 4, simd_id 0, wgp_id 0":      "illegal-memory-access",
		"[ 6520.767891] amdgpu: sq_intr: error, se 0, data 0x80000, sa 0, priv 1, wave_id 0, simd_id 0, wgp_id 0, err_type 3": "gpu-ecc-error",
		// github.com/maum-ai/faceshifter/issues/5, github.com/verl-project/verl/issues/2380
		"Validation sanity check: 0it [00:00, ?it/s]Killed":                                                                      "sigkill-received",
		"Epoch 3:  12% 20/162 [00:09<01:02,  2.27it/s, loss=0.31]Segmentation fault (core dumped)":                               "segfault",
		"Epoch 3:  12% 20/162 [00:09<01:02,  2.27it/s, state=Killed]":                                                            "",
		"(TaskRunner pid=2915798) [2025-07-06 07:14:27,052 C 2915798 2915798] task_receiver.cc:219: Check failed: objects_valid": "abort-sigabrt",
		// github.com/apache/mxnet/issues/6050
		"[16:24:41] include/dmlc/logging.h:303: [16:24:41] src/io/local_filesys.cc:39: Check failed: std::fwrite(ptr, 1, size, fp_) == size FileStream.Write incomplete": "checkpoint-write-failed",
		"[16:24:41] include/dmlc/logging.h:303: [16:24:41] src/io/io.cc:39: Check failed: a == b the shapes differ":                                                      "application-error",
		// github.com/google-deepmind/mujoco_playground/issues/113: TensorFlow's logger, severity F
		"2025-04-23 20:35:34.618070: F external/xla/xla/service/gpu/autotuning/gemm_fusion_autotuner.cc:1099] Non-OK-status: executable.status()": "abort-sigabrt",
		"2025-04-23 20:35:34.618070: I external/xla/xla/service/service.cc:168] XLA service initialized":                                          "",
	})
}

// A notebook's log has the seconds and the number of a line before each one.
func TestNotebookClock(t *testing.T) {
	for text, want := range map[string]string{
		"704.7s\t1461\tChildFailedError: x": "ChildFailedError: x",
		"12s\t3\t[rank1]: x":                "[rank1]: x",
		"704.7s 1461 x":                     "704.7s 1461 x",
		"4s\tx\ty":                          "4s\tx\ty",
		"1.2.3s\t4\tx":                      "1.2.3s\t4\tx",
		"":                                  "",
	} {
		if got := string(behindClock([]byte(text))); got != want {
			t.Errorf("%q: got %q", text, got)
		}
	}
}
