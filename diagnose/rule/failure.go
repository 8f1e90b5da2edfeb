package rule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Failure is the bad end of a container, or of a pod as a whole.
type Failure struct {
	Pod  *Pod // nil when only an event is left
	Rank *train.Rank
	// position is the rank's index in job.Ranks.
	position  int
	Container string // "" for the pod as a whole
	Init      bool
	Restart   int  // which instance of the container, from 0
	Code      int  // -1 when no container ended
	Over      bool // the rank runs again, is done, or has a later pod that ended
	Reason    string
	Message   string
	started   time.Time
	At        time.Time
	Ready     time.Time // since when the rank runs again
	Proof     train.Evidence
	Events    []*corev1.Event
	// Node is where a killed pod ran; nil for other ends and where it is not
	// observed.
	Node *corev1.Node
	// Hit is the most informative line of the log, nil for none.
	Hit    *train.LogHit
	Stream train.StreamID
	// HitInMessage is true where Hit is a line of the container's termination
	// message and not of its log.
	HitInMessage bool
	// LastWords is the last line of its log if that reports an error in a text
	// that no rule knows.
	LastWords string
	// Behind is what an object above the pod reports of why it was ended.
	Behind []train.Evidence
	// Cause is the cause of the failure.
	Cause    train.Cause
	Captures []string
}

// Name returns the rank, and its init container or sidecar that failed.
func (f *Failure) Name() string {
	switch {
	case f.Init:
		return "init container " + f.Container + " of " + RankName(f.Rank)
	case f.OfSidecar():
		return "container " + f.Container + " of " + RankName(f.Rank)
	}
	return RankName(f.Rank)
}

// OfSidecar reports whether it is the end of a container beside the one that
// trains.
func (f *Failure) OfSidecar() bool {
	return f.Pod != nil && !f.Init && f.Container != "" && f.Rank.Container != "" && f.Container != f.Rank.Container
}

// TrainerFailed reports whether the container that trains ended with an error
// in the pod of a failure.
func (f *Failure) TrainerFailed() bool {
	return slices.ContainsFunc(f.Pod.Status.ContainerStatuses, func(c corev1.ContainerStatus) bool {
		return c.Name == f.Rank.Container && c.State.Terminated != nil && c.State.Terminated.ExitCode != 0
	})
}

// RanAt reports whether the container instance that ended ran at a time, as far as is
// known: statuses have whole seconds, and clocks of nodes differ.
func (f *Failure) RanAt(at time.Time) bool {
	return !f.started.IsZero() && !f.At.IsZero() && !at.IsZero() && f.started.Before(at) && !f.At.Before(at.Add(-clocksDiffer))
}

// clocksDiffer is how much clocks of nodes and whole seconds may reorder.
const clocksDiffer = 2 * time.Second

// Event returns the newest event about the pod near the end that is accepts.
func (f *Failure) Event(is func(*corev1.Event) bool) *corev1.Event {
	for i := len(f.Events) - 1; i >= 0; i-- {
		e := f.Events[i]
		if is(e) && (f.At.IsZero() || kinds.EventTime(e).Sub(f.At).Abs() < 10*time.Minute) {
			return e
		}
	}
	return nil
}

// Failures returns all bad ends in a job, the earliest first.
func (s *JobContext) Failures() []Failure { return failureReader{s}.all() }

// failureReader reads the bad ends of a job from its objects and logs.
type failureReader struct{ *JobContext }

func (s failureReader) all() []Failure {
	var list []Failure
	for _, group := range [][]*Pod{s.Earlier, s.Pods} {
		for _, p := range group {
			list = append(list, s.podFailures(p)...)
		}
	}
	list = append(list, s.rememberedFailures(list)...)
	for i := range list {
		s.complete(&list[i])
	}
	slices.SortStableFunc(list, func(a, b Failure) int { return a.At.Compare(b.At) })
	return list
}

