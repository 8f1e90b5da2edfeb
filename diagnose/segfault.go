package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var segfault = cause{
	id: "segfault", stage: train.StageProgress,
	meaning:  "A program of the container crashed with an invalid memory access (SIGSEGV): most often native code of a library, versions that do not go together, or broken memory.",
	evidence: "Exit code 139; `exitcode: -11`; kernel `segfault at ...`.",
	fix:      "Compare the versions of CUDA, torch and its extensions; get a core dump.",
	text: logs.Words{
		Title:   "Crashed with a segmentation fault",
		Meaning: "Native code used a wrong address.",
		Fix:     "Look for a stack above; run with PYTHONFAULTHANDLER=1.",
	},
	hides: []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed"},

	matchesEnd: func(f *failure) bool { return f.code == 139 },
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("%s crashed with a segmentation fault", s.ranksOf(f))
		f.Confidence = train.Certain
	},
}
