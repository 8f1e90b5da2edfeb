package diagnose

import (
	"cmp"
	"slices"
	"strings"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/scheduling"
	"github.com/traintop/traintop/train"
)

// diagnoseJob runs every rule on one job and sorts the findings.
func diagnoseJob(w *pass, job *train.Job, lists *checkLists) *Answer {
	if job.Outlined {
		return &Answer{Checks: outlinedChecks(), seen: &answerInputs{Dependencies: &rule.Dependencies{}, job: job, trends: trendsOf(w.ClusterContext, job), measured: w.JobMeasured(job.ID), probes: w.probes[job.ID]}}
	}
	trends := trendsOf(w.ClusterContext, job)
	if healthy(w.ClusterContext, job, trends) && !w.warned.has(job) {
		logs, measured := rule.LogReadingOf(w.Snapshot, job), w.JobMeasured(job.ID)
		return &Answer{Checks: calmChecks(job, logs, trends, &gpuReading{measured, w.ranksWithoutReadings(job), w.inputs.pastUnread}, lists), seen: &answerInputs{Dependencies: &rule.Dependencies{}, job: job, trends: trends, reading: logs, measured: measured, badEnd: badEndOf(w.Snapshot, job), uneven: unevenLogsOf(w.Snapshot, job), probes: w.probes[job.ID]}}
	}
	if job.LogsOnly {
		return diagnoseLogs(w, job, trends)
	}
	s := rule.NewJobContext(w.ClusterContext, job)
	n := newAnswerInputs(w, s, trends)
	n.signals, n.pressure, n.measured, n.probes = w.Signals.Job(job.ID), w.PressureOn(job), w.JobMeasured(job.ID), w.probes[job.ID]
	var found []train.Finding
	checks := lists.begin()
	for i, c := range causes {
		s.Current, s.Check = c, train.Check{Cause: c.ID, Stage: c.Stage}
		if c.Find != nil {
			found = append(found, n.survive(s, string(c.ID), c.Find)...)
		}
		checks[i] = s.Check
	}
	for _, part := range findingsFrom {
		found = append(found, n.survive(s, part.what, part.find)...)
	}
	if !slices.ContainsFunc(found, func(f train.Finding) bool { return f.Severity != train.SeverityInfo }) {
		found = append(found, n.survive(s, "reasons of schedulers that no rule knows", scheduling.UnknownReasons)...)
	}
	found = explainRestarts(s, nameAbsentPeers(s, explainBehind(s, explainCrashes(explainMeetings(explainUnreached(s, explainLosses(s, merge(found))))))))
	found = withoutRepeats(inOrder(found, w.besideFailure(job, found)))
	nameRanks(s, found)
	nameObjects(s, found)
	makePlain(found)
	w.reach.addTo(found)
	addProbes(s, found)
	addAnswers(s, found, n.probes)
	completeChecks(s, checks, found, &gpuReading{n.measured, w.ranksWithoutReadings(job), w.inputs.pastUnread})
	return &Answer{Findings: found, Checks: lists.keep(), seen: n}
}

// makePlain makes every sentence safe for one line: the names in it come from
// a cluster or a file and may contain any text.
func makePlain(found []train.Finding) {
	for i := range found {
		f := &found[i]
		f.Title, f.Explanation, f.Verify = rule.Plain(f.Title), rule.Plain(f.Explanation), rule.Plain(f.Verify)
		if rest, found := strings.CutPrefix(f.Title, rule.WholeJob+" "); found {
			f.Title = "The job " + rest
		}
		for k := range f.Next {
			f.Next[k].Text = rule.Plain(f.Next[k].Text)
		}
	}
}

// healthy reports whether a job shows no sign of trouble: no rule looks further
// at the many jobs that just run.
func healthy(w *rule.ClusterContext, job *train.Job, trends *trends) bool {
	switch {
	case job.LogsOnly, !trends.calm(), job.Phase != train.Running && job.Phase != train.Succeeded, job.Restarts > 0, len(w.Signals.Job(job.ID)) > 0:
		return false
	case w.PressureOn(job) != "", holdsFaultyDevices(w, job):
		return false
	case job.Phase == train.Running && job.Ready < job.Wanted, job.Phase == train.Succeeded && holdsGPUs(job), job.UnknownStatus != "", isDeleted(w, job):
		return false
	}
	for i := range job.Ranks {
		r := &job.Ranks[i]
		if r.State != train.RankRunning && r.State != train.RankSucceeded && !(r.State == train.RankMissing && job.Phase == train.Succeeded) || r.DuplicateOf != "" || r.BrokenSidecar {
			return false
		}
	}
	return trends == nil || rule.HitsOf(w.Snapshot, job) == 0
}

