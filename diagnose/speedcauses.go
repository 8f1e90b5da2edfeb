package diagnose

import "github.com/traintop/traintop/train"

// speedCauses are about what makes a job slow; measurements tell of it.
var speedCauses = []*cause{
	{
		id: "low-gpu-utilisation", stage: train.StageSpeed,
		meaning:  "The GPUs do little while the job runs.",
		evidence: "SM activity low over minutes.",
		fix:      "See whether the job still does something; if so, look at its data loader first, then profile it (torch.profiler, nsys). A job that needs no GPU any more should give them back.",
	},
	{
		id: "network-bound", stage: train.StageSpeed,
		meaning:  "Steps take longer with more nodes: the network is slow.",
		evidence: "`NET/Socket` where InfiniBand exists; low bus bandwidth.",
		fix:      "NCCL_IB_HCA, the network plugin.",
	},
	{
		id: "slow-gpu", stage: train.StageSpeed,
		meaning:  "One GPU is slower than those of the other ranks.",
		evidence: "Clocks, power or activity below the job's median.",
		fix:      "Move the rank to another node: cordon its node, and delete its pod once a checkpoint is saved.",
		hides:    []train.Cause{"straggler"},
	},
	{
		id: "thermal-throttle", stage: train.StageSpeed,
		meaning:  "A GPU runs slower because it is too hot.",
		evidence: "Throttle reasons for heat; temperature near its limit.",
		fix:      "Move the job off this node (kubectl cordon it), and have its cooling looked at: fans, air flow, the room.",
		hides:    []train.Cause{"slow-gpu", "straggler"},
	},
	{
		id: "power-cap", stage: train.StageSpeed,
		meaning:  "A GPU runs slower because its power is limited.",
		evidence: "Throttle reason power cap with low clocks, or power brake.",
		fix:      "Compare the power limit with that of other nodes (nvidia-smi -q -d POWER); a power brake is the power supply's: have it looked at.",
		hides:    []train.Cause{"slow-gpu", "straggler"},
	},
	{
		id: "pcie-degraded", stage: train.StageSpeed,
		meaning:  "A GPU's PCIe link is slower or narrower than it should be.",
		evidence: "Link width or generation below its best under load.",
		fix:      "Move the job off this node, and have the board reseated; links that slow down only while nothing is sent are healthy.",
		hides:    []train.Cause{"slow-gpu", "straggler"},
	},
	{
		id: "cpu-throttled", stage: train.StageSpeed,
		meaning:  "The container uses up its CPU limit and is held back.",
		evidence: "More than 25 % of the periods throttled.",
		fix:      "Raise limits.cpu of the container, or take the limit away; set OMP_NUM_THREADS to what the limit allows each process.",
		hides:    []train.Cause{"dataloader-bound", "low-gpu-utilisation"},
	},
	{
		id: "swap-or-memory-pressure", stage: train.StageSpeed,
		meaning:  "The node or container is short of memory and slows down.",
		evidence: "Swapping, memory pressure.",
		fix:      "More memory, or use less.",
	},
	{
		id: "numa-misplacement", stage: train.StageSpeed,
		meaning:  "The processors given to the pod are far from its GPU.",
		evidence: "CPU set against the GPU's NUMA node.",
		fix:      "A topology policy of the kubelet.",
	},
}
