package diagnose

import (
	"fmt"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// unknownGrace is how long a message of unknown text must be repeated until it
// counts: what heals by itself (a cache of the kubelet that is not filled yet)
// is over by then.
const unknownGrace = 2 * time.Minute

// stepReasons are the steps of a pod's start that a reason names, whatever its
// text (kubelet 1.10 to 1.36 pkg/kubelet/events and container runtimes' sync
// errors). Storage and container runtimes write texts of their own.
var stepReasons = map[string]train.Cause{
	"FailedMount": "failed-mount-timeout", "FailedAttachVolume": "failed-mount-timeout", "FailedMapVolume": "failed-mount-timeout",
	"CreateContainerConfigError": "application-error", "CreateContainerError": "application-error", "RunContainerError": "application-error",
	"PreCreateHookError": "application-error", "PreStartHookError": "application-error", "PostStartHookError": "application-error",
}

// fromUnknownWords returns findings from messages whose text no signature
// matches and whose reason names the failing step, where nothing else is known
// of the pods or of the object that cannot create them.
func fromUnknownWords(s *rule.JobContext, messages []rule.Message, told map[*rule.Pod]bool) []train.Finding {
	var found []train.Finding
	at := map[train.Cause]int{}
	for i := range messages {
		m := &messages[i]
		cause := stepCause(m)
		if cause == "" || told[m.Pod] || m.Pod != nil && m.Pod.Rank.State == train.RankCrashing || !s.OlderThan(m.Since, unknownGrace) {
			continue
		}
		if k, known := at[cause]; known {
			addMessage(&found[k], m)
			continue
		}
		s.Current = s.Causes.Of(cause)
		f := s.NewFinding(train.SeverityError, m.Since)
		addMessage(&f, m)
		f.Confidence = train.Likely
		explainUnknownWords(s, &f, m)
		at[cause] = len(found)
		found = append(found, f)
	}
	return found
}

// stepCause returns the general cause of the step which a message names, ""
// for none.
func stepCause(m *rule.Message) train.Cause {
	switch {
	case m.Pod == nil && strings.HasPrefix(m.Reason, "Failed") && strings.Contains(m.Reason, "Create") && rule.HasAny(m.Text, "is forbidden", "is invalid"):
		return "admission-webhook-denied"
	case m.Pod == nil, rule.HasAny(m.Text, "failed to sync configmap cache", "failed to sync secret cache", " not registered"):
		return "" // the kubelet's caches of a pod that is created or deleted
	case m.Reason == "CreateContainerConfigError" && rule.HasAny(m.Text, "subPath", "volumeMount"):
		return "failed-mount-timeout"
	}
	return stepReasons[m.Reason]
}

func explainUnknownWords(s *rule.JobContext, f *train.Finding, m *rule.Message) {
	said := rule.Plain(m.Text)
	switch f.Cause {
	case "admission-webhook-denied":
		f.Title = "The API server refuses the pods: " + said
		f.Explanation = "The controller of the job asks for its pods again and again, and the API server answers each time that they are not allowed or not valid."
		f.Next = []train.Step{
			rule.Do("Correct what the message names in the job's pod template."),
			rule.Look("See what is said about the job.", rule.Kubectl("describe", s.Job.Ref)...),
		}
	case "failed-mount-timeout":
		f.Title = fmt.Sprintf("%s cannot mount %s: %s", s.RanksOf(f), (&rule.Match{Message: m}).Volume(), said)
		f.Explanation = "The kubelet tries again, and each time it ends like this. The pod does not start before all its volumes are mounted."
		f.Next = []train.Step{
			rule.Do("Read the message: it comes from the storage or its driver. Check the volume's settings, and that its driver runs on the node."),
			s.ShowStep(&rule.Match{Message: m}),
		}
	default:
		f.Title = fmt.Sprintf("The node cannot start container %s of %s: %s", m.Container, s.RanksOf(f), said)
		f.Confidence = train.Possible // the cause says only that the container did not start
		f.Explanation = "The container has not run: the kubelet or the container runtime of node " + (&rule.Match{Message: m}).Node() + " gives up before its first line."
		f.Next = []train.Step{
			rule.Do("Read the message. If it names something in the job's manifest, correct it there; if not, delete the pod so that it is made anew, and look at the node's container runtime if that does not help."),
			s.ShowStep(&rule.Match{Message: m}),
		}
	}
	f.Verify = rule.VerifyOf(f.Stage)
}
