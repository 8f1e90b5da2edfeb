package signatures

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/traintop/traintop/train"
)

// hint is a cause that a line suggests if it contains a word of each group. " & "
// separates groups, "|" words; "!" is any of troubleWords. A word matches only if no
// letter or digit precedes it, and with "$" at its end only if none follows. Without it an
// ending of words may follow, or the next word of a name such as FailedMount.
type hint struct {
	cause train.Cause
	words string
}

// troubleWords are words with which programs report that something went wrong.
const troubleWords = "error|err$|fail|fatal|critical|cannot|can't|can’t|could not|couldn't|couldn’t|unable|invalid|refused|denied|timed out|timeout|time out|exceeded|not found|missing|" +
	"killed|died|dead|lost|abort|crash|mismatch|unsupported|not supported|unavailable|exhausted|corrupt|inactive|unhealthy|stuck|hang|hung|not enough|insufficient|no such|" +
	"broken|reject|forbidden|unauthorized|blocked|didn't|did not|doesn't|does not|not ready|not running|bad|wrong|illegal|violat|expired|gave up|giving up"

// hints are in order of precedence: a hint that names the broken thing comes before
// one that names only its location.
var hints = []hint{
	// Devices.
	{"gpu-fell-off-bus", "fallen off|fell off|gpu is lost|gpu_is_lost|gpu lost"},
	{"gpu-ecc-error", "ecc|row remap|remapped row|remapping|page retirement|retired page|dbe|double bit|double-bit & uncorrect|error|fail|pending|exceeded"},
	{"thermal-throttle", "thermal|temperature|overheat & slowdown|throttl|critical|shutdown|exceeded|active$"},
	{"power-cap", "power brake|power cap|power limit|powerbrake & active$|engaged|throttl|slowdown|exceeded"},
	{"pcie-degraded", "pcie|pci-e|lnksta|link width|link speed & downgraded|degraded|reduced"},
	{"nvlink-error", "nvlink|nvswitch|sxid|fabric manager|fabricmanager|nv-fabricmanager|nvls|imex$ & !|non-fatal|degraded"},
	{"tpu-init", "tpu|libtpu & !|in use|already"},
	{"neuron-init-failed", "neuroncore|neuron core|neuron device|neuron runtime|neuron_rt|nrt$|nrt_|nd0|nec_ & !|busy|status"},
	{"cuda-out-of-memory", "cuda|gpu|hip|xla|hbm|vram|tpu|device|npu|cublas|nccl|allocat & out of memory|out-of-memory|resource exhausted|resource_exhausted|outofmemory|ran out of memory|alloc_failed"},
	// A library of the host reports that it cannot allocate memory; out of memory is CUDA's
	// word.
	{"cuda-out-of-memory", "out of memory to allocate|allocating|failed to allocate|could not allocate & out of memory & bytes|gib|mib|gb|mb"},
	{"cuda-out-of-memory", "mem size|memory size|total mem|total memory|device memory & alloc|requested|needs & more than|larger than|greater than|exceed"},
	{"cuda-out-of-memory", "kv cache|kv_cache|kvcache|cache blocks|gpu_memory_utilization|gpu memory utilization|mem-fraction-static|mem_fraction_static & larger than|no available|not enough|less than|exceed|insufficient|can hold|can be stored"},
	{"cuda-driver-mismatch", "ptxas & older|too old|newer|unsupported|mismatch|known to miscompile"},
	{"cuda-driver-mismatch", "driver|nvml|nvrm|nvidia-container-cli|kernel module|cuda version & mismatch|insufficient|too old|unsupported|older|newer|incompatible|not match|requires|must be|unsatisfied"},
	{"cuda-arch-mismatch", "sm_|compute capability|kernel image|gfx & not compatible|unsupported|not supported|no kernel|too old"},
	{"cuda-arch-mismatch", "compute capability & at least|or higher|or newer|or above|or greater|>=|is required|only supported on|only supports"},
	{"cuda-arch-mismatch", "turing|ampere|ada|hopper|blackwell & gpus or newer|gpu or newer|gpus or later|gpu or later|or newer gpu|or newer is required|and newer gpus"},
	{"gpu-in-use-by-other", "gpu|cuda|device & busy|in use by|already in use|exclusive"},
	{"deepspeed-init", "deepspeed|fused_adam|cpu_adam|cpuadam|fusedadam|jit load|jit_load|batch related & !|assertion"},
	{"extension-build-failed", "ninja & !|assertion"},
	{"extension-build-failed", "compilation terminated|undefined reference to|ld returned 1|failed building wheel|could not build wheels|unsupported gnu version|nvcc fatal|vcvarsall|microsoft visual c++|no rule to make target"},
	{"extension-build-failed", "c compiler|c++ compiler|cxx compiler|host compiler & !|no acceptable|cannot create"},
	{"extension-build-failed", "c++ compile error|cppcompileerror|cuda compile error|compilation error|compilation failed|failed to compile|error compiling & c++|g++|gcc|clang|nvcc|hipcc|.cpp|.cu$|.cuh|extension|extensions"},
	{"device-side-assert", "device-side|device side & assert"},
	{"device-side-assert", "assertion$|assert$ & index|out of bounds & failed|triggered"},
	{"illegal-memory-access", "illegal memory|misaligned address|illegal address|memory access fault|mmu fault|an illegal instruction"},
	{"mig-resource-mismatch", "mig$|mig-|nvidia.com/mig & !|profile"},
	{"runtime-class-missing", "runtimeclass|runtime class|runtime handler & !|no runtime"},
	{"device-plugin-missing", "device plugin|device-plugin|deviceplugin & !|not registered|no devices"},
	{"no-gpu-visible", "gpu|gpus|cuda|nvidia|rocm|hip & not found|no device|not available|not detected|unavailable|none found|not visible|no nvidia|no gpu|no cuda|no devices"},
	{"no-gpu-visible", "gpu|gpus|cuda devices & requested|required|specified|asked for|selected & only has|only have|but only|exceeds the total number|exceeds the number|more than available|more than the available|are not available on"},
	{"no-gpu-visible", "gpu is required|gpu is needed|gpus are required|gpus are needed|requires a gpu|requires gpu|needs a gpu|need a gpu|requires at least one gpu|requires an nvidia gpu|requires a cuda device|no available devices|no devices available|no platforms that are instances of gpu"},
	{"no-gpu-visible", "no accelerator found|no accelerators found|no accelerator available|no accelerators available"},
	{"network-hw-degraded", "mlx5_core|mlx4_core & !|unplugged|degraded|link down|flap|is down"},
	{"network-hw-degraded", "mlx5|mlx4|infiniband|hca|nic$|ethernet & unplugged|degraded|link down|link is down|port is down|no link|lost link|link lost|flap|is down|insufficient power|bad cable|faulty|not healthy|unhealthy|port state|broken"},

	// Ranks that talk to each other.
	{"master-addr-unresolvable", "unknownhostexception|gaierror|getaddrinfo|name resolution|name or service|could not resolve|unknown host|nodename nor|no address associated"},
	{"port-in-use", "address already in use|eaddrinuse|address in use"},
	{"port-in-use", "(os error 98)|(os error 48)|[winerror 10048]|errno 98|errno: 98|errno = 98"},
	{"port-in-use", "port & in use|already used|being used|another process is|taken by|already allocated|occupied|cannot bind|failed to bind|binding"},
	{"rendezvous-timeout", "rendezvous|rdzv|store based barrier|store_based_barrier & !|waiting|closed"},
	{"horovod-stall", "horovod|stalled|stall & missing ranks|stall|waiting for"},
	{"nccl-desync", "collective|collectives|all_reduce|allreduce|allgather & mismatch|differ|inconsistent|desync|not match|out of sync"},
	{"shm-too-small", "/dev/shm & more available memory|no space|not enough|too small|is full|insufficient|increase"},
	{"nccl-ib-error", "net/ib|ibv_|rdma|verbs|efa|libfabric|ofi|ucx|queue pair|qp$ & !"},
	{"one-rank-behind", "other ranks|all other|all the other|remaining ranks|rest of the ranks|others & will wait|hang|hung|stuck|behind|never & rank"},
	{"hang-no-output", "no heartbeat|no heartbeats|lack of heartbeat|lack of heartbeats|heartbeats stopped|without a heartbeat & component|components|worker|workers|trainer|process|received|training"},
	{"nccl-timeout", "nccl|rccl|hccl|watchdog|collective|all_reduce|allreduce|allgather|barrier & timeout|timed out|time out|hang|hung|stuck"},
	{"nccl-connection-lost", "nccl|rccl|hccl & reset|closed|lost|broken pipe|remote"},
	{"nccl-init-failure", "nccl|rccl|hccl & !"},
	{"gloo-connect-failure", "gloo & !"},
	{"parallel-sizes-mismatch", "tp * pp|tp*pp|dp * tp|tp * dp|mpisize|world_size ==|world size == & assert"},
	{"parallel-sizes-mismatch", "divisible|indivisible|multiple of & must|should|not$|isn't|needs|has to|cannot|indivisible & tensor parallel|tensor_parallel|tensor-parallel|tensor model parallel|tensor_model_parallel|attention heads|attention_heads|key_value_heads|kv heads|query groups|query_groups|world size|world_size|data parallel|data_parallel|context parallel|context_parallel|expert parallel|expert_parallel|tp size|tp_size|pp size|pp_size|number of ranks|number of gpus|num_gpus|number of processes|micro batch|global batch|train_batch_size|micro_batch|global_batch|sequence parallel|sequence_parallel|sequence-parallel|expert-parallel|cp size|cp_size|ep size|ep_size|dp size|dp_size|dp sizes|sp_size|number of devices"},
	{"parallel-sizes-mismatch", "product of & mesh|mesh_shape|parallel|parallelism & must equal|must be equal|not equal|does not match|doesn't match|not match|must match"},
	{"parallel-sizes-mismatch", "mesh & bigger than|larger than|exceeds & world size|world_size|number of ranks|number of devices|number of gpus"},
	{"nccl-connection-lost", "socketimpl|tcpstore & broken pipe|got 0 bytes|reset by peer|connection reset|was likely closed"},
	{"rendezvous-timeout", "failed to connect to all addresses"},
	{"rendezvous-timeout", "rendezvous|rdzv|tcpstore|c10d|store based barrier|init_process_group|process group|process_group|coordinator|to the tracker|tracker.cc|rabit & error|fail|fatal|unable|refused|timed out|timeout|time out|lost|abort|unavailable|unreachable|reset|expired|closed|gave up|not ready|could not connect|cannot connect|can't connect|accept connection"},
	{"dataset-download-failure", "git@|fatal: could not read from remote|clone & publickey|permission denied|repository not found|could not read from remote"},
	{"mpi-launcher-ssh-failure", "permission denied & publickey|password|please try again"},
	{"mpi-launcher-ssh-failure", "ssh|sshd|rsh|plm|orted|hydra|proxy:0|bstrap_proxy|pmi|mpirun|mpiexec & refused|denied|unable|cannot|could not|couldn't|not found|unreachable|not reachable|passwordless|timed out|verification"},
	{"mpi-worker-lost", "orte|prte|orted|mpirun|mpiexec|mpi & lost|died|dead|terminated|abort"},
	{"ray-worker-died", "ray|raylet|actor|gcs|monitor & died|dead|crash|lost|killed|unexpectedly"},
	{"ray-worker-died", "raylet|core_worker & failed to register|unable to register|failed to connect|end of file"},
	{"dataloader-worker-killed", "dataloader|data loader & killed|exited|died|signal"},
	{"shm-too-small", "shm$|/dev/shm|shared memory & !|bus error|full|increase"},
	{"too-many-open-files", "too many open files|emfile|ancdata|file descriptors|open files"},
	{"pickle-spawn-error", "pickle|picklable|unpicklable & can|could|not|fail|error"},
	{"pickle-spawn-error", "bootstrapping phase|forked subprocess"},

	// Numbers and checkpoints.
	{"nan-loss", "nan|nans|inf$|infinite|non-finite|nonfinite|not finite & loss|grad|gradient|output|norm|weight|stop|detected|encounter|became|is nan|found"},
	{"loss-spike", "loss & spike|diverg|explod"},
	{"checkpoint-shape-mismatch", "size mismatch for|state_dict|state dict|checkpoint & mismatch|missing key|unexpected key|not match|incompatible|not equal|not the same as|differ$|differs|differ from|is different|are different|different from"},
	{"checkpoint-missing", "checkpoint|ckpt|weights|pretrained|pytorch_model|model file & not found|no checkpoint|no such|missing|cannot find|can't find|does not exist|not exist|no file"},
	{"checkpoint-corrupt", "checkpoint|ckpt|zip archive|safetensors|weights|central directory|header$|magic number|pickle|unpickl|torch.load|archive & corrupt|invalid|truncated|fail|unexpected|eof|incomplete"},
	{"checkpoint-write-failed", "checkpoint|ckpt & fail to|failed to|failed while|fails to|cannot|can't|could not|couldn't|unable to|not able to|error while|error when|error in|error during|failure while & save|saving|saved|write|writing|written|commit|committing|upload|uploading"},
	{"checkpoint-write-failed", "checkpoint|ckpt & save failed|saving failed|write failed|writing failed|upload failed|commit failed|error saving|error writing|failed saving|failed writing|commit timed out|save timed out|save error|write error|error: save|save: error"},

	// Storage and memory of the host.
	{"no-space-left", "(os error 28)|[winerror 112]|(os error 122)"},
	{"too-many-open-files", "(os error 24)|(os error 23)"},
	{"storage-hang", "(os error 5)|(os error 107)|(os error 116)|(os error 121)"},
	{"oom-killed", "(os error 12)|[winerror 1455]|[winerror 8]"},
	{"no-space-left", "no space left|disk full|enospc|disk quota|out of disk|not enough disk|not enough space"},
	{"oom-killed", "oom|oomkilled|oom-kill|oom-killer|out of memory|memory cgroup & kill|oom|exceeded|limit"},
	{"storage-hang", "blocked for more than|hung_task|hung task|not responding & sec|second|server|task|nfs"},
	{"oom-killed", "java heap space|gc overhead limit|direct buffer memory & outofmemory|out of memory|exceeded"},
	{"process-limit", "native thread & unable|cannot|outofmemory"},
	{"storage-hang", "beegfs|lustre|lustreerror|gpfs|mmfs|wekafs|cephfs|glusterfs|juicefs|cubefs|alluxio & communication error|timed out|not responding|been unmounted|panic|disconnected|rc = -107|rc = -110|rc = -5"},
	{"storage-hang", "input/output error & checkpoint|ckpt|file|path|read|write|/mnt|/data|/dbfs"},

	// Downloads.
	{"wandb-timeout", "wandb|weights & biases & !"},
	{"dataset-download-failure", "proxyerror|sslerror|httpsconnectionpool|httpconnectionpool & !|handshake"},
	{"hf-hub-auth", "huggingface|hugging face|huggingface.co|hf_token|hf.co|hub & unauthorized|401|403|gated|forbidden|restricted|log in|login|token$|tokens$"},

	// Images.
	{"image-pull-rate-limited", "pull|image|registry|docker & toomanyrequests|rate limit|too many requests|429|rate exceeded|qps"},
	{"image-disk-full", "image|layer|pull & no space|disk"},
	{"invalid-image-name", "image name|reference format|image reference & invalid|parse"},
	{"image-never-pull", "pull policy|never$ & not present|present"},
	{"image-pull-unauthorized", "image|pull|pulling|registry|manifest|docker & unauthorized|denied|authentication|401|403|forbidden|credentials|imagepullsecret"},
	{"image-registry-unreachable", "pull|pulling|image|registry|docker|layer|manifest & timeout|timed out|refused|unreachable|tls|x509|no route|no such host|eof|reset|unavailable|deadline"},
	{"image-not-found", "image|manifest|tag & not found|unknown|does not exist|no such|errimagepull|imagepullbackoff"},
	{"image-arch-mismatch", "exec format error"},
	{"image-arch-mismatch", "platform|architecture & mismatch|does not match|no match|not match|wrong"},

	// What the cluster refuses.
	{"liveness-probe-kill", "liveness|startup probe & fail|unhealthy|kill"},
	{"quota-requests-missing", "quota & must specify|must make|explicit"},
	{"queue-quota-exceeded", "queue & quota|overused|capability|exceed|over limit"},
	{"dataset-download-failure", "data quota|lfs bandwidth|download quota|too many users have viewed|cannot retrieve the public link|failed to retrieve file url"},
	{"autoscaler-not-scaling-up", "cores quota|family quota|vcpu quota|gpus_all_regions|quota metric|quota metrics & exceed|insufficient|limit"},
	{"resource-quota-exceeded", "quota & exceed|over|used:|reached|limited"},
	{"resource-quota-exceeded", "is forbidden: limited to"},
	{"limit-range", "limitrange|limit range|per container|per pod & maximum|minimum|ratio|usage"},
	{"pod-security-denied", "podsecurity|pod security|securitycontext|security context|security policy|privileged & forbid|denied|violat|not allowed|unable|invalid"},
	{"admission-webhook-down", "webhook & failed calling|timeout|refused|unavailable|no endpoints|x509|deadline"},
	{"admission-webhook-denied", "webhook|admission|gatekeeper|kyverno|policy & denied|rejected|refused|forbid|not allowed|violat"},
	{"service-account-missing", "serviceaccount|service account|serviceaccounts & not found|missing|looking up"},
	{"rbac-forbidden", "forbidden|cannot list|cannot get|cannot create|cannot watch & user|serviceaccount|rbac|api group|resource"},
	{"api-version-no-match", "crd|customresourcedefinition|apiversion|api version|kind|resource mapping & no matches|could not find|invalid|unknown|not registered|no kind|unable to recognize"},
	{"secret-key-missing", "secret & find key|secret key|non-existent"},
	{"secret-not-found", "secret|secrets & not found|missing|doesn't exist|does not exist|couldn't find"},
	{"configmap-key-missing", "configmap & find key|config key|non-existent"},
	{"configmap-not-found", "configmap|configmaps & not found|missing|doesn't exist|does not exist|couldn't find"},

	{"permission-denied", "(os error 13)|(os error 1)|(os error 30)|[winerror 5]"},
	{"permission-denied", "permission denied|eacces|operation not permitted|read-only file|not permitted|access is denied"},
	{"autoscaler-not-scaling-up", "scale-up|scale up|scaleup|autoscaler|karpenter|nodepool|nodeclaim|node group|nodegroup|instance group|auto_scaling_groups & !|max|no capacity"},
	{"autoscaler-not-scaling-up", "insufficient capacity|insufficientinstancecapacity|out of capacity|resource_pool_exhausted|zone_resource_pool|stockout|out of stock|vcpulimitexceeded|skunotavailable|allocationfailed & instance|node|zone|vm$|vms$|machine|region"},
	{"autoscaler-not-scaling-up", "nodecreationfailure|instances failed to join"},

	// Volumes.
	{"csi-driver-missing", "csi & not found|registered|no such driver"},
	{"multi-attach", "attach|attached & already|multi|another node|other node|in use"},
	{"storageclass-missing", "storageclass|storage class|storageclasses & not found|no default|not set|missing|does not exist"},
	{"mount-helper-missing", "mount & helper|wrong fs|bad option|unknown filesystem"},
	{"hostpath-missing", "hostpath & !|type check"},
	{"volume-node-affinity-conflict", "volume & affinity|zone|topology"},
	{"provisioning-failed", "provision|provisioning|provisioner & fail|error|unable|cannot"},
	{"max-volume-count", "volume|volumes|disks & max|limit|exceed|too many"},
	{"pvc-not-found", "persistentvolumeclaim|pvc|claim & not found|missing|does not exist"},
	{"unbound-pvc", "persistentvolumeclaim|persistentvolumeclaims|pvc|claim & pending|unbound|not bound|waiting"},
	{"failed-mount-timeout", "mount point|mountpoint|mount pod|mountpod|mount-pod|kubelet/pods|globalmount & !"},
	{"failed-mount-timeout", "mount|mounting|volume|volumes|nfs & timeout|timed out|fail|unable|could not|cannot|deadline|refused|unreachable"},

	// Scheduling.
	{"dra-claim-pending", "resourceclaim|resource claim|resourceclaims|deviceclass|resourceslice & !|allocat|must|pending"},
	{"kueue-inadmissible", "localqueue|clusterqueue|inadmissible & !|inactive|not exist"},
	{"kueue-not-admitted", "workload|flavor|flavors|kueue|admissioncheck|admission check & pending|not admitted|waiting|insufficient|couldn't assign"},
	{"gang-not-ready", "gang|podgroup|pod group|minmember|minavailable & !|unschedulable|wait|pending"},
	{"untolerated-taint", "taint|taints & tolerat|untolerated"},
	{"node-selector-mismatch", "node|nodes|node(s) & selector|node affinity|labels|label [ & !|match"},
	{"pod-affinity-conflict", "affinity|topology spread & !|match"},
	{"insufficient-gpu", "insufficient|not enough|unavailable & gpu|gpus|npu|nvidia.com|amd.com|huawei.com|google.com/tpu|aws.amazon.com"},
	{"insufficient-memory", "insufficient|not enough & memory"},
	{"insufficient-cpu", "insufficient|not enough & cpu"},
	{"too-many-pods", "too many pods|max pods|maximum number of pods"},
	{"node-unschedulable", "unschedulable|cordon|cordoned & node"},
	{"node-lost", "node|kubelet|nodestatusunknown & lost|stopped posting|marked dead|unreachable|nodestatusunknown"},
	{"evicted-ephemeral-storage", "evict|evicted|exceeds & ephemeral|emptydir"},
	{"evicted-memory", "evict|evicted|low on resource & memory"},
	{"evicted-disk-pressure", "evict|evicted|diskpressure|disk pressure & disk|imagefs|nodefs|pressure"},
	{"pod-preempted", "preempted|preempting|preempt$"},
	{"spot-interruption", "spot|preemptible|interruption|reclaim & node|instance|notice|terminat"},
	{"node-not-ready", "node|nodes|kubelet & not ready|notready|pressure"},
	{"node-not-ready", "failed to run kubelet|failed to create kubelet|failed to start containermanager"},
	{"device-allocation-failed", "allocate|allocation & device|unexpected|unhealthy"},
	{"sandbox-network", "ip address|ip addresses|ipaddress|ipaddresses|free addresses|free address|freeaddressesinsubnet|insufficientfreeaddressesinsubnet|ips$|pod cidr|podcidr|ipam|eni$ & not enough|insufficient|insufficientfreeaddressesinsubnet|no available|no more|exhaust|run out|ran out|not assigned|failed to assign|failed to allocate|not have enough"},
	{"sandbox-network", "sandbox|infra container|cni|network plugin|ip address|networkplugin & !|assign"},
	{"active-deadline-exceeded", "active deadline|activedeadlineseconds|deadlineexceeded|deadline & exceed|longer than"},
	{"backoff-limit-exceeded", "backofflimit|backoff limit|back-off limit & exceed|reached"},
	{"init-container-failing", "init container|init:err|init:crash|init:oom|init:image|init:create|init:container|initcontainer & !|crash"},

	// Names, files and programs.
	{"file-not-found", "errno 2]|filenotfounderror|no such file or directory: '"},
	{"dataset-download-failure", "http|https|url:|urls$|url fetch|for url|from url|s3|gs:|download|urlopen|urllib3|boto|botocore & !|reset|ssl|max retries|gaierror"},
	{"dataset-download-failure", "bucket$ & s3|gcs|object storage|cloud storage|access|not exist|no such|denied|forbidden"},
	{"python-import-error", "undefined symbol|no module|modulenotfounderror|importerror|cannot import|dll load|[winerror 126]|[winerror 127]|[winerror 182]|[winerror 1114]|resolutionimpossible|conflicting dependencies|resolvepackagenotfound|packagesnotfounderror|unsatisfiableerror|no solution found when resolving|there is no package called|in @inc|cannot find module|unable to locate package"},
	{"python-import-error", "shared object|shared libraries|.so$|native library|native libraries|cuda binary|compiled library|compiled binary & cannot|missing|not found|no such|could not be loaded|failed to load"},
	{"command-not-found", "is not recognized as an internal or external command|is not recognized as the name of|is not recognized as a name of|commandnotfounderror"},
	{"command-not-found", "command not found|未找到命令|commande introuvable|orden no encontrada|befehl nicht gefunden"},
	{"command-not-found", "exec$|executable file|executable `|executable '|entrypoint|/bin/sh|/bin/bash & not found|no such file|cannot execute|not executable"},
	{"file-not-found", "file|folder|directory|script & is not present|are not present"},
	{"file-not-found", "couldn't open file|could not open file|cannot open file|can't open file|unable to open file|failed to open file"},
	{"file-not-found", "[winerror 2]|[winerror 3]|(os error 2)"},
	{"file-not-found", "no such file|filenotfound|notadirectory|isadirectory|file not found|path does not exist|is not a directory"},

	// Ends.
	{"segfault", "segfault|segmentation fault|sigsegv|signal 11"},
	{"sigkill-received", "sigkill|signal 9|code 137|code (137)|status 137|code: 137|code=137|code -9"},
	{"sigterm-received", "sigterm|signal 15|code 143|sighup|death signal"},
	{"abort-sigabrt", "sigabrt|signal 6|code 134|core dumped"},

	// A library or a source of the GPU, and no word of what it is.
	{"cuda-unknown-error", "curand|cusparse|cufft|cusolver|cudnn|cublas|cutlass|rocblas|hipblas|miopen|cudaerror|hiperror|cuda error|cuda runtime error|hip error|.cu$|.cuh$ & error|fail|status"},

	// What Python prints about a mistake in a program, without the name of the
	// exception.
	{"python-exception", "object has no attribute|object is not callable|object is not subscriptable|object is not iterable|list index out of range|unsupported operand type|got an unexpected keyword argument|required positional argument|positional arguments but|referenced before assignment"},
}

