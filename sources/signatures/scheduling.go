package signatures

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// acceleratorName matches the resources for GPUs and other accelerators: those that
// device plugins of NVIDIA, AMD, Intel, Huawei, Habana, Google, AWS and the sharing
// layers on top of them (HAMi, Volcano, gpushare) register; and those that unknown
// vendors name as one (qgpu, vcuda, elasticgpu, Koordinator).
const acceleratorName = `(?:nvidia\.com/(?:gpu|vgpu|gpumem|gpucores|pgpu|[A-Z0-9_]+)[\w.-]*|amd\.com/\w*gpu\w*|gpu\.intel\.com/[\w-]+|habana\.ai/\w+|huawei\.com/\w+|google\.com/tpu|cloud-tpus\.google\.com/[\w-]+|aws\.amazon\.com/neuron\w*|(?:volcano\.sh|aliyun\.com|cambricon\.com|enflame\.com|metax-tech\.com|iluvatar\.(?:ai|com)|mthreads\.com|hygon\.com)/\w*(?:gpu|mlu|gcu|dcu|npu)[\w.-]*|alpha\.kubernetes\.io/nvidia-gpu|[\w.-]+/[\w.-]*(?:[gxp]pu|npu|dcu|mlu|gcu|ipu|vcuda|GPU|NPU)[\w.-]*)`

// nodeTaints are the taints that Kubernetes itself puts on unhealthy nodes
// (well_known_taints.go, 1.13-1.36).
const nodeTaints = `(?:node(?:\.alpha)?\.kubernetes\.io/(?:not-ready|unreachable|notReady|memory-pressure|disk-pressure|pid-pressure|network-unavailable|out-of-disk)|` + startTaints + `)`

// startTaints are on a node until what it needs has started there: the cloud's
// controller, the network (Cilium), CSI drivers, karpenter, Cluster API, and others
// that cluster-autoscaler documents.
const startTaints = `node\.cloudprovider\.kubernetes\.io/(?:uninitialized|shutdown)|(?:[\w.-]+/)(?:agent-not-ready|not-ready|uninitialized|unregistered)|(?:ignore|startup)-taint\.cluster-autoscaler\.kubernetes\.io/[\w.-]+`

// controlPlaneTaint is normal on the nodes of the control plane.
const controlPlaneTaint = `node-role\.kubernetes\.io/(?:control-plane|master|etcd|controlplane)`

