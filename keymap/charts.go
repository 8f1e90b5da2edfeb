package keymap

// The screen of charts, and a list in front of it. Its actions are carried out
// in views/charts/actions.go.
const (
	Charts      Scope = "charts"
	ChartPicker Scope = "charts-picker"
	// NoCurves are the charts of a log in which no metric was found.
	NoCurves Scope = "charts-empty"
	// NoLog are the charts of a job of which no line of a log was read.
	NoLog Scope = "charts-unread"
)

// Actions of the charts.
const (
	OpenCharts    Action = "charts.open"
	ChartLeft     Action = "charts.left"
	ChartRight    Action = "charts.right"
	ChartFarLeft  Action = "charts.far-left"
	ChartFarRight Action = "charts.far-right"
	ChartFirst    Action = "charts.first"
	ChartLive     Action = "charts.live"
	ChartPause    Action = "charts.pause"
	ChartPrevMark Action = "charts.previous-mark"
	ChartNextMark Action = "charts.next-mark"
	ChartTrouble  Action = "charts.next-trouble"
	ChartTroubleN Action = "charts.previous-trouble"
	ChartGoTo     Action = "charts.go-to"
	ChartLine     Action = "charts.line"
	ChartLogs     Action = "charts.logs"
	ChartPane     Action = "charts.pane"
	ChartSmooth   Action = "charts.smoothing"
	ChartY        Action = "charts.y-range"
	ChartLog      Action = "charts.y-log"
	ChartX        Action = "charts.x-axis"
	ChartZoomIn   Action = "charts.zoom-in"
	ChartZoomOut  Action = "charts.zoom-out"
	ChartZoomTo   Action = "charts.zoom-to"
	ChartUndo     Action = "charts.zoom-undo"
	ChartWhole    Action = "charts.zoom-whole"
	ChartPanLeft  Action = "charts.pan-left"
	ChartPanRight Action = "charts.pan-right"
	ChartUp       Action = "charts.strip-up"
	ChartDown     Action = "charts.strip-down"
	ChartRanks    Action = "charts.ranks"
	ChartRank     Action = "charts.rank"
	ChartOthers   Action = "charts.other-jobs"
	ChartMetrics  Action = "charts.metrics"
	ChartGPUs     Action = "charts.gpus"
	ChartHour     Action = "charts.gpu-history"
	ChartCopy     Action = "charts.copy-point"
	ChartCopyCSV  Action = "charts.copy-csv"
	ChartSave     Action = "charts.save-csv"
	PickUp        Action = "charts.pick-up"
	PickDown      Action = "charts.pick-down"
	Pick          Action = "charts.pick"
	PickDone      Action = "charts.pick-done"
)

// chartKeys are the keys of the screen of charts, of what it shows without curves, and of its list.
var chartKeys = []Binding{
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
	{Charts, keys("s"), ChartPause, "pause", "hold what is shown, or follow what is new", groupScreen, false},
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
	{Charts, keys("<", ","), ChartPanLeft, "pan left", "a quarter of what is shown to the left; dragging does it too", groupMove, false},
	{Charts, keys(">", "."), ChartPanRight, "pan right", "a quarter of what is shown to the right", groupMove, false},
	{Charts, keys("c"), ChartCopy, "copy point", "copy step, value and time of the point under the crosshair", groupRows, false},
	{Charts, keys("C"), ChartCopyCSV, "copy CSV", "copy what is shown as CSV", groupRows, false},
	{Charts, keys("ctrl+s"), ChartSave, "save CSV", "save what is shown as a CSV file", groupRows, false},
	{Charts, keys("f"), MakePattern, "format", "make a format of one's own from a line of the log: pick its numbers, see what that reads, save it", groupScreen, false},
	{Charts, keys("O"), OpenCompare, "compare", "this job and those laid over it side by side, as a table", groupScreen, false},

	{NoCurves, keys("f"), MakePattern, "make a format", "make a format of one's own from a line of the log: pick its numbers, see what that reads, save it", groupScreen, true},
	{NoCurves, keys("l"), ChartLogs, "logs", "the logs of the job", groupScreen, true},
	{NoCurves, keys("D"), OpenDiagnosis, "diagnosis", "why the job is stuck, failed or slow", groupScreen, true},

	{NoLog, keys("l"), ChartLogs, "logs", "the logs of the job", groupScreen, true},
	{NoLog, keys("D"), OpenDiagnosis, "diagnosis", "why the job is stuck, failed or slow", groupScreen, true},

	{ChartPicker, keys("space"), Pick, "mark", "mark the row, or take the mark back", groupScreen, true},
	{ChartPicker, keys("enter", "m", "o"), PickDone, "take", "take what is marked, or the row under the cursor where nothing was; esc leaves all as it was", groupScreen, true},
	{ChartPicker, keys("up", "k"), PickUp, "up", "one row up", groupMove, false},
	{ChartPicker, keys("down", "j"), PickDown, "down", "one row down", groupMove, false},
}
