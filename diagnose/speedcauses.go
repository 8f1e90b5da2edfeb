package diagnose

import "github.com/traintop/traintop/train"

// speedCauses are about what makes a job slow; measurements tell of it.
var speedCauses = []*cause{
	{
		id: "low-gpu-utilisation", stage: train.StageSpeed,
		meaning:  "The GPUs do little while the job runs.",
		evidence: "SM activity low over minutes.",
		fix:      "Profile it; look at the data loader first.",
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
		fix:      "Move the rank to another node.",
	},
	{
		id: "thermal-throttle", stage: train.StageSpeed,
		meaning:  "A GPU runs slower because it is too hot.",
		evidence: "Throttle reasons for heat; temperature near its limit.",
		fix:      "Cooling.",
	},
	{
		id: "power-cap", stage: train.StageSpeed,
		meaning:  "A GPU runs slower because its power is limited.",
		evidence: "Throttle reason power cap with low clocks, or power brake.",
		fix:      "The power limit, the power supply.",
	},
	{
		id: "pcie-degraded", stage: train.StageSpeed,
		meaning:  "A GPU's PCIe link is slower or narrower than it should be.",
		evidence: "Link width or generation below its best under load.",
		fix:      "Reseat the board.",
	},
	{
		id: "cpu-throttled", stage: train.StageSpeed,
		meaning:  "The container uses up its CPU limit and is held back.",
		evidence: "More than 25 % of the periods throttled.",
		fix:      "Raise limits.cpu; set OMP_NUM_THREADS.",
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
