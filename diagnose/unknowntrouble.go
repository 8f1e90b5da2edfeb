package diagnose

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/runtime"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// unknownTrouble is trouble of a running job that no rule has a name for. A job
// that has it is not reported as well.
type unknownTrouble struct {
	// warning is the newest event of type Warning with a reason that no
	// component of Kubernetes writes, "" for none; from is who wrote it.
	warning, from string
	// unready names which rank runs and is not ready, and what its containers
	// wait for.
	unready string
	// condition is a condition of a node under a rank that no rule knows, with
	// its words, "" for none.
	condition string
	// status is the words of the job's status that nobody knows, "" for none.
	status string
}

const (
	// warnedFor is how long a warning counts that is not repeated. An API server
	// forgets events after an hour by default (--event-ttl); a recording does not.
	warnedFor = 2 * time.Hour
	// unreadyLong is how long a rank may run without being ready: images of
	// containers beside it are pulled, and programs load.
	unreadyLong = 15 * time.Minute
)

// ofKubernetes are the reasons of warnings that rules look at, with what heals
// them, or that mean nothing for a job (kubernetes 1.36 pkg/kubelet/events,
// pkg/scheduler, pkg/controller).
var ofKubernetes = regexp.MustCompile(`^(?:BackOff|Failed|Unhealthy|ProbeWarning|FailedScheduling|Failed(?:Mount|MapVolume|AttachVolume|Create\w*|Delete\w*|Kill\w*|Sync|Resize\w*|PreStopHook|PostStartHook|Binding|Daemon\w*|ToRetrieveImagePullSecret|ToUpdateEndpoint\w*|PrepareDynamicResources|PodSandBoxStatus|Validation)|InspectFailed|ErrImageNeverPull|NetworkNotReady|DNSConfigForming|ExceededGracePeriod|Evicted|Preempt\w*|TaintManagerEviction|NodeNotReady|NodeNotSchedulable|BackoffLimitExceeded|DeadlineExceeded|OOMKilling|SystemOOM|Rebooted|InvalidDiskCapacity|ImageGCFailed|FreeDiskSpaceFailed|ContainerGCFailed|EvictionThresholdMet|UnexpectedAdmissionError|OutOf\w+|ProvisioningFailed|VolumeFailed\w*|WaitForFirstConsumer|Policy\w*|CIDRNotAvailable|HostPortConflict|KubeletSetupFailed|FailedNodeAllocatableEnforcement|ClaimMisbound|UnexpectedJob|TooManyActivePods|Unschedulable|Gang\w*|NotTriggerScaleUp` +
	// states of containers and of jobs, which operators write again as events
	`|\w*BackOff|Err\w+|CreateContainer\w*|RunContainerError|ContainerCannotRun|Error|OOMKilled|ExitedWithCode|\w*Job(?:Failed|Restarting|TimedOut|Suspended)\w*)$`)

// saysTrouble matches words of a failure in the text or the reason of an event.
var saysTrouble = regexp.MustCompile(`(?i)error|fail|fatal|died|\bdead\b|\blost\b|kill|crash|panic|corrupt|unhealthy|denied|refused|cannot|could not|unable|timed? ?out|uncorrectable|\bxid\b|fallen off|stuck|\bhang|\bhung|exceed|abort|broken|damaged|blocked for more than|read-?only ?file|\blink[ _-]?(?:is |went )?down\b|linkdown|(?:not|n't) respond|unresponsive`)

// unknownTroubleOf looks for trouble of a job that runs and that no rule names.
func unknownTroubleOf(s *rule.JobContext) (u unknownTrouble) {
	if s.Job.LogsOnly || s.Job.Phase != train.Running && s.Job.Phase != train.Pending {
		return u
	}
	var newest *corev1.Event
	note := func(events []*corev1.Event) {
		for _, e := range events {
			if isUnknownWarning(s, e) && (newest == nil || kinds.EventTime(e).After(kinds.EventTime(newest))) {
				newest = e
			}
		}
	}
	note(s.EventsFor(s.Job.Ref))
	for _, p := range s.Pods {
		note(s.PodEvents(p))
		note(nodeWarnings(s, p))
		if u.unready == "" {
			u.unready = whyUnready(s, p)
		}
	}
	u.condition, u.status = unknownCondition(s), rule.Plain(s.Job.UnknownStatus)
	if newest != nil {
		times := ""
		if n := max(newest.Count, 1); n > 1 {
			times = fmt.Sprintf(" (%d times)", n)
		}
		u.warning = rule.Plain(newest.Reason+": "+newest.Message) + times
		u.from = rule.Plain(firstNamed(newest.Source.Component, newest.ReportingController, newest.InvolvedObject.Kind))
	}
	return u
}

