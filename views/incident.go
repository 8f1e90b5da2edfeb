package views

import (
	"github.com/traintop/traintop/alerts"
	"github.com/traintop/traintop/train"
)

// Incidents are those of a session. They never change; Version is another one
// for others.
type Incidents struct {
	// All are open and past ones, the newest first.
	All []alerts.Incident
	// Rules are those that make incidents, in their order.
	Rules   []alerts.Rule
	Version uint64
}

// IncidentMark is what a person does about an incident.
type IncidentMark uint8

const (
	// TakeIncident acknowledges it: only its end is sent.
	TakeIncident IncidentMark = iota
	// GiveBackIncident ends that.
	GiveBackIncident
	// MuteIncident sends nothing about it for an hour.
	MuteIncident
	// UnmuteIncident ends that.
	UnmuteIncident
)

// AlertedJobs are the jobs with an open incident that nobody took. Trouble that
// was there before a watcher began is no news and marks no job.
func (i Incidents) AlertedJobs() map[train.JobID]bool {
	jobs := map[train.JobID]bool{}
	for k := range i.All {
		in := &i.All[k]
		if !in.Open() || in.Old || !in.Acknowledged.IsZero() {
			continue
		}
		for _, job := range in.Jobs {
			jobs[job.ID] = true
		}
	}
	return jobs
}