// holdsGPUs reports whether pods of a job have not ended and hold GPUs.
func holdsGPUs(job *train.Job) bool {
	_, _, gpus, _ := job.LivePods()
	return gpus > 0
}

// isDeleted reports whether the object of a job was deleted and is still there.
func isDeleted(w *rule.ClusterContext, job *train.Job) bool {
	o, _ := w.Object(rule.GroupKind(job.Ref), job.Ref.Namespace, job.Ref.Name)
	return o != nil && o.GetDeletionTimestamp() != nil
}

// merge joins findings of one cause into the first of them: a job reports once
// that its image does not exist.
func merge(found []train.Finding) []train.Finding {
	var merged []train.Finding
	at := map[train.Cause]int{}
	for _, f := range found {
		i, known := at[f.Cause]
		if !known {
			at[f.Cause] = len(merged)
			merged = append(merged, f)
			continue
		}
		into := &merged[i]
		if order := cmp.Compare(f.Severity.Order(), into.Severity.Order()); order < 0 || f.Severity != train.SeverityInfo && namesOther(&f, into) {
			f, *into = *into, f
			if order > 0 {
				into.Severity = f.Severity
			}
		}
		into.Evidence = append(into.Evidence, f.Evidence...)
		if into.Ranks != nil && f.Ranks != nil {
			into.Ranks = append(into.Ranks, f.Ranks...)
			slices.Sort(into.Ranks)
			into.Ranks = slices.Compact(into.Ranks)
		} else {
			into.Ranks = nil
		}
		if into.Since.IsZero() || !f.Since.IsZero() && f.Since.Before(into.Since) {
			into.Since = f.Since
		}
	}
	for i := range merged {
		merged[i].Evidence = firstEvidence(merged[i].Evidence)
	}
	return merged
}

// namesOther reports whether a finding names the rank that others wait for, where
// another one of its cause knows only those that waited.
func namesOther(f, of *train.Finding) bool {
	return (fromOtherRanks[f.Cause] || f.Cause == "one-rank-behind") && f.RootRank >= 0 && slices.Contains(of.Ranks, of.RootRank) && !slices.Contains(of.Ranks, f.RootRank)
}

// maxEvidence is how many facts a finding shows; a thousand ranks report the
// same.
const maxEvidence = 8

func firstEvidence(all []train.Evidence) []train.Evidence {
	var kept []train.Evidence
	for _, e := range all {
		same := func(k train.Evidence) bool {
			if k.Kind == train.EvidenceLog && e.Kind == train.EvidenceLog && k.Rank == e.Rank && k.Time.Equal(e.Time) && k.Text == e.Text {
				return true
			}
			return k.Text == e.Text && (k.Object == e.Object || k.Line > 0) && k.Field == e.Field && k.Line == e.Line && k.Stream == e.Stream
		}
		if len(kept) < maxEvidence && !slices.ContainsFunc(kept, same) {
			kept = append(kept, e)
		}
	}
	return kept
}