func (s failureReader) podFailures(p *Pod) []Failure {
	var list []Failure
	read := func(statuses []corev1.ContainerStatus, path string, inits bool) {
		for i := range statuses {
			init := inits
			c := &statuses[i]
			if init && kinds.IsNativeSidecar(p.Pod, c.Name) && begun(p) {
				if endedAfterTrainer(p, c) {
					continue // it is stopped once the others are done
				}
				init = false
			}
			if init && c.State.Terminated != nil && !endedBadly(c.State.Terminated) {
				continue // it completed: its earlier ends no longer matter
			}
			restart := int(c.RestartCount)
			if ended := c.State.Terminated; endedBadly(ended) {
				list = append(list, endOf(p, c, ended, restart, init, path+"["+c.Name+"].state.terminated"))
			}
			if ended := c.LastTerminationState.Terminated; endedBadly(ended) {
				if !init || c.State.Waiting == nil { // between two instances the newest is the one that ended
					restart = max(0, restart-1)
				}
				list = append(list, endOf(p, c, ended, restart, init, path+"["+c.Name+"].lastState.terminated"))
			}
		}
	}
	if p.Rank.State != train.RankCrashing && p.Status.Phase == corev1.PodPending || len(p.Status.ContainerStatuses) > 0 || len(p.Status.InitContainerStatuses) > 0 {
		read(p.Status.InitContainerStatuses, "status.initContainerStatuses", true)
		read(p.Status.ContainerStatuses, "status.containerStatuses", false)
	}
	if p.Status.Phase == corev1.PodFailed && (len(list) == 0 || p.Status.Reason != "") || LostReasons[p.Status.Reason] {
		if len(list) == 0 {
			list = append(list, Failure{Pod: p, Code: -1})
		}
		text := strings.TrimSuffix(p.Status.Reason+": "+p.Status.Message, ": ")
		for i := range list {
			list[i].Reason, list[i].Message = cmp.Or(p.Status.Reason, list[i].Reason), cmp.Or(p.Status.Message, list[i].Message)
			if list[i].At.IsZero() {
				list[i].At = podEnd(p.Pod)
			}
			if text != "" {
				list[i].Proof = StatusEvidence(kinds.PodRef(p.Pod), "status.reason", text, list[i].At, RankOf(p))
			} else if list[i].Code < 0 {
				list[i].Proof = failedProof(p, list[i].At)
			}
		}
	}
	for i := range list {
		list[i].Rank = p.Rank
	}
	return list
}

// endedBadly reports whether a container ended with an error, or although the
// kernel killed a process in it for memory: its first process may return 0 then
// (kubelet pkg/kubelet/kuberuntime, reason OOMKilled).
func endedBadly(ended *corev1.ContainerStateTerminated) bool {
	return ended != nil && (ended.ExitCode != 0 || ended.Reason == "OOMKilled")
}

// begun reports whether the container that trains has run in the pod.
func begun(p *Pod) bool {
	return slices.ContainsFunc(p.Status.ContainerStatuses, func(c corev1.ContainerStatus) bool {
		return c.Name == p.Rank.Container && (c.State.Running != nil || c.State.Terminated != nil || c.LastTerminationState.Terminated != nil)
	})
}

// endedAfterTrainer reports whether a native sidecar ended no earlier than the
// container that trains: the kubelet stops sidecars last, and their exit codes
// do not count.
func endedAfterTrainer(p *Pod, sidecar *corev1.ContainerStatus) bool {
	trainer := kinds.ContainerStatus(p.Pod, p.Rank.Container)
	if trainer == nil || trainer.State.Terminated == nil || sidecar.State.Terminated == nil {
		return false
	}
	return !sidecar.State.Terminated.FinishedAt.Before(&trainer.State.Terminated.FinishedAt)
}

