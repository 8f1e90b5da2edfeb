package alerts

import (
	"cmp"
	"slices"
	"time"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Trouble is what one diagnosis reports about one job now: its root cause.
type Trouble struct {
	Job    AffectedJob
	Labels map[string]string
	Phase  train.Phase
	// Cause is "" for a job that failed, and nothing that was read shows why.
	Cause    train.Cause
	Severity train.Severity
	Title    string
	// Shared names the object that is at fault and that other jobs share
	// ("Node/gpu-3"), "" for a trouble of the job's own.
	Shared      string
	Rank        int // -1 for none
	Evidence    string
	Next        string
	NextCommand string
	// Since is zero when unknown.
	Since time.Time
}

// Troubles returns those of all training jobs, one a job, in the order of the
// snapshot, and then those of nodes whose faulty GPUs no job in trouble holds.
func Troubles(s *store.Snapshot, r *diagnose.Report) []Trouble {
	var all []Trouble
	for _, job := range s.Jobs() {
		if !job.Training || job.Outlined {
			continue
		}
		if severity := r.Need(job); severity != "" {
			all = append(all, troubleOf(s, r, job, severity))
		} else if job.Phase == train.Queued {
			all = append(all, waiting(s, job, r.Worst(job.ID)))
		}
	}
	return append(all, faultyNodes(s, r, all)...)
}

// faultyNodes describes nodes with errors of their GPUs that no trouble of a
// job names.
func faultyNodes(s *store.Snapshot, r *diagnose.Report, named []Trouble) (all []Trouble) {
	known := make(map[string]bool, len(named))
	for i := range named {
		known[named[i].Shared] = true
	}
	for _, node := range s.Nodes() {
		shared := train.Ref{Kind: "Node", Name: node.Name}.String()
		if known[shared] {
			continue
		}
		for _, found := range r.Signals().Node(node.Name) {
			if found.Severity == train.SeverityError {
				all = append(all, Trouble{
					Rank: -1, Shared: shared, Cause: found.Cause, Severity: found.Severity, Since: found.Since,
					Title: "node " + node.Name + ": " + found.Text, Evidence: found.Text,
				})
				break
			}
		}
	}
	return all
}

// troubleOf describes a job that needs a person.
func troubleOf(s *store.Snapshot, r *diagnose.Report, job *train.Job, severity train.Severity) Trouble {
	t := aboutJob(s, job)
	t.Severity = severity
	f := r.Worst(job.ID)
	if f == nil || f.Severity == train.SeverityInfo {
		t.Title = cmp.Or(r.Job(job.ID).UnknownFailure(job), signalWords(r, job), job.Reason, "the job is "+string(job.Phase))
		t.Since = job.Finished
		return t
	}
	t.report(f)
	return t
}

// report takes cause, evidence and advice from a finding.
func (t *Trouble) report(f *train.Finding) {
	t.Cause, t.Title, t.Rank, t.Since = f.Cause, f.Title, f.RootRank, f.Since
	if len(f.Evidence) > 0 {
		t.Evidence = f.Evidence[0].Text
		t.Shared = sharedObject(f)
		if t.Rank < 0 && f.Evidence[0].Rank >= 0 && len(f.Ranks) == 1 {
			t.Rank = f.Evidence[0].Rank
		}
	}
	if len(f.Next) > 0 {
		t.Next, t.NextCommand = f.Next[0].Text, f.Next[0].Command
	}
}

// signalWords are the words of the worst signal of a job, "" without one.
func signalWords(r *diagnose.Report, job *train.Job) string {
	if found := r.Signals().Job(job.ID); len(found) > 0 {
		return found[0].Text
	}
	return ""
}

// waiting describes a job in a queue, which is no trouble until it takes long.
func waiting(s *store.Snapshot, job *train.Job, f *train.Finding) Trouble {
	t := aboutJob(s, job)
	t.Severity, t.Title, t.Since = train.SeverityInfo, cmp.Or(job.Reason, "the job waits in its queue"), job.Created
	if f != nil {
		t.report(f)
	}
	if job.Queue != nil && !job.Queue.Since.IsZero() {
		t.Since = job.Queue.Since
	}
	t.Shared = "" // each job waits for itself
	return t
}

// aboutJob is what a trouble reports about its job whatever is wrong.
func aboutJob(s *store.Snapshot, job *train.Job) Trouble {
	t := Trouble{
		Job: AffectedJob{
			ID: job.ID, Namespace: job.Ref.Namespace, Group: job.Ref.Group, Kind: job.Ref.Kind, Name: job.Ref.Name,
			Attempt: attemptOf(job), GPUs: job.GPUs, Owner: job.Owner.Name, GPUHours: gpuHours(job, s.Now),
		},
		Labels: job.Labels, Phase: job.Phase, Rank: -1,
	}
	if job.Queue != nil {
		t.Job.Queue = job.Queue.Name
	}
	return t
}

// gpuHours are those that a job held so far, 0 where that is unknown.
func gpuHours(job *train.Job, now time.Time) float64 {
	seconds, _ := job.GPUSeconds(now)
	return seconds / 3600
}

// attemptOf counts how often a job was begun: once more than its rank with the
// most attempts was begun again.
func attemptOf(job *train.Job) int {
	attempt := 1
	for i := range job.Ranks {
		attempt = max(attempt, len(job.Ranks[i].Attempts))
	}
	return attempt
}

// sharedKinds are the kinds of objects that several jobs depend on. A fault of
// one is one incident, however many jobs it hits.
var sharedKinds = []string{
	"Node", "ClusterQueue", "LocalQueue", "ResourceFlavor", "ResourceQuota", "Queue",
	"PersistentVolumeClaim", "PersistentVolume", "StorageClass", "ConfigMap", "Secret", "ServiceAccount",
	"ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "RuntimeClass", "ClusterTrainingRuntime", "TrainingRuntime",
}

// sharedObject is the first object among the evidence that other jobs may share,
// "" for none.
func sharedObject(f *train.Finding) string {
	for i := range f.Evidence {
		if o := f.Evidence[i].Object; slices.Contains(sharedKinds, o.Kind) && o.Name != "" {
			return o.String()
		}
	}
	return ""
}
