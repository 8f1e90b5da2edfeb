package alerts

import (
	"time"

	"github.com/traintop/traintop/train"
)

// IncidentID is the identity of an incident: 16 hexadecimal digits, the same
// for each watcher of a cluster and after a restart.
type IncidentID string

// Incident is one trouble that a person is notified of once: one root cause of one
// attempt of one job, or one cause that many jobs share (a lost node).
type Incident struct {
	ID IncidentID `json:"id"`
	// Rule is the name of the rule that made an incident of the trouble:
	// "failed", "stuck", "hang".
	Rule     string         `json:"rule"`
	Cause    train.Cause    `json:"cause"`
	Severity train.Severity `json:"severity"`
	// Title is one plain sentence: the problem, with the numbers.
	Title string `json:"title"`
	// Shared names what the jobs have in common ("node/gpu-3"), "" for an
	// incident of one job.
	Shared string `json:"shared,omitempty"`
	// Jobs are the jobs that it concerns, in the order in which they were hit.
	Jobs []AffectedJob `json:"jobs"`
	// Rank is the rank that failed first, -1 when ranks do not differ or it is
	// unknown.
	Rank int `json:"rank"`
	// Evidence is the strongest fact, a line of a log as a rule; Next is the
	// first thing to do, and NextCommand its command line, "" for none.
	Evidence    string `json:"evidence,omitempty"`
	Next        string `json:"next,omitempty"`
	NextCommand string `json:"nextCommand,omitempty"`

	// Since is when the trouble began, as far as is known. Opened, Updated and
	// Resolved are when a watcher found it, found a change of it, and found it
	// gone; zero for not yet.
	Since    time.Time `json:"since"`
	Opened   time.Time `json:"opened"`
	Updated  time.Time `json:"updated,omitzero"`
	Resolved time.Time `json:"resolved,omitzero"`
	// Changed is what its newest update changed: "its severity was warning,
	// and is error now; 2 more jobs".
	Changed string `json:"changed,omitempty"`
	// Outcome is how it ended, in a few words: "the job runs again".
	Outcome string `json:"outcome,omitempty"`

	// Old is true for trouble that was there when the first watcher began: it
	// is listed once, and not sent unless it becomes worse.
	Old bool `json:"old,omitempty"`
	// Acknowledged is when a person took it; Muted is until when nothing is
	// sent about it.
	Acknowledged time.Time `json:"acknowledged,omitzero"`
	Muted        time.Time `json:"muted,omitzero"`
	// Sent are the notices about it, oldest first.
	Sent []Delivery `json:"sent,omitempty"`
}

// AffectedJob is a job that an incident concerns.
type AffectedJob struct {
	ID        train.JobID `json:"id"`
	Namespace string      `json:"namespace,omitempty"`
	Group     string      `json:"group,omitempty"`
	Kind      string      `json:"kind"`
	Name      string      `json:"name"`
	// Attempt counts from 1: how often the job as a whole was begun.
	Attempt int    `json:"attempt"`
	Queue   string `json:"queue,omitempty"`
	Owner   string `json:"owner,omitempty"`
	// GPUs is how many the job asks for; GPUHours is what it held so far, in all
	// its attempts.
	GPUs     int     `json:"gpus,omitempty"`
	GPUHours float64 `json:"gpuHours,omitempty"`
}

// Ref is the job without its UID.
func (j AffectedJob) Ref() train.Ref {
	return train.Ref{Namespace: j.Namespace, Group: j.Group, Kind: j.Kind, Name: j.Name}
}

// String is the name that commands take: "ml/PyTorchJob/bert".
func (j AffectedJob) String() string {
	return j.Ref().String()
}

// failedSince reports whether a job failed since the incident was as before.
func (i *Incident) failedSince(before *Incident) bool {
	return i.Rule == "failed" && before.Rule != "failed"
}

// Open reports whether the trouble is still there.
func (i *Incident) Open() bool { return i.Resolved.IsZero() }

// GPUHours is what all its jobs held so far.
func (i *Incident) GPUHours() float64 {
	sum := 0.0
	for _, job := range i.Jobs {
		sum += job.GPUHours
	}
	return sum
}

// Delivery is the result of sending one notice to one receiver.
type Delivery struct {
	Receiver string    `json:"receiver"`
	Change   Change    `json:"change"`
	At       time.Time `json:"at"`
	// Failed is why it did not arrive, without secrets; "" when it did.
	Failed string `json:"failed,omitempty"`
}