// foreignHints are words with which programs report failures in other languages than
// English: Chinese, Japanese, Korean, Russian. They are searched after hints.
var foreignHints = []hint{
	{"cuda-out-of-memory", "显存不足|显存溢出|显存耗尽|显存不够|爆显存|顯存不足|видеопамяти"},
	{"cuda-out-of-memory", "gpu|cuda|npu|显卡|显存 & 内存不足|内存溢出|メモリ不足|メモリが不足|メモリーが不足|메모리 부족|메모리가 부족|не хватает памяти|недостаточно памяти|нехватка памяти"},
	{"no-space-left", "磁盘空间不足|硬盘空间不足|存储空间不足|磁盘已满|磁盘满|磁碟空間不足|ディスク容量が不足|ディスクの空き容量|ディスクがいっぱい|디스크 공간|디스크 용량|места на диске"},
	{"oom-killed", "内存不足|内存溢出|内存耗尽|記憶體不足|メモリ不足|メモリが不足|メモリーが不足|메모리 부족|메모리가 부족|не хватает памяти|недостаточно памяти|нехватка памяти"},
	{"nccl-timeout", "nccl|hccl|rccl|集合通信|all_reduce|allreduce & 超时|タイムアウト|시간 초과|시간이 초과|время ожидания"},
	{"dataset-download-failure", "下载|下載|ダウンロード|다운로드|http|url|скачать|загрузить & 失败|失敗|超时|逾時|错误|タイムアウト|エラー|실패|시간 초과|시간이 초과|не удалось|время ожидания"},
	{"rendezvous-timeout", "连接超时|连接被拒绝|连接失败|连接主节点|連線逾時|接続がタイムアウト|接続タイムアウト|接続を拒否|연결 시간|연결이 거부|превышено время ожидания|отказано в подключении"},
	{"checkpoint-missing", "检查点|检查点文件|权重文件|模型文件|チェックポイント|체크포인트|чекпойнт & 不存在|找不到|未找到|见つかりません|見つかりません|찾을 수 없|не найден"},
	{"permission-denied", "权限不足|没有权限|无权限|权限被拒绝|拒绝访问|許可がありません|アクセス権がありません|アクセスが拒否|権限がありません|권한이 없|권한 거부|недостаточно прав|нет прав|отказано в доступе"},
	{"file-not-found", "找不到文件|文件不存在|文件未找到|未找到文件|路径不存在|找不到路径|目录不存在|找不到檔案|ファイルが見つかりません|ファイルが存在しません|파일을 찾을 수 없|파일이 존재하지|файл не найден|нет такого файла"},
	{"nan-loss", "损失|loss|損失|손실|потер & 为nan|变为nan|出现nan|是nan|がnan|nanになり|nan이"},
	{"application-error", "训练失败|训练异常终止|训练中断|任务失败|訓練失敗|学習に失敗|学習が失敗|訓練に失敗|학습 실패|학습에 실패|훈련 실패|обучение завершилось с ошибкой|обучение прервано|ошибка обучения"},
}

