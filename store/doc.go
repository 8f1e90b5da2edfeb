// Package store folds the events of all sources into one snapshot of the
// cluster and hands out immutable snapshots of it.
//
// Apply takes a short lock and leaves a mark in a channel of capacity one, so
// any burst of events costs its reader one wake-up. Objects are kept in
// copy-on-write trees: a snapshot shares them and costs what changed since
// the last one, not what the cluster holds. Jobs and nodes are derived when a
// snapshot is taken, and only those that a change can have changed.
//
// Events of the cluster are bounded (MaxEvents); what was dropped is counted.
//
// What logs say is kept by Limits: lines in rings (store/loglines), samples
// in tables (store/series). Logs are joined to the ranks of jobs by pod name
// and UID; a place outlives the pod, so the log of a pod that is gone stays
// with its rank as an earlier attempt. Log files that belong to no pod make
// jobs of their own.
//
// What sources measure of GPUs is joined node by node, readings of several
// sources to GPUs and GPUs to pods and jobs, and only for nodes that a change
// can have changed. The last hour is kept in few bytes (store/history), the
// changes of error counters beside it, also of boards that are gone. Usage of
// CPU, memory and network is kept by source and put together when asked for.
package store