// inOrder puts the root cause first and removes what it, and those after it,
// explain. Causes beside the failure come after it and explain nothing.
func inOrder(found []train.Finding, beside []train.Cause) []train.Finding {
	last := func(f *train.Finding) int {
		if slices.Contains(beside, f.Cause) {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(found, func(a, b train.Finding) int {
		return cmp.Or(cmp.Compare(a.Severity.Order(), b.Severity.Order()), cmp.Compare(last(&a), last(&b)), cmp.Compare(order(&a), order(&b)))
	})
	explains := func(root, other *train.Finding) bool { return last(root) == 0 && explains(root, other) }
	hidden := make([]bool, len(found))
	hide := func(root, other int) {
		hidden[other] = true
		found[root].Hides = append(found[root].Hides, found[other].Cause)
		found[root].Hides = append(found[root].Hides, found[other].Hides...)
		if wasted := &found[other]; wasted.Cause == "restart-loop-waste" && wasted.Severity.Order() < found[root].Severity.Order() {
			found[root].Severity = wasted.Severity // that it runs again does not get it over
		}
	}
	// A finding that sums up is hidden by the finding that ended its ranks,
	// once it is known which of the others remain.
	hideBy(found, hidden, false, explains, hide)
	for k := range found {
		if root := rootOf(found, hidden, k, explains); root >= 0 {
			hide(root, k)
		}
	}
	hideBy(found, hidden, true, explains, hide)
	var kept []train.Finding
	for i := range found {
		if !hidden[i] {
			kept = append(kept, found[i])
		}
	}
	slices.SortStableFunc(kept, func(a, b train.Finding) int { return cmp.Compare(a.Severity.Order(), b.Severity.Order()) })
	for i := range kept {
		slices.Sort(kept[i].Hides)
		kept[i].Hides = slices.Compact(kept[i].Hides)
	}
	return kept
}

// explainer reports whether one finding makes another a symptom.
type explainer func(root, other *train.Finding) bool

// hideBy lets the findings that sum up, or the others, hide what they explain,
// in order.
func hideBy(found []train.Finding, hidden []bool, summing bool, explains explainer, hide func(root, other int)) {
	for i := range found {
		if wrappers[found[i].Cause] != summing {
			continue
		}
		for k := range found {
			if k != i && !hidden[i] && !hidden[k] && (summing || !wrappers[found[k].Cause]) && explains(&found[i], &found[k]) {
				hide(i, k)
			}
		}
	}
}

// rootOf returns the finding that explains one that sums up: of those not
// hidden, the first that has one of its ranks, or else the first; -1 when none
// does.
func rootOf(found []train.Finding, hidden []bool, k int, explains explainer) int {
	root := -1
	if !wrappers[found[k].Cause] || hidden[k] {
		return root
	}
	for i := range found {
		if i == k || hidden[i] || wrappers[found[i].Cause] || !explains(&found[i], &found[k]) {
			continue
		}
		if slices.ContainsFunc(found[k].Ranks, func(rank int) bool { return slices.Contains(found[i].Ranks, rank) }) {
			return i
		}
		if root < 0 {
			root = i
		}
	}
	return root
}

// order returns the position of a finding among those of equal severity:
// stages before a container runs in order of the list of causes; ends of
// containers in the order of time in which they were found.
func order(f *train.Finding) int {
	if isRunStage(f.Stage) {
		return len(causes)
	}
	return causes.Position(f.Cause)
}

func isRunStage(stage train.Stage) bool {
	return stage == train.StageRendezvous || stage == train.StageProgress || stage == train.StageSpeed
}

// explains reports whether one finding makes another a symptom. A milder
// finding explains no worse one, unless the other only sums up.
func explains(root, other *train.Finding) bool {
	c := causes.Of(root.Cause)
	if c == nil || root.Severity.Order() > other.Severity.Order() && !wrappers[other.Cause] {
		return false
	}
	if slices.Contains(c.Hides, other.Cause) {
		return true
	}
	switch {
	case wrappers[other.Cause]:
		return isRunStage(root.Stage) && !wrappers[root.Cause] || root.Stage == train.StageStart || root.Stage == train.StageImage
	case !isRunStage(root.Stage) && root.Severity != train.SeverityInfo:
		return waitsForOthers[other.Cause]
	}
	return false
}

// wrappers report only that something else ended.
var wrappers = map[train.Cause]bool{
	"backoff-limit-exceeded": true, "pod-failure-policy": true, "torchrun-child-failed": true, "restart-loop-waste": true,
}

// waitsForOthers are reported by ranks while another rank has not started.
var waitsForOthers = map[train.Cause]bool{
	"rendezvous-timeout": true, "gloo-connect-failure": true, "master-addr-unresolvable": true, "hang-no-output": true, "nccl-timeout": true,
	"nccl-init-failure": true, "mpi-launcher-ssh-failure": true, "init-container-failing": true, "low-gpu-utilisation": true,
}
