package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// fromFailures returns findings of how containers ended, the root first: the
// rank that failed earliest with an error of its own. It hides what other
// ranks report because that rank is gone.
func fromFailures(s *rule.JobContext) []train.Finding {
	ends, victims := withoutVictims(s.Failures())
	slices.SortStableFunc(ends, func(a, b rule.Failure) int {
		return cmp.Or(cmp.Compare(weighs(&a), weighs(&b)), a.At.Compare(b.At))
	})
	var found []train.Finding
	var roots []*rule.Failure
	reported := map[train.Cause]int{}
	for i := range ends {
		f := &ends[i]
		if at, known := reported[f.Cause]; known {
			addFailure(s, &found[at], f)
			continue
		}
		if at := slices.IndexFunc(roots, func(root *rule.Failure) bool { return follows(s, f, root) }); at >= 0 {
			found[at].Hides = append(found[at].Hides, f.Cause)
			continue
		}
		c := s.Causes.Of(f.Cause)
		if c == nil {
			continue
		}
		reported[f.Cause] = len(found)
		roots = append(roots, f)
		found = append(found, failureFinding(s, c, f))
	}
	for i := range victims {
		if at, known := reported[victims[i].of]; known {
			addVictim(s, &found[at], &victims[i].end)
		}
	}
	for i := range found {
		titlePast(s, &found[i], roots[i])
		easeDeleted(s, &found[i], roots[i].At)
	}
	return found
}

// titlePast states in the title that an end is over: the first line is often all
// that is read.
func titlePast(s *rule.JobContext, found *train.Finding, f *rule.Failure) {
	if found.Severity == train.SeverityError || !f.Over || f.OfSidecar() {
		return
	}
	if f.Pod != nil && (f.Rank.State == train.RankFailed || f.Rank.State == train.RankCrashing) {
		found.Title += " (training went on afterwards)"
	}
	if found.Severity != train.SeverityInfo {
		return
	}
	switch s.Job.Phase {
	case train.Succeeded:
		found.Title += " (a later attempt succeeded)"
	case train.Running:
		found.Title += " (it runs again)"
	}
}

// weighs returns the kind of an end, in the order in which ends are likely to
// be a root. Own errors and kills are ordered by time alone; consequences of
// others come after them whatever their time.
func weighs(f *rule.Failure) int {
	if f.Over {
		return 10 + kindOfEnd(f) // past ends come after current ones
	}
	return kindOfEnd(f)
}

// kindOfEnd returns 0 for an end with a cause of its own, and more the likelier it
// follows from another one.
func kindOfEnd(f *rule.Failure) int {
	switch {
	case f.OfSidecar() && f.TrainerFailed():
		return 4
	case f.Cause == "sigterm-received" || f.Cause == "sighup-received" || f.Cause == "torchrun-child-failed":
		return 3
	case fromOtherRanks[f.Cause]:
		return 2
	case f.Cause == "application-error" || f.Cause == "sigkill-received" || f.Cause == "end-unknown":
		return 1
	}
	return 0
}

// fromOtherRanks are causes that follow from the end or the silence of another
// rank.
var fromOtherRanks = map[train.Cause]bool{
	"nccl-connection-lost": true, "nccl-timeout": true, "gloo-connection-lost": true, "rendezvous-timeout": true, "gloo-connect-failure": true,
	"mpi-worker-lost": true, "abort-sigabrt": true,
}

// givesUp is how long after the end of a rank others may end because of it:
// collectives wait up to 30 minutes by default (torch, to 2.1).
const givesUp = time.Hour

// follows reports whether the root explains an end: it came after it, within
// the time that a collective takes to give up, and reports nothing of its own.
func follows(s *rule.JobContext, f, root *rule.Failure) bool {
	if f.OfSidecar() && f.TrainerFailed() {
		return false
	}
	if f.Rank == root.Rank && f.Restart > root.Restart || f.Over != root.Over {
		return false
	}
	if !f.At.IsZero() && !root.At.IsZero() && (f.At.Before(root.At.Add(-2*time.Second)) || f.At.Sub(root.At) > givesUp) {
		return false
	}
	if !fromOtherRanks[f.Cause] && outlives(f, root) {
		return false
	}
	return weighs(f) > weighs(root) || f.Cause == root.Cause
}

// outlives reports whether a rank still crashes, and has done so more often,
// where the root's rank runs again: the root explains some of its ends at
// most.
func outlives(f, root *rule.Failure) bool {
	return f.Rank.State == train.RankCrashing && root.Rank.State == train.RankRunning && f.Restart > root.Restart
}

func failureFinding(s *rule.JobContext, c *rule.Cause, f *rule.Failure) train.Finding {
	s.Current = c
	found := s.NewFinding(failureSeverity(s, f), f.At)
	found.Ranks = []int{f.Rank.Index}
	if len(s.Job.Ranks) > 1 {
		found.RootRank = f.Rank.Index
	}
	if f.Hit != nil && f.Hit.Cause == f.Cause {
		found.Evidence = append(found.Evidence, hitEvidence(s, f))
		if f.Hit.Rank >= 0 && len(s.Job.Ranks) == 1 {
			found.RootRank = f.Hit.Rank // several processes in one pod
		}
	}
	if f.Hit == nil && f.Cause == "application-error" {
		if e, says := lastWords(s, f); says {
			f.LastWords = e.Text
			found.Evidence = append(found.Evidence, e)
		}
	}
	found.Evidence = append(append(found.Evidence, f.Behind...), f.Proof)
	found.Title = fmt.Sprintf("%s ended: %s", f.Name(), f.Proof.Text)
	if f.Hit != nil && f.Hit.Cause == f.Cause {
		found.Title = fmt.Sprintf("%s: %s", f.Name(), logfindings.Title(f.Hit, f.Cause, c.Words))
	}
	found.Confidence = train.Likely
	explain(s, c, &found, &rule.Match{Failure: f, Captures: f.Captures})
	nameProcess(s, &found, f)
	nameSidecar(s, &found, f)
	return found
}

