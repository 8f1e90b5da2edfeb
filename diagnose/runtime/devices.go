package runtime

import (
	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// devicesCauses are about GPUs, drivers and links.
// Lines of logs tell of them: sources/signatures knows the texts.
var devicesCauses = []*rule.Cause{
	{
		ID: "device-side-assert", Stage: train.StageProgress,
		Meaning:  "A kernel's own check failed: most often an index out of range.",
		Evidence: "`device-side assert triggered`; the first Assertion line is the cause.",
		Fix:      "Check that labels are smaller than the number of classes and token ids smaller than the vocabulary. Run once with CUDA_LAUNCH_BLOCKING=1: the traceback then names the line.",
		Text: logs.Words{
			Title:   "A CUDA kernel met an index out of range",
			Meaning: "Labels or token ids beyond the number of classes or the vocabulary; all later CUDA calls fail too.",
			Fix:     "Check labels and vocabulary size; run once with CUDA_LAUNCH_BLOCKING=1.",
		},
		Hides: rule.FollowAnEnd,
	},
	{
		ID: "illegal-memory-access", Stage: train.StageProgress,
		Meaning:  "A kernel read or wrote memory that is not its own.",
		Evidence: "`an illegal memory access was encountered`, Xid 13 or 31.",
		Fix:      "Run once with CUDA_LAUNCH_BLOCKING=1 or under compute-sanitizer to find the kernel. If it is always the same GPU, suspect the hardware and take that node out.",
		Text: logs.Words{
			Title:   "A CUDA kernel used a wrong address",
			Meaning: "A fault of a kernel, or of the GPU when it is always the same one.",
			Fix:     "Run with CUDA_LAUNCH_BLOCKING=1; if it stays on one GPU, take that node out.",
		},
		Hides: rule.FollowAnEnd,
	},
	{
		ID: "cuda-unknown-error", Stage: train.StageProgress,
		Meaning:  "CUDA reports an error without a name; an Xid of the node may tell more.",
		Evidence: "`CUDA error: unknown error`, `unspecified launch failure`.",
		Fix:      "Look for an Xid in the kernel log of the node (dmesg, or kubectl describe node where an agent reports it): its number says what to do.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "cuda-arch-mismatch", Stage: train.StageProgress,
		Meaning:  "The program has no code for this GPU's compute capability.",
		Evidence: "`no kernel image is available for execution on the device`, `sm_120 is not compatible`.",
		Fix:      "Install a build of PyTorch, and of extensions, that was made for this GPU (TORCH_CUDA_ARCH_LIST), or select nodes with another GPU model.",
		Text: logs.Words{
			Title:   "The program has no code for this GPU",
			Meaning: "It was built for other compute capabilities.",
			Fix:     "Use a build for this GPU, or select other nodes.",
		},
		Hides: rule.FollowAnEnd,
	},
	{
		ID: "no-gpu-visible", Stage: train.StageProgress,
		FromMessages: true,
		Meaning:      "The program sees no GPU.",
		Evidence:     "`Found no NVIDIA driver`, `No CUDA GPUs are available`, `libcuda.so.1: cannot open`.",
		Fix:          "Ask for GPUs in the container's limits (nvidia.com/gpu: 1). If it does, check that CUDA_VISIBLE_DEVICES is not empty and that the pod's runtime class is the NVIDIA one.",
		Text: logs.Words{
			Title:   "No GPU is visible in the container",
			Meaning: "No GPU was asked for, CUDA_VISIBLE_DEVICES is empty, or the runtime does not pass it on.",
			Fix:     "Check limits nvidia.com/gpu and the runtime class. $ nvidia-smi",
		},
		Hides: []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "python-import-error"},
	},
	{
		ID: "gpu-xid-error", Stage: train.StageProgress,
		Meaning:  "The driver reported an error of the GPU (Xid).",
		Evidence: "Kernel `NVRM: Xid`, DCGM_FI_DEV_XID_ERRORS.",
		Fix:      "Look the number up in docs/signals.md: it says what to do. For most of them: drain the node (kubectl drain), reset the GPU, and start the job elsewhere.",
		Text: logs.Words{
			Title:   "The GPU reported a fault",
			Meaning: "The driver logged an Xid, or CUDA fails without telling why.",
			Fix:     "Look for Xid lines in the node's kernel log. $ dmesg -T\nDrain the node and reset the GPU.",
		},
		Hides: rule.FollowAnEnd,
	},
	{
		ID: "gpu-fell-off-bus", Stage: train.StageProgress,
		FromMessages: true,
		Meaning:      "The GPU is no longer reachable over PCIe (Xid 79).",
		Evidence:     "Xid 79, `fallen off the bus`, `GPU is lost`.",
		Fix:          "Cordon the node (kubectl cordon), start the job elsewhere, and reboot the node. If it repeats, have the board replaced.",
		Text: logs.Words{
			Title:   "The GPU fell off the bus",
			Meaning: "Power, heat or the PCIe slot; the node needs a reboot.",
			Fix:     "Drain and reboot the node; replace the GPU when it repeats.",
		},
		Hides: []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "gpu-xid-error"},
	},
	{
		ID: "gpu-ecc-error", Stage: train.StageProgress,
		Meaning:  "The GPU's memory has an error that cannot be corrected.",
		Evidence: "`uncorrectable ECC error encountered`, Xid 48, 63, 64, 94, 95.",
		Fix:      "Cordon and drain the node (kubectl drain), reset the GPU, and start the job elsewhere. If it comes back, have the board replaced.",
		Text: logs.Words{
			Title:   "The GPU's memory is damaged",
			Meaning: "Uncorrectable memory errors.",
			Fix:     "Drain the node, reset the GPU, replace it when it repeats. $ nvidia-smi -q -d ECC,ROW_REMAPPER",
		},
		Hides: []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "gpu-xid-error"},
	},
	{
		ID: "nvlink-error", Stage: train.StageProgress,
		Meaning:  "The links between GPUs have an error.",
		Evidence: "Xid 74 or 144 to 150, `fabric manager`, `system not yet initialized`.",
		Fix:      "Check that the fabric manager runs on the node, then reset its GPUs. Until then start the job on other nodes.",
		Text: logs.Words{
			Title:   "NVLink or NVSwitch failed",
			Meaning: "A link between GPUs, or the fabric manager that sets it up.",
			Fix:     "Check the fabric manager and the links; reset the GPUs. $ nvidia-smi nvlink -s",
		},
		Hides: []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "gpu-xid-error"},
	},
	{
		ID: "network-hw-degraded", Stage: train.StageProgress,
		Meaning:  "A network adapter or its link has an error.",
		Evidence: "mlx5 `Cable unplugged`, link_downed counters.",
		Fix:      "Have the adapter, its cable and the port of the switch checked (ibstat on the node). Until then start the job on other nodes.",
		Text: logs.Words{
			Title:   "A network card or cable is faulty",
			Meaning: "The card lost its link, power or health.",
			Fix:     "Check the cable and the port. $ ibstat",
		},
		Hides: []train.Cause{"nccl-ib-error"},
	},
	{
		ID: "sighup-received", Stage: train.StageProgress,
		Meaning:  "The terminal or session that started the program ended.",
		Evidence: "`got signal: 1`.",
		Fix:      "Start it as a job of its own, or with nohup or tmux, so that it does not end with the terminal.",
		Hides:    rule.WrapAnEnd,
	},
}