// foreignIf are words that make a sentence advice or a condition.
var foreignIf = []string{"如果", "若", "避免", "防止", "以免", "もし", "場合は", "경우", "если"}

// harmlessWords occur in lines that are harmless whatever else they contain.
var harmlessWords = []string{"closing signal", "not active", "operator: exists", "operator: equal", " op=exists", " op=equal", "readiness probe", "[warning]", "kubelethasno", "triggered scale-up", "throttling, not priority", "the object has been modified", "may retry after", "would violate", "userwarning", "futurewarning", "deprecationwarning", "nccl info", "--help", "no error", "0 errors", "errors: 0", "retrying", "重试", "重試", "リトライ", "再試行", "재시도", "повторная попытка", "number of nan iterations: 0", "training from scratch", "starting from scratch", "not restoring", "no checkpoint provided", "no checkpoint path provided"}

// informed matches a level below a warning, in lower case. Behind a word of trouble it is
// none: "error: out of memory. memory info: free 3 GiB".
var (
	informed = regexp.MustCompile(`\[(?:info|debug)\]|(?:info|debug):| info `)
	troubled = regexp.MustCompile(`\b(?:error|fatal|critical|fail\w*|cannot|unable|exception)\b`)
)

// isHarmless reports whether a line in lower case states that nothing is wrong.
func isHarmless(line string) bool {
	if at := informed.FindStringIndex(line); at != nil && !troubled.MatchString(line[:at[0]]) {
		return true
	}
	return slices.ContainsFunc(harmlessWords, func(word string) bool { return strings.Contains(line, word) })
}

