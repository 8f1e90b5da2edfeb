package runtime

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// probeRecent is how long a probe that failed again and again counts after its newest
// failure: the kubelet writes one event for each, and at most one in five minutes once
// there were many (client-go tools/record, 25 events and then one each 300 s).
const probeRecent = 10 * time.Minute

// repeatedProbe is a probe of a running container that fails again and again.
type repeatedProbe struct {
	event     *corev1.Event
	container string
	times     string // "has failed 500 times, last at 12:00:00Z"
}

// repeatedFailure returns the newest such failure of a probe (Readiness, Liveness,
// Startup) in a pod that runs.
func repeatedFailure(s *rule.JobContext, p *rule.Pod, probes ...string) (r repeatedProbe, is bool) {
	if p.Status.Phase != corev1.PodRunning || p.DeletionTimestamp != nil {
		return r, false
	}
	for _, e := range slices.Backward(s.PodEvents(p)) {
		at := kinds.EventTime(e)
		if !rule.ProbeFailsAgain(e) || !rule.HasAny(e.Message, probes...) || s.OlderThan(at, probeRecent) {
			continue
		}
		for i := range p.Status.ContainerStatuses {
			c := &p.Status.ContainerStatuses[i]
			if isAbout(e, c.Name) && c.State.Running != nil && at.After(c.State.Running.StartedAt.Time) {
				return repeatedProbe{e, c.Name, fmt.Sprintf("has failed %d times, last at %s", kinds.EventCount(e), at.UTC().Format("15:04:05Z"))}, true
			}
		}
	}
	return r, false
}

// flaps examines a pod whose readiness probe fails again and again although the pod
// is ready, or was so long after its container began.
func flaps(s *rule.JobContext, p *rule.Pod) (f train.Finding, is bool) {
	ready := rule.PodCondition(p.Pod, corev1.PodReady)
	r, fails := repeatedFailure(s, p, "Readiness probe")
	if !fails || ready == nil {
		return f, false
	}
	began := kinds.ContainerStatus(p.Pod, r.container).State.Running.StartedAt.Time
	switch changed := ready.LastTransitionTime.Time; {
	case ready.Status == corev1.ConditionTrue && !kinds.EventTime(r.event).After(changed):
		return f, false // it failed before the pod was ready
	case ready.Status != corev1.ConditionTrue && changed.Sub(began) < unreadyGrace:
		return f, false // it has not been ready yet
	}
	f = s.NewFinding(train.SeverityWarning, r.event.FirstTimestamp.Time, p)
	f.Title = fmt.Sprintf("The readiness probe of container %s of %s %s", r.container, rule.RankName(p.Rank), r.times)
	f.Explanation = "The container runs, and each time the probe fails often enough in a row the pod is not ready for a while: a Service leaves it out, the name of the rank may not resolve, and a rendezvous that is going on then fails."
	f.Evidence = []train.Evidence{rule.EventEvidence(r.event, rule.RankOf(p))}
	f.Next = append([]train.Step{rule.Look("See what the probe asks and what it gets.", rule.Kubectl("describe", s.Ref(p))...)}, s.Current.Advice()...)
	f.Verify = "The count of the event Unhealthy stays."
	return f, true
}

// nearKill examines a pod whose liveness or startup probe fails again and again and
// has not had the container killed yet.
func nearKill(s *rule.JobContext, p *rule.Pod) (f train.Finding, is bool) {
	r, fails := repeatedFailure(s, p, "Liveness probe", "Startup probe")
	if !fails {
		return f, false
	}
	f = s.NewFinding(train.SeverityWarning, r.event.FirstTimestamp.Time, p)
	f.Title = fmt.Sprintf("The %s probe of container %s of %s %s", probeOf(r.event), r.container, rule.RankName(p.Rank), r.times)
	f.Explanation = "The container runs. Once the probe fails failureThreshold times in a row the kubelet kills and restarts it, and what was trained since the last checkpoint is lost. Training that blocks the probe's answer looks dead."
	f.Evidence = []train.Evidence{rule.EventEvidence(r.event, rule.RankOf(p))}
	f.Next = append([]train.Step{rule.Look("See what the probe asks and what it gets.", rule.Kubectl("describe", s.Ref(p))...)}, s.Current.Advice()...)
	f.Verify = "The count of the event Unhealthy stays."
	return f, true
}
