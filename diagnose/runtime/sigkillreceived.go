package runtime

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var sigkillReceived = rule.Cause{
	ID: "sigkill-received", Stage: train.StageProgress,
	Words:    logfindings.Killed,
	Evidence: "Exit code 137 with reason Error and no sign of memory; a launcher or shell that saw its child killed (torchrun excepted: oom-killed).",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed"},

	MatchesEnd: func(f *rule.Failure) bool { return f.Code == 137 },
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("%s was killed with SIGKILL%s, by whom is not known", s.RanksOf(f), killCode(match))
		if match != nil && match.Failure != nil && match.Failure.Code != 137 {
			f.Title = fmt.Sprintf("A process of %s was killed with SIGKILL, by whom is not known", s.RanksOf(f))
		}
		f.Confidence = train.Likely
		f.Explanation = "The reason is not OOMKilled, so it was not the container's memory limit as far as the kubelet knows. A child process that is killed for memory looks the same where the kernel counts by process. " + logfindings.Killed.Meaning
		f.Next = logfindings.Killed.Steps()
	},
}

// killCode returns " (exit code 137)" where the container ended with it.
// A code of another kind is the launcher's, whose child was killed.
func killCode(match *rule.Match) string {
	if match == nil || match.Failure == nil || match.Failure.Code != 137 {
		return ""
	}
	return " (exit code 137)"
}
