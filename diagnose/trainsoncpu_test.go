package diagnose

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// A program that goes on without its GPUs fails nowhere; that is reported only of
// a container that has some.
func TestTrainingOnTheCPU(t *testing.T) {
	const cause = "trains-on-cpu"
	of := func(text string, changes ...func(*corev1.Pod)) func(*cluster) {
		return func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, append(changes, running("gpu-0", 9))...)
			l := c.log(0)
			l.now = noon.Add(-8 * 60e9)
			l.say(0, text)
			for _, match := range signatures.Find(signatures.InLog, text) {
				c.events = append(c.events, store.Logged{Stream: l.stream, Hits: []train.LogHit{{Cause: match.Cause, Signature: match.Signature, Line: l.number, Time: l.now, Rank: -1, Text: text}}})
			}
			l.steps(0, 10e9)
		}
	}
	noGPU := func(p *corev1.Pod) {
		p.Spec.Containers[0].Resources = corev1.ResourceRequirements{}
	}
	runScenarios(t, []scenario{
		{name: "a script", want: cause, severity: train.SeverityWarning, title: "worker-0", build: of("No GPU found, training on CPU")},
		{name: "another", want: cause, build: of("WARNING: CUDA not available, using CPU")},
		{name: "pytorch-lightning", want: cause, build: of("GPU available: False, used: False")},
		{name: "near miss: it has no GPU", never: []train.Cause{cause, "no-gpu-visible"}, build: of("No GPU found, training on CPU", noGPU)},
		{name: "near miss: it uses it", never: []train.Cause{cause}, build: of("GPU available: True (cuda), used: True")},
	})
}
