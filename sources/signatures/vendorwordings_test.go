package signatures

import (
	"fmt"
	"testing"

	"github.com/traintop/traintop/train"
)

// TestWordingsOfVendors checks texts of accelerators' runtimes, fabrics, launchers and
// drivers beside near misses that mean something else.
func TestWordingsOfVendors(t *testing.T) {
	event, log := eventTells(t), logTells(t)
	// SynapseAI names its status in brackets.
	log("no-gpu-visible", "RuntimeError: synStatus=8 [Device not found] Device acquire failed.")
	log("gpu-in-use-by-other", "RuntimeError: synStatus=20 [Device already acquired] Device acquire failed.")
	log("gpu-in-use-by-other", "RuntimeError: synStatus=26 [Generic failure] Device acquire failed.")
	// HIP's names of what CUDA calls an unspecified launch failure.
	log("gpu-xid-error", "RuntimeError: HIP error: hipErrorLaunchFailure")
	log("gpu-xid-error", "RuntimeError: HIP error: unknown error")
	log("gpu-xid-error", "RuntimeError: MUSA error: unknown error")
	log("gpu-xid-error", "[24078.925037] MTGPU:(Error): 56377:  PID 1747 experienced error Guilty Lockup (0x1) caller[CheckFWCCB CTX Reset Noticication] [188]")
	log("", "[24082.378837] MTGPU:(Error): 56377:  PID 115094 experienced error Innocent Lockup (0x2) caller[CheckFWCCB CTX Reset Noticication] [188]")
	// A block device that fails is no full one.
	tells(t, InKernel)("storage-hang", "Jun  9 18:00:35 node03 kernel: [  716.124869] blk_update_request: I/O error, dev rbd2, sector 33928 op 0x0:(READ) flags 0x3000 phys_seg 1 prio class 0")
	log("", "hipErrorLaunchFailure is documented in the table of errors below")
	// kubelet's cache of claims, and devices that a driver of claims gives through CDI.
	event("dra-claim-pending", "Warning  Failed  3m22s  kubelet  Error: locked cache operation: unable to get claim info for claim external-claim in namespace default")
	event("device-allocation-failed", "Error: failed to create containerd container: CDI device injection failed: unresolvable CDI devices k8s.gpu.nvidia.com/claim=7d1f-gpu-0")
	event("device-allocation-failed", "failed to create containerd container: CDI device injection failed: unresolvable CDI devices example.com/net-rdma=mlx5_core.sf.3")
	event("device-allocation-failed", "failed to inject CDI devices: unresolvable CDI devices nvidia.com/gpu=0")
	// CPython calls abort after Py_FatalError.
	log("abort-sigabrt", "Fatal Python error: _enter_buffered_busy: could not acquire lock for <_io.BufferedWriter name='<stderr>'> at interpreter shutdown, possibly due to daemon threads")
	log("abort-sigabrt", "Fatal Python error: PyThreadState_Get: the function must be called with the GIL held")
	log("segfault", "Fatal Python error: Segmentation fault")
	log("image-arch-mismatch", "Fatal Python error: Illegal instruction")
	log("", "Fatal Python error: Floating point exception")
	// Completion queues of Mellanox cards, as the library of the verbs prints them.
	log("nccl-ib-error", "mlx5: gpu-7: got completion with error:")
	log("nccl-ib-error", "(LLMRayActor pid=90738, ip=10.19.24.110) mlx5: host_unknown: got completion with error:")
	log("", "request 17 got completion with error: retrying")
	// Neuron's collectives, which print NCCL's words.
	log("nccl-init-failure", "2023-Aug-01 16:14:43.0210 332066:332508 [31] bootstrap.cc:89 CCOM WARN Timeout waiting for incoming connection (waited 120 sec)")
	log("nccl-timeout", "2023-Aug-01 16:14:43.0241 332066:332494 [29] include/socket.h:579 CCOM WARN Timeout waiting for RX (waited 120 sec) - retrying")
	log("", "2023-Aug-01 16:14:43.0241 332066:332494 [29] CCOM INFO Using OFI provider efa")
	// Help texts of Open MPI, PRRTE and PMIx share their first sentence.
	log("mpi-init-failure", "It looks like pmix_init failed for some reason; your parallel process is")
	log("mpi-init-failure", "It looks like MPI_INIT failed for some reason; your parallel process is")
	log("", "It looks like the upload failed for some reason; trying again")
	// slurmd's log has the step in brackets where slurmstepd has its name.
	log("sigterm-received", "[2020-12-14T09:43:55.500] [63532.0] error: *** STEP 63532.0 ON cn106 CANCELLED AT 2020-12-14T09:43:55 ***")
	log("sigterm-received", "slurmstepd: error: *** JOB 63532 ON cn106 CANCELLED AT 2020-12-14T09:43:55 ***")
	log("active-deadline-exceeded", "[63532.0] error: *** STEP 63532.0 ON cn106 CANCELLED AT 2020-12-14T09:43:55 DUE TO TIME LIMIT ***")
	log("", "job 63532 was CANCELLED AT the user's wish")
	// A socket that does not bind, with no other reason beside it.
	log("port-in-use", "[14:49:15] /opt/dgl/src/rpc/network/tcp_socket.cc:76: Failed bind on 10.0.0.7:34567 , error: Success")
	log("port-in-use", "E0612 server.cc:71] Failed to bind to 0.0.0.0:50051")
	log("port-in-use", "mxnet.base.MXNetError: [08:18:33] src/van.cc:291: Check failed: (my_node_.port) != (-1) bind failed")
	log("", "Failed to bind to 0.0.0.0:8265, trying the next port")
	log("", "listen: failed to bind on 10.0.0.7:34567: Cannot assign requested address")
	log("", "Failed to bind volumes: timed out waiting for the condition")
	// TensorFlow's session, whose tasks did not all answer.
	log("rendezvous-timeout", "2018-05-15 18:32:51.321405: E tensorflow/core/distributed_runtime/master.cc:269] Master init: Unavailable: OS Error")
	log("", "2018-05-15 18:32:49.137081: I tensorflow/core/distributed_runtime/master.cc:221] Master init: OK")
	// A call of the coordination service that another process's end cut short.
	log("", "Additional GRPC error information from remote target unknown_target_for_coordination_leader while calling /tensorflow.CoordinationService/GetKeyValue:")
	log("rendezvous-timeout", "DEADLINE_EXCEEDED: GetKeyValue() timed out with key: cuda:local_topology/cuda/1 and duration: 2m")
	log("rendezvous-timeout", "Additional GRPC error information while calling /tensorflow.CoordinationService/RegisterTask:")
	log("nccl-connection-lost", "absl::Status: UNAVAILABLE: Failed to send RPC to coordination service. Either the leader task was preempted/died/restarted unexpectedly or this task is experiencing network issues.")
	log("rendezvous-timeout", "Failed to connect to coordination service at 10.0.0.7:1234")
	// Storage that fails in PyTorch's own reads, and a mount without locks.
	log("storage-hang", "RuntimeError: read(): fd 33 failed with Stale file handle")
	log("storage-hang", "OSError: [Errno 37] No locks available")
	log("", "ERROR 37: no locks were taken")
	// A JVM's exception is no Python's.
	log("application-error", "org.apache.spark.SparkException: Job aborted due to stage failure: Could not recover from a failed barrier ResultStage.")
	log("application-error", "java.lang.IllegalStateException: no tracker")
	// Programs that end themselves: assertions of C libraries, the level fatal of Go's loggers.
	log("abort-sigabrt", "Assertion failed in file src/util/mpir_localproc.c at line 181: node_id < num_nodes")
	log("abort-sigabrt", "Fatal error condition occurred in /src/aws-c-io/source/event_loop.c:72: aws_thread_launch(&t) == AWS_OP_SUCCESS")
	log("application-error", `time="2021-02-06T11:26:42Z" level=fatal msg="exit status 2"`)
	log("application-error", `{"level":"fatal","ts":1700000000,"msg":"no parent devices found"}`)
	log("application-error", "2021/10/21 10:18:25.212739 juicefs[6] <FATAL>: create /jfs/pvc-99: mkdir /jfs/pvc-99: file exists")
	log("", `time="2021-02-06T11:26:42Z" level=info msg="level=fatal is off"`)
	// A step of a workflow, in its status and in its log.
	event("file-not-found", "This step is in Error state with this message: failed to save outputs: path /metadata.json does not exist (or /metadata.json is empty) in archive /argo/outputs/artifacts/metadata.tgz")
	event("application-error", "This step is in Error state with this message: failed to save outputs: exit status 2")
	// Boosting over sockets.
	log("nccl-connection-lost", "[LightGBM] [Fatal] Socket recv error, code: 54")
	log("", "[LightGBM] [Warning] Socket send error ignored")
	// Kernels that Triton and Inductor make are of no file (gau-nernst/quantized-training#1).
	log("device-side-assert", "unknown:0: unknown: block: [0,0,0], thread: [31,0,0] Assertion `index out of bounds: 0 <= tmp4 < 16000` failed.")
	log("", "server.py:25: Assertion `x > 0` failed.")
	// The program that mounts is not on the node (vmware-archive/kubernetes-archived#231).
	event("mount-helper-missing", "Warning\t\tFailedMount\t\tMountVolume.MountDevice failed for volume \"pvc-1bc8\" : executable file not found in $PATH")
	event("failed-mount-timeout", "Warning\t\tFailedMount\t\tMountVolume.MountDevice failed for volume \"pvc-1bc8\" : exit status 32")
	// glibc in the terminal's language.
	checkFirst(t, map[string]train.Cause{
		"ls: 无法访问/data/train: 传输端点尚未连接":                                                          "storage-hang",
		"ls: Zugriff auf /data/train nicht möglich: Veraltete Dateizugriffsnummer (file handle)": "storage-hang",
		"bash: /dev/null: ファイルを開きすぎです":                                                           "too-many-open-files",
		"ls: 无法访问/data/train: 资源暂时不可用":                                                           "",
	})
	log("python-exception", "omegaconf.errors.ConfigAttributeError: Key 'lr' is not in struct")
}

// TestReportOfTwoLines checks that the signal of a report that PRRTE breaks belongs to the
// rank of the line before, and that a line after a whole report does not.
func TestReportOfTwoLines(t *testing.T) {
	for text, want := range map[string]string{
		"prterun noticed that process rank 2 with PID 1617008 on node n1 exited on\nsignal 9 (Killed).":             "mpi-killed 2",
		"prterun noticed that process rank 2 with PID 1617008\non node n1 exited on signal 11 (Segmentation fault)": "mpi-segfault 2",
		"prterun noticed that process rank 2 with PID 1617008 on node n1 exited on\nPrimary job ended":              "mpi-ended 2",
	} {
		hits := scanned(text + "\n")
		if len(hits) == 0 || hits[0].Line != 1 {
			t.Fatalf("%q gives %v", text, hits)
		}
		if got := fmt.Sprint(hits[0].Signature, " ", hits[0].Rank); got != want {
			t.Errorf("%q gives %s, want %s", text, got, want)
		}
	}
}
