package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/runtime"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// fromLogs returns findings from the logs of ranks that no end of a container
// shows: a loss that is no number, ranks that wait for another, an error after
// which nothing more came.
func fromLogs(s *rule.JobContext) []train.Finding {
	found := logfindings.Find(s.Snapshot, s.Job, s.Causes.Words)
	if len(found) == 0 {
		found = unknownEnd(s)
	}
	for i := range found {
		completeLog(s, &found[i])
		easeSucceeded(s, &found[i])
	}
	return found
}

// printedAtTheEnd are causes that a program prints while it ends well too: of
// a tracker that does not answer, and of ranks that end one after another. An
// error of the program itself is none of them: a pipe, or "|| true", hides its
// exit code.
var printedAtTheEnd = map[train.Cause]bool{
	"wandb-timeout": true, "nccl-connection-lost": true, "gloo-connection-lost": true, "gloo-connect-failure": true, "nccl-timeout": true,
	"mpi-worker-lost": true, "sigterm-received": true, "sighup-received": true, "dataloader-worker-killed": true, "torchrun-child-failed": true,
}

// afterFinish reports whether every line of a finding came after the program had
// printed that training is over, or its last step, as the tracebacks of threads and of
// functions that run at exit do.
func afterFinish(s *rule.JobContext, f *train.Finding) bool {
	lines := 0
	for i := range f.Evidence {
		e := &f.Evidence[i]
		if e.Kind != train.EvidenceLog || e.Line <= 0 {
			continue
		}
		log := s.Log(e.Stream)
		if lines++; log == nil || !finishedBefore(log, e.Line) {
			return false
		}
	}
	return lines > 0
}

func finishedBefore(log *store.Log, line int64) bool {
	if slices.ContainsFunc(log.Marks, func(m train.Mark) bool { return m.Kind == train.MarkFinished && m.Line < line }) {
		return true
	}
	rows := log.Samples.Rows
	last := sort.Search(len(rows), func(i int) bool { return rows[i].Line >= line }) - 1
	return log.Hints.TotalSteps > 0 && last >= 0 && last == len(rows)-1 && rows[last].Step >= log.Hints.TotalSteps
}

// easeSucceeded lowers such findings about ranks that succeeded to information.
func easeSucceeded(s *rule.JobContext, f *train.Finding) {
	switch atEnd := printedAtTheEnd[f.Cause]; {
	case f.Severity == train.SeverityInfo, !atEnd && !afterFinish(s, f):
		return
	case !allSucceeded(s.Job, f.Ranks) && !(atEnd && s.Job.LogsOnly && afterFinish(s, f)):
		return
	}
	f.Severity, f.Title = train.SeverityInfo, f.Title+" (it succeeded all the same)"
	f.Verify = "The next run does not print it."
}

// allSucceeded reports whether the job succeeded, or has not failed and the
// ranks have, of which one is known.
func allSucceeded(job *train.Job, ranks []int) bool {
	if job.Phase.Terminal() || len(ranks) == 0 {
		return job.Phase == train.Succeeded
	}
	known := false
	for i := range job.Ranks {
		r := &job.Ranks[i]
		if !slices.Contains(ranks, r.Index) {
			continue
		}
		if known = true; r.State != train.RankSucceeded {
			return false
		}
	}
	return known
}

// diagnoseLogs diagnoses a job of log files alone: only texts exist, and
// package logs has ordered the findings.
func diagnoseLogs(w *pass, job *train.Job, trends *trends) *Answer {
	s := rule.NewJobContext(w.ClusterContext, job)
	n := newAnswerInputs(w, s, trends)
	found := slices.Concat(fromLogs(s), runtime.SlowStepsInFiles(s), runtime.NothingGainedInFiles(s))
	slices.SortStableFunc(found, func(a, b train.Finding) int { return cmp.Compare(a.Severity.Order(), b.Severity.Order()) })
	nameRanks(s, found)
	return &Answer{Findings: found, seen: n}
}

