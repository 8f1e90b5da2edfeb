package keymap

// Actions of the list of nodes, and of one node.
const (
	SortFree Action = "nodes.sort-free"
	NodeGPUs Action = "node.gpus"
)

// nodeKeys are the keys of the list of nodes, and of one node.
var nodeKeys = []Binding{
	{Nodes, keys("enter"), Open, "pods", "the pods on the node", groupScreen, true},
	{Nodes, keys("F"), SortFree, "free", "sort by free GPUs", groupSort, false},
	{Nodes, keys("B"), SortUse, "use", "sort by how busy the GPUs are", groupSort, false},
	{Nodes, keys("T"), SortTemperature, "temperature", "sort by the hottest GPU", groupSort, false},
	{Nodes, keys("W"), SortPower, "power", "sort by the power of the GPUs", groupSort, false},
	{Nodes, keys("E"), SortErrors, "errors", "sort by what broke", groupSort, false},

	{Node, keys("enter", "J"), JumpOwner, "job", "open the job of the pod, or the rank that holds the GPU", groupScreen, true},
	{Node, keys("v", "tab"), NodeGPUs, "GPUs, pods", "move between the table of GPUs and that of pods", groupScreen, true},
	{Node, keys("l"), OpenLogs, "logs", "log of the pod, in a job or not", groupScreen, true},
	{Node, keys("p"), OpenPrevious, "previous log", "log of the attempt before the newest", groupScreen, false},
	{Node, keys("D"), OpenDiagnosis, "diagnosis", "why the job of the pod, or of the GPU, is stuck, failed or slow", groupScreen, false},
}
