package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var activeDeadlineExceeded = cause{
	id: "active-deadline-exceeded", stage: train.StageProgress,
	meaning:  "The job ran longer than its deadline allows and was ended.",
	evidence: "Condition Failed reason DeadlineExceeded `Job was active longer than specified deadline`; pod reason DeadlineExceeded.",
	fix:      "Raise activeDeadlineSeconds, or make the job shorter.",
	text: logs.Words{
		Title:   "The job ran longer than it may",
		Meaning: "Its deadline ended it.",
		Fix:     "Raise activeDeadlineSeconds.",
	},
	hides: []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigterm-received", "sigkill-received"},

	hasMessages: true, // the Job controller ends and deletes the pods, so that only the job tells
	find:        deadlineAhead,
	matchesEnd:  func(f *failure) bool { return f.reason == "DeadlineExceeded" },
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("%s was ended: its deadline was over", s.ranksOf(f))
		f.Next = []train.Step{
			do("Raise activeDeadlineSeconds or take it away, and start the job again; it goes on from its last checkpoint if it loads one."),
			look("See the deadline and when the job started.", kubectl("describe", s.job.Ref)...),
		}
	},
}
