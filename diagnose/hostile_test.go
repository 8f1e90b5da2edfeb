package diagnose

import (
	"testing"

	"github.com/traintop/traintop/diagnose/rule"
	corev1 "k8s.io/api/core/v1"
)

// Text of an image, a message or a label never reaches a screen as control
// bytes, and never a shell unquoted.
func TestHostileTextIsTamed(t *testing.T) {
	evil := "x\x1b[31m'; rm -rf ~ #\n$(reboot)"
	runScenarios(t, []scenario{
		{name: "in an image", want: "image-not-found", build: starting(waits("ErrImagePull", evil+": manifest unknown"), func(p *corev1.Pod) { p.Spec.Containers[0].Image = evil })},
		{name: "in a selector", want: "node-selector-mismatch", build: both(
			waiting("0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector.", func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{evil: evil} }),
			func(c *cluster) { c.node("gpu-0", 8) })},
		{name: "in the end of a container", want: "application-error", build: failing(ended("gpu-0", 1, evil, evil, 1))},
	})
	if got, want := rule.Quoted([]string{"kubectl", "get", "it's", "a b"}), `kubectl get 'it'\''s' 'a b'`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
