// Package wait decides when training jobs have reached what somebody waits
// for: a phase, a step, a value of a metric, a finding of the diagnosis, or
// that this cannot happen any more.
//
//	snapshots, reports ─► Wait.Look, Wait.Changed ─► lines and outcomes
//
// It is pure: it reads no clock, asks nobody and prints nothing. Whoever calls
// it passes a snapshot after each change of a waited job, so that a phase of
// 50 ms is seen, and reports of the diagnosis where a condition needs them.
//
// A job is what has one kind, namespace and name. An object that is deleted
// and created again under its name is the next attempt of the same job, known
// by its UID.
package wait
