package runtime

import (
	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// memoryCauses are about memory, disks and files that run out.
// Lines of logs tell of them: sources/signatures knows the texts.
var memoryCauses = []*rule.Cause{
	{
		ID: "cuda-out-of-memory", Stage: train.StageProgress,
		Meaning:  "The GPU's memory is used up.",
		Evidence: "`CUDA out of memory. Tried to allocate ...`, `CUBLAS_STATUS_ALLOC_FAILED`, JAX `RESOURCE_EXHAUSTED`.",
		Fix:      "Smaller batches, activation checkpointing, sharding; PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True against fragmentation.",
		Text: logs.Words{
			Title:   "The GPU ran out of memory",
			Meaning: "The tensors do not fit beside what is allocated already.",
			Fix:     "Lower the batch size or sequence length, or turn on activation checkpointing or sharding.\nIf much is reserved but not allocated, set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True.",
		},
		Hides: rule.FollowAnEnd,
	},
	{
		ID: "gpu-in-use-by-other", Stage: train.StageProgress,
		Meaning:  "Another process uses the GPU.",
		Evidence: "`CUDA-capable device(s) is/are busy or unavailable`; out of memory before the model is loaded.",
		Fix:      "Run nvidia-smi on the node to see which process holds the GPU. End it if it is left over from an earlier job (delete its pod); if it is another job's, use another GPU.",
		Text: logs.Words{
			Title:   "The GPU is in use by another process",
			Meaning: "A process left from before, or exclusive mode.",
			Fix:     "Find the process, and end it. $ nvidia-smi",
		},
		Hides: []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "cuda-out-of-memory"},
	},
	{
		ID: "no-space-left", Stage: train.StageProgress,
		Meaning:  "A disk or volume is full.",
		Evidence: "`[Errno 28] No space left on device`, `PytorchStreamWriter failed writing file`, `Disk quota exceeded`.",
		Fix:      "See which volume is full (df -h in the pod; the path stands in the message). Delete old checkpoints and caches there, or have the claim made larger.",
		Text: logs.Words{
			Title:   "No space left to write",
			Meaning: "The disk, volume or quota that it writes to is full.",
			Fix:     "See which mount: the path stands in the traceback. $ df -h\nClean it up, or use a larger volume.",
		},
		Hides: []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "checkpoint-write-failed"},
	},
	{
		ID: "checkpoint-write-failed", Stage: train.StageProgress,
		Meaning:  "A checkpoint could not be written.",
		Evidence: "An error inside save_checkpoint or torch.save.",
		Fix:      "Find the volume behind the path of the message (kubectl describe pod shows its mounts), and look whether it is full, read-only or unreachable. Then start again from the last whole checkpoint.",
		Text: logs.Words{
			Title:   "A checkpoint could not be written",
			Meaning: "Saving failed on the storage.",
			Fix:     "Check the storage that the path is on.",
		},
		Hides: rule.FollowAnEnd,
	},
	{
		ID: "dataloader-worker-killed", Stage: train.StageProgress,
		Meaning:  "A data loader's worker process died.",
		Evidence: "`DataLoader worker (pid(s) ..) exited unexpectedly`, `killed by signal`.",
		Fix:      "Set num_workers lower, or raise the container's memory limit. After a Bus error mount a larger /dev/shm: an emptyDir of medium Memory.",
		Text: logs.Words{
			Title:   "A data loader worker died",
			Meaning: "It was killed, mostly for memory, or crashed.",
			Fix:     "Use fewer workers, and look at the memory limit.",
		},
		Hides: rule.FollowAnEnd,
	},
	{
		ID: "too-many-open-files", Stage: train.StageProgress,
		Meaning:  "The process has as many files open as it may.",
		Evidence: "`[Errno 24] Too many open files`, `received 0 items of ancdata`.",
		Fix:      "Raise the limit of open files (ulimit -n 65535 before the program starts), or call torch.multiprocessing.set_sharing_strategy('file_system') at its start.",
		Text: logs.Words{
			Title:   "Too many open files",
			Meaning: "The limit of open files (ulimit -n) is reached.",
			Fix:     "Raise ulimit -n, or set torch.multiprocessing's sharing strategy to file_system.",
		},
		Hides: []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "shm-too-small"},
	},
	{
		ID: "storage-hang", Stage: train.StageProgress,
		Meaning:  "Storage does not answer, and processes wait in the kernel.",
		Evidence: "Kernel `task X blocked for more than 120 seconds`.",
		Fix:      "Look whether the storage server answers and whether its client runs on the node; a process that waits in the kernel ends only when the storage answers or the node is rebooted.",
		Text: logs.Words{
			Title:   "The storage does not answer",
			Meaning: "A process waits in the kernel for NFS, Lustre or another file system.",
			Fix:     "Check the storage server and its client on the node.",
		},
		Hides: []train.Cause{"hang-no-output", "nccl-timeout"},
	},
}
