package scheduling

import (
	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var podPreempted = rule.Cause{
	ID: "pod-preempted", Stage: train.StageSchedule,
	Words: logfindings.Words{
		Title:   "A pod was preempted",
		Meaning: "A pod of the job lost its place on its node: to a pod of higher priority, because its queue took the place for another job, or because the node was drained.",
		Fix: "See what was preempted. $ kubectl get events --field-selector reason=Preempted\n" +
			"Use a higher priority class or another queue, or let the job be queued again; save checkpoints often enough that losing a rank costs little.",
	},
	Evidence: "Event Preempted on the pod; pod condition DisruptionTarget reason PreemptionByScheduler or EvictionByEvictionAPI; Kueue condition Evicted reason Preempted.",
	Hides: []train.Cause{"sigterm-received", "sigkill-received", "application-error", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "kueue-not-admitted", "suspended",
		"insufficient-gpu", "insufficient-cpu", "insufficient-memory"},

	MatchesEnd: endedToMakeRoom,
	Find: func(s *rule.JobContext) []train.Finding {
		p := preemption(s)
		if p == nil {
			return nil
		}
		severity := train.SeverityWarning
		switch {
		case s.Job.Phase == train.Failed, p.rank != nil && (p.rank.State == train.RankFailed || p.rank.State == train.RankTerminating):
			severity = train.SeverityError
		case WaitingPods(s) > 0:
			severity = pendingSeverity(s, p.at)
		case s.Job.Phase == train.Succeeded, s.Job.Phase == train.Running && s.OlderThan(p.at, rule.Recovered):
			severity = train.SeverityInfo
		}
		f := s.NewFinding(severity, p.at)
		if p.rank != nil {
			f.Ranks, f.RootRank = []int{p.rank.Index}, p.rank.Index
		}
		f.Title = p.title
		if severity == train.SeverityInfo && s.Job.Phase == train.Running {
			f.Title += " (it runs again)"
		}
		if p.confidence != "" {
			f.Confidence = p.confidence
		}
		f.Explanation = p.why
		f.Evidence = p.evidence
		if f.Next = p.next; f.Next == nil {
			f.Next = append(s.Current.Advice(), rule.Look("See the priority classes.", "kubectl", "get", "priorityclasses"))
		}
		f.Verify = "The rank runs again and is not pushed aside for a while."
		return []train.Finding{f}
	},
}
