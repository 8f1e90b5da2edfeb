package scheduling

import (
	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var podPreempted = rule.Cause{
	ID: "pod-preempted", Stage: train.StageSchedule,
	Meaning:  "A pod of the job was pushed aside: by a pod of higher priority, by its queue, or because its node was drained.",
	Evidence: "Event Preempted on the pod; pod condition DisruptionTarget reason PreemptionByScheduler or EvictionByEvictionAPI; Kueue condition Evicted reason Preempted.",
	Fix:      "Use a higher priority class or another queue; save checkpoints often enough that losing a rank costs little.",
	Text: logs.Words{
		Title:   "A pod was pushed aside by one of higher priority",
		Meaning: "The scheduler or queue took its place for another job.",
		Fix:     "Look at priorities, or let it be queued again. $ kubectl get events --field-selector reason=Preempted",
	},
	Hides: []train.Cause{"sigterm-received", "sigkill-received", "application-error", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "kueue-not-admitted", "suspended",
		"insufficient-gpu", "insufficient-cpu", "insufficient-memory"},

	Find: func(s *rule.JobContext) []train.Finding {
		p := preemption(s)
		if p == nil {
			return nil
		}
		severity := train.SeverityWarning
		switch {
		case s.Job.Phase == train.Failed, p.rank != nil && p.rank.State == train.RankFailed:
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
		f.Explanation = p.why
		f.Evidence = p.evidence
		f.Next = []train.Step{rule.Do(s.Current.Fix), rule.Look("See the priority classes.", "kubectl", "get", "priorityclasses")}
		f.Verify = "The rank runs again and is not pushed aside for a while."
		return []train.Finding{f}
	},
}
