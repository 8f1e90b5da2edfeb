// Package gpus folds GPU readings of all sources, node by node, as they
// arrive.
//
// A Fold keeps the newest readings of each source, finds the node of each
// reading, merges the readings of one GPU (the most trusted source first for
// each quantity, never a sum), writes a row of history for each instant at
// which a GPU was measured, and records a change for each error counter that
// grew. It does so in Measure and Backfill, whether or not anybody reads the
// result. Collect returns the nodes that changed since the last call, as
// immutable values.
//
// The fold knows only as much of nodes and pods as it needs to find the node
// of a reading (Objects). The caller joins to a Node who holds a GPU beyond
// what a source reports, and of which job and rank.
package gpus