// failedProof returns the evidence for a pod that failed without a reason: why
// it was disrupted, or its phase.
func failedProof(p *Pod, at time.Time) train.Evidence {
	for i := range p.Status.Conditions {
		if c := &p.Status.Conditions[i]; c.Type == corev1.DisruptionTarget && c.Status == corev1.ConditionTrue {
			return StatusEvidence(kinds.PodRef(p.Pod), "status.conditions[DisruptionTarget]", c.Reason+": "+c.Message, c.LastTransitionTime.Time, RankOf(p))
		}
	}
	return StatusEvidence(kinds.PodRef(p.Pod), "status.phase", "Failed", at, RankOf(p))
}

// LostReasons mark pods whose node is gone while their phase stays.
var LostReasons = map[string]bool{"NodeLost": true}

func endOf(p *Pod, c *corev1.ContainerStatus, ended *corev1.ContainerStateTerminated, restart int, init bool, path string) Failure {
	text := fmt.Sprintf("exit code %d", ended.ExitCode)
	if ended.Reason != "" {
		text = ended.Reason + ", " + text
	}
	if ended.Message != "" {
		text += ": " + ended.Message
	}
	return Failure{
		Pod: p, Container: c.Name, Init: init, Restart: restart, Code: int(ended.ExitCode), Reason: ended.Reason, Message: ended.Message,
		started: ended.StartedAt.Time, At: ended.FinishedAt.Time,
		Proof: StatusEvidence(kinds.PodRef(p.Pod), path, text, ended.FinishedAt.Time, RankOf(p)),
	}
}

// podEnd returns when a failed pod stopped being ready, or was marked as
// failed.
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

// rememberedFailures returns ends that only the job's events contain: under
// restart policy ExitCode the training-operator deletes the pod (1.8).
func (s failureReader) rememberedFailures(known []Failure) []Failure {
	var list []Failure
	for i := range s.Job.Ranks {
		r := &s.Job.Ranks[i]
		for _, attempt := range r.Attempts {
			if attempt.ExitCode == nil || *attempt.ExitCode == 0 || attempt.PodUID != "" {
				continue
			}
			if slices.ContainsFunc(known, func(f Failure) bool { return f.Rank == r && f.Code == *attempt.ExitCode }) {
				continue
			}
			f := Failure{Rank: r, Code: *attempt.ExitCode, Reason: attempt.Reason, At: attempt.Finished, started: attempt.Started}
			f.Proof = s.exitEvent(attempt)
			f.Events = s.EventsFor(train.PodRef(r.Namespace, attempt.Pod, ""))
			list = append(list, f)
		}
	}
	return list
}

func (s failureReader) exitEvent(attempt train.Attempt) train.Evidence {
	for _, e := range s.OwnerEvents() {
		if e.Reason == "ExitedWithCode" && strings.Contains(e.Message, attempt.Pod+" exited with code") {
			return EventEvidence(e, -1)
		}
	}
	return StatusEvidence(s.Job.Ref, "", fmt.Sprintf("exit code %d", *attempt.ExitCode), attempt.Finished, -1)
}

// complete finds the cause of the failure.
func (s failureReader) complete(f *Failure) {
	f.position = s.position(f.Rank)
	if f.Pod != nil {
		f.Events = s.PodEvents(f.Pod)
		if Killed(f) && f.Pod.Spec.NodeName != "" {
			s.lookAtNode(f)
		}
		f.Hit, f.Stream = s.hitOf(f)
		if f.Hit == nil && f.Message != "" {
			f.Hit, f.HitInMessage = hitInMessage(f), true
		}
	}
	switch f.Rank.State {
	case train.RankRunning, train.RankSucceeded:
		f.Over = (startedAfter(f) || f.Rank.State == train.RankSucceeded || f.Rank.Since.IsZero()) && !LostReasons[f.Reason]
		f.Ready = f.Rank.Since
	case train.RankFailed, train.RankCrashing:
		f.Over = f.Pod == nil || goneOn(s.JobContext, f) // the next pod, or instance, has an end of its own
	case train.RankPending, train.RankStarting, train.RankGated, train.RankMissing:
		f.Over = !s.Job.Phase.Terminal() && f.Pod != nil && f.Pod.Name != f.Rank.Pod
	}
	f.Cause = s.causeOfEnd(f)
	if report, is := s.endedByDeadline(f); is {
		f.Cause, f.Behind, f.Captures = deadlineCause, append(f.Behind, report), nil
	}
}

