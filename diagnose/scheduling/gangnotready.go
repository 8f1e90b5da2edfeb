package scheduling

import (
	"cmp"
	"fmt"
	"regexp"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var gangNotReady = rule.Cause{
	ID: "gang-not-ready", Stage: train.StageSchedule,
	Words: logfindings.Words{
		Title:   "The gang cannot be placed as a whole",
		Meaning: "A gang scheduler starts all pods of the job together or none, and it cannot place enough of them.",
		Fix:     "Look at the pod that cannot be placed; free resources for the whole gang, or lower minMember.",
	},
	Evidence: "PodGroup condition Unschedulable or phase Pending, `N/M tasks in gang unschedulable: pod group is not ready`; coscheduling `pod group ... rejected`. One member has the real reason.",
	Hides:    []train.Cause{"no-pods-operator-down", "autoscaler-not-scaling-up"},

	Find: func(s *rule.JobContext) []train.Finding {
		g := Gang(s)
		if g == nil || g.Queue {
			return nil
		}
		f := s.NewFinding(s.SeverityAfter(g.Since, rule.GangGrace), g.Since)
		for i := range s.Job.Ranks {
			if s.Job.Ranks[i].State == train.RankPending {
				f.Ranks = append(f.Ranks, s.Job.Ranks[i].Index)
			}
		}
		f.Title = fmt.Sprintf("The gang of the job cannot start together: %s", g.Says)
		f.Explanation = "A gang scheduler places the pods of the job all at once, so that none holds GPUs while others wait. " + cmp.Or(memberReason(s), noMemberYet(g.Says))
		f.Evidence = g.Evidence
		f.Next = append(s.Current.Advice(), rule.Look("See what the group says.", rule.Kubectl("describe", g.ref)...))
		f.Verify = "The PodGroup turns Running and the pods get nodes."
		return []train.Finding{f}
	},
}

// noTasks is how Volcano's gang plugin counts a group of which no pod exists
// (volcano 1.10 pkg/scheduler/plugins/gang: unready tasks, then all tasks of the job).
var noTasks = regexp.MustCompile(`\b\d+/0 tasks in gang`)

// noMemberYet explains such a count.
func noMemberYet(says string) string {
	if !noTasks.MatchString(says) {
		return ""
	}
	return "No pod of it exists yet: Volcano's controller makes them only when the group is taken into its queue (phase Inqueue), which takes room for its minResources in queue and cluster; another operator may have failed to make them."
}

// memberReason returns the reason of the member that cannot be placed by
// itself.
func memberReason(s *rule.JobContext) string {
	for _, g := range Unplaced(s) {
		if c := g.Says.Main(); c != nil && c.Cause != "gang-not-ready" {
			return fmt.Sprintf("%s cannot be placed for a reason of its own: %s.", rule.RankNames(g.Pods), c.Text)
		}
	}
	return ""
}
