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

// unknownTimes is how often a message of unknown text is reported until it counts at
// once: controllers and kubelets try again after seconds at first, then more rarely.
const unknownTimes = 5

// stepReasons are the steps of a pod's start that a reason names, whatever its
// text (kubelet 1.10 to 1.36 pkg/kubelet/events and container runtimes' sync
// errors). Storage and container runtimes write texts of their own.
var stepReasons = map[string]train.Cause{
	"FailedMount": "failed-mount-timeout", "FailedAttachVolume": "failed-mount-timeout", "FailedMapVolume": "failed-mount-timeout",
	"CreateContainerConfigError": "application-error", "CreateContainerError": "application-error", "RunContainerError": "application-error",
	"PreCreateHookError": "application-error", "PreStartHookError": "application-error", "FailedCreatePodSandBox": "application-error", "PostStartHookError": "post-start-hook-failing",
}

// fromUnknownWords returns findings from messages whose text no signature
// matches and whose reason names the failing step, where nothing else is known
// of the pods or of the object that cannot create them.
func fromUnknownWords(s *rule.JobContext, messages []rule.Message, reported map[*rule.Pod]bool) []train.Finding {
	var found []train.Finding
	at := map[train.Cause]int{}
	for i := range messages {
		m := &messages[i]
		cause := stepCause(m)
		if cause == "" || reported[m.Pod] || m.Pod != nil && m.Pod.Rank.State == train.RankCrashing || !s.OlderThan(m.Since, unknownGrace) && m.Times() < unknownTimes {
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
	case m.Pod == nil && m.Component != "" && strings.HasPrefix(m.Reason, "Failed") && strings.Contains(m.Reason, "Create"):
		return "admission-webhook-denied"
	case m.Pod == nil, rule.HasAny(m.Text, "failed to sync configmap cache", "failed to sync secret cache", " not registered"):
		return "" // the kubelet's caches of a pod that is created or deleted
	case m.Reason == "CreateContainerConfigError" && rule.HasAny(m.Text, "subPath", "volumeMount"):
		return "failed-mount-timeout"
	}
	if cause := stepReasons[m.Reason]; cause != "" || m.Component == "" {
		return cause
	}
	if m.Pod.Rank.State == train.RankStarting && !asides[m.Reason] && rule.HasAny(m.Reason+" "+m.Text, troubles...) {
		return "application-error"
	}
	return ""
}

// troubles are words of warnings that report a failure.
var troubles = []string{"fail", "error", "unable", "cannot", "could not", "denied", "refused", "rejected", "timed out", "timeout", "not found", "exceeded", "unavailable", "invalid", "insufficient"}

// asides are warnings about pods that keep none from starting (kubelet 1.36
// pkg/kubelet/events; Kyverno's reports of policies that only audit).
var asides = map[string]bool{
	"DNSConfigForming": true, "MissingClusterDNS": true, "PolicyViolation": true, "HostNetworkNotSupported": true, "ImageGCFailed": true, "FreeDiskSpaceFailed": true,
	"FailedToRetrieveImagePullSecret": true, "Preempting": true, "Evicted": true, "TaintManagerEviction": true, "NodeNotReady": true, "FailedKillPod": true, "FailedPreStopHook": true, "FailedDaemonPod": true,
}

func explainUnknownWords(s *rule.JobContext, f *train.Finding, m *rule.Message) {
	said := rule.Plain(m.Text)
	switch f.Cause {
	case "admission-webhook-denied":
		if !rule.HasAny(m.Text, "is forbidden", "is invalid") {
			explainCreation(s, f, m)
			return
		}
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
	case "application-error":
		if m.Reason == "FailedCreatePodSandBox" {
			explainSandbox(s, f, m)
			return
		}
		if m.Container == "" {
			explainComponent(s, f, m)
			return
		}
		_, toolkit, isToolkit := strings.Cut(said, "nvidia-container-cli")
		if isToolkit {
			said = "nvidia-container-cli" + toolkit // its words alone, without those of its callers
		}
		f.Title = fmt.Sprintf("The node cannot start container %s of %s: %s", m.Container, s.RanksOf(f), said)
		f.Confidence = train.Possible // the cause means only that the container did not start
		f.Explanation = "The container has not run: the kubelet or the container runtime of node " + (&rule.Match{Message: m}).Node() + " gives up before its first line."
		f.Next = []train.Step{
			rule.Do("Read the message. If it names something in the job's manifest, correct it there; if not, delete the pod so that it is made anew, and look at the node's container runtime if that does not help."),
			s.ShowStep(&rule.Match{Message: m}),
		}
		if isToolkit {
			f.Next[0] = toolkitStep(said)
		}
	}
	f.Verify = rule.VerifyOf(f.Stage)
}

// toolkitStep returns what to do where the NVIDIA container toolkit cannot put
// the driver's files into a container.
func toolkitStep(said string) train.Step {
	if strings.Contains(said, "file exists") {
		return rule.Do("Remove the driver's files from the image (nvidia-smi, libcuda.so, libnvidia-*.so): the toolkit mounts those of the node, and cannot where the image has its own.")
	}
	return rule.Do("Look at the toolkit's settings on the node (/etc/nvidia-container-runtime/config.toml): the program that ldconfig names has to be there.")
}

// explainSandbox explains why the sandbox of a pod is not created, in words
// that speak of no network.
func explainSandbox(s *rule.JobContext, f *train.Finding, m *rule.Message) {
	node := (&rule.Match{Message: m}).Node()
	f.Title = fmt.Sprintf("Node %s cannot create the sandbox of %s: %s", node, s.RanksOf(f), rule.Plain(m.Text))
	f.Confidence = train.Possible
	f.Explanation = "The sandbox is what the containers of the pod share. The container runtime of the node gives up before there is one, and the kubelet tries again. No rule knows the words."
	f.Next = []train.Step{
		rule.Do("Look at the container runtime of the node: its log, its settings, free memory and process ids. Drain the node if others start there neither."),
		s.ShowStep(&rule.Match{Message: m}),
	}
	f.Verify = rule.VerifyOf(f.Stage)
}

// explainCreation explains why an object cannot create its pods, in words that
// no rule knows.
func explainCreation(s *rule.JobContext, f *train.Finding, m *rule.Message) {
	f.Title = "The pods cannot be created: " + rule.Plain(m.Text)
	f.Confidence = train.Possible
	f.Explanation = fmt.Sprintf("%s says so of %s. It tries again and again, and as long as this is the answer the job lacks pods. No rule knows the words.", rule.Capital(m.Component), m.Proof.Object)
	f.Next = []train.Step{
		rule.Do("Read the message: it names what refuses or does not answer. Look into the log of that component."),
		rule.Look("See what is said about the job.", rule.Kubectl("describe", s.Job.Ref)...),
	}
	f.Verify = rule.VerifyOf(f.Stage)
}

// explainComponent explains a warning about a pod by a component that no rule
// knows: which one reports it, of what, and what waits for it.
func explainComponent(s *rule.JobContext, f *train.Finding, m *rule.Message) {
	node := (&rule.Match{Message: m}).Node()
	f.Title = fmt.Sprintf("%s does not start: %s says %s: %s", s.RanksOf(f), m.Component, m.Reason, rule.Plain(m.Text))
	f.Confidence = train.Possible
	f.Explanation = fmt.Sprintf("%s says so of pod %s, which has node %s and no running container. No rule knows the words; as long as it says so the job waits for the pod.", m.Component, s.Ref(m.Pod), node)
	f.Next = []train.Step{
		rule.Do("Look for the words in the documentation and in the log of " + m.Component + ", on that node if it runs there."),
		s.ShowStep(&rule.Match{Message: m}),
	}
	f.Verify = rule.VerifyOf(f.Stage)
}
