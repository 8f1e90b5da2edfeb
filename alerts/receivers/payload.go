package receivers

import (
	"time"

	"github.com/traintop/traintop/alerts"
)

// payloadVersion is the version of Payload. It changes when a field changes its
// meaning or is taken away; new fields do not change it.
const payloadVersion = 1

// Payload is a notice as JSON, for programs: the body of a webhook, the standard
// input of a command. Its texts are lines without secrets and control
// characters. Unknown values are absent.
type Payload struct {
	Version int `json:"version"`
	// ID is the same when a notice is sent again after a failure.
	ID       string          `json:"id"`
	Change   alerts.Change   `json:"change"`
	At       time.Time       `json:"at"`
	Cluster  string          `json:"cluster,omitempty"`
	Incident PayloadIncident `json:"incident"`
	// Message is the notice in words.
	Message PayloadMessage `json:"message"`
}

// PayloadIncident is the incident of a Payload.
type PayloadIncident struct {
	ID          alerts.IncidentID `json:"id"`
	Rule        string            `json:"rule,omitempty"`
	Cause       string            `json:"cause,omitempty"`
	Severity    string            `json:"severity,omitempty"`
	Title       string            `json:"title"`
	Shared      string            `json:"shared,omitempty"`
	Jobs        []PayloadJob      `json:"jobs,omitempty"`
	Rank        *int              `json:"rank,omitempty"`
	Evidence    string            `json:"evidence,omitempty"`
	Next        string            `json:"next,omitempty"`
	NextCommand string            `json:"nextCommand,omitempty"`
	Since       time.Time         `json:"since,omitzero"`
	Opened      time.Time         `json:"opened,omitzero"`
	Updated     time.Time         `json:"updated,omitzero"`
	Resolved    time.Time         `json:"resolved,omitzero"`
	Changed     string            `json:"changed,omitempty"`
	Outcome     string            `json:"outcome,omitempty"`
	GPUHours    float64           `json:"gpuHours,omitempty"`
}

// PayloadJob is a job of a PayloadIncident.
type PayloadJob struct {
	Namespace string  `json:"namespace,omitempty"`
	Group     string  `json:"group,omitempty"`
	Kind      string  `json:"kind"`
	Name      string  `json:"name"`
	Attempt   int     `json:"attempt,omitempty"`
	Queue     string  `json:"queue,omitempty"`
	Owner     string  `json:"owner,omitempty"`
	GPUs      int     `json:"gpus,omitempty"`
	GPUHours  float64 `json:"gpuHours,omitempty"`
}

// PayloadMessage is the notice in words.
type PayloadMessage struct {
	Heading string `json:"heading"`
	Command string `json:"command,omitempty"`
}

// PayloadOf is what the kind "webhook" sends of a notice.
func PayloadOf(n alerts.Notice) Payload { return payloadOf(n, alerts.MessageOf(n)) }

// payloadOf writes a notice for programs.
func payloadOf(n alerts.Notice, m alerts.Message) Payload {
	i := &n.Incident
	incident := PayloadIncident{
		ID: alerts.IncidentID(clean(string(i.ID))), Rule: clean(i.Rule), Cause: clean(string(i.Cause)), Severity: clean(string(i.Severity)),
		Title: clean(i.Title), Shared: clean(i.Shared), Evidence: clean(i.Evidence), Next: clean(i.Next), NextCommand: clean(i.NextCommand),
		Since: i.Since, Opened: i.Opened, Updated: i.Updated, Resolved: i.Resolved, Changed: clean(i.Changed), Outcome: clean(i.Outcome), GPUHours: i.GPUHours(),
	}
	if i.Rank >= 0 {
		incident.Rank = &i.Rank
	}
	for _, job := range i.Jobs {
		incident.Jobs = append(incident.Jobs, PayloadJob{
			Namespace: clean(job.Namespace), Group: clean(job.Group), Kind: clean(job.Kind), Name: clean(job.Name), Attempt: job.Attempt,
			Queue: clean(job.Queue), Owner: clean(job.Owner), GPUs: job.GPUs, GPUHours: job.GPUHours,
		})
	}
	return Payload{
		Version: payloadVersion, ID: clean(n.ID), Change: n.Change, At: n.At, Cluster: clean(n.Cluster), Incident: incident,
		Message: PayloadMessage{m.Heading, m.Command},
	}
}
