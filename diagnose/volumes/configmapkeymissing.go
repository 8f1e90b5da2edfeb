package volumes

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var configMapKeyMissing = rule.Cause{
	ID: "configmap-key-missing", Stage: train.StageVolumes,
	Words: logfindings.Words{
		Title:   "A key is missing in a ConfigMap",
		Meaning: "The ConfigMap exists, but the key that the pods need is not in it.",
		Fix:     "Add the key, correct its name, or mark it optional.",
	},
	Evidence: "`couldn't find key k in ConfigMap ns/c`, `configmap references non-existent config key`.",
	Hides:    []train.Cause{"failed-mount-timeout", "init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("A key that %s needs is missing in a ConfigMap: %s", s.RanksOf(f), rule.Plain(match.Text()))
		f.Next = s.Current.Advice()
		if name := rule.LastName(rule.Between(match.Text()+" ", "in ConfigMap ", " "), ""); name != "" {
			f.Next = append(f.Next, rule.Look("See which keys there are.", "kubectl", "describe", "configmap", name, "-n", s.Job.Ref.Namespace))
		}
	},
}
