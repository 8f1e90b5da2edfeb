package startup

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var permissionDenied = rule.Cause{
	ID: "permission-denied", Stage: train.StageStart,
	Meaning:  "The container may not run its program or read its files: missing x bits, another user, a read-only file system.",
	Evidence: "`exec: \"/x.sh\": permission denied`, exit code 126; in logs PermissionError.",
	Fix:      "Set the x bit in the image, or correct runAsUser and fsGroup.",
	Text: logs.Words{
		Title:   "Permission denied",
		Meaning: "The user of the container may not read, write or run the file.",
		Fix:     "Check the file's mode, runAsUser, fsGroup and read-only mounts.",
	},
	Hides: []train.Cause{"application-error", "backoff-limit-exceeded"},

	FromMessages: true,
	MatchesEnd:   func(f *rule.Failure) bool { return f.Code == 126 },
	Explain: func(s *rule.JobContext, f *train.Finding, by *rule.Match) {
		f.Title = fmt.Sprintf("%s may not run its command or use its files", s.RanksOf(f))
	},
}
