package jobrows

import (
	"maps"
	"strings"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
)

// troubles are the jobs with a finding or signal that a person should see, with
// its severity.
type troubles struct {
	report *diagnose.Report
	of     map[train.JobID]train.Severity
	// version counts changes of the jobs in trouble, or of their trouble.
	version uint64
}

// Load takes a newer report, on these jobs. The number that it returns grows
// when the jobs in trouble, or their trouble, change.
func (f *Facts) Load(r *diagnose.Report, jobs ...[]*train.Job) (version uint64) {
	f.Report = r
	f.troubles.load(r, jobs)
	return f.troubles.version
}

// load takes a newer report.
func (t *troubles) load(r *diagnose.Report, jobs [][]job) {
	if r == t.report {
		return
	}
	t.report = r
	found := map[train.JobID]train.Severity{}
	for _, some := range jobs {
		for _, j := range some {
			if severity := r.Need(j); severity != "" {
				found[j.ID] = severity
			}
		}
	}
	if !maps.Equal(found, t.of) {
		t.of = found
		t.version++
	}
}

// trouble is the diagnosis of a job in one sentence, and its severity: its
// first finding, or the worst of its signals while it runs. Informational ones
// do not count, and a job that is done or was suspended has none.
func trouble(r *diagnose.Report, j job) (text string, severity train.Severity) {
	if isCalm(r, j) {
		return "", ""
	}
	if f := r.Worst(j.ID); f != nil && f.Severity != train.SeverityInfo {
		// The row names the job already.
		return strings.TrimPrefix(f.Title, "The job "), f.Severity
	}
	if found := r.Signals().Job(j.ID); j.Phase == train.Running && len(found) > 0 && found[0].Severity != train.SeverityInfo {
		return found[0].Text, found[0].Severity
	}
	return "", ""
}

// isFinding reports whether the text of trouble is a finding of the diagnosis,
// which explains more than the job's own reason.
func isFinding(r *diagnose.Report, j job) bool {
	f := r.Worst(j.ID)
	return f != nil && f.Severity != train.SeverityInfo && !isCalm(r, j)
}

// isCalm reports whether what a diagnosis finds of a job is no trouble any more: it
// succeeded and needs nobody, or is suspended, which its own reason reports.
func isCalm(r *diagnose.Report, j job) bool {
	return j.Phase == train.Suspended || j.Phase == train.Succeeded && r.Need(j) == ""
}

func severityRole(s train.Severity) themes.Role {
	if s == train.SeverityError {
		return themes.Strong
	}
	return themes.Waiting
}

// Need returns how urgently a job needs a person, "" for not at all: its own state
// shows it before a diagnosis does.
func (f *Facts) Need(j job) train.Severity {
	if severity := f.troubles.of[j.ID]; severity != "" {
		return severity
	}
	switch {
	case j.Phase == train.Failed:
		return train.SeverityError
	case j.Phase == train.Restarting, j.Phase == train.Running && j.Ready < j.Wanted && j.Reason != "":
		return train.SeverityWarning
	}
	return ""
}
