package diagnose

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// A TrainJob has no pod template of its own to change.
func TestEditsFitTheKind(t *testing.T) {
	for kind, want := range map[string][2]string{
		"PyTorchJob": {"@@ pod template: spec @@", "@@ container a: resources.limits @@"},
		"TrainJob":   {"@@ spec.podTemplateOverrides", "@@ spec.trainer: resourcesPerNode.limits @@"},
	} {
		s := &rule.JobContext{Job: &train.Job{Ref: train.Ref{Kind: kind, Namespace: "ml", Name: "bert"}}}
		got := s.Edit(rule.Change{Part: rule.PodSpec, Lines: "+  a\n"}, rule.Change{Part: rule.LimitsPart("a"), Lines: "+  b\n"})
		if !strings.HasPrefix(got, "--- ml/"+kind+"/bert\n+++ ml/"+kind+"/bert\n"+want[0]) || !strings.HasSuffix(got, "+  a\n"+want[1]+"\n+  b\n") {
			t.Errorf("%s: %s", kind, got)
		}
	}
}
