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
