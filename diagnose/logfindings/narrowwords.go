package logfindings

import (
	"regexp"

	"github.com/traintop/traintop/train"
)

// narrowWords are words for lines that name something narrower than their
// cause. The first entry whose cause and pattern fit a line counts.
var narrowWords = []struct {
	cause train.Cause
	text  *regexp.Regexp
	words Words
}{
	{"mpi-launcher-ssh-failure", regexp.MustCompile(`not enough slots available|not enough node entries|processes than the ppr for|are already filled|no allocated resources for`), Words{
		Title:   "The launcher has fewer slots than processes were asked for",
		Meaning: "mpirun counts the slots of the hosts it was given, and they are fewer than the processes of -np. No connection was tried.",
		Fix: "Compare -np with the sum of slots= in the hostfile: of an MPIJob, slotsPerWorker times the number of workers.\n" +
			"Without a hostfile a host has as many slots as cores: give --map-by :OVERSUBSCRIBE only where that is meant. See whether all workers run. $ kubectl get pods -o wide",
	}},
	{"parallel-sizes-mismatch", regexp.MustCompile(`(?i)\bbatch.?size`), Words{
		Title:   "The batch sizes do not fit each other or the number of ranks",
		Meaning: "The global batch has to be a multiple of what all data-parallel ranks take in one step (micro batch times data-parallel size), and it is not.",
		Fix: "Change the global or the micro batch size, so that the line's division leaves nothing.\n" +
			"The data-parallel size is the number of ranks divided by the parallel sizes. See whether all pods run: with fewer nodes than planned it is smaller. $ kubectl get pods -o wide",
	}},
	{"python-import-error", regexp.MustCompile(`\(from versions: [0-9v]`), Words{
		Title:   "pip finds no such version of a package",
		Meaning: "The index answered and has other versions of the package, which the line lists: the one that is asked for does not exist, or not for this Python and this platform.",
		Fix: "Ask for one of the versions that the line lists, or use the Python that the version was built for.\n" +
			"Give the index that has it (--index-url, --extra-index-url), as PyTorch's own has builds such as +cu121.",
	}},
	{"python-import-error", regexp.MustCompile(`No matching distribution found for `), Words{
		Title:   "pip finds no package that fits",
		Meaning: "The index has no such version of the package for this Python and this platform, or was not reached: the line above says which versions pip found.",
		Fix:     "Read the line above it: after \"from versions:\" are those that there are; \"none\" means that the name is wrong or the index was not reached.",
	}},
	{"nccl-init-failure", regexp.MustCompile(`Duplicate GPU detected`), Words{
		Title:   "Two ranks use the same GPU",
		Meaning: "Two ranks of one communicator chose the same GPU, which NCCL refuses. The network is not what is wrong.",
		Fix: "Let each process use the GPU of its local rank: torch.cuda.set_device(LOCAL_RANK) before the process group is made, and not the same CUDA_VISIBLE_DEVICES for all processes of a node.\n" +
			"Compare the GPUs of the container with its processes (nproc_per_node). $ nvidia-smi -L",
	}},
	{"nccl-ib-error", regexp.MustCompile(`ibv_(?:create_cq|reg_mr|create_qp|alloc_pd|create_srq)\w*\b[^\n]*Cannot allocate memory|RLIMIT_MEMLOCK`), Words{
		Title:   "RDMA could not lock memory: the limit of locked memory is too low (RLIMIT_MEMLOCK)",
		Meaning: "InfiniBand and RoCE transfer from memory that is locked, and the process may lock less than they need (ulimit -l). Cable and peer are not what is wrong.",
		Fix: "See the limit inside the container: ulimit -l, or \"Max locked memory\" in /proc/1/limits. It should be unlimited.\n" +
			"Raise it in the container runtime of the node (LimitMEMLOCK=infinity of its systemd unit), and give the container the capability IPC_LOCK.",
	}},
	{"gpu-xid-error", regexp.MustCompile(`unspecified launch failure|[lL]aunch_?(?:Failure|Timeout|TimeOut)|LAUNCH_(?:FAILED|TIMEOUT)|launch timed out`), Words{
		Title:   "A kernel failed on the GPU, and CUDA does not say why",
		Meaning: "CUDA says only that a kernel did not end as it should. An Xid in the kernel log of the node may explain it; without one, the kernel itself may have used a wrong address.",
		Fix: "Look for an Xid in the kernel log of the node: its number says what to do. $ dmesg -T\n" +
			"Run once with CUDA_LAUNCH_BLOCKING=1: the traceback then names the call. If it is always the same GPU, take its node out.",
	}},
	{"nan-loss", regexp.MustCompile(`[lL]oss scale`), Words{
		Title:   "The loss scale has fallen to its minimum, and the program gave up",
		Meaning: "Gradients overflow at every scale: the loss or the gradients are no longer numbers, and the program ends itself.",
		Fix:     "Use bf16 instead of fp16 if the GPU has it; otherwise lower the learning rate and clip gradients, and look at the batches of these steps.",
	}},
	{"device-allocation-failed", regexp.MustCompile(`OutOf[a-z]|Topology ?Affinity ?Error|Topology locality|Node didn't have enough resource|Predicate \w+ failed|SMT Alignment|\b(?:NodeAffinity|NodePorts|MatchNodeSelector|PodFitsHostPorts)\b`), Words{
		Title:   "The node rejected the pod",
		Meaning: "The pod was bound to a node, and the kubelet there did not admit it: too little was free, or node and pod do not match. The pod never ran, and the kubelet does not try it again.",
		Fix: "See what the node has and what its pods hold. $ kubectl describe nodes\n" +
			"Start the job again once it fits; if it repeats, see who binds pods to this node without asking the scheduler (spec.nodeName, a second scheduler).",
	}},
	{"cuda-out-of-memory", regexp.MustCompile(`\bTPU\b|\bmemory space (?:hbm|vmem|smem)\b|\bhbm capacity\b`), deviceFull("TPU")},
	{"cuda-out-of-memory", regexp.MustCompile(`\bNPU out of memory|\bNPU \d|\bEL0004\b`), deviceFull("NPU")},
	{"cuda-out-of-memory", regexp.MustCompile(`\bHPU out of memory|\bHPU \d`), deviceFull("HPU")},
	{"cuda-out-of-memory", regexp.MustCompile(`\bXPU out of memory|\bXPU \d`), deviceFull("XPU")},
}

