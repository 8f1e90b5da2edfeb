package keymap

// The screen of logs, its list of ranks to pick from, and its list of ranks
// that differ from the others.
const (
	Logs          Scope = "logs"
	LogRanks      Scope = "logs-ranks"
	LogsDifferent Scope = "logs-different"
)

// Actions that lead to logs.
const (
	OpenLogs     Action = "logs.open"
	OpenPrevious Action = "logs.open-previous"
)

// Actions of the screen of logs.
const (
	LogTail      Action = "logs.tail"
	LogHead      Action = "logs.head"
	LogMinute    Action = "logs.last-1m"
	LogMinutes5  Action = "logs.last-5m"
	LogMinutes15 Action = "logs.last-15m"
	LogMinutes30 Action = "logs.last-30m"
	LogHour      Action = "logs.last-1h"

	LogFollow     Action = "logs.follow"
	LogZoom       Action = "logs.zoom"
	LogFullScreen Action = "logs.full-screen"
	LogNextPane   Action = "logs.next-pane"
	LogPrevPane   Action = "logs.previous-pane"
	LogNextPage   Action = "logs.next-page"
	LogPrevPage   Action = "logs.previous-page"
	LogMorePanes  Action = "logs.more-panes"
	LogFewerPanes Action = "logs.fewer-panes"
	LogMerge      Action = "logs.merge"
	LogFold       Action = "logs.fold"
	LogInStep     Action = "logs.in-step"
	LogRankList   Action = "logs.ranks"
	LogDifferent  Action = "logs.different"

	LogFilter    Action = "logs.filter"
	LogNextError Action = "logs.next-error"
	LogPrevError Action = "logs.previous-error"
	LogGoto      Action = "logs.goto"

	LogStamps     Action = "logs.timestamps"
	LogColumnLock Action = "logs.column-lock"
	LogContainer  Action = "logs.container"
	LogOlder      Action = "logs.older-attempt"
	LogNewer      Action = "logs.newer-attempt"
	LogMarker     Action = "logs.marker"
	LogClear      Action = "logs.clear"
	LogReload     Action = "logs.reload"
	LogCharts     Action = "logs.charts"
	LogShowRanks  Action = "logs.show-ranks"
	LogAllRanks   Action = "logs.all-ranks"
)

// logKeys are the keys of the screen of logs and of its lists.
var logKeys = []Binding{
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
}