// nodeWarnings are the warnings about the node of a rank that runs, since its pod began.
// Of faults of devices, those that harm what runs are findings.
func nodeWarnings(s *rule.JobContext, p *rule.Pod) []*corev1.Event {
	if p.Spec.NodeName == "" || p.Status.Phase != corev1.PodRunning {
		return nil
	}
	began := runtime.StartOf(p.Pod)
	return slices.DeleteFunc(slices.Clone(s.EventsFor(rule.CoreRef("Node", "", p.Spec.NodeName))), func(e *corev1.Event) bool {
		text := e.Reason + ": " + e.Message
		cause, _, _ := faultIn(text)
		return deviceCauses[cause] || cause != "" && xidOfDriver.MatchString(text) || harmsRunning(e) || kinds.EventTime(e).Before(began)
	})
}

// unknownCondition returns a condition that reports trouble of a node under a rank, in
// words that no rule knows, and counts the others; "" for none.
func unknownCondition(s *rule.JobContext) string {
	first, others := "", 0
	var looked []string
	for _, p := range s.Pods {
		name := p.Spec.NodeName
		if s.Pressed[name] == "" || slices.Contains(looked, name) {
			continue
		}
		looked = append(looked, name)
		o, _ := s.LookUp(kinds.NodeKind, "", name)
		node, is := o.(*corev1.Node)
		for i := 0; is && i < len(node.Status.Conditions); i++ {
			c := &node.Status.Conditions[i]
			switch {
			case !isUnknownCondition(c):
			case first == "":
				first = fmt.Sprintf("node %s, where %s runs, has the condition %s: %s", rule.Plain(name), rule.RankName(p.Rank), rule.Plain(string(c.Type)), conditionWords(s, node, c))
			default:
				others++
			}
		}
	}
	if others > 0 {
		first += "; " + termtext.More(others, "such condition") + termtext.Agree(others, " is there", " are there")
	}
	return first
}

// isUnknownCondition reports whether a condition of a node reports trouble that no rule
// has a name for. Those of features that go out of use, as GKE's, are no trouble.
func isUnknownCondition(c *corev1.NodeCondition) bool {
	if !reportsTrouble(c) || strings.HasPrefix(string(c.Type), "Deprecated") || len(sentinelFaults(string(c.Type), c.Reason, c.Message)) > 0 {
		return false
	}
	cause, _, _ := faultIn(conditionText(c))
	return cause == ""
}

// conditionWords returns the state of a condition, since when it holds and its words.
func conditionWords(s *rule.JobContext, node *corev1.Node, c *corev1.NodeCondition) string {
	text := string(c.Status)
	if since := kinds.HeldSince(node, c.LastTransitionTime.Time); !since.IsZero() {
		text += " for " + termtext.Duration(s.Now.Sub(since))
	}
	return rule.Plain(strings.Join(rule.NonEmpty(text, c.Reason, c.Message), ": "))
}

func firstNamed(names ...string) string {
	at := slices.IndexFunc(names, func(name string) bool { return name != "" })
	return names[max(at, 0)]
}

func isUnknownWarning(s *rule.JobContext, e *corev1.Event) bool {
	return hasUnknownReason(e) && !s.OlderThan(kinds.EventTime(e), warnedFor)
}

func hasUnknownReason(e *corev1.Event) bool {
	return e.Type == corev1.EventTypeWarning && !ofKubernetes.MatchString(e.Reason) && saysTrouble.MatchString(e.Reason+" "+e.Message)
}

