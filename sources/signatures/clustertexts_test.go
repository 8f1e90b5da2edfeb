package signatures

import (
	"testing"

	"github.com/traintop/traintop/train"
)

// TestContainersUnderSlurm checks what enroot, the NVIDIA container library and Slurm's
// commands report when a container or an allocation does not come about.
func TestContainersUnderSlurm(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"nvidia-container-cli: mount error: mount operation failed: /tmp/enroot/x/usr/lib/firmware: operation not permitted":                "permission-denied",
		"nvidia-container-cli: mount error: failed to add device rules: open /sys/fs/cgroup/devices/slurm/devices.allow: permission denied": "permission-denied",
		"nvidia-container-cli: mount error: stat failed: /dev/nvidia-uvm: no such file or directory: unknown":                               "device-allocation-failed",
		"slurmstepd: error: pyxis:     enroot-switchroot: failed to execute: /bin/bash: No such file or directory":                          "command-not-found",
		"salloc: error: Unable to allocate resources: Connection timed out":                                                                 "application-error",
		"sbatch: error: Batch job submission failed: Invalid account or account/partition combination specified":                            "admission-webhook-denied",
		"srun: error: Unable to allocate resources: Requested node configuration is not available":                                          "node-selector-mismatch",
		"MountVolume.SetUp failed for volume \"v\" : mount failed: exit status 32: mount error: operation not permitted":                    "failed-mount-timeout",
		"salloc: job 1676754 queued and waiting for resources":                                                                              "",
	})
}

// TestAcceleratorsOfOthers checks kernels and runtimes of accelerators beside NVIDIA's,
// and XLA's words for an error that a cut leaves without its name.
func TestAcceleratorsOfOthers(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"xe 0000:2c:00.0: [drm] GT0: Engine reset: engine_class=ccs, logical_mask: 0x1, guc_id=3":                                                                                                      "gpu-xid-error",
		"xe 0000:17:00.0: [drm] Xe device coredump has been created":                                                                                                                                   "gpu-xid-error",
		"i915 0000:00:02.0: [drm] GPU HANG: ecode 12:1:85dcfdfb, in python3 [4711]":                                                                                                                    "gpu-xid-error",
		"xe 0000:17:00.0: [drm] *ERROR* CRITICAL: Xe has declared device 0000:17:00.0 as wedged.":                                                                                                      "gpu-xid-error",
		"RuntimeError: TPU node-v3-32 is not HEALTHY yet. Re-run when all TPUs are HEALTHY":                                                                                                            "tpu-init",
		"E0305 10:11:23.5 29891 pjrt_stream_executor_client.cc:3050] Execution of replica 0 failed: INTERNAL: Failed to complete all kernels launched on stream 0x5: CUDA error: Could not synch":      "cuda-unknown-error",
		"(autoscaler +16m38s) Error: No available node types can fulfill resource request {'CPU': 1.0, 'worker-tpu': 1.0, 'TPU': 4.0}. Add suitable node types to this cluster to resolve this issue.": "insufficient-gpu",
		"(autoscaler +1m) Error: No available node types can fulfill resource request {'licence-a': 1.0}. Add suitable node types to this cluster to resolve this issue.":                              "autoscaler-not-scaling-up",

		"  Message info[0]:RTS_HWTS: aicore exception, slot_id=31, stream_id=3":                                                                                   "illegal-memory-access",
		"E0827 23:43:41.2 39475 synchronous_driver.cc:820] [/dev/accel0 tpu1013:pe1:0] !!!! FATAL ERROR !!!! for [/dev/accel0 tpu1013:pe1:0] , fatal_error: true": "gpu-xid-error",
		"  what():  [Rank:0] FATAL ERROR :: MODULE:PT_DEVICE GRAPH:: Capture must end on the same stream it began on.":                                            "application-error",
		"2025-09-11 22:10:06 [50,010ms] [Error] [carb.graphics-vulkan.plugin] VkResult: ERROR_DEVICE_LOST":                                                        "gpu-xid-error",
		"lightgbm.basic.LightGBMError: Binding port 12400 failed":                                                                                                 "port-in-use",
		"ABORTED: /job:jax_worker/replica:0/task:11 unexpectedly tried to connect with a different incarnation. It has likely restarted.":                         "nccl-connection-lost",
		"xe 0000:17:00.0: [drm] Initialized xe 1.1.0 for 0000:17:00.0 on minor 0":                                                                                 "",
		"I0513 15:22:19.103725 139 xla_bridge.py:455] Unable to initialize backend 'tpu': INVALID_ARGUMENT: TpuPlatform is not available.":                        "",
		"I0513 15:22:19.103725 139 xla_bridge.py:455] Unable to initialize backend 'tpu': UNKNOWN: TPU initialization failed: open(/dev/accel0)":                  "tpu-init",
	})
}

