package startup

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var commandNotFound = rule.Cause{
	ID: "command-not-found", Stage: train.StageStart,
	Words: logfindings.Words{
		Title:   "The command does not exist in the image",
		Meaning: "The container's command does not exist in its image: a wrong path, or arguments given without a command.",
		Fix:     "Correct command and args, or the image's PATH; an image without entry point needs a command.",
	},
	Evidence: "StartError, ContainerCannotRun or RunContainerError with `executable file not found in $PATH` or `no such file or directory`; exit code 127.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded"},

	FromMessages: true,
	MatchesEnd:   func(f *rule.Failure) bool { return f.Code == 127 },
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		if directory := rule.Between(match.Text(), `chdir to cwd ("`, `"`); directory != "" {
			f.Title = fmt.Sprintf("Working directory %s of %s cannot be entered", rule.Plain(directory), s.RanksOf(f))
			f.Explanation = "The container starts in workingDir, and that is not there or is no folder."
			f.Next = []train.Step{rule.Do("Correct workingDir in the job, or create the folder in the image or its volume.")}
			return
		}
		command := cmp.Or(match.CaptureFrom(0), rule.Between(match.Text(), `exec: "`, `"`))
		f.Title = fmt.Sprintf("The command of %s does not exist in its image", s.RanksOf(f))
		if command != "" {
			f.Title = fmt.Sprintf("The command %q of %s does not exist in its image", command, s.RanksOf(f))
		}
		if strings.HasPrefix(command, "-") {
			f.Explanation = "The name looks like an option: args are given and no command, so the first of them is taken for the program."
		}
	},
}
