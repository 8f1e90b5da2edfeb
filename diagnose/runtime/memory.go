package runtime

import (
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// memoryCauses are about memory, disks and files that run out. Lines of logs
// show them: sources/signatures contains the texts.
var memoryCauses = []*rule.Cause{
	{
		ID: "cuda-out-of-memory", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "The GPU ran out of memory",
			Meaning: "The GPU's memory is used up: the tensors do not fit beside what is already allocated.",
			Fix: "Lower the batch size or sequence length, or turn on activation checkpointing or sharding.\n" +
				"If much is reserved but not allocated (fragmentation), set PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True.",
		},
		Evidence: "`CUDA out of memory. Tried to allocate ...`, `CUBLAS_STATUS_ALLOC_FAILED`, JAX `RESOURCE_EXHAUSTED`.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "gpu-in-use-by-other", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "The GPU is in use by another process",
			Meaning: "Another process uses the GPU: one left over from an earlier job, or one that holds the GPU in exclusive mode.",
			Fix: "See on the node which process holds the GPU. $ nvidia-smi\n" +
				"End the process if it is left over from an earlier job (delete its pod); if it belongs to another job, use another GPU.",
		},
		Evidence: "`CUDA-capable device(s) is/are busy or unavailable`; out of memory before the model is loaded.",
		Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "cuda-out-of-memory"},
	},
	{
		ID: "no-space-left", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "No space left to write",
			Meaning: "The disk, volume or quota that the program writes to is full.",
			Fix: "See which volume is full; the message has the path. $ df -h\n" +
				"Delete old checkpoints and caches there, or have the claim made larger.",
		},
		Evidence: "`[Errno 28] No space left on device`, `PytorchStreamWriter failed writing file`, `Disk quota exceeded`.",
		Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "checkpoint-write-failed"},
	},
	{
		ID: "checkpoint-write-failed", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "A checkpoint could not be written",
			Meaning: "A checkpoint could not be written, because saving failed on its storage.",
			Fix: "See the pod's mounts. $ kubectl describe pods\n" +
				"Find the volume behind the path in the message, and see whether it is full, read-only or unreachable; then start again from the last whole checkpoint.",
		},
		Evidence: "An error inside save_checkpoint or torch.save.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "dataloader-worker-killed", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "A data loader worker died",
			Meaning: "A worker process of the data loader was killed, mostly for memory, or crashed.",
			Fix:     "Set num_workers lower, or raise the container's memory limit. After a Bus error mount a larger /dev/shm: an emptyDir with medium Memory.",
		},
		Evidence: "`DataLoader worker (pid(s) ..) exited unexpectedly`, `killed by signal`.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "too-many-open-files", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "Too many open files",
			Meaning: "The process has reached its limit of open files (ulimit -n).",
			Fix:     "Raise the limit of open files (ulimit -n 65535 before the program starts), or call torch.multiprocessing.set_sharing_strategy('file_system') at its start.",
		},
		Evidence: "`[Errno 24] Too many open files`, `received 0 items of ancdata`.",
		Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "shm-too-small"},
	},
	{
		ID: "process-limit", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "No more threads or processes can be started",
			Meaning: "The system refuses a new thread or process: the limit of the container (its cgroup's pids.max, podPidsLimit of the kubelet) or of the user (ulimit -u) is reached. A machine with many cores reaches it early, since libraries start a thread for each.",
			Fix: "See the limit and the use in the container. $ cat /sys/fs/cgroup/pids.max /sys/fs/cgroup/pids.current\n" +
				"Start fewer: num_workers, num_proc, OMP_NUM_THREADS and OPENBLAS_NUM_THREADS. Or have podPidsLimit of the nodes raised.",
		},
		Evidence: "`can't start new thread`, `pthread_create failed: Resource temporarily unavailable`, `fork: retry`.",
		Hides:    rule.FollowAnError,
	},
	{
		ID: "storage-hang", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "The storage does not answer",
			Meaning: "The storage (NFS, Lustre or another file system) does not answer, and processes wait for it in the kernel.",
			Fix:     "Check the storage server and its client on the node; a process that waits in the kernel ends only when the storage answers or the node is rebooted.",
		},
		Evidence: "Kernel `task X blocked for more than 120 seconds`.",
		Hides:    []train.Cause{"hang-no-output", "nccl-timeout"},
	},
}
