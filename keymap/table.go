package keymap

import "slices"

// Groups, in the order of the help screen's columns.
const (
	groupScreen  = "This screen"
	groupMove    = "Move"
	groupRows    = "Rows"
	groupSort    = "Sort"
	groupAct     = "Act"
	groupGeneral = "General"
)

// Actions of the shell.
const (
	Command      Action = "shell.command"
	Filter       Action = "shell.filter"
	ShowHelp     Action = "shell.help"
	Back         Action = "shell.back"
	BackOrQuit   Action = "shell.back-or-quit"
	Quit         Action = "shell.quit"
	Redraw       Action = "shell.redraw"
	ToggleHeader Action = "shell.header"
	ToggleCrumbs Action = "shell.crumbs"
	ShowAliases  Action = "shell.aliases"
	HistoryBack  Action = "shell.history-back"
	HistoryOn    Action = "shell.history-forward"
	LastCommand  Action = "shell.last-command"
	Favourite0   Action = "shell.namespace-0"
	Favourite1   Action = "shell.namespace-1"
	Favourite2   Action = "shell.namespace-2"
	Favourite3   Action = "shell.namespace-3"
	Favourite4   Action = "shell.namespace-4"
	Favourite5   Action = "shell.namespace-5"
	Favourite6   Action = "shell.namespace-6"
	Favourite7   Action = "shell.namespace-7"
	Favourite8   Action = "shell.namespace-8"
	Favourite9   Action = "shell.namespace-9"
)

// Actions of every table.
const (
	Up           Action = "table.up"
	Down         Action = "table.down"
	Top          Action = "table.top"
	Bottom       Action = "table.bottom"
	PageUp       Action = "table.page-up"
	PageDown     Action = "table.page-down"
	Open         Action = "table.open"
	Mark         Action = "table.mark"
	MarkRange    Action = "table.mark-range"
	ClearMarks   Action = "table.clear-marks"
	CopyName     Action = "table.copy-name"
	CopyNS       Action = "table.copy-namespace"
	Save         Action = "table.save"
	FaultyOnly   Action = "table.faulty-only"
	Wide         Action = "table.wide"
	UseNamespace Action = "table.use-namespace"
	JumpOwner    Action = "table.jump-owner"
	YAML         Action = "table.yaml"
	Describe     Action = "table.describe"
	SortName     Action = "table.sort-name"
	SortAge      Action = "table.sort-age"
	SortStatus   Action = "table.sort-status"
	SortNS       Action = "table.sort-namespace"
	SortLeft     Action = "table.sort-column-left"
	SortRight    Action = "table.sort-column-right"
	SortChosen   Action = "table.sort-chosen"
)

// Actions of every pager.
const (
	LineUp      Action = "pager.up"
	LineDown    Action = "pager.down"
	ScrollLeft  Action = "pager.left"
	ScrollRight Action = "pager.right"
	TextTop     Action = "pager.top"
	TextBottom  Action = "pager.bottom"
	TextPageUp  Action = "pager.page-up"
	TextPageDn  Action = "pager.page-down"
	NextMatch   Action = "pager.next-match"
	PrevMatch   Action = "pager.previous-match"
	Wrap        Action = "pager.wrap"
	CopyText    Action = "pager.copy"
	SaveText    Action = "pager.save"
)

