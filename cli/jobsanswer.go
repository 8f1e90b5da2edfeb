package cli

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/cli/jsontext"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/sources/kube"
	"github.com/traintop/traintop/sources/prometheus"
	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/series"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// jobsAnswer is the output of `traintop jobs -o json`. Scripts rely on it:
// fields are only ever added. Unknown facts are left out.
type jobsAnswer struct {
	Jobs []jobAnswer `json:"jobs"`
	// Verdict is not-enough-read where there is no job and a source that may
	// hold one was not read.
	Verdict  diagnose.Verdict `json:"verdict,omitempty"`
	Problems []problemAnswer  `json:"problems,omitempty"`
}

type jobAnswer struct {
	Namespace   string       `json:"namespace,omitempty"`
	Group       string       `json:"group,omitempty"`
	Kind        string       `json:"kind"`
	Name        string       `json:"name"`
	Phase       train.Phase  `json:"phase"`
	Training    bool         `json:"training"`
	Reason      string       `json:"reason,omitempty"`
	Ranks       ranksAnswer  `json:"ranks"`
	Roles       []roleAnswer `json:"roles,omitempty"`
	GPUs        int          `json:"gpus"`
	GPUResource string       `json:"gpuResource,omitempty"`
	Queue       string       `json:"queue,omitempty"`
	QueuePlace  int          `json:"queuePlace,omitempty"`
	Restarts    int          `json:"restarts"`
	Created     *time.Time   `json:"created,omitempty"`
	Started     *time.Time   `json:"started,omitempty"`
	Finished    *time.Time   `json:"finished,omitempty"`
	// Step, TotalSteps and Loss are the newest in the job's logs, where logs
	// were read; Loss may come from the operator's own report instead.
	Step       *jsontext.Number `json:"step,omitempty"`
	TotalSteps *jsontext.Number `json:"totalSteps,omitempty"`
	Loss       *jsontext.Number `json:"loss,omitempty"`
	// LossRank is the rank whose loss it is, where ranks print losses of their own.
	LossRank *int `json:"lossRank,omitempty"`
	// Causes are why the job is stuck, failed or slow, the root first, as in
	// `traintop diagnose`; those of logs only where logs were read.
	Causes []train.Cause `json:"causes,omitempty"`
	// Verdict is the verdict of the diagnosis.
	Verdict diagnose.Verdict `json:"verdict,omitempty"`
	// Gone is true when the object itself could not be read and only its pods
	// or events are known.
	Gone bool `json:"gone,omitempty"`
}

type ranksAnswer struct {
	Wanted int `json:"wanted"`
	Ready  int `json:"ready"`
	// Stated: ready is copied from the job's status, since its pods were not
	// read.
	Stated bool `json:"stated,omitempty"`
}

type roleAnswer struct {
	Name   string `json:"name"`
	Wanted int    `json:"wanted"`
	Ready  int    `json:"ready"`
}

// problemAnswer is a problem as the answers of commands have it.
type problemAnswer = jsontext.Problem

// answerJobs is the answer about jobs, which has them in a list of its own: they
// are made while they are printed.
func (s *session) answerJobs(jobs []*train.Job, snapshot *store.Snapshot) (answer jobsAnswer, each iter.Seq[jobAnswer]) {
	answer = jobsAnswer{Jobs: []jobAnswer{}, Problems: s.problems(snapshot)}
	if empty := s.noJobsRead(snapshot); len(jobs) == 0 && empty != nil {
		answer.Verdict, answer.Problems = diagnose.NotEnoughRead, append(answer.Problems, empty.problem("jobs"))
	}
	for _, m := range diagnose.OwnNotRecorded(snapshot) {
		answer.Problems = append(answer.Problems, problemAnswer{Source: m.What, Text: m.Why + "; " + m.Help})
	}
	answer.Problems = append(answer.Problems, repeatedUUIDs(snapshot)...)
	if deleted := namedDeleted(s.deletedJobs(snapshot, "")); len(jobs) == 0 && deleted != "" {
		answer.Problems = append(answer.Problems, problemAnswer{Source: "jobs", Text: deleted})
	}
	report := s.diagnosed(snapshot)
	return answer, func(yield func(jobAnswer) bool) {
		for _, job := range jobs {
			a := answerJob(job)
			a.progress(snapshot.Run(job))
			a.Causes, a.Verdict = causesOf(report.Job(job.ID)), report.Job(job.ID).Verdict()
			if !yield(a) {
				return
			}
		}
	}
}

