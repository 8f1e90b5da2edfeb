package signatures

import "testing"

// TestOtherWordings checks texts of components whose cause the table named wrongly, or not
// at all, beside near misses.
func TestOtherWordings(t *testing.T) {
	event, log := eventTells(t), logTells(t)
	event("evicted-pids", `  message: "The node was low on resource: pids. Threshold quantity: 1200, available: 500. "`)
	event("evicted-pids", "Pod The node had condition: [PIDPressure].")
	event("evicted-memory", "Pod The node had condition: [MemoryPressure].")
	event("kueue-deactivated", "The workload is deactivated due to exceeding the maximum number of re-queuing retries")
	event("kueue-deactivated", "  reason: DeactivatedDueToRequeuingLimitExceeded")
	event("kueue-inadmissible", "Can't admit new workloads: references missing ResourceFlavor(s): a100.")
	event("stuck-terminating", `Warning  FailedKillPod  4m8s (x27 over 62m)  kubelet  error killing pod: failed to "KillPodSandbox" for "536a0727" with KillPodSandboxError: "rpc error: code = DeadlineExceeded desc = context deadline exceeded"`)
	event("stuck-terminating", `Error syncing pod, skipping: error killing pod: failed to "KillContainer" for "sleep" with KillContainerError: "rpc error: operation timeout: context deadline exceeded"`)
	event("", "Normal  Killing  4m8s  kubelet  Stopping container trainer")
	event("post-start-hook-failing", `Error syncing pod, skipping: failed to "StartContainer" for "main" with PostStart handler: command '/init.sh' exited with 1: Hook do errexit`)
	event("rbac-forbidden", `configmaps "public" is forbidden: User "system:serviceaccount:ml:default-editor" cannot get resource "configmaps" in API group "" in the namespace "kubeflow-system"`)
	event("", `Lease:              Failed to get lease: leases.coordination.k8s.io "fleet-0" is forbidden: User "ada" cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "kube-node-lease"`)
	event("", "Lease:              Failed to get lease: the server could not find the requested resource")
	event("configmap-not-found", `configmaps "cfg" is forbidden: User "system:node:n1" cannot get resource "configmaps" in API group "" in the namespace "ml": no relationship found between node 'n1' and this object`)
	log("ray-worker-died", "(pid=81329) E0328 18:23:00.161756 81384 core_worker.cc:382] Raylet failed. Shutting down.")
	log("ray-worker-died", "core_worker.cc:763: Shutting down the core worker because the local raylet failed. Check out the raylet.out log file. Raylet process id: 210")
	log("", "Raylet started on port 8076, shutting down idle workers after 60 s.")
	log("nccl-timeout", "EE1002: 2024-09-03-16:50:00.041.231 Stream synchronize timeout. rtDeviceSynchronize execute failed, reason=[stream sync timeout]")
	log("nccl-timeout", "W NPUStream.cpp:409] Warning: NPU warning, error code is 507046[Error]: ")
	log("", "C++ Traceback (most recent call last):")
	log("image-arch-mismatch", "mpirun noticed that process rank 0 with PID 0 on node exited on signal 4 (Illegal instruction).")
	log("image-arch-mismatch", "mpirun noticed that process rank 0 with PID 0 on node gpu-1 exited on signal 4 (Illegal instruction).")
	log("checkpoint-shape-mismatch", "InvalidArgumentError: Shape in shape_and_slice spec does not match the shape in the save file: [10,5], save file shape: [10,3]")
	log("checkpoint-shape-mismatch", "InvalidArgumentError: tensor_name = dense/kernel; shape in shape_and_slice spec [784,10] does not match the shape stored in checkpoint: [784,12]")
	log("checkpoint-shape-mismatch", "NotFoundError: Restoring from checkpoint failed. This is most likely due to a Variable name or other graph key that is missing from the checkpoint. Please ensure that you have not altered the graph expected based on the checkpoint. Original error:")
	log("", "INFO:tensorflow:Restoring parameters with shape_and_slice spec [784,10]")
	log("parallel-sizes-mismatch", "AssertionError: global batch size (1000) is not divisible by micro batch size (3) times data parallel size (8)")
	log("parallel-sizes-mismatch", "RuntimeError: world_size (6) is not divisible by 4")
	log("deepspeed-init", "AssertionError: Check batch related parameters. train_batch_size is not equal to micro_batch_per_gpu * gradient_acc_step * world_size 32 != 4 * 1 * 6")
	log("extension-build-failed", "[rank0]: subprocess.CalledProcessError: Command '['ninja', '-v']' returned non-zero exit status 1.")
	log("", "Emitting ninja build file build.ninja... Command ['ninja', '-v']")
	log("spot-interruption", `I1130 15:12:02.781961    2227 nodeshutdown_manager_linux.go:265] "Shutdown manager detected new shutdown event, isNodeShuttingDownNow" event=true`)
	log("spot-interruption", `I0101 nodeshutdown_manager_linux.go:206] Shutdown manager detected new shutdown event, isNodeShuttingDownNow: true`)
	log("", `I1130 15:12:02.781961    2227 nodeshutdown_manager_linux.go:265] "Shutdown manager detected new shutdown event, isNodeShuttingDownNow" event=false`)
}