// dsaAdvice ends every error of CUDA that PyTorch prints, whatever the error
// (c10/cuda/CUDAException.cpp).
const dsaAdvice = "to enable device-side assertions"

// capturing matches CUDA's and HIP's messages of a call that a graph's capture does not
// allow: no permission of a file (cudaErrorStreamCaptureUnsupported, cudaErrorCapturedEvent).
var capturing = regexp.MustCompile(`(?:(?:cuda|hip) error: )?operation not permitted (?:when stream is capturing|on an event last recorded in a capturing stream)`)

// ofCoordinator begins what TensorFlow's Coordinator of threads passes on, whatever the
// error: nothing between programs (training/coordinator.py).
const ofCoordinator = "error reported to coordinator: "

// ofErrno is what strerror returns for EINVAL: the call is wrong, not what is in the
// file. anyBusy is what it returns for EBUSY: a file, a folder or a mount may be in use,
// no device.
const (
	ofErrno = "[errno 22] invalid argument"
	anyBusy = "device or resource busy"
)

// ofCall are words of a call between programs: its deadline is not the job's.
var ofCall = []string{"rpc", "grpc", "coordination", "context deadline", "errors_impl", "deadline_exceeded"}

// groups are the words of a hint.
type groups struct {
	cause train.Cause
	all   [][]string
}

