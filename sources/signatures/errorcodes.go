package signatures

import (
	"regexp"
	"strings"
	"sync"

	"github.com/traintop/traintop/train"
)

// codeFamily is a closed list of error codes: those that the header or the source of one
// component declares and that name a cause. Codes of other rows of the table are left out.
// Its rows are codeRows: one for each cause, named "nvml-no-gpu-visible".
type codeFamily struct {
	name string
	in   Where
	// pattern is how programs print a code, with {code} in its place. Where a boundary or a
	// sign follows there, blanks and signs at the end of a code are only its anchor's.
	pattern string
	// anchors are what the pattern contains beside the code, nil where the codes
	// themselves are the anchors.
	anchors []string
	weight  int
	codes   []codesOf
	origin  string
}

// codesOf are the codes of one cause.
type codesOf struct {
	cause train.Cause
	codes []string
}

// cannCodes are codes as CANN writes them: "EI0005: ", and behind the title of the message
// since CANN 8.3, "Invalid_Argument(EI0005): ".
func cannCodes(codes ...string) (forms []string) {
	for _, code := range codes {
		forms = append(forms, code+": ", "("+code+"): ")
	}
	return forms
}

// titledCodes are codes behind the title of a message.
func titledCodes(codes ...string) (forms []string) {
	for _, code := range codes {
		forms = append(forms, "("+code+"): ")
	}
	return forms
}

