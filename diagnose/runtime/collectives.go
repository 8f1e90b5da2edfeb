package runtime

import (
	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// collectivesCauses are about ranks that do not meet, or lose each other.
// Lines of logs tell of them: sources/signatures knows the texts.
var collectivesCauses = []*rule.Cause{
	{
		ID: "nccl-init-failure", Stage: train.StageRendezvous,
		Meaning:  "NCCL could not set up its connections before the first step.",
		Evidence: "`NCCL WARN Bootstrap : no socket interface found`, `ncclSystemError`, `ncclInternalError`, `Duplicate GPU detected`, `NCCL version mismatch`.",
		Fix:      "Set NCCL_SOCKET_IFNAME to the pods' interface, open the ports between pods, use one NCCL version everywhere.",
		Text: logs.Words{
			Title:   "NCCL could not connect the ranks",
			Meaning: "Ranks cannot reach each other on the network that NCCL chose, or run different versions.",
			Fix:     "Run again with NCCL_DEBUG=INFO and read the lines above the first WARN.\nSet NCCL_SOCKET_IFNAME to the pods' interface; check network policies.",
		},
		Hides: rule.FollowAnEnd,
	},
	{
		ID: "nccl-socket-ifname", Stage: train.StageRendezvous,
		Meaning:  "NCCL found no network interface of the name it was told, or chose one that leads nowhere.",
		Evidence: "`no socket interface found`, `with family N is neither AF_INET`.",
		Fix:      "Set NCCL_SOCKET_IFNAME to an interface that the pods have (`ip addr` in the container lists them; eth0 mostly), or take it away.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "nccl-no-route", Stage: train.StageRendezvous,
		Meaning:  "NCCL cannot reach another rank: refused, no route, or timed out.",
		Evidence: "`socketPollConnect: Connect to IP<port> ... Connection refused / No route to host / timed out`.",
		Fix:      "See whether the other rank still runs; then look at network policies, side-cars (Istio) and firewalls between the pods: NCCL uses random ports.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "nccl-system-error", Stage: train.StageRendezvous,
		Meaning:  "A system call failed under NCCL; the line above says which.",
		Evidence: "`ncclSystemError: System call (e.g. socket, malloc) or external library call failed`.",
		Fix:      "Read the nearest WARN above it: often shared memory.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "nccl-ib-error", Stage: train.StageRendezvous,
		Meaning:  "InfiniBand or RoCE failed between two ranks.",
		Evidence: "`NET/IB : Got completion from peer ... with error 12`, `ibv_modify_qp failed`, `ibv_reg_mr ... Cannot allocate memory`.",
		Fix:      "Check NCCL_IB_HCA, the GID index, the limit of locked memory (IPC_LOCK), and the cable.",
		Text: logs.Words{
			Title:   "InfiniBand or RoCE failed",
			Meaning: "A transfer to a peer failed: path, GID, memory lock limit, cable, or a peer that died.",
			Fix:     "See whether the peer's pod is alive, then check NCCL_IB_HCA, NCCL_IB_GID_INDEX and the memlock limit.",
		},
		Hides: rule.FollowAnEnd,
	},
	{
		ID: "nccl-connection-lost", Stage: train.StageProgress,
		Meaning:  "A connection to another rank broke: that rank died first.",
		Evidence: "`Connection closed by remote peer`, `ncclRemoteError`.",
		Fix:      "Look at the peer that it names.",
		Text: logs.Words{
			Title:   "The connection to another rank was lost",
			Meaning: "The other rank ended first; this is what follows.",
			Fix:     "Look at the log of the rank that ended first.",
		},
		Hides: rule.WrapAnEnd,
	},
	{
		ID: "nccl-timeout", Stage: train.StageProgress,
		Meaning:  "A collective did not finish in time: one rank did not take part, or the network stands.",
		Evidence: "`Watchdog caught collective operation timeout`, exit code 134.",
		Fix:      "Find the rank that is behind: flight recorder, py-spy; a rank without this line is the suspect.",
		Text: logs.Words{
			Title:   "A collective timed out",
			Meaning: "Ranks waited for others until the watchdog gave up: one rank is late or gone, or the network stands.",
			Fix:     "Look which rank says nothing or stopped earlier; take a stack of each. $ py-spy dump --pid 1\nSet TORCH_NCCL_TRACE_BUFFER_SIZE=2000 and TORCH_NCCL_DUMP_ON_TIMEOUT=1 for the next run; copy /tmp/nccl_trace_rank_* (newer releases: ~/.cache/torch/comm_lib_trace_rank_*) out of the pods into one folder, and this names the rank: traintop diagnose --from FOLDER",
		},
		Hides: []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "abort-sigabrt", "nccl-connection-lost", "sigterm-received"},
	},
	{
		ID: "one-rank-behind", Stage: train.StageProgress,
		Meaning:  "One rank did not reach a collective that the others wait in.",
		Evidence: "Ranks report different SeqNum or last enqueued work; one prints no watchdog line.",
		Fix:      "See what that rank does: read the end of its log, and run `py-spy dump --pid 1` in its container.",
		Text: logs.Words{
			Title:   "One rank is behind",
			Meaning: "All others wait for it: data loading, a checkpoint, an evaluation, or a slow GPU.",
			Fix:     "Take a stack of that rank. $ py-spy dump --pid 1",
		},
		Hides: rule.FollowAnEnd,
	},
	{
		ID: "nccl-desync", Stage: train.StageProgress,
		Meaning:  "Ranks run different collectives at the same time: their control flow differs.",
		Evidence: "Same SeqNum with other OpType; `Detected mismatch between collectives on ranks`.",
		Fix:      "Find the branch of the program that only some ranks take (an if on the rank, a loader that ends early); TORCH_DISTRIBUTED_DEBUG=DETAIL makes PyTorch name the calls that differ.",
		Text: logs.Words{
			Title:   "Ranks run different collectives",
			Meaning: "Their control flow differs: a branch by rank, or batches that are not even.",
			Fix:     "Run with TORCH_DISTRIBUTED_DEBUG=DETAIL, and compare the ranks' code paths.",
		},
		Hides: rule.FollowAnEnd,
	},
	{
		ID: "rendezvous-timeout", Stage: train.StageRendezvous,
		Meaning:  "Not all ranks met in time.",
		Evidence: "`The client socket has timed out`, `RendezvousTimeoutError`, `k/n clients joined`.",
		Fix:      "Find the ranks that are missing: pods that wait or failed, a wrong MASTER_ADDR or service name, a number of nodes larger than what runs.",
		Text: logs.Words{
			Title:   "Ranks did not find each other in time",
			Meaning: "Some rank did not start, or the address or port is wrong.",
			Fix:     "See whether all pods run. $ kubectl get pods -o wide\nCheck MASTER_ADDR, MASTER_PORT and the headless service.",
		},
		Hides: rule.WrapAnEnd,
	},
	{
		ID: "port-in-use", Stage: train.StageRendezvous,
		Meaning:  "The port for the rendezvous is taken by another process.",
		Evidence: "`EADDRINUSE`, `Address already in use`; two first ranks with hostNetwork and the same MASTER_PORT on one node.",
		Find:     portClash,
		Fix:      "Set another MASTER_PORT; with hostNetwork two jobs on one node collide, and an old process may still hold the port.",
		Text: logs.Words{
			Title:   "The port is in use already",
			Meaning: "Another job on the node (with host network), or a process left in the pod.",
			Fix:     "Use another MASTER_PORT.",
		},
		Hides: rule.FollowAnEnd,
	},
	{
		ID: "gloo-connect-failure", Stage: train.StageRendezvous,
		Meaning:  "Gloo could not connect the ranks.",
		Evidence: "`Gloo connectFullMesh failed`, `Unable to find address for: eth0`.",
		Fix:      "Set GLOO_SOCKET_IFNAME to an interface that the pods have (eth0 mostly); a pod's own host name must not resolve to 127.0.x.",
		Text: logs.Words{
			Title:   "Gloo could not connect the ranks",
			Meaning: "The host name resolves to a wrong address, or the port is closed.",
			Fix:     "Set GLOO_SOCKET_IFNAME, and check what the host name resolves to.",
		},
		Hides: rule.WrapAnEnd,
	},
	{
		ID: "gloo-connection-lost", Stage: train.StageProgress,
		Meaning:  "A Gloo connection broke: the peer died first.",
		Evidence: "`Connection closed by peer`, `Read error ... reset by peer`.",
		Fix:      "Read the end of the log of the rank that was lost: it failed first, and says why.",
		Text: logs.Words{
			Title:   "Gloo lost the connection to another rank",
			Meaning: "The other rank ended first.",
			Fix:     "Look at the log of the rank that ended first.",
		},
		Hides: rule.WrapAnEnd,
	},
	{
		ID: "mpi-launcher-ssh-failure", Stage: train.StageRendezvous,
		Meaning:  "The MPI launcher could not reach a worker by ssh.",
		Evidence: "`Could not resolve hostname`, `Host key verification failed`, `ORTE was unable to reliably start one or more daemons`.",
		Fix:      "Let the launcher wait (launcherCreationPolicy: WaitForWorkersReady), and see that the workers run, that their names resolve and that they take the job's ssh key.",
		Text: logs.Words{
			Title:   "The launcher cannot reach the workers",
			Meaning: "Names, keys or ports of ssh between launcher and workers.",
			Fix:     "See whether all workers run and their names resolve; let the launcher wait for them. $ kubectl get pods -o wide",
		},
		Hides: rule.WrapAnEnd,
	},
	{
		ID: "mpi-worker-lost", Stage: train.StageProgress,
		Meaning:  "An MPI worker died; the text names it.",
		Evidence: "`ORTE has lost communication with a remote daemon`.",
		Fix:      "Read the end of the log of the worker that it names: it failed first, and says why.",
		Text: logs.Words{
			Title:   "The launcher lost a worker",
			Meaning: "The worker's pod or node ended.",
			Fix:     "Look at that worker. $ kubectl get pods -o wide",
		},
		Hides: rule.WrapAnEnd,
	},
	{
		ID: "horovod-stall", Stage: train.StageProgress,
		Meaning:  "Horovod waits for ranks that do not take part; the text names them.",
		Evidence: "`Stalled ops: ... [missing ranks: r]`.",
		Fix:      "Read the end of the logs of the missing ranks: they hang or failed; `py-spy dump --pid 1` in their containers shows where.",
		Text: logs.Words{
			Title:   "Some ranks have not submitted their tensors",
			Meaning: "The others wait for them.",
			Fix:     "Look at the ranks named as missing.",
		},
		Hides: rule.FollowAnEnd,
	},
}
