package signatures

import (
	"testing"

	"github.com/traintop/traintop/train"
)

// TestLimitsOfProcesses checks how systems and runtimes report that no thread or process
// can be added, and beside it what else is only temporarily unavailable.
func TestLimitsOfProcesses(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"RuntimeError: can't start new thread": "process-limit",
		"OpenBLAS blas_thread_init: pthread_create failed for thread 2 of 64: Resource temporarily unavailable":                                              "process-limit",
		"OpenBLAS blas_thread_init: pthread_create: Resource temporarily unavailable":                                                                        "process-limit",
		"OpenBLAS blas_thread_init: pthread_create failed for thread 35 of 48: Operation not permitted":                                                      "permission-denied",
		"libgomp: Thread creation failed: Resource temporarily unavailable":                                                                                  "process-limit",
		"OMP: Error #34: System unable to allocate necessary resources for OMP thread:":                                                                      "process-limit",
		"runtime: failed to create new OS thread (have 5 already; errno=11)":                                                                                 "process-limit",
		"runtime/cgo: pthread_create failed: Resource temporarily unavailable":                                                                               "process-limit",
		"2024-01-01 10:00:00.1: F tensorflow/core/platform/default/env.cc:74] Check failed: ret == 0 (11 vs. 0)Thread creation via pthread_create() failed.": "process-limit",
		"java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached":                              "process-limit",
		"bash: fork: retry: Resource temporarily unavailable":                                                                                                "process-limit",
		"/job/train.sh: fork: retry: No child processes":                                                                                                     "process-limit",
		"sh: 1: Cannot fork":                          "process-limit",
		"/train.sh: 12: Cannot fork":                  "process-limit",
		"  what():  Resource temporarily unavailable": "process-limit",
		"thread 'main' panicked at 'The global thread pool has not been initialized.: ThreadPoolBuildError { kind: IOError(Os { code: 11, kind: WouldBlock, message: \"Resource temporarily unavailable\" }) }', rayon-core/src/registry.rs:168:10": "process-limit",
		"[ 8261.1] cgroup: fork rejected by pids controller in /kubepods/burstable/pod1/2": "process-limit",

		"OpenBLAS blas_thread_init: RLIMIT_NPROC 4096 current, 513046 max":                  "",
		"BlockingIOError: [Errno 11] Unable to open file (unable to lock file, errno = 11)": "",
		"ssh_keysign: fork: Resource temporarily unavailable":                               "mpi-launcher-ssh-failure",
		"INFO using fork: retry 3 of 5":                                                     "",
	})
}

// TestStartOfMPI checks how Open MPI, MPICH and PMIx report that the library did not come
// up, and beside it what later calls report.
func TestStartOfMPI(t *testing.T) {
	checkFirst(t, map[string]train.Cause{
		"PMI2_Init failed to intialize.  Return code: 1":                                                                                                      "mpi-init-failure",
		"but OMPI was not built with SLURM's PMI support and therefore cannot":                                                                                "mpi-init-failure",
		"[unset]:   for which process manager support was required, e.g. spawn or universe_size.":                                                             "mpi-init-failure",
		"*** An error occurred in MPI_Init_thread":                                                                                                            "mpi-init-failure",
		"[n1:28492] *** An error occurred in MPI_Init":                                                                                                        "mpi-init-failure",
		"It looks like MPI_INIT failed for some reason; your parallel process is":                                                                             "mpi-init-failure",
		"It looks like MPI runtime init failed for some reason; your parallel process is":                                                                     "mpi-init-failure",
		"It looks like pmix_init failed for some reason; your parallel process is":                                                                            "mpi-init-failure",
		"[n1:71142] Local abort before MPI_INIT completed completed successfully,":                                                                            "mpi-init-failure",
		"Fatal error in MPI_Init_thread: Other MPI error, error stack:":                                                                                       "mpi-init-failure",
		"Fatal error in internal_Init_thread: Other MPI error, error stack:":                                                                                  "mpi-init-failure",
		"Abort(1091087) on node 0 (rank 0 in comm 0): Fatal error in PMPI_Init: Other MPI error":                                                              "mpi-init-failure",
		"  pmix_psec_base_open failed":                                                                                                                        "mpi-init-failure",
		"[cn10:89501] [[4419,0],1] selected pml ob1, but peer [[4419,0],0] on cn09 selected pml":                                                              "mpi-init-failure",
		"slurmstepd: error:  mpi/pmix_v2: _tcp_connect: n7 [0]: pmixp_dconn_tcp.c:139: Cannot establish the connection":                                       "mpi-init-failure",
		"slurmstepd: error: mpi/pmix_v5: _dmdx_req: n1 [0]: pmixp_dmdx.c:319: Bad request from n2: nspace \"slurm.pmix.57.0\" has only 2 ranks, asked for -1": "mpi-init-failure",
		"slurmstepd: error:  mpi/pmix_v3: pmixp_coll_ring_reset_if_to: n1 [0]: pmixp_coll_ring.c:742: 0x14ce: collective timeout seq=0":                       "mpi-init-failure",
		"slurmd: error: MPI: Cannot create context for mpi/pmix_v4":                                                                                           "mpi-init-failure",
		"slurmstepd: error:  mpi/pmix_v4: _errhandler: n1 [0]: pmixp_client_v2.c:211: Error handler invoked: status = -25, source = [slurm.pmix.7.0:3]":       "",
		"  --> Returned value -46 instead of PMIX_SUCCESS":                                                                                                    "mpi-init-failure",

		"*** An error occurred in MPI_Allreduce":                                       "application-error",
		"It looks like orte_finalize failed for some reason; your parallel process is": "application-error",
		"Fatal error in PMPI_Allreduce: Message truncated, error stack:":               "application-error",
		"[n1:12255] PMIX ERROR: ERROR in file gds_ds12_lock_pthread.c at line 168":     "",
	})
}
