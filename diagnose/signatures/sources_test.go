package signatures

import (
	"testing"

	"github.com/traintop/traintop/train"
)

// Lines in the wording of sources that were read, each with the source, and
// beside it a line that is close and says something else.
func TestWordingsOfSources(t *testing.T) {
	f := func(in Where, want train.Cause, text string) {
		t.Helper()
		var got train.Cause
		matches := Find(in, text)
		if len(matches) > 0 {
			got = matches[0].Cause
		}
		if got != want {
			t.Errorf("%s\n got %q want %q, all %v", text, got, want, matches)
		}
	}
	log := func(want train.Cause, text string) { t.Helper(); f(InLog, want, text) }
	event := func(want train.Cause, text string) { t.Helper(); f(InEvent, want, text) }

	// NCCL os/linux.cc (2026), misc/socket.cc (NVIDIA/nccl#1618), include/socket.h (2019)
	log("nccl-init-failure", "n:1:2 [0] os/linux.cc:211 NCCL WARN ncclOsSocketPollConnect: connect to 10.0.0.2<45763> returned Connection refused, exceeded error retry count after 35 attempts")
	log("nccl-init-failure", "n:1:2 [0] os/linux.cc:224 NCCL WARN ncclOsSocketStartConnect: connect to 10.0.0.2<45763> failed : No route to host")
	log("nccl-init-failure", "n:1:2 [0] misc/socket.cc:586 NCCL WARN socketPollConnect poll() returned 1, no POLLOUT events")
	log("nccl-init-failure", "n:1:2 [0] include/socket.h:395 NCCL WARN Connect to 10.0.0.2<45763> failed : Connection timed out")
	log("nccl-init-failure", "n:1:2 [0] NCCL WARN Net : error encountered when getting address info : Name or service not known")
	log("", "n:1:2 [0] socketPollConnect: connected to 10.0.0.2<45763>")
	log("nccl-connection-lost", "n:1:2 [0] misc/socket.cc:60 NCCL WARN socketProgressOpt: Call to recv from 10.0.0.2<45763> failed : Connection timed out")
	log("nccl-connection-lost", "n:1:2 [0] proxy.cc:1143 NCCL WARN Socket recv failed while polling for opId=0x7f6f18cb7f40")
	// NCCL misc/shmutils.cc (2026)
	log("shm-too-small", "n:1:2 [0] misc/shmutils.cc:88 NCCL WARN Error: failed to create shared memory file /dev/shm/nccl-XXXXXX, error No space left on device (28)")
	log("nccl-init-failure", "n:1:2 [0] misc/shmutils.cc:168 NCCL WARN Error while attaching to shared memory segment /dev/shm/nccl-cjY8K5 (size 10617216), error: No such file or directory (2)")
	// NCCL transport/net_ib: completions in three wordings
	log("nccl-ib-error", "n:1:2 [6] NCCL WARN NET/IB : Got completion from peer 10.0.0.2<45763> with error 12, opcode 0, len 0, vendor err 129")
	log("nccl-ib-error", "n:1:2 [6] NCCL WARN NET/IB: Got completion from peer 10.0.0.2<45763> with status=12 opcode=0 len=0 vendor err 129 (Recv) hca mlx5_0")
	log("nccl-ib-error", "n:1:2 [6] NCCL WARN NET/IB: Got completion from peer 10.0.0.2<45763> with status=IBV_WC_RETRY_EXC_ERR(12) opcode=IBV_WC_SEND(0) vendor_err=129  hca mlx5_0")

	// PyTorch ProcessGroupNCCL.cpp, once in torch/lib/c10d; ProcessGroupGloo.cpp
	log("nccl-timeout", "[Rank 0] Caught collective operation timeout: WorkNCCL(OpType=ALLREDUCE, TensorShape=[1], Timeout(ms)=1800000) ran for 1800500 milliseconds before timing out.")
	log("nccl-timeout", "[E ProcessGroupNCCL.cpp:1] [Rank 3] Work WorkNCCL(SeqNum=4, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=1800000) timed out in blocking wait (NCCL_BLOCKING_WAIT=1).")
	log("nccl-timeout", "[rank0]:[E129 16:38:47.634726597 ProcessGroupNCCL.cpp:1858] [PG ID 0 PG GUID 0(default_pg) Rank 0] Received a dump signal due to a collective timeout from  rank 8 and we will try our best to dump the debug info. Last enqueued NCCL work: 77, last completed NCCL work: 76.")
	log("nccl-timeout", "[rank1]:[E325 17:13:23.163175227 ProcessGroupGloo.cpp:145] Rank 1 successfully reached monitoredBarrier, but received errors while waiting for send/recv from rank 0. Please check rank 0 logs for faulty rank.")
	log("rendezvous-timeout", "torch.distributed.DistBackendError: [5] is setting up NCCL communicator and retrieving ncclUniqueId from [0] via c10d key-value store by key '0', but store->get('0') got error: wait timeout after 300000ms")
	log("nccl-connection-lost", "torch.distributed.DistBackendError: [3] is setting up NCCL communicator and retrieving ncclUniqueId from [0] via c10d key-value store by key '0', but store->get('0') got error: Connection reset by peer")
	log("nccl-connection-lost", "torch.distributed.DistNetworkError: failed to recv, got 0 bytes")
	log("", "[rank3]:[W703 15:37:17.178057290 TCPStore.cpp:125] [c10d] recvValue failed on SocketImpl(fd=4): failed to recv, got 0 bytes")

	// PyTorch TCPStore: pytorch/pytorch#26364 and later, pytorch/pytorch#131808
	log("rendezvous-timeout", "RuntimeError: connect() timed out. Original timeout was 60000 ms.")
	log("rendezvous-timeout", "torch.distributed.DistStoreError: wait timeout after 100ms, keys: /the_key")
	log("", "upstream: connect() timed out while reading the health check, retrying in 5 s")

	// PyTorch c10d Utils.hpp to 1.13, which names errno alone
	log("rendezvous-timeout", "RuntimeError: Connection refused")
	log("", "curl: (7) Failed to connect to localhost: Connection refused")

	// NCCL transport/net_ib/common.cc (2026) and net_ib.cc
	log("nccl-ib-error", "n:1:2 [0] NCCL WARN NET/IB : mlx5_0:1 async fatal event on QP (0x7f06): local access violation work queue error")
	log("nccl-ib-error", "n:1:2 [0] NCCL WARN NET/IB : mlx5_0:1 Got async event : P_Key change")
	log("nccl-ib-error", "n:1:2 [0] NCCL WARN NET/IB : mlx5_0:1 Got non-fatal async event: port error(10)")
	log("", "n:1:2 [0] NCCL WARN NET/IB : mlx5_0:1 Got non-fatal async event: SM change(14)")
	log("", "n:1:2 [0] NCCL WARN NET/IB : mlx5_0:1 Got async event : GID table change")
	log("", "n:1:2 [0] NCCL WARN NET/IB : mlx5_0:1 GID table changed")
	log("nccl-ib-error", "n:1:2 [0] ofi_process_cq:196 NCCL WARN NET/OFI Request completed with error. RC: 107.")
	log("", "n:1:2 [0] NCCL WARN NET/OFI Requesting progress model AUTO")

	// glibc assert/assert.c and PyTorch kernels, whose lines may be wrapped
	log("abort-sigabrt", "python: csrc/aio/common/deepspeed_aio_common.cpp:125: int _do_io_complete(long long int): Assertion `n_completes >= min_completes' failed.")
	log("", "Assertion `n_completes >= min_completes' failed in no test")
	log("device-side-assert", "Assertion `input[emb] >= 0 && input[emb] < vocab_size` failed.")
	log("", "0 of 12 checks: Assertion `x` failed")

	// Horovod stall_inspector.cc: the rank before its tensors
	log("horovod-stall", "6!: [horovod_allreduce.0, horovod_allreduce.1, horovod_allreduce.10 ...]")
	log("", "6: [allreduce.bucket=25MB] step 12 took 3.1 s")

	// libtpu tpu_hal.cc, the Neuron runtime, cuDNN's loader, Ray, PaddlePaddle
	log("tpu-init", "E0808 00:12:51.413208   31287 tpu_hal.cc:249] Failed to initialize TPU system with error: FAILED_PRECONDITION: Couldn't mmap: Operation not permitted")
	log("", "I0808 00:12:51.413208   31287 tpu_hal.cc:249] Initialized TPU system with 4 chips")
	log("neuron-init-failed", "2022-Mar-29 07:07:29.0082    11:11    ERROR   NRT:nrt_init                                Unable to determine Neuron Driver version. Please check aws-neuron-dkms package is installed.")
	log("", "2022-Mar-29 07:07:29.0082    11:11    INFO    NRT:nrt_init                                Neuron Runtime 2.14 built on Jan 1 2023")
	log("python-import-error", "Could not load library libcudnn_cnn_infer.so.8. Error: /opt/lib/libcudnn_cnn_infer.so.8: undefined symbol: _ZN11nvrtcHelper4loadEb, version libcudnn_ops_infer.so.8")
	log("", "Loaded library libcudnn_cnn_infer.so.8. Errors: 0")
	log("oom-killed", "Container rank 2 status failed cmd ['/usr/bin/python3.8', '-u', 'train.py'] code -9 log log/default.fpwuxo.2.log")
	log("segfault", "Container rank 2 status failed cmd ['/usr/bin/python3.8', '-u', 'train.py'] code -11 log log/default.fpwuxo.2.log")
	log("torchrun-child-failed", "Container rank 0 status failed cmd ['/usr/bin/python3.8', '-u', 'train.py'] code -6 log log/default.fpwuxo.0.log")
	log("", "Container rank 0 status running cmd ['/usr/bin/python3.8', '-u', 'train.py'] code None log log/default.fpwuxo.0.log")
	log("nccl-connection-lost", "E0119 21:26:14.529606 16639 grpc_client.cc:119] proc param error:name:[fc_0.w_0@GRAD] ep:[172.17.0.5:6174] grpc error:Connect Failed")
	log("nccl-connection-lost", "tensorflow.python.framework.errors_impl.UnavailableError: OS Error")
	log("", "UnavailableError: 0 in the last hour")
	log("no-gpu-visible", "RuntimeError: Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is False.")
	log("no-gpu-visible", "RuntimeError: ProcessGroupNCCL is only supported with GPUs, no GPUs found!")
	log("", "the assertion that torch.cuda.is_available() was tried")
	log("no-gpu-visible", "RuntimeError: CUDA driver initialization failed, you might not have a CUDA gpu.")
	log("no-gpu-visible", "RuntimeError: CUDA unknown error - this may be due to an incorrectly set up environment, e.g. changing env variable CUDA_VISIBLE_DEVICES after program start. Setting the available devices to be zero.")
	log("nccl-ib-error", "Failed to modify QP 122273 to RTR")
	log("nccl-ib-error", "E0331 12:03:04.222625 56060 rdma_endpoint.cpp:385] [Handshake] Failed to modify QP to RTR, check mtu, gid, peer lid, peer qp num: Connection timed out [110]")
	log("", "ERROR Failed to modify QP to ERR state")
	log("nccl-ib-error", "nvshmem/src/modules/transport/ibgda/ibgda.cpp:1345: non-zero status: 121 Error in mlx5dv_devx_obj_modify for INIT2RTR_QP with syndrome 29e0df")
	log("nccl-init-failure", "nvshmem/src/host/init/init.cu:nvshmemi_check_state_and_init:1080: nvshmem initialization failed, exiting")
	log("", "nvshmem/src/host/init/init.cu:995: non-zero status: 27 nvshmem detect topo failed")
	log("nccl-timeout", "DeepEP timeout check failed: rank = 6, thread = 0, value = 0)")
	log("nccl-timeout", "RuntimeError: DeepEP error: CPU recv timeout")
	log("nccl-timeout", "DeepEP dispatch NVL receiver timeout, channel: 3, RDMA: 0, nvl: 2, src NVL: 1, head: 4, tail: 4")
	log("", "DeepEP dispatch buffer ready, timeout 100 s")
	log("nan-loss", "WARNING: non-finite loss, ending training  tensor(nan, device='cuda:0')")
	log("torchrun-child-failed", "subprocess.CalledProcessError: Command '['/opt/conda/bin/python3.7', '-u', 'train.py', '--local_rank=1']' returned non-zero exit status 1.")
	log("", "subprocess.CalledProcessError: Command '['/usr/bin/gcc', '/tmp/tmpd87bjbr3/main.c', '-O3', '-shared', '-o', '/tmp/triton_.so']' returned non-zero exit status 1.")
	log("dataset-download-failure", "curl: (6) Could not resolve host: data.example.com")
	log("dataset-download-failure", "wget: unable to resolve host address 'data.example.com'")
	log("", "curl: (0) done")
	log("dataset-download-failure", "urllib.error.HTTPError: HTTP Error 404: Not Found")
	log("", "import urllib.error.HTTPError as Missing")
	log("dataset-download-failure", "gcsfs.retry.HttpError: Anonymous caller does not have storage.objects.get access to the Google Cloud Storage object., 401")
	log("", "the pod does not have storage.class set")
	log("checkpoint-shape-mismatch", "Trying to set a tensor of shape torch.Size([32000, 4096]) in \"weight\" (which has shape torch.Size([32001, 4096])), this looks incorrect.")
	log("nan-loss", "Monitored metric train_loss = nan is not finite. Previous best value was 2.300. Signaling Trainer to stop.")
	log("", "Monitored metric train_loss did not improve in the last 3 records. Best score: 2.300.")
	log("ray-worker-died", "Failed to connect to GCS. Please check `gcs_server.out` for more details.")
	log("", "Failed to connect to GCS: bucket my-bucket is not there, reading from the cache")
	log("cuda-out-of-memory", "Out of memory error on GPU Virtual Memory 0. Cannot allocate 1.0GB memory on GPU Virtual Memory 0")

	// PyTorch distributed_c10d.py, older and newer
	log("rendezvous-timeout", "RuntimeError: Timed out initializing process group in store based barrier on rank: 0, for key: store_based_barrier_key:1 (world_size=2, worker_count=1, timeout=0:00:10)")
	log("rendezvous-timeout", "torch.distributed.DistStoreError: Timed out initializing process group in store based barrier on rank 0, for key: store_based_barrier_key:1 (world_size=2, num_workers_joined=1, timeout=0:00:10)")

	// AWS Neuron: runtime documentation of 2.x, aws-neuron/aws-neuron-sdk#851
	log("neuron-init-failed", "NeuronCore(s) not available - Requested:1 Available:0")
	log("neuron-init-failed", "2024-May-21 16:08:34.244955 58100:58100 ERROR  TDRV:tdrv_init_mla_phase1                    Could not open the nd3")
	log("", "2 NeuronCore(s) available")

	// kube-scheduler 1.10 to 1.36, karpenter 1.6
	event("node-selector-mismatch", "0/4 nodes are available: 4 node(s) didn't satisfy plugin(s) [NodeAffinity] simultaneously.")
	event("node-selector-mismatch", "0/4 nodes are available: 4 node(s) didn't match service affinity.")
	event("dra-claim-pending", "0/4 nodes are available: 4 resourceclaim cannot be allocated for the node (unsuitable).")
	event("dra-claim-pending", "0/4 nodes are available: 4 resourceclaim must be reallocated.")
	event("dra-claim-pending", `0/4 nodes are available: resourceclaim "gpu" is being deleted.`)
	event("pod-preempted", "Preempted by podgroup 0a1b2c3d-1111-2222-3333-444455556666 on node gpu-3")
	event("pod-preempted", "Preempted by a pod on node gpu-3")
	event("pod-preempted", "Pod was preempted by Kubelet to accommodate a critical pod.")
	event("autoscaler-not-scaling-up", `Failed to schedule pod, no instance type has enough resources, requirements=karpenter.sh/nodepool In [default], resources={"nvidia.com/gpu":"16"}`)
	// kubelet 1.10 to 1.36
	event("evicted-ephemeral-storage", `container's ephemeral local storage usage exceeds the limit "10Gi"`)
	event("evicted-ephemeral-storage", `emptyDir usage exceeds the limit "10Gi"`)
	event("device-allocation-failed", "Update plugin resources failed due to requested number of devices unavailable, which is unexpected.")
	event("device-allocation-failed", "Pod was rejected: Predicate TaintToleration failed")
	event("device-allocation-failed", "SMT Alignment Error: requested 3 cpus not multiple cpus per core = 2")
	event("", "Predicate functions were registered")
	// Kueue 0.6 to 0.14, JobSet 0.8
	event("kueue-inadmissible", "ClusterQueue cq is terminating or missing")
	event("kueue-inadmissible", "The ClusterQueue is stopped")
	event("kueue-inadmissible", "The workload is deactivated due to exceeding the maximum number of re-queuing retries")
	event("kueue-inadmissible", "resources validation failed: spec.podSets[0]: requests must not exceed its limits")
	event("kueue-not-admitted", "At least one admission check is false")
	event("kueue-not-admitted", "couldn't assign flavors to pod set main: insufficient quota for nvidia.com/gpu in flavor h100, request > maximum capacity (16 > 8)")
	event("topology-mismatch", `Flavor "h100" does not support TopologyAwareScheduling`)
	event("", "The workload is admitted")
	event("", "The ClusterQueue was restarted after being stopped")
	event("backoff-limit-exceeded", "jobset failed due to reaching max number of restarts")

	// Slurm slurmstepd and srun, MPICH Hydra launch.c, Open MPI's help texts, all as seen in public sources
	log("oom-killed", "slurmstepd: error: Detected 2 oom_kill events in StepId=7.0. Some of the step tasks have been OOM Killed.")
	log("", "memory.events: oom_kill events are propagated to the parent")
	log("active-deadline-exceeded", "slurmstepd: error: *** JOB 38193 ON gra533 CANCELLED AT 2017-07-02T16:35:48 DUE TO TIME LIMIT ***")
	log("sigterm-received", "slurmstepd: error: *** STEP 7.0 ON gra533 CANCELLED AT 2017-07-02T16:35:48 ***")
	log("command-not-found", "[proxy:0:0@w-0] HYDU_create_process (utils/launch/launch.c:75): execvp error on file ./train (No such file or directory)")
	log("mpi-launcher-ssh-failure", "[mpiexec@w-0] HYDU_create_process (utils/launch/launch.c:75): execvp error on file /usr/bin/ssh (No such file or directory)")
	log("command-not-found", "prterun was unable to find the specified executable file, and therefore did")

	// Python argparse.py, importlib.metadata; transformers utils/import_utils.py; glibc's loader; cuDNN 9
	log("python-exception", "train.py: error: the following arguments are required: --data")
	log("python-exception", "torchrun: error: argument --nnodes: expected one argument")
	log("", "train.py: error: 3 of 40 samples were skipped")
	log("python-import-error", "RuntimeError: Failed to import transformers.models.llama.modeling_llama because of the following error (look up to see its traceback):")
	log("python-import-error", "/usr/bin/python3: symbol lookup error: /usr/lib/libnccl.so.2: undefined symbol: cudaStreamGetId")
	log("python-import-error", "Unable to load any of {libcudnn_cnn.so.9.1.0, libcudnn_cnn.so.9.1, libcudnn_cnn.so.9, libcudnn_cnn.so}")
	// HDF5 H5FDsec2.c and H5F.c, sentencepiece, TensorFlow's file system for POSIX
	log("file-not-found", "OSError: Unable to open file (unable to open file: name = '/data/x.h5', errno = 2, error message = 'No such file or directory', flags = 0, o_flags = 0)")
	log("permission-denied", "OSError: Unable to open file (unable to open file: name = '/data/x.h5', errno = 13, error message = 'Permission denied', flags = 0, o_flags = 0)")
	log("checkpoint-corrupt", "OSError: Unable to open file (truncated file: eof = 4194304, sblock->base_addr = 0, stored_eof = 94765736)")
	log("file-not-found", `OSError: Not found: "tokenizer.model": No such file or directory Error #2`)
	log("file-not-found", "tensorflow.python.framework.errors_impl.NotFoundError: /data/x.tfrecord; No such file or directory")
	log("no-space-left", "tensorflow.python.framework.errors_impl.ResourceExhaustedError: models/x/part-00000-of-00002.tempstate84; No space left on device")
	log("cuda-out-of-memory", "tensorflow.python.framework.errors_impl.ResourceExhaustedError: OOM when allocating tensor with shape[128,768]")
	log("cuda-out-of-memory", "W tensorflow/core/common_runtime/bfc_allocator.cc:479] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.00GiB (rounded to 2147483648)requested by op mul")
	log("", "W tensorflow/core/common_runtime/bfc_allocator.cc:271] Allocator (GPU_0_bfc) ran out of memory trying to allocate 2.00GiB with freed_by_count=0. The caller indicates that this is not a failure, but may mean that there could be performance gains if more memory were available.")
	// DeepSpeed loss_scaler.py, apex: the scale next to its end, and far from it
	log("loss-scale-minimum", "[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 2.0, reducing to 1.0")
	log("loss-scale-minimum", "Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to 1.0")
	log("", "[deepspeed] OVERFLOW! Rank 0 Skipping step. Attempted loss scale: 65536, reducing to 32768")
	log("", "Gradient overflow.  Skipping step, loss scaler 0 reducing loss scale to 16384.0")
	// detectron2 train_loop.py, Keras TerminateOnNaN, PyTorch clip_grad.py, Lightning detect_nan_parameters
	log("nan-loss", "FloatingPointError: Loss became infinite or NaN at iteration=27!")
	log("nan-loss", "Batch 5: Invalid loss, terminating training")
	log("nan-loss", "RuntimeError: The total norm of order 2.0 for gradients from `parameters` is non-finite, so it cannot be clipped.")
	log("nan-loss", "ValueError: Detected nan and/or inf values in `layer.weight`. Check your forward pass for numerically unstable operations.")
	// PyTorch's and Megatron-LM's distributed checkpoints, TensorFlow's saver, transformers utils/hub.py, Lightning
	log("checkpoint-shape-mismatch", "megatron.core.dist_checkpointing.core.CheckpointingException: Global shape mismatch for loaded (torch.Size([50304, 512])) and expected ((50432, 512)) tensor for key word_embeddings.weight")
	log("checkpoint-missing", "NotFoundError: Unsuccessful TensorSliceReader constructor: Failed to find any matching files for ./model.ckpt")
	log("checkpoint-missing", "OSError: out does not appear to have a file named pytorch_model.bin, model.safetensors, tf_model.h5, model.ckpt or flax_model.msgpack.")
	log("checkpoint-missing", "FileNotFoundError: Checkpoint at /x/last.ckpt not found. Aborting training.")
	// UCX uct/ib, its warnings of what it leaves out, and its words in a log of NVIDIA's plugin
	log("nccl-ib-error", "[n:1:0]  ib_iface.c:988  UCX  ERROR iface=0x224c8a10: failed to create UD QP TX wr:256 sge:6 inl:64 resp:0 RX wr:4096 sge:1 resp:0: Cannot allocate memory")
	log("nccl-ib-error", "[n:1:0:1] ib_mlx5_log.c:171  Transport retry count exceeded on mlx5_0:1/IB (synd 0x15 vend 0x81 hw_synd 0/0)")
	log("", "[n:1:0]  ucp_context.c:1014 UCX  WARN  transport 'ib' is not available, please use one or more of: cma, mm, posix, self, shm, sm, sysv, tcp, xpmem")
	// MPICH Hydra pmiserv and mpiexec, Intel MPI, torch.multiprocessing.spawn
	log("oom-killed", "=   KILLED BY SIGNAL: 9 (Killed)")
	log("segfault", "YOUR APPLICATION TERMINATED WITH THE EXIT STRING: Segmentation fault (signal 11)")
	log("segfault", "=   EXIT CODE: 139")
	log("", "=   EXIT CODE: 1")
	log("oom-killed", "torch.multiprocessing.spawn.ProcessExitedException: process 0 terminated with signal SIGKILL")
	// huggingface_hub's answer 429, that of an image registry beside it
	f(InAnyText, "hf-hub-auth", "huggingface_hub.errors.HfHubHTTPError: 429 Client Error: Too Many Requests for url: https://huggingface.co/api/models/x")
	event("image-pull-rate-limited", "failed to pull image: 429 Too Many Requests - Server message: toomanyrequests")
	// NVIDIA driver: Xid 154 says what the GPU asks for, and that it asks for nothing more
	log("gpu-xid-error", "NVRM: Xid (PCI:0000:3b:00): 154, GPU recovery action changed from 0x0 (None) to 0x2 (Node Reboot Required)")
	log("", "NVRM: Xid (PCI:0000:3b:00): 154, GPU recovery action changed from 0x1 (GPU Reset Required) to 0x0 (None)")

	// Kueue workload controller: Evicted, and what the condition says after the next reservation
	event("kueue-not-admitted", "Exceeded the PodsReady timeout ml/job-bert-992ea")
	event("", "Previously: Exceeded the PodsReady timeout ml/job-bert-992ea")
	event("", `Quota reserved in ClusterQueue q, wait time since queued was 1s; Flavors considered: one: default(NoFit;Flavor "default" does not support TopologyAwareScheduling)`)
	// kubelet 1.20
	event("spot-interruption", "Node is shutting, evicting pods")
	event("", "Node is ready to be shut down later")

	// client-go discovery before 1.11 and with several versions; kubelet's keys in both cases
	event("api-version-no-match", `unable to recognize "job.yaml": no matches for kubeflow.org/, Kind=PyTorchJob`)
	event("api-version-no-match", `no matches for kind "PyTorchJob" in versions ["kubeflow.org/v1" "kubeflow.org/v1beta2"]`)
	event("", "the search has no matches for kindness")
	event("configmap-key-missing", "Error: Couldn't find key lr in ConfigMap ml/hyper")
	event("secret-key-missing", "Error: Couldn't find key token in Secret ml/hf")
	event("configmap-key-missing", `MountVolume.SetUp failed for volume "v" : references non-existent config key: train.yaml`)
	// scheduler-plugins coscheduling 0.18 and earlier
	event("gang-not-ready", "0/3 nodes are available: 3 pod with pgName: default/nginx last failed in 3s, deny.")
	event("gang-not-ready", `pod "w-0" rejected by "coscheduling" at prefilter: cannot found engough pods, current pods number: 1, minMember of group: 4`)
	event("", "the probe last failed in 3s")
	// kubelet DRA and the resource claim controller, 1.26 to 1.36
	event("dra-claim-pending", `"Failed to prepare dynamic resources" err="pod p(1) is not allowed to use ResourceClaim c(2)" pod="ml/p"`)
	event("dra-claim-pending", "failed to get gRPC client for driver gpu.nvidia.com: plugin name gpu.nvidia.com not found in the list of registered DRA plugins")
	event("dra-claim-pending", `PodResourceClaim gpu: resource claim template "gpu": resourceclaimtemplates.resource.k8s.io "gpu" not found`)
	// training-operator core/pod.go
	event("application-error", "Pod: default.kfto-01-master-0 exited with code 1")
	event("sigkill-received", "Pod: default.kfto-01-master-0 exited with code 137")
	event("", "Pod: default.kfto-01-master-0 exited with code 0")
	// persistent volume controller and its users
	event("pvc-lost", `claim "default/pvc1" entered phase "Lost"`)
	event("", `claim "default/pvc1" entered phase "Bound"`)
	event("unbound-pvc", `PVC ml/data has non-bound phase ("Pending") or empty pvc.Spec.VolumeName ("")`)
	event("max-volume-count", `AttachVolume.Attach failed for volume "v" : The maximum number of data disks allowed to be attached to a VM of this size is 4.`)
	event("max-volume-count", `AttachVolume.Attach failed for volume "v" : AttachmentLimitExceeded: volume count exceeds the limit of 28`)
	event("multi-attach", `MountVolume.SetUp failed for volume "v" : Rook: Mount volume failed: Volume is already attached by pod ml/q. Status Running`)
	event("pvc-wrong-access-mode", `failed to provision volume with StorageClass "s": rpc error: code = InvalidArgument desc = VolumeCapabilities is invalid: specified multi writer with mount access type`)
	// containerd, CRI-O, image garbage collection
	event("image-pull-unauthorized", `failed to resolve image "r/a": failed to fetch anonymous token: unexpected status: 403`)
	event("image-pull-unauthorized", "initializing source docker://r/a:latest: Requesting bearer token: invalid status code from registry 403 (Forbidden)")
	event("image-registry-unreachable", `Failed to pull image "a": rpc error: code = Canceled desc = context canceled`)
	event("image-disk-full", "wanted to free 9223372 bytes, but freed 0 bytes space with errors in image deletion")
	// kubelet's events of a node, pod garbage collector
	event("node-not-ready", "Node minikube status is now: NodeHasDiskPressure")
	event("", "Node minikube status is now: NodeHasNoDiskPressure")
	event("evicted-disk-pressure", "Attempting to reclaim ephemeral-storage")
	event("node-lost", "PodGC: node no longer exists")
	// aws-node-termination-handler, KubeRay, Kueue scheduler.go, Volcano
	event("spot-interruption", "ASG Lifecycle Termination event received. Instance will be interrupted at 2023-01-20 22:25:57 +0000 UTC")
	event("active-deadline-exceeded", "The RayJob has passed the activeDeadlineSeconds. StartTime: 1. ActiveDeadlineSeconds: 60")
	event("kueue-not-admitted", "Workload no longer fits after processing another workload")
	event("queue-quota-exceeded", "Queue <default> is overused when considering task <ml/p>, ignore it.")
	// API server and its admission; runtimes and Multus
	event("admission-webhook-down", `conversion webhook for kubeflow.org/v1, Kind=MPIJob failed: Post "https://x": no endpoints available for service "x"`)
	event("service-account-missing", `pods "w-" is forbidden: service account ml/train was not found, retry after the service account is created`)
	event("rbac-forbidden", `User "system:serviceaccount:ml:train" cannot get pods in the namespace "ml".`)
	event("runtime-class-missing", `OCI runtime create failed: unable to retrieve OCI runtime error: exec: "nvidia-container-runtime": executable file not found in $PATH: unknown`)
	event("sandbox-network", `error adding pod to CNI network "multus-cni-network": cannot find a network-attachment-definition (rdma) in namespace (ml)`)
	event("hostpath-missing", `MountVolume.NewMounter initialization failed for volume "local" : path "/mnt/d" does not exist`)
	// kubelet: a start-up probe fails until the container has started
	event("", "4m41s  Warning  Unhealthy  pod/w-0  Startup probe failed: connection refused by 10.0.0.2")
	event("liveness-probe-kill", "Warning  Unhealthy  4m (x12 over 6m)  kubelet  Startup probe failed: HTTP probe failed with statuscode: 503")
	// cluster-autoscaler, karpenter
	event("autoscaler-not-scaling-up", "Scale-up timed out for node group gpu after 15m0s")
	event("autoscaler-not-scaling-up", "creating instance, insufficient capacity, with fleet error(s), InsufficientInstanceCapacity: We currently do not have sufficient capacity")
	// kube-scheduler: where no node is meant, what they lack does not matter
	event("node-selector-mismatch", "0/10 nodes are available: 10 node(s) didn't match node selector, 4 Insufficient cpu.")
	event("insufficient-cpu", "0/10 nodes are available: 6 node(s) didn't match node selector, 4 Insufficient cpu.")

	// flannel, the bridge plugin, Cilium; registries; kube-scheduler PreBind
	event("sandbox-network", `plugin type="flannel" failed (add): loadFlannelSubnetEnv failed: open /run/flannel/subnet.env: no such file or directory`)
	event("sandbox-network", `failed to set bridge addr: "cni0" already has an IP address different from 10.244.1.1/24`)
	event("image-registry-unreachable", `Failed to pull image "a": failed to copy: httpReadSeeker: failed open: unexpected status code https://r/v2/a/blobs/sha256:1: 500 Internal Server Error`)
	event("unbound-pvc", `running PreBind plugin "VolumeBinding": binding volumes: timed out waiting for the condition`)
	// tf-operator v1alpha2, mpi_job_controller.go
	event("application-error", "TFJob dist-mnist-for-e2e-test is failed.")
	event("", "TFJob dist-mnist-for-e2e-test is created.")
	event("evicted-memory", "1/8 workers are evicted")
	event("backoff-limit-exceeded", "PyTorchJob ml/train has failed because it has reached the specified backoff limit")
	event("active-deadline-exceeded", "TFJob ml/train has failed because it was active longer than specified deadline")
	// libnvidia-container: no driver, and another than the image's
	event("no-gpu-visible", "nvidia-container-cli: initialization error: nvml error: driver not loaded: unknown")
	event("cuda-driver-mismatch", "nvidia-container-cli: initialization error: nvml error: driver/library version mismatch: unknown")

	// CANN's runtime, torch_npu and HCCL: vllm-project/vllm-ascend#1038, #1443, open-mmlab/mmcv#3203, Ascend/pytorch NPUQueue.cpp
	log("illegal-memory-access", "EZ9999: [PID: 28849] 2025-07-22-08:09:52.219.466 The error from device(chipId:4, dieId:0), serial number is 1, there is an exception of aivec error, core id is 49, error code = 0x800000")
	log("illegal-memory-access", "EZ9999 Kernel task happen error, retCode=0x2a, [aicpu exception].[FUNC:PreCheckTaskErr][FILE:task.cc][LINE:1068]")
	log("gpu-ecc-error", "RuntimeError: HBM MULTI BIT ECC ERROR. CANN error: EZ9999: Inner Error!")
	log("nvlink-error", "RuntimeError: HCCS LINK ERROR.")
	log("gpu-xid-error", "RuntimeError: Initialize:build/CMakeFiles/torch_npu.dir/compiler_depend.ts:152 NPU function error: c10_npu::SetDevice(device_id_), error code is 507033")
	log("no-gpu-visible", "RuntimeError: Initialize:torch_npu/csrc/core/npu/sys_ctrl/npu_sys_ctrl.cpp:226 NPU function error: c10_npu::SetDevice(device_id_), error code is 107001")
	log("cuda-arch-mismatch", "RuntimeError: ... NPU function error: aclInit, error code is 507008")
	log("python-exception", "RuntimeError: npu_lightning_indexer:build/CMakeFiles/torch_npu.dir/compiler_depend.ts:79 NPU function error: call aclnnLightningIndexer failed, error code is 561002")
	log("nccl-timeout", "        The error from device(chipId:5, dieId:0), serial number is 17, hccl fftsplus task timeout occurred during task execution, stream_id:7")
	log("nccl-ib-error", "RuntimeError: HCCL OP RETRY FAILED.")
	log("", "[INFO] RUNTIME(278,python3): device 0 reports no error, error code is 0")
	log("", "npu: 8 NPUs, HBM 64 GiB each, ECC on")

	// NCCL include/checks.h, transport/nvls.cc (NVIDIA/nccl#1338, horovod/horovod#1122), aws-ofi-nccl#889, libfabric#5716
	log("nccl-init-failure", "n:242431:242479 [5] transport/nvls.cc:158 NCCL WARN Cuda failure 1 'invalid argument'")
	log("nccl-init-failure", "n:3090:3090 [0] include/shm.h:42 NCCL WARN Cuda failure 'invalid argument'")
	log("gpu-ecc-error", "n:1:2 [0] enqueue.cc:1 NCCL WARN Cuda failure 'uncorrectable ECC error encountered'")
	log("cuda-out-of-memory", "n:1:2 [0] include/alloc.h:99 NCCL WARN Cuda failure 2 'out of memory'")
	log("nvlink-error", "n:1:2 [0] transport/nvls.cc:244 NCCL WARN Failed to bind NVLink SHARP (NVLS) Multicast memory of size 1048576 : CUDA error 401 'the operation cannot be performed in the present state'.")
	log("nccl-ib-error", "n:80:2500 [0] nccl_net_ofi_domain_get_ep:969 NCCL WARN NET/OFI Creating new endpoint for domain 0x7f9befa99380 failed: Invalid argument")
	log("nccl-ib-error", "n:80:2500 [0] init:1 NCCL WARN NET/OFI Couldn't open a fabric access domain. RC: -22, ERROR: Invalid argument")
	log("nccl-ib-error", "Unable to write to EQ: Missing or unavailable event queue. err: Input/output error (5) prov_errno: Unknown error -11 (-11) prov/efa/src/rxr/rxr.h:1343")
	log("", "n:80:2500 [0] init:1 NCCL WARN NET/OFI Only EFA provider is supported")
	log("", "n:80:2500 [0] NCCL INFO NET/OFI Creating new endpoint for domain 0x7f9befa99380")
	log("nccl-init-failure", "  what():  NCCL error in: /opt/conda/conda-bld/pytorch/torch/csrc/distributed/c10d/Proc")

	// Open MPI help-mpi-btl-tcp.txt and its handler of errors, MPICH errutil.c
	log("mpi-worker-lost", "ORTE has lost communication with its daemon located on node:")
	log("", "the monitor has lost communication with its daemon, asking again")
	log("mpi-worker-lost", "An MPI communication peer process has unexpectedly disconnected.  This")
	log("mpi-launcher-ssh-failure", "WARNING: Open MPI failed to TCP connect to a peer MPI process.  This")
	log("nccl-desync", "[node1:1234] *** MPI_ERR_TRUNCATE: message truncated")
	log("torchrun-child-failed", "[node1:1234] *** An error occurred in MPI_Allreduce")
	log("torchrun-child-failed", "Fatal error in PMPI_Allreduce: Other MPI error, error stack:")
	log("", "MPI errors are returned to the caller")
	log("shm-too-small", "srun: error: gpu-18-69: task 289: Bus error")

	// Horovod runner/launch.py; what NCCL says, without its own mark
	log("mpi-launcher-ssh-failure", "ssh not successful for host server1-0:")
	log("", "SSH was successful into all the remote hosts.")
	log("nccl-init-failure", "Connect to 10.38.10.112<21724> failed : Connection refused")
	log("", "Connect to the dashboard failed : Connection refused")

	// NVIDIA Fabric Manager, by gpud's log_matcher.go and testdata
	f(InAnyText, "nvlink-error", "[Jul 23 2024 07:53:55] [ERROR] [tid 841] detected NVSwitch fatal error 20034 on fid 0 on NVSwitch pci bus id 00000000:86:00.0 physical id 3 port 33")
	f(InAnyText, "nvlink-error", "[ERROR] [tid 12727] detected NVSwitch non-fatal error 12028 on fid 0 on NVSwitch pci bus id 00000000:86:00.0 physical id 3 port 61")
	f(InAnyText, "nvlink-error", "[Sep 17 2024 06:01:46] [ERROR] [tid 1230079] failed to find the GPU handle 5410063385821516767 in the multicast team request setup 6130285411925746235.")
	f(InAnyText, "nvlink-error", "[ERROR] [tid 99999] detected number of NVSwitches don't match with any supported system topology, aborting fabric manager")
	f(InAnyText, "", "[Feb 25 2025 14:01:18] [INFO] [tid 1808] successfully setup multicast team for request id 8331980469606044544.")

	// Linux: what is left of the lines when their beginning is cut off
	f(InAnyText, "segfault", "segfault at 7f797fe00000 ip 00007f7c7ac69996 sp 00007f7c12fd7c30 error 4 in libnccl.so.2[7f7c7ac00000+d3d3000]")
	f(InAnyText, "", "what to do when the trainer dies of a segfault at the first step")
	f(InAnyText, "storage-hang", `kernel: "echo 0 > /proc/sys/kernel/hung_task_timeout_secs" disables this message.`)
	f(InAnyText, "", "+ cat /proc/sys/kernel/hung_task_timeout_secs")

	// what is left of sentences that a title or a form cut off
	f(InAnyText, "oom-killed", "Memory cgroup out of memory: Killed process")
	f(InAnyText, "oom-killed", "[Thu Dec  7 00:05:15 2017] Killed process 28438 (java) total-vm:20255636kB, anon-rss:466160kB, file-rss:13684kB")
	f(InAnyText, "oom-killed", `"reason": "OOMKilling",`)
	f(InAnyText, "oom-killed", "2024-04-29T14:55:41,678661+02:00  oom_kill_process.cold.33+0xb/0x10")
	f(InAnyText, "", "probe: oom_kill_process is traced")
	f(InAnyText, "", "Killed process 28438 (java) by hand")
	f(InAnyText, "", "[ 12.1] [ 28438] 0 28438 total-vm:20255636kB")
	f(InAnyText, "host-oom", "Out of memory: Killed process")
	f(InAnyText, "", "Out of memory is what the process is killed for")
	log("oom-killed", "exitcode: -9")
	log("segfault", "exitcode: -11")
	log("", "exitcode: -0")
	log("nccl-timeout", "[rank5]:[E602 11:17:52.185053341 ProcessGroupNCCL.cpp:632] [Rank 5] Watchdog caught collective operati")
	log("nccl-desync", "RuntimeError: Detected mismatch between collectives on ranks.")
	log("rendezvous-timeout", "timed out initializing process group in store based barrier on rank")
	log("", "Added key: store_based_barrier_key:1 to store for rank: 0, initializing process group in store based barrier")
	log("python-import-error", "libcudart.so.11.0: cannot open shared object file: No such file or directory")
	log("", "dlerror: libcudart.so.11.0: cannot open shared object file: No such file or directory; LD_LIBRARY_PATH: /usr/lib")
	log("", "libnccl-net.so: cannot open shared object file: No such file or directory")
	log("deepspeed-init", "fused_adam.so: cannot open shared object file: No such file or directory")
	log("deepspeed-init", "ImportError: /root/.cache/torch_extensions/py310_cu118/utils/utils.so: cannot open shared object file: No such file or directory")

	// Open MPI, MPICH Hydra, kubectl exec of mpi-operator v1; Horovod, DeepSpeed
	log("torchrun-child-failed", "mpiexec noticed that process rank 0 with PID 10313 on node proton exited on ")
	log("torchrun-child-failed", "mpirun noticed that process rank 0 with PID 10313 on node proton exited on signal 6 (Aborted).")
	log("torchrun-child-failed", "It looks like MPI_INIT failed for some reason; your parallel process is")
	log("mpi-launcher-ssh-failure", "[proxy:0:1@w] HYDU_sock_connect (utils/sock/sock.c:113): unable to get host address for w-0")
	log("mpi-launcher-ssh-failure", "[proxy:0:1@w] main (pm/pmiserv/pmip.c:181): unable to connect to server w-0 at port 41849 (check for firewalls!)")
	log("", "was unable to connect to server metrics at port 9090, asking again")
	log("mpi-launcher-ssh-failure", `error: unable to upgrade connection: container not found ("mpi-worker")`)
	log("mpi-worker-lost", `Error from server (NotFound): pods "tf-bert-worker-19" not found`)
	log("", `Error from server (NotFound): pods "web-7d9f" not found`)
	log("rendezvous-timeout", "horovod.runner.common.util.timeout.TimeoutException: Timed out waiting for tasks to start. Please check connectivity between servers.")
	log("rendezvous-timeout", "  what():  [/horovod/third_party/gloo/gloo/rendezvous/file_store.cc:98] Wait timeout for key(s): 0/1")
	log("torchrun-child-failed", "[2023-05-23 10:10:10,123] [ERROR] [launch.py:321:sigkill_handler] ['/usr/bin/python', '-u', 'main.py'] exits with return code = 1")
	log("", "[2023-05-23 10:10:10,123] [INFO] [launch.py:347:main] Process 123 exits successfully.")
	log("sigterm-received", "  traceback : Signal 15 (SIGTERM) received by PID 4211")
	log("nccl-timeout", "Rank 0 timed out in monitoredBarrier after 100000 ms. No ranks successfully processed in monitoredBarrier.")
	log("", "[rank0] Rank 0 waits in monitoredBarrier for 100000 ms at most")
	log("master-addr-unresolvable", "getaddrinfo: Name or service not known")
	log("", "getaddrinfo is asked for the service's name")

	// Ray to 1.x, libtpu, AWS Neuron, k8s-device-plugin internal/rm/health.go
	log("ray-worker-died", "The actor is dead because its worker process has died.")
	log("nccl-connection-lost", "Net : Connection closed by remote peer user<50260>")
	log("horovod-stall", "4: [horovod_allreduce.0, horovod_all")
	log("", "sizes: [allreduce, broadcast, allgather")
	log("rendezvous-timeout", "[c10d] TCP client failed to connect/validate to host 172.18.21.4:37907 - timed out (try=1, timeout=600000ms)")
	log("", "[c10d] TCP client failed to connect/validate to host 172.18.21.4:37907 - retrying (try=0, timeout=600000ms, delay=1307ms)")
	log("segfault", "E1119 08:26:02.715000 28705 site-packages/torch/distributed/elastic/multiprocessing/api.py:882] failed (exitcode: -11)")
	log("torchrun-child-failed", "torch.distributed.elastic.multiprocessing.api: [ERROR] failed (exitcode: 1)")
	log("torchrun-child-failed", "mpiexec detected that one or more processes exited with non-zero status, thus causing")
	log("nccl-timeout", "[PG ID 0 PG GUID 0(default_pg) Rank 5]  failure detected by watchdog at work sequence id: 120049")
	f(InAnyText, "gpu-xid-error", "kernel: NVRM: RmInitAdapter: osInitNvMapping failed, bailing out of RmInitAdapter")
	log("ray-worker-died", "The actor is dead because its node has died. Node Id: 56b97436e67393f15565e024278867700c2bd0ec6ca9e0dac7261fd1")
	log("ray-worker-died", "The actor is dead because its worker process has died. Worker exit type: SYSTEM_ERROR Worker exit detail: Worker unexpectedly exits with a connection error code 2. End of file.")
	log("", "error_message: 'The actor is dead because its worker process has died. Worker exit type: INTENDED_USER_EXIT Worker exit detail: Worker exits by an user request. exit_actor() is called.'")
	log("", "Worker exit type: INTENDED_SYSTEM_EXIT Worker exit detail: Worker exits because it was idle")
	log("ray-worker-died", "The node with client ID 1eadc9db2f074bfec34caf25dd5bf1f99fad0d59 has been marked dead because the monitor has missed too many heartbeats from it.")
	log("tpu-init", "RuntimeError: tensorflow/compiler/xla/xla_client/computation_client.cc:273 : Missing XLA configuration")
	log("neuron-init-failed", "ERROR NRT:nrt_allocate_neuron_cores")
	log("neuron-init-failed", "RuntimeError: nrt_load_collectives status=2")
	log("", "2024-Oct-21 20:16:04.966842  7838:7838   INFO   NRT:nrt_allocate_neuron_cores               Instance info:: device count:1 cores per device:2")
	f(InAnyText, "gpu-ecc-error", "XidCriticalError: Xid=48 on Device=GPU-9d5e; marking device as unhealthy.")
	f(InAnyText, "gpu-fell-off-bus", "XidCriticalError: Xid=79, All devices will go unhealthy.")
	f(InAnyText, "", "XidCriticalError: Xid=45 on Device=GPU-9d5e; marking device as unhealthy.")

	f(InAnyText, "", "the monitor counts Xid errors: 0")
	log("", "0 uncorrectable ECC errors")
	log("gpu-ecc-error", "2 uncorrectable ECC errors")

	// Linux mlx5_core, net/sched/sch_generic.c; Lustre ptlrpc/client.c
	f(InAnyText, "network-hw-degraded", "mlx5_core 0000:3b:00.0 ens1f0: TX timeout detected")
	f(InAnyText, "network-hw-degraded", "NETDEV WATCHDOG: ens1f0 (bnxt_en): transmit queue 3 timed out")
	f(InAnyText, "", "mlx5_core 0000:3b:00.0 ens1f0: TX queues: 8")
	f(InAnyText, "storage-hang", "Lustre: 2345:0:(client.c:2116:ptlrpc_expire_one_request()) @@@ Request sent has timed out for slow reply: [sent 1575000000]")
	f(InAnyText, "", "Lustre: lustre-OST0002-osc: Connection restored to 10.0.0.1@o2ib")
	log("nvlink-error", "systemd[1]: nvidia-fabricmanager.service: Control process exited, code=exited, status=1/FAILURE")

	// PyTorch: parts of its reports, and of gloo's exceptions
	log("torchrun-child-failed", "  traceback : To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html")
	log("torchrun-child-failed", "Root Cause (first observed failure):")
	log("", "Root Cause: none was observed")
	log("sigterm-received", "Process 293812 got signal: 15")
	log("", "note: Process 293812 got signal: 15 yesterday")
	log("rendezvous-timeout", "TimeoutError: The client socket has timed out after 1800s")
	log("nccl-desync", "CollectiveFingerPrint(OpType=ALLREDUCE, TensorShape=[1]), but Rank 1 is running collective: REDUCE.")
	log("", "[rank1] the profiler shows which rank is running collective: ALLREDUCE")
	log("gloo-connect-failure", "  timed out connecting: SO_ERROR: Connection refused, remote=[127.0.0.1]:33125")
	log("gloo-connect-failure", "terminate called after throwing an instance of 'gloo::EnforceNotMet'")
	log("gloo-connection-lost", "terminate called after throwing an instance of 'gloo::IoException'")
	log("abort-sigabrt", "terminate called after throwing an instance of 'std::logic_error'")

	// AWS Neuron: aws-neuron/aws-neuron-sdk#779, vllm-project/vllm#12443
	log("neuron-init-failed", `  (0) INTERNAL: Nrt::Load failed on NeuronCores 0-0(2): nrt_load status=1, error message="Non specific failure".`)
	log("cuda-out-of-memory", `RuntimeError: nrt_tensor_allocate status=4 message="Allocation Failure"`)
	log("", `nrt_load status=0 message="Success"`)

	// JAX' older client (alpa-projects/alpa#826), TPU drivers (jax-ml/jax#6157), torchelastic's events (exiawsh/StreamPETR#19)
	log("rendezvous-timeout", "jaxlib.xla_extension.XlaRuntimeError: DEADLINE_EXCEEDED: Connect() timed out after 0 with 1 attempts.")
	log("tpu-init", "RuntimeError: Deadline exceeded: Failed to connect to remote server at address: grpc://10.0.0.2:8470. Error from gRPC: Deadline Exceeded. Details: ")
	log("torchrun-child-failed", `{"name": "torchelastic.worker.status.FAILED", "source": "WORKER", "timestamp": 0, "metadata": {"run_id": "none", "global_rank": 3, "group_rank": 0}}`)
	log("", `{"name": "torchelastic.worker.status.SUCCEEDED", "source": "WORKER", "timestamp": 0, "metadata": {"run_id": "none", "global_rank": 3, "group_rank": 0}}`)

	// PyTorch DataLoader.cpp, wandb through Hydra (LeapLabTHU/Segment3D#5)
	log("dataloader-worker-killed", "ERROR: Unexpected segmentation fault encountered in worker.")
	log("wandb-timeout", `hydra.errors.HydraException: Error calling 'pytorch_lightning.loggers.WandbLogger' : failed to upsert bucket: returned error 403 Forbidden: {"errors":[]}`)

	// Megatron-LM core/rerun_state_machine.py and its check before it
	log("nan-loss", "AssertionError: Rank 3: found NaN in local grad norm in backwards pass. Device: 3, node: worker-0")
	log("nan-loss", "RuntimeError: Rank 5, node worker-0, device 5, iteration 812: Unexpected result inf (message='found Inf in local forward loss calculation')")
	log("loss-spike", "RuntimeError: Rank 5, node worker-0, device 5, iteration 812: Unexpected result 71.2 (message='Spiky loss')")
	log("loss-spike", "ERROR:megatron.core.rerun_state_machine:Unexpected result 71.2 at /work/pretrain_gpt.py line 88, invokation #1 at iteration #812 (message='Spiky loss')")
	log("gpu-xid-error", "ERROR:megatron.core.rerun_state_machine:Rank 5, node worker-0, device 5: Possible persistent error!!")
	log("", "WARNING:megatron.core.rerun_state_machine:Result validation enabled")
	log("", "  check_for_spiky_loss ............................ True")

	// Devices that are not CUDA's: SynapseAI, SYCL, Level Zero, ROCm and its kernel driver, libtpu
	log("cuda-out-of-memory", "RuntimeError: [Rank:0] FATAL ERROR :: MODULE:PT_DEVMEM Allocation failed for size::268435456 (256)MB")
	log("cuda-out-of-memory", "RuntimeError: Native API failed. Native API returns: -5 (PI_ERROR_OUT_OF_RESOURCES) -5 (PI_ERROR_OUT_OF_RESOURCES)")
	log("cuda-out-of-memory", "RuntimeError: HIP error: out of memory")
	log("cuda-out-of-memory", "cupy.cuda.memory.OutOfMemoryError: Out of memory allocating 8,589,934,592 bytes (allocated so far: 1,024 bytes).")
	log("no-gpu-visible", "RuntimeError: Native API failed. Native API returns: -1 (PI_ERROR_DEVICE_NOT_FOUND) -1 (PI_ERROR_DEVICE_NOT_FOUND)")
	log("gpu-xid-error", "HW Exception by GPU node-2 (Agent handle: 0x55) reason :GPU Hang")
	log("gpu-xid-error", "[drm:amdgpu_job_timedout [amdgpu]] *ERROR* ring gfx timeout, signaled seq=1, emitted seq=3")
	log("gpu-ecc-error", "amdgpu 0000:c1:00.0: amdgpu: 1 uncorrectable hardware errors detected in umc block")
	log("", "amdgpu 0000:c1:00.0: amdgpu: 0 uncorrectable hardware errors detected in umc block")
	log("", "amdgpu 0000:c1:00.0: amdgpu: 4 correctable hardware errors detected in umc block")
	log("cuda-arch-mismatch", "rocBLAS error: Cannot read /opt/rocm/lib/rocblas/library/TensileLibrary.dat: Illegal seek for GPU arch : gfx1103")
	log("nccl-init-failure", "RuntimeError: oneCCL: ze_call.cpp:43 do_call: EXCEPTION: ze error at zeMemOpenIpcHandle, code: ZE_RESULT_ERROR_INVALID_ARGUMENT")

	// Ray's autoscaler; Intel MPI; JAX' coordinator; glibc; shells without a line
	log("insufficient-gpu", "(autoscaler +5s) Error: No available node types can fulfill resource request {'CPU': 1.0, 'GPU': 8.0}. Add suitable node types to this cluster to resolve this issue.")
	log("insufficient-cpu", "(autoscaler +5s) Error: No available node types can fulfill resource request {'CPU': 64.0}. Add suitable node types to this cluster to resolve this issue.")
	log("mpi-launcher-ssh-failure", "[mpiexec@launcher] check_exit_codes (src/pm/i_hydra/libhydra/demux/hydra_demux_poll.c:117): unable to run bstrap_proxy on worker-0 (pid 20, exit code 65280)")
	log("rendezvous-timeout", "jaxlib.xla_extension.XlaRuntimeError: UNAVAILABLE: failed to connect to all addresses; last error: UNKNOWN: ipv4:10.0.0.1:1234: Failed to connect to remote host: Connection refused")
	log("abort-sigabrt", "free(): double free detected in tcache 2")
	log("abort-sigabrt", "corrupted double-linked list")
	log("shm-too-small", "[host:12345:0:12345] Caught signal 7 (Bus error: nonexistent physical address)")
	log("command-not-found", "torchrun: command not found")
	log("", "the shell said that torchrun: command not found is what it says")

	// Exceptions of packages whose names do not end in Error
	log("dataset-download-failure", "azure.core.exceptions.HttpResponseError: This request is not authorized to perform this operation using this permission.")
	log("dataset-download-failure", "botocore.exceptions.TokenRetrievalError: Error when retrieving token from sso: Token has expired and refresh failed")
	log("dataset-download-failure", "aiohttp.client_exceptions.ClientPayloadError: Response payload is not completed")
	log("python-exception", "pyarrow.lib.ArrowInvalid: Could not open Parquet input source '<Buffer>': Parquet magic bytes not found in footer")
	log("", "see exceptions.Retry: what it does stands in the manual")
	// HCCL of CANN (gpustack/gpustack#2021) and of SynapseAI (HabanaAI/hccl_demo#44)
	log("nccl-init-failure", "[ERROR] HCCL(36035,mindie):2025-05-13-02:25:58.068.817 [op_base.cc:974][36818][Init][CommRootInfoConfig]errNo[0x0000000005000002]HcclCommInitRootInfo failed.")
	log("", "[INFO] HCCL(36035,mindie):2025-05-13-02:25:58.068.817 [op_base.cc:974][36818]HcclCommInitRootInfo success")
	log("gpu-in-use-by-other", "HCCL demo error: In function initDevice(): synDeviceAcquire(&resources.deviceHandle, nullptr) failed with synapse error: 20")

	// MPICH, Intel MPI and Open MPI on libfabric and PSM (pmodels/mpich#6612, aws/aws-parallelcluster#1695, open-mpi/ompi#10601, ofiwg/libfabric#11307); PyTorch/XLA (pytorch/xla#2641)
	log("torchrun-child-failed", "Abort(204069007): Fatal error in internal_Init_thread: Other MPI error, error stack:")
	log("nccl-ib-error", "find_provider(170).........: OFI fi_getinfo() failure")
	log("nccl-ib-error", "MPIDI_OFI_mpi_init_hook(1382): OFI get address vector map failed")
	log("nccl-ib-error", "bdw-0214.30734PSM2 can't open hfi unit: -1 (err=23)")
	log("nccl-connection-lost", "MPIDI_OFI_handle_cq_error(1075)......: OFI poll failed (ofi_events.c:1077:MPIDI_OFI_handle_cq_error:Input/output error - CANCELED)")
	log("", "[0] MPI startup(): libfabric provider: OFI domain efa_0-rdm")
	log("python-exception", "Exception in device=TPU:5: Aborted: Session f2e012c73a7016d0 is not found.")

	// CUDA's error strings (cuGetErrorString of 12.8 and 13), PyTorch's of its allocator (pytorch/pytorch#2023 and later), Triton's guard in torch/_inductor
	log("nvlink-error", "torch.AcceleratorError: CUDA error: Invalid access of peer GPU memory over nvlink or a hardware error")
	log("no-gpu-visible", "RuntimeError: CUDA driver initialization failed: CUDA driver is a stub library")
	log("no-gpu-visible", "RuntimeError: CUDA error: MPS client failed to connect to the MPS control daemon or the MPS server")
	log("gpu-in-use-by-other", "RuntimeError: CUDA error: the hardware resources required to create MPS client have been exhausted")
	log("cuda-driver-mismatch", "RuntimeError: CUDA error: PTX JIT compiler library not found")
	log("", "PTX JIT compilation takes a while on the first step")
	log("illegal-memory-access", "RuntimeError: CUDA error: operation not supported on global/shared address space")
	log("cuda-out-of-memory", `RuntimeError: NVML_SUCCESS == r INTERNAL ASSERT FAILED at "/pytorch/c10/cuda/CUDACachingAllocator.cpp":1154, please report a bug to PyTorch.`)
	log("python-exception", `RuntimeError: NVML_SUCCESS == r INTERNAL ASSERT FAILED at "/pytorch/c10/cuda/CUDAMisc.cpp":10, please report a bug to PyTorch.`)
	log("cuda-arch-mismatch", "RuntimeError: Found Tesla P100-PCIE-16GB which is too old to be supported by the triton GPU compiler, which is used as the backend. Triton only supports devices of CUDA Capability >= 7.0, but your device is of CUDA capability 6.0")
	log("cuda-arch-mismatch", "ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0. Your Tesla V100-SXM2-32GB GPU has compute capability 7.0.")
	log("gpu-xid-error", "  what():  Native API failed. Native API returns: -999 (Unknown PI error) -999 (Unknown PI error)")

	// PyTorch distributed_c10d.py 1.x, socket.cpp on other systems, JAX's coordination service (xla/tsl/distributed_runtime, pjrt/distributed/client.cc)
	log("rendezvous-timeout", "Timed out initializing process group in store-based barrier on rank: 0, for key: store_based_barrier_key:1 (world_size=4, worker_count=1, timeout=0:30:00)")
	log("", "Waiting in store based barrier to initialize process group for rank: 0, key: store_based_barrier_key:1 (world_size=4, worker_count=1, timeout=0:30:00)")
	log("rendezvous-timeout", "2024-04-12 23:39:41.656900: E external/xla/xla/pjrt/distributed/client.cc:96] Coordination service agent in error status: DEADLINE_EXCEEDED: Deadline Exceeded")
	log("rendezvous-timeout", "RPC: /tensorflow.CoordinationService/RegisterTask")
	log("nccl-connection-lost", "RPC: /tensorflow.CoordinationService/PollForError")
	log("", "I0000 coordination_service_agent.cc:369] Coordination agent has successfully connected.")

	// aws-ofi-nccl nccl_ofi_rdma.cpp
	log("nccl-ib-error", "ip-172-31-3-90:1929:1937 [0] nccl_net_ofi_rdma_init:7978 NCCL WARN NET/OFI OFI fi_getinfo() call failed: No data available")
	log("", "ip-172-31-3-90:1929:1937 [0] NCCL INFO NET/OFI OFI fi_getinfo() call failed: No data available")

	// PyTorch torch/nn/modules/module.py to 0.4 and to 1.3
	log("checkpoint-shape-mismatch", "\tsize mismatch for stem.bn.weight: copying a param of torch.Size([64]) from checkpoint, where the shape is torch.Size([16]) in current model.")
	log("checkpoint-shape-mismatch", "RuntimeError: While copying the parameter named fc.weight, whose dimensions in the model are torch.Size([10, 512]) and whose dimensions in the checkpoint are torch.Size([1000, 512]).")
	log("", "While copying the parameter named fc.weight nothing is changed in its dimensions")

	// OpenSSH ssh.c, sshconnect2.c, readconf.c, ssh-keysign.c; Open MPI help-orte-odls-default.txt
	log("mpi-launcher-ssh-failure", "ssh_keysign: fork: Resource temporarily unavailable")
	log("mpi-launcher-ssh-failure", "@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @")
	log("mpi-launcher-ssh-failure", "Bad owner or permissions on /root/.ssh/config")
	log("mpi-launcher-ssh-failure", "Unable to negotiate with 10.0.0.2 port 22: no matching host key type found. Their offer: ssh-rsa")
	log("mpi-launcher-ssh-failure", "root@train-worker-0: Permission denied, please try again.")
	log("", "the login said Permission denied, please try again. after a while it was fine")
	log("permission-denied", "  Error:             Permission denied")

	// Shells, faulthandler, glibc, tcmalloc, NumPy, TensorFlow cpu_feature_guard.cc
	log("image-arch-mismatch", "/root/launcher.sh: line 17:     8 Illegal instruction     (core dumped) python -m train")
	log("image-arch-mismatch", "Illegal instruction (core dumped)")
	log("image-arch-mismatch", "Fatal Python error: Illegal instruction")
	log("image-arch-mismatch", "Fatal glibc error: CPU does not support x86-64-v2")
	log("image-arch-mismatch", "RuntimeError: NumPy was built with baseline optimizations: (X86_V2) but your machine doesn't support: (X86_V2).")
	log("image-arch-mismatch", "The TensorFlow library was compiled to use AVX2 instructions, but these aren't available on your machine.")
	log("", "This TensorFlow binary is optimized to use available CPU instructions in performance-critical operations.")
	log("illegal-memory-access", "RuntimeError: CUDA error: an illegal instruction was encountered")
	log("abort-sigabrt", "src/tcmalloc.cc:278] Attempt to free invalid pointer 0x7ffe44b66698 ")
	log("abort-sigabrt", "/pai_bootstrap.sh: line 259:   342 Aborted                 (core dumped) python main.py")
	log("abort-sigabrt", "Process finished with exit code 134 (interrupted by signal 6: SIGABRT)")
	log("oom-killed", "Process finished with exit code 137 (interrupted by signal 9: SIGKILL)")
	log("abort-sigabrt", "Aborted        ")
	log("", "Aborted  3 of 10 trials by the scheduler of trials")

	// PyTorch dataloader.py, MXNet gluon/data/dataloader.py
	log("dataloader-bound", "RuntimeError: DataLoader timed out after 300 seconds")
	log("", "DataLoader: timeout 300 seconds")

	// A storage that fails while it is read: Python, HDF5, TensorFlow, coreutils
	log("storage-hang", "OSError: [Errno 116] Stale file handle: '/root/.cache/huggingface/datasets/text/train.arrow'")
	log("storage-hang", "OSError: [Errno 5] Input/output error: '/data/L0550.pkl'")
	log("storage-hang", "OSError: [Errno 107] Transport endpoint is not connected: '/mnt/s3/train'")
	log("python-exception", "OSError: [Errno 107] Transport endpoint is not connected")
	log("storage-hang", "ls: cannot access '/mnt/data': Transport endpoint is not connected")
	log("storage-hang", "OSError: Can't read data (file read failed: time = Tue, filename = '/data/x.h5', file descriptor = 42, errno = 5, error message = 'Input/output error', buf = 0x7f)")
	log("checkpoint-write-failed", "OSError: [Errno 5] Input/output error: '/out/checkpoint-10/model.pt'")
	log("permission-denied", "mkdir: cannot create directory '/output': Permission denied")
	log("file-not-found", "cat: /data/train.txt: No such file or directory")
	log("", "ls: cannot access '/data/extra': No such file or directory")
	log("deepspeed-init", "The detected CUDA version (12.4) mismatches the version that was used to compile")

	// Linux amdgpu_ras.c, amdkfd kfd_device_queue_manager.c, mes_v11_0.c (drivers/gpu/drm/amd)
	kernel := func(want train.Cause, text string) { t.Helper(); f(InAnyText, want, text) }
	kernel("gpu-ecc-error", "[ 8390.785329] amdgpu 0000:68:00.0: {1}uncorrectable hardware error(ERREVENT_ATHUB_INTERRUPT) detected!")
	kernel("gpu-ecc-error", "amdgpu 0000:68:00.0: amdgpu: {2}3 uncorrectable hardware errors detected in total in umc block")
	kernel("", "amdgpu 0000:68:00.0: amdgpu: {2}3 correctable hardware errors detected in total in umc block")
	kernel("gpu-xid-error", "amdgpu: qcm fence wait loop timeout expired")
	kernel("gpu-xid-error", "[drm:mes_v11_0_submit_pkt_and_poll_completion [amdgpu]] *ERROR* MES failed to response msg=3")
	kernel("", "amdgpu 0000:03:00.0: amdgpu: RAS: optional ras ta ucode is not available")

	// XLA service/gpu/nccl_utils.cc, NCCL 2.3, huggingface_hub without the address
	log("nccl-init-failure", "external/xla/xla/service/gpu/nccl_utils.cc:133: NCCL operation ncclGetUniqueId(&id) failed: Unable to load NCCL library. Multi-GPU collectives will not work.;")
	log("", "every NCCL operation in this step took less than 3 ms")
	log("nccl-init-failure", "seyun:17280:17553 [0] misc/socket.h:95 NCCL WARN Call to connect timeout : Connection refused")
	log("hf-hub-auth", "huggingface_hub.utils._errors.HfHubHTTPError: 429 Client Error: Too Many Requests")

	// JAX xla_bridge.py, fsspec, git http.c, apt, pip, busybox nslookup, Lightning signal_connector.py
	log("no-gpu-visible", "WARNING:jax._src.xla_bridge:An NVIDIA GPU may be present on this machine, but a CUDA-enabled jaxlib is not installed. Falling back to cpu.")
	log("no-gpu-visible", "RuntimeError: Unable to initialize backend 'cuda': FAILED_PRECONDITION: No visible GPU devices.")
	log("dataset-download-failure", "fsspec.exceptions.FSTimeoutError")
	log("dataset-download-failure", "fatal: unable to access 'https://github.com/x/y.git/': Could not resolve host: github.com")
	log("dataset-download-failure", "E: Unable to fetch some archives, maybe run apt-get update or try with --fix-missing?")
	log("dataset-download-failure", "ERROR: No matching distribution found for torch==9.9")
	log("", "WARNING: No matching distribution found for an extra, which is left out")
	log("master-addr-unresolvable", "nslookup: can't resolve 'train-master-0'")
	log("sigterm-received", "bypassing sigterm")

	// TensorFlow cuda_dnn.cc, cuda_blas.cc, conv_ops.cc (tensorflow/tensorflow#25709, #24828); Abseil; Horovod gloo_run.py; PyTorch StorageImpl
	log("illegal-memory-access", "F tensorflow/stream_executor/cuda/cuda_dnn.cc:194] Check failed: status == CUDNN_STATUS_SUCCESS (7 vs. 0)Failed to set cuDNN stream.")
	log("cuda-driver-mismatch", "F tensorflow/stream_executor/cuda/cuda_dnn.cc:194] Check failed: status == CUDNN_STATUS_SUCCESS (1 vs. 0)Failed to set cuDNN stream.")
	log("cuda-driver-mismatch", "tensorflow.python.framework.errors_impl.UnknownError: Failed to get convolution algorithm. This is probably because cuDNN failed to initialize, so try looking to see if a warning log message was printed above.")
	log("cuda-out-of-memory", "tensorflow.python.framework.errors_impl.InternalError: Blas GEMM launch failed : a.shape=(100, 784), b.shape=(784, 10), m=100, n=10, k=784")
	log("abort-sigabrt", "2024-01-01 10:00:00.000000: F external/xla/xla/pjrt/distributed/client.h:88] Check failed: ok ")
	log("abort-sigabrt", "F0101 12:00:00.000000     1 reader.cc:79] Check failed: file != nullptr ")
	log("", "I0101 12:00:00.000000     1 reader.cc:79] Check failed: retried")
	log("torchrun-child-failed", "Horovod detected that one or more processes exited with non-zero status, thus causing the job to be terminated. The first process to do so was:")
	log("pickle-spawn-error", "RuntimeError: Cannot pickle CUDA storage; try pickling a CUDA tensor instead")
	log("python-import-error", " /opt/conda/lib/python3.10/site-packages/flash_attn_2_cuda.cpython-310-x86_64-linux-gnu.so: undefined symbol: _ZN2at4_ops5zeros4callE")
	log("nccl-timeout", "[rank1]:[E616 13:41:10.9 ProcessGroupNCCL.cpp:565] [Rank 1] Watchdog caught collective operatxx another process wrote here ion timeout: WorkNCCL(SeqNum=2109, OpType=_ALLGATHER_BASE, NumelIn=1, NumelOut=2, Timeout(ms)=1800000) ran for 1800007 milliseconds before timing out.")

	// PyTorch distributions and multinomial, mmap of MapAllocator.cpp; MindSpore, vLLM, datasets, DeepSpeed config.py, Megatron-LM, submitit
	log("nan-loss", "RuntimeError: probability tensor contains either `inf`, `nan` or element < 0")
	log("nan-loss", "ValueError: Expected parameter loc (Tensor of shape (64, 4)) of distribution Normal(loc: torch.Size([64, 4])) to satisfy the constraint Real(), but found invalid values:")
	log("device-side-assert", "../aten/src/ATen/native/cuda/TensorCompare.cu:110: _assert_async_cuda_kernel: block: [0,0,0], thread: [0,0,0] Assertion `probability tensor contains either `inf`, `nan` or element < 0` failed.")
	log("oom-killed", "RuntimeError: unable to mmap 2147483648 bytes from file </models/model.safetensors>: Cannot allocate memory (12)")
	log("shm-too-small", "RuntimeError: unable to mmap 1024 bytes from file </torch_123_456>: Cannot allocate memory (12)")
	log("cuda-out-of-memory", "[mindspore/ccsrc/plugin/device/ascend/hal/device/ascend_memory_adapter.cc:100] Malloc device memory failed, size[32212254720], ret[207001]")
	log("cuda-out-of-memory", "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.")
	log("no-space-left", "OSError: Not enough disk space. Needed: 20.00 GiB (download: 10.00 GiB, generated: 10.00 GiB)")
	log("deepspeed-init", "AssertionError: Micro batch size per gpu: 0 has to be greater than 0")
	log("sigterm-received", "exiting program after receiving SIGTERM.")
	log("sigterm-received", "submitit WARNING (2024-05-01 10:00:00) - Bypassing signal SIGTERM")
	log("", "installed a handler that is called with signal 15")
	log("no-space-left", "wandb: ERROR failed to write run-abc.wandb: write /out/run-abc.wandb: no space left on device")
	f(InAnyText, "image-disk-full", `failed to extract layer sha256:0: write /usr/lib/libcudnn.so.9: no space left on device`)

	// gsutil, gcloud, AWS CLI, s5cmd; webdataset gopen.py; nvidia-smi, nv.c of the NVIDIA driver, TensorFlow cuda_diagnostics.cc
	log("dataset-download-failure", "AccessDeniedException: 403 team@example.com does not have storage.objects.list access to the Google Cloud Storage bucket.")
	log("dataset-download-failure", "ServiceException: 401 Anonymous caller does not have storage.objects.get access")
	log("dataset-download-failure", "ERROR: (gcloud.storage.cp) HTTPError 403: no access")
	log("dataset-download-failure", "download failed: s3://bucket-name/path/to/file.tar to - [Errno 32] Broken pipe")
	log("dataset-download-failure", `ERROR "cp s3://bucket/a.tar ./a.tar": AccessDenied: Access Denied status code: 403`)
	log("dataset-download-failure", "Exception: (\"((' gsutil cat gs://bucket/20.tar',), {'shell': True, 'bufsize': 8192}): exit 1 (read) {'rank': -1}")
	log("", "(('gsutil cat gs://bucket/20.tar',), {'shell': True}): exit 0 (read)")
	log("", "download: s3://bucket/a.tar to ./a.tar")
	log("no-gpu-visible", "No devices were found")
	log("", "No devices were found that are slower than the others")
	log("no-gpu-visible", "no NVIDIA GPU device is present: /dev/nvidia0 does not exist")
	kernel("no-gpu-visible", "[188497.595099] NVRM: No NVIDIA graphics adapter probed!")
	kernel("no-gpu-visible", "[188549.976351] NVRM: The NVIDIA probe routine was not called for 3 device(s).")
	kernel("", "[   15.083321] NVRM: loading NVIDIA UNIX x86_64 Kernel Module  535.183.01")

	// detectron2 proposal_utils.py; transformers file_utils.py; torch serialization.py; distributed_c10d.py to 1.x
	log("nan-loss", "FloatingPointError: Predicted boxes or scores contain Inf/NaN. Training has diverged.")
	log("", "UserWarning: gradients contain Inf/NaN, the step is skipped")
	log("dataset-download-failure", "ValueError: Connection error, and we cannot find the requested files in the cached path. Please try again")
	log("checkpoint-write-failed", "RuntimeError: File out/checkpoints/checkpoint_0.pt cannot be opened.")
	log("", "the log cannot be opened.")
	log("rendezvous-timeout", "Waiting in store based barrier to initialize process group for rank: 0, key: store_based_barrier_key:1 (world_size=4, worker_count=8, timeout=0:01:00)")
	log("rendezvous-timeout", "Waiting in store based barrier to initialize process group for rank: 0, key: store_based_barrier_key:1 (world_size=16, worker_count=32, timeout=0:30:00)")
	log("", "Waiting in store based barrier to initialize process group for rank: 0, key: store_based_barrier_key:1 (world_size=8, worker_count=7, timeout=0:30:00)")
	log("", "Waiting in store based barrier to initialize process group for rank: 0, key: store_based_barrier_key:1 (world_size=16, worker_count=16, timeout=0:30:00)")
	log("", "Waiting in store based barrier to initialize process group for rank: 0, key: store_based_barrier_key:1 (world_size=128, worker_count=127, timeout=0:30:00)")
	log("checkpoint-corrupt", "RuntimeError: storage has wrong size: expected -7659745797817883467 got 512")
	log("checkpoint-corrupt", "RuntimeError: storage has wrong byte size: expected %ld got %ld15171348084826560692409600")
	log("torchrun-child-failed", "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: 1) local_rank: ")

	// runc libcontainer/standard_init_linux.go; NVIDIA nvidia.ko
	log("command-not-found", "standard_init_linux.go:228: exec user process caused: no such file or directory")
	log("command-not-found", `standard_init_linux.go:190: exec user process caused "no such file or directory"`)
	log("command-not-found", "exec /entrypoint.sh: no such file or directory")
	log("permission-denied", "exec /entrypoint.sh: permission denied")
	log("", "open /etc/train/extra.yaml: no such file or directory, the defaults are used")
	kernel("cuda-driver-mismatch", "[Sat Apr 13 23:38:47 2024] NVRM: API mismatch: the client has the version 535.171.04, but")
	kernel("cuda-driver-mismatch", "                           NVRM: this kernel module has the version 535.161.07.  Please")
	kernel("", "NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  560.35.03")

	// nvidia-smi -q of drivers to 530 and since, gpud's events, dcgm-exporter, dcgm_errors.h; lspci -vv
	log("thermal-throttle", "        HW Thermal Slowdown     : Active")
	log("thermal-throttle", "        SW Thermal Slowdown               : Active")
	log("thermal-throttle", "gpu0: ClockEventReasons.HWSlowdown.ThermalSlowdown Active")
	log("thermal-throttle", `DCGM_EXP_CLOCK_EVENTS_COUNT{gpu="0",clock_event="hw_thermal",window_size_in_ms="300000"} 1`)
	log("", `DCGM_EXP_CLOCK_EVENTS_COUNT{gpu="0",clock_event="hw_thermal",window_size_in_ms="300000"} 0`)
	log("thermal-throttle", "Detected clocks event due to thermal violation in GPU 3.")
	log("", "            HW Thermal Slowdown           : Not Active")
	log("power-cap", "            HW Power Brake Slowdown       : Active")
	log("power-cap", "HW Power Brake Slowdown (reducing the core clocks by a factor of 2 or more) is engaged (External Power Brake Assertion being triggered)")
	log("power-cap", "        SW Power Cap                      : Active")
	log("pcie-degraded", "LnkSta: Speed 2.5GT/s (downgraded), Width x16")
	log("no-gpu-visible", "torch.cuda.is_available(): False")
	log("no-gpu-visible", "CUDA available: False")
	log("dataset-download-failure", `'(ReadTimeoutError("HTTPSConnectionPool(host='huggingface.co', port=443): Read timed out. (read timeout=10)"), '(Request ID: 7d76f590)')' thrown while requesting HEAD https://huggingface.co/a/b/resolve/main/config.json`)
	log("", "        SW Power Cap                      : Not Active")
	log("", "            HW Power Brake Slowdown       : Not Active")
	log("pcie-degraded", "		LnkSta:	Speed 16GT/s, Width x8 (downgraded)")
	log("", "		LnkSta:	Speed 16GT/s (ok), Width x16 (ok)")

	// PyTorch torch/cuda/__init__.py, caffe and Paddle by number, XLA, huggingface_hub errors.py, wandb 0.8
	log("cuda-arch-mismatch", "The current PyTorch install supports CUDA capabilities sm_37 sm_50 sm_60 sm_70.")
	log("cuda-arch-mismatch", "If you want to use the NVIDIA A100-PCIE-40GB GPU with PyTorch, please check the instructions at https://pytorch.org/get-started/locally/")
	log("illegal-memory-access", "F1104 11:19:11.596421 87418 hl_cuda_cublas.cc:220] Check failed: stat == CUBLAS_STATUS_SUCCESS (13 vs. 0) [cublas status]: execution failed")
	log("cuda-out-of-memory", "F0505 14:15:54.209436  5318 common.cpp:151] Check failed: status == CUBLAS_STATUS_SUCCESS (3 vs. 0)")
	log("cuda-out-of-memory", "BufferAssignment OOM Debugging.")
	log("hf-hub-auth", "401 Client Error. (Request ID: Root=1-667b6dfd-1c6c2b614e98fb274bc60659;2dab17cc-7a80-46b3-910b-257fe25c0467)")
	log("", "401 Client Error. The request is tried again with a new token")
	log("wandb-timeout", "wandb: ERROR Launch exception: Permission denied to access team/project/rjih2419")
	log("oom-killed", "zsh: killed     python train.py")
	log("oom-killed", "Command terminated by signal 9")
	log("", "the tenth run was killed by its owner")

	// bash in other languages, dash, coreutils, Node, Go's fs.PathError
	log("command-not-found", "bmtrain_mgpu.sh: 行 84: torchrun：未找到命令")
	log("command-not-found", "run.sh: line 3: deepspeed: commande introuvable")
	log("command-not-found", "bash: deepspeed：未找到命令")
	log("command-not-found", "-bash: deepspeed: command not found")
	log("command-not-found", "./run.sh: 12: torchrun: not found")
	log("command-not-found", "/bin/bash: no such file or directory")
	log("command-not-found", `/usr/bin/env: 'bash\r': No such file or directory`)
	log("", "cache: not found, it is made anew")
	log("file-not-found", "bash: line 0: cd: /workspace/project: No such file or directory")
	log("file-not-found", "Error: --data: [Errno 2] No such file or directory: '/data/dataset/resize.zip'")
	log("", "no cache yet ([Errno 2] No such file or directory: '/data/cache.json')")
	log("permission-denied", "sh: 1: cannot create /logs/out.txt: Permission denied")
	log("permission-denied", "chown: changing ownership of '/data': Operation not permitted")
	log("permission-denied", "Error: EACCES: permission denied, mkdir '/.npm'")
	log("permission-denied", "[restore] ERROR: failed to create volume cache: initializing staging directory '/cache/staging': mkdir /cache/staging: permission denied")
	log("permission-denied", "panic: open /var/log/app.log: read-only file system")
	log("", "I1130 00:28:49.733712      27 cached_discovery.go:87] failed to write cache to /.kube/cache/discovery/10.20.0.1_443/v1/serverresources.json due to mkdir /.kube: permission denied")
	log("", "the team asked: is permission denied here?")

	// glibc's words alone; pytracking ltr_trainer.py; XLA to 2021, wrapped; nvidia-docker 1
	log("python-import-error", "undefined symbol: _ZN2at4_ops9_pad_enum4callERKNS_6TensorEN3c108ArrayRefINS5_6SymIntEEElNS5_8optionalIdEE")
	log("python-import-error", "libcudart.so.12: cannot open shared object file: No such file or directory")
	log("no-gpu-visible", "libcuda.so.1: cannot open shared object file: No such file or directory")
	log("", "libnccl-net.so: cannot open shared object file: No such file or directory")
	log("nan-loss", "ValueError:Network outputs is NAN! Stop Training")
	log("cuda-out-of-memory", "Execution of replica 0 failed: Resource exhausted: Out of memory while trying to allocate 5520758552 bytes.")
	log("cuda-out-of-memory", "local_client.cc:672] Execution of replica 0 failed: Resource exhausted: Out ")
	log("", "the queue is exhausted: Out of its items")
	log("cuda-driver-mismatch", "nvidia-docker | 2016/09/23 23:21:01 Error: unsupported CUDA version: driver 7.0 < image 8.0")

	// PyTorch's kernels without back quotes, NVRTC; glibc's loader; torch.multiprocessing; Torch7; huggingface_hub
	log("device-side-assert", `Assertion 'idx_dim >= 0 && idx_dim < index_size && "index out of bounds"' failed`)
	log("", "Assertion 'path_is_absolute(p)' failed at src/basic/chase.c:648, function chase()")
	log("cuda-arch-mismatch", "RuntimeError: nvrtc: error: invalid value for --gpu-architecture (-arch)")
	log("", "if not torch.cuda.is_available(): device = 'cpu'")
	log("cuda-driver-mismatch", "nvidia-container-cli: initialization error: driver error: failed to process request")
	log("python-import-error", "OSError: /usr/lib/aarch64-linux-gnu/libgomp.so.1: cannot allocate memory in static TLS block")
	log("python-import-error", "ERROR: libGL.so.1: cannot open shared object file: No such file or directory")
	log("shm-too-small", "RuntimeError: unable to resize file </torch_22438_3818345986> to the right size")
	log("no-space-left", "write error: wrote 2854962 blocks instead of 3211264 at /torch/lib/TH/THDiskFile.c:331")
	log("dataset-download-failure", "An error happened while trying to locate the file on the Hub and we cannot find the requested files in the local cache. Please check your connection")

	// Slurm, LSF, PBS, YARN, Spark, OpenPAI
	log("oom-killed", "slurmstepd: error: Exceeded job memory limit at some point.")
	log("oom-killed", "TERM_MEMLIMIT: job killed after reaching LSF memory usage limit.")
	log("oom-killed", "=>> PBS: job killed: mem 125829120kb exceeded limit 104857600kb")
	log("oom-killed", "Container killed by YARN for exceeding memory limits. 10.4 GB of 10.4 GB physical memory used.")
	log("oom-killed", "Container [pid=123,containerID=c_1] is running beyond physical memory limits. Current usage: 2.1 GB of 2 GB physical memory used")
	log("", "=>> PBS: job killed: walltime 3630 exceeded limit 3600")

	// wandb apikey.py, mailbox.py; huggingface_hub, datasets load.py, hf_transfer; transformers; caffe2 inline_container.cc, torch serialization.py
	log("wandb-timeout", "ValueError: API key must be 40 characters long, yours was 86")
	log("wandb-timeout", "requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://api.wandb.ai/graphql")
	log("wandb-timeout", "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='api.wandb.ai', port=443): Max retries exceeded with url: /graphql")
	log("wandb-timeout", "wandb.sdk.lib.mailbox.MailboxError: transport failed")
	log("wandb-timeout", "wandb: ERROR It appears that you do not have permission to access the requested resource. Please reach out to the project owner")
	log("", "wandb: Network error (ConnectTimeout), entering retry loop.")
	log("hf-hub-auth", "datasets.exceptions.DatasetNotFoundError: Dataset 'org/set' is a gated dataset on the Hub. You must be authenticated to access it.")
	log("hf-hub-auth", "Your request to access model org/model is awaiting a review from the repo authors.")
	log("hf-hub-auth", "huggingface_hub.errors.HfHubHTTPError: 403 Forbidden: Authorization error..")
	log("dataset-download-failure", "Exception: Failed too many failures in parallel (3): Request: error decoding response body (no permits available)")
	log("checkpoint-missing", "OSError: Can't load tokenizer for 'org/model'. If you were trying to load it from 'https://huggingface.co/models', make sure you don't have a local directory with the same name.")
	log("checkpoint-corrupt", "RuntimeError: Invalid magic number; corrupt file?")
	log("checkpoint-corrupt", "RuntimeError: [enforce fail at inline_container.cc:209] . file not found: archive/data.pkl")
	log("", "the archive is looked at: file not found: README")

	// bash and dash about a child, coreutils df, libstdc++ under torch.save
	log("no-space-left", "overlay          97G   97G     0 100% /")
	log("no-space-left", "/dev/nvme0n1p1  100G  100G   20K 100% /data")
	log("", "/dev/loop3       64M   64M     0 100% /snap/core20/1405")
	log("", "/dev/nvme0n1p1  100G   70G   30G  70% /")
	log("checkpoint-write-failed", "RuntimeError: basic_ios::clear: iostream error")
}
