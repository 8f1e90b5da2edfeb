// Package findingmarks marks in a recording what the diagnosis found, and when it
// was over.
package findingmarks

import (
	"fmt"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Marks compares consecutive diagnoses and marks new findings and those
// that are over. The first diagnosis makes no marks. The zero value is ready. A
// recording keeps the marks as they were made; whoever opens it also gets a
// diagnosis by today's rules.
type Marks struct {
	begun   bool
	version uint64
	worst   map[train.JobID]foundCause
}

// foundCause is the first finding of a job.
type foundCause struct {
	name  string
	cause train.Cause
}

// Next compares a diagnosis with the one before.
func (f *Marks) Next(s *store.Snapshot, r *diagnose.Report) []recording.Mark {
	if r == nil || !s.Settled() || f.begun && f.version == r.Version() {
		return nil
	}
	var marks []recording.Mark
	add := func(id train.JobID, trouble bool, text string) {
		if f.begun {
			marks = append(marks, recording.Mark{At: s.Now, Kind: recording.MarkFinding, Job: id, Trouble: trouble, Text: text})
		}
	}
	now := make(map[train.JobID]foundCause, len(f.worst))
	for _, job := range s.Jobs() {
		worst := r.Worst(job.ID)
		was, known := f.worst[job.ID]
		if worst != nil && job.Training {
			now[job.ID] = foundCause{job.Ref.String(), worst.Cause}
			if !known || was.cause != worst.Cause {
				add(job.ID, worst.Severity != train.SeverityInfo, fmt.Sprintf("%s: %s", job.Ref, worst.Title))
			}
		} else if known {
			add(job.ID, false, fmt.Sprintf("%s: no longer %s", was.name, was.cause))
		}
	}
	f.begun, f.version, f.worst = true, r.Version(), now
	return marks
}
