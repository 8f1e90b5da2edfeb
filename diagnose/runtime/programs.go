package runtime

import (
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// programsCauses are about errors of the program and what it loads. Lines of
// logs show them: sources/signatures contains the texts.
var programsCauses = []*rule.Cause{
	{
		ID: "python-import-error", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "A module or library is missing",
			Meaning: "A Python module or a library is missing in the image, or its version does not fit.",
			Fix: "See in the container which versions do not fit together. $ pip check\n" +
				"Install the module that the error names in the image (pip install in its Dockerfile), and pin versions that fit together.",
		},
		Evidence: "`ModuleNotFoundError`, `ImportError: libX.so.N: cannot open shared object file`, `undefined symbol`.",
		Hides:    rule.FollowAnError,
	},
	{
		ID: "file-not-found", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "A file does not exist",
			Meaning: "A file or folder is not where the program looks for it: the path is wrong, or its mount is empty.",
			Fix: "See the pod's volumes and mounts. $ kubectl describe pods\n" +
				"Compare the path with the volumes and mounts of the pod, and with that rank's node: the volume may be missing, or mounted elsewhere.",
		},
		Evidence: "`FileNotFoundError: [Errno 2] No such file or directory`.",
		Hides:    rule.FollowAnError,
	},
	{
		ID: "dataset-download-failure", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "Data could not be downloaded",
			Meaning: "The data could not be downloaded: network, name resolution, proxy or credentials fail between the pod and the data.",
			Fix:     "Check that the pod may reach the address: network policies (egress), proxy variables (HTTPS_PROXY), credentials. Or keep the data on a volume.",
		},
		Evidence: "`ConnectionError: Couldn't reach ...`, `MaxRetryError`, `NoCredentialsError`, `AccessDenied`.",
		Hides:    rule.FollowAnError,
	},
	{
		ID: "hf-hub-auth", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "Hugging Face refuses access",
			Meaning: "The Hugging Face Hub refuses access: the model or data set is gated or private, and the token is missing or has no grant.",
			Fix:     "Accept the terms on the page of the repository, and give the container a token in HF_TOKEN, from a Secret.",
		},
		Evidence: "`GatedRepoError`, `401/403 Client Error`, `RepositoryNotFoundError`.",
		Hides:    rule.FollowAnError,
	},
	{
		ID: "wandb-timeout", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "Weights & Biases does not answer or refuses",
			Meaning: "Weights & Biases does not answer or refuses the key: the pod has no egress, or the key is missing or wrong.",
			Fix:     "Check the key (WANDB_API_KEY, from a Secret) and that the pod may reach api.wandb.ai; WANDB_MODE=offline trains without it.",
		},
		Evidence: "`Run initialization has timed out`, `CommError`, `api_key not configured`.",
		Hides:    rule.FollowAnError,
	},
	{
		ID: "checkpoint-corrupt", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "A checkpoint cannot be read",
			Meaning: "A checkpoint or model file is damaged: it is cut off, empty, or a git-lfs pointer.",
			Fix:     "Start from an earlier checkpoint, or download the file again; see whether the disk was full when it was written.",
		},
		Evidence: "`failed finding central directory`, `invalid load key`, safetensors `HeaderTooLarge`.",
		Hides:    rule.FollowAnError,
	},
	{
		ID: "checkpoint-missing", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "There is no checkpoint at the path",
			Meaning: "There is no checkpoint where the program expects one: the path is wrong, or none was written yet.",
			Fix:     "Correct the path of the checkpoint in the job. On a first start with automatic resume this is harmless.",
		},
		Evidence: "`Error no file named pytorch_model.bin`, `Can't find a valid checkpoint at`.",
		Hides:    rule.FollowAnError,
	},
	{
		ID: "checkpoint-shape-mismatch", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "The checkpoint does not fit the model",
			Meaning: "The shapes or keys of the checkpoint differ from the model's: it is from another configuration, or from another number of ranks.",
			Fix:     "Use the checkpoint of the same model, and the configuration and parallel sizes (world size, tensor and pipeline) that it was saved with.",
		},
		Evidence: "`size mismatch for X`, `Missing key(s) in state_dict`.",
		Hides:    rule.FollowAnError,
	},
	{
		ID: "pickle-spawn-error", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "A worker process could not be started",
			Meaning: "A worker process could not be started: its objects cannot be sent to it (pickled), or CUDA was used before the fork.",
			Fix:     "Start processes with spawn or forkserver, under if __name__ == \"__main__\", and give them functions of a module: lambdas and inner functions cannot be sent to another process.",
		},
		Evidence: "`Can't pickle local object`, `Cannot re-initialize CUDA in forked subprocess`.",
		Hides:    rule.FollowAnError,
	},
	{
		ID: "deepspeed-init", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "DeepSpeed could not start",
			Meaning: "DeepSpeed could not start: batch sizes, CUDA versions or compiled extensions do not fit.",
			Fix:     "Correct what the error names in the DeepSpeed configuration, or build its operators into the image (DS_BUILD_OPS=1).",
		},
		Evidence: "`Check batch related parameters`, `CUDAMismatchException`, `Unable to JIT load`.",
		Hides:    rule.FollowAnError,
	},
	{
		ID: "extension-build-failed", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "A compiled extension of PyTorch could not be built or loaded",
			Meaning: "A package compiles its C++ or CUDA code at the first use (torch.utils.cpp_extension), and that failed: compiler, ninja or CUDA toolkit are missing, or do not fit PyTorch.",
			Fix: "Read the compiler's error above the line. The image needs ninja, a C++ compiler and the CUDA toolkit of the version that PyTorch was built with (a devel image; CUDA_HOME names it).\n" +
				"Or build the extension into the image, so that nothing is compiled at the start; DeepSpeed's operators with DS_BUILD_OPS=1.",
		},
		Evidence: "`Error building extension`, `Command '['ninja', '-v']' returned non-zero exit status 1`, `CUDA_HOME environment variable is not set`.",
		Hides:    rule.FollowAnError,
	},
	{
		ID: "parallel-sizes-mismatch", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "The parallel sizes do not fit",
			Meaning: "What is split over ranks has to be a multiple of the parallel sizes (tensor, pipeline, context, expert, data), and it is not: the number of ranks, the attention heads, the experts, or the batch.",
			Fix: "Change the parallel sizes or what the message names (ranks are nodes times processes per node), so that one divides the other.\n" +
				"See whether all pods run: with fewer nodes than planned the number of ranks is smaller. $ kubectl get pods -o wide",
		},
		Evidence: "`world size (8) is not divisible by tensor_model_parallel_size (3)`, `global batch size (1000) is not divisible by`.",
		Hides:    rule.FollowAnError,
	},
	{
		ID: "ray-worker-died", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "A Ray worker died",
			Meaning: "A Ray worker or actor died. Its exit type says why: memory, a crash, or a lost node.",
			Fix: "See the workers and their exit types. $ ray list workers\n" +
				"Read why it died: the exit type in the error, then the raylet's log on that node (/tmp/ray/session_latest/logs); often the node ran out of memory.",
		},
		Evidence: "`The actor died unexpectedly`, `ActorDiedError`.",
		Hides:    rule.WrapAnEnd,
	},
	{
		ID: "tpu-init", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "The TPU could not be used",
			Meaning: "The TPU could not be used: another process holds it, or not all hosts of the slice run.",
			Fix:     "See that all hosts of the slice run, and that no other process or pod uses the TPU.",
		},
		Evidence: "`The TPU is already in use by process`, `Unable to initialize backend 'tpu'`.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "neuron-init-failed", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "The Neuron devices could not be used",
			Meaning: "The Neuron devices could not be used: another process holds the cores, or the pod has none.",
			Fix: "See the devices and which processes hold them. $ neuron-ls\n" +
				"Ask for aws.amazon.com/neuron in the container's limits, and end processes that still hold the devices.",
		},
		Evidence: "`nrt_init` errors, `No neuron device available`, `NERR_RESOURCE_NC`.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "python-exception", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "A Python exception",
			Meaning: "The program ended with an error of its own, a Python exception.",
			Fix:     "Read the traceback from its last line upwards, and look at the line of your own code that the evidence names.",
		},
		Evidence: "Traceback with its last line `Type: message`.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "torchrun-child-failed", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "A process of the job failed",
			Meaning: "torchrun reports that a process of its own failed. That is only the launcher's report: the error itself is above it in the log, or in that rank's log.",
			Fix: "Read the log of the rank that the report names as root cause, from the end upwards.\n" +
				"Decorate main() with torch.distributed.elastic.multiprocessing.errors.record to see its traceback in the report.",
		},
		Evidence: "`ChildFailedError`, `Root Cause (first observed failure)`.",
		Hides:    []train.Cause{"application-error"},
	},
}
