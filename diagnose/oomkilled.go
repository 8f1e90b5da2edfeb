package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/api/resource"
)

var oomKilled = cause{
	id: "oom-killed", stage: train.StageProgress,
	meaning:  "The kernel killed the container because it used more memory than its limit (main memory, not the GPU's).",
	evidence: "Container state terminated, reason OOMKilled, exit code 137. A child may be killed while the container lives on.",
	fix:      "Raise limits.memory, or use less: fewer data loader workers, smaller shared memory, smaller caches.",
	text: logs.Words{
		Title:   "Killed for using too much memory",
		Meaning: "The kernel killed the process: its container reached the memory limit, or the program was refused memory.",
		Fix:     "Raise the memory limit, or use fewer data loader workers and smaller buffers.\nSee the limit and the container's last state. $ kubectl describe pods",
	},
	hides: []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigkill-received", "dataloader-worker-killed", "nccl-connection-lost", "nccl-timeout"},

	hasMessages: true,
	matchesEnd:  func(f *failure) bool { return f.reason == "OOMKilled" || f.pod == nil && f.code == 137 },
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("%s was killed: it used more memory than its limit%s", s.ranksOf(f), memoryLimit(by))
		f.Confidence = train.Certain
		if by.failure != nil && by.failure.reason != "OOMKilled" {
			f.Title = fmt.Sprintf("%s was killed with exit code 137, most likely because it used more memory than its limit", s.ranksOf(f))
			f.Explanation = "Only an event remembers the end of this pod, and it keeps the code without the reason. 137 is SIGKILL: the memory limit is its usual cause."
			f.Confidence = train.Possible
		}
		f.Next = []train.Step{do(s.current.fix)}
		if step, can := s.editMemory(by); can {
			f.Next = append(f.Next, step)
		}
	},
}

// memoryLimit is " (64 GiB)" where the container has a limit.
func memoryLimit(by *match) string {
	if p := by.pod(); p != nil && by.failure != nil {
		if c := containerNamed(p.Pod, by.failure.container); c != nil {
			if limit := c.Resources.Limits.Memory(); limit != nil && !limit.IsZero() {
				return " (" + bytes(limit.Value()) + ")"
			}
		}
	}
	return ""
}

// editMemory is the change of the manifest that raises the limit by half.
func (s *jobContext) editMemory(by *match) (train.Step, bool) {
	p := by.pod()
	if p == nil || by.failure == nil {
		return train.Step{}, false
	}
	c := containerNamed(p.Pod, by.failure.container)
	if c == nil || c.Resources.Limits.Memory().IsZero() {
		return train.Step{}, false
	}
	limit := c.Resources.Limits.Memory()
	more := resource.NewQuantity(limit.Value()/2*3, resource.BinarySI)
	return train.Step{
		Text: "Raise the limit in the manifest.",
		Edit: s.edit(change{limitsPart(c.Name), fmt.Sprintf("-            memory: %s\n+            memory: %s\n", limit, more)}),
	}, true
}