// warnedObjects are the objects about which there is a warning with a reason
// that no rule knows, or of a probe that fails again and again. They are few: rules look no further at jobs that run.
type warnedObjects map[warnedObject]bool

type warnedObject struct{ kind, namespace, name string }

// mostWarnings bounds how many warnings of a cluster are looked at.
const mostWarnings = 20_000

func warnedObjectsOf(s *store.Snapshot) warnedObjects {
	warned, left := warnedObjects{}, mostWarnings
	s.Events(func(e *corev1.Event) bool { // the Normal ones come last
		if hasUnknownReason(e) || rule.ProbeFailsAgain(e) {
			about := &e.InvolvedObject
			of := warnedObject{about.Kind, about.Namespace, about.Name}
			if of.kind == kinds.NodeKind.Kind {
				of.namespace = "" // node-problem-detector writes one
			}
			warned[of] = true
		}
		left--
		return left > 0 && e.Type != corev1.EventTypeNormal
	})
	return warned
}

// has reports whether the warnings are about a job or its pods.
func (w warnedObjects) has(job *train.Job) bool {
	if len(w) == 0 {
		return false
	}
	pod := func(r train.Rank) bool {
		return w[warnedObject{"Pod", r.Namespace, r.Pod}] || r.Node != "" && w[warnedObject{"Node", "", r.Node}]
	}
	return w[warnedObject{job.Ref.Kind, job.Ref.Namespace, job.Ref.Name}] || slices.ContainsFunc(job.Ranks, pod)
}

// whyUnready returns how a pod that runs is not ready, "" where it is, or has
// not been unready for long: a container beside the training one that fails to
// start again and again counts at once.
func whyUnready(s *rule.JobContext, p *rule.Pod) string {
	ready := rule.PodCondition(p.Pod, corev1.PodReady)
	if p.Status.Phase != corev1.PodRunning || p.DeletionTimestamp != nil || p.Rank.State != train.RankRunning || ready == nil || ready.Status == corev1.ConditionTrue {
		return ""
	}
	var waits []string
	for i := range p.Status.ContainerStatuses {
		c := &p.Status.ContainerStatuses[i]
		if w := c.State.Waiting; w != nil && w.Reason != "ContainerCreating" && w.Reason != "PodInitializing" {
			text := "container " + rule.Plain(c.Name) + " waits: " + rule.Plain(firstNamed(w.Reason, "no reason is given"))
			if c.RestartCount > 0 {
				text += " (" + termtext.Count(int(c.RestartCount), "restart") + ")"
			}
			waits = append(waits, text)
		}
	}
	since := kinds.HeldSince(p.Pod, ready.LastTransitionTime.Time)
	if len(waits) == 0 && (since.IsZero() || !s.OlderThan(since, unreadyLong)) {
		return ""
	}
	text := rule.RankName(p.Rank) + " runs and is not ready"
	if !since.IsZero() {
		text += " for " + termtext.Duration(s.Now.Sub(since))
	}
	if len(waits) > 0 {
		text += "; " + strings.Join(waits, ", ")
	}
	return text
}

// missingNames adds trouble that no rule names.
func (c *concluder) missingNames() {
	u := &c.answer.seen.unknown
	if c.hasCause() || c.guess() != nil || InTrouble(c.job) {
		return
	}
	if u.condition != "" {
		c.miss(true, "what a condition of a node means", u.condition+"; no rule knows it", "whoever sets it on nodes says what it means: node-problem-detector, an agent of the cloud or of the cluster's own; kubectl describe node shows all conditions")
	}
	if u.status != "" {
		c.miss(true, "what the status of the job means", u.status+"; no rule knows it", "the documentation and the log of the operator that writes it say what it means; for a kind of the configuration phases: names the words of its phases")
	}
	if c.job.Restarts > 0 {
		return
	}
	if u.unready != "" {
		c.miss(true, "why a rank is not ready", u.unready, "kubectl describe of the pod, and the logs of its other containers (kubectl logs POD --all-containers)")
	}
	if u.warning != "" {
		c.miss(true, "what an event means", "a warning is there that no rule knows: "+u.warning, "it was written by "+u.from+": its documentation and its log say what it means")
	}
}