// schedulingTexts are kube-scheduler's clauses, "0/5 nodes are available: 3
// Insufficient cpu, ...". The first capture is the number of nodes of the clause;
// weighNodes puts clauses about more nodes first.
var schedulingTexts = []row{
	{"insufficient-mig", "mig-resource-mismatch", InEvent, []string{"Insufficient nvidia.com/mig-"}, `(?:(\d+) )?Insufficient (nvidia\.com/mig-[\w.]+)`, exact, false, "kube-scheduler NodeResourcesFit; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36"},
	{"insufficient-gpu", "insufficient-gpu", InEvent, []string{"Insufficient "}, `(?:(\d+) )?Insufficient (` + acceleratorName + `)`, exact - 1, false, "kube-scheduler NodeResourcesFit; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36"},
	{"insufficient-gpu-cut", "insufficient-gpu", InEvent, []string{"Cannot schedule pods: Insufficient nvidia"}, `Cannot schedule pods: Insufficient nvidia\b`, exact - 2, false, "GKE console, which cuts reasons at stops; seen in public issues"},
	{"insufficient-gpu-old", "insufficient-gpu", InEvent, []string{"Insufficient "}, `Insufficient (` + acceleratorName + `) \((\d+)\)`, exact - 1, false, "kube-scheduler 1.7-1.9"},
	{"shared-mig", "mig-resource-mismatch", InEvent, []string{"CardMigTopologyInfeasible"}, "", exact, false, "HAMi pkg/device/common: no profile that is free holds what is asked"},
	{"shared-numa", "numa-misplacement", InEvent, []string{"NumaNotFit"}, `(?:(\d+) )?(?:nodes? )?NumaNotFit\b`, exact - 12, false, "HAMi pkg/device/common: the cards are on several NUMA nodes"},
	{"insufficient-gpu-shared", "insufficient-gpu", InEvent, []string{"enough gpu cards on node", "CardInsufficientMemory", "CardInsufficientCore", "NodeInsufficientDevice", "not enough gpu fitted on this node", "Insufficient GPU Memory in one device", "no available device: ", "Insufficient gpu devices", "CardTypeMismatch", "CardUuidMismatch", "CardTimeSlicingExhausted", "CardComputeUnitsExhausted", "CardNotHealth", "ModeNotFit(", "AllocatedCardsInsufficientRequest", "ExclusiveDeviceAllocateConflict", "CardNotFoundCustomFilterRule", "NodeUnfitPod", "FilteringFailed", "no available GPU resources on "}, `(?:(\d+) )?(?:nodes? )?(?:no available GPU resources on |Insufficient gpu devices|Card(?:TypeMismatch|UuidMismatch|TimeSlicingExhausted|ComputeUnitsExhausted|NotHealth|NotFoundCustomFilterRule)|ModeNotFit\(|AllocatedCardsInsufficientRequest|ExclusiveDeviceAllocateConflict|NodeUnfitPod|FilteringFailed\s|no enough gpu cards on node|CardInsufficient\w+|NodeInsufficientDevice|not enough gpu fitted on this node|Insufficient GPU Memory in one device)`, exact - 1, false, "Volcano vGPU, HAMi, gpushare: seen in public issues; HAMi pkg/device/common, event FilteringFailed, and Koordinator deviceshare: read in public copies"},
	{"shared-unregistered", "device-plugin-missing", InEvent, []string{"node unregistered"}, `(?:(\d+) )?(?:nodes? )?node unregistered\b`, exact - 6, false, "HAMi pkg/scheduler: the node's device plugin has not registered its cards; seen in public issues"},
	{"insufficient-cpu", "insufficient-cpu", InEvent, []string{"Insufficient cpu"}, `(?:(\d+) )?Insufficient cpu(?: \((\d+)\))?`, exact - 10, false, "kube-scheduler NodeResourcesFit; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36"},
	{"insufficient-memory", "insufficient-memory", InEvent, []string{"Insufficient memory"}, `(?:(\d+) )?Insufficient memory(?: \((\d+)\))?`, exact - 10, false, "kube-scheduler NodeResourcesFit; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36"},
	{"insufficient-hugepages", "insufficient-memory", InEvent, []string{"Insufficient hugepages-"}, `(?:(\d+) )?Insufficient (hugepages-\w+)`, exact - 10, false, "kube-scheduler NodeResourcesFit; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36"},
	{"insufficient-ephemeral-storage", "insufficient-ephemeral-storage", InEvent, []string{"Insufficient ephemeral-storage"}, `(?:(\d+) )?Insufficient ephemeral-storage`, exact - 10, false, "kube-scheduler NodeResourcesFit; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36"},
	{"not-enough-storage", "unbound-pvc", InEvent, []string{"did not have enough free storage"}, `(?:(\d+) )?node\(s\) did not have enough free storage`, exact - 12, false, "kube-scheduler VolumeBinding (storage capacity); read in 1.19, 1.24, 1.30, 1.36"},
	{"too-many-pods", "too-many-pods", InEvent, []string{"Too many pods", "node(s) pod number exceeded"}, `(?:(\d+) )?(?:Too many pods|node\(s\) pod number exceeded)`, exact - 10, false, "kube-scheduler NodeResourcesFit; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36"},
	{"insufficient-pods", "too-many-pods", InEvent, []string{"Insufficient pods"}, `(?:(\d+) )?Insufficient pods`, exact - 10, false, "kube-scheduler; seen in public documents"},
	{"insufficient-other", "device-plugin-missing", InEvent, []string{"Insufficient "}, `(?:(\d+) )?Insufficient ([\w.-]+/[\w.-]+)`, exact - 14, false, "kube-scheduler NodeResourcesFit: an extended resource of another kind (RDMA, SR-IOV)"},

	{"taint-gpu", "untolerated-taint", InEvent, []string{"had taint", "had untolerated taint"}, `(?:(\d+) )?node\(s\) had (?:untolerated )?taint \{(` + acceleratorName + `|(?:sku|accelerator|gpu|dedicated)(?: |:)[^}]*|[^}:]*gpu[^}]*):? ?[^}]*\}`, exact - 4, false, "kube-scheduler TaintToleration; read in 1.19, 1.24, 1.30"},
	{"taint-node", "node-not-ready", InEvent, []string{"had taint", "had untolerated taint"}, `(?:(\d+) )?node\(s\) had (?:untolerated )?taint \{(` + nodeTaints + `): ?[^}]*\}`, exact - 18, false, "kube-scheduler TaintToleration; read in 1.19, 1.24, 1.30"},
	{"taint-unschedulable", "node-unschedulable", InEvent, []string{"had taint", "had untolerated taint"}, `(?:(\d+) )?node\(s\) had (?:untolerated )?taint \{(node\.kubernetes\.io/unschedulable): ?[^}]*\}`, exact - 19, false, "kube-scheduler TaintToleration; read in 1.19, 1.24, 1.30"},
	{"taint-spot", "untolerated-taint", InEvent, []string{"had taint", "had untolerated taint"}, `(?:(\d+) )?node\(s\) had (?:untolerated )?taint \{((?:cloud\.google\.com|kubernetes\.azure\.com|karpenter\.sh/(?:capacity-type|provisioner-name)|eks\.amazonaws\.com|ToBeDeletedByClusterAutoscaler|DeletionCandidateOfClusterAutoscaler)[^}]*)\}`, exact - 16, false, "kube-scheduler TaintToleration; read in 1.19, 1.24, 1.30"},
	{"taint-control-plane", "untolerated-taint", InEvent, []string{"had taint", "had untolerated taint"}, `(?:(\d+) )?node\(s\) had (?:untolerated )?taint \{(` + controlPlaneTaint + `): ?[^}]*\}`, general - 20, false, "kube-scheduler TaintToleration; read in 1.19, 1.24, 1.30"},
	{"taint", "untolerated-taint", InEvent, []string{"had taint", "had untolerated taint"}, `(?:(\d+) )?node\(s\) had (?:untolerated )?taint \{([^}]*)\}`, 0, false, "kube-scheduler TaintToleration; read in 1.19, 1.24, 1.30"},
	{"taints-unnamed", "untolerated-taint", InEvent, []string{"had untolerated taint(s)", "had taints that the pod didn't tolerate"}, `(?:(\d+) )?node(?:\(s\)|s)? had (?:untolerated taint\(s\)|taints that the pod didn't tolerate)`, exact - 22, false, "kube-scheduler TaintToleration, without the key; read in 1.10, 1.15 (had taints) and 1.36 (untolerated taint(s))"},

	{"unschedulable", "node-unschedulable", InEvent, []string{"node(s) were unschedulable", "NodeUnschedulable ("}, `(?:(\d+) )?node\(s\) were unschedulable|NodeUnschedulable \((\d+)\)`, exact - 19, false, "kube-scheduler NodeUnschedulable; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36"},
	{"not-ready", "node-not-ready", InEvent, []string{"node(s) were not ready", "node(s) had memory pressure", "node(s) had disk pressure", "node(s) had pid pressure", "node(s) were out of disk", "node(s) had unavailable network", "node(s) had unknown conditions", "node(s) had network unavailable", "no nodes available to schedule pods"}, `(?:(\d+) )?node\(s\) (?:were not ready|were out of disk|had (?:memory|disk|pid) pressure|had (?:unavailable network|network unavailable|unknown conditions))|no nodes available to schedule pods`, exact - 18, false, "kube-scheduler CheckNodeCondition; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36"},
	{"not-ready-old", "node-not-ready", InEvent, []string{"NodeUnderMemoryPressure", "NodeUnderDiskPressure", "NodeUnderPIDPressure", "NodeNotReady (", "NodeOutOfDisk (", "NodeNetworkUnavailable ("}, `(Node(?:Under(?:Memory|Disk|PID)Pressure|NotReady|OutOfDisk|NetworkUnavailable)) \((\d+)\)`, exact - 18, false, "kube-scheduler; read in 1.10, 1.15"},

	{"selector", "node-selector-mismatch", InEvent, []string{"have the requested labels", "match service affinity", "satisfy plugin(s) [", "match node selector", "match Pod's node affinity", "match scheduler-enforced node affinity", "match Pod's required features"}, `(?:(\d+) )?node\(s\) didn't (?:match (?:node selector|Pod's node affinity(?:/selector)?|scheduler-enforced node affinity|Pod's required features|service affinity)|have the requested labels|satisfy plugin\(s\) \[[^\]]*\])`, exact - 25, false, "kube-scheduler NodeAffinity: read in 1.10, 1.15, 1.19 (node selector), 1.24, 1.30, 1.36"},
	{"selector-old", "node-selector-mismatch", InEvent, []string{"MatchNodeSelector"}, `MatchNodeSelector\b(?: \((\d+)\))?`, exact - 25, false, "kube-scheduler; read in 1.10, 1.15, 1.19, 1.30, 1.36"},
	{"node-name", "node-selector-mismatch", InEvent, []string{"match the requested node name", "match the requested hostname"}, `(?:(\d+) )?node\(s\) didn't match the requested (?:node name|hostname)`, exact - 24, false, "kube-scheduler NodeName; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36"},
	{"node-prefiltered", "node-selector-mismatch", InEvent, []string{"node is filtered out by the prefilter result"}, `(?:(\d+) )?node is filtered out by the prefilter result`, exact - 30, false, "kube-scheduler, since 1.26: a filter named the only nodes that will do"},
	{"pod-affinity", "pod-affinity-conflict", InEvent, []string{"match pod affinity", "match pod anti-affinity", "satisfy existing pods anti-affinity", "match pod topology spread constraints", "satisfy existing pods anti-affinity rules"}, `(?:(\d+) )?node\(s\) didn't (?:match pod (?:affinity/anti-affinity|affinity rules|anti-affinity rules|topology spread constraints)|satisfy existing pods anti-affinity rules)`, exact - 15, false, "kube-scheduler InterPodAffinity and PodTopologySpread; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36"},
	{"pod-affinity-old", "pod-affinity-conflict", InEvent, []string{"MatchInterPodAffinity"}, `MatchInterPodAffinity\b(?: \((\d+)\))?`, exact - 15, false, "kube-scheduler; read in 1.10, 1.15, 1.19"},
	{"host-port", "host-port-conflict", InEvent, []string{"have free ports for the requested pod ports", "PodFitsHostPorts"}, `(?:(\d+) )?node(?:\(s\)|s)? didn't have free ports|PodFitsHostPorts\b(?: \((\d+)\))?`, exact - 13, false, "kube-scheduler NodePorts; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36"},
	{"max-volumes", "max-volume-count", InEvent, []string{"exceed max volume count", "MaxVolumeCount", "MaxEBSVolumeCount", "MaxGCEPDVolumeCount", "Node has reached its volume attachment limit", "AttachmentLimitExceeded", "number of data disks allowed to be attached", "maximum_persistent_disks", "maximum number of volumes already attached", "maximum number of volumes attached"}, `(?:(\d+) )?node\(s\) exceed max volume count|Max(?:EBS|GCEPD|AzureDisk|CSI)?VolumeCount\b(?: \((\d+)\))?|volume attachment limit|AttachmentLimitExceeded|number of data disks allowed to be attached|exceeded limit 'maximum_persistent_disks'|maximum number of volumes (?:already )?attached`, exact - 10, false, "kube-scheduler NodeVolumeLimits, kubelet; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36; cloud disks of AWS, Azure, GCE"},
	{"disk-conflict", "max-volume-count", InEvent, []string{"had no available disk"}, `(?:(\d+) )?node\(s\) had no available disk`, exact - 14, false, "kube-scheduler VolumeRestrictions; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36"},
	{"taints-old", "untolerated-taint", InEvent, []string{"PodToleratesNodeTaints"}, `PodToleratesNodeTaints\b(?: \((\d+)\))?`, exact - 26, false, "kube-scheduler, without the key: often the control plane's; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36"},

	{"volume-affinity", "volume-node-affinity-conflict", InEvent, []string{"had volume node affinity conflict", "had no available volume zone", "match PersistentVolume's node affinity", "NoVolumeZoneConflict", "NoVolumeNodeConflict"}, `(?:(\d+) )?node\(s\) (?:had volume node affinity conflict|had no available volume zone|didn't match PersistentVolume's node affinity)|NoVolume(?:Zone|Node)Conflict\b(?: \((\d+)\))?`, exact - 11, false, "kube-scheduler VolumeBinding and VolumeZone; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36"},
	{"no-volume-to-bind", "unbound-pvc", InEvent, []string{"find available persistent volumes to bind"}, `(?:(\d+) )?node\(s\) didn't find available persistent volumes to bind`, exact - 9, false, "kube-scheduler VolumeBinding; read in 1.10, 1.15, 1.19, 1.24, 1.30, 1.36"},
	{"rwop-conflict", "pvc-wrong-access-mode", InEvent, []string{"with ReadWriteOncePod access mode already in-use"}, "", exact, false, "kube-scheduler VolumeRestrictions; read in 1.36"},

	{"numa-align", "numa-misplacement", InEvent, []string{"cannot align pod", "cannot align container", "cannot align init", "NUMA Topology affinity error"}, `(?:(\d+) )?(?:cannot align (?:pod|container|init[ -]container)|node\(s\) NUMA Topology affinity error)`, exact - 12, false, "scheduler-plugins NodeResourceTopologyMatch, Koordinator NodeNUMAResource: the latter read in public copies"},
	{"volcano-fit", "gang-not-ready", InEvent, []string{"node(s) resource fit failed"}, `(?:(\d+) )?node\(s\) resource fit failed`, general, true, "Volcano, kube-batch api/unschedule_info.go: which resource is not said"},

	{"filter-unknown", "node-selector-mismatch", InEvent, []string{" nodes are available: ", " nodes are unavailable: "}, `\b\d+/\d+ nodes are (?:un)?available: (\d+ [^,\n]*?[^,.\s\n])(?:,|\.(?:\s|$))`, wrapper + 5, true, "kube-scheduler framework/types.go FitError: a reason of a plug-in, an extender or a vendor's scheduler that no row knows"},

	{"scheduler-unknown", "node-selector-mismatch", InEvent, []string{"FailedScheduling "}, `\bFailedScheduling\s+(?:(?:\d+\w*(?:\s\(x\d+ over \w+\))?)\s+[\w.-]*sched[\w.-]*|[Pp]od/\S+)\s+(?:[\w.-]*scheduler\s+)?([^\s\d][^\n]*)`, wrapper + 4, true, "an event of a scheduler whose message begins with no count of nodes"},

	{"plugin-of-claims", "dra-claim-pending", InEvent, []string{"\"DynamicResources\"", "DynamicResources\\\""}, `running [^\n]*plugins?\b[^\n]*DynamicResources\\?"[^\n]*?: ?([^\n]*)|running \\?"DynamicResources\\?" [^\n]*plugin[^\n]*: ?([^\n]*)`, general, true, "kube-scheduler framework/runtime: an error of the plug-in for claims of devices, in words that no row knows"},
	{"plugin-of-volumes", "unbound-pvc", InEvent, []string{"\"VolumeBinding\"", "VolumeBinding\\\""}, `running [^\n]*plugins?\b[^\n]*VolumeBinding\\?"[^\n]*?: ?([^\n]*)|running \\?"VolumeBinding\\?" [^\n]*plugin[^\n]*: ?([^\n]*)`, general, true, "as above: of the plug-in for claims of volumes"},

	{"claims-unallocated", "dra-claim-pending", InEvent, []string{"cannot allocate all claims", "resourceclaim not available on the node", "resourceclaim in use", "waiting for resource driver", "waiting for resource claim", "resourceclaim has invalid allocated node selector", "resourceclaim cannot be allocated", "resourceclaim must be reallocated", "waiting for binding conditions for device", "unallocated immediate resourceclaim"}, `(?:(\d+) )?(?:node\(s\) )?(cannot allocate all claims|resourceclaim [^,.]*|waiting for resource (?:driver|claim)[^,.]*|waiting for binding conditions for device[^,]*|unallocated immediate resourceclaim)`, exact - 3, false, "kube-scheduler DynamicResources: read in 1.30 and 1.36"},
	{"device-class", "dra-claim-pending", InEvent, []string{"device class "}, `request \S+: device class (\S+) does not exist`, exact, false, "kube-scheduler DynamicResources; read in 1.30, 1.36"},
	{"claim-object", "dra-claim-pending", InEvent, []string{"resourceclaim.resource.k8s.io", "resourceclaims.resource.k8s.io", "resourceclaimtemplate", "resourceclaim \"", "resourceclaims for pod", "waiting for dynamic resource controller", "ResourceClaim not created yet", "FailedResourceClaimCreation", "PodResourceClaim "}, `(?:resourceclaim(?:template)?s?(?:\.resource\.k8s\.io)?s? "([^"]*)" (?:not found|is being deleted)|waiting for dynamic resource controller to create the resourceclaim|resourceclaims for pod|ResourceClaim not created yet|FailedResourceClaimCreation|PodResourceClaim \S+: )`, exact - 2, false, "kube-scheduler DynamicResources; read in 1.30, 1.36; resource claim controller"},

	{"gates", "scheduling-gate", InEvent, []string{"waiting for scheduling gates", "Scheduling is blocked due to non-empty scheduling gates", "eason: SchedulingGated", "\"reason\": \"SchedulingGated\"", "(SchedulingGated)"}, `scheduling gates(?:: \[([^\]]*)\])?|[Rr]eason"?: ?"?SchedulingGated|PodScheduled\S* ?\(SchedulingGated\)`, exact, false, "kube-scheduler SchedulingGates; read in 1.30, 1.36"},
	{"gate-kueue", "scheduling-gate", InEvent, []string{"kueue.x-k8s.io/admission", "kueue.x-k8s.io/topology"}, `name"?: ?"?kueue\.x-k8s\.io/(?:admission|topology)\b`, own - 2, false, "a pod under Kueue that waits: the gates go when it is admitted; seen in public issues"},
	{"gang-native", "gang-not-ready", InEvent, []string{"waiting for minCount pods from a gang", "waiting for pods's workload", "waiting for pods's pod group", "waiting for the preemption for this pod group"}, "", exact, false, "kube-scheduler GangScheduling; read in 1.36"},
	{"preempted", "pod-preempted", InEvent, []string{"Preempted by pod", "Preempted by a pod on node", "preempting to accommodate a higher priority pod", "Preempted in order to admit critical pod", "PreemptionByScheduler", "PreemptionByKubeScheduler", "Preempted by ", "preempted by Kubelet to accommodate", "Preempted  ", "Pod is evicted, because of"}, `Pod is evicted, because of (?:preempt|reclaim|gang|capacity|shuffle)\w*|Preempted by \S+ from application (\S+) in \S+|Preempted\s+\S+\s+[Bb]y (\S+/\S+) on node (\S+)|preempted by Kubelet to accommodate|Preempted by (?:a )?pod(?:group)?(?: (\S+))? on node (\S+)|Preempted by (\S+/\S+) on node (\S+)|preempting to accommodate a higher priority pod|admit critical pod|PreemptionBy(?:Kube)?Scheduler|Preempted\s+[Pp]od/\S+\s+(?:Preempted )?[Bb]y (\S+)`, exact, false, "kube-scheduler preemption: read in 1.24 (a pod), 1.30 (its UID), 1.36 (pod or podgroup); Volcano's evictor and YuniKorn's preemption read in public copies; kubelet critical pods 1.10-1.36; the reason with Kube in 1.25"},

	{"hami-devices", "insufficient-gpu", InAnyText, []string{"CardInsufficientMemory", "CardInsufficientCore", "CardTimeSlicingExhausted", "NodeInsufficientDevice", "ExclusiveDeviceAllocateConflict", "all node scores do not meet"}, `\bCardInsufficient(?:Memory|Core)|\bCardTimeSlicingExhausted|\bNodeInsufficientDevice|\bExclusiveDeviceAllocateConflict|no available node, all node scores do not meet`, own - 1, false, "HAMi pkg/scheduler: why no node has the part of a GPU that the pod asks for"},
	{"hami-type", "node-selector-mismatch", InAnyText, []string{"CardTypeMismatch", "CardUUIDMismatch"}, `\bCard(?:Type|UUID)Mismatch`, own - 2, false, "HAMi pkg/scheduler: the pod names a type of GPU or a GPU that the node has not"},
	{"scale-up-refused", "autoscaler-not-scaling-up", InEvent, []string{"didn't trigger scale-up", "didn't trigger scale up"}, `pod didn't trigger scale-?\s?up[^:\n]*: ?([^\s\n][^\n]*)`, exact + 2, false, "cluster-autoscaler; seen in public issues"},
	{"scale-up-unsaid", "autoscaler-not-scaling-up", InEvent, []string{"didn't trigger scale-up", "didn't trigger scale up"}, `pod didn't trigger scale-?\s?up`, own, false, "cluster-autoscaler without a reason: the scheduler's tells more; seen in public issues"},
	{"scale-up-failed", "autoscaler-not-scaling-up", InEvent, []string{"FailedToScaleUpGroup", "Scale-up failed for group", "Failed adding ", "ScaleUpTimedOut", "Scale-up timed out for node group", "ZONE_RESOURCE_POOL_EXHAUSTED", "GCE_STOCKOUT", "InsufficientInstanceCapacity", "insufficient capacity, "}, `FailedToScaleUpGroup|Scale-up failed for group (\S+)|ScaleUpTimedOut|Failed adding \d+ nodes? to group|Scale-up timed out for node group (\S+)|ZONE_RESOURCE_POOL_EXHAUSTED|GCE_STOCKOUT|InsufficientInstanceCapacity|insufficient capacity, [a-z][^\n"]*`, exact + 2, false, "cluster-autoscaler core/scaleup: the event of the group read in public copies of several versions; the clouds' own words; karpenter cloudprovider/types.go, InsufficientCapacityError"},
	{"scale-up-zones", "autoscaler-not-scaling-up", InEvent, []string{"associated with this pod failed", "FailedScaleUp", "scale.up.error.", "no.scale.up."}, `Node scale up in zones? [^\n]*associated with this pod failed:? ?([^\n]*)|FailedScaleUp\b|(scale\.up\.error\.[\w.]+|no\.scale\.up\.[\w.]+)`, exact + 3, false, "GKE's cluster-autoscaler: events of pods, messages of its visibility log; seen in public documents"},
	{"scale-up-groups", "autoscaler-not-scaling-up", InAnyText, []string{"No expansion opti", "max size reached", "is not ready for scaleup", "be scheduled on "}, `\bNo expansion opti?ions|Skipping node group \S+ - max size reached|Node group \S+ is not ready for scaleup|Pod \S+ can't be scheduled on \S+[^\n]*predicate checking error[^\n]*`, exact + 1, false, "cluster-autoscaler's log, scale_up.go and core/scaleup/orchestrator; seen in public issues"},
	{"cloud-capacity", "autoscaler-not-scaling-up", InAnyText, []string{"currently do not have sufficient ", "have enough resources available to fulfill the request", "vCPU capacity than your current vCPU limit", "exceeding quota limit", "exceeding approved ", "SkuNotAvailable", "VcpuLimitExceeded", "MaxSpotInstanceCountExceeded", "OverconstrainedAllocationRequest", "ZonalAllocationFailed", "OverconstrainedZonalAllocationRequest", "UnfulfillableCapacity", "Launching EC2 instance failed", "' exceeded.  Limit: ", "' exceeded. Limit: ", "CapacityError: Unable to provision", "The account-level service limit '", "is currently not available in location ", "Provisioning of resource(s) for Agent Pool ", "The following quota metrics exceed quota limits", "Out of host capacity", "There is no more capacity in the zone"}, `Out of host capacity|There is no more capacity in the zone \\?"[^"\n]*"|CapacityError: Unable to provision[^\n]*|The account-level service limit '[^'\n]*' is [^\n]*|requested size for resource [^\n]* is currently not available in location[^\n]*|Provisioning of resource\(s\) for Agent Pool \S+ failed|The following quota metrics exceed quota limits[^\n]*|currently do not have sufficient \S+ capacity[^\n]*|does not have enough resources available to fulfill the request|vCPU capacity than your current vCPU limit[^\n]*|exceeding (?:quota limits?|approved \S+(?: \S+){0,3} [Qq]uota)[^\n]*|SkuNotAvailable|VcpuLimitExceeded|MaxSpotInstanceCountExceeded|Overconstrained(?:Zonal)?AllocationRequest|ZonalAllocationFailed|UnfulfillableCapacity|Launching EC2 instance failed|Quota '(\w+)' exceeded\. +Limit: ([\d.]+)[^\n]*`, exact + 2, false, "EC2, Auto Scaling, SageMaker, Azure Resource Manager, Compute Engine, Cloud TPU, OCI, Vertex AI and SkyPilot, whose machines are asked for; seen in public issues"},
	{"sky-launch", "autoscaler-not-scaling-up", InAnyText, []string{"Failed to provision all possible launchable resources", "Failed provisioning the cluster", "for new workers to be provisioned, but no progress"}, `Failed to provision all possible launchable resources[^\n]*|Failed provisioning the cluster|Timed out: waited for [^\n]* for new workers to be provisioned, but no progress`, general + 1, false, "SkyPilot backends/cloud_vm_ray_backend.py and backend_utils.py: a reason beside it tells more; seen in public issues"},
	{"karpenter-taint", "untolerated-taint", InEvent, []string{"did not tolerate "}, `did not tolerate (?:taint \(taint=([^)\s]+)|([\w./-]+=[\w.-]*:No\w+))`, own, false, "karpenter pkg/scheduling/taints.go: why no node of a pool would do; before 1.6 without brackets"},
	{"karpenter", "autoscaler-not-scaling-up", InEvent, []string{"no instance type ", "incompatible requirements, ", "filtered out all compatible available instance types", "incompatible with nodepool", "incompatible with provisioner", "all available instance types exceed limits", "no nodepools found"}, `(no instance type (?:satisfied|which|has|had|met) [^,]*|incompatible requirements, [^\n]*|filtered out all compatible available instance types|incompatible with (?:nodepool|provisioner)(?: "[^"]*")?|all available instance types exceed limits[^,]*|no nodepools found)`, exact + 1, false, "karpenter: read in 1.6; provisioner and nodepool by name seen in public issues"},
}

