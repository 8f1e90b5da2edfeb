package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var secretKeyMissing = cause{
	id: "secret-key-missing", stage: train.StageVolumes,
	meaning:  "The Secret exists, and the key that the pods want is not in it.",
	evidence: "`couldn't find key k in Secret ns/s`, `references non-existent secret key`.",
	fix:      "Add the key, correct its name, or mark it optional.",
	text: logs.Words{
		Title:   "A key is missing in a Secret",
		Meaning: "The object is there, the key is not.",
		Fix:     "Add the key, or mark it optional.",
	},
	hides: []train.Cause{"failed-mount-timeout", "init-container-failing"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("A key that %s needs is missing in a Secret: %s", s.ranksOf(f), plain(by.text()))
		f.Next = []train.Step{do(s.current.fix)}
		if name := lastName(between(by.text()+" ", "in Secret ", " "), ""); name != "" {
			f.Next = append(f.Next, look("See which keys there are (not their values).", "kubectl", "describe", "secret", name, "-n", s.job.Ref.Namespace))
		}
	},
}
