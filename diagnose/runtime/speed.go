package runtime

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// speedCauses are about what makes a job slow; measurements show it.
var speedCauses = []*rule.Cause{
	{
		ID: "low-gpu-utilisation", Stage: train.StageSpeed,
		Words: logfindings.Words{
			Title:   "The GPUs do little",
			Meaning: "The GPUs do little while the job runs.",
			Fix:     "See whether the job still does something; if so, look at its data loader first, then profile it (torch.profiler, nsys). A job that no longer needs its GPUs should give them back.",
		},
		Evidence: "SM activity low over minutes.",
		FromPast: true,
	},
	{
		ID: "network-bound", Stage: train.StageSpeed,
		Words: logfindings.Words{
			Title:   "The GPUs wait for the network",
			Meaning: "The GPUs wait for gradients of other ranks: the network between the nodes is at its limit, or the job does not use the fast one.",
			Fix: "See which network NCCL takes: NCCL_DEBUG=INFO prints NET/IB or NET/Socket. Where the nodes have InfiniBand, RoCE or EFA, give the pods its device and set NCCL_IB_HCA or install its plugin.\n" +
				"Where the network is full, send less: accumulate gradients over more batches, compress them, or put the ranks on fewer nodes.",
		},
		Evidence: "SM activity or power low on several nodes while their network cards carry more than 80 % of their rate, or while TCP carries what InfiniBand beside it does not (node_network_*, node_infiniband_*); `NET/Socket` in NCCL's lines where InfiniBand exists.",
	},
	{
		ID: "slow-gpu", Stage: train.StageSpeed,
		Words: logfindings.Words{
			Title:   "One GPU is slower than the others",
			Meaning: "One GPU is slower than those of the other ranks, and they wait for it.",
			Fix:     "Move the rank to another node: cordon its node, and delete its pod once a checkpoint is saved.",
		},
		Evidence: "Clocks, power or activity below the job's median.",
		Hides:    []train.Cause{"straggler"},
	},
	{
		ID: "thermal-throttle", Stage: train.StageSpeed,
		Words: logfindings.Words{
			Title:   "A GPU runs slower because it is too hot",
			Meaning: "A GPU runs slower because it is too hot. Every rank waits for the slowest, so one hot GPU holds back the whole job.",
			Fix:     "Move the job off this node (kubectl cordon it), and have its cooling checked: fans, air flow, the room.",
		},
		Evidence: "Throttle reasons for heat; temperature near its limit.",
		Hides:    []train.Cause{"slow-gpu", "straggler"},
	},
	{
		ID: "power-cap", Stage: train.StageSpeed,
		Words: logfindings.Words{
			Title:   "A GPU runs slower because its power is limited",
			Meaning: "A GPU runs slower because its power is limited. A power brake comes from the power supply and halves the clocks; a software power cap is usual at full load and matters only where the clocks are low.",
			Fix: "Compare clocks and power limit with those of other nodes. $ nvidia-smi -q -d POWER,CLOCK,PERFORMANCE\n" +
				"Have the power supply checked if it is a power brake.",
		},
		Evidence: "Throttle reason power cap with low clocks, or power brake.",
		Hides:    []train.Cause{"slow-gpu", "straggler"},
	},
	{
		ID: "pcie-degraded", Stage: train.StageSpeed,
		Words: logfindings.Words{
			Title:   "A PCIe link runs below what it could",
			Meaning: "A GPU's PCIe link is slower or narrower than it should be, so copies to and from the GPU or the network card behind it take longer. A link that has fewer GT/s only while nothing is sent is healthy.",
			Fix: "Look at it again under load. $ nvidia-smi --query-gpu=pcie.link.gen.current,pcie.link.gen.max,pcie.link.width.current,pcie.link.width.max --format=csv\n" +
				"If it stays so, move the job off this node, and have the card reseated.",
		},
		Evidence: "Link width or generation below its best under load.",
		Hides:    []train.Cause{"slow-gpu", "straggler"},
	},
	{
		ID: "cpu-throttled", Stage: train.StageSpeed,
		Words: logfindings.Words{
			Title:   "The container uses up its CPU limit",
			Meaning: "The container uses up its CPU limit, and the kernel throttles it.",
			Fix:     "Raise limits.cpu of the container, or remove the limit; set OMP_NUM_THREADS to what the limit allows each process.",
		},
		Evidence: "More than 25 % of the periods throttled.",
		Hides:    []train.Cause{"dataloader-bound", "low-gpu-utilisation"},
	},
	{
		ID: "swap-or-memory-pressure", Stage: train.StageSpeed,
		Words: logfindings.Words{
			Title:   "The node or container is short of memory",
			Meaning: "The node or container is short of memory, which slows it down before anything is killed.",
			Fix: "Raise limits.memory and requests.memory of the container, or use less: fewer data loader workers, smaller caches.\n" +
				"Where the node as a whole is short, see what else runs there. $ kubectl top pods -A --sort-by=memory",
		},
		Evidence:    "Node condition MemoryPressure; pages swapped, time waited for memory (PSI: node_pressure_memory_*, container_pressure_memory_*), a working set at the container's limit.",
		Needs:       []schema.GroupKind{kinds.NodeKind},
		FromMetrics: true,
		Find:        func(s *rule.JobContext) []train.Finding { return s.RanksUnderPressure(corev1.NodeMemoryPressure) },
	},
	{
		ID: "numa-misplacement", Stage: train.StageSpeed,
		Words: logfindings.Words{
			Title:   "No node gives CPUs and GPUs from one NUMA node",
			Meaning: "The pod's CPUs and GPUs are not on one NUMA node: they are far from each other, or nodes have enough in all but not on one socket, as the topology policy demands.",
			Fix: "See what each NUMA node has. $ kubectl describe noderesourcetopologies\n" +
				"Ask for what one NUMA node has, with whole CPUs and requests equal to limits, or use another topology policy.\n" +
				"Have the kubelet of these nodes started with --topology-manager-policy=single-numa-node and --cpu-manager-policy=static.",
		},
		Evidence: "CPU set against the GPU's NUMA node.",
	},
}