// codeFamilies are in order of their components.
var codeFamilies = []codeFamily{
	{"cuda-code", InLog, `\b{code}\b`, nil, own, []codesOf{
		{"cuda-driver-mismatch", []string{"cudaErrorCallRequiresNewerDriver", "cudaErrorUnsupportedPtxVersion", "cudaErrorSystemDriverMismatch", "cudaErrorJitCompilerNotFound", "CUDA_ERROR_JIT_COMPILER_NOT_FOUND", "CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE", "cudaErrorIncompatibleDriverContext"}},
		{"cuda-arch-mismatch", []string{"cudaErrorInvalidKernelImage", "CUDA_ERROR_INVALID_IMAGE", "cudaErrorInvalidPtx", "CUDA_ERROR_INVALID_PTX", "cudaErrorJitCompilationDisabled", "CUDA_ERROR_JIT_COMPILATION_DISABLED", "cudaErrorInvalidDeviceFunction", "cudaErrorUnsupportedDevSideSync", "CUDA_ERROR_UNSUPPORTED_DEVSIDE_SYNC"}},
		{"gpu-in-use-by-other", []string{"cudaErrorDeviceAlreadyInUse", "CUDA_ERROR_CONTEXT_ALREADY_IN_USE", "CUDA_ERROR_DEVICE_UNAVAILABLE", "cudaErrorMpsRpcFailure", "CUDA_ERROR_MPS_RPC_FAILURE", "cudaErrorMpsServerNotReady", "CUDA_ERROR_MPS_SERVER_NOT_READY", "cudaErrorMpsMaxClientsReached", "CUDA_ERROR_MPS_MAX_CLIENTS_REACHED", "cudaErrorMpsMaxConnectionsReached", "CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED", "cudaErrorMpsClientTerminated", "CUDA_ERROR_MPS_CLIENT_TERMINATED"}},
		{"illegal-memory-access", []string{"cudaErrorMisalignedAddress", "CUDA_ERROR_MISALIGNED_ADDRESS", "cudaErrorInvalidAddressSpace", "CUDA_ERROR_INVALID_ADDRESS_SPACE", "cudaErrorInvalidPc", "CUDA_ERROR_INVALID_PC", "CUDA_ERROR_ILLEGAL_INSTRUCTION", "cudaErrorTensorMemoryLeak", "CUDA_ERROR_TENSOR_MEMORY_LEAK"}},
		{"nvlink-error", []string{"cudaErrorSystemNotReady", "CUDA_ERROR_SYSTEM_NOT_READY", "CUDA_ERROR_NVLINK_UNCORRECTABLE"}},
		{"gpu-xid-error", []string{"cudaErrorStartupFailure", "cudaErrorSoftwareValidityNotEstablished", "cudaErrorHardwareStackError", "CUDA_ERROR_HARDWARE_STACK_ERROR"}},
		{"cuda-unknown-error", []string{"cudaErrorExternalDevice", "CUDA_ERROR_EXTERNAL_DEVICE"}},
		{"no-gpu-visible", []string{"cudaErrorStubLibrary", "CUDA_ERROR_STUB_LIBRARY", "cudaErrorMpsConnectionFailed", "CUDA_ERROR_MPS_CONNECTION_FAILED"}},
	}, "CUDA driver_types.h and cuda.h 13.3, to 918: names of cudaError_t and CUresult"},
	{"hip-code", InLog, `(?:[Ff]ail\w*|[Rr]eturn\w*|[Ee]rror|ERROR|:|=)\W[^\n]{0,60}?\b{code}\b`, nil, own, []codesOf{
		{"cuda-out-of-memory", []string{"hipErrorOutOfMemory", "hipErrorMemoryAllocation"}},
		{"cuda-driver-mismatch", []string{"hipErrorInsufficientDriver"}},
		{"cuda-arch-mismatch", []string{"hipErrorInvalidImage", "hipErrorInvalidKernelFile", "hipErrorInvalidSource", "hipErrorInvalidDeviceFunction"}},
		{"gpu-ecc-error", []string{"hipErrorECCNotCorrectable"}},
		{"gpu-in-use-by-other", []string{"hipErrorContextAlreadyInUse"}},
		{"illegal-memory-access", []string{"hipErrorIllegalAddress"}},
		{"device-side-assert", []string{"hipErrorAssert"}},
		{"gpu-xid-error", []string{"hipErrorLaunchFailure", "hipErrorLaunchTimeOut", "hipErrorUnknown", "hipErrorRuntimeOther"}},
	}, "HIP hip_runtime_api.h 6.3: names of hipError_t; hipErrorNotReady is no failure"},
	{"nccl-code", InLog, `\b{code}\b`, nil, lost + 7, []codesOf{
		{"nccl-timeout", []string{"ncclTimeout"}},
	}, "NCCL nccl.h 2.30: ncclResult_t"},
	{"cuda-words", InLog, `(?:CUDA|[Cc]uda|HIP)[^\n]{0,160}\b{code}`, nil, own, []codesOf{
		{"cuda-driver-mismatch", []string{"API call is not supported in the installed CUDA driver"}},
		{"cuda-arch-mismatch", []string{"PTX JIT compilation was disabled"}},
		{"gpu-in-use-by-other", []string{"the remote procedural call between the MPS server and the MPS client failed", "the hardware resources required to support device connections have been exhausted", "the MPS client has been terminated by the server"}},
		{"gpu-xid-error", []string{"integrity checks failed", "startup failure in cuda runtime"}},
		{"cuda-unknown-error", []string{"async error has occured in external entity", "async error has occurred in external entity"}},
	}, "CUDA runtime 12.9: what cudaGetErrorString says"},
	{"library-status", InLog, `\b{code}\b`, nil, general + 5, []codesOf{
		{"illegal-memory-access", []string{"CUBLAS_STATUS_MAPPING_ERROR", "CUFFT_EXEC_FAILED", "CUFFT_INTERNAL_ERROR", "CURAND_STATUS_LAUNCH_FAILURE", "CURAND_STATUS_INTERNAL_ERROR", "CURAND_STATUS_PREEXISTING_FAILURE", "CUSOLVER_STATUS_EXECUTION_FAILED", "CUSOLVER_STATUS_INTERNAL_ERROR", "CUSOLVER_STATUS_MAPPING_ERROR", "CUSPARSE_STATUS_EXECUTION_FAILED", "CUSPARSE_STATUS_INTERNAL_ERROR", "CUSPARSE_STATUS_MAPPING_ERROR", "HIPBLAS_STATUS_EXECUTION_FAILED", "HIPBLAS_STATUS_INTERNAL_ERROR", "HIPBLAS_STATUS_MAPPING_ERROR", "miopenStatusInternalError", "miopenStatusUnknownError"}},
	}, "cuBLAS, cuFFT, cuRAND, cuSOLVER, cuSPARSE, hipBLAS, MIOpen: status of a call that the GPU did not finish"},
	{"library-need", InLog, `\b{code}\b`, nil, own - 1, []codesOf{
		{"cuda-out-of-memory", []string{"CURAND_STATUS_ALLOCATION_FAILED", "CURAND_STATUS_INITIALIZATION_FAILED", "CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED", "HIPBLAS_STATUS_NOT_INITIALIZED", "miopenStatusAllocFailed"}},
		{"oom-killed", []string{"CUDNN_STATUS_INTERNAL_ERROR_HOST_ALLOCATION_FAILED"}},
		{"cuda-driver-mismatch", []string{"CUDNN_STATUS_SUBLIBRARY_LOADING_FAILED", "CUDNN_STATUS_RUNTIME_PREREQUISITE_MISSING", "CUDNN_STATUS_NOT_SUPPORTED_RUNTIME_PREREQUISITE_MISSING", "CUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_CUDA_DRIVER", "CUDNN_STATUS_NOT_SUPPORTED_INCOMPATIBLE_CUDART", "CUDNN_STATUS_NOT_SUPPORTED_SUBLIBRARY_UNAVAILABLE", "CUDNN_STATUS_SERIALIZATION_VERSION_MISMATCH"}},
		{"cuda-arch-mismatch", []string{"CUSOLVER_STATUS_ARCH_MISMATCH", "CUSPARSE_STATUS_ARCH_MISMATCH", "CURAND_STATUS_ARCH_MISMATCH", "HIPBLAS_STATUS_ARCH_MISMATCH", "CUDNN_STATUS_NOT_SUPPORTED_ARCH_MISMATCH"}},
		{"python-import-error", []string{"failed to open libnvrtc-builtins"}},
	}, "cuRAND, cuDNN 9.26, cuSOLVER, cuSPARSE, hipBLAS, MIOpen, NVRTC: what a library lacks"},
	{"cublas-words", InLog, `(?:cublas|cuBLAS|CUBLAS|Cublas)[^\n]{0,120}\b{code}`, nil, general + 6, []codesOf{
		{"cuda-out-of-memory", []string{"the resource allocation failed", "the library was not initialized"}},
		{"cuda-arch-mismatch", []string{"an absent device architectural feature is required"}},
		{"illegal-memory-access", []string{"an access to GPU memory space failed", "the GPU program failed to execute", "an internal operation failed"}},
	}, "cuBLAS 12: what cublasGetStatusString says, through XLA's cuda_blas.cc"},
	{"nvml", InAnyText, `\b{code}\b`, nil, own + 2, []codesOf{
		{"no-gpu-visible", []string{"NVMLError_DriverNotLoaded", "NVMLError_LibraryNotFound", "NVMLError_OperatingSystem", "NVMLError_Unknown", "NVML_ERROR_DRIVER_NOT_LOADED", "NVML_ERROR_LIBRARY_NOT_FOUND", "NVML_ERROR_OPERATING_SYSTEM", "NVML_ERROR_GPU_NOT_FOUND", "NVMLError_GpuNotFound", "CUDA driver library cannot be found", "could not load NVML library"}},
		{"gpu-xid-error", []string{"NVMLError_ResetRequired", "NVMLError_IrqIssue", "NVMLError_CorruptedInforom", "NVMLError_InsufficientPower", "NVML_ERROR_RESET_REQUIRED", "NVML_ERROR_IRQ_ISSUE", "NVML_ERROR_CORRUPTED_INFOROM", "NVML_ERROR_INSUFFICIENT_POWER"}},
		{"gpu-fell-off-bus", []string{"NVMLError_GpuIsLost", "NVML_ERROR_GPU_IS_LOST"}},
		{"cuda-driver-mismatch", []string{"NVMLError_LibRmVersionMismatch", "NVML_ERROR_LIB_RM_VERSION_MISMATCH"}},
		{"permission-denied", []string{"NVMLError_NoPermission", "NVML_ERROR_NO_PERMISSION"}},
	}, "NVML nvml.h 13 (go-nvml 0.13.3), pynvml; Numba cuda/cudadrv/driver.py of a driver that is not there"},
	{"nvml-words", InAnyText, `NVML[^\n]{0,40}: {code}`, nil, own + 2, []codesOf{
		{"gpu-xid-error", []string{"GPU requires restart", "GPU requires reset", "Corrupted infoROM", "Interrupt Request Issue", "Insufficient External Power"}},
		{"no-gpu-visible", []string{"The operating system has blocked the request"}},
	}, "pynvml 12, NVMLError's words for NVML's codes, and nvmlErrorString"},
	{"hsa", InLog, `(?:aborting with error ?:|Queue error -) {code}\b`, nil, own, []codesOf{
		{"illegal-memory-access", []string{"HSA_STATUS_ERROR_MEMORY_FAULT", "HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION"}},
		{"cuda-arch-mismatch", []string{"HSA_STATUS_ERROR_INVALID_ISA", "HSA_STATUS_ERROR_INVALID_ISA_NAME", "HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS", "HSA_STATUS_ERROR_INVALID_CODE_OBJECT"}},
		{"gpu-xid-error", []string{"HSA_STATUS_ERROR:", "HSA_STATUS_ERROR_FATAL", "HSA_STATUS_ERROR_INVALID_PACKET_FORMAT"}},
	}, "ROCm hsa.h through clr's rocdevice.cpp, and as ROCr 7 warns of a queue"},
	{"cann", InLog, `(?:^|[\s(\]]){code}\)?: `, nil, exact, []codesOf{
		{"gpu-in-use-by-other", cannCodes("EJ0001")},
		{"port-in-use", cannCodes("EJ0003", "EI0019", "EI0020")},
		{"nccl-desync", cannCodes("EI0005")},
		{"rendezvous-timeout", cannCodes("EI0015")},
		{"cuda-out-of-memory", cannCodes("EI0011")},
	}, "CANN's error codes of HCCL and HCCP: hcomm's table of messages of CANN 9 (base/err_msg.h, 2025), before it \"EI0005: \" at the start of the line"},
	{"cann-link", InLog, `(?:^|[\s(\]]){code}\)?: `, nil, own - 14, []codesOf{
		{"nccl-ib-error", cannCodes("EJ0002", "EI0013", "EI0018")},
	}, "as above: the port of an NPU is down, or a completion of RoCE or UB with an error, which a peer that ended brings about too"},
	{"cann-start", InLog, `\w{code}\)?: `, nil, own - 18, []codesOf{
		{"nccl-init-failure", titledCodes("EI0001", "EI0003", "EI0004", "EI0006", "EI0007", "EI0008", "EI0010", "EI0014", "EI0016", "EI0017", "EJ0004")},
	}, "as above: what keeps a communicator from being made, as CANN 9 writes it; its older form is in the table"},
	{"ray-exception", InLog, `\b(?:ray\.exceptions\.)?{code}\b`, nil, own - 12, []codesOf{
		{"ray-worker-died", []string{"ObjectReconstructionFailedError", "ObjectReconstructionFailedMaxAttemptsExceededError", "ObjectReconstructionFailedLineageEvictedError", "ObjectFetchTimedOutError", "ReferenceCountingAssertionError", "RaySystemError", "A worker died or was killed while executing", "The process is dead, probably it crashed during start", "The current node timed out during startup"}},
		{"no-space-left", []string{"ray.exceptions.OutOfDiskError"}},
		{"shm-too-small", []string{"ObjectStoreFullError"}},
	}, "Ray python/ray/exceptions.py, worker.py of 0.7 to 1.x, raylet/worker_pool.cc"},
	{"ucx-status", InLog, `(?:pml_ucx\.c:\d+ +Error: |UCX +ERROR +connect\(fd=|UCX +ERROR |ucp_ep_create|MPIDI_UCX)[^\n]*{code}`, nil, own - 12, []codesOf{
		{"mpi-init-failure", []string{"Destination is unreachable", "ailed to resolve UCX endpoint", "failed: Connection refused", "failed: Connection timed out", "failed: No route to host", "failed: Network is unreachable", "no active messages transport", "no usable transports"}},
		{"mpi-worker-lost", []string{"Connection reset by remote peer", "Endpoint timeout", "Endpoint is not connected"}},
	}, "UCX ucs/type/status.c and sock.c, through Open MPI's pml_ucx.c: ranks that do not reach each other, over any transport"},
	{"mpi-layer", InLog, `\b{code}[^\n]* in file \S+ at line \d+|pmixp_\w+: {code}`, nil, own - 14, []codesOf{
		{"mpi-init-failure", []string{"PMIX ERROR: UNREACHABLE", "PMIX ERROR: NOT-SUPPORTED", "PMIX ERROR: INVALID-CREDENTIAL", "OPAL ERROR: Unreachable", "No process controlled by this slurmstepd"}},
	}, "OpenPMIx util/error.c, Open MPI opal/util/error.c, Slurm's mpi/pmix plugin"},
	{"damaged", InLog, `{code}`, nil, own - 3, []codesOf{
		{"checkpoint-corrupt", []string{"SafetensorError: Error while deserializing", "not an sstable (bad magic number)"}},
		{"python-import-error", []string{"may indicate binary incompatibility. Expected "}},
	}, "safetensors src/tensor.rs, TensorFlow io/table.cc, Cython's check of a type's size"},
	{"http-client", InLog, `^(?:[\w.]*\.)?{code}[\w.]*(?::|$| )`, nil, own - 16, []codesOf{
		{"dataset-download-failure", []string{"httpx.ConnectTimeout", "httpx.ReadTimeout", "httpx.WriteTimeout", "httpx.RemoteProtocolError", "httpx.ReadError", "httpx.ProxyError", "oss2.exceptions.", "qcloud_cos.cos_exception.", "tos.exceptions.", "NonMatchingChecksumError", "DataFilesNotFoundError", "FileMetadataError", "CredentialUnavailableError", "requests.exceptions.InvalidSchema: Missing dependencies for SOCKS support"}},
	}, "httpx, clients of object storages, datasets, huggingface_hub, azure-identity, requests"},
	{"slurm-state", InAnyText, `^\s*\d+(?:[._+]\w+)*\s+\S[^\n]*{code}\s*\d+:\d+\s*$`, nil, own, []codesOf{
		{"oom-killed", []string{" OUT_OF_ME+ ", " OUT_OF_MEMORY "}},
		{"node-lost", []string{" NODE_FAIL ", " BOOT_FAIL "}},
		{"active-deadline-exceeded", []string{" TIMEOUT ", " DEADLINE "}},
		{"pod-preempted", []string{" PREEMPTED "}},
	}, "Slurm sacct: the state of a job that ended, before its exit code"},
	{"slurm-job", InAnyText, `\b{code}\b`, nil, own, []codesOf{
		{"oom-killed", []string{"JobState=OUT_OF_MEMORY"}},
		{"node-lost", []string{"JobState=NODE_FAIL", "JobState=BOOT_FAIL"}},
		{"active-deadline-exceeded", []string{"JobState=TIMEOUT", "JobState=DEADLINE"}},
		{"pod-preempted", []string{"JobState=PREEMPTED"}},
	}, "Slurm scontrol show job"},
	{"interruption-reason", InEvent, `\b(?:Normal|Warning)\s+{code}\b`, nil, own + 5, []codesOf{
		{"spot-interruption", []string{"InstanceStopping", "InstanceTerminating", "SpotInterrupted"}},
	}, "karpenter controllers/interruption/events: reasons of events about a node and its NodeClaim"},
	{"owner-reason", InEvent, `[Rr]eason"?:\s+"?{code}\b`, nil, own + 4, []codesOf{
		{"active-deadline-exceeded", []string{"TaskRunTimeout", "PipelineRunTimeout"}},
		{"ray-job-not-started", []string{"PreRunningDeadlineExceeded"}},
	}, "Tekton Pipelines apis/pipeline/v1, KubeRay 1.5 apis/ray/v1: reasons of a condition or a status"},
	{"cloud-code", InAnyText, `\b{code}\b`, nil, own, []codesOf{
		{"autoscaler-not-scaling-up", []string{"OperationDenied.NoStock", "InstanceTypeSoldOut", "ResourceInsufficient.SpecifiedInstanceType", "OverconstrainedAllocationRequest", "OverconstrainedZonalAllocationRequest", "ZonalAllocationFailed", "InsufficientHostCapacity", "InsufficientReservedInstanceCapacity", "UnfulfillableCapacity"}},
	}, "error codes of EC2, Azure Compute, Alibaba Cloud ECS and Tencent Cloud CVM: no machine of the type is to be had"},
	{"lsf-end", InLog, `\b{code}: job [^\n]*`, nil, own - 4, []codesOf{
		{"active-deadline-exceeded", []string{"TERM_DEADLINE", "TERM_WINDOW"}},
		{"oom-killed", []string{"TERM_SWAP"}},
		{"process-limit", []string{"TERM_PROCESSLIMIT", "TERM_THREADLIMIT"}},
		{"pod-preempted", []string{"TERM_LOAD", "TERM_BUCKET_KILL"}},
		{"file-not-found", []string{"TERM_CWD_NOTEXIST"}},
		{"node-lost", []string{"TERM_ZOMBIE", "TERM_REMOVE_HUNG_JOB"}},
		{"sigterm-received", []string{"TERM_OWNER", "TERM_ADMIN", "TERM_FORCE_OWNER", "TERM_FORCE_ADMIN", "TERM_EXTERNAL_SIGNAL", "TERM_ORPHAN_SYSTEM"}},
	}, "IBM Spectrum LSF 10.1, reasons of an end in bhist, bacct and the job's report; of time, memory and preemption launchers.go has the rest"},
	{"slurm-reason", InAnyText, `\s(?:PD|PENDING)\s[^\n]*{code}[^\n]*\)\s*$`, nil, own - 4, []codesOf{
		{"queue-quota-exceeded", []string{" (QOSMax", " (QOSMin", " (QOSGrp", "(QOSJobLimit", "(QOSResourceLimit", "(QOSTimeLimit", "(QOSUsageThreshold", "(AssocGrp", "(AssocMax", "(AssociationJobLimit", "(AssociationResourceLimit", "(AssociationTimeLimit", "(MaxBBPer", "(MaxBBRunMinsPer", "(MaxBillingPer", "(MaxBillingRunMinsPer", "(MaxCpuPer", "(MaxCpuRunMinsPer", "(MaxGRESPer", "(MaxGRESRunMinsPer", "(MaxNodePer", "(MaxNodeRunMinsPer", "(MaxMemoryPer", "(MaxMemoryRunMinsPer", "(MaxMemPerLimit", "(MaxLicensePer", "(MaxJobsPer", "(MaxSubmitJobsPer", "(PartitionNodeLimit", "(PartitionTimeLimit", "(AccountingPolicy", "(JobArrayTaskLimit", "(Licenses"}},
		{"node-not-ready", []string{"(ReqNodeNotAvail", "(Nodes required for job are DOWN", "(PartitionDown", "(PartitionInactive", "(NodeDown"}},
		{"node-selector-mismatch", []string{"(BadConstraints", "(PartitionConfig", "(Constraints"}},
		{"suspended", []string{"(JobHeld", "(launch failed requeued held", "(JobHoldMaxRequeue", "(ReservationDeleted", "(DependencyNeverSatisfied"}},
		{"admission-webhook-denied", []string{"(InvalidAccount", "(InvalidQOS", "(QOSNotAllowed", "(AccountNotAllowed"}},
		{"insufficient-gpu", []string{"(Resources", "(Priority"}},
	}, "Slurm squeue: why a job is pending, src/common/job_state_reason.c"},
	{"slurm-pending", InAnyText, `JobState=PENDING {code}`, []string{"JobState=PENDING Reason="}, own - 4, []codesOf{
		{"queue-quota-exceeded", []string{"Reason=QOS", "Reason=Assoc", "Reason=Max", "Reason=PartitionNodeLimit", "Reason=PartitionTimeLimit"}},
		{"node-not-ready", []string{"Reason=ReqNodeNotAvail", "Reason=PartitionDown", "Reason=NodeDown", "Reason=Nodes_required_for_job_are_DOWN"}},
		{"node-selector-mismatch", []string{"Reason=BadConstraints"}},
		{"suspended", []string{"Reason=JobHeld", "Reason=launch_failed_requeued_held"}},
		{"insufficient-gpu", []string{"Reason=Resources", "Reason=Priority"}},
	}, "Slurm scontrol show job, src/common/job_state_reason.c"},
	{"slurm-nodes", InLog, `(?:[Nn]odes?|Killing|Revoking job|Removing|requeue)\b[^\n]*{code}[^\n]*`, nil, own - 1, []codesOf{
		{"node-lost", []string{"not responding, setting DOWN", "due to nodes not responding", " on failed node ", "due to node failure"}},
	}, "Slurm slurmctld ping_nodes.c and job_mgr.c: a node of the job no longer answers"},
	{"slurm-aborting", InLog, `\b(?:srun|salloc)\S*: error: Aborting, {code}[^\n]*`, nil, own - 1, []codesOf{
		{"node-lost", []string{"io error and missing step on node", "step missing and io error on node", "can not test connection to node"}},
	}, "Slurm srun/step_launch.c: the connection to a node of the step broke, and the step is gone there"},
	{"toolkit-cuda", InAnyText, `nvidia-container-cli\S*: initialization error: cuda error: [^\n]*{code}`, nil, exact + 10, []codesOf{
		{"nvlink-error", []string{"system not yet initialized"}},
		{"no-gpu-visible", []string{"no cuda-capable device is detected"}},
		{"gpu-ecc-error", []string{"uncorrectable ecc error encountered"}},
		{"gpu-in-use-by-other", []string{"all cuda-capable devices are busy or unavailable"}},
		{"cuda-out-of-memory", []string{"out of memory"}},
	}, "libnvidia-container: CUDA's words for what its initialization met, in lower case; of others the driver does not fit"},
	{"slurm-answer", InLog, `\b(?:srun|sbatch|salloc)\S*: (?:error|fatal): [^\n]*{code}`, nil, own, []codesOf{
		{"insufficient-memory", []string{"Memory specification can not be satisfied", "Memory required by task is not available"}},
		{"insufficient-gpu", []string{"Insufficient GRES available in allocation", "resources too fragmented for allocation", "Requested partition configuration not available now", "Required nodes lack available resources", "Requested nodes are busy", "insufficient priority"}},
		{"node-not-ready", []string{"Required node not available (down, drained or reserved)", "Required partition not available (inactive or drain)", "Partition in DOWN state"}},
		{"node-selector-mismatch", []string{"Requested node configuration is not available", "Invalid generic resource (gres) specification", "Invalid GRES specification", "Invalid feature specification", "Requested nodes not in this partition", "Node count specification invalid", "More processors requested than permitted", "CPU count specification invalid", "Invalid node name specified", "Invalid Trackable RESource (TRES) specification", "RestrictedCoresPerGPU: ", "Invalid preferred feature specification", "Task distribution specification invalid"}},
		{"queue-quota-exceeded", []string{"Requested time limit is invalid (missing or exceeds some limit)", "MaxJobCount limit reached", "Step limit reached for this job", "Burst Buffer resource limit exceeded", "Licenses currently unavailable", "breached requested QOS usage threshold"}},
		{"admission-webhook-denied", []string{"Invalid account or account/partition combination specified", "Invalid qos specification", "User's group not permitted to use this partition", "Access denied to requested reservation", "Invalid partition name specified", "No partition specified or system default partition", "Invalid wckey specification", "Job dependency problem", "Circular job dependency", "Invalid job array specification", "System submissions disabled", "Requested reservation is", "Requested reservation not usable now", "Invalid license specification", "Invalid or unknown association", "Requested operation is presently disabled", "Only batch jobs are accepted or processed", "Job size specification needs to be provided"}},
		{"permission-denied", []string{"Access/permission denied"}},
		{"application-error", []string{"Munge encode failed", "Munge decode failed", "authentication error", "Job credential", "Could not establish a configuration source", "failed to fetch config", "DNS SRV lookup failed", "unable to status file", "Unable to contact slurm controller", "Invalid authentication credential", "Zero Bytes were transmitted or received"}},
		{"topology-mismatch", []string{"Requested topology configuration is not available", "Required nodes do not fit topology", "No suitable topology unit found", "Insufficient resources in topology unit", "Exceeded maximum node limit during topology allocation", "No available nodes in topology"}},
		{"node-unschedulable", []string{"due to maintenance reservation"}},
		{"autoscaler-not-scaling-up", []string{"Max powered up nodes reached"}},
		{"port-in-use", []string{"Required ports are in use", "Requires more ports than can be reserved"}},
		{"node-lost", []string{"Job killed due node failure"}},
		{"active-deadline-exceeded", []string{"Job killed due hitting max wall clock limit"}},
		{"command-not-found", []string{"Slurmd could not execve job"}},
	}, "Slurm slurmctld's answer to sbatch, srun and salloc, src/common/slurm_errno.c"},
	{"ibv-status", InLog, `{code}`, nil, own - 1, []codesOf{
		{"nccl-ib-error", []string{"transport retry counter exceeded", "RNR retry counter exceeded", "local QP operation error", "local protection error", "remote access error", "remote invalid request error", "Work Request Flushed Error"}},
	}, "rdma-core libibverbs/verbs.c ibv_wc_status_str: how a transfer of RDMA ended"},
	{"engine-memory", InLog, `{code}`, nil, own - 4, []codesOf{
		{"cuda-out-of-memory", []string{"Please try to increase --mem-fraction-static", "Try increasing `gpu_memory_utilization`"}},
		{"deepspeed-init", []string{"object has no attribute 'ds_opt_adam'"}},
	}, "SGLang and vLLM, which find no room for their cache; DeepSpeed's destructor of an optimizer that was not built"},
	{"platform-state", InLog, `\b{code}\b`, nil, own, []codesOf{
		{"autoscaler-not-scaling-up", []string{"FAILED_NO_RESOURCE", "FAILED_TO_START_DUE_TO_NO_CAPACITY"}},
		{"spot-interruption", []string{"INTERRUPTED_BY_NO_CAPACITY"}},
		{"active-deadline-exceeded", []string{"MAX_DURATION_EXCEEDED"}},
		{"application-error", []string{"CONTAINER_EXITED_WITH_ERROR", "FAILED_SETUP"}},
	}, "SkyPilot jobs/state.py, dstack core/models/runs.py: how a platform's job ended"},
	{"image-code", InEvent, `(?:[Ff]ailed to pull image|[Ff]ailed to pull and unpack image)[^\n]*{code}|^[^\n]*\bError: {code}`, nil, general, []codesOf{
		{"image-registry-unreachable", []string{"code = Unavailable", "code = Canceled", "code = DeadlineExceeded", "code = Aborted", "unexpected commit size", "RegistryUnavailable"}},
		{"image-pull-unauthorized", []string{"code = Unauthenticated", "code = PermissionDenied"}},
	}, "gRPC's codes in what kubelet says of a pull, where no words of the registry tell more; kubelet pkg/kubelet/images/types.go"},
	{"kueue-reason", InEvent, `(?:[Rr]eason"?:\s+"?|^\s*|\s){code}\b`, nil, own + 5, []codesOf{
		{"kueue-not-admitted", []string{"ExceedsMaxQuota", "WaitingForQuota", "NoMatchingFlavor", "WaitingForPreemptedWorkloads", "PendingEvaluation", "WaitingForPodsReady", "PreemptionGated", "BlockedOnPreemptionGates", "AdmissionGated", "UnsatisfiedAdmissionChecks", "PendingDelayedTopologyRequests", "PodsReadyTimeout"}},
		{"kueue-inadmissible", []string{"AdmissionCheckNotFound", "AdmissionCheckInactive", "FlavorNotFound", "TopologyNotFound", "MultipleMultiKueueAdmissionChecks", "MultiKueueAdmissionCheckAppliedPerFlavor", "MultiKueueWithProvisioningRequest", "WorkloadPriorityClassNotFound", "ClusterQueueStopped", "LocalQueueStopped"}},
		{"kueue-deactivated", []string{"RequeuingLimitExceeded", "MaximumExecutionTimeExceeded", "AdmissionCheckRejected"}},
		{"node-lost", []string{"NodeFailures"}},
	}, "Kueue 0.18 apis/kueue/v1beta2: reasons of a Workload's and of a ClusterQueue's conditions"},
	{"kubelet-refusal", InEvent, `\bWarning\s+{code}|reason: {code}`, nil, exact + 15, []codesOf{
		{"node-rejected-pod", []string{"SysctlForbidden", "AppArmor  ", "PodOSNotSupported", "UnexpectedPreemptionError", "OutOfpods", "InvalidNodeInfo", "PodFeatureUnsupported"}},
	}, "kubelet: reasons of pods that it does not admit, pkg/kubelet/lifecycle and sysctl, 1.24 to 1.36"},
	{"paddle-signal", InLog, "FatalError: `{code}` is detected by the operating system", nil, general + 2, []codesOf{
		{"segfault", []string{"Segmentation fault"}},
		{"abort-sigabrt", []string{"Process abort signal"}},
		{"sigterm-received", []string{"Termination signal"}},
		{"application-error", []string{"Erroneous arithmetic operation"}},
		{"image-arch-mismatch", []string{"Illegal instruction"}},
		{"shm-too-small", []string{"Access to an undefined portion of a memory object"}},
	}, "PaddlePaddle platform/init.cc: its words for the signal that ended the program"},
	{"errno-shell", InLog, `^-?(?:\S*/)?(?:ba|z|da|k)?sh: (?:line \d+: )?[^\n]*: {code}\s*$`, nil, general + 5, []codesOf{
		{"no-space-left", []string{"No space left on device", "Disk quota exceeded"}},
		{"storage-hang", []string{"Input/output error", "Transport endpoint is not connected", "Stale file handle", "Stale NFS file handle", "Remote I/O error", "Host is down", "Communication error on send", "Cannot send after transport endpoint shutdown"}},
	}, "glibc strerror in what shells say of a command of theirs: bash builtins/common.c"},
	{"errno", InLog, `(?:filesystem error: [^\n]*: |OP_REQUIRES failed at [^\n]*; |error (?:reading|writing) '[^'\n]*': |^\S+: write error: ){code}`, []string{"filesystem error: ", "OP_REQUIRES failed at ", ": error reading '", ": error writing '", ": write error: "}, general + 5, []codesOf{
		{"no-space-left", []string{"No space left on device", "Disk quota exceeded"}},
		{"permission-denied", []string{"Permission denied", "Operation not permitted", "Read-only file system"}},
		{"storage-hang", []string{"Input/output error", "Transport endpoint is not connected", "Stale file handle", "Stale NFS file handle", "Remote I/O error", "Host is down", "Structure needs cleaning", "Communication error on send", "Cannot send after transport endpoint shutdown", "No locks available"}},
		{"oom-killed", []string{"Cannot allocate memory"}},
		{"too-many-open-files", []string{"Too many open files"}},
	}, "glibc strerror in libstdc++'s std::filesystem, TensorFlow's op_kernel.cc and GNU coreutils"},
}

// codeRows returns the rows of codeFamilies.
var codeRows = sync.OnceValue(func() []row {
	var all []row
	for _, family := range codeFamilies {
		bounded := strings.Contains(family.pattern, `{code}\`)
		for _, of := range family.codes {
			anchors, quoted := family.anchors, make([]string, len(of.codes))
			for i, code := range of.codes {
				if bounded {
					code = strings.TrimRight(code, ": )")
				}
				quoted[i] = regexp.QuoteMeta(code)
			}
			if anchors == nil {
				anchors = of.codes
			}
			pattern := strings.ReplaceAll(family.pattern, "{code}", "(?:"+strings.Join(quoted, "|")+")")
			all = append(all, row{family.name + "-" + string(of.cause), of.cause, family.in, anchors, pattern, family.weight, false, family.origin})
		}
	}
	return all
})
