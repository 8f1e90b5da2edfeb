package views

import (
	"cmp"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/apitable"
)

// Route is the way to a screen: one of the types in this file. It names the
// screen and holds the screen's initial parameters.
type Route interface {
	// Screen is the name of the view that the route opens: "job", "node".
	Screen() string
	route()
}

// AboutJob is a route to a screen that is about one job.
type AboutJob interface {
	Route
	// JobID is "" where the route names pods and no job.
	JobID() train.JobID
}

// Filtered is a route that filters the rows of the screen it opens.
type Filtered interface {
	Route
	// BeginFilter is the filter as a person would type it, "" for none.
	BeginFilter() string
}

// JobsRoute opens the list of jobs; Queue limits it to those of one queue, and
// Filter is the initial filter of its rows.
type JobsRoute struct{ Queue, Filter string }

// JobRoute opens one job: its ranks, events and objects.
type JobRoute struct{ Job train.JobID }

// RankRoute opens one rank; Rank is its index in Job.Ranks.
type RankRoute struct {
	Job  train.JobID
	Rank int
}

// DiagnosisRoute opens the findings of one job, with evidence and next steps.
type DiagnosisRoute struct{ Job train.JobID }

// FindingsRoute opens the findings of all jobs; Cause limits them to one cause.
type FindingsRoute struct{ Cause train.Cause }

// ChartsRoute opens the curves of a job.
type ChartsRoute struct {
	Job train.JobID
	// Rank is the index in Job.Ranks of the rank whose curves come first.
	Rank int
	// Others are jobs to lay over; nil for those that were when the charts were
	// last left.
	Others []train.JobID
	// Metric is drawn large, "" for the main one.
	Metric string
	// Stream and Line are the line of a log that the crosshair begins on; Line
	// is 0 without one.
	Stream train.StreamID
	Line   int64
}

// PatternRoute opens the screen that makes a format of one's own from a line of a
// job's log.
type PatternRoute struct{ Job train.JobID }

// CompareRoute opens runs side by side.
type CompareRoute struct{ Jobs []train.JobID }

// LogsRoute opens the logs of a job.
type LogsRoute struct {
	Job train.JobID
	// Ranks are the indices in Job.Ranks of the ranks to begin with; nil leaves
	// the choice to the screen.
	Ranks []int
	// Stream and Line, when set, are the line to begin at.
	Stream train.StreamID
	Line   int64
	// Previous begins with the container instances before the newest.
	Previous bool
}

// NodesRoute opens the list of nodes.
type NodesRoute struct{}

// NodeRoute opens one node: its GPUs and pods.
type NodeRoute struct{ Name string }

// GPUsRoute opens the list of all GPUs.
type GPUsRoute struct{ Filter string }

// QueuesRoute opens the list of queues.
type QueuesRoute struct{}

// EventsRoute opens the list of the cluster's events.
type EventsRoute struct{ Filter string }

// NamespacesRoute opens the list of namespaces.
type NamespacesRoute struct{}

// ContextsRoute opens the list of the kubeconfig's contexts.
type ContextsRoute struct{}

// ForwardsRoute opens the list of forwarded ports.
type ForwardsRoute struct{}

// IncidentsRoute opens the list of incidents.
type IncidentsRoute struct{}

// SourcesRoute opens the list of sources and their health.
type SourcesRoute struct{}

// AliasesRoute opens the list of commands.
type AliasesRoute struct{}

// TableRoute opens the table of a resource of the API server, with the cursor on
// the object Select ("namespace/name"; "" for none).
type TableRoute struct {
	Resource apitable.Listing
	Select   string
	// Owner limits the table to what this object owns; its zero value shows all.
	Owner train.Ref
}

// UsedByRoute opens the list of what uses an object: a ConfigMap, a Secret, a
// claim, an account.
type UsedByRoute struct{ Ref train.Ref }

// XrayRoute opens the tree of what a job is made of.
type XrayRoute struct{ Job train.JobID }

// SettingsRoute opens the list of settings.
type SettingsRoute struct{}

// ProbesRoute opens the list of probes, to run one in pods, or in those of a
// job where Pods is empty.
type ProbesRoute struct {
	Job  train.JobID
	Pods []train.Ref
}

// AnswersRoute runs a probe in pods, or in those of a job where Pods is empty,
// and shows their answers.
type AnswersRoute struct {
	Probe string // its ID
	Job   train.JobID
	Pods  []train.Ref
}

