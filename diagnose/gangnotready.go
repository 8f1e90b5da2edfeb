package diagnose

import (
	"cmp"
	"fmt"
	"regexp"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var gangNotReady = cause{
	id: "gang-not-ready", stage: train.StageSchedule,
	meaning:  "A gang scheduler starts the pods of the job together or not at all, and it cannot place enough of them.",
	evidence: "PodGroup condition Unschedulable or phase Pending, `N/M tasks in gang unschedulable: pod group is not ready`; coscheduling `pod group ... rejected`. One member has the real reason.",
	fix:      "Look at the member that cannot be placed; free room for the whole gang, or lower minMember.",
	text: logs.Words{
		Title:   "The gang cannot be placed as a whole",
		Meaning: "A gang scheduler places all pods of a job together or none; some do not fit.",
		Fix:     "Free resources for the whole job, or lower minMember.",
	},
	hides: []train.Cause{"no-pods-operator-down", "autoscaler-not-scaling-up"},

	find: func(s *jobContext) []train.Finding {
		g := s.gang()
		if g == nil || g.queue {
			return nil
		}
		f := s.newFinding(s.severityAfter(g.since, pendingGrace), g.since)
		for i := range s.job.Ranks {
			if s.job.Ranks[i].State == train.RankPending {
				f.Ranks = append(f.Ranks, s.job.Ranks[i].Index)
			}
		}
		f.Title = fmt.Sprintf("The gang of the job cannot start together: %s", g.says)
		f.Explanation = "A gang scheduler places the pods of the job all at once, so that none holds GPUs while others wait. " + cmp.Or(s.memberReason(), noMemberYet(g.says))
		f.Evidence = g.evidence
		f.Next = []train.Step{do(s.current.fix), look("See what the group says.", kubectl("describe", g.ref)...)}
		f.Verify = "The PodGroup turns Running and the pods get nodes."
		return []train.Finding{f}
	},
}

// noTasks is how Volcano's gang plugin counts a group of which no pod exists
// (volcano 1.10 pkg/scheduler/plugins/gang: unready tasks, then all tasks of the job).
var noTasks = regexp.MustCompile(`\b\d+/0 tasks in gang`)

// noMemberYet is what such a count means.
func noMemberYet(says string) string {
	if !noTasks.MatchString(says) {
		return ""
	}
	return "No pod of it exists yet: Volcano's controller makes them only when the group is taken into its queue (phase Inqueue), which takes room for its minResources in queue and cluster; another operator may have failed to make them."
}

// memberReason is the reason of the member that cannot be placed by itself.
func (s *jobContext) memberReason() string {
	for _, g := range s.unplaced() {
		if c := g.says.main(); c != nil && c.cause != "gang-not-ready" {
			return fmt.Sprintf("%s cannot be placed for a reason of its own: %s.", rankNames(g.pods), c.text)
		}
	}
	return ""
}
