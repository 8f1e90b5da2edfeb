package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var abortSigabrt = cause{
	id: "abort-sigabrt", stage: train.StageProgress,
	meaning:  "The program ended itself with SIGABRT: an assertion in native code, or a watchdog that gave up.",
	evidence: "Exit code 134 without a better text.",
	fix:      "Read the last lines of the log: who aborts says why.",
	text: logs.Words{
		Title:   "Aborted",
		Meaning: "Native code gave up; its words stand above.",
		Fix:     "Read the lines above.",
	},
	hides: []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed"},

	matchesEnd: func(f *failure) bool { return f.code == 134 },
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("%s aborted itself (SIGABRT, exit code 134)", s.ranksOf(f))

	},
}
