package diagnose

import (
	"slices"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// Reach are the flags with which kubectl and traintop reach the cluster that was
// diagnosed, as --context prod; none where they do without, and for files. A command
// that is copied without them asks, or changes, the cluster of the current context.
type Reach []string

// ReachFlags are the flags that may be among them, each with a value.
var ReachFlags = []string{"--kubeconfig", "--context", "--cluster", "--user", "--server", "--as", "--as-group"}

// String returns the flags as a part of a command line, quoted for a POSIX shell.
func (r Reach) String() string { return rule.Quoted(r) }

// addTo puts the flags into the kubectl commands of findings.
func (r Reach) addTo(found []train.Finding) {
	if len(r) == 0 {
		return
	}
	for i := range found {
		// Rules share steps between findings.
		found[i].Next = slices.Clone(found[i].Next)
		for k := range found[i].Next {
			step := &found[i].Next[k]
			if len(step.Arguments) == 0 || step.Arguments[0] != "kubectl" {
				continue
			}
			step.Arguments = slices.Concat([]string{"kubectl"}, r, step.Arguments[1:])
			step.Command = rule.Quoted(step.Arguments)
		}
	}
}