// Actions of single screens.
const (
	ShowOthers      Action = "jobs.show-others"
	SortNeeds       Action = "jobs.sort-needs-you"
	SortRestarts    Action = "jobs.sort-restarts"
	PinJob          Action = "jobs.pin"
	SortGPUs        Action = "jobs.sort-gpus"
	SortUse         Action = "jobs.sort-gpu-use"
	OpenRank        Action = "job.rank"
	NextTab         Action = "job.next-tab"
	PreviousTab     Action = "job.previous-tab"
	TabRanks        Action = "job.ranks"
	TabEvents       Action = "job.events"
	TabObjects      Action = "job.objects"
	TabYAML         Action = "job.yaml"
	TabDescribe     Action = "job.describe"
	ToggleWall      Action = "job.wall"
	CellsShow       Action = "job.cells"
	GoNode          Action = "job.node"
	SortFree        Action = "nodes.sort-free"
	NodeGPUs        Action = "node.gpus"
	GPUParts        Action = "gpus.parts"
	GPUColours      Action = "gpus.colours"
	GPULeft         Action = "gpus.left"
	GPURight        Action = "gpus.right"
	SortMemory      Action = "gpus.sort-memory"
	SortTemperature Action = "gpus.sort-temperature"
	SortPower       Action = "gpus.sort-power"
	SortErrors      Action = "gpus.sort-errors"
	SortLastSeen    Action = "events.sort-last-seen"
	SortCount       Action = "events.sort-count"
	SortReason      Action = "events.sort-reason"
	Use             Action = "namespaces.use"
	UseContext      Action = "contexts.use"
	ManagedFields   Action = "manifest.managed-fields"
	Refresh         Action = "manifest.refresh"
	RankNode        Action = "rank.node"
	RankYAML        Action = "rank.yaml"
	RankDescribe    Action = "rank.describe"
	DescribedYAML   Action = "describe.yaml"
	ShowUsers       Action = "resource.used-by"
	OpenXray        Action = "job.xray"
	EditConfig      Action = "settings.edit"
	ShowRuledOut    Action = "diagnosis.ruled-out"
	TakeIncident    Action = "incidents.take"
	MuteIncident    Action = "incidents.mute"
	ShowPast        Action = "incidents.show-past"
)

