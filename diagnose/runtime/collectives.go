package runtime

import (
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// collectivesCauses are about ranks that do not meet, or lose each other.
// Lines of logs show them: sources/signatures contains the texts.
var collectivesCauses = []*rule.Cause{
	{
		ID: "nccl-init-failure", Stage: train.StageRendezvous,
		Words: logfindings.Words{
			Title:   "NCCL could not connect the ranks",
			Meaning: "NCCL could not set up its connections before the first step: it found no interface of the name it was given, ranks cannot reach each other on the network that it chose (refused, timed out, no route), or they run different versions of NCCL.",
			Fix: "Run again with NCCL_DEBUG=INFO, and read the lines above the first WARN.\n" +
				"List the interfaces in the container, and set NCCL_SOCKET_IFNAME to one that the pods have (eth0 mostly), or unset it. $ ip addr\n" +
				"See whether the other rank still runs; then look at network policies, sidecars (Istio) and firewalls between the pods: NCCL uses random ports.\n" +
				"Use one NCCL version everywhere.",
		},
		Evidence: "`NCCL WARN Bootstrap : no socket interface found`, `socketPollConnect: Connect to IP<port> ... Connection refused / No route to host / timed out`, `ncclSystemError`, `ncclInternalError`, `Duplicate GPU detected`, `NCCL version mismatch`.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "nccl-socket-ifname", Stage: train.StageRendezvous,
		Words: logfindings.Words{
			Title:   "No network interface has an address for the ranks",
			Meaning: "The program that connects the ranks found no network interface of the name it was given, or none that has an address. Where NCCL itself says so, it is nccl-init-failure.",
			Fix: "List the interfaces in the container. $ ip addr\n" +
				"Name one that the pods have (eth0 mostly): NCCL_SOCKET_IFNAME for NCCL, DMLC_INTERFACE for servers of parameters; or unset it.",
		},
		Evidence: "`van.cc: Check failed: !ip.empty() failed to get ip` of servers of parameters.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "nccl-system-error", Stage: train.StageRendezvous,
		Words: logfindings.Words{
			Title:   "A system call failed in NCCL",
			Meaning: "A system call failed in NCCL; the line above in the log says which.",
			Fix:     "Read the nearest WARN above it: often it is about shared memory.",
		},
		Evidence: "`ncclCommInitRank failed: unhandled system error` of Horovod and XLA, which keep no WARN. Where NCCL or PyTorch says so, it is nccl-init-failure.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "nccl-ib-error", Stage: train.StageRendezvous,
		Words: logfindings.Words{
			Title:   "InfiniBand or RoCE failed",
			Meaning: "A transfer over InfiniBand or RoCE failed between two ranks: path, GID, limit of locked memory, cable, or a peer that died.",
			Fix:     "See whether the peer's pod still runs; then check NCCL_IB_HCA, NCCL_IB_GID_INDEX, the limit of locked memory (memlock, IPC_LOCK) and the cable.",
		},
		Evidence: "`NET/IB : Got completion from peer ... with error 12`, `ibv_modify_qp failed`, `ibv_reg_mr ... Cannot allocate memory`.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "nccl-connection-lost", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "The connection to another rank was lost",
			Meaning: "A connection to another rank broke, because that rank ended first. This error is only the consequence.",
			Fix:     "Read the end of the log of the rank that ended first; the message names the peer.",
		},
		Evidence: "`Connection closed by remote peer`, `ncclRemoteError`.",
		Hides:    rule.WrapAnEnd,
	},
	{
		ID: "nccl-timeout", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "A collective timed out",
			Meaning: "A collective did not finish in time: ranks waited for others until the watchdog gave up, because one rank is late or gone, or the network hangs.",
			Fix: "Find the rank that stopped earlier or prints nothing (a rank without this line is the suspect), and take a stack of each. $ py-spy dump --pid 1\n" +
				"Set TORCH_NCCL_TRACE_BUFFER_SIZE=2000 and TORCH_NCCL_DUMP_ON_TIMEOUT=1 for the next run, so that PyTorch's flight recorder writes dumps; copy /tmp/nccl_trace_rank_* (newer releases: ~/.cache/torch/comm_lib_trace_rank_*) out of the pods into one folder, and this names the rank: traintop diagnose --from FOLDER",
		},
		Evidence: "`Watchdog caught collective operation timeout`, exit code 134.",
		Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "torchrun-child-failed", "abort-sigabrt", "nccl-connection-lost", "sigterm-received"},
	},
	{
		ID: "one-rank-behind", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "One rank is behind",
			Meaning: "One rank did not reach a collective that all others wait in: it loads data, saves a checkpoint, evaluates, or has a slow GPU.",
			Fix: "Read the end of that rank's log.\n" +
				"Take a stack in its container. $ py-spy dump --pid 1",
		},
		Evidence: "Ranks report different SeqNum or last enqueued work; one prints no watchdog line.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "nccl-desync", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "Ranks run different collectives",
			Meaning: "Ranks run different collectives at the same time, because their control flow differs: a branch by rank, or batches that are not even.",
			Fix:     "Find the branch of the program that only some ranks take (an if on the rank, a loader that ends early); with TORCH_DISTRIBUTED_DEBUG=DETAIL PyTorch names the calls that differ.",
		},
		Evidence: "Same SeqNum with other OpType; `Detected mismatch between collectives on ranks`.",
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "rendezvous-timeout", Stage: train.StageRendezvous,
		Words: logfindings.Words{
			Title:   "Ranks did not find each other in time",
			Meaning: "Not all ranks met in time: a rank did not start, or the address or port is wrong.",
			Fix: "See whether all pods run. $ kubectl get pods -o wide\n" +
				"Find the ranks that are missing: pods that wait or failed, or a number of nodes larger than what runs. Check MASTER_ADDR, MASTER_PORT and the headless Service.",
		},
		Evidence: "`The client socket has timed out`, `RendezvousTimeoutError`, `k/n clients joined`; an init container that tries to connect to a rank that is ready (KubeRay's wait-gcs-ready) and does not end.",
		Find:     unreachedFirst,
		Hides:    rule.WrapAnEnd,
	},
	{
		ID: "port-in-use", Stage: train.StageRendezvous,
		Words: logfindings.Words{
			Title:   "The port is already in use",
			Meaning: "The port for the rendezvous is taken by another process: another job on the node (with hostNetwork), or an old process in the pod.",
			Fix:     "Set another MASTER_PORT, a different one for each job that uses hostNetwork on the node, or end the old process that holds the port.",
		},
		Evidence: "`EADDRINUSE`, `Address already in use`; two first ranks with hostNetwork and the same MASTER_PORT on one node.",
		Find:     portClash,
		Hides:    rule.FollowAnEnd,
	},
	{
		ID: "gloo-connect-failure", Stage: train.StageRendezvous,
		Words: logfindings.Words{
			Title:   "Gloo could not connect the ranks",
			Meaning: "Gloo could not connect the ranks: a host name resolves to a wrong address, or the port is closed.",
			Fix:     "Set GLOO_SOCKET_IFNAME to an interface that the pods have (eth0 mostly), and check that a pod's own host name does not resolve to 127.0.x.",
		},
		Evidence: "`Gloo connectFullMesh failed`, `Unable to find address for: eth0`.",
		Hides:    rule.WrapAnEnd,
	},
	{
		ID: "gloo-connection-lost", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "Gloo lost the connection to another rank",
			Meaning: "A Gloo connection broke, because the other rank ended first.",
			Fix:     "Read the end of the log of the rank that was lost: it failed first, and says why.",
		},
		Evidence: "`Connection closed by peer`, `Read error ... reset by peer`.",
		Hides:    rule.WrapAnEnd,
	},
	{
		ID: "mpi-launcher-ssh-failure", Stage: train.StageRendezvous,
		Words: logfindings.Words{
			Title:   "The launcher cannot reach the workers",
			Meaning: "The MPI launcher could not reach a worker by ssh: a name does not resolve, a key is wrong, or a port is closed.",
			Fix: "See whether all workers run. $ kubectl get pods -o wide\n" +
				"Let the launcher wait for the workers (launcherCreationPolicy: WaitForWorkersReady), and check that their names resolve and that they accept the job's ssh key.",
		},
		Evidence: "`Could not resolve hostname`, `Host key verification failed`, `ORTE was unable to reliably start one or more daemons`.",
		Hides:    rule.WrapAnEnd,
	},
	{
		ID: "mpi-init-failure", Stage: train.StageRendezvous,
		Words: logfindings.Words{
			Title:   "MPI did not start in the processes",
			Meaning: "The processes were started, and the MPI library in them could not begin: it does not speak the process manager's protocol (PMI, PMIx) in a version that both know, a component is missing, or the ranks do not reach each other.",
			Fix: "See which protocols the launcher offers. $ srun --mpi=list\n" +
				"See with which the library was built. $ ompi_info\n" +
				"Start with one that both have (srun --mpi=pmix), or with the mpirun of the same installation; in a container the MPI inside counts.",
		},
		Evidence: "`An error occurred in MPI_Init`, `PMI2_Init failed to initialize`, `pmix_init failed for some reason`.",
		Hides:    rule.WrapAnEnd,
	},
	{
		ID: "mpi-worker-lost", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "The launcher lost a worker",
			Meaning: "An MPI worker died, or its pod or node ended; the message names it.",
			Fix: "See how the workers' pods are. $ kubectl get pods -o wide\n" +
				"Read the end of the log of the worker that the message names: it failed first, and says why.",
		},
		Evidence: "`ORTE has lost communication with a remote daemon`.",
		Hides:    rule.WrapAnEnd,
	},
	{
		ID: "horovod-stall", Stage: train.StageProgress,
		Words: logfindings.Words{
			Title:   "Some ranks have not submitted their tensors",
			Meaning: "Horovod waits for ranks that do not take part, and all others wait with it; the message names the missing ranks.",
			Fix: "Read the end of the logs of the missing ranks, which hang or failed.\n" +
				"Take a stack in their containers, which shows where they hang. $ py-spy dump --pid 1",
		},
		Evidence: "`Stalled ops: ... [missing ranks: r]`.",
		Hides:    rule.FollowAnEnd,
	},
}