// causesOf are the causes of findings that matter.
func causesOf(answer *diagnose.Answer) []train.Cause {
	if answer == nil {
		return nil
	}
	var causes []train.Cause
	for i := range answer.Findings {
		if f := &answer.Findings[i]; f.Severity != train.SeverityInfo {
			causes = append(causes, f.Cause)
		}
	}
	return causes
}

func answerJob(job *train.Job) jobAnswer {
	a := jobAnswer{
		Namespace: job.Ref.Namespace, Group: job.Ref.Group, Kind: job.Ref.Kind, Name: job.Ref.Name,
		Phase: job.Phase, Training: job.Training, Reason: job.Reason,
		Ranks: ranksAnswer{job.Wanted, job.Ready, job.ReadyStated},
		GPUs:  job.GPUs, GPUResource: job.GPUResource, Restarts: job.Restarts,
		Created: jsontext.Known(job.Created), Started: jsontext.Known(job.Started), Finished: jsontext.Known(job.Finished),
		Gone: job.Gone,
	}
	for _, role := range job.Roles {
		a.Roles = append(a.Roles, roleAnswer{role.Name, role.Wanted, role.Ready})
	}
	if job.Queue != nil {
		a.Queue, a.QueuePlace = cmp.Or(job.Queue.Name, job.Queue.ClusterQueue), job.Queue.Place
	}
	if job.Progress != nil {
		if loss, err := strconv.ParseFloat(job.Progress.Metrics["loss"], 64); err == nil && loss-loss == 0 {
			a.Loss = jsontext.Given(loss)
		}
	}
	return a
}

// progress adds the progress in the job's logs.
func (a *jobAnswer) progress(run *series.Run) {
	if run == nil {
		return
	}
	a.Step, a.TotalSteps = jsontext.Given(run.Step), jsontext.Given(run.TotalSteps)
	if loss, known := newestLoss(run); known {
		n := jsontext.Number(loss)
		a.Loss = &n
		if rank, own := run.LossRank(); own {
			a.LossRank = &rank
		}
	}
}

// newestLoss is the last loss of the run, which may be NaN itself. known is
// false when the logs print none, but only a reward or a score.
func newestLoss(run *series.Run) (loss float64, known bool) {
	return run.Loss, run.LossName != "" && series.IsLoss(run.LossName)
}

// problems are those of the sources, the note that an answer about all
// namespaces is about some, and the parts of files that were left out.
func (s *session) problems(snapshot *store.Snapshot) []problemAnswer {
	all := problems(snapshot)
	if m, is := diagnose.OtherNamespaces(snapshot.Health()); is && s.namespace == "" {
		all = append(all, problemAnswer{Source: "namespaces", Text: m.Why})
	}
	all = append(all, unreadJobs(snapshot, s.namespace)...)
	all = append(all, cutCounts(snapshot, s.namespace)...)
	for _, h := range snapshot.Health() {
		if source, is := h.Skips(); is {
			all = append(all, problemAnswer{Source: source, Text: h.Text})
		}
	}
	if failed := s.failedOfNoJob(snapshot); failed != "" {
		all = append(all, problemAnswer{Source: "pods", Text: failed})
	}
	for _, m := range append(diagnose.Unclaimed(snapshot, s.namespace), s.unknownLabels(snapshot)...) {
		all = append(all, problemAnswer{Source: m.What, Text: m.Why + "; " + m.Help})
	}
	return all
}

// mostNamedJobs is how many jobs an answer names one by one for one reason; of more
// it names the first.
const mostNamedJobs, firstNamedJobs = 10, 3

