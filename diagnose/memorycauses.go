package diagnose

import "github.com/traintop/traintop/train"

// memoryCauses are about memory, disks and files that run out.
// Lines of logs tell of them: diagnose/signatures knows the texts.
var memoryCauses = []*cause{
	{
		id: "cuda-out-of-memory", stage: train.StageProgress,
		meaning:  "The GPU's memory is used up.",
		evidence: "`CUDA out of memory. Tried to allocate ...`, `CUBLAS_STATUS_ALLOC_FAILED`, JAX `RESOURCE_EXHAUSTED`.",
		fix:      "Smaller batches, activation checkpointing, sharding; PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True against fragmentation.",
		hides:    followAnEnd,
	},
	{
		id: "gpu-in-use-by-other", stage: train.StageProgress,
		meaning:  "Another process uses the GPU.",
		evidence: "`CUDA-capable device(s) is/are busy or unavailable`; out of memory before the model is loaded.",
		fix:      "Run nvidia-smi on the node to see which process holds the GPU. End it if it is left over from an earlier job (delete its pod); if it is another job's, use another GPU.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "cuda-out-of-memory"},
	},
	{
		id: "no-space-left", stage: train.StageProgress,
		meaning:  "A disk or volume is full.",
		evidence: "`[Errno 28] No space left on device`, `PytorchStreamWriter failed writing file`, `Disk quota exceeded`.",
		fix:      "See which volume is full (df -h in the pod; the path stands in the message). Delete old checkpoints and caches there, or have the claim made larger.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "checkpoint-write-failed"},
	},
	{
		id: "checkpoint-write-failed", stage: train.StageProgress,
		meaning:  "A checkpoint could not be written.",
		evidence: "An error inside save_checkpoint or torch.save.",
		fix:      "Find the volume behind the path of the message (kubectl describe pod shows its mounts), and look whether it is full, read-only or unreachable. Then start again from the last whole checkpoint.",
		hides:    followAnEnd,
	},
	{
		id: "dataloader-worker-killed", stage: train.StageProgress,
		meaning:  "A data loader's worker process died.",
		evidence: "`DataLoader worker (pid(s) ..) exited unexpectedly`, `killed by signal`.",
		fix:      "Set num_workers lower, or raise the container's memory limit. After a Bus error mount a larger /dev/shm: an emptyDir of medium Memory.",
		hides:    followAnEnd,
	},
	{
		id: "too-many-open-files", stage: train.StageProgress,
		meaning:  "The process has as many files open as it may.",
		evidence: "`[Errno 24] Too many open files`, `received 0 items of ancdata`.",
		fix:      "Raise the limit of open files (ulimit -n 65535 before the program starts), or call torch.multiprocessing.set_sharing_strategy('file_system') at its start.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "shm-too-small"},
	},
	{
		id: "storage-hang", stage: train.StageProgress,
		meaning:  "Storage does not answer, and processes wait in the kernel.",
		evidence: "Kernel `task X blocked for more than 120 seconds`.",
		fix:      "Look whether the storage server answers and whether its client runs on the node; a process that waits in the kernel ends only when the storage answers or the node is rebooted.",
		hides:    []train.Cause{"hang-no-output", "nccl-timeout"},
	},
}