// SMIRoute opens the output of nvidia-smi or its like in pods, or in those of a
// job where Pods is empty.
type SMIRoute struct {
	Job  train.JobID
	Pods []train.Ref
}

// DescribeRoute opens the description of an object, and searches it for Filter.
type DescribeRoute struct {
	Ref    train.Ref
	Filter string
}

// TextRoute opens a text. All of a Secret one is secret, so it does not leave the screen.
type TextRoute struct {
	Title, Text string
	Secret      bool
}

// Screen is the name of the view that the route opens.
func (JobsRoute) Screen() string       { return "jobs" }
func (JobRoute) Screen() string        { return "job" }
func (RankRoute) Screen() string       { return "rank" }
func (DiagnosisRoute) Screen() string  { return "diagnosis" }
func (FindingsRoute) Screen() string   { return "diagnose" }
func (ChartsRoute) Screen() string     { return "charts" }
func (CompareRoute) Screen() string    { return "compare" }
func (PatternRoute) Screen() string    { return "format" }
func (LogsRoute) Screen() string       { return "logs" }
func (NodesRoute) Screen() string      { return "nodes" }
func (NodeRoute) Screen() string       { return "node" }
func (GPUsRoute) Screen() string       { return "gpus" }
func (QueuesRoute) Screen() string     { return "queues" }
func (EventsRoute) Screen() string     { return "events" }
func (NamespacesRoute) Screen() string { return "namespaces" }
func (ContextsRoute) Screen() string   { return "contexts" }
func (ForwardsRoute) Screen() string   { return "pf" }
func (IncidentsRoute) Screen() string  { return "incidents" }
func (SourcesRoute) Screen() string    { return "sources" }
func (AliasesRoute) Screen() string    { return "aliases" }
func (r TableRoute) Screen() string    { return cmp.Or(r.Resource.FullName(), "resource") }
func (UsedByRoute) Screen() string     { return "used-by" }
func (XrayRoute) Screen() string       { return "xray" }
func (SettingsRoute) Screen() string   { return "settings" }
func (ProbesRoute) Screen() string     { return "probes" }
func (AnswersRoute) Screen() string    { return "answers" }
func (SMIRoute) Screen() string        { return "smi" }
func (DescribeRoute) Screen() string   { return "describe" }
func (TextRoute) Screen() string       { return "text" }

// JobID is the job that the screen is about.
func (r JobRoute) JobID() train.JobID       { return r.Job }
func (r RankRoute) JobID() train.JobID      { return r.Job }
func (r DiagnosisRoute) JobID() train.JobID { return r.Job }
func (r ChartsRoute) JobID() train.JobID    { return r.Job }
func (r PatternRoute) JobID() train.JobID   { return r.Job }
func (r LogsRoute) JobID() train.JobID      { return r.Job }
func (r XrayRoute) JobID() train.JobID      { return r.Job }
func (r ProbesRoute) JobID() train.JobID    { return r.Job }
func (r AnswersRoute) JobID() train.JobID   { return r.Job }
func (r SMIRoute) JobID() train.JobID       { return r.Job }

// BeginFilter is the initial filter of the screen's rows.
func (r JobsRoute) BeginFilter() string     { return r.Filter }
func (r GPUsRoute) BeginFilter() string     { return r.Filter }
func (r EventsRoute) BeginFilter() string   { return r.Filter }
func (r DescribeRoute) BeginFilter() string { return r.Filter }

func (JobsRoute) route()       {}
func (JobRoute) route()        {}
func (RankRoute) route()       {}
func (DiagnosisRoute) route()  {}
func (FindingsRoute) route()   {}
func (ChartsRoute) route()     {}
func (CompareRoute) route()    {}
func (PatternRoute) route()    {}
func (LogsRoute) route()       {}
func (NodesRoute) route()      {}
func (NodeRoute) route()       {}
func (GPUsRoute) route()       {}
func (QueuesRoute) route()     {}
func (EventsRoute) route()     {}
func (NamespacesRoute) route() {}
func (ContextsRoute) route()   {}
func (ForwardsRoute) route()   {}
func (IncidentsRoute) route()  {}
func (SourcesRoute) route()    {}
func (SettingsRoute) route()   {}
func (AliasesRoute) route()    {}
func (TableRoute) route()      {}
func (UsedByRoute) route()     {}
func (XrayRoute) route()       {}
func (ProbesRoute) route()     {}
func (AnswersRoute) route()    {}
func (SMIRoute) route()        {}
func (DescribeRoute) route()   {}
func (TextRoute) route()       {}
