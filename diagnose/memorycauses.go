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
		fix:      "Find and end the other process.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "cuda-out-of-memory"},
	},
	{
		id: "no-space-left", stage: train.StageProgress,
		meaning:  "A disk or volume is full.",
		evidence: "`[Errno 28] No space left on device`, `PytorchStreamWriter failed writing file`, `Disk quota exceeded`.",
		fix:      "Clean up, or use a larger volume.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "checkpoint-write-failed"},
	},
	{
		id: "checkpoint-write-failed", stage: train.StageProgress,
		meaning:  "A checkpoint could not be written.",
		evidence: "An error inside save_checkpoint or torch.save.",
		fix:      "Look at the storage behind the path.",
		hides:    followAnEnd,
	},
	{
		id: "dataloader-worker-killed", stage: train.StageProgress,
		meaning:  "A data loader's worker process died.",
		evidence: "`DataLoader worker (pid(s) ..) exited unexpectedly`, `killed by signal`.",
		fix:      "Fewer workers, more memory; Bus error means shared memory.",
		hides:    followAnEnd,
	},
	{
		id: "too-many-open-files", stage: train.StageProgress,
		meaning:  "The process has as many files open as it may.",
		evidence: "`[Errno 24] Too many open files`, `received 0 items of ancdata`.",
		fix:      "Raise ulimit -n; torch.multiprocessing.set_sharing_strategy('file_system').",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "shm-too-small"},
	},
	{
		id: "storage-hang", stage: train.StageProgress,
		meaning:  "Storage does not answer, and processes wait in the kernel.",
		evidence: "Kernel `task X blocked for more than 120 seconds`.",
		fix:      "Look at the storage server and its client.",
		hides:    []train.Cause{"hang-no-output", "nccl-timeout"},
	},
}
