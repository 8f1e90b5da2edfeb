package volumes

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var secretKeyMissing = rule.Cause{
	ID: "secret-key-missing", Stage: train.StageVolumes,
	Words: logfindings.Words{
		Title:   "A key is missing in a Secret",
		Meaning: "The Secret exists, but the key that the pods need is not in it.",
		Fix:     "Add the key, correct its name, or mark it optional.",
	},
	Evidence: "`couldn't find key k in Secret ns/s`, `references non-existent secret key`.",
	Hides:    []train.Cause{"failed-mount-timeout", "init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("A key that %s needs is missing in a Secret: %s", s.RanksOf(f), rule.Plain(match.Text()))
		f.Next = s.Current.Advice()
		if name := rule.LastName(rule.Between(match.Text()+" ", "in Secret ", " "), ""); name != "" {
			f.Next = append(f.Next, rule.Look("See which keys there are (not their values).", "kubectl", "describe", "secret", name, "-n", s.Job.Ref.Namespace))
		}
	},
}
