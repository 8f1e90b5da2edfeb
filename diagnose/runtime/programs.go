package runtime

import (
	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// programsCauses are about errors of the program and what it loads.
// Lines of logs tell of them: sources/signatures knows the texts.
var programsCauses = []*rule.Cause{
	{
		ID: "python-import-error", Stage: train.StageProgress,
		Meaning:  "A Python module or a library is missing.",
		Evidence: "`ModuleNotFoundError`, `ImportError: libX.so.N: cannot open shared object file`, `undefined symbol`.",
		Fix:      "Install the module that the error names in the image (pip install in its Dockerfile), and pin versions that go together; `pip check` in the container tells which do not.",
		Text: logs.Words{
			Title:   "A module or library is missing",
			Meaning: "The image lacks it, or its version does not fit.",
			Fix:     "Install it in the image, in a version that fits the others.",
		},
		Hides: rule.FollowAnError,
	},
	{
		ID: "file-not-found", Stage: train.StageProgress,
		Meaning:  "A file or folder is not where the program looks for it.",
		Evidence: "`FileNotFoundError: [Errno 2] No such file or directory`.",
		Fix:      "Compare the path with the volumes and mounts of the pod (describe it): the volume may be missing, or mounted elsewhere.",
		Text: logs.Words{
			Title:   "A file does not exist",
			Meaning: "The path is wrong, or its mount is empty.",
			Fix:     "Check mounts and paths on that rank's node.",
		},
		Hides: rule.FollowAnError,
	},
	{
		ID: "dataset-download-failure", Stage: train.StageProgress,
		Meaning:  "Data could not be fetched.",
		Evidence: "`ConnectionError: Couldn't reach ...`, `MaxRetryError`, `NoCredentialsError`, `AccessDenied`.",
		Fix:      "See whether the pod may reach the address: network policies, a proxy (HTTPS_PROXY), credentials. Or fetch the data beforehand to a volume.",
		Text: logs.Words{
			Title:   "Data could not be downloaded",
			Meaning: "Network, name resolution, proxy or credentials between the pod and the data.",
			Fix:     "Check egress, proxy variables and credentials; or keep the data on a volume.",
		},
		Hides: rule.FollowAnError,
	},
	{
		ID: "hf-hub-auth", Stage: train.StageProgress,
		Meaning:  "The Hugging Face hub refuses: no token, or no grant for a gated repository.",
		Evidence: "`GatedRepoError`, `401/403 Client Error`, `RepositoryNotFoundError`.",
		Fix:      "Accept the terms on the page of the repository, and give the container a token in HF_TOKEN, from a Secret.",
		Text: logs.Words{
			Title:   "Hugging Face refuses access",
			Meaning: "The model or data set is gated or private, and the token is absent or has no grant.",
			Fix:     "Set HF_TOKEN from a Secret, and accept the terms on the model's page.",
		},
		Hides: rule.FollowAnError,
	},
	{
		ID: "wandb-timeout", Stage: train.StageProgress,
		Meaning:  "Weights & Biases does not answer or refuses the key.",
		Evidence: "`Run initialization has timed out`, `CommError`, `api_key not configured`.",
		Fix:      "Check the key (WANDB_API_KEY, from a Secret) and that the pod may reach api.wandb.ai; WANDB_MODE=offline trains without it.",
		Text: logs.Words{
			Title:   "Weights & Biases does not answer or refuses",
			Meaning: "No egress, or no key.",
			Fix:     "Set WANDB_MODE=offline, or WANDB_API_KEY from a Secret.",
		},
		Hides: rule.FollowAnError,
	},
	{
		ID: "checkpoint-corrupt", Stage: train.StageProgress,
		Meaning:  "A checkpoint or model file is damaged or cut off.",
		Evidence: "`failed finding central directory`, `invalid load key`, safetensors `HeaderTooLarge`.",
		Fix:      "Start from an earlier checkpoint, or fetch the file again; see whether the disk was full when it was written.",
		Text: logs.Words{
			Title:   "A checkpoint cannot be read",
			Meaning: "The file is cut off, empty, or a git-lfs pointer.",
			Fix:     "Use an earlier checkpoint, or download the file again.",
		},
		Hides: rule.FollowAnError,
	},
	{
		ID: "checkpoint-missing", Stage: train.StageProgress,
		Meaning:  "There is no checkpoint where one is expected.",
		Evidence: "`Error no file named pytorch_model.bin`, `Can't find a valid checkpoint at`.",
		Fix:      "Correct the path of the checkpoint in the job. On a first start with automatic resume it is harmless.",
		Text: logs.Words{
			Title:   "There is no checkpoint at the path",
			Meaning: "The path is wrong, or none was written yet.",
			Fix:     "Check the path; on a first start do without.",
		},
		Hides: rule.FollowAnError,
	},
	{
		ID: "checkpoint-shape-mismatch", Stage: train.StageProgress,
		Meaning:  "The checkpoint is of another model or another world size.",
		Evidence: "`size mismatch for X`, `Missing key(s) in state_dict`.",
		Fix:      "Use the checkpoint of the same model, and the parallel sizes (world size, tensor and pipeline) that it was saved with.",
		Text: logs.Words{
			Title:   "The checkpoint does not fit the model",
			Meaning: "Shapes or keys differ: another configuration or number of ranks.",
			Fix:     "Use the configuration that it was written with.",
		},
		Hides: rule.FollowAnError,
	},
	{
		ID: "pickle-spawn-error", Stage: train.StageProgress,
		Meaning:  "A process could not be started as the program wants.",
		Evidence: "`Can't pickle local object`, `Cannot re-initialize CUDA in forked subprocess`.",
		Fix:      "Start processes with spawn or forkserver, and give them functions of a module: lambdas and inner functions cannot be sent to another process.",
		Text: logs.Words{
			Title:   "A worker process could not be started",
			Meaning: "Objects cannot be passed to it, or CUDA was used before the fork.",
			Fix:     "Start processes with spawn, under if __name__ == \"__main__\".",
		},
		Hides: rule.FollowAnError,
	},
	{
		ID: "deepspeed-init", Stage: train.StageProgress,
		Meaning:  "DeepSpeed could not start.",
		Evidence: "`Check batch related parameters`, `CUDAMismatchException`, `Unable to JIT load`.",
		Fix:      "Correct what the error names in the DeepSpeed configuration, or build its operators into the image (DS_BUILD_OPS=1).",
		Text: logs.Words{
			Title:   "The training setup does not fit",
			Meaning: "Batch sizes, CUDA versions or compiled extensions.",
			Fix:     "Correct what the message names.",
		},
		Hides: rule.FollowAnError,
	},
	{
		ID: "ray-worker-died", Stage: train.StageProgress,
		Meaning:  "A Ray worker or actor died.",
		Evidence: "`The actor died unexpectedly`, `ActorDiedError`.",
		Fix:      "Read why it died: the exit type in the error, then the raylet's log on that node (/tmp/ray/session_latest/logs); often the node ran out of memory.",
		Text: logs.Words{
			Title:   "A Ray worker died",
			Meaning: "Its exit type says why: memory, a crash, a lost node.",
			Fix:     "Look at the exit type and the raylet's log. $ ray list workers",
		},
		Hides: rule.WrapAnEnd,
	},
	{
		ID: "tpu-init", Stage: train.StageProgress,
		Meaning:  "The TPU could not be used.",
		Evidence: "`The TPU is already in use by process`, `Unable to initialize backend 'tpu'`.",
		Fix:      "See that all hosts of the slice run, and that no other process or pod uses the TPU.",
		Text: logs.Words{
			Title:   "The TPU could not be used",
			Meaning: "Another process holds it, or not all hosts of the slice are there.",
			Fix:     "See that all hosts of the slice run, and no other process uses it.",
		},
		Hides: rule.FollowAnEnd,
	},
	{
		ID: "neuron-init-failed", Stage: train.StageProgress,
		Meaning:  "The Neuron devices could not be used.",
		Evidence: "`nrt_init` errors, `No neuron device available`, `NERR_RESOURCE_NC`.",
		Fix:      "Ask for aws.amazon.com/neuron in the resources, and end processes that still hold the devices (neuron-ls lists them).",
		Text: logs.Words{
			Title:   "The Neuron devices could not be used",
			Meaning: "Another process holds the cores, or the pod has none.",
			Fix:     "Check limits aws.amazon.com/neuron. $ neuron-ls",
		},
		Hides: rule.FollowAnEnd,
	},
	{
		ID: "python-exception", Stage: train.StageProgress,
		Meaning:  "The program ended with a Python exception.",
		Evidence: "Traceback with its last line `Type: message`.",
		Fix:      "Look at the line of your own code that the evidence names, and read the traceback from its last line upwards.",
		Text: logs.Words{
			Title:   "A Python exception",
			Meaning: "The program ended with an error of its own.",
			Fix:     "Read the traceback from its last line upwards.",
		},
		Hides: rule.FollowAnEnd,
	},
	{
		ID: "torchrun-child-failed", Stage: train.StageProgress,
		Meaning:  "torchrun reports that a process of its own failed: only a wrapper.",
		Evidence: "`ChildFailedError`, `Root Cause (first observed failure)`.",
		Fix:      "Read the log of the rank that the report names as root cause; the decorator @record on main() makes the report say more.",
		Text: logs.Words{
			Title:   "A process of the job failed",
			Meaning: "The launcher's report; the error itself stands above it or in that rank's log.",
			Fix:     "Read that rank's log from the end upwards.\nDecorate main with torch.distributed.elastic.multiprocessing.errors.record to see its traceback in the report.",
		},
		Hides: []train.Cause{"application-error"},
	},
}
