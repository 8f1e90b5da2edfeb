package runtime

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var abortSigabrt = rule.Cause{
	ID: "abort-sigabrt", Stage: train.StageProgress,
	Meaning:  "The program ended itself with SIGABRT: an assertion in native code, or a watchdog that gave up.",
	Evidence: "Exit code 134 without a better text.",
	Fix:      "Read the last lines of the log: who aborts says why.",
	Text: logs.Words{
		Title:   "Aborted",
		Meaning: "Native code gave up; its words stand above.",
		Fix:     "Read the lines above.",
	},
	Hides: []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed"},

	MatchesEnd: func(f *rule.Failure) bool { return f.Code == 134 },
	Explain: func(s *rule.JobContext, f *train.Finding, by *rule.Match) {
		f.Title = fmt.Sprintf("%s aborted itself (SIGABRT, exit code 134)", s.RanksOf(f))

	},
}
