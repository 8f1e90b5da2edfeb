package jobs

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// idlePods are the pods of no job that hold idle GPUs: rows among the jobs, since they
// need a person too.
type idlePods struct {
	report *diagnose.Report
	pods   []signals.IdlePod
	// version counts changes of the pods.
	version uint64
	// shown are those that are rows.
	shown map[train.JobID]bool
}

// load takes those of a newer report.
func (p *idlePods) load(f views.Frame) {
	if f.Diagnosis == p.report {
		return
	}
	p.report = f.Diagnosis
	if pods := f.Diagnosis.Signals().IdlePods(f.Snapshot); !slices.Equal(pods, p.pods) {
		p.pods = pods
		p.version++
	}
}

// rows are the pods as jobs of one rank, in the frame's namespace.
func (p *idlePods) rows(f views.Frame) []*train.Job {
	p.shown = map[train.JobID]bool{}
	var rows []*train.Job
	for _, pod := range p.pods {
		if f.Namespace != "" && pod.Namespace != f.Namespace {
			continue
		}
		id, is := f.Snapshot.LonePod(pod.Namespace, pod.Name)
		if !is {
			continue
		}
		if job := f.Snapshot.Job(id); job != nil && !job.LogsOnly {
			// It holds GPUs, so it runs.
			job.Phase, job.Ready, job.Wanted = train.Running, 1, 1
			job.Reason = "holds " + strings.Replace(termtext.GPUs(pod.GPUs, pod.Slices), " ", " idle ", 1) + "; no job owns the pod"
			p.shown[id], rows = true, append(rows, job)
		}
	}
	return rows
}
