package diagnose

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var commandNotFound = cause{
	id: "command-not-found", stage: train.StageStart,
	meaning:  "The container's command does not exist in its image: a wrong path, or arguments given without a command.",
	evidence: "StartError, ContainerCannotRun or RunContainerError with `executable file not found in $PATH` or `no such file or directory`; exit code 127.",
	fix:      "Correct command and args; an image without entry point needs a command.",
	text: logs.Words{
		Title:   "The command does not exist in the image",
		Meaning: "The program to start is not there, or arguments are given without a command.",
		Fix:     "Check command, args and the image's PATH.",
	},
	hides: []train.Cause{"application-error", "backoff-limit-exceeded"},

	hasMessages: true,
	matchesEnd:  func(f *failure) bool { return f.code == 127 },
	explain: func(s *jobContext, f *train.Finding, by *match) {
		command := cmp.Or(by.captured(0), between(by.text(), `exec: "`, `"`))
		f.Title = fmt.Sprintf("The command of %s does not exist in its image", s.ranksOf(f))
		if command != "" {
			f.Title = fmt.Sprintf("The command %q of %s does not exist in its image", command, s.ranksOf(f))
		}
		if strings.HasPrefix(command, "-") {
			f.Explanation = "The name looks like an option: args are given and no command, so the first of them is taken for the program."
		}
	},
}
