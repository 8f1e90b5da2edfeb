package keymap

// Actions of the screen of GPUs.
const (
	GPUParts        Action = "gpus.parts"
	GPUColours      Action = "gpus.colours"
	GPULeft         Action = "gpus.left"
	GPURight        Action = "gpus.right"
	SortMemory      Action = "gpus.sort-memory"
	SortTemperature Action = "gpus.sort-temperature"
	SortPower       Action = "gpus.sort-power"
	SortErrors      Action = "gpus.sort-errors"
)

// gpuKeys are the keys of the screen of GPUs.
var gpuKeys = []Binding{
	{GPUs, keys("enter"), Open, "rank", "open the rank that holds the GPU, or the node of a free one", groupScreen, true},
	{GPUs, keys("l"), OpenLogs, "logs", "log of the rank that holds the GPU", groupScreen, true},
	{GPUs, keys("v"), GPUParts, "map, table", "heat map and table, only the map, only the table", groupScreen, true},
	{GPUs, keys("m"), GPUColours, "colours", "colour the map by use, job, power, temperature, memory, tensor activity", groupScreen, true},
	{GPUs, keys("o"), GoNode, "node", "open the node of the GPU", groupScreen, true},
	{GPUs, keys("J"), JumpOwner, "job", "open the job that holds the GPU", groupRows, false},
	{GPUs, keys("D"), OpenDiagnosis, "diagnosis", "why the job that holds the GPU is stuck, failed or slow", groupRows, false},
	{GPUs, keys("left", "h"), GPULeft, "left", "the GPU before in the map", groupMove, false},
	{GPUs, keys("right"), GPURight, "right", "the next GPU in the map", groupMove, false},
	{GPUs, keys("B"), SortUse, "use", "sort by how busy the GPUs are", groupSort, false},
	{GPUs, keys("M"), SortMemory, "memory", "sort by memory", groupSort, false},
	{GPUs, keys("T"), SortTemperature, "temperature", "sort by temperature", groupSort, false},
	{GPUs, keys("W"), SortPower, "power", "sort by power", groupSort, false},
	{GPUs, keys("E"), SortErrors, "errors", "sort by what is wrong", groupSort, false},
}
