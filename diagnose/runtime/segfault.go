package runtime

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var segfault = rule.Cause{
	ID: "segfault", Stage: train.StageProgress,
	Meaning:  "A program of the container crashed with an invalid memory access (SIGSEGV): most often native code of a library, versions that do not go together, or broken memory.",
	Evidence: "Exit code 139; `exitcode: -11`; kernel `segfault at ...`.",
	Fix:      "Compare the versions of CUDA, torch and its extensions; get a core dump.",
	Text: logs.Words{
		Title:   "Crashed with a segmentation fault",
		Meaning: "Native code used a wrong address.",
		Fix:     "Look for a stack above; run with PYTHONFAULTHANDLER=1.",
	},
	Hides: []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed"},

	MatchesEnd: func(f *rule.Failure) bool { return f.Code == 139 },
	Explain: func(s *rule.JobContext, f *train.Finding, by *rule.Match) {
		f.Title = fmt.Sprintf("%s crashed with a segmentation fault", s.RanksOf(f))
		f.Confidence = train.Certain
	},
}
