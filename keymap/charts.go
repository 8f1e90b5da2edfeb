package keymap

// The screen of charts, and a list in front of it. The keys of its actions are rows of
// bindings (table.go); what they do stands in views/charts/actions.go.
const (
	Charts      Scope = "charts"
	ChartPicker Scope = "charts-picker"
	// NoCurves are the charts of a log in which no metric was found; Pattern
	// makes a format of one of its lines.
	NoCurves Scope = "charts-empty"
	// NoLog are the charts of a job of which no line of a log was read.
	NoLog   Scope = "charts-unread"
	Pattern Scope = "format"
)

// Compare is the screen of runs side by side.
const Compare Scope = "compare"

// Actions about runs side by side.
const (
	OpenCompare  Action = "compare.open"
	CompareLeft  Action = "compare.left"
	CompareRight Action = "compare.right"
)

// Actions about a format of one's own.
const (
	MakePattern Action = "format.make"
	FieldLeft   Action = "format.left"
	FieldRight  Action = "format.right"
	OtherUp     Action = "format.line-up"
	OtherDown   Action = "format.line-down"
	FieldPick   Action = "format.pick"
	FieldName   Action = "format.name"
	PatternSave Action = "format.save"
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