// unreadJobs are the jobs of a namespace ("" for all) that nothing but events
// or names show: neither their object nor a pod was read. An old cluster has
// thousands of them, so the others are counted.
func unreadJobs(snapshot *store.Snapshot, namespace string) []problemAnswer {
	var all []problemAnswer
	for _, job := range snapshot.Jobs() {
		pod := func(r train.Rank) bool { return r.Pod != "" }
		if job.Gone && (namespace == "" || job.Ref.Namespace == namespace) && !slices.ContainsFunc(job.Ranks, pod) {
			all = append(all, problemAnswer{Source: job.Ref.String(), Text: job.Reason})
		}
	}
	return firstOfMany(all, "%d jobs are known from events or names alone, neither their objects nor their pods were read; the first %d are named")
}

// firstOfMany names the first of many jobs, and counts them in a sentence with both
// numbers.
func firstOfMany(all []problemAnswer, sentence string) []problemAnswer {
	if len(all) <= mostNamedJobs {
		return all
	}
	return append(all[:firstNamedJobs:firstNamedJobs], problemAnswer{Source: "jobs", Text: fmt.Sprintf(sentence, len(all), firstNamedJobs)})
}

// cutCounts are the jobs of a namespace ("" for all), the nodes, and the pods of no
// job and no node with numbers that are not counted as they are, and the nodes whose
// pods hold more than they offer; of many the first.
func cutCounts(snapshot *store.Snapshot, namespace string) (all []problemAnswer) {
	for _, job := range snapshot.Jobs() {
		if job.CountsCut != "" && (namespace == "" || job.Ref.Namespace == namespace) {
			all = append(all, problemAnswer{Source: job.Ref.String(), Text: job.CountsCut})
		}
	}
	all = firstOfMany(all, "%d jobs have greater numbers than are counted; the first %d are named")
	for _, node := range snapshot.Nodes() {
		for _, text := range []string{node.CountsCut, node.OverHeld()} {
			if text != "" && len(all) < mostNamedJobs {
				all = append(all, problemAnswer{Source: "node " + node.Name, Text: text})
			}
		}
	}
	snapshot.Objects(kinds.PodKind, namespace, func(o kinds.Object) bool {
		pod, is := o.(*corev1.Pod)
		if !is || pod.Spec.NodeName != "" || snapshot.JobOf(kinds.PodKind, pod.Namespace, pod.Name) != nil {
			return true
		}
		if odd := kinds.OddRequests(pod); odd != "" {
			all = append(all, problemAnswer{Source: "pod " + pod.Namespace + "/" + pod.Name, Text: odd})
		}
		return len(all) < mostNamedJobs
	})
	return all
}

func problems(snapshot *store.Snapshot) []problemAnswer {
	var all []problemAnswer
	for _, h := range snapshot.Health() {
		if text := whatItLacks(h); text != "" {
			all = append(all, problemAnswer{Source: h.Source, Text: text})
		}
	}
	return all
}

// whatItLacks returns the sentence about a source whose data is missing, "" of
// any other. A recording may end before the first answer of a list, and --at may lie
// before it.
func whatItLacks(h train.Health) string {
	switch {
	case h.State.Trouble(), isRemark(h):
		return h.Text
	case !h.State.Settled() && h.Resource != "":
		return "its list had not come yet at the instant that is shown, and what is in it is unknown"
	}
	return ""
}

// isRemark reports whether a source of measurements answers and notes that a
// part of its numbers is missing, old or doubtful.
func isRemark(h train.Health) bool {
	measures := h.Source == prometheus.SourceName || strings.HasPrefix(h.Source, prometheus.SourceName+"/") || strings.HasPrefix(h.Source, kube.ExporterOfNode)
	return (measures || h.Source == train.ClockSource) && h.State == train.SourceLive && h.Text != ""
}

// shown is text of the cluster for a table, without control bytes and secrets:
// the output of commands is pasted into chats and tickets, so that secrets are
// masked in all of it but the logs themselves (docs/redaction.md).
func shown(text string) string { return redact.Text(termtext.Line(text)) }
