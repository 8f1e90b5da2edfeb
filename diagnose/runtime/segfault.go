package runtime

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var segfault = rule.Cause{
	ID: "segfault", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "Crashed with a segmentation fault",
		Meaning: "A program of the container crashed with an invalid memory access (SIGSEGV): most often native code of a library, versions that do not fit together, or broken memory.",
		Fix: "Look for a stack in the log; run with PYTHONFAULTHANDLER=1, or get a core dump.\n" +
			"Compare the versions of CUDA, torch and its extensions.",
	},
	Evidence: "Exit code 139; `exitcode: -11`; kernel `segfault at ...`.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed"},

	MatchesEnd: func(f *rule.Failure) bool { return f.Code == 139 },
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("%s crashed with a segmentation fault", s.RanksOf(f))
		f.Confidence = train.Certain
	},
}