var readHints = sync.OnceValue(func() []groups {
	all := slices.Concat(hints, foreignHints)
	list := make([]groups, len(all))
	for i, h := range all {
		list[i].cause = h.cause
		for group := range strings.SplitSeq(h.words, " & ") {
			group = strings.ReplaceAll(group, "!", troubleWords)
			list[i].all = append(list[i].all, strings.Split(group, "|"))
		}
	}
	return list
})

// option matches an option in a command line that a message quotes, with its value if
// "=" joins them: its name is no word about what went wrong.
var option = regexp.MustCompile(`(?:^| )--[a-z][\w.-]*(?:=\S*)?`)

// sourceFile matches a file of Python with what a test runner writes behind it, and a place in
// a source of Go (docker_manager.go:2010): its name is no word about what went wrong.
var sourceFile = regexp.MustCompile(`[^\s"'(]+\.py\b(?:::\w+)*|[\w./-]+\.go:\d+`)

// ofWriter matches the host and the process that libraries write before a message (UCX, NCCL):
// a host called gpu-3 is no GPU.
var ofWriter = regexp.MustCompile(`\[[\w.-]+:\d+ *:\d+\]|(?:^| )[\w.-]+:\d+:\d+ \[\d+\]`)

// furtherReading matches where a message sends its reader (pages of documentation, lists of
// issues), and the names of TensorFlow's tasks: a place is not what went wrong there.
var furtherReading = regexp.MustCompile(`\b(?:visit|see|check|refer to|details:?|more information:?|documentation(?: at)?:?) <?https?://\S+` +
	`|\bhttps?://\S*/(?:issues|discussions|docs?|documentation|wiki|faq|guides?|latest|stable)\b\S*|\bhttps?://(?:docs?|help|discuss|forums?)\.\S+|\bhttps?://\S*readthedocs\S*` +
	`|/job:\w+\S*|\bdevice=tpu:\d+`)

