package runtime

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/api/resource"
)

var oomKilled = rule.Cause{
	ID: "oom-killed", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "Killed for using too much memory",
		Meaning: "The kernel killed the process because its container used more memory than its limit (main memory, not the GPU's). Where only a log shows it, the program may have been refused memory instead.",
		Fix: "Raise limits.memory, or use less: fewer data loader workers, smaller buffers, caches and shared memory.\n" +
			"See the limit and the container's last state. $ kubectl describe pods",
	},
	Evidence: "Container state terminated, reason OOMKilled, exit code 137. A child may be killed while the container lives on.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed", "sigkill-received", "dataloader-worker-killed", "nccl-connection-lost", "nccl-timeout"},

	FromMessages: true,
	MatchesEnd:   func(f *rule.Failure) bool { return f.Reason == "OOMKilled" || f.Pod == nil && f.Code == 137 },
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		who := s.RanksOf(f)
		if match.Failure != nil && match.Failure.Init {
			who = rule.Capital(match.Failure.Name())
		}
		f.Title = fmt.Sprintf("%s was killed: it used more memory than its limit%s", who, memoryLimit(match))
		f.Confidence = train.Certain
		if end := match.Failure; end != nil && killedAlone(end) {
			explainKilled(s, f, end)
			return
		}
		if end := match.Failure; end != nil && refusedMemory(end) {
			explainRefused(s, f)
			return
		}
		f.Next = s.Current.Advice()
		if step, can := editMemory(s, match); can {
			f.Next = append(f.Next, step)
		}
	},
}

// killedAlone reports an end of which nothing but SIGKILL is known: an event
// contains only the code, or a launcher saw the signal of its child.
func killedAlone(end *rule.Failure) bool {
	if end.Reason == "OOMKilled" {
		return false
	}
	if end.Hit != nil && end.Hit.Cause == "oom-killed" {
		return logfindings.SigkillOnly(end.Hit)
	}
	return end.Pod == nil
}

// refusedMemory reports an end of a program that was refused memory.
func refusedMemory(end *rule.Failure) bool {
	return end.Reason != "OOMKilled" && end.Hit != nil && logfindings.IsRefusal(end.Hit)
}

func explainRefused(s *rule.JobContext, f *train.Finding) {
	f.Confidence = train.Likely
	f.Title = fmt.Sprintf("%s was refused main memory, and ended with that error", s.RanksOf(f))
	f.Explanation, f.Next = logfindings.Refused.Meaning, logfindings.Refused.Steps()
}

func explainKilled(s *rule.JobContext, f *train.Finding, end *rule.Failure) {
	f.Confidence = train.Possible
	f.Title = fmt.Sprintf("%s was killed with SIGKILL (exit code %d), by whom is not known", s.RanksOf(f), end.Code)
	f.Explanation = logfindings.Killed.Meaning
	if end.Code != 137 {
		f.Title = fmt.Sprintf("A process of %s was killed with SIGKILL, by whom is not known", s.RanksOf(f))
	} else if end.Pod == nil {
		f.Explanation = "Only an event remembers the end of this pod, and it keeps the code without the reason. " + f.Explanation
	}
	f.Next = logfindings.Killed.Steps()
}

// memoryLimit returns " (64 GiB)" where the container has a limit.
func memoryLimit(match *rule.Match) string {
	if p := match.Pod(); p != nil && match.Failure != nil {
		if c := rule.ContainerNamed(p.Pod, match.Failure.Container); c != nil {
			if limit := c.Resources.Limits.Memory(); limit != nil && !limit.IsZero() {
				return " (" + termtext.Bytes(limit.Value()) + ")"
			}
		}
	}
	return ""
}

// editMemory returns the change of the manifest that raises the limit by half.
func editMemory(s *rule.JobContext, match *rule.Match) (train.Step, bool) {
	p := match.Pod()
	if p == nil || match.Failure == nil {
		return train.Step{}, false
	}
	c := rule.ContainerNamed(p.Pod, match.Failure.Container)
	if c == nil || c.Resources.Limits.Memory().IsZero() {
		return train.Step{}, false
	}
	limit := c.Resources.Limits.Memory()
	more := resource.NewQuantity(limit.Value()/2*3, resource.BinarySI)
	return train.Step{
		Text: "Raise the limit in the manifest.",
		Edit: s.Edit(rule.Change{Part: rule.LimitsPart(c.Name), Lines: fmt.Sprintf("-            memory: %s\n+            memory: %s\n", limit, more)}),
	}, true
}
