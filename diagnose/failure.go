package diagnose

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/signatures"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// failure is the bad end of a container, or of a pod as a whole.
type failure struct {
	pod  *pod // nil when only an event remembers it
	rank *train.Rank
	// position is the rank's place in job.Ranks.
	position  int
	container string // "" for the pod as a whole
	init      bool
	restart   int  // which life of the container, from 0
	code      int  // -1 when no container ended
	over      bool // the rank runs again, or has done its part
	reason    string
	message   string
	started   time.Time
	at        time.Time
	ready     time.Time // since when the rank runs again
	proof     train.Evidence
	events    []*corev1.Event
	// node is where a killed pod ran; nil for other ends and where it cannot be seen.
	node *corev1.Node
	// hit is the line of the log that tells most, nil when none does.
	hit    *train.LogHit
	stream train.StreamID
	// cause is what the failure comes down to.
	cause    train.Cause
	captures []string
}

// name is the container, or the pod where there is none.
func (f *failure) name() string { return rankName(f.rank) }

// event is the newest event about the pod for which is holds, near the end.
func (f *failure) event(is func(*corev1.Event) bool) *corev1.Event {
	for i := len(f.events) - 1; i >= 0; i-- {
		e := f.events[i]
		if is(e) && (f.at.IsZero() || kinds.EventTime(e).Sub(f.at).Abs() < 10*time.Minute) {
			return e
		}
	}
	return nil
}

// failures are all bad ends in a job, the earliest first.
func (s *jobContext) failures() []failure {
	var list []failure
	for _, group := range [][]*pod{s.earlier, s.pods} {
		for _, p := range group {
			list = append(list, s.podFailures(p)...)
		}
	}
	list = append(list, s.rememberedFailures(list)...)
	for i := range list {
		s.complete(&list[i])
	}
	slices.SortStableFunc(list, func(a, b failure) int { return a.at.Compare(b.at) })
	return list
}

func (s *jobContext) podFailures(p *pod) []failure {
	var list []failure
	read := func(statuses []corev1.ContainerStatus, path string, init bool) {
		for i := range statuses {
			c := &statuses[i]
			restart := int(c.RestartCount)
			if ended := c.State.Terminated; ended != nil && ended.ExitCode != 0 {
				list = append(list, endOf(p, c, ended, restart, init, path+"["+c.Name+"].state.terminated"))
			}
			if ended := c.LastTerminationState.Terminated; ended != nil && ended.ExitCode != 0 {
				list = append(list, endOf(p, c, ended, max(0, restart-1), init, path+"["+c.Name+"].lastState.terminated"))
			}
		}
	}
	if p.rank.State != train.RankCrashing && p.Status.Phase == corev1.PodPending || len(p.Status.ContainerStatuses) > 0 || len(p.Status.InitContainerStatuses) > 0 {
		read(p.Status.InitContainerStatuses, "status.initContainerStatuses", true)
		read(p.Status.ContainerStatuses, "status.containerStatuses", false)
	}
	if p.Status.Phase == corev1.PodFailed && (len(list) == 0 || p.Status.Reason != "") || lostReasons[p.Status.Reason] {
		if len(list) == 0 {
			list = append(list, failure{pod: p, code: -1})
		}
		text := strings.TrimSuffix(p.Status.Reason+": "+p.Status.Message, ": ")
		for i := range list {
			list[i].reason, list[i].message = cmp.Or(p.Status.Reason, list[i].reason), cmp.Or(p.Status.Message, list[i].message)
			if list[i].at.IsZero() {
				list[i].at = podEnd(p.Pod)
			}
			if text != "" {
				list[i].proof = statusEvidence(podRef(p.Pod), "status.reason", text, list[i].at, rankOf(p))
			} else if list[i].code < 0 {
				list[i].proof = failedProof(p, list[i].at)
			}
		}
	}
	for i := range list {
		list[i].rank = p.rank
	}
	return list
}