// inCluster matches an address inside the cluster, with its scheme: the API server, a Service,
// a pod or the machine itself hold no data.
var inCluster = regexp.MustCompile(`\bhttps?://(?:10\.\d+\.|172\.(?:1[6-9]|2\d|3[01])\.|192\.168\.|127\.0\.|localhost\b|\[::1\]|kubernetes\.default|[\w.-]+\.svc\b|[\w.:-]+/apis?/)[^\s"'\\]*`)

// quotedList matches a list of quoted settings, as Hydra and fairseq print their overrides:
// its words are names and values. noneOfIt matches a count of what did not happen.
var (
	quotedList = regexp.MustCompile(`\[(?:(?:'[^']*'|"[^"]*"), ){2,}[^\]]*\]?`)
	noneOfIt   = regexp.MustCompile(`\boom retries left: 0\b|\bdue to oom: (?:0|false)\b`)
)

// listed matches, in lower case and without further spaces, what shells and tools list of a
// machine that is well: limits (ulimit -a of bash and zsh, /proc/PID/limits), and threads of
// the kernel and programs (procps ps and top), whose names are no events.
var listed = regexp.MustCompile(`^[a-z/ -]+ \((?:[a-z0-9 ]+, )?-[a-z]\) (?:\d+|unlimited)$|^-[a-z]: [a-z/ -]+ (?:\([a-z]+\) )?(?:\d+|unlimited)$|^max [a-z/ -]+ (?:\d+|unlimited) (?:\d+|unlimited)(?: [a-z]+)?$` +
	`|\s\d+:\d\d(?::\d\d)? \[[\w/:.+-]+\]$|\s\d+:\d\d\.\d\d [\w/:.+-]+$`)

