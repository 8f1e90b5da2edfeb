// Package gpus folds what sources measure of GPUs, node by node, as it comes.
//
// A Fold keeps the newest readings of each source, finds the node of each
// reading, merges the readings of one GPU (the most trusted source first for
// each quantity, never a sum) and writes a row of history for each instant at
// which a GPU was measured, and a change for each counter of errors that grew.
// It does so at Measure and Backfill, whether or not anybody looks. Collect
// hands out the nodes that changed since it was last called, as values that
// never change.
//
// The fold knows nodes and pods only as far as it must to find the node of a
// reading (Objects). Who holds a GPU beyond what a source says, and of which job
// and rank, is joined to a Node by whoever takes it.
package gpus