// failedProof is what there is to show for a pod that failed without a reason:
// why it was disrupted, or its phase.
func failedProof(p *pod, at time.Time) train.Evidence {
	for i := range p.Status.Conditions {
		if c := &p.Status.Conditions[i]; c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue {
			return statusEvidence(podRef(p.Pod), "status.conditions[DisruptionTarget]", c.Reason+": "+c.Message, c.LastTransitionTime.Time, rankOf(p))
		}
	}
	return statusEvidence(podRef(p.Pod), "status.phase", "Failed", at, rankOf(p))
}

// lostReasons mark pods whose node is gone while their phase stays.
var lostReasons = map[string]bool{"NodeLost": true}

func endOf(p *pod, c *corev1.ContainerStatus, ended *corev1.ContainerStateTerminated, restart int, init bool, path string) failure {
	text := fmt.Sprintf("exit code %d", ended.ExitCode)
	if ended.Reason != "" {
		text = ended.Reason + ", " + text
	}
	if ended.Message != "" {
		text += ": " + ended.Message
	}
	return failure{
		pod: p, container: c.Name, init: init, restart: restart, code: int(ended.ExitCode), reason: ended.Reason, message: ended.Message,
		started: ended.StartedAt.Time, at: ended.FinishedAt.Time,
		proof: statusEvidence(podRef(p.Pod), path, text, ended.FinishedAt.Time, rankOf(p)),
	}
}

// podEnd is when a pod that failed stopped being ready, or was judged.
func podEnd(p *corev1.Pod) time.Time {
	var at time.Time
	for i := range p.Status.Conditions {
		c := &p.Status.Conditions[i]
		if (c.Type == corev1.PodReady || c.Type == corev1.DisruptionTarget) && c.LastTransitionTime.After(at) {
			at = c.LastTransitionTime.Time
		}
	}
	if at.IsZero() && p.Status.StartTime != nil {
		at = p.Status.StartTime.Time
	}
	if at.IsZero() {
		at = p.CreationTimestamp.Time
	}
	return at
}

// rememberedFailures are ends that only the job's events keep: under restart
// policy ExitCode the training-operator deletes the pod (1.8).
func (s *jobContext) rememberedFailures(known []failure) []failure {
	var list []failure
	for i := range s.job.Ranks {
		r := &s.job.Ranks[i]
		for _, attempt := range r.Attempts {
			if attempt.ExitCode == nil || *attempt.ExitCode == 0 || attempt.PodUID != "" {
				continue
			}
			if slices.ContainsFunc(known, func(f failure) bool { return f.rank == r && f.code == *attempt.ExitCode }) {
				continue
			}
			f := failure{rank: r, code: *attempt.ExitCode, reason: attempt.Reason, at: attempt.Finished, started: attempt.Started}
			f.proof = s.exitEvent(attempt)
			f.events = s.eventsFor(train.Ref{Kind: "Pod", Namespace: r.Namespace, Name: attempt.Pod})
			list = append(list, f)
		}
	}
	return list
}

func (s *jobContext) exitEvent(attempt train.Attempt) train.Evidence {
	for _, e := range s.ownerEvents() {
		if e.Reason == "ExitedWithCode" && strings.Contains(e.Message, attempt.Pod+" exited with code") {
			return eventEvidence(e, -1)
		}
	}
	return statusEvidence(s.job.Ref, "", fmt.Sprintf("exit code %d", *attempt.ExitCode), attempt.Finished, -1)
}

// complete finds what the failure comes down to.
func (s *jobContext) complete(f *failure) {
	f.position = s.position(f.rank)
	if f.pod != nil {
		f.events = s.podEvents(f.pod)
		if killed(f) && f.pod.Spec.NodeName != "" {
			s.lookAtNode(f)
		}
		f.hit, f.stream = s.hitOf(f)
	}
	switch f.rank.State {
	case train.RankRunning, train.RankSucceeded:
		f.over = (f.rank.Since.After(f.at) || f.rank.State == train.RankSucceeded || f.rank.Since.IsZero()) && !lostReasons[f.reason]
		f.ready = f.rank.Since
	case train.RankPending, train.RankStarting, train.RankGated, train.RankMissing:
		f.over = !s.job.Phase.Terminal() && f.pod != nil && f.pod.Name != f.rank.Pod
	}
	f.cause = s.causeOfEnd(f)
}

