package startup

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var permissionDenied = rule.Cause{
	ID: "permission-denied", Stage: train.StageStart,
	Words: logfindings.Words{
		Title:   "Permission denied",
		Meaning: "The container's user may not run its program, or read or write a file: a missing execute bit, another user, or a read-only file system.",
		Fix:     "Set the execute bit (chmod +x) in the image, or correct runAsUser, fsGroup and read-only mounts.",
	},
	Evidence: "`exec: \"/x.sh\": permission denied`, exit code 126; in logs PermissionError.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded"},

	FromMessages: true,
	MatchesEnd:   func(f *rule.Failure) bool { return f.Code == 126 },
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		if rule.HasAny(match.Text(), "runAsNonRoot", "non-root policy") {
			f.Title = fmt.Sprintf("%s may not run as its image's user: %s", s.RanksOf(f), rule.Plain(match.Text()))
			f.Explanation = "The pod's securityContext demands a user other than root, and the image's user is root or a name that the kubelet cannot check."
			f.Next = []train.Step{rule.Do("Set runAsUser to a number other than 0, build the image with a numeric USER, or drop runAsNonRoot.")}
			return
		}
		if len(f.Evidence) > 0 && rule.HasAny(f.Evidence[0].Text, "read-only file system") {
			f.Title = fmt.Sprintf("%s: %s", s.RanksOf(f), rule.Plain(f.Evidence[0].Text))
			f.Explanation, f.Next = logfindings.ReadOnlyFiles.Meaning, logfindings.ReadOnlyFiles.Advice()
			return
		}
		f.Title = fmt.Sprintf("%s may not run its command or use its files", s.RanksOf(f))
	},
}
