package startup

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var postStartHookFailing = rule.Cause{
	ID: "post-start-hook-failing", Stage: train.StageStart,
	Words: logfindings.Words{
		Title:   "The hook that runs after the start fails",
		Meaning: "The container started, its postStart hook failed, and the kubelet killed the container for it. What the program itself did until then does not matter.",
		Fix: "See what the hook runs and how it ends. $ kubectl describe pods\n" +
			"Correct lifecycle.postStart of the container, or do its work in an init container or at the beginning of the program.",
	},
	Evidence: "Event FailedPostStartHook, waiting reason PostStartHookError; the container ends with 137 or 143 about that time.",
	Hides:    []train.Cause{"sigkill-received", "sigterm-received", "application-error", "backoff-limit-exceeded", "restart-loop-waste"},

	FromMessages: true,
	MatchesEnd:   func(f *rule.Failure) bool { return rule.Killed(f) && f.Pod != nil && hookFailed(f) != nil },
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("%s was killed by the kubelet: its postStart hook failed", s.RanksOf(f))
		if match.Message != nil && match.Message.Reason == hookError && match.Message.Text != "" {
			f.Title += ": " + rule.Plain(match.Message.Text)
		}
		if match.Failure == nil {
			return
		}
		f.Confidence = train.Certain
		if e := hookFailed(match.Failure); e != nil {
			f.Evidence = append([]train.Evidence{rule.EventEvidence(e, match.Failure.Rank.Index)}, f.Evidence...)
		}
		if c := rule.StatusNow(match.Failure); c != nil && c.State.Waiting != nil && c.State.Waiting.Reason == hookError && c.State.Waiting.Message != "" {
			f.Title += ": " + rule.Plain(c.State.Waiting.Message)
		}
	},
}

// hookError is the reason of a container that waits after its hook failed; its
// message reports why.
const hookError = "PostStartHookError"

// hookFailed returns the kubelet's event that the hook of a container failed
// about the time of an end (kubelet 1.10 to 1.36
// pkg/kubelet/kuberuntime/kuberuntime_container.go), nil for none.
func hookFailed(f *rule.Failure) *corev1.Event {
	return f.Event(func(e *corev1.Event) bool { return e.Reason == "FailedPostStartHook" })
}
