// Package store merges the events of all sources into one state of the cluster
// and returns immutable snapshots of it.
//
// Apply takes a short lock and sends to a channel of capacity one, so any
// burst of events wakes the reader once. Objects are kept in copy-on-write
// trees: a snapshot shares them and costs what changed since the last one, not
// what the cluster holds. Jobs and nodes are derived when a snapshot is taken,
// and only those that a change can affect.
//
// Cluster events are bounded (MaxEvents); dropped ones are counted.
//
// Limits bound what is kept of logs: lines in rings (store/loglines), samples
// in tables (store/series). Logs are joined to the ranks of jobs by pod name
// and UID. A rank outlives its pods, so the log of a deleted pod stays with
// its rank as an earlier attempt. Log files that belong to no pod form jobs of
// their own.
//
// GPU readings are joined node by node, readings of several sources to GPUs
// and GPUs to pods and jobs, and only for nodes that a change can affect. The
// last hour is kept in few bytes (store/history), with the changes of error
// counters, also of GPUs that are gone. Usage of CPU, memory and network is
// kept by source and merged on request.
package store