// mostHinted is the longest line, in bytes, that is searched: longer ones are data.
const mostHinted = 1024

// Hint returns the cause that a line without a signature suggests by its words.
// place is the index of the hint: a smaller one is more specific.
func Hint(line string) (cause train.Cause, place int, found bool) {
	return hintOf(line, false, func(train.Cause) bool { return true })
}

// HintOfException returns the first cause that the message of an exception suggests and
// that fits it. In
// programs an image is a picture, and a layer or a manifest most often no part of a
// container's image. The message of an exception that names a library of the GPU is read
// by itself: the name alone shows nothing more.
func HintOfException(message string, fits func(train.Cause) bool) (cause train.Cause, found bool) {
	cause, _, found = hintOf(message, true, fits)
	return cause, found
}

// ofPulls are words of messages about the images of containers.
var ofPulls = []string{"pull", "registry", "docker", "errimage"}

// IsHarmless reports whether a line states that nothing is wrong, or that the program goes
// on.
func IsHarmless(line string) bool {
	line = line[:min(len(line), mostHinted)]
	if silenced([]byte(line)) || isSupposed([]byte(line)) {
		return true
	}
	return isHarmless(strings.ToLower(line))
}

func hintOf(line string, raised bool, fits func(train.Cause) bool) (cause train.Cause, place int, found bool) {
	line = line[:min(len(line), mostHinted)]
	if silenced([]byte(line)) || isSupposed([]byte(line)) {
		return "", 0, false
	}
	joined := nextWords(line)
	line = strings.Join(strings.Fields(strings.ToLower(line)), " ")
	if listed.MatchString(line) {
		return "", 0, false
	}
	line = strings.ReplaceAll(line, dsaAdvice, "")
	line = capturing.ReplaceAllString(line, "")
	line = strings.ReplaceAll(line, ofCoordinator, "")
	line = strings.ReplaceAll(strings.ReplaceAll(line, ofErrno, ""), anyBusy, "busy")
	if isHarmless(line) {
		return "", 0, false
	}
	line = ofWriter.ReplaceAllString(line, "")
	line = inCluster.ReplaceAllString(furtherReading.ReplaceAllString(line, ""), "")
	line = sourceFile.ReplaceAllString(option.ReplaceAllString(line, ""), "")
	line = noneOfIt.ReplaceAllString(quotedList.ReplaceAllString(line, ""), "")
	raised = raised && !holdsAny(line, joined, ofPulls)
	for i, h := range readHints() {
		if i == len(hints) && (isASCII(line) || slices.ContainsFunc(foreignIf, func(word string) bool { return strings.Contains(line, word) })) {
			break
		}
		if raised && (strings.HasPrefix(string(h.cause), "image-") || h.cause == "cuda-unknown-error") {
			continue
		}
		if holdsAll(line, joined, h.all) && fits(h.cause) && !(h.cause == "active-deadline-exceeded" && holdsAny(line, joined, ofCall)) {
			return h.cause, i, true
		}
	}
	return "", 0, false
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// silenced reports whether a line is known to be harmless.
func silenced(line []byte) bool {
	var room [16]uint16
	l := table()
	for _, at := range l.anchors.find(line, room[:0]) {
		r := &l.rules[at]
		if r.cause != "" || r.weight == 0 {
			continue
		}
		if _, found := r.match(line); found {
			return true
		}
	}
	return false
}
