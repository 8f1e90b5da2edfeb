package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/train"
)

var activeDeadlineExceeded = cause{
	id: "active-deadline-exceeded", stage: train.StageProgress,
	meaning:  "The job ran longer than its deadline allows and was ended.",
	evidence: "Condition Failed reason DeadlineExceeded `Job was active longer than specified deadline`; pod reason DeadlineExceeded.",
	fix:      "Raise activeDeadlineSeconds, or make the job shorter.",
	hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigterm-received", "sigkill-received"},

	ended: func(f *failure) bool { return f.reason == "DeadlineExceeded" },
	explain: func(s *subject, f *train.Finding, by *sign) {
		f.Title = fmt.Sprintf("%s was ended: its deadline was over", s.whoOf(f))

	},
}
