// Package logs shows the logs of a job's ranks: a grid of panes, one for each
// rank, one of them in full size, or all of them merged by time.
//
// What is drawn is a window: a pane looks up the lines that can be seen by
// their place in what the store keeps, so drawing costs the same whatever is
// kept. What has to look at all lines (search, filter, who is different) is
// done off the event loop, in pieces (work.go), and its results are kept by
// log (index.go).
//
// A paneSet is the ranks with their panes and how they are shown; a drawer
// draws it, a finder leads to lines in it; the View adds keys, what is copied
// and saved, and the lists in front.
//
// A place in a log is the number of a line, never an index: lines come, old
// ones are dropped, filters change, and the place stays.
package logs