// completeLog adds the text of the cause to a finding from logs.
func completeLog(s *rule.JobContext, f *train.Finding) {
	c := s.Causes.Of(f.Cause)
	if c == nil {
		return
	}
	f.Stage, f.Verify = c.Stage, rule.VerifyOf(c.Stage)
	if f.Explanation == "" {
		f.Explanation = c.Meaning
	}
	for i := range f.Evidence {
		if e := &f.Evidence[i]; e.Object.Kind == "" && e.Stream.Pod != "" {
			e.Object = rule.CoreRef("Pod", e.Stream.Namespace, e.Stream.Pod)
		}
	}
	nameContainer(s, f)
	if len(f.Next) == 0 && c.Fix != "" {
		f.Next = c.Advice()
	}
	explainLostPeer(s, f)
	runtime.NameWaitOfInit(s, f)
	explainDeletion(s, f)
	nameMute(s, f)
}

// nameMute names the rank that prints nothing while the others go on without a
// step: they wait for it.
func nameMute(s *rule.JobContext, f *train.Finding) {
	if f.Cause != "hang-no-output" {
		return
	}
	r, last := muteRank(s, f)
	if r == nil {
		return
	}
	f.RootRank = r.Index
	f.Title += fmt.Sprintf("; %s prints nothing", rule.RankName(r))
	f.Explanation += fmt.Sprintf(" The last line of %s is of %s (UTC), while the others print on: look there first.", rule.RankName(r), last.UTC().Format("15:04:05"))
}

// muteRank returns the one rank of several that a finding is not about, where it runs and has
// printed nothing since the finding, and the time of its last line; nil for none.
func muteRank(s *rule.JobContext, f *train.Finding) (*train.Rank, time.Time) {
	if len(f.Ranks) < 2 || len(f.Ranks) != len(s.Job.Ranks)-1 {
		return nil, time.Time{}
	}
	at := slices.IndexFunc(s.Job.Ranks, func(r train.Rank) bool { return !slices.Contains(f.Ranks, r.Index) })
	if at < 0 { // two pods run one rank
		return nil, time.Time{}
	}
	r := &s.Job.Ranks[at]
	log := s.RankLog(s.Job, at)
	if log == nil || log.Lines.Len() == 0 || r.State != train.RankRunning {
		return nil, time.Time{}
	}
	last := log.Lines.Time(log.Lines.Len() - 1)
	if last.IsZero() || last.After(f.Since.Add(time.Minute)) {
		return nil, time.Time{}
	}
	return r, last
}

// nameAbsentPeers names the rank that runs on, and prints nothing, where a collective timed out in
// all others and they were restarted: they wait for it anew, and it takes no part.
func nameAbsentPeers(s *rule.JobContext, found []train.Finding) []train.Finding {
	for i := range found {
		f := &found[i]
		if f.Cause != "nccl-timeout" || s.Job.Phase.Terminal() {
			continue
		}
		r, last := muteRank(s, f)
		if r == nil || r.Restarts > 0 || !last.Before(f.Since) || wentOn(s, f.Since, s.Now) {
			continue
		}
		f.RootRank, f.Severity = r.Index, train.SeverityError
		if slices.ContainsFunc(f.Evidence, func(e train.Evidence) bool { return e.Stream.File != "" }) {
			f.Confidence = train.Possible // its file may have been copied before it printed more
		}
		f.Title = fmt.Sprintf("%s prints nothing since %s (UTC), and a collective timed out in all other ranks", rule.RankName(r), last.UTC().Format("15:04:05"))
		f.Explanation += fmt.Sprintf(" The others ended, and %s runs on without a line: they waited for it, and do so again. Look there first.", rule.RankName(r))
		f.Next = append([]train.Step{logStep(s, f, []*train.Rank{r})}, f.Next...)
	}
	return found
}