// nameProcess names the process whose line an MPI launcher printed, and the worker on which it
// runs where that is known.
func nameProcess(s *rule.JobContext, found *train.Finding, f *rule.Failure) {
	if f.Hit == nil || f.Hit.Cause != f.Cause || f.Hit.Rank < 0 || !logfindings.IsLauncher(f.Rank) || len(s.Job.Ranks) < 2 {
		return
	}
	process := fmt.Sprintf("MPI process %d of %s", f.Hit.Rank, f.Name())
	if host := logfindings.PodOfProcess(s.Job, f.Rank, f.Hit.Rank); host != f.Rank {
		process = fmt.Sprintf("MPI process %d on %s", f.Hit.Rank, rule.RankName(host))
		found.Ranks, found.RootRank = sorted([]int{f.Rank.Index, host.Index}), host.Index
	}
	found.Title = strings.Replace(found.Title, f.Name()+":", process+":", 1)
	found.Explanation += logfindings.ProcessNote(s.Job, f.Rank, f.Hit.Rank)
}

// nameSidecar names the container of a finding that is the end of one beside
// the container that trains: the rank itself did not end.
func nameSidecar(s *rule.JobContext, found *train.Finding, f *rule.Failure) {
	if !f.OfSidecar() || f.TrainerFailed() {
		return
	}
	if rank, name := s.RanksOf(found), f.Name(); !strings.Contains(found.Title, name) {
		found.Title = rule.Capital(strings.Replace(found.Title, rank, name, 1))
	}
	if trainerRuns(f) {
		found.Explanation += " The container that trains runs on."
		found.Next = slices.DeleteFunc(found.Next, func(step train.Step) bool { return strings.Contains(step.Text, "TORCH_") })
		found.Verify = "The container runs, or ends well."
	}
}

// trainerRuns reports whether the container that trains runs beside the one
// that ended.
func trainerRuns(f *rule.Failure) bool {
	trainer := kinds.ContainerStatus(f.Pod.Pod, f.Rank.Container)
	return trainer != nil && trainer.State.Running != nil
}

// sidecarRunsAgain reports whether a sidecar that ended runs again.
func sidecarRunsAgain(f *rule.Failure) bool {
	now := rule.StatusNow(f)
	return now != nil && now.State.Running != nil
}

func hitEvidence(s *rule.JobContext, f *rule.Failure) train.Evidence {
	text := f.Hit.Text
	if f.Hit.Frame != "" {
		text += " (" + f.Hit.Frame + ")"
	}
	if f.HitInMessage {
		text = "termination message of " + f.Pod.Name + ": " + rule.Plain(text)
		return rule.StatusEvidence(kinds.PodRef(f.Pod.Pod), "status.containerStatuses["+f.Container+"].state.terminated.message", text, f.At, f.Rank.Index)
	}
	return train.Evidence{
		Kind: train.EvidenceLog, Object: kinds.PodRef(f.Pod.Pod), Text: rule.Plain(text), Time: f.Hit.Time, Rank: f.Rank.Index, Stream: f.Stream, Line: f.Hit.Line,
	}
}

func addFailure(s *rule.JobContext, into *train.Finding, f *rule.Failure) {
	into.Ranks = sorted(append(into.Ranks, f.Rank.Index))
	into.Evidence = append(into.Evidence, f.Proof)
	if severity := failureSeverity(s, f); severity.Order() < into.Severity.Order() {
		into.Severity = severity
	}
}

// failureSeverity returns an error for an end that stopped the job, or that
// repeats, a warning while the rank has just begun to run again and where that was
// over when the job failed, and info afterwards.
func failureSeverity(s *rule.JobContext, f *rule.Failure) train.Severity {
	switch {
	case s.Job.Phase != train.Succeeded && f.OfSidecar() && f.TrainerFailed():
		return train.SeverityWarning
	case s.Job.Phase != train.Failed && f.OfSidecar() && trainerRuns(f) && sidecarRunsAgain(f):
		return train.SeverityInfo
	case s.Job.Phase == train.Failed && f.Over && (fails(f.Rank) || !f.At.IsZero() && s.Job.Finished.Sub(f.At) > givesUp):
		return train.SeverityWarning
	case s.Job.Phase == train.Failed:
		return train.SeverityError
	case s.Job.Phase == train.Succeeded:
		return train.SeverityInfo
	case rule.LostReasons[f.Reason]:
		return train.SeverityError
	case !f.Over && (f.Rank.State == train.RankCrashing || f.Rank.State == train.RankFailed || f.Rank.State == train.RankLost || f.Rank.State == train.RankWaiting):
		return train.SeverityError
	case f.Code == 0 && f.Rank.State == train.RankSucceeded && !f.Init && !f.OfSidecar():
		return train.SeverityWarning // it ended before the job did
	case f.Over && !f.Ready.IsZero() && s.OlderThan(f.Ready, rule.Recovered):
		return train.SeverityInfo
	}
	return train.SeverityWarning
}

func sorted(ranks []int) []int {
	slices.Sort(ranks)
	return slices.Compact(ranks)
}
