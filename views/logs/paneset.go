package logs

import "github.com/traintop/traintop/train"

// paneSet is the ranks of a job, the panes of their logs, and their settings:
// which ranks, in what grid or merged by time, which lines.
type paneSet struct {
	id   train.JobID
	job  *train.Job // as last seen; stays when the job is deleted
	gone bool

	// allRanks are all ranks, in the job's order; shown are those that have a
	// pane, as indices in allRanks.
	allRanks []*rankPane
	shown    []int
	picked   bool // a person chose shown; new ranks do not join by themselves

	focus int // index in shown of the pane that keys apply to
	panes int // requested; 0 is as many as are readable
	alone bool
	lone  bool // it began in full size: going back leaves the screen
	grid  grid // as last drawn

	merged bool
	merge  merge

	wrap, locked bool
	loose        bool // panes scroll independently
	unfolded     bool // equal lines of many ranks are shown one by one
	stamps       stamps
	since        since

	search     search
	lineFilter lineFilter
}

// drawer draws a paneSet: panes, merged lines, the texts of the title.
type drawer struct{ *paneSet }
