package jobs

import (
	"maps"
	"strings"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
)

// troubles are the jobs that the diagnosis says something of that a person
// should know, with how bad it is.
type troubles struct {
	report *diagnose.Report
	of     map[train.JobID]train.Severity
	// version counts how often another job was in trouble, or in another one.
	version uint64
}

// load takes a newer report.
func (t *troubles) load(r *diagnose.Report, jobs []job) {
	if r == t.report {
		return
	}
	t.report = r
	found := map[train.JobID]train.Severity{}
	for _, j := range jobs {
		if _, severity := trouble(r, j); severity != "" {
			found[j.ID] = severity
		}
	}
	if !maps.Equal(found, t.of) {
		t.of = found
		t.version++
	}
}

// trouble is what the diagnosis says of a job in one sentence, and how bad it
// is: its first finding, or the worst of its signals while it runs. What is
// only good to know is none, and a job that is done or was suspended has none.
func trouble(r *diagnose.Report, j job) (text string, severity train.Severity) {
	if j.Phase == train.Succeeded || j.Phase == train.Suspended {
		return "", ""
	}
	if f := r.Worst(j.ID); f != nil && f.Severity != train.SeverityInfo {
		// Whom it is about the row says already.
		return strings.TrimPrefix(f.Title, "The job "), f.Severity
	}
	if told := r.Signals().Job(j.ID); j.Phase == train.Running && len(told) > 0 && told[0].Severity != train.SeverityInfo {
		return told[0].Text, told[0].Severity
	}
	return "", ""
}

// isFinding reports whether what trouble says is a finding of the diagnosis,
// which knows more than the job's own reason.
func isFinding(r *diagnose.Report, j job) bool {
	f := r.Worst(j.ID)
	return f != nil && f.Severity != train.SeverityInfo && j.Phase != train.Succeeded && j.Phase != train.Suspended
}

func severityRole(s train.Severity) themes.Role {
	if s == train.SeverityError {
		return themes.Strong
	}
	return themes.Waiting
}

// urgency orders jobs by how much they need a person: by phase, and one that
// goes wrong while it lives behind those that have failed.
func (v *View) urgency(j job) int {
	own := 2 * j.Phase.Urgency()
	if v.troubles.of[j.ID] == train.SeverityError {
		return min(own, 2*train.Failed.Urgency()+1)
	}
	return own
}

// needsPerson reports whether a job is in trouble.
func (v *View) needsPerson(j job) bool {
	switch j.Phase {
	case train.Running:
		return j.Ready < j.Wanted && j.Reason != "" || v.troubles.of[j.ID] != ""
	case train.Succeeded, train.Suspended:
		return false
	}
	return !j.LogsOnly
}
