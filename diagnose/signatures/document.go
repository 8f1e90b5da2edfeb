package signatures

// documentTexts are lines of what people paste: kubectl's tables and
// descriptions, df, status in YAML.
var documentTexts = []row{
	{"df-shm", "shm-too-small", InAnyText, []string{"% /dev/shm"}, `\b(9\d|100)% /dev/shm`, own, false, "coreutils df: nearly full"},
	{"table-error", "application-error", InEvent, []string{" Error  "}, `^(?:\S+\s+)?\S+\s+\d+/\d+\s+Error\s+\d+`, wrapper + 1, false, "kubectl get pods"},
	{"table-operator", "no-pods-operator-down", InEvent, []string{"training-operator-", "-controller-manager-", "mpi-operator-", "job-operator-", "pytorch-operator-", "mxnet-operator-", "xgboost-operator-", "paddle-operator-", "kuberay-operator-", "volcano-controllers-", "volcano-scheduler-", "volcano-admission-"}, `^(?:\S+\s+)?(?:pod/)?((?:training-operator|kubeflow-trainer-controller-manager|trainer-controller-manager|jobset-controller-manager|kueue-controller-manager|lws-controller-manager|mpi-operator|tf-job-operator|pytorch-operator|mxnet-operator|xgboost-operator|paddle-operator|kuberay-operator|volcano-(?:controllers|scheduler|admission))-\S+)\s+0/\d+\s+(?:CrashLoopBackOff|Error|OOMKilled|ImagePullBackOff|ErrImagePull|InvalidImageName|CreateContainer\w*|Pending|Evicted|Init:\S+)\s+\d+`, own - 3, false, "kubectl get pods: the pod of what makes pods"},
	{"table-rejected", "device-allocation-failed", InEvent, []string{" NodeAffinity ", " NodePorts ", " MatchNodeSelector ", " PodFitsHostPorts "}, `\s\d+/\d+\s+(?:NodeAffinity|NodePorts|MatchNodeSelector|PodFitsHostPorts)\s+\d+`, own, false, "kubectl get pods: the kubelet refused the pod, by the reasons of 1.10-1.36"},
	{"table-gated", "scheduling-gate", InEvent, []string{" SchedulingGated "}, `\s\d+/\d+\s+SchedulingGated\s`, own, false, "kubectl get pods 1.26-1.36"},
	{"table-suspended", "suspended", InEvent, []string{" Suspended "}, `^\S+\s+(?:\S+\s+)?Suspended\s+(?:\d+/\d+|\d+[smhd])`, own - 5, false, "kubectl get jobs 1.30-1.36"},
	{"table-not-ready", "node-not-ready", InEvent, []string{" NotReady"}, `^(\S+)\s+NotReady(?:,SchedulingDisabled)?\s+(?:\S+\s+)?\d+[smhdy]`, own - 3, false, "kubectl get nodes"},
	{"table-cordoned", "node-unschedulable", InEvent, []string{"Ready,SchedulingDisabled"}, `^(\S+)\s+Ready,SchedulingDisabled`, own - 10, false, "kubectl get nodes"},
	{"table-claim-lost", "pvc-lost", InEvent, []string{" Lost   "}, `^(?:\S+\s+)?(\S+)\s+Lost\s+\S*`, own, false, "kubectl get pvc"},
	{"table-claim-pending", "unbound-pvc", InEvent, []string{" Pending   "}, `^(?:\S+\s+)?([\w.-]+)\s+Pending\s{12,}(?:\S+\s+){1,2}?(?:[3-9]\ds|\d{3,}s|\d+m|\d+h|\d+d)`, own - 19, false, "kubectl get pvc: for half a minute or longer"},
	{"table-device-claim", "dra-claim-pending", InEvent, []string{" pending  "}, `^(?:\S+\s+)??[\w.-]+\s+(?:\S+\s+(?:WaitForFirstConsumer|Immediate)\s+)?pending\s+(?:[1-9]\d+s|\d+[mhd]\S*)\s*$`, own - 8, false, "kubectl get resourceclaims 1.26-1.36: for ten seconds or longer"},
	{"table-init-waiting", "init-container-failing", InEvent, []string{" Init:0/", " Init:1/", " Init:2/"}, `\s\d+/\d+\s+Init:\d+/\d+\s+\d+(?: \([^)]*\))?\s+(?:[2-9]m|\d\dm|\d{3}m|\d+h|\d+d)`, general - 2, false, "kubectl get pods: for two minutes or longer"},
	{"table-unknown", "node-lost", InEvent, []string{" Unknown "}, `^(?:\S+\s+)?\S+\s+\d+/\d+\s+Unknown\s+\d+`, own - 2, false, "kubectl get pods"},
	{"table-node-gone", "node-not-ready", InEvent, []string{"Pressure "}, `^\s*((?:Memory|Disk|PID)Pressure)\s+True\b`, own - 4, false, "kubectl describe node"},
	{"table-ready-false", "node-not-ready", InEvent, []string{"KubeletNotReady", "NodeNotReady", "Node is not ready"}, `KubeletNotReady|NodeNotReady`, own - 4, false, "kubectl describe node, node lifecycle controller"},
	{"described-unreachable", "node-lost", InEvent, []string{"node.kubernetes.io/unreachable:No"}, `^(?:Taints:)?\s+node\.kubernetes\.io/unreachable:No(?:Execute|Schedule)\s*$`, own - 1, false, "kubectl describe node: a taint; of a pod's toleration op= follows"},
	{"described-not-ready", "node-not-ready", InEvent, []string{"node.kubernetes.io/not-ready:No", "-pressure:NoSchedule", "node.kubernetes.io/network-unavailable:No"}, `^(?:Taints:)?\s+node\.kubernetes\.io/(?:not-ready|(?:disk|memory|pid)-pressure|network-unavailable):No(?:Execute|Schedule)\s*$`, own - 5, false, "kubectl describe node: a taint; of a pod's toleration op= follows"},
	{"node-pressure", "node-not-ready", InEvent, []string{"status is now: NodeHasDiskPressure", "status is now: NodeHasInsufficient"}, `Node (?:(\S+) )?status is now: NodeHas(DiskPressure|InsufficientMemory|InsufficientPID)`, own - 4, false, "kubelet_node_status.go, an event of the node; seen in public issues"},
	{"node-unresponsive", "node-lost", InAnyText, []string{"Adding it to the Taint queue"}, `[Nn]ode (?:(\S+) is unresponsive as of|is unresponsive\.)`, own, false, "kube-controller-manager's log, node_lifecycle_controller.go; seen in public issues"},
	{"field-suspend", "suspended", InEvent, []string{"uspend: ", "uspend\": true"}, `^\s*"?(?:Suspend|suspend|suspend\w*)"?:\s+true,?\s*$`, own - 5, false, "YAML and kubectl describe of a job"},
	{"field-unschedulable", "node-unschedulable", InEvent, []string{"nschedulable:", "nschedulable\": true"}, `^\s*"?[Uu]nschedulable"?:\s+true`, own - 10, false, "YAML and kubectl describe of a node"},
	{"field-exit-137", "sigkill-received", InEvent, []string{"exitCode"}, `exitCode"?: ?137\b`, general - 2, false, "YAML and JSON of a pod"},
	{"field-exit-139", "segfault", InEvent, []string{"exitCode"}, `exitCode"?: ?139\b`, own - 10, false, "YAML and JSON of a pod"},
	{"field-exit-135", "shm-too-small", InEvent, []string{"exitCode"}, `exitCode"?: ?135\b`, own - 10, false, "YAML and JSON of a pod"},
	{"field-exit-143", "sigterm-received", InEvent, []string{"exitCode"}, `exitCode"?: ?143\b`, lost, true, "YAML and JSON of a pod"},
	{"field-exit", "application-error", InEvent, []string{"exitCode"}, `exitCode"?: ?([1-9]\d*)\b`, wrapper + 2, false, "YAML and JSON of a pod"},
	{"evicted", "evicted-memory", InEvent, []string{" Evicted "}, `\s\d+/\d+\s+Evicted\s`, general - 15, true, "kubectl get pods: the pod's message tells more"},
}