// startedAfter reports whether the rank runs since the failure. Where its pod was
// replaced, the next may have started in the second in which the operator wrote of
// the end: starts are known in whole seconds. So is a restart of the container,
// which the kubelet does at once the first time, and which its count shows.
func startedAfter(f *Failure) bool {
	if f.Pod == nil {
		return !f.Rank.Since.Before(f.At.Truncate(time.Second))
	}
	if now := StatusNow(f); now != nil && now.State.Running != nil && int(now.RestartCount) > f.Restart && f.Container == f.Rank.Container {
		return true
	}
	return f.Rank.Since.After(f.At)
}

// Killed reports whether a signal from outside ended it: SIGKILL, SIGTERM, or
// the end of the pod as a whole.
func Killed(f *Failure) bool {
	return f.Reason != "OOMKilled" && (f.Code == 137 || f.Code == 143 || f.Code < 0)
}

// lookAtNode adds events about the node at that time: a kill from outside
// leaves its message there.
func (s failureReader) lookAtNode(f *Failure) {
	name := f.Pod.Spec.NodeName
	f.Events = append(slices.Clone(f.Events), s.EventsFor(train.Ref{Kind: "Node", Name: name})...)
	o, _ := s.LookUp(kinds.NodeKind, "", name)
	f.Node, _ = o.(*corev1.Node)
}

// position returns a rank's index in job.Ranks, -1 when it is not in it.
func (s failureReader) position(r *train.Rank) int {
	for i := range s.Job.Ranks {
		if &s.Job.Ranks[i] == r {
			return i
		}
	}
	return -1
}

// causeOfEnd returns the cause: first from a kind of end with only one
// meaning, then from the log, then from the code, and last that it ended.
func (s failureReader) causeOfEnd(f *Failure) train.Cause {
	for _, c := range s.Causes {
		if c.MatchesEnd != nil && !c.last() && c.MatchesEnd(f) {
			return c.ID
		}
	}
	if f.Message != "" || f.Reason != "" {
		if m := (&Message{Reason: f.Reason, Text: f.Message}).Classify(); m != nil && !m.Symptom && s.Causes.Of(m.Cause) != nil {
			f.Captures = m.Captures
			return m.Cause
		}
	}
	if f.Hit != nil && s.Causes.Of(f.Hit.Cause) != nil && !(logfindings.BusErrorOnly(f.Hit) && f.HasRoomyShm()) {
		f.Captures = f.Hit.Captures
		return f.Hit.Cause
	}
	for _, c := range s.Causes {
		if c.MatchesEnd != nil && c.last() && !(c.Stage == train.StageStart && s.trained(f)) && c.MatchesEnd(f) {
			return c.ID
		}
	}
	return "application-error"
}

// CauseOfCode returns the cause that an exit code alone shows: 137 alone does
// not show who killed a process.
func CauseOfCode(s *JobContext, code int) train.Cause {
	end := &Failure{Code: code, Reason: "Error"}
	for _, c := range s.Causes {
		if c.MatchesEnd != nil && c.last() && c.MatchesEnd(end) {
			return c.ID
		}
	}
	return "application-error"
}

// trained reports whether the container printed steps before it ended, so that
// its code is not that of a command which could not be started.
func (s failureReader) trained(f *Failure) bool {
	log := s.LogOf(f)
	return log != nil && len(log.Samples.Rows) > 0
}

