package faults

import (
	"net/http"
	"slices"
	"strings"
)

// Place is where a fault happens.
type Place struct {
	// Words are for people.
	Words string
	holds func(*http.Request, target) bool
}

// The places. A place that is not a list of objects names what is read there.
var (
	Everything = Place{"every request", func(*http.Request, target) bool { return true }}
	Discovery  = Place{"discovery", func(r *http.Request, _ target) bool { return r.URL.Path == "/apis" }}
	Pods       = Place{"the list of pods", listOf("pods")}
	Jobs       = Place{"the list of PyTorchJobs", listOf("pytorchjobs")}
	JobTraces  = Place{"the lists of PyTorchJobs, pods and events", listOf("pytorchjobs", "pods", "events")}
	Nodes      = Place{"the list of nodes", listOf("nodes")}
	Events     = Place{"the list of events", listOf("events")}
	Lease      = Place{"the Lease", func(_ *http.Request, t target) bool { return t.plural == "leases" }}
	Watches    = Place{"every watch", func(r *http.Request, _ target) bool { return watching(r) }}
	Logs       = Place{"every log", func(_ *http.Request, t target) bool { return t.sub == "log" }}
	RankLog    = Place{"the log of rank 2", func(_ *http.Request, t target) bool { return t.sub == "log" && t.name == "hubert-xl-worker-1" }}
	Exporter   = Place{"the exporter", func(_ *http.Request, t target) bool { return t.plural == "pods" && strings.HasPrefix(t.sub, "proxy/") }}
	Prometheus = Place{"Prometheus", func(_ *http.Request, t target) bool {
		return t.plural == "services" && strings.HasPrefix(t.sub, "proxy/")
	}}
)

// GPUNumbers are the queries to Prometheus about GPUs, after the search for it
// and for the names of its metrics.
var GPUNumbers = Place{"Prometheus' numbers of GPUs", func(r *http.Request, t target) bool {
	query := r.URL.Query().Get("query")
	return Prometheus.holds(r, t) && strings.Contains(query, "DCGM_") && !strings.Contains(query, "count_over_time")
}}

// Places are all of them.
func Places() []Place {
	return []Place{Everything, Discovery, Pods, Jobs, JobTraces, Nodes, Events, Lease, Watches, Logs, RankLog, Exporter, Prometheus, GPUNumbers}
}

func watching(r *http.Request) bool { return r.URL.Query().Get("watch") == "true" }

// listOf are lists and not the watches that follow them.
func listOf(plurals ...string) func(*http.Request, target) bool {
	return func(r *http.Request, t target) bool {
		asksAll := !watching(r) || r.URL.Query().Get("sendInitialEvents") == "true"
		return slices.Contains(plurals, t.plural) && t.name == "" && asksAll
	}
}

// readBy reports whether a command reads from the place.
func (p Place) readBy(command string) bool {
	switch p.Words {
	case Logs.Words, RankLog.Words:
		return slices.Contains([]string{"diagnose", "diagnose -A", "logs", "logs -f", "curves", "record", watcher, elected}, command)
	case Exporter.Words, Prometheus.Words, GPUNumbers.Words:
		return slices.Contains([]string{"diagnose", "diagnose -A", "gpus", "record"}, command)
	case Lease.Words:
		return command == elected
	case Watches.Words:
		return slices.Contains([]string{"logs -f", "record", watcher, elected}, command)
	}
	return true
}
