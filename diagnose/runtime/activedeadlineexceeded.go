package runtime

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var activeDeadlineExceeded = rule.Cause{
	ID: "active-deadline-exceeded", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "The job ran longer than it may",
		Meaning: "The job ran longer than its deadline allows and was ended.",
		Fix:     "Raise activeDeadlineSeconds, or make the job shorter.",
	},
	Evidence: "Condition Failed reason DeadlineExceeded `Job was active longer than specified deadline`; pod reason DeadlineExceeded.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigterm-received", "sigkill-received"},

	FromMessages: true, // the Job controller ends and deletes the pods, so that only the job shows it
	Find:         deadlineAhead,
	MatchesEnd:   func(f *rule.Failure) bool { return f.Reason == "DeadlineExceeded" },
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("%s was ended: its deadline was over", s.RanksOf(f))
		f.Next = []train.Step{
			rule.Do("Raise activeDeadlineSeconds or take it away, and start the job again; it goes on from its last checkpoint if it loads one."),
			rule.Look("See the deadline and when the job started.", rule.Kubectl("describe", s.Job.Ref)...),
		}
	},
}
