// Package series keeps the samples of logs in bounded memory, and joins those
// of a job's ranks and attempts into what a chart, a row of the job list or a
// check wants to know.
//
// A Recorder gathers the samples of one log. Its Table is a snapshot that never
// changes and costs next to nothing, since the arrays behind it only grow:
// all points stand at full resolution until there are too many, then the older
// ones are thinned (thin.go). Where a point stands on the axis is decided as
// it comes (tracker.go).
//
// Join makes the run of a job out of the tables of its logs without copying
// points.
package series