// deviceFull returns the words for an accelerator other than a GPU whose memory
// is used up.
func deviceFull(device string) Words {
	return Words{
		Title:   "The " + device + " ran out of memory",
		Meaning: "The " + device + "'s memory is used up: the tensors do not fit beside what is already allocated.",
		Fix:     "Lower the batch size or sequence length, or turn on activation checkpointing (rematerialisation) or sharding.",
	}
}

// narrower returns the words for a line that names something narrower than its
// cause.
func narrower(hit *train.LogHit) (w Words, found bool) {
	for i := range narrowWords {
		if n := &narrowWords[i]; n.cause == hit.Cause && n.text.MatchString(hit.Text) {
			return n.words, true
		}
	}
	return w, false
}

// deviceUnknown are the words for a device that was allocated and that the container
// runtime cannot give to the container.
var deviceUnknown = Words{
	Title:   "The container runtime could not give the container its device",
	Meaning: "A device plugin or the driver of a resource claim allocated a device, and the node's container runtime does not know it or failed to prepare it: its description (CDI) is missing or older than the devices, as after a reboot or a change of the driver. The container never started.",
	Fix: "See what the runtime knows on that node: nvidia-ctk cdi list, and the files in /etc/cdi and /var/run/cdi.\n" +
		"Restart the pod on the node that writes them (the device plugin, or the driver of the resource claim), then delete the pod so that it is made again. $ kubectl get pods -A -o wide",
}
