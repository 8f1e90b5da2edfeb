package signatures

import "testing"

// TestPreciseCauses checks texts for which a more general row matches too, and texts of
// the same words that name no failure.
func TestPreciseCauses(t *testing.T) {
	for text, want := range map[string]string{
		"RuntimeError: CUDA error: unspecified launch failure":                                                                                                                           "gpu-xid-error",
		"CUDA_ERROR_LAUNCH_TIMEOUT: the launch timed out and was terminated":                                                                                                             "gpu-xid-error",
		"RuntimeError: [enforce fail at inline_container.cc:664] . unexpected pos 704 vs 598":                                                                                            "checkpoint-write-failed",
		"RuntimeError: DDP expects same model across all ranks, but Rank 3 has 40 params, while rank 0 has 41 params.":                                                                   "nccl-desync",
		"RuntimeError: params[2] in this process with sizes [4, 8] appears not to match sizes of the same param in process 0.":                                                           "nccl-desync",
		"RuntimeError: Some background workers are no longer alive":                                                                                                                      "dataloader-worker-killed",
		"background workers are alive: 4":                                                                                                                                                "",
		"RuntimeError: Device(id:5) memory isn't enough and alloc failed, kernel name: k, alloc size: 10B.":                                                                              "cuda-out-of-memory",
		"ray.exceptions.RayTaskError(OutOfMemoryError): ray::Trainer.step() (pid=9)":                                                                                                     "cuda-out-of-memory",
		"[10:00:01] src/van.cc:63: Check failed: !ip.empty() failed to get ip":                                                                                                           "nccl-socket-ifname",
		"UnknownError: ncclCommInitRank failed: unhandled system error":                                                                                                                  "nccl-system-error",
		"RuntimeError: NCCL error: unhandled system error, NCCL version 2.20":                                                                                                            "nccl-init-failure",
		"RuntimeError: DataLoader worker (pid 9) is killed by signal: Bus":                                                                                                               "shm-too-small",
		"The replica worker 2 ran out-of-memory and exited with a non-zero status of 9(SIGKILL)":                                                                                         "oom-killed",
		"torch.multiprocessing.spawn.ProcessExitedException: process 3 terminated with signal SIGKILL":                                                                                   "sigkill-received",
		"  traceback : Signal 9 (SIGKILL) received by PID 4711":                                                                                                                          "oom-killed",
		"srun: error: task 0 launch failed: Plugin initialization failed":                                                                                                                "application-error",
		"srun: error: tasks 0-7 launch failed: Slurmd could not connect IO":                                                                                                              "application-error",
		"task launch failed: see above":                                                                                                                                                  "",
		"slurmstepd: error: pyxis:     enroot-mount: failed to mount: /home/a/d at /tmp/e/user-0/p/data: Permission denied":                                                              "permission-denied",
		"enroot-nsenter: failed to create user namespace: Operation not permitted":                                                                                                       "permission-denied",
		"slurmstepd: error: pyxis:     enroot-mount: failed to mount: /opt/a at /home/u/p/opt/a: Not a directory":                                                                        "hostpath-missing",
		"enroot-mount: failed to mount: /opt/a at /home/u/p/opt/a: No such file or directory":                                                                                            "hostpath-missing",
		"enroot-mount: mounted /opt/a":                                                                                                                                                   "",
		"srun: error: Task launch for StepId=36.0 failed on node n131: Job credential expired":                                                                                           "application-error",
		"WatchTasksAsync failed for task 3: UNAVAILABLE: failed to connect to all addresses":                                                                                             "rendezvous-timeout",
		"  pmix_psec_base_open failed":                                                                                                                                                   "mpi-init-failure",
		"ray.exceptions.RayTaskError(ModuleNotFoundError): ray::W.init() (pid=9, ip=10.0.0.1)":                                                                                           "python-import-error",
		"ray.exceptions.RayTaskError(FileNotFoundError): ray::W.init() (pid=9, ip=10.0.0.1)":                                                                                             "file-not-found",
		"ray.exceptions.RayTaskError(PermissionError): ray::W.init() (pid=9, ip=10.0.0.1)":                                                                                               "permission-denied",
		"except ray.exceptions.RayTaskError(ImportError) as e:":                                                                                                                          "",
		"[2025-06-24 10:00:00,000 C 89 89] (raylet) node_manager.cc:1031: [Timeout] Exiting because this node manager has mistakenly been marked as dead by the GCS":                     "ray-worker-died",
		"[2022-02-16 12:46:52,789 C 149 149] node_manager.cc:170: This node has beem marked as dead.":                                                                                    "ray-worker-died",
		"[2022-02-16 12:45:07,907 W 149 199] node_manager.cc:157: Last heartbeat was sent 6901 ms ago. If heartbeat keeps lagging, this node can be marked as dead mistakenly.":          "",
		"slurmstepd: error: execve(): python: No such file or directory":                                                                                                                 "command-not-found",
		"slurmstepd: error: execve(): ./train.sh: Permission denied":                                                                                                                     "permission-denied",
		`execve("/usr/local/bin/python", ["python"], 0x7ffd) = -1 ENOENT (No such file or directory)`:                                                                                    "",
		"Invalid handle. Cannot load symbol cudnnCreateTensorDescriptor":                                                                                                                 "python-import-error",
		"Cannot load symbol table of the model":                                                                                                                                          "",
		"*** SIGABRT received at time=1773825404 on cpu 49 ***":                                                                                                                          "abort-sigabrt",
		`:{"created":"@1706768283.94","description":"Error received from peer ipv4:10.0.0.1:8000","file":"call.cc","file_line":1056,"grpc_message":"failed to connect to all addresses"`: "nccl-connection-lost",
		`:{"created":"@1706768283.94","description":"Failed to pick subchannel","file":"client_channel.cc","file_line":3941`:                                                             "nccl-connection-lost",
		`:{"created":"@1706768283.94","description":"Error received from peer ipv4:10.0.0.1:8000","grpc_message":"End of sequence","grpc_status":11}`:                                    "",
		`:{"created":"@1706696495.00","description":"Error received from peer ipv4:10.0.0.4:62464","file":"call.cc","file_line":1056,"grpc_message":"Socket closed","grpc_status":14}. This is only expected if one of the tasks is unhealthy.`: "",
		`	debug_error_string = "{"created":"@1645","description":"Failed to pick subchannel","file":"client_channel.cc"}"`:                                                                                                                      "",
		"sagemaker-containers ERROR    ExecuteUserScriptError:":                                  "application-error",
		"2022-06-02 17:28:13,101 sagemaker-training-toolkit ERROR    Reporting training FAILURE": "application-error",
		"2019-02-25 14:11:16 Failed - Training job failed":                                       "application-error",
		"2019-02-25 14:11:16 Uploading - Uploading generated training model":                     "",
		"2022-06-02 17:28:13,101 sagemaker-training-toolkit INFO     Reporting training SUCCESS": "",
		"Handlers of SIGABRT are installed":                                                      "",
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

// TestPreciseCausesOfEvents checks messages of components in the same way.
func TestPreciseCausesOfEvents(t *testing.T) {
	for text, want := range map[string]string{
		"failed to inject CDI devices: unresolvable CDI devices management.nvidia.com/gpu=GPU-e29e59c3":                                                                                             "device-allocation-failed",
		"failed to inject CDI devices: unresolvable CDI devices runtime.nvidia.com/gpu=all":                                                                                                         "no-gpu-visible",
		`Error: OCI runtime error: unable to start container "a":crun: {"msg":"error executing hook ` + "`/usr/bin/nvidia-cdi-hook`" + ` (exit code: 1)","level":"error"}`:                          "device-allocation-failed",
		"0/3 nodes are available: 3 node(s) did not have enough free storage.":                                                                                                                      "unbound-pvc",
		"0/3 nodes are available: 3 Insufficient ephemeral-storage.":                                                                                                                                "insufficient-ephemeral-storage",
		"nvidia-container-cli: device error: unknown device id: 7":                                                                                                                                  "device-allocation-failed",
		"nvidia-container-cli: initialization error: nvml error: driver not loaded":                                                                                                                 "no-gpu-visible",
		`failed to prepare subPath for volumeMount 'conf' of container 'a'`:                                                                                                                         "failed-mount-timeout",
		"MountVolume.SetUp failed for volume \"d\" : mount: mounting 10.0.0.1@tcp: on /mnt failed: No such device":                                                                                  "mount-helper-missing",
		"failed to resolve ref docker.io/a/b:1: failed to authorize: failed to fetch anonymous token: Get \"https://a/token?s=1\": EOF":                                                             "image-registry-unreachable",
		`Failed to pull image "gcr.io/a/b": rpc error: code = Unknown desc = Error response from daemon: Get https://gcr.io/v2/a/b/manifests/latest: denied: Token exchange failed for project 'a'`: "image-pull-unauthorized",
		`Failed to pull image "gcr.io/a/b": rpc error: code = Unknown desc = Error response from daemon: Get https://gcr.io/v2/a/b/manifests/latest: EOF`:                                           "image-registry-unreachable",
		"failed to create containerd task: failed to create shim task: OCI runtime create failed: unable to retrieve OCI runtime error (open /run/containerd/io.containerd.runtime.v2.task/k8s.io/6d/log.json: no such file or directory): fork/exec /usr/bin/nvidia-container-runtime: no such file or directory: unknown": "runtime-class-missing",
		`OCI runtime create failed: unable to retrieve OCI runtime error (open /run/containerd/x/log.json: no such file or directory): exec: "runsc": executable file not found in $PATH: unknown`:                                                                                                                          "runtime-class-missing",
		`failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "train.py": stat train.py: no such file or directory: unknown`:                                                                                                                                 "command-not-found",
	} {
		found := Find(InEvent, text)
		if len(found) == 0 || string(found[0].Cause) != want {
			t.Errorf("%s\n\t want %q, all %v", text, want, found)
		}
	}
}
