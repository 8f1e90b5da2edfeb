package keymap

// Actions of the screens of one job, and of one rank.
const (
	OpenRank     Action = "job.rank"
	NextTab      Action = "job.next-tab"
	PreviousTab  Action = "job.previous-tab"
	TabRanks     Action = "job.ranks"
	TabEvents    Action = "job.events"
	TabObjects   Action = "job.objects"
	TabYAML      Action = "job.yaml"
	TabDescribe  Action = "job.describe"
	ToggleWall   Action = "job.wall"
	CellsShow    Action = "job.cells"
	GoNode       Action = "job.node"
	RankNode     Action = "rank.node"
	RankYAML     Action = "rank.yaml"
	RankDescribe Action = "rank.describe"
	OpenXray     Action = "job.xray"
)

// jobKeys are the keys of a job, of a rank, and of the tree of what a job is made of.
var jobKeys = []Binding{
	{Job, keys("enter"), Open, "log", "open the log of the rank, or the event or object, under the cursor", groupScreen, true},
	{Job, keys("i"), OpenRank, "rank", "all about the rank under the cursor: its GPUs, attempts, conditions", groupScreen, false},
	{Job, keys("l"), OpenLogs, "logs", "logs of the marked ranks, of the one under the cursor, or of all before the cursor was moved", groupScreen, true},
	{Job, keys("p"), OpenPrevious, "previous logs", "logs of the attempts before the newest", groupScreen, false},
	{Job, keys("tab", "right"), NextTab, "next tab", "next tab", groupScreen, true},
	{Job, keys("shift+tab", "left"), PreviousTab, "previous tab", "previous tab", groupScreen, false},
	{Job, keys("1", "r"), TabRanks, "ranks", "the ranks of the job", groupScreen, false},
	{Job, keys("2"), TabEvents, "events", "events about the job, what it owns and its pods", groupScreen, false},
	{Job, keys("3"), TabObjects, "objects", "what the job owns, pods aside", groupScreen, false},
	{Job, keys("4"), TabYAML, "YAML", "the YAML of the job itself", groupScreen, false},
	{Job, keys("5"), TabDescribe, "describe", "describe the job itself", groupScreen, false},
	{Job, keys("v"), ToggleWall, "wall", "all ranks as a wall of cells, or as a table", groupScreen, true},
	{Job, keys("u"), CellsShow, "cells", "what cells of GPUs and of the wall show: use, power, tensor activity, the state of ranks", groupScreen, false},
	{Job, keys("o"), GoNode, "node", "open the node of the rank", groupScreen, false},
	{Job, keys("T"), SortRestarts, "restarts", "sort by restarts", groupSort, false},
	{Job, keys("B"), SortUse, "GPU use", "sort by how busy the GPUs are, the least busy first", groupSort, false},
	{Job, keys("C"), OpenCharts, "charts", "loss and other curves of the job, read from its logs", groupScreen, true},
	{Job, keys("D", "6"), OpenDiagnosis, "diagnosis", "why the job is stuck, failed or slow", groupScreen, true},
	{Job, keys("X"), OpenXray, "xray", "what the job is made of, as a tree, with what is missing", groupScreen, false},

	{Rank, keys("D"), OpenDiagnosis, "diagnosis", "why the rank's job is stuck, failed or slow", groupScreen, false},
	{Rank, keys("l"), OpenLogs, "logs", "log of the rank", groupScreen, true},
	{Rank, keys("p"), OpenPrevious, "previous log", "log of the rank's attempt before the newest", groupScreen, false},
	{Rank, keys("C"), OpenCharts, "charts", "curves of this rank, read from its log", groupScreen, true},
	{Rank, keys("o"), RankNode, "node", "open the node of the rank", groupScreen, true},
	{Rank, keys("y"), RankYAML, "YAML", "YAML of the rank's pod", groupScreen, true},
	{Rank, keys("d"), RankDescribe, "describe", "describe the rank's pod", groupScreen, true},

	{Xray, keys("enter"), Open, "open", "the job, the log of the rank, or the description of another object", groupScreen, true},
	{Xray, keys("l"), OpenLogs, "logs", "log of the rank, or of all", groupScreen, true},
	{Xray, keys("p"), OpenPrevious, "previous logs", "logs of the attempts before the newest", groupScreen, false},
}
