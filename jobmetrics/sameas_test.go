package jobmetrics

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/columns"
	"github.com/traintop/traintop/views/columns/jobrows"
	"github.com/traintop/traintop/views/draw"
	"github.com/traintop/traintop/views/screentest"
)

// The metrics of the demo's jobs are what the list of jobs shows of them.
func TestMetricsSayWhatTheListOfJobsSays(t *testing.T) {
	s := screentest.Demo(t)
	r := diagnose.Run(s, diagnose.Options{}, nil)
	e := New(Options{Keep: 1000 * time.Hour})
	e.Observe(s, r)
	l := &lab{t: t, exporter: e}
	shown := seriesOf(l.page())
	facts := jobrows.Facts{Snapshot: s, Report: r, Ages: &draw.Ages{Now: s.Now}}
	set := facts.Columns()
	texts := set.Named(jobrows.TitleStep, jobrows.TitleLoss)
	cells := set.Named(jobrows.TitleETA, jobrows.TitleRate)
	jobs, steps, etas := 0, 0, 0
	for _, job := range s.Jobs() {
		if !job.Training {
			continue
		}
		jobs++
		value := func(name string) (float64, bool) { return shown.of(name, job) }
		if _, is := value("traintop_job_phase"); !is {
			t.Errorf("%s has no phase", job.Ref)
		}
		step := ""
		if v, is := value("traintop_job_step"); is {
			steps, step = steps+1, fmt.Sprintf("%.0f", v)
			if total, is := value("traintop_job_total_steps"); is {
				step += fmt.Sprintf("/%.0f", total)
			}
		}
		if want := texts[0].Text(job); step != want {
			t.Errorf("%s is at step %q, and the list says %q", job.Ref, step, want)
		}
		loss := ""
		if v, is := value("traintop_job_loss"); is && s.Run(job) != nil {
			loss = fmt.Sprintf("%.5g", v)
		}
		if want := texts[1].Text(job); loss != want {
			t.Errorf("%s has the loss %q, and the list says %q", job.Ref, loss, want)
		}
		eta := ""
		if v, is := value("traintop_job_eta_seconds"); is && s.Run(job) != nil {
			etas, eta = etas+1, termtext.Duration(time.Duration(v*float64(time.Second)))
		}
		if want := cellText(cells[0].Cell(job, columns.PlainInk())); eta != want {
			t.Errorf("%s ends in %q, and the list says %q", job.Ref, eta, want)
		}
		if _, is := value("traintop_job_step_duration_seconds"); job.Phase == train.Running && is != (cellText(cells[1].Cell(job, columns.PlainInk())) != "") {
			t.Errorf("%s has a speed here or in the list alone", job.Ref)
		}
	}
	if jobs < 15 || steps < 5 || etas < 3 {
		t.Errorf("the demo has %d jobs, %d with a step, %d with a time left: too few to compare", jobs, steps, etas)
	}
	findingsAreThoseOfTheDiagnosis(t, s, r, shown)
	sum := r.Sum(s, func(job *train.Job) bool { return job.Training })
	l.want(`traintop_jobs_needing_attention{severity="error"}`, float64(sum.Errors))
	l.want(`traintop_jobs_needing_attention{severity="warning"}`, float64(sum.Warnings))
	use := r.Signals().Sum()
	l.want(`traintop_gpus{state="idle"}`, float64(use.Idle))
	if held := shown.sum("traintop_job_gpus"); held == 0 || held > float64(s.GPUs().Held) {
		t.Errorf("jobs hold %g GPUs of %d that are held", held, s.GPUs().Held)
	}
}

// findingsAreThoseOfTheDiagnosis compares the findings of each job, and how long
// jobs have waited in queues.
func findingsAreThoseOfTheDiagnosis(t *testing.T, s *store.Snapshot, r *diagnose.Report, shown seriesValues) {
	t.Helper()
	queued := 0
	for _, job := range s.Jobs() {
		if !job.Training {
			continue
		}
		counts := map[string]float64{}
		if job.Phase != train.Succeeded && job.Phase != train.Suspended {
			for _, f := range r.Job(job.ID).Findings {
				counts[fmt.Sprintf("traintop_job_findings{cause=%q,job_name=%q,kind=%q,namespace=%q,severity=%q", f.Cause, job.Ref.Name, kindOf(job.Ref), job.Ref.Namespace, f.Severity)]++
			}
		}
		for series, want := range counts {
			if got := shown[series]; got != want {
				t.Errorf("%s is %g, want %g", series, got, want)
			}
		}
		if _, is := shown.of("traintop_job_findings", job); is != (len(counts) > 0) {
			t.Errorf("%s has findings: %v, and the diagnosis has %d", job.Ref, is, len(counts))
		}
		if job.Phase == train.Queued {
			since := job.Created
			if job.Queue != nil && !job.Queue.Since.IsZero() {
				queued, since = queued+1, job.Queue.Since
			}
			if wait, is := shown.of("traintop_job_queue_wait_seconds", job); !is || wait != s.Now.Sub(since).Seconds() {
				t.Errorf("%s has waited %g s since %s", job.Ref, wait, since)
			}
		}
	}
	if queued == 0 {
		t.Error("no job of the demo waits in a queue")
	}
}

func cellText(c draw.Cell) string {
	if text := strings.TrimSpace(c.String()); text != columns.PlainInk().Theme.Glyphs.Dash {
		return text
	}
	return ""
}

// seriesValues are the values of a page by the text before them.
type seriesValues map[string]float64

func seriesOf(page string) seriesValues {
	all := seriesValues{}
	for line := range strings.Lines(page) {
		series, number, is := strings.Cut(strings.TrimSpace(line), "} ")
		value := math.NaN()
		if _, err := fmt.Sscan(number, &value); is && err == nil {
			all[series] = value
		}
	}
	return all
}

func (v seriesValues) of(name string, job *train.Job) (value float64, is bool) {
	for series, value := range v {
		if strings.HasPrefix(series, name+"{") && strings.Contains(series, fmt.Sprintf(`job_name=%q`, job.Ref.Name)) && strings.Contains(series, fmt.Sprintf(`namespace=%q`, job.Ref.Namespace)) && strings.Contains(series, fmt.Sprintf(`kind=%q`, kindOf(job.Ref))) {
			return value, true
		}
	}
	return 0, false
}

func (v seriesValues) sum(name string) (sum float64) {
	for series, value := range v {
		if strings.HasPrefix(series, name+"{") {
			sum += value
		}
	}
	return sum
}
