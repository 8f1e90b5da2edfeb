package diagnose

import "github.com/traintop/traintop/train"

// programsCauses are about errors of the program and what it loads.
// Lines of logs tell of them: diagnose/signatures knows the texts.
var programsCauses = []*cause{
	{
		id: "python-import-error", stage: train.StageProgress,
		meaning:  "A Python module or a library is missing.",
		evidence: "`ModuleNotFoundError`, `ImportError: libX.so.N: cannot open shared object file`, `undefined symbol`.",
		fix:      "Install it in the image; versions must go together.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "python-exception"},
	},
	{
		id: "file-not-found", stage: train.StageProgress,
		meaning:  "A file or folder is not where the program looks for it.",
		evidence: "`FileNotFoundError: [Errno 2] No such file or directory`.",
		fix:      "Check the path and what is mounted there.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "python-exception"},
	},
	{
		id: "dataset-download-failure", stage: train.StageProgress,
		meaning:  "Data could not be fetched.",
		evidence: "`ConnectionError: Couldn't reach ...`, `MaxRetryError`, `NoCredentialsError`, `AccessDenied`.",
		fix:      "Egress, proxy, credentials; or a mirror.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "python-exception"},
	},
	{
		id: "hf-hub-auth", stage: train.StageProgress,
		meaning:  "The Hugging Face hub refuses: no token, or no grant for a gated repository.",
		evidence: "`GatedRepoError`, `401/403 Client Error`, `RepositoryNotFoundError`.",
		fix:      "Set HF_TOKEN from a Secret and accept the terms.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "python-exception"},
	},
	{
		id: "wandb-timeout", stage: train.StageProgress,
		meaning:  "Weights & Biases does not answer or refuses the key.",
		evidence: "`Run initialization has timed out`, `CommError`, `api_key not configured`.",
		fix:      "Egress, the key, or WANDB_MODE=offline.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "python-exception"},
	},
	{
		id: "checkpoint-corrupt", stage: train.StageProgress,
		meaning:  "A checkpoint or model file is damaged or cut off.",
		evidence: "`failed finding central directory`, `invalid load key`, safetensors `HeaderTooLarge`.",
		fix:      "Use an earlier checkpoint, fetch the file again.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "python-exception"},
	},
	{
		id: "checkpoint-missing", stage: train.StageProgress,
		meaning:  "There is no checkpoint where one is expected.",
		evidence: "`Error no file named pytorch_model.bin`, `Can't find a valid checkpoint at`.",
		fix:      "Correct the path; harmless on a first start with automatic resume.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "python-exception"},
	},
	{
		id: "checkpoint-shape-mismatch", stage: train.StageProgress,
		meaning:  "The checkpoint is of another model or another world size.",
		evidence: "`size mismatch for X`, `Missing key(s) in state_dict`.",
		fix:      "Correct the configuration.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "python-exception"},
	},
	{
		id: "pickle-spawn-error", stage: train.StageProgress,
		meaning:  "A process could not be started as the program wants.",
		evidence: "`Can't pickle local object`, `Cannot re-initialize CUDA in forked subprocess`.",
		fix:      "Use spawn or forkserver, and functions of a module.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "python-exception"},
	},
	{
		id: "deepspeed-init", stage: train.StageProgress,
		meaning:  "DeepSpeed could not start.",
		evidence: "`Check batch related parameters`, `CUDAMismatchException`, `Unable to JIT load`.",
		fix:      "Correct its configuration, or build its operators beforehand.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "python-exception"},
	},
	{
		id: "ray-worker-died", stage: train.StageProgress,
		meaning:  "A Ray worker or actor died.",
		evidence: "`The actor died unexpectedly`, `ActorDiedError`.",
		fix:      "Read the raylet's log; its exit type tells.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed"},
	},
	{
		id: "tpu-init", stage: train.StageProgress,
		meaning:  "The TPU could not be used.",
		evidence: "`The TPU is already in use by process`, `Unable to initialize backend 'tpu'`.",
		fix:      "All hosts of the slice must run; end the other process.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt"},
	},
	{
		id: "neuron-init-failed", stage: train.StageProgress,
		meaning:  "The Neuron devices could not be used.",
		evidence: "`nrt_init` errors, `No neuron device available`, `NERR_RESOURCE_NC`.",
		fix:      "Ask for aws.amazon.com/neuron; end old processes.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt"},
	},
	{
		id: "python-exception", stage: train.StageProgress,
		meaning:  "The program ended with a Python exception.",
		evidence: "Traceback with its last line `Type: message`.",
		fix:      "Read the traceback; the frame of your own code is shown.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt"},
	},
	{
		id: "torchrun-child-failed", stage: train.StageProgress,
		meaning:  "torchrun reports that a process of its own failed: only a wrapper.",
		evidence: "`ChildFailedError`, `Root Cause (first observed failure)`.",
		fix:      "Read that rank's log; @record makes the report say more.",
		hides:    []train.Cause{"application-error"},
	},
}
