package runtime

import (
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// devicesCauses are about GPUs, drivers and links. Lines of logs show them:
// sources/signatures contains the texts.
var devicesCauses = []*rule.Cause{
	{
		ID: "device-side-assert", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "A CUDA kernel met an index out of range",
			Meaning: "A check inside a CUDA kernel failed, most often an index out of range: labels or token ids beyond the number of classes or the vocabulary. All later CUDA calls fail too.",
			Fix: "Check that labels are smaller than the number of classes and token ids smaller than the vocabulary.\n" +
				"Run once with CUDA_LAUNCH_BLOCKING=1: the traceback then names the line.",
		},
		Evidence: "`device-side assert triggered`; the first Assertion line is the cause.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "illegal-memory-access", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "A CUDA kernel used a wrong address",
			Meaning: "A CUDA kernel read or wrote memory that is not its own: a fault of the kernel, or of the GPU when it is always the same one.",
			Fix:     "Run once with CUDA_LAUNCH_BLOCKING=1 or under compute-sanitizer to find the kernel. If it is always the same GPU, suspect the hardware and take that node out.",
		},
		Evidence: "`an illegal memory access was encountered`, Xid 13 or 31.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "cuda-unknown-error", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "CUDA reports an error without a name",
			Meaning: "CUDA reports an error without a name. An Xid in the kernel log of the node may explain it.",
			Fix: "Look for an Xid in the kernel log of the node: its number says what to do. $ dmesg -T\n" +
				"Look for it at the node too, where an agent reports it. $ kubectl describe nodes",
		},
		Evidence: "`async error has occurred in external entity`. `CUDA error: unknown error` and `unspecified launch failure` are gpu-xid-error.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "cuda-arch-mismatch", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "The program has no code for this GPU",
			Meaning: "The program has no code for this GPU: it was built for other compute capabilities.",
			Fix:     "Install a build of PyTorch, and of extensions, that was made for this GPU (TORCH_CUDA_ARCH_LIST), or select nodes with another GPU model.",
		},
		Evidence: "`no kernel image is available for execution on the device`, `sm_120 is not compatible`.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "no-gpu-visible", Stage: train.StageProgress,
		FromMessages: true,
		Words: logfindings.Words{
			Title:   "No GPU is visible in the container",
			Meaning: "The program sees no GPU: the container asks for none, CUDA_VISIBLE_DEVICES is empty, or the container runtime does not pass the GPU on.",
			Fix: "See which GPUs the container has. $ nvidia-smi\n" +
				"Ask for GPUs in the container's limits (nvidia.com/gpu: 1). If they are there, check that CUDA_VISIBLE_DEVICES is not empty and that the pod's runtime class is the NVIDIA one.",
		},
		Evidence: "`Found no NVIDIA driver`, `No CUDA GPUs are available`, `libcuda.so.1: cannot open`.",
		Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "python-import-error"},
	},
	{
		ID: "gpu-xid-error", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "The GPU reported a fault",
			Meaning: "The driver reported an error of the GPU (an Xid), or CUDA fails without naming an error.",
			Fix: "Look for Xid lines in the kernel log of the node. $ dmesg -T\n" +
				"Look the number up in docs/signals.md: it says what to do. For most of them: drain the node (kubectl drain), reset the GPU, and start the job elsewhere.",
		},
		Evidence: "Kernel `NVRM: Xid`, DCGM_FI_DEV_XID_ERRORS.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "gpu-fell-off-bus", Stage: train.StageProgress,
		FromMessages: true,
		Words: logfindings.Words{
			Title:   "The GPU fell off the bus",
			Meaning: "The GPU is no longer reachable over PCIe (Xid 79): power, heat or the PCIe slot. The node needs a reboot.",
			Fix:     "Cordon the node (kubectl cordon), start the job elsewhere, and reboot the node. If it repeats, have the GPU replaced.",
		},
		Evidence: "Xid 79, `fallen off the bus`, `GPU is lost`.",
		Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "gpu-xid-error"},
	},
	{
		ID: "gpu-ecc-error", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "The GPU's memory is damaged",
			Meaning: "The GPU's memory has errors that cannot be corrected (uncorrectable ECC errors).",
			Fix: "See the memory errors of the GPU. $ nvidia-smi -q -d ECC,ROW_REMAPPER\n" +
				"Cordon and drain the node (kubectl drain), reset the GPU, and start the job elsewhere. If it comes back, have the GPU replaced.",
		},
		Evidence: "`uncorrectable ECC error encountered`, Xid 48, 63, 64, 94, 95.",
		Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "gpu-xid-error"},
	},
	{
		ID: "nvlink-error", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "NVLink or NVSwitch failed",
			Meaning: "A link between GPUs has an error, or the fabric manager that sets it up does not work.",
			Fix: "See the state of the links. $ nvidia-smi nvlink -s\n" +
				"Check that the fabric manager runs on the node, then reset its GPUs. Until then start the job on other nodes.",
		},
		Evidence: "Xid 74 or 144 to 150, `fabric manager`, `system not yet initialized`.",
		Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "gpu-xid-error"},
	},
	{
		ID: "network-hw-degraded", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "A network card or cable is faulty",
			Meaning: "A network card or its link has an error: the card lost its link, power or health.",
			Fix: "See the state of the card's ports on the node. $ ibstat\n" +
				"Have the card, its cable and the port of the switch checked. Until then start the job on other nodes.",
		},
		Evidence: "mlx5 `Cable unplugged`, link_downed counters.",
		Hides:    []train.Cause{"nccl-ib-error"},
	},
	{
		ID: "sighup-received", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "The session that started the program ended",
			Meaning: "The terminal or session that started the program ended, and the program ended with it (SIGHUP).",
			Fix:     "Start it as a job of its own, or with nohup or tmux, so that it does not end with the terminal.",
		},
		Evidence: "`got signal: 1`.",
		Hides:    rule.WrapAnEnd,
	},
}
