package startup

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var permissionDenied = rule.Cause{
	ID: "permission-denied", Stage: train.StageStart,
	Words: logs.Words{
		Title:   "Permission denied",
		Meaning: "The container's user may not run its program, or read or write a file: a missing execute bit, another user, or a read-only file system.",
		Fix:     "Set the execute bit (chmod +x) in the image, or correct runAsUser, fsGroup and read-only mounts.",
	},
	Evidence: "`exec: \"/x.sh\": permission denied`, exit code 126; in logs PermissionError.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded"},

	FromMessages: true,
	MatchesEnd:   func(f *rule.Failure) bool { return f.Code == 126 },
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("%s may not run its command or use its files", s.RanksOf(f))
	},
}
