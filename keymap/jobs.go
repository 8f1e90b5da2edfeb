package keymap

// Actions of the list of jobs.
const (
	ShowOthers   Action = "jobs.show-others"
	SortNeeds    Action = "jobs.sort-needs-you"
	SortRestarts Action = "jobs.sort-restarts"
	PinJob       Action = "jobs.pin"
	SortGPUs     Action = "jobs.sort-gpus"
	SortUse      Action = "jobs.sort-gpu-use"
)

// jobsKeys are the keys of the list of jobs.
var jobsKeys = []Binding{
	{Jobs, keys("enter"), Open, "open", "open the job: its ranks, events and YAML", groupScreen, true},
	{Jobs, keys("l"), OpenLogs, "logs", "logs of the job's ranks", groupScreen, true},
	{Jobs, keys("p"), OpenPrevious, "previous logs", "logs of the attempts before the newest", groupScreen, false},
	{Jobs, keys("t"), ShowOthers, "others", "show or hide jobs that show no sign of being training", groupScreen, true},
	{Jobs, keys("D"), OpenDiagnosis, "diagnosis", "why the job is stuck, failed or slow", groupScreen, true},
	{Jobs, keys("U"), SortNeeds, "needs you", "back to the first order: what needs a person on top", groupSort, false},
	{Jobs, keys("T"), SortRestarts, "restarts", "sort by restarts", groupSort, false},
	{Jobs, keys("X"), SortGPUs, "GPUs", "sort by GPUs", groupSort, false},
	{Jobs, keys("B"), SortUse, "GPU use", "sort by how busy the GPUs are", groupSort, false},
	{Jobs, keys("b"), PinJob, "pin", "pin the job on top of the list, or let it go; the terminal rings when an incident of a pinned job opens", groupRows, false},
	{Jobs, keys("C"), OpenCharts, "charts", "loss and other curves of the job, read from its logs", groupScreen, true},
	{Jobs, keys("="), OpenCompare, "compare", "the marked jobs side by side: metrics, speed, cost, what differs in their arguments", groupScreen, false},
}
