package runtime

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// speedCauses are about what makes a job slow; measurements tell of it.
var speedCauses = []*rule.Cause{
	{
		ID: "low-gpu-utilisation", Stage: train.StageSpeed,
		Meaning:  "The GPUs do little while the job runs.",
		Evidence: "SM activity low over minutes.",
		Fix:      "See whether the job still does something; if so, look at its data loader first, then profile it (torch.profiler, nsys). A job that needs no GPU any more should give them back.",
	},
	{
		ID: "network-bound", Stage: train.StageSpeed,
		Meaning:  "The GPUs wait for their gradients: the network between the nodes has no more to give, or the job does not use the fast one.",
		Evidence: "SM activity or power low on several nodes while their network cards carry more than 80 % of their rate, or while TCP carries what InfiniBand beside it does not (node_network_*, node_infiniband_*); `NET/Socket` in NCCL's lines where InfiniBand exists.",
		Fix:      "See which network NCCL takes (NCCL_DEBUG=INFO prints NET/IB or NET/Socket). Where InfiniBand, RoCE or EFA is there, give the pods its device and set NCCL_IB_HCA or install its plugin; where the network is full, send less: accumulate gradients over more batches, compress them, or put the ranks on fewer nodes.",
	},
	{
		ID: "slow-gpu", Stage: train.StageSpeed,
		Meaning:  "One GPU is slower than those of the other ranks.",
		Evidence: "Clocks, power or activity below the job's median.",
		Fix:      "Move the rank to another node: cordon its node, and delete its pod once a checkpoint is saved.",
		Hides:    []train.Cause{"straggler"},
	},
	{
		ID: "thermal-throttle", Stage: train.StageSpeed,
		Meaning:  "A GPU runs slower because it is too hot.",
		Evidence: "Throttle reasons for heat; temperature near its limit.",
		Fix:      "Move the job off this node (kubectl cordon it), and have its cooling looked at: fans, air flow, the room.",
		Text: logs.Words{
			Title:   "A GPU runs slower because it is too hot",
			Meaning: "Every rank waits for the slowest: one hot GPU holds back the whole job.",
			Fix:     "Move the job off this node, and have its cooling looked at: fans, air flow, the room.",
		},
		Hides: []train.Cause{"slow-gpu", "straggler"},
	},
	{
		ID: "power-cap", Stage: train.StageSpeed,
		Meaning:  "A GPU runs slower because its power is limited.",
		Evidence: "Throttle reason power cap with low clocks, or power brake.",
		Fix:      "Compare the power limit with that of other nodes (nvidia-smi -q -d POWER); a power brake is the power supply's: have it looked at.",
		Text: logs.Words{
			Title:   "A GPU's clocks are held down for its power",
			Meaning: "A power brake comes of the power supply and halves the clocks; a software power cap is usual at full load and matters where the clocks are low.",
			Fix:     "Compare clocks and power limit with those of other nodes. $ nvidia-smi -q -d POWER,CLOCK,PERFORMANCE\nHave the power supply looked at if it is a power brake.",
		},
		Hides: []train.Cause{"slow-gpu", "straggler"},
	},
	{
		ID: "pcie-degraded", Stage: train.StageSpeed,
		Meaning:  "A GPU's PCIe link is slower or narrower than it should be.",
		Evidence: "Link width or generation below its best under load.",
		Fix:      "Move the job off this node, and have the board reseated; links that slow down only while nothing is sent are healthy.",
		Text: logs.Words{
			Title:   "A PCIe link runs below what it could",
			Meaning: "Copies to and from the GPU or network card behind it take longer; a link that only has fewer GT/s while nothing is sent is healthy.",
			Fix:     "Look at it again under load. $ nvidia-smi --query-gpu=pcie.link.gen.current,pcie.link.gen.max,pcie.link.width.current,pcie.link.width.max --format=csv\nHave the board reseated if it stays so.",
		},
		Hides: []train.Cause{"slow-gpu", "straggler"},
	},
	{
		ID: "cpu-throttled", Stage: train.StageSpeed,
		Meaning:  "The container uses up its CPU limit and is held back.",
		Evidence: "More than 25 % of the periods throttled.",
		Fix:      "Raise limits.cpu of the container, or take the limit away; set OMP_NUM_THREADS to what the limit allows each process.",
		Hides:    []train.Cause{"dataloader-bound", "low-gpu-utilisation"},
	},
	{
		ID: "swap-or-memory-pressure", Stage: train.StageSpeed,
		Meaning:     "The node or container is short of memory, which slows it down before anything is killed.",
		Evidence:    "Node condition MemoryPressure; pages swapped, time waited for memory (PSI: node_pressure_memory_*, container_pressure_memory_*), a working set at the container's limit.",
		Fix:         "Raise limits.memory and requests.memory of the container, or use less: fewer data loader workers, smaller caches. Where the node as a whole is short, see what else runs there (kubectl top pods -A --sort-by=memory).",
		Needs:       []schema.GroupKind{kinds.NodeKind},
		FromMetrics: true,
		Find:        func(s *rule.JobContext) []train.Finding { return s.RanksUnderPressure(corev1.NodeMemoryPressure) },
	},
	{
		ID: "numa-misplacement", Stage: train.StageSpeed,
		Meaning:  "The processors given to the pod are far from its GPU.",
		Evidence: "CPU set against the GPU's NUMA node.",
		Fix:      "Have the kubelet of these nodes started with --topology-manager-policy=single-numa-node and --cpu-manager-policy=static, and ask for whole CPUs with requests equal to limits.",
		Text: logs.Words{
			Title:   "No node can give the CPUs and GPUs from one NUMA node",
			Meaning: "The nodes have enough in all, but not on one socket as the topology policy asks.",
			Fix:     "Ask for what one NUMA node has, or use another topology policy. $ kubectl describe noderesourcetopologies",
		},
	},
}
