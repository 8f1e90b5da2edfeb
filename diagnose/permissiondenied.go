package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var permissionDenied = cause{
	id: "permission-denied", stage: train.StageStart,
	meaning:  "The container may not run its program or read its files: missing x bits, another user, a read-only file system.",
	evidence: "`exec: \"/x.sh\": permission denied`, exit code 126; in logs PermissionError.",
	fix:      "Set the x bit in the image, or correct runAsUser and fsGroup.",
	text: logs.Words{
		Title:   "Permission denied",
		Meaning: "The user of the container may not read, write or run the file.",
		Fix:     "Check the file's mode, runAsUser, fsGroup and read-only mounts.",
	},
	hides: []train.Cause{"application-error", "backoff-limit-exceeded"},

	hasMessages: true,
	matchesEnd:  func(f *failure) bool { return f.code == 126 },
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("%s may not run its command or use its files", s.ranksOf(f))
	},
}
