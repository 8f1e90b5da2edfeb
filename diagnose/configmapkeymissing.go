package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var configMapKeyMissing = cause{
	id: "configmap-key-missing", stage: train.StageVolumes,
	meaning:  "The ConfigMap exists, and the key that the pods want is not in it.",
	evidence: "`couldn't find key k in ConfigMap ns/c`, `configmap references non-existent config key`.",
	fix:      "Add the key, correct its name, or mark it optional.",
	text: logs.Words{
		Title:   "A key is missing in a ConfigMap",
		Meaning: "The object is there, the key is not.",
		Fix:     "Add the key, or mark it optional.",
	},
	hides: []train.Cause{"failed-mount-timeout", "init-container-failing"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("A key that %s needs is missing in a ConfigMap: %s", s.ranksOf(f), plain(by.text()))
		f.Next = []train.Step{do(s.current.fix)}
		if name := lastName(between(by.text()+" ", "in ConfigMap ", " "), ""); name != "" {
			f.Next = append(f.Next, look("See which keys there are.", "kubectl", "describe", "configmap", name, "-n", s.job.Ref.Namespace))
		}
	},
}