// TestLibrariesThatDoNotLoad checks texts of bitsandbytes and of licence managers, and what
// a client of object storage prints in its older and in other languages' words.
func TestLibrariesThatDoNotLoad(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"Could not load bitsandbytes native library: /opt/bnb/libbitsandbytes_cpu.so: cannot open shared object file: No such file or directory":                                                                                                           "python-import-error",
		"        CUDA Setup failed despite GPU being available. Inspect the CUDA SETUP outputs above to fix your environment!":                                                                                                                             "python-import-error",
		"[16:10:42] health/ERROR  OutOfResources: out of resource: shared memory, Required: 98304, Hardware limit: 65536. Reducing block sizes or `num_stages` may help.":                                                                                  "cuda-arch-mismatch",
		"E0912 11:54:57.366000 1121181 torch/_inductor/select_algorithm.py:2100] [7/0] No valid triton configs. OutOfResources: out of resource: shared memory, Required: 131072, Hardware limit: 101376. Reducing block sizes or `num_stages` may help..": "",
		"No valid triton configs. OutOfResources: out of resource: shared memory, Required: 131072, Hardware limit: 101376. Reducing block sizes or `num_stages` may help..":                                                                               "",
		"torch._inductor.runtime.triton_heuristics.NoTritonConfigsError: No valid triton configs. OutOfResources: out of resource: shared memory, Required: 131072, Hardware limit: 101376.":                                                               "cuda-arch-mismatch",
		"ptxas error   : Entry function 'triton_' uses too much shared data (0x12000 bytes, 0xc000 max)":                                                                                                                                                   "cuda-arch-mismatch",
		"RuntimeError: DataLoader worker (pid 2651)":                                       "dataloader-worker-killed",
		"CUDA SETUP: Setup Failed!":                                                        "python-import-error",
		"License checkout failed.":                                                         "application-error",
		"FlexNet Licensing error:-15,10032":                                                "application-error",
		"Licensing error: -96,7. System Error: 2":                                          "application-error",
		"Cannot connect to license server system.":                                         "application-error",
		"ANSYS LICENSE MANAGER ERROR:Request name x does not exist in the licensing pool.": "application-error",
		"A client error (RequestTimeTooSkewed) occurred when calling the UploadPart operation: The difference between the request time and the current time is too large.": "dataset-download-failure",
		"ERROR: LoadError: AWSException: RequestTimeTooSkewed -- The difference between the request time and the current time is too large.":                               "dataset-download-failure",

		"tarfile.ReadError: (\"unexpected end of data @ <Pipe (('aws s3 cp s3://b/k.tar -',), {'shell': True})>\", <webdataset.gopen.Pipe object at 0x7>)": "dataset-download-failure",
		"KeyError: MetadataIndex(fqn='module.decoder.weight', offset=torch.Size([2, 0]), index=24)":                                                        "checkpoint-shape-mismatch",
		"[n2][[9702,1],1][btl_tcp_frag.c:237:mca_btl_tcp_frag_recv] mca_btl_tcp_frag_recv: readv failed: Connection reset by peer (104)":                   "mpi-worker-lost",
		"Licensed under the Apache License, Version 2.0":                                                                                                   "",
		"Could not load the native file picker":                                                                                                            "",
		"download failed: s3://bucket/shard-000077.tar to - [Errno 32] Broken pipe":                                                                        "",
		"download failed: s3://bucket/key.tar [Errno 32] Broken pipe":                                                                                      "",
		"download failed: s3://bucket/key.tar to ./key.tar An error occurred (403) when calling the HeadObject operation: Forbidden":                       "dataset-download-failure",
	})
}

// TestRanksOfLaunchers checks which rank reports of MPI and bridges name.
func TestRanksOfLaunchers(t *testing.T) {
	for line, want := range map[string]int{
		"[n1:28492] *** reported by process [635830273,3]":                                                     3,
		"  what():  [Rank:5] FATAL ERROR :: MODULE:PT_DEVICE GRAPH:: Capture must end on the stream":           5,
		"[1,1]<stderr>:horovod.common.exceptions.HorovodInternalError: ncclCommInitRank failed: invalid usage": 1,
	} {
		hits := scanned(line)
		if len(hits) == 0 || hits[0].Rank != want {
			t.Errorf("%s: got %+v, want rank %d", line, hits, want)
		}
	}
	checkFirst(t, map[string]train.Cause{
		"horovod.common.exceptions.HorovodInternalError: ncclCommInitRank failed: invalid usage":        "nccl-init-failure",
		"horovod.common.exceptions.HorovodInternalError: ncclCommInitRank failed: unhandled cuda error": "nccl-init-failure",
		"horovod.common.exceptions.HorovodInternalError: ncclAllReduce failed: unhandled cuda error":    "nccl-init-failure",
		"horovod.common.exceptions.HorovodInternalError: Horovod has been shut down.":                   "nccl-connection-lost",
	})
}

// TestErrorsWhileCollected checks that an exception which begins in a finaliser is none
// that ended anything: Python prints it and goes on.
func TestErrorsWhileCollected(t *testing.T) {
	const del = "Traceback (most recent call last):\n  File \"/venv/webdataset/gopen.py\", line 121, in __del__\n    self.close()\n  File \"/venv/webdataset/gopen.py\", line 83, in wait_for_child\n    raise IOError(f\"{self.args}: exit {self.status} (read) {info}\")\nOSError: (('aws s3 cp s3://b/k.tar -',), {'shell': True}): exit 1 (read) {}\n"
	if hits := scanned(del); len(hits) > 0 {
		t.Errorf("got %+v", hits)
	}
	// github.com/datalad/datalad/issues/4495
	const exit = "Traceback (most recent call last):\n  File \"/opt/python/3.5.6/lib/python3.5/multiprocessing/util.py\", line 262, in _run_finalizers\n    finalizer()\n  File \"/home/travis/virtualenv/python3.5.6/lib/python3.5/shutil.py\", line 436, in _rmtree_safe_fd\n    os.unlink(name, dir_fd=topfd)\nOSError: [Errno 16] Device or resource busy: '.nfs0000000000235a2800000001'\n"
	if hits := scanned(exit); len(hits) > 0 {
		t.Errorf("got %+v", hits)
	}
	inside := "Traceback (most recent call last):\n  File \"/app/train.py\", line 9, in <module>\n    del loader\n  File \"/app/data.py\", line 121, in __del__\n    self.close()\nValueError: closed twice\n"
	if hits := scanned(inside); len(hits) == 0 {
		t.Error("a finaliser further in was called by the program")
	}
}
