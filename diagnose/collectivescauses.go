package diagnose

import "github.com/traintop/traintop/train"

// collectivesCauses are about ranks that do not meet, or lose each other.
// Lines of logs tell of them: diagnose/signatures knows the texts.
var collectivesCauses = []*cause{
	{
		id: "nccl-init-failure", stage: train.StageRendezvous,
		meaning:  "NCCL could not set up its connections before the first step.",
		evidence: "`NCCL WARN Bootstrap : no socket interface found`, `ncclSystemError`, `ncclInternalError`, `Duplicate GPU detected`, `NCCL version mismatch`.",
		fix:      "Set NCCL_SOCKET_IFNAME to the pods' interface, open the ports between pods, use one NCCL version everywhere.",
		hides:    followAnEnd,
	},
	{
		id: "nccl-socket-ifname", stage: train.StageRendezvous,
		meaning:  "NCCL found no network interface of the name it was told, or chose one that leads nowhere.",
		evidence: "`no socket interface found`, `with family N is neither AF_INET`.",
		fix:      "Set NCCL_SOCKET_IFNAME to an interface that the pods have (`ip addr` in the container lists them; eth0 mostly), or take it away.",
		hides:    followAnEnd,
	},
	{
		id: "nccl-no-route", stage: train.StageRendezvous,
		meaning:  "NCCL cannot reach another rank: refused, no route, or timed out.",
		evidence: "`socketPollConnect: Connect to IP<port> ... Connection refused / No route to host / timed out`.",
		fix:      "See whether the other rank still runs; then look at network policies, side-cars (Istio) and firewalls between the pods: NCCL uses random ports.",
		hides:    followAnEnd,
	},
	{
		id: "nccl-system-error", stage: train.StageRendezvous,
		meaning:  "A system call failed under NCCL; the line above says which.",
		evidence: "`ncclSystemError: System call (e.g. socket, malloc) or external library call failed`.",
		fix:      "Read the nearest WARN above it: often shared memory.",
		hides:    followAnEnd,
	},
	{
		id: "nccl-ib-error", stage: train.StageRendezvous,
		meaning:  "InfiniBand or RoCE failed between two ranks.",
		evidence: "`NET/IB : Got completion from peer ... with error 12`, `ibv_modify_qp failed`, `ibv_reg_mr ... Cannot allocate memory`.",
		fix:      "Check NCCL_IB_HCA, the GID index, the limit of locked memory (IPC_LOCK), and the cable.",
		hides:    followAnEnd,
	},
	{
		id: "nccl-connection-lost", stage: train.StageProgress,
		meaning:  "A connection to another rank broke: that rank died first.",
		evidence: "`Connection closed by remote peer`, `ncclRemoteError`.",
		fix:      "Look at the peer that it names.",
		hides:    wrapAnEnd,
	},
	{
		id: "nccl-timeout", stage: train.StageProgress,
		meaning:  "A collective did not finish in time: one rank did not take part, or the network stands.",
		evidence: "`Watchdog caught collective operation timeout`, exit code 134.",
		fix:      "Find the rank that is behind: flight recorder, py-spy; a rank without this line is the suspect.",
		hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "abort-sigabrt", "nccl-connection-lost", "sigterm-received"},
	},
	{
		id: "one-rank-behind", stage: train.StageProgress,
		meaning:  "One rank did not reach a collective that the others wait in.",
		evidence: "Ranks report different SeqNum or last enqueued work; one prints no watchdog line.",
		fix:      "See what that rank does: read the end of its log, and run `py-spy dump --pid 1` in its container.",
		hides:    followAnEnd,
	},
	{
		id: "nccl-desync", stage: train.StageProgress,
		meaning:  "Ranks run different collectives at the same time: their control flow differs.",
		evidence: "Same SeqNum with other OpType; `Detected mismatch between collectives on ranks`.",
		fix:      "Find the branch of the program that only some ranks take (an if on the rank, a loader that ends early); TORCH_DISTRIBUTED_DEBUG=DETAIL makes PyTorch name the calls that differ.",
		hides:    followAnEnd,
	},
	{
		id: "rendezvous-timeout", stage: train.StageRendezvous,
		meaning:  "Not all ranks met in time.",
		evidence: "`The client socket has timed out`, `RendezvousTimeoutError`, `k/n clients joined`.",
		fix:      "Find the ranks that are missing: pods that wait or failed, a wrong MASTER_ADDR or service name, a number of nodes larger than what runs.",
		hides:    wrapAnEnd,
	},
	{
		id: "port-in-use", stage: train.StageRendezvous,
		meaning:  "The port for the rendezvous is taken by another process.",
		evidence: "`EADDRINUSE`, `Address already in use`; two first ranks with hostNetwork and the same MASTER_PORT on one node.",
		find:     (*subject).portClash,
		fix:      "Set another MASTER_PORT; with hostNetwork two jobs on one node collide, and an old process may still hold the port.",
		hides:    followAnEnd,
	},
	{
		id: "gloo-connect-failure", stage: train.StageRendezvous,
		meaning:  "Gloo could not connect the ranks.",
		evidence: "`Gloo connectFullMesh failed`, `Unable to find address for: eth0`.",
		fix:      "Set GLOO_SOCKET_IFNAME to an interface that the pods have (eth0 mostly); a pod's own host name must not resolve to 127.0.x.",
		hides:    wrapAnEnd,
	},
	{
		id: "gloo-connection-lost", stage: train.StageProgress,
		meaning:  "A Gloo connection broke: the peer died first.",
		evidence: "`Connection closed by peer`, `Read error ... reset by peer`.",
		fix:      "Read the end of the log of the rank that was lost: it failed first, and says why.",
		hides:    wrapAnEnd,
	},
	{
		id: "mpi-launcher-ssh-failure", stage: train.StageRendezvous,
		meaning:  "The MPI launcher could not reach a worker by ssh.",
		evidence: "`Could not resolve hostname`, `Host key verification failed`, `ORTE was unable to reliably start one or more daemons`.",
		fix:      "Let the launcher wait (launcherCreationPolicy: WaitForWorkersReady), and see that the workers run, that their names resolve and that they take the job's ssh key.",
		hides:    wrapAnEnd,
	},
	{
		id: "mpi-worker-lost", stage: train.StageProgress,
		meaning:  "An MPI worker died; the text names it.",
		evidence: "`ORTE has lost communication with a remote daemon`.",
		fix:      "Read the end of the log of the worker that it names: it failed first, and says why.",
		hides:    wrapAnEnd,
	},
	{
		id: "horovod-stall", stage: train.StageProgress,
		meaning:  "Horovod waits for ranks that do not take part; the text names them.",
		evidence: "`Stalled ops: ... [missing ranks: r]`.",
		fix:      "Read the end of the logs of the missing ranks: they hang or failed; `py-spy dump --pid 1` in their containers shows where.",
		hides:    followAnEnd,
	},
}