// killed reports an end by a signal from outside: SIGKILL, SIGTERM, or a pod
// that was ended as a whole.
func killed(f *failure) bool {
	return f.reason != "OOMKilled" && (f.code == 137 || f.code == 143 || f.code < 0)
}

// lookAtNode adds what was said about the node meanwhile: who kills from
// outside leaves word there.
func (s *jobContext) lookAtNode(f *failure) {
	name := f.pod.Spec.NodeName
	f.events = append(slices.Clone(f.events), s.eventsFor(train.Ref{Kind: "Node", Name: name})...)
	o, _ := s.lookUp(kinds.NodeKind, "", name)
	f.node, _ = o.(*corev1.Node)
}

// position is a rank's place in job.Ranks, -1 when it is none of them.
func (s *jobContext) position(r *train.Rank) int {
	for i := range s.job.Ranks {
		if &s.job.Ranks[i] == r {
			return i
		}
	}
	return -1
}

// causeOfEnd: a kind of end that has no other meaning comes first, then what
// the log says, then what the code says, and last that it ended.
func (s *jobContext) causeOfEnd(f *failure) train.Cause {
	for _, c := range s.causes {
		if c.matchesEnd != nil && !c.last() && c.matchesEnd(f) {
			return c.id
		}
	}
	if f.message != "" || f.reason != "" {
		if m := (&message{reason: f.reason, text: f.message}).classify(); m != nil && !m.Symptom && s.causes.of(m.Cause) != nil {
			f.captures = m.Captures
			return m.Cause
		}
	}
	if f.hit != nil && s.causes.of(f.hit.Cause) != nil {
		f.captures = f.hit.Captures
		return f.hit.Cause
	}
	for _, c := range s.causes {
		if c.matchesEnd != nil && c.last() && c.matchesEnd(f) {
			return c.id
		}
	}
	return "application-error"
}

// last reports a cause that is named only when neither the kind of end nor
// the log says more.
func (c *cause) last() bool {
	switch c.id {
	case "application-error", "sigkill-received", "sigterm-received", "segfault", "abort-sigabrt", "shm-too-small", "command-not-found", "permission-denied", "init-container-failing":
		return true
	}
	return false
}

// hitOf is the line that tells most in the log of the life that failed.
func (s *jobContext) hitOf(f *failure) (*train.LogHit, train.StreamID) {
	if f.position < 0 || s.JobLogsVersion(s.job.ID) == 0 {
		return nil, train.StreamID{}
	}
	var best *train.LogHit
	var from train.StreamID
	for _, log := range s.RankLogs(s.job, f.position) {
		if !isLogOf(log, f) {
			continue
		}
		for h := range log.Hits {
			if hit := &log.Hits[h]; best == nil || tellsMore(hit, best) {
				best, from = hit, log.ID
			}
		}
	}
	return best, from
}

// isLogOf reports whether a log is of the life that failed. A file that is
// known to be the pod's does not say of which life.
func isLogOf(log *store.Log, f *failure) bool {
	id := log.ID
	switch {
	case id.Pod != f.pod.Name, id.UID != "" && id.UID != string(f.pod.UID), f.container != "" && id.Container != "" && id.Container != f.container:
		return false
	}
	return id.File != "" || f.container == "" || id.Restart == f.restart
}

// tellsMore: an own error before a symptom, then the greater weight; of equals
// the first that was printed.
func tellsMore(a, b *train.LogHit) bool {
	weightA, symptomA, _ := signatures.Weigh(a.Signature)
	weightB, symptomB, _ := signatures.Weigh(b.Signature)
	if symptomA != symptomB {
		return symptomB
	}
	return weightA > weightB
}

// statusNow is the status of the container that failed, as it is now.
func statusNow(f *failure) *corev1.ContainerStatus {
	for _, list := range [][]corev1.ContainerStatus{f.pod.Status.InitContainerStatuses, f.pod.Status.ContainerStatuses} {
		for i := range list {
			if list[i].Name == f.container {
				return &list[i]
			}
		}
	}
	return nil
}

// recovered is how long a rank must run again until an earlier end is history.
const recovered = 10 * time.Minute
