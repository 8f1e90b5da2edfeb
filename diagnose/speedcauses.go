package diagnose

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
)

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
		meaning:  "The GPUs wait for their gradients: the network between the nodes has no more to give, or the job does not use the fast one.",
		evidence: "SM activity or power low on several nodes while their network cards carry more than 80 % of their rate, or while TCP carries what InfiniBand beside it does not (node_network_*, node_infiniband_*); `NET/Socket` in NCCL's lines where InfiniBand exists.",
		fix:      "See which network NCCL takes (NCCL_DEBUG=INFO prints NET/IB or NET/Socket). Where InfiniBand, RoCE or EFA is there, give the pods its device and set NCCL_IB_HCA or install its plugin; where the network is full, send less: accumulate gradients over more batches, compress them, or put the ranks on fewer nodes.",
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
		text: logs.Words{
			Title:   "A GPU runs slower because it is too hot",
			Meaning: "Every rank waits for the slowest: one hot GPU holds back the whole job.",
			Fix:     "Move the job off this node, and have its cooling looked at: fans, air flow, the room.",
		},
		hides: []train.Cause{"slow-gpu", "straggler"},
	},
	{
		id: "power-cap", stage: train.StageSpeed,
		meaning:  "A GPU runs slower because its power is limited.",
		evidence: "Throttle reason power cap with low clocks, or power brake.",
		fix:      "Compare the power limit with that of other nodes (nvidia-smi -q -d POWER); a power brake is the power supply's: have it looked at.",
		text: logs.Words{
			Title:   "A GPU's clocks are held down for its power",
			Meaning: "A power brake comes of the power supply and halves the clocks; a software power cap is usual at full load and matters where the clocks are low.",
			Fix:     "Compare clocks and power limit with those of other nodes. $ nvidia-smi -q -d POWER,CLOCK,PERFORMANCE\nHave the power supply looked at if it is a power brake.",
		},
		hides: []train.Cause{"slow-gpu", "straggler"},
	},
	{
		id: "pcie-degraded", stage: train.StageSpeed,
		meaning:  "A GPU's PCIe link is slower or narrower than it should be.",
		evidence: "Link width or generation below its best under load.",
		fix:      "Move the job off this node, and have the board reseated; links that slow down only while nothing is sent are healthy.",
		text: logs.Words{
			Title:   "A PCIe link runs below what it could",
			Meaning: "Copies to and from the GPU or network card behind it take longer; a link that only has fewer GT/s while nothing is sent is healthy.",
			Fix:     "Look at it again under load. $ nvidia-smi --query-gpu=pcie.link.gen.current,pcie.link.gen.max,pcie.link.width.current,pcie.link.width.max --format=csv\nHave the board reseated if it stays so.",
		},
		hides: []train.Cause{"slow-gpu", "straggler"},
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
		meaning:     "The node or container is short of memory, which slows it down before anything is killed.",
		evidence:    "Node condition MemoryPressure; pages swapped, time waited for memory (PSI: node_pressure_memory_*, container_pressure_memory_*), a working set at the container's limit.",
		fix:         "Raise limits.memory and requests.memory of the container, or use less: fewer data loader workers, smaller caches. Where the node as a whole is short, see what else runs there (kubectl top pods -A --sort-by=memory).",
		needs:       []schema.GroupKind{kinds.NodeKind},
		fromMetrics: true,
		find:        func(s *jobContext) []train.Finding { return s.ranksUnderPressure(corev1.NodeMemoryPressure) },
	},
	{
		id: "numa-misplacement", stage: train.StageSpeed,
		meaning:  "The processors given to the pod are far from its GPU.",
		evidence: "CPU set against the GPU's NUMA node.",
		fix:      "Have the kubelet of these nodes started with --topology-manager-policy=single-numa-node and --cpu-manager-policy=static, and ask for whole CPUs with requests equal to limits.",
		text: logs.Words{
			Title:   "No node can give the CPUs and GPUs from one NUMA node",
			Meaning: "The nodes have enough in all, but not on one socket as the topology policy asks.",
			Fix:     "Ask for what one NUMA node has, or use another topology policy. $ kubectl describe noderesourcetopologies",
		},
	},
}
