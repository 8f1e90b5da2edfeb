package diagnose

import "github.com/traintop/traintop/train"

// devicesCauses are about GPUs, drivers and links.
// Lines of logs tell of them: diagnose/signatures knows the texts.
var devicesCauses = []*cause{
	{
		id: "device-side-assert", stage: train.StageProgress,
		meaning:  "A kernel's own check failed: most often an index out of range.",
		evidence: "`device-side assert triggered`; the first Assertion line is the cause.",
		fix:      "Check labels and sizes; CUDA_LAUNCH_BLOCKING=1.",
		hides:    followAnEnd,
	},
	{
		id: "illegal-memory-access", stage: train.StageProgress,
		meaning:  "A kernel read or wrote memory that is not its own.",
		evidence: "`an illegal memory access was encountered`, Xid 13 or 31.",
		fix:      "compute-sanitizer; always the same GPU means hardware.",
		hides:    followAnEnd,
	},
	{
		id: "cuda-unknown-error", stage: train.StageProgress,
		meaning:  "CUDA reports an error without a name; an Xid of the node may tell more.",
		evidence: "`CUDA error: unknown error`, `unspecified launch failure`.",
		fix:      "Look for an Xid on the node.",
		hides:    followAnEnd,
	},
	{
		id: "cuda-arch-mismatch", stage: train.StageProgress,
		meaning:  "The program has no code for this GPU's compute capability.",
		evidence: "`no kernel image is available for execution on the device`, `sm_120 is not compatible`.",
		fix:      "A wheel or extension for this architecture, or other nodes.",
		hides:    followAnEnd,
	},
	{
		id: "no-gpu-visible", stage: train.StageProgress,
		told:     true,
		meaning:  "The program sees no GPU.",
		evidence: "`Found no NVIDIA driver`, `No CUDA GPUs are available`, `libcuda.so.1: cannot open`.",
		fix:      "Ask for GPUs in the container's limits; check the runtime class.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "python-import-error"},
	},
	{
		id: "gpu-xid-error", stage: train.StageProgress,
		meaning:  "The driver reported an error of the GPU (Xid).",
		evidence: "Kernel `NVRM: Xid`, DCGM_FI_DEV_XID_ERRORS.",
		fix:      "Drain the node and reset the GPU; the number says what to do.",
		hides:    followAnEnd,
	},
	{
		id: "gpu-fell-off-bus", stage: train.StageProgress,
		told:     true,
		meaning:  "The GPU is no longer reachable over PCIe (Xid 79).",
		evidence: "Xid 79, `fallen off the bus`, `GPU is lost`.",
		fix:      "Reboot the node; send the board back if it repeats.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "gpu-xid-error"},
	},
	{
		id: "gpu-ecc-error", stage: train.StageProgress,
		meaning:  "The GPU's memory has an error that cannot be corrected.",
		evidence: "`uncorrectable ECC error encountered`, Xid 48, 63, 64, 94, 95.",
		fix:      "Drain the node and reset the GPU.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "gpu-xid-error"},
	},
	{
		id: "nvlink-error", stage: train.StageProgress,
		meaning:  "The links between GPUs have an error.",
		evidence: "Xid 74 or 144 to 150, `fabric manager`, `system not yet initialized`.",
		fix:      "Reset; check the fabric manager.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "sigterm-received", "abort-sigabrt", "gpu-xid-error"},
	},
	{
		id: "network-hw-degraded", stage: train.StageProgress,
		meaning:  "A network adapter or its link has an error.",
		evidence: "mlx5 `Cable unplugged`, link_downed counters.",
		fix:      "Check adapter and cable.",
		hides:    []train.Cause{"nccl-ib-error"},
	},
	{
		id: "sighup-received", stage: train.StageProgress,
		meaning:  "The terminal or session that started the program ended.",
		evidence: "`got signal: 1`.",
		fix:      "Start it in a way that does not hang on a session.",
		hides:    wrapAnEnd,
	},
}