// explainDeletion adds to a signal in a log that it came because the job, or the
// pod, is being deleted: the program's words do not name who sent it.
func explainDeletion(s *rule.JobContext, f *train.Finding) {
	if f.Cause != "sigterm-received" || len(f.Evidence) == 0 {
		return
	}
	from := f.Evidence[0].Stream
	pod := s.Pod(from.Namespace, from.Pod)
	if pod == nil || pod.DeletionTimestamp == nil || from.UID != "" && from.UID != string(pod.UID) {
		return
	}
	ends := pod.DeletionTimestamp.Time
	f.Title = fmt.Sprintf("Pod %s is being deleted: it was asked to end (SIGTERM) and is killed at %s (UTC)", rule.Plain(pod.Name), ends.UTC().Format("15:04:05"))
	f.Explanation = "Somebody or a controller deleted the pod. Until then the program may save a checkpoint."
	f.Confidence = train.Certain
	f.Evidence = append(f.Evidence, rule.FieldEvidence(kinds.PodRef(pod), "metadata.deletionTimestamp", ends.UTC().Format("2006-01-02T15:04:05Z"), ends, f.Evidence[0].Rank))
	f.Next = []train.Step{rule.Look("See the events about the pod.", "kubectl", "events", "-n", pod.Namespace, "--for", "pod/"+pod.Name)}
	f.Verify = "The pod goes, and its successor starts, if it gets one."
	easeDeleted(s, f, time.Time{})
}

// easeDeleted lowers the signal to end that came because the job is being deleted to
// information. at is when a container ended by it, zero where its pod is being deleted too.
func easeDeleted(s *rule.JobContext, f *train.Finding, at time.Time) {
	o, _ := s.Object(rule.GroupKind(s.Job.Ref), s.Job.Ref.Namespace, s.Job.Ref.Name)
	if f.Cause != "sigterm-received" || o == nil || o.GetDeletionTimestamp() == nil {
		return
	}
	if deleted := o.GetDeletionTimestamp().Time; at.IsZero() || !at.Before(deleted.Add(-clocksDiffer)) {
		f.Severity, f.Title = train.SeverityInfo, "The job is being deleted: its pods were asked to end (SIGTERM)"
		f.Explanation, f.Verify = "Somebody deleted the job, so its pods end too. Nothing has to be done.", "The job and its pods go."
	}
}

// nameContainer names the container whose lines a finding quotes if it is not
// the training container.
func nameContainer(s *rule.JobContext, f *train.Finding) {
	for i := range f.Evidence {
		e := &f.Evidence[i]
		for k := range s.Job.Ranks {
			if r := &s.Job.Ranks[k]; r.Index == e.Rank && r.Pod == e.Stream.Pod && r.Container != "" && e.Stream.Container != "" && e.Stream.Container != r.Container {
				f.Explanation += " Container " + e.Stream.Container + " of pod " + r.Pod + " printed it, before the one that trains began."
				return
			}
		}
	}
}

// explainLostPeer names the rank to which a connection was lost, by the pod's
// name or address in the line, and how to find out why it ended: its own log
// contains the reason, which nameRanks points to.
func explainLostPeer(s *rule.JobContext, f *train.Finding) {
	if f.Cause != "nccl-connection-lost" && f.Cause != "gloo-connection-lost" && f.Cause != "mpi-worker-lost" {
		return
	}
	for i := range f.Evidence {
		if r := peerIn(s, f.Evidence[i].Text); r != nil && r.Index != f.Evidence[i].Rank {
			f.Explanation += fmt.Sprintf(" The lost rank is %s (pod %s).", rule.RankName(r), r.Pod)
			f.Next = append(f.Next, rule.Look("See how its pod ended.", rule.Kubectl("describe", rule.CoreRef("Pod", r.Namespace, r.Pod))...))
			return
		}
	}
}

// peerIn returns the rank whose pod a text names, nil for none.
func peerIn(s *rule.JobContext, text string) *train.Rank {
	for i := range s.Job.Ranks {
		r := &s.Job.Ranks[i]
		if r.Pod == "" {
			continue
		}
		names := []string{r.Pod}
		if pod := s.Pod(r.Namespace, r.Pod); pod != nil && pod.Status.PodIP != "" {
			names = append(names, pod.Status.PodIP)
		}
		for _, name := range names {
			if containsName(text, name) {
				return r
			}
		}
	}
	return nil
}

// containsName reports whether a text contains a name as a whole: train-10 does
// not contain train-1.
func containsName(text, name string) bool {
	part := func(at int) bool {
		return at >= 0 && at < len(text) && (text[at] >= '0' && text[at] <= '9' || text[at] >= 'a' && text[at] <= 'z' || text[at] == '-')
	}
	for from := 0; ; {
		at := strings.Index(text[from:], name)
		if at < 0 {
			return false
		}
		at += from
		if !part(at-1) && !part(at+len(name)) {
			return true
		}
		from = at + 1
	}
}