// last reports whether a cause is named only when neither the kind of end nor
// the log shows more.
func (c *Cause) last() bool {
	switch c.ID {
	case "application-error", "end-unknown", "sigkill-received", "sigterm-received", "segfault", "abort-sigabrt", "shm-too-small", "command-not-found", "permission-denied", "init-container-failing":
		return true
	}
	return false
}

// hitOf returns the most informative line in the log of the failed container
// instance, of those from which the run did not recover long before the end.
func (s failureReader) hitOf(f *Failure) (*train.LogHit, train.StreamID) {
	if f.position < 0 || s.JobLogsVersion(s.Job.ID) == 0 {
		return nil, train.StreamID{}
	}
	var best *train.LogHit
	var from train.StreamID
	for _, log := range s.RankLogs(s.Job, f.position) {
		if !isLogOf(s.JobContext, log, f) || logfindings.OfEarlierRun(s.Snapshot, log) {
			continue
		}
		for h := range log.Hits {
			if hit := &log.Hits[h]; hit.Cause != logfindings.TrainsOnCPU && (best == nil || isMoreInformative(hit, best)) && !logfindings.HealedBeforeEnd(log, hit) && !logfindings.HandledBeforeEnd(log, hit) {
				best, from = hit, log.ID
			}
		}
	}
	return best, from
}

// LogOf returns the log of the failed container instance, if it was read to
// its end; else nil.
func (s *JobContext) LogOf(f *Failure) *store.Log {
	if f.Pod == nil || f.position < 0 || s.JobLogsVersion(s.Job.ID) == 0 {
		return nil
	}
	for _, log := range s.RankLogs(s.Job, f.position) {
		if isLogOf(s, log, f) && log.WasRead() && !log.BrokeOff() && !logfindings.OfEarlierRun(s.Snapshot, log) {
			return log
		}
	}
	return nil
}

// SaysWhy reports whether anything besides the code explains the end: the
// program, its log or who ended it.
func (f *Failure) SaysWhy() bool {
	if f.Hit != nil && f.Hit.Cause == f.Cause {
		weight, _, _ := signatures.Weigh(f.Hit)
		return weight >= signatures.MinSpecific
	}
	return f.LastWords != "" || f.Message != ""
}

// HasRoomyShm reports whether the pod is known to have a large /dev/shm.
func (f *Failure) HasRoomyShm() bool { return f.Pod != nil && logfindings.RoomyShm(f.Pod.Pod) }

// isLogOf reports whether a log is of the failed container instance. A file that is
// known to be the pod's names the instance where that of the instance before is there
// too.
func isLogOf(s *JobContext, log *store.Log, f *Failure) bool {
	id := log.ID
	switch {
	case id.Pod != f.Pod.Name, id.UID != "" && id.UID != string(f.Pod.UID), f.Container != "" && id.Container != "" && id.Container != f.Container:
		return false
	}
	if f.Container == "" || id.Restart == f.Restart {
		return true
	}
	return id.File != "" && !slices.ContainsFunc(s.RankLogs(s.Job, f.position), func(other *store.Log) bool {
		return other.ID.Previous() && other.ID.Pod == id.Pod && other.ID.Container == id.Container
	})
}

// isMoreInformative reports whether a is more informative than b: an own error before
// a symptom, then the greater weight; of equals the first that was printed.
func isMoreInformative(a, b *train.LogHit) bool {
	weightA, symptomA, _ := signatures.Weigh(a)
	weightB, symptomB, _ := signatures.Weigh(b)
	if symptomA != symptomB {
		return symptomB
	}
	return weightA > weightB
}

// StatusNow returns the current status of the container that failed.
func StatusNow(f *Failure) *corev1.ContainerStatus {
	for _, list := range [][]corev1.ContainerStatus{f.Pod.Status.InitContainerStatuses, f.Pod.Status.ContainerStatuses} {
		for i := range list {
			if list[i].Name == f.Container {
				return &list[i]
			}
		}
	}
	return nil
}