// nodesHead matches the beginning of the scheduler's message; Volcano writes "unavailable".
var nodesHead = regexp.MustCompile(`\b\d+/(\d+) nodes are (?:un)?available`)

// weighNodes raises the weight of clauses about more nodes, among clauses of a
// scheduler's message that are about equally specific. A taint that is not the
// control plane's decides before a selector: the nodes that match the selector are
// those whose reason counts.
func weighNodes(matches []Match, text []byte) {
	all, said := nodesOf(text, matches)
	for i := range matches {
		m := &matches[i]
		if m.Signature == "taint" {
			m.Weight = otherTaint(m.Captures[1])
		}
		if all == 0 || m.Weight == 0 {
			continue
		}
		if about := m.counted(); about > 0 {
			m.Weight += min(5, 5*about/all)
			if about >= all && said && m.Cause == "node-selector-mismatch" && m.Signature != "node-prefiltered" {
				m.Weight = exact + 5 // no node matches, so what the nodes lack does not matter
			}
		}
	}
}

// nodesOf is how many nodes a message of the scheduler is about, 0 for another text.
// Messages up to 1.9 do not contain it: then it is the greatest count of a clause.
func nodesOf(text []byte, matches []Match) (all int, said bool) {
	if !bytes.Contains(text, []byte("nodes are ")) {
		return 0, false
	}
	if head := nodesHead.FindSubmatch(text); head != nil {
		all, _ = strconv.Atoi(string(head[1]))
		return all, true
	}
	if bytes.Contains(text, []byte("o nodes are available that match all of the ")) {
		for i := range matches {
			all = max(all, matches[i].counted())
		}
	}
	return all, false
}

// counted is how many nodes a clause is about: its first capture that is a number.
func (m *Match) counted() int {
	for _, capture := range m.Captures {
		if n, err := strconv.Atoi(capture); err == nil {
			return n
		}
	}
	return 0
}

// otherTaint is the weight of a taint without a more specific row; 0 if it has one.
func otherTaint(taint string) int {
	key, _, _ := strings.Cut(taint, ":")
	key, _, _ = strings.Cut(key, "=")
	for _, known := range []string{"node.kubernetes.io/", "node.alpha.kubernetes.io/", "node-role.kubernetes.io/"} {
		if strings.HasPrefix(key, known) {
			return 0
		}
	}
	if startTaint().MatchString(key) {
		return 0
	}
	return exact - 17
}

var startTaint = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?:` + startTaints + `)$`) })