// bindings is the table. Keys of k9s have the same action here; keys that k9s
// uses for actions that do not exist here yet stay free.
var bindings = append([]Binding{
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
	{Rank, keys("D"), OpenDiagnosis, "diagnosis", "why the rank's job is stuck, failed or slow", groupScreen, false},

	{Diagnosis, keys("enter"), Open, "open", "go to the evidence under the cursor, or run the step in place where it only reads; others are copied", groupScreen, true},
	{Diagnosis, keys("right", "tab"), NextStage, "next stage", "the next stage of the job's way", groupScreen, true},
	{Diagnosis, keys("left", "shift+tab"), PrevStage, "previous stage", "the stage before", groupScreen, false},
	{Diagnosis, keys("c"), CopyText, "copy", "copy the command or the evidence under the cursor", groupScreen, true},
	{Diagnosis, keys("l"), OpenLogs, "logs", "logs of the job's ranks", groupScreen, true},
	{Diagnosis, keys("p"), OpenPrevious, "previous logs", "logs of the attempts before the newest", groupScreen, false},
	{Diagnosis, keys("R"), ShowRuledOut, "ruled out", "list which causes were ruled out or could not be checked, or only count them", groupScreen, false},
	{Diagnosis, keys("C"), OpenCharts, "charts", "curves of the job", groupScreen, false},
	{Diagnosis, keys("d"), Describe, "describe", "describe the job itself", groupScreen, false},
	{Diagnosis, keys("y"), YAML, "YAML", "YAML of the job itself", groupScreen, false},
	{Diagnosis, keys("ctrl+s"), SaveText, "save", "save the diagnosis as a text", groupRows, false},
	{Diagnosis, keys("up", "k"), Up, "up", "to the piece of evidence or step above", groupMove, false},
	{Diagnosis, keys("down", "j"), Down, "down", "to the one below", groupMove, false},
	{Diagnosis, keys("g", "home"), Top, "top", "to the first", groupMove, false},
	{Diagnosis, keys("G", "end"), Bottom, "bottom", "to the last", groupMove, false},
	{Diagnosis, keys("ctrl+f", "pgdown", "space"), PageDown, "page down", "one page down", groupMove, false},
	{Diagnosis, keys("ctrl+b", "pgup"), PageUp, "page up", "one page up", groupMove, false},

	{Findings, keys("enter"), Open, "open", "the diagnosis of the job, or the jobs with this cause", groupScreen, true},
	{Findings, keys("l"), OpenLogs, "logs", "logs of the job's ranks", groupScreen, true},
	{Findings, keys("D"), OpenDiagnosis, "diagnosis", "the diagnosis of the job, or the jobs with this cause", groupScreen, false},

	{Rank, keys("l"), OpenLogs, "logs", "log of the rank", groupScreen, true},
	{Rank, keys("p"), OpenPrevious, "previous log", "log of the rank's attempt before the newest", groupScreen, false},
	{Rank, keys("C"), OpenCharts, "charts", "curves of this rank, read from its log", groupScreen, true},
	{Rank, keys("o"), RankNode, "node", "open the node of the rank", groupScreen, true},
	{Rank, keys("y"), RankYAML, "YAML", "YAML of the rank's pod", groupScreen, true},
	{Rank, keys("d"), RankDescribe, "describe", "describe the rank's pod", groupScreen, true},

	{Charts, keys("enter"), ChartLine, "log line", "open the log at the line that the point under the crosshair was read from", groupScreen, true},
	{Charts, keys("z"), ChartZoomTo, "zoom", "zoom: mark one end, move the crosshair, again zooms to what lies between", groupScreen, true},
	{Charts, keys("e"), ChartSmooth, "smoothing", "smoothing: none, .6, .9, .99", groupScreen, true},
	{Charts, keys("y"), ChartY, "y range", "y range: what nearly all samples lie within, all of them, fixed as it is now", groupScreen, true},
	{Charts, keys("x"), ChartX, "x axis", "x axis: step, elapsed without the time in which no pod ran, UTC, local time", groupScreen, true},
	{Charts, keys("o"), ChartOthers, "other jobs", "lay other jobs over this one: each metric of theirs on the same axes, with its value and how far this one is from it", groupScreen, true},
	{Charts, keys("m"), ChartMetrics, "metrics", "choose which metrics have a strip", groupScreen, true},
	{Charts, keys("/"), Filter, "find metric", "open the list of metrics, narrowed by a text", groupScreen, true},
	{Charts, keys("a"), ChartGPUs, "GPU rows", "what the rows of GPUs show: use, power, tensor activity, memory, temperature", groupScreen, false},
	{Charts, keys("Y"), ChartLog, "log y", "logarithmic or linear y axis", groupScreen, false},
	{Charts, keys("r"), ChartRanks, "ranks", "show the other ranks: grey, the odd one in a colour; many as a band", groupScreen, false},
	{Charts, keys("R"), ChartRank, "next rank", "draw the next rank's curves brightly", groupScreen, false},
	{Charts, keys("l"), ChartLogs, "logs", "the log of the rank that is drawn brightly", groupScreen, false},
	{Charts, keys("D"), OpenDiagnosis, "diagnosis", "why the job is stuck, failed or slow", groupScreen, false},
	{Charts, keys("L"), ChartPane, "log pane", "show or hide the log lines below the charts", groupScreen, false},
	{Charts, keys("s"), ChartPause, "pause", "hold the picture, or follow what is new", groupScreen, false},
	{Charts, keys("left", "h"), ChartLeft, "left", "crosshair one column to the left", groupMove, false},
	{Charts, keys("right"), ChartRight, "right", "crosshair one column to the right", groupMove, false},
	{Charts, keys("shift+left", "H"), ChartFarLeft, "10 left", "crosshair ten columns to the left", groupMove, false},
	{Charts, keys("shift+right"), ChartFarRight, "10 right", "crosshair ten columns to the right", groupMove, false},
	{Charts, keys("home"), ChartFirst, "first", "crosshair to the first point", groupMove, false},
	{Charts, keys("end", "G"), ChartLive, "live", "back to the newest point, and follow it", groupMove, false},
	{Charts, keys("["), ChartPrevMark, "previous mark", "crosshair to the mark before: a restart, a spike, a checkpoint, a value that is no number", groupMove, false},
	{Charts, keys("]"), ChartNextMark, "next mark", "crosshair to the next mark", groupMove, false},
	{Charts, keys("n"), ChartTrouble, "next trouble", "crosshair to the next value that is no number, or spike; from the last on to the first", groupMove, false},
	{Charts, keys("N"), ChartTroubleN, "previous trouble", "crosshair to the one before", groupMove, false},
	{Charts, keys("g"), ChartGoTo, "go to", "crosshair to a step or a time that is asked for", groupMove, false},
	{Charts, keys("up", "k"), ChartUp, "strip up", "draw the strip above large", groupMove, false},
	{Charts, keys("down", "j"), ChartDown, "strip down", "draw the strip below large", groupMove, false},
	{Charts, keys("+", "="), ChartZoomIn, "zoom in", "zoom in around the crosshair; the wheel does it too", groupMove, false},
	{Charts, keys("-", "_"), ChartZoomOut, "zoom out", "zoom out", groupMove, false},
	{Charts, keys("u", "backspace"), ChartUndo, "undo zoom", "back to what was shown before the last zoom", groupMove, false},
	{Charts, keys("0"), ChartWhole, "whole", "show the whole run, and of those laid over it", groupMove, false},
	{Charts, keys("A"), ChartHour, "GPU history", "show the last hour, of which GPUs have a history", groupMove, false},
	{Charts, keys("<", ","), ChartPanLeft, "pan left", "a quarter of the picture to the left; dragging does it too", groupMove, false},
	{Charts, keys(">", "."), ChartPanRight, "pan right", "a quarter of the picture to the right", groupMove, false},
	{Charts, keys("c"), ChartCopy, "copy point", "copy step, value and time of the point under the crosshair", groupRows, false},
	{Charts, keys("C"), ChartCopyCSV, "copy CSV", "copy what is shown as CSV", groupRows, false},
	{Charts, keys("ctrl+s"), ChartSave, "save CSV", "save what is shown as a CSV file", groupRows, false},

	{Charts, keys("f"), MakePattern, "format", "make a format of one's own from a line of the log: pick its numbers, see what that reads, save it", groupScreen, false},
	{NoCurves, keys("f"), MakePattern, "make a format", "make a format of one's own from a line of the log: pick its numbers, see what that reads, save it", groupScreen, true},
	{NoCurves, keys("l"), ChartLogs, "logs", "the logs of the job", groupScreen, true},
	{NoCurves, keys("D"), OpenDiagnosis, "diagnosis", "why the job is stuck, failed or slow", groupScreen, true},
	{NoLog, keys("l"), ChartLogs, "logs", "the logs of the job", groupScreen, true},
	{NoLog, keys("D"), OpenDiagnosis, "diagnosis", "why the job is stuck, failed or slow", groupScreen, true},

	{Pattern, keys("space"), FieldPick, "take", "read the number under the cursor, or leave it", groupScreen, true},
	{Pattern, keys("enter"), FieldName, "name", "name the number under the cursor: step, epoch, loss, or any other", groupScreen, true},
	{Pattern, keys("s", "ctrl+s"), PatternSave, "save", "write the format to the configuration file", groupScreen, true},
	{Pattern, keys("left", "h", "shift+tab"), FieldLeft, "left", "the number before", groupMove, false},
	{Pattern, keys("right", "l", "tab"), FieldRight, "next number", "the next number of the line", groupMove, true},
	{Pattern, keys("up", "k"), OtherUp, "line before", "the kind of line before, which looks more like a metric", groupMove, false},
	{Pattern, keys("down", "j"), OtherDown, "other line", "another kind of line, which looks less like a metric", groupMove, true},

	{Charts, keys("O"), OpenCompare, "compare", "this job and those laid over it side by side, as a table", groupScreen, false},
	{Jobs, keys("="), OpenCompare, "compare", "the marked jobs side by side: metrics, speed, cost, what differs in their arguments", groupScreen, false},

	{Compare, keys("enter", "C"), OpenCharts, "charts", "curves of the first run in sight with the others laid over, at the metric under the cursor", groupScreen, true},
	{Compare, keys("left", "h"), CompareLeft, "left", "the runs to the left, where not all fit", groupMove, true},
	{Compare, keys("right", "l"), CompareRight, "right", "the runs to the right", groupMove, true},
	{Compare, keys("c"), CopyName, "copy", "copy all as a table of Markdown", groupRows, true},
	{Compare, keys("ctrl+s"), Save, "save CSV", "save all as a CSV file, a row for each run, with numbers in full", groupRows, true},

	{ChartPicker, keys("space"), Pick, "mark", "mark the row, or take the mark back", groupScreen, true},
	{ChartPicker, keys("enter", "m", "o"), PickDone, "take", "take what is marked, or the row under the cursor where nothing was; esc leaves all as it was", groupScreen, true},
	{ChartPicker, keys("up", "k"), PickUp, "up", "one row up", groupMove, false},
	{ChartPicker, keys("down", "j"), PickDown, "down", "one row down", groupMove, false},

	{Logs, keys("enter"), LogZoom, "zoom", "the pane in full size, or the grid again; in the merged lines: the rank of the line", groupScreen, true},
	{Logs, keys("r"), LogRankList, "ranks", "pick the ranks that have a pane", groupScreen, true},
	{Logs, keys("v"), LogMerge, "merge", "all ranks merged by time, or a pane for each", groupScreen, true},
	{Logs, keys("d"), LogDifferent, "who differs", "the ranks whose newest lines differ from the others' or are older", groupScreen, true},
	{Logs, keys("s"), LogFollow, "follow", "follow new lines, or pause", groupScreen, true},
	{Logs, keys("&"), LogFilter, "filter", "show only lines that match: regex, !regex leaves out, -C 3 keeps lines around", groupScreen, true},
	{Logs, keys("x"), LogCharts, "charts", "curves at the step of the line pointed to, or of the last one", groupScreen, true},
	{Logs, keys("D"), OpenDiagnosis, "diagnosis", "why the job is stuck, failed or slow", groupScreen, false},
	{Logs, keys("f"), LogFullScreen, "full screen", "the pane in full size, or the grid again", groupScreen, false},
	{Logs, keys("a"), LogContainer, "container", "the next container of the rank: sidecars, init containers", groupScreen, false},
	{Logs, keys("p"), LogOlder, "previous", "the attempt before the one shown", groupScreen, false},
	{Logs, keys("P"), LogNewer, "newer", "the attempt after the one shown", groupScreen, false},
	{Logs, keys("t"), LogStamps, "timestamps", "timestamps: off, local, UTC, since the job's start", groupScreen, false},
	{Logs, keys("L"), LogColumnLock, "column lock", "keep the horizontal place while following, in all panes", groupScreen, false},
	{Logs, keys("i"), LogInStep, "in step", "panes scroll in step, all showing the same moment, or each for itself", groupScreen, false},
	{Logs, keys("F"), LogFold, "fold", "in the merged lines: fold the same line of many ranks into one, or not", groupScreen, false},
	{Logs, keys("m"), LogMarker, "marker", "draw a line behind the newest line of each pane, or take it away", groupScreen, false},
	{Logs, keys("C"), LogClear, "clear", "hide what was printed so far, or show it again", groupScreen, false},
	{Logs, keys("R"), LogReload, "load again", "read the log from its beginning again, with what was dropped", groupScreen, false},
	{Logs, keys("tab"), LogNextPane, "next pane", "next pane", groupMove, false},
	{Logs, keys("shift+tab"), LogPrevPane, "previous pane", "previous pane", groupMove, false},
	{Logs, keys("]"), LogNextPage, "next ranks", "the panes of the next ranks", groupMove, false},
	{Logs, keys("["), LogPrevPage, "previous ranks", "the panes of the ranks before", groupMove, false},
	{Logs, keys("+", "="), LogMorePanes, "more panes", "more panes at once", groupMove, false},
	{Logs, keys("-", "_"), LogFewerPanes, "fewer panes", "fewer panes at once", groupMove, false},
	{Logs, keys("e"), LogNextError, "next error", "next line that tells of an error, in any pane", groupMove, false},
	{Logs, keys("E"), LogPrevError, "previous error", "the error before", groupMove, false},
	{Logs, keys("T", "@"), LogGoto, "go to", "go to a time (14:07:31, -5m), a step (step 1200) or a line (line 77)", groupMove, false},
	{Logs, keys("0"), LogTail, "tail", "all lines, at the newest, and follow", groupMove, false},
	{Logs, keys("1"), LogHead, "head", "all lines, at the oldest that is kept", groupMove, false},
	{Logs, keys("2"), LogMinute, "1m", "lines of the last minute", groupMove, false},
	{Logs, keys("3"), LogMinutes5, "5m", "lines of the last 5 minutes", groupMove, false},
	{Logs, keys("4"), LogMinutes15, "15m", "lines of the last 15 minutes", groupMove, false},
	{Logs, keys("5"), LogMinutes30, "30m", "lines of the last 30 minutes", groupMove, false},
	{Logs, keys("6"), LogHour, "1h", "lines of the last hour", groupMove, false},
	{Logs, keys("c"), CopyText, "copy", "copy the newest lines of the pane, as many as a terminal takes", groupRows, false},
	{Logs, keys("ctrl+s"), SaveText, "save", "save the logs of the picked ranks, of the one in full size, or of all: a file each", groupRows, false},

	{LogRanks, keys("enter"), LogShowRanks, "show", "show the marked ranks, or the one under the cursor", groupScreen, true},
	{LogRanks, keys("a"), LogAllRanks, "all", "show all ranks", groupScreen, true},
	{LogsDifferent, keys("enter"), Open, "log", "open the log of the rank", groupScreen, true},
	{LogsDifferent, keys("v"), LogShowRanks, "panes", "a pane for each of the marked ranks, or for the one under the cursor", groupScreen, true},

	{Nodes, keys("enter"), Open, "pods", "the pods on the node", groupScreen, true},
	{Nodes, keys("F"), SortFree, "free", "sort by free GPUs", groupSort, false},
	{Nodes, keys("B"), SortUse, "use", "sort by how busy the GPUs are", groupSort, false},
	{Nodes, keys("T"), SortTemperature, "temperature", "sort by the hottest GPU", groupSort, false},
	{Nodes, keys("W"), SortPower, "power", "sort by the power of the GPUs", groupSort, false},
	{Nodes, keys("E"), SortErrors, "errors", "sort by what broke", groupSort, false},

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

	{Node, keys("enter", "J"), JumpOwner, "job", "open the job of the pod, or the rank that holds the GPU", groupScreen, true},
	{Node, keys("v", "tab"), NodeGPUs, "GPUs, pods", "move between the table of GPUs and that of pods", groupScreen, true},
	{Help, keys("enter"), Back, "close", "close the help, as esc and ? do", groupGeneral, false},

	{Node, keys("l"), OpenLogs, "logs", "log of the pod, in a job or not", groupScreen, true},
	{Node, keys("p"), OpenPrevious, "previous log", "log of the attempt before the newest", groupScreen, false},
	{Node, keys("D"), OpenDiagnosis, "diagnosis", "why the job of the pod, or of the GPU, is stuck, failed or slow", groupScreen, false},

	{Queues, keys("enter"), Open, "jobs", "the jobs that wait in or came through the queue", groupScreen, true},

	{Events, keys("enter"), Open, "job", "open the job that the event is about, or the event itself", groupScreen, true},
	{Events, keys("D"), OpenDiagnosis, "diagnosis", "why the job that the event is about is stuck, failed or slow", groupScreen, false},
	{Events, keys("L"), SortLastSeen, "last seen", "sort by the time last seen", groupSort, false},
	{Events, keys("C"), SortCount, "count", "sort by count", groupSort, false},
	{Events, keys("R"), SortReason, "reason", "sort by reason", groupSort, false},

	{Namespaces, keys("enter", "u"), Use, "use", "use this namespace", groupScreen, true},
	{Contexts, keys("enter", "u"), UseContext, "use", "change to this context", groupScreen, true},
	{Incidents, keys("enter"), Open, "open", "the diagnosis of the job, the node that is at fault, or the jobs that it hits", groupScreen, true},
	{Incidents, keys("a"), TakeIncident, "take", "acknowledge the marked incidents, or the one under the cursor: only their end is sent; again gives them back", groupScreen, true},
	{Incidents, keys("m"), MuteIncident, "mute", "send nothing about the marked incidents, or the one under the cursor, for an hour; again ends that", groupScreen, true},
	{Incidents, keys("t"), ShowPast, "past", "show or hide incidents that are over", groupScreen, true},
	{Incidents, keys("l"), OpenLogs, "logs", "logs of the job's ranks", groupScreen, true},
	{Incidents, keys("D"), OpenDiagnosis, "diagnosis", "the diagnosis of the first job that it hits", groupScreen, false},
	{Sources, keys("enter"), Open, "read", "read what the source says in full", groupScreen, true},
	{Resource, keys("enter"), Open, "open", "the log of a pod, the pods of a workload, the jobs of a CronJob, the page of a node; the description of any other object", groupScreen, true},
	{Resource, keys("u"), ShowUsers, "used by", "who uses a ConfigMap, a Secret, a claim or an account", groupScreen, false},
	{Job, keys("X"), OpenXray, "xray", "what the job is made of, as a tree, with what is missing", groupScreen, false},
	{Xray, keys("enter"), Open, "open", "the job, the log of the rank, or the description of another object", groupScreen, true},
	{Xray, keys("l"), OpenLogs, "logs", "log of the rank, or of all", groupScreen, true},
	{Xray, keys("p"), OpenPrevious, "previous logs", "logs of the attempts before the newest", groupScreen, false},
	{UsedBy, keys("enter"), Open, "open", "the job of the pod, or the description of what belongs to none", groupScreen, true},
	{Aliases, keys("enter"), Open, "go", "run the command", groupScreen, true},

	{Settings, keys("enter"), Open, "change", "change the setting", groupScreen, true},
	{Settings, keys("e"), EditConfig, "edit file", "edit the configuration file in $EDITOR", groupScreen, true},

	{Manifest, keys("m"), ManagedFields, "managed fields", "show or hide metadata.managedFields", groupScreen, true},
	{Manifest, keys("r"), Refresh, "refresh", "read the object again every few seconds, or no more", groupScreen, false},
	{Description, keys("y"), DescribedYAML, "YAML", "YAML of the object", groupScreen, true},

	{Table, keys("up", "k"), Up, "up", "one row up", groupMove, false},
	{Table, keys("down", "j"), Down, "down", "one row down", groupMove, false},
	{Table, keys("g", "home"), Top, "top", "first row", groupMove, false},
	{Table, keys("G", "end"), Bottom, "bottom", "last row", groupMove, false},
	{Table, keys("ctrl+f", "pgdown"), PageDown, "page down", "one page down", groupMove, false},
	{Table, keys("ctrl+b", "pgup"), PageUp, "page up", "one page up", groupMove, false},
	{Table, keys("d"), Describe, "describe", "describe the object under the cursor and list the events about it", groupRows, true},
	{Table, keys("y"), YAML, "YAML", "YAML of the object under the cursor", groupRows, true},
	{Table, keys("J"), JumpOwner, "owner", "jump to the owner", groupRows, false},
	{Table, keys("w"), UseNamespace, "namespace", "go to the namespace of the row", groupRows, false},
	{Table, keys("space"), Mark, "mark", "mark the row, or take its mark away", groupRows, false},
	{Table, keys("ctrl+space"), MarkRange, "mark range", "mark from the last marked row to this one", groupRows, false},
	{Table, keys("ctrl+\\"), ClearMarks, "clear marks", "take all marks away", groupRows, false},
	{Table, keys("c"), CopyName, "copy name", "copy the names of the marked rows, or of this one", groupRows, false},
	{Table, keys("n", "ctrl+n"), CopyNS, "copy namespace", "copy the namespaces of the marked rows, or of this one", groupRows, false},
	{Table, keys("ctrl+s"), Save, "save", "save the table to a file", groupRows, false},
	{Table, keys("ctrl+z"), FaultyOnly, "faulty", "only rows in trouble, or all", groupRows, false},
	{Table, keys("ctrl+w"), Wide, "wide", "all columns in full, or those that fit", groupRows, false},
	{Table, keys("left", "<"), ScrollLeft, "left", "scroll the columns to the left", groupMove, false},
	{Table, keys("right", ">"), ScrollRight, "right", "scroll the columns to the right, where they do not fit", groupMove, false},
	{Table, keys("N"), SortName, "name", "sort by name; again turns the order", groupSort, false},
	{Table, keys("A"), SortAge, "age", "sort by age", groupSort, false},
	{Table, keys("S"), SortStatus, "status", "sort by status", groupSort, false},
	{Table, keys("P"), SortNS, "namespace", "sort by namespace", groupSort, false},
	{Table, keys("shift+left"), SortLeft, "column left", "choose the column to the left", groupSort, false},
	{Table, keys("shift+right"), SortRight, "column right", "choose the column to the right", groupSort, false},
	{Table, keys("O"), SortChosen, "sort by column", "sort by the chosen column", groupSort, false},

	{Pager, keys("up", "k"), LineUp, "up", "one line up", groupMove, false},
	{Pager, keys("down", "j"), LineDown, "down", "one line down", groupMove, false},
	{Pager, keys("left", "h"), ScrollLeft, "left", "scroll to the left", groupMove, false},
	{Pager, keys("right", "l"), ScrollRight, "right", "scroll to the right", groupMove, false},
	{Pager, keys("g", "home"), TextTop, "top", "to the beginning", groupMove, false},
	{Pager, keys("G", "end"), TextBottom, "bottom", "to the end", groupMove, false},
	{Pager, keys("ctrl+f", "pgdown", "space"), TextPageDn, "page down", "one page down", groupMove, false},
	{Pager, keys("ctrl+b", "pgup"), TextPageUp, "page up", "one page up", groupMove, false},
	{Pager, keys("/"), Filter, "search", "search the text (regex)", groupRows, true},
	{Pager, keys("n"), NextMatch, "next", "next match of the search", groupRows, true},
	{Pager, keys("N"), PrevMatch, "previous", "previous match of the search", groupRows, false},
	{Pager, keys("w"), Wrap, "wrap", "wrap long lines, or cut them", groupRows, true},
	{Pager, keys("c"), CopyText, "copy", "copy all of the text", groupRows, true},
	{Pager, keys("ctrl+s"), SaveText, "save", "save the text to a file", groupRows, false},

	{Global, keys("/"), Filter, "filter", "narrow the rows (regex, !inverse, -f fuzzy, -l labels)", groupGeneral, true},
	{Global, keys(":"), Command, "command", "go somewhere by name", groupGeneral, true},
	{Global, keys("?"), ShowHelp, "help", "the keys that are valid here", groupGeneral, true},
	{Global, keys("esc"), Back, "back", "one step back: prompt, then filter, then screen", groupGeneral, false},
	{Global, keys("q"), BackOrQuit, "back", "one step back; on the first screen, twice quits", groupGeneral, false},
	{Global, keys("ctrl+c"), Quit, "quit", "quit", groupGeneral, false},
	{Global, keys("["), HistoryBack, "earlier command", "back in the history of commands", groupGeneral, false},
	{Global, keys("]"), HistoryOn, "later command", "forward in the history of commands", groupGeneral, false},
	{Global, keys("-"), LastCommand, "last command", "swap with the command before", groupGeneral, false},
	{Global, keys("ctrl+a"), ShowAliases, "aliases", "all commands and their short names", groupGeneral, false},
	{Global, keys("ctrl+r"), Redraw, "redraw", "draw the screen anew", groupGeneral, false},
	{Global, keys("ctrl+e"), ToggleHeader, "header", "show or hide the header", groupGeneral, false},
	{Global, keys("ctrl+g"), ToggleCrumbs, "crumbs", "show or hide the breadcrumbs", groupGeneral, false},
	{Global, keys("0"), Favourite0, "all", "all namespaces", groupGeneral, false},
	{Global, keys("1"), Favourite1, "1", "the first favourite namespace of the header; 2 to 9 likewise", groupGeneral, false},
	{Global, keys("2"), Favourite2, "2", "favourite namespace 2", groupGeneral, false},
	{Global, keys("3"), Favourite3, "3", "favourite namespace 3", groupGeneral, false},
	{Global, keys("4"), Favourite4, "4", "favourite namespace 4", groupGeneral, false},
	{Global, keys("5"), Favourite5, "5", "favourite namespace 5", groupGeneral, false},
	{Global, keys("6"), Favourite6, "6", "favourite namespace 6", groupGeneral, false},
	{Global, keys("7"), Favourite7, "7", "favourite namespace 7", groupGeneral, false},
	{Global, keys("8"), Favourite8, "8", "favourite namespace 8", groupGeneral, false},
	{Global, keys("9"), Favourite9, "9", "favourite namespace 9", groupGeneral, false},
}, slices.Concat(acting(), probing(), excerpts(), travelling(), typing())...)

// favourites are the actions of the digits, by digit.
var favourites = [...]Action{
	Favourite0, Favourite1, Favourite2, Favourite3, Favourite4,
	Favourite5, Favourite6, Favourite7, Favourite8, Favourite9,
}

// FavouriteDigit is the digit of a favourite namespace's action.
func FavouriteDigit(a Action) (digit int, ok bool) {
	for i, f := range favourites {
		if a == f {
			return i, true
		}
	}
	return 0, false
}

func keys(names ...string) []string { return names }
