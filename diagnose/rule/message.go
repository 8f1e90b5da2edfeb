package rule

import (
	"cmp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Message is one message of Kubernetes about a pod that does not start, or
// about an object that cannot create its pods.
type Message struct {
	Pod          *Pod // nil about the job or what it owns
	Reason, Text string
	Container    string // "" for the pod as a whole
	// Component wrote the event, "" for a condition or a state.
	Component string
	init      bool // of an init container
	Since, at time.Time
	times     int
	Proof     train.Evidence
}

// StartMessages returns the messages about pods that have a node and do not
// run, unless something later shows that they are over.
func (s *JobContext) StartMessages() []Message {
	var list []Message
	for _, p := range s.Pods {
		switch p.Rank.State {
		case train.RankStarting, train.RankWaiting, train.RankCrashing:
			list = append(list, s.containerMessages(p)...)
			list = append(list, s.podMessages(p)...)
		}
	}
	return list
}

// containerMessages returns why containers wait.
func (s *JobContext) containerMessages(p *Pod) []Message {
	var list []Message
	read := func(statuses []corev1.ContainerStatus, path string, init bool) {
		for i := range statuses {
			waiting := statuses[i].State.Waiting
			if waiting == nil || idleReasons[waiting.Reason] {
				continue
			}
			m := Message{Pod: p, Reason: waiting.Reason, Text: waiting.Message, Container: statuses[i].Name, init: init, Since: ScheduledAt(p), times: 1}
			text := Plain(waiting.Reason + ": " + waiting.Message)
			m.Proof = StatusEvidence(kinds.PodRef(p.Pod), path+"["+statuses[i].Name+"].state.waiting", strings.TrimSuffix(text, ": "), time.Time{}, RankOf(p))
			list = append(list, m)
		}
	}
	read(p.Status.InitContainerStatuses, "status.initContainerStatuses", true)
	read(p.Status.ContainerStatuses, "status.containerStatuses", false)
	return list
}

// idleReasons mean nothing: the container's turn has not come, or it waits
// between two runs, of which its last state contains the reason.
var idleReasons = map[string]bool{"": true, "ContainerCreating": true, "PodInitializing": true, "CrashLoopBackOff": true}

// ScheduledAt returns when a pod got its node.
func ScheduledAt(p *Pod) time.Time {
	for i := range p.Status.Conditions {
		if c := &p.Status.Conditions[i]; c.Type == corev1.PodScheduled {
			return kinds.HeldSince(p.Pod, c.LastTransitionTime.Time)
		}
	}
	return p.CreationTimestamp.Time
}

// podMessages returns warnings about a pod that no later event heals.
func (s *JobContext) podMessages(p *Pod) []Message {
	var list []Message
	events := s.PodEvents(p)
	for i, e := range events {
		if e.Type == corev1.EventTypeNormal || e.Reason == "BackOff" || e.Reason == "FailedScheduling" || e.Reason == "Unhealthy" || healed(e, events[i+1:]) {
			continue
		}
		list = append(list, messageOf(e, p))
	}
	return list
}

func messageOf(e *corev1.Event, p *Pod) Message {
	m := Message{Pod: p, Reason: e.Reason, Text: e.Message, Since: e.FirstTimestamp.Time, at: kinds.EventTime(e), times: int(e.Count), Proof: EventEvidence(e, RankOf(p))}
	m.Component = cmp.Or(e.Source.Component, e.ReportingController, "its controller")
	if m.Since.IsZero() {
		m.Since = m.at
	}
	if e.Series != nil {
		m.times = int(e.Series.Count)
		m.Since = e.EventTime.Time
	}
	if _, rest, found := strings.Cut(e.InvolvedObject.FieldPath, "{"); found {
		m.Container = strings.TrimSuffix(rest, "}")
		m.init = strings.Contains(e.InvolvedObject.FieldPath, "initContainers")
	}
	return m
}

// healing events report that a step succeeded after all (kubelet 1.10 to 1.36,
// attach/detach controller).
var healing = map[string][]string{
	"FailedAttachVolume":               {"SuccessfulAttachVolume", "Pulling", "Pulled", "Created", "Started"},
	"FailedMount":                      {"Pulling", "Pulled", "Created", "Started"},
	"FailedMapVolume":                  {"SuccessfulMountVolume", "Pulling", "Pulled", "Created", "Started"},
	"FailedCreatePodSandBox":           {"Pulling", "Pulled", "Created", "Started"},
	"FailedPrepareDynamicResources":    {"Pulling", "Pulled", "Created", "Started"},
	"FailedToRetrieveImagePullSecret":  {"Pulled", "Created", "Started"},
	"NetworkNotReady":                  {"Pulling", "Pulled", "Created", "Started"},
	"Failed":                           {"Pulled", "Created", "Started"},
	"InspectFailed":                    {"Pulled", "Created", "Started"},
	"FailedCreate":                     {"SuccessfulCreate"},
	"FailedCreatePod":                  {"SuccessfulCreatePod"},
	"TrainJobResourcesCreationFailed":  {"Resumed"},
	"ProvisioningFailed":               {"ProvisioningSucceeded"},
	"FailedCreatePodContainer":         {"Created", "Started"},
	"FailedPostStartHook":              {"Started"},
	"ErrImageNeverPull":                {"Pulled", "Created", "Started"},
	"FailedToCreateWorkerPod":          {"CreatedWorkerPod"},
	"FailedCreateWorkerPod":            {"CreatedWorkerPod"},
	"FailedToCreateHeadPod":            {"CreatedHeadPod"},
	"FailedCreateHeadPod":              {"CreatedHeadPod"},
	"FailedPodSandBoxStatus":           {"Pulling", "Pulled", "Created", "Started"},
	"NetworkFailed":                    {"Pulling", "Pulled", "Created", "Started"},
	"FailedAttachVolumeMultiAttachErr": {"SuccessfulAttachVolume"},
}

func healed(e *corev1.Event, later []*corev1.Event) bool {
	cures := healing[e.Reason]
	at := kinds.EventTime(e)
	return slices.ContainsFunc(later, func(l *corev1.Event) bool {
		return slices.Contains(cures, l.Reason) && sameContainer(e, l) && kinds.EventTime(l).After(at)
	})
}

// sameContainer reports whether two events are about the same container: only
// such an event heals.
func sameContainer(e, later *corev1.Event) bool {
	return e.InvolvedObject.FieldPath == "" || later.InvolvedObject.FieldPath == "" || e.InvolvedObject.FieldPath == later.InvolvedObject.FieldPath
}

// OwnerMessages returns why an object cannot create its pods: warnings about
// it, and conditions that name a failure. When every rank has a pod they are
// over.
func (s *JobContext) OwnerMessages() []Message {
	missing := slices.ContainsFunc(s.Job.Ranks, func(r train.Rank) bool { return r.State == train.RankMissing })
	switch {
	case s.Job.Phase == train.Succeeded:
		return nil
	case missing, len(s.Job.Ranks) == 0:
	case s.Job.Phase == train.Failed && !anyEnded(s.Job):
		return s.conditionMessages() // it failed before its pods ended
	default:
		return nil
	}
	var list []Message
	said := map[string]int{}
	events := s.OwnerEvents()
	for i, e := range events {
		if e.Type == corev1.EventTypeNormal || derivedReasons[e.Reason] || !strings.HasPrefix(e.Reason, "FailedCreate") && healed(e, events[i+1:]) {
			continue
		}
		m := messageOf(e, nil)
		key := m.Reason + m.withoutPod()
		if at, known := said[key]; known { // each attempt to create a pod has an event
			m.Since = list[at].Since
			list[at] = m
			continue
		}
		said[key] = len(list)
		list = append(list, m)
	}
	return append(list, s.conditionMessages()...)
}

// Times returns how often a message was repeated, as far as its event counts.
func (m *Message) Times() int { return m.times }

// anyEnded reports whether a rank has ended, which shows more than the job.
func anyEnded(job *train.Job) bool {
	return slices.ContainsFunc(job.Ranks, func(r train.Rank) bool { return r.State == train.RankFailed || r.State == train.RankSucceeded })
}

// withoutPod returns the text without the name of its pod, which differs from
// attempt to attempt: `pods "train-0-ll2ns" is forbidden: ...`.
func (m *Message) withoutPod() string {
	before, rest, found := strings.Cut(m.Text, `pods "`)
	_, after, closed := strings.Cut(rest, `"`)
	if !found || !closed {
		return m.Text
	}
	return before + after
}

// derivedReasons repeat what pods report themselves, or sum up how they ended
// (training-operator 1.8, Job controller, JobSet).
var derivedReasons = map[string]bool{
	"Unschedulable": true, "CrashLoopBackOff": true, "BackoffLimitExceeded": true, "FailedJobs": true, "ReachedMaxRestarts": true,
	"ErrImagePull": true, "ImagePullBackOff": true, "RestartJobSetFailurePolicyAction": true, "PodGroupPending": true,
}

// conditionMessages returns conditions of the job and what it owns that name a
// failure.
func (s *JobContext) conditionMessages() []Message {
	var list []Message
	read := func(o *unstructured.Unstructured) {
		if o == nil {
			return
		}
		ref := kinds.RefOf(ObjectKind(o), o)
		for _, c := range ConditionsOf(o) {
			if c.Message == "" || c.Reason == "BackoffLimitExceeded" || derivedReasons[c.Reason] {
				continue
			}
			list = append(list, Message{
				Reason: c.Reason, Text: c.Message, Since: c.At, at: c.At, times: 1,
				Proof: StatusEvidence(ref, "status.conditions["+c.Kind+"].message", c.Message, c.At, -1),
			})
		}
	}
	read(s.Top)
	for _, o := range s.Descendants() {
		if u, is := o.(*unstructured.Unstructured); is && kinds.IsJob(ObjectKind(u)) {
			read(u)
		}
	}
	return list
}

// Classify returns the match of a message, nil when its text is unknown.
func (m *Message) Classify() *signatures.Match {
	text := m.Text
	if m.Reason != "" {
		text = m.Reason + ": " + m.Text
	}
	matches := signatures.Find(signatures.InEvent, text)
	if len(matches) == 0 {
		return nil
	}
	return &matches[0]
}
