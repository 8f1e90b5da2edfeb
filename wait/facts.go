package wait

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// facts is what was seen of one attempt of a job. A fact that held once stays.
type facts struct {
	phase train.Phase
	ran   bool
	// stepped is true once a log shows a step or a loss; step and epoch are the
	// highest.
	stepped     bool
	step, epoch float64
	// metrics are the texts of the conditions on metrics that held.
	metrics map[string]bool
	// absent names which metric of a condition the logs do not print, and which they
	// do; "" where there is none. similar is true if one of these is named alike.
	absent  string
	similar bool
	trouble bool
	causes  map[train.Cause]bool
}

func newFacts() facts {
	return facts{step: math.NaN(), epoch: math.NaN(), metrics: map[string]bool{}, causes: map[train.Cause]bool{}}
}

// learnJob adds the state of the objects.
func (f *facts) learnJob(s *store.Snapshot, job *train.Job) {
	f.phase = job.Phase
	f.ran = f.ran || hasRun(s, job)
}

// learnRun adds what logs contain.
func (f *facts) learnRun(run *series.Run, conditions []Condition) {
	if run == nil {
		return
	}
	step, epoch := run.Furthest()
	f.step, f.epoch = highest(f.step, step), highest(f.epoch, epoch)
	f.stepped = f.stepped || run.LossName != "" || !math.IsNaN(run.Step)
	f.absent, f.similar = "", false
	for i := range conditions {
		c := &conditions[i]
		if c.kind != metricIs {
			continue
		}
		if !f.metrics[c.Text] && c.found(run) {
			f.metrics[c.Text] = true
		}
		if c.nameIn(run) == "" && len(run.Metrics) > 0 {
			f.lacks(c.metric, run.Metrics)
		}
	}
}

// lacks notes that a metric is not among those that the logs print.
func (f *facts) lacks(metric string, printed []string) {
	const most = 8 // named at most
	alike := func(name string) bool { return strings.Contains(strings.ToLower(name), strings.ToLower(metric)) }
	printed = slices.Clone(printed)
	slices.SortStableFunc(printed, func(a, b string) int {
		return cmp.Compare(strconv.FormatBool(alike(b)), strconv.FormatBool(alike(a)))
	})
	f.absent, f.similar = "its logs print no "+metric+", but "+termtext.Few(printed, most), f.similar || alike(printed[0])
}

// highest leaves out NaN.
func highest(a, b float64) float64 {
	if math.IsNaN(a) || b > a {
		return b
	}
	return a
}

// learnAnswer adds the findings of a diagnosis, and the symptoms that they
// explain.
func (f *facts) learnAnswer(answer *diagnose.Answer) {
	if answer == nil {
		return
	}
	for i := range answer.Findings {
		finding := &answer.Findings[i]
		f.trouble = f.trouble || finding.Severity != train.SeverityInfo
		f.causes[finding.Cause] = true
		for _, hidden := range finding.Hides {
			f.causes[hidden] = true
		}
	}
}

// hasRun reports whether all ranks of a job run or have run, also where that
// moment itself was not seen: a job that succeeded has run, and of one that
// failed its ranks or its conditions show it.
func hasRun(s *store.Snapshot, job *train.Job) bool {
	switch job.Phase {
	case train.Running, train.Succeeded:
		return true
	case train.Failed:
		return allStarted(job) || ranByCondition(s, job)
	case train.Restarting:
		return allStarted(job)
	}
	return false
}

// allStarted reports whether every wanted rank has started its container, those
// of an elastic job as many as it needs.
func allStarted(job *train.Job) bool {
	started, need := 0, max(1, job.Wanted)
	if job.Elastic != nil {
		need = max(1, min(job.Wanted, job.Elastic.Min))
	}
	for i := range job.Ranks {
		for _, attempt := range job.Ranks[i].Attempts {
			if !attempt.Started.IsZero() || attempt.ExitCode != nil {
				started++
				break
			}
		}
	}
	return started >= need
}

// ranByCondition reads the condition Running of a job that has failed. Operators
// leave it in the status as "False" once the job ended (training-operator 1.9,
// pkg/controller.v1/common/job.go, and the kinds that copied its conditions).
// mpi-operator 0.6 also writes "False" for a job that was suspended before it
// ran, with the reason MPIJobSuspended, which proves nothing. A start time is no
// proof: most operators write it before any pod runs.
func ranByCondition(s *store.Snapshot, job *train.Job) bool {
	o, _ := s.Object(schema.GroupKind{Group: job.Ref.Group, Kind: job.Ref.Kind}, job.Ref.Namespace, job.Ref.Name)
	u, is := o.(*unstructured.Unstructured)
	if !is {
		return false
	}
	list, _, _ := unstructured.NestedFieldNoCopy(u.Object, "status", "conditions")
	conditions, _ := list.([]any)
	for _, entry := range conditions {
		c, _ := entry.(map[string]any)
		if c["type"] != string(train.Running) {
			continue
		}
		reason, _ := c["reason"].(string)
		when, _ := c["lastTransitionTime"].(string)
		return c["status"] == "True" || when != "" && !strings.HasSuffix(reason, "Suspended")
	}
	return false
}
