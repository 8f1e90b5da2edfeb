package runtime

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var abortSigabrt = rule.Cause{
	ID: "abort-sigabrt", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "Aborted",
		Meaning: "The program ended itself with SIGABRT: an assertion in native code failed, or a watchdog gave up.",
		Fix:     "Read the last lines of the log: they say what aborted and why.",
	},
	Evidence: "Exit code 134 without a better text.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed"},

	MatchesEnd: func(f *rule.Failure) bool { return f.Code == 134 },
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("%s aborted itself (SIGABRT, exit code 134)", s.RanksOf(f))

	},
}
