package runtime

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var readinessProbeFailing = rule.Cause{
	ID: "readiness-probe-failing", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "The readiness probe fails",
		Meaning: "The container runs, but its readiness probe has failed for long, so the pod is not ready: a Service leaves it out, the name of the rank may not resolve, and the job counts one rank less.",
		Fix: "See what the probe asks and what it gets. $ kubectl describe pods\n" +
			"Let the probe ask what the program really answers, or take it out: training needs no readiness probe.",
	},
	Evidence: "Pod condition Ready is False while the container is running, with event Unhealthy `Readiness probe failed`, for more than five minutes; or that event at least ten times, the newest within ten minutes, of a pod that is or was ready. A probe that fails once alone is nothing.",

	Find: func(s *rule.JobContext) []train.Finding {
		if s.Job.Phase.Terminal() {
			s.CheckSkipped("the job is over")
			return nil
		}
		var found []train.Finding
		for _, p := range s.Pods {
			f, is := unready(s, p)
			if !is {
				f, is = flaps(s, p)
			}
			if is {
				found = append(found, f)
			}
		}
		return found
	},
}

// unreadyGrace is how long a probe may fail: programs load weights and data
// before they answer.
const unreadyGrace = 5 * time.Minute

// unready examines one pod.
func unready(s *rule.JobContext, p *rule.Pod) (f train.Finding, is bool) {
	ready := rule.PodCondition(p.Pod, corev1.PodReady)
	if p.Status.Phase != corev1.PodRunning || p.DeletionTimestamp != nil || p.Rank.State == train.RankLost || ready == nil || ready.Status == corev1.ConditionTrue {
		return f, false
	}
	e := lastProbe(s.PodEvents(p))
	at := slices.IndexFunc(p.Status.ContainerStatuses, func(c corev1.ContainerStatus) bool {
		return !c.Ready && c.State.Running != nil && (e != nil && isAbout(e, c.Name) || e == nil && hasProbe(p, c.Name))
	})
	if at < 0 {
		return f, false
	}
	c := &p.Status.ContainerStatuses[at]
	since := c.State.Running.StartedAt.Time
	if ready.LastTransitionTime.After(since) {
		since = ready.LastTransitionTime.Time
	}
	if !s.OlderThan(since, unreadyGrace) || e != nil && kinds.EventTime(e).Before(since) {
		return f, false
	}
	f = s.NewFinding(train.SeverityWarning, since, p)
	f.Title = fmt.Sprintf("%s runs and is not ready: the readiness probe of container %s has failed for %s", rule.RankName(p.Rank), c.Name, termtext.Duration(s.Now.Sub(since)))
	f.Explanation = s.Current.Meaning
	f.Evidence = []train.Evidence{rule.StatusEvidence(s.Ref(p), "status.conditions[Ready]", "False", ready.LastTransitionTime.Time, rule.RankOf(p))}
	if e != nil {
		f.Evidence = append([]train.Evidence{rule.EventEvidence(e, rule.RankOf(p))}, f.Evidence...)
	}
	f.Next = append([]train.Step{rule.Look("See what the probe asks and what it gets.", rule.Kubectl("describe", s.Ref(p))...)}, s.Current.Advice()...)
	f.Verify = "The pod's condition Ready is True."
	return f, true
}

// lastProbe returns the newest event of a failed readiness probe, nil for none.
func lastProbe(events []*corev1.Event) *corev1.Event {
	for _, e := range slices.Backward(events) {
		if e.Reason == "Unhealthy" && rule.HasAny(e.Message, "Readiness probe") {
			return e
		}
	}
	return nil
}

// hasProbe reports whether a container that started has a readiness probe, so
// that nothing else keeps it from being ready.
func hasProbe(p *rule.Pod, container string) bool {
	c, status := rule.ContainerNamed(p.Pod, container), kinds.ContainerStatus(p.Pod, container)
	return c != nil && c.ReadinessProbe != nil && status != nil && (status.Started == nil || *status.Started)
}

// isAbout reports whether an event may be about a container.
func isAbout(e *corev1.Event, container string) bool {
	path := e.InvolvedObject.FieldPath
	return path == "" || path == "spec.containers{"+container+"}"
}
