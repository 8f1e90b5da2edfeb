package diagnose

import (
	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var podPreempted = cause{
	id: "pod-preempted", stage: train.StageSchedule,
	meaning:  "A pod of the job was pushed aside: by a pod of higher priority, by its queue, or because its node was drained.",
	evidence: "Event Preempted on the pod; pod condition DisruptionTarget reason PreemptionByScheduler or EvictionByEvictionAPI; Kueue condition Evicted reason Preempted.",
	fix:      "Use a higher priority class or another queue; save checkpoints often enough that losing a rank costs little.",
	text: logs.Words{
		Title:   "A pod was pushed aside by one of higher priority",
		Meaning: "The scheduler or queue took its place for another job.",
		Fix:     "Look at priorities, or let it be queued again. $ kubectl get events --field-selector reason=Preempted",
	},
	hides: []train.Cause{"sigterm-received", "sigkill-received", "application-error", "nccl-connection-lost", "nccl-timeout", "gloo-connection-lost", "kueue-not-admitted", "suspended",
		"insufficient-gpu", "insufficient-cpu", "insufficient-memory"},

	find: func(s *jobContext) []train.Finding {
		p := s.preemption()
		if p == nil {
			return nil
		}
		severity := train.SeverityWarning
		switch {
		case s.job.Phase == train.Failed, p.rank != nil && p.rank.State == train.RankFailed:
			severity = train.SeverityError
		case s.waitingPods() > 0:
			severity = s.pendingSeverity(p.at)
		case s.job.Phase == train.Succeeded, s.job.Phase == train.Running && s.olderThan(p.at, recovered):
			severity = train.SeverityInfo
		}
		f := s.newFinding(severity, p.at)
		if p.rank != nil {
			f.Ranks, f.RootRank = []int{p.rank.Index}, p.rank.Index
		}
		f.Title = p.title
		f.Explanation = p.why
		f.Evidence = p.evidence
		f.Next = []train.Step{do(s.current.fix), look("See the priority classes.", "kubectl", "get", "priorityclasses")}
		f.Verify = "The rank runs again and is not pushed aside for a while."
		return []train.Finding{f}
	},
}
