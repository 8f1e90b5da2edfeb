// Package logs shows the logs of a job's ranks: a grid of panes, one for each
// rank, one of them in full size, or all of them merged by time.
//
// Drawing is windowed: a pane looks up the visible lines by their number in the
// store, so drawing costs the same however many lines are kept. Work on all
// lines (search, filter, comparing ranks) runs off the event loop, in pieces
// (work.go), and its results are kept by log (index.go).
//
// A paneSet is the ranks with their panes and settings; a drawer draws it, a
// finder moves to lines in it; the View adds keys, copying and saving, and the
// lists in front.
//
// A position in a log is the number of a line, never an index: lines are added,
// old ones are dropped, filters change, and the number stays valid.
package logs
