// Package series keeps the samples of logs in bounded memory, and joins those
// of a job's ranks and attempts for charts, rows of the job list and checks.
//
// A Recorder collects the samples of one log. Its Table is a snapshot that
// never changes and costs next to nothing, because the arrays behind it only
// grow: all points have full resolution until there are too many, then the
// older ones are thinned (thin.go). The position of a point on the axis is
// decided when it arrives (steptracker.go).
//
// Join builds the run of a job from the tables of its logs without copying
// points.
package series
