package runtime

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var endUnknown = rule.Cause{
	ID: "end-unknown", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "How the container ended is unknown",
		Meaning: "The kubelet no longer found the container when it ended the pod, and wrote exit code 137 in place of the real one. The container may have been killed, have failed or have completed: the node restarted, its container runtime lost the container, or the pod was deleted meanwhile.",
		Fix: "See what happened to the node at that time. $ kubectl describe nodes\n" +
			"Read the end of the rank's log where logs are kept: it shows whether the program had ended by itself.",
	},
	Evidence: "Container reason ContainerStatusUnknown, `The container could not be located when the pod was terminated`.",
	Hides:    []train.Cause{"application-error", "backoff-limit-exceeded", "restart-loop-waste", "torchrun-child-failed"},

	FromMessages: true,
	MatchesEnd:   func(f *rule.Failure) bool { return f.Reason == "ContainerStatusUnknown" },
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("How %s ended is unknown: its kubelet no longer found the container", s.RanksOf(f))
		f.Confidence = train.Possible
		if node := match.Node(); node != "" {
			f.Next = append([]train.Step{rule.Look("See what happened to the node at that time.", "kubectl", "describe", "node", node)}, s.Current.Advice()...)
		}
	},
}
