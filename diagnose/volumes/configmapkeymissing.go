package volumes

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var configMapKeyMissing = rule.Cause{
	ID: "configmap-key-missing", Stage: train.StageVolumes,
	Meaning:  "The ConfigMap exists, and the key that the pods want is not in it.",
	Evidence: "`couldn't find key k in ConfigMap ns/c`, `configmap references non-existent config key`.",
	Fix:      "Add the key, correct its name, or mark it optional.",
	Text: logs.Words{
		Title:   "A key is missing in a ConfigMap",
		Meaning: "The object is there, the key is not.",
		Fix:     "Add the key, or mark it optional.",
	},
	Hides: []train.Cause{"failed-mount-timeout", "init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, by *rule.Match) {
		f.Title = fmt.Sprintf("A key that %s needs is missing in a ConfigMap: %s", s.RanksOf(f), rule.Plain(by.Text()))
		f.Next = []train.Step{rule.Do(s.Current.Fix)}
		if name := rule.LastName(rule.Between(by.Text()+" ", "in ConfigMap ", " "), ""); name != "" {
			f.Next = append(f.Next, rule.Look("See which keys there are.", "kubectl", "describe", "configmap", name, "-n", s.Job.Ref.Namespace))
		}
	},
}
