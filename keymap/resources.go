package keymap

// Scopes of tables of resources with keys of their own; the others have those of
// Resource.
const (
	ResourcePods     Scope = "resource pods"
	ResourceNodes    Scope = "resource nodes"
	ResourceCronJobs Scope = "resource cronjobs"
	// ResourceWorkloads are tables of what makes pods: Deployment, StatefulSet,
	// DaemonSet, ReplicaSet, Job.
	ResourceWorkloads Scope = "resource workloads"
)

// ShowUsers lists what uses an object.
const ShowUsers Action = "resource.used-by"

// resourceKeys are the keys that act on rows of tables of resources, as in k9s.
func resourceKeys() []Binding {
	return []Binding{
		{Resource, keys("s"), Replicas, "scale", "change how many replicas the object has", groupAct, true},

		{ResourceCronJobs, keys("s"), Schedule, "suspend", "suspend the schedule, or resume it", groupAct, false},
		{ResourceCronJobs, keys("t"), Trigger, "trigger", "make a job of it now", groupAct, false},

		{ResourceWorkloads, keys("l"), OpenLogs, "logs", "logs of all its pods, a pane for each; v merges them", groupScreen, true},
		{ResourceWorkloads, keys("p"), OpenPrevious, "previous logs", "logs of its pods' containers before the newest", groupScreen, false},

		{ResourcePods, keys("l"), OpenLogs, "logs", "logs of the pod, in a job or not", groupScreen, true},
		{ResourcePods, keys("p"), OpenPrevious, "previous logs", "logs of the pod's containers before the newest", groupScreen, false},
		{ResourcePods, keys("o"), GoNode, "node", "open the node of the pod", groupScreen, false},
		{ResourcePods, keys("s"), Shell, "shell", "a shell in the pod", groupAct, true},
		{ResourcePods, keys("a"), Attach, "attach", "attach to the process of the pod", groupAct, false},
		{ResourcePods, keys("F"), ForwardPort, "forward port", "forward a port of the pod to this machine", groupAct, false},
		{ResourcePods, keys("f"), ShowForward, "forwards", "the ports that are forwarded", groupAct, false},
		{ResourcePods, keys("t"), CopyFiles, "copy files", "copy files from the pod or to it", groupAct, false},
	}
}

// resourceTableKeys are the keys that open rows of tables of resources.
var resourceTableKeys = []Binding{
	{Resource, keys("enter"), Open, "open", "the log of a pod, the pods of a workload, the jobs of a CronJob, the page of a node; the description of any other object", groupScreen, true},
	{Resource, keys("u"), ShowUsers, "used by", "who uses a ConfigMap, a Secret, a claim or an account", groupScreen, false},
}
