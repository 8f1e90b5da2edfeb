package diagnose

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/runtime"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// interrupts reports whether an event about a node states that what ran there was
// interrupted: the node was rebooted (kubelet 1.36 pkg/kubelet/kubelet_node_status.go)
// or did not answer for a time (node lifecycle controller).
func interrupts(e *corev1.Event) bool {
	return e.Reason == "Rebooted" || e.Reason == "NodeNotReady"
}

// interruptions returns the findings that a node was rebooted, or was not ready
// for a time, while ranks ran on it. A node that is not ready now has a finding
// of its own.
func interruptions(s *rule.JobContext, name string, pods []*rule.Pod) []train.Finding {
	if s.Job.Phase.Terminal() && s.Job.Phase != train.Failed {
		return nil
	}
	began := runtime.StartOf(pods[0].Pod)
	for _, p := range pods {
		if at := runtime.StartOf(p.Pod); at.Before(began) {
			began = at
		}
	}
	var last, back *corev1.Event
	for _, e := range s.EventsFor(rule.CoreRef("Node", "", name)) {
		switch {
		case kinds.EventTime(e).Before(began):
		case interrupts(e) && (last == nil || last.Reason != "Rebooted" || e.Reason == "Rebooted"):
			last, back = e, nil
		case e.Reason == "NodeReady" && last != nil:
			back = e
		}
	}
	if last == nil {
		return nil
	}
	pods = slices.DeleteFunc(slices.Clone(pods), func(p *rule.Pod) bool { return runtime.StartOf(p.Pod).After(kinds.EventTime(last)) })
	o, _ := s.LookUp(kinds.NodeKind, "", name)
	node, _ := o.(*corev1.Node)
	if len(pods) == 0 || node != nil && !isReady(node) {
		return nil
	}
	return []train.Finding{interruptionFinding(s, name, pods, last, back, node != nil || back != nil)}
}

func isReady(node *corev1.Node) bool {
	return slices.ContainsFunc(node.Status.Conditions, func(c corev1.NodeCondition) bool {
		return c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue
	})
}

func interruptionFinding(s *rule.JobContext, name string, pods []*rule.Pod, e, back *corev1.Event, isBack bool) train.Finding {
	s.Current = s.Causes.Of("node-lost")
	at := kinds.EventTime(e)
	f := s.NewFinding(interruptionSeverity(s, pods, e, isBack), at, pods...)
	f.Confidence = train.Likely
	f.Evidence = []train.Evidence{rule.EventEvidence(e, rule.RankOf(pods[0]))}
	if back != nil {
		f.Evidence = append(f.Evidence, rule.EventEvidence(back, rule.RankOf(pods[0])))
	}
	clock := at.UTC().Format("15:04:05")
	if e.Reason == "Rebooted" {
		f.Title = fmt.Sprintf("Node %s was rebooted at %s while it had %s", name, clock, rule.RankNames(pods))
		f.Explanation = "Every container on a node ends with it. The kubelet starts them again where the restart policy allows it; what was not in a checkpoint is lost, and other ranks lose their partner."
	} else {
		f.Title = fmt.Sprintf("Node %s did not answer at %s while it had %s", name, clock, rule.RankNames(pods))
		f.Explanation = "The control plane did not hear of the node for a time. Its containers may have run on, or not reached the others meanwhile."
	}
	f.Next = append([]train.Step{rule.Look("See what is said about the node.", "kubectl", "describe", "node", name)}, s.Current.Advice()...)
	f.Verify = "No further event Rebooted or NodeNotReady comes from node " + name + ", and the ranks make steps."
	return f
}

// interruptionSeverity returns an error where a rank ended with it and did not
// come back, info where all run again for long or were not touched.
func interruptionSeverity(s *rule.JobContext, pods []*rule.Pod, e *corev1.Event, isBack bool) train.Severity {
	severity, at := train.SeverityInfo, kinds.EventTime(e)
	if !isBack {
		severity = train.SeverityWarning
	}
	for _, p := range pods {
		switch end := endOfPod(p); {
		case endsWith(end, at) && (s.Job.Phase == train.Failed || broken(p.Rank) && p.Rank.State != train.RankRunning):
			return train.SeverityError
		case endsWith(end, at) && !s.OlderThan(p.Rank.Since, rule.Recovered):
			severity = train.SeverityWarning
		case e.Reason == "Rebooted" && p.Rank.State == train.RankRunning && p.Rank.Since.Before(at.Add(-time.Minute)):
			severity = train.SeverityWarning // its status is from before the reboot
		}
	}
	return severity
}

// lastEnd returns when the container that trains ended last, zero where it did
// not.
func endOfPod(p *rule.Pod) time.Time {
	c := kinds.ContainerStatus(p.Pod, p.Rank.Container)
	switch {
	case c == nil:
		return time.Time{}
	case c.State.Terminated != nil:
		return c.State.Terminated.FinishedAt.Time
	case c.LastTerminationState.Terminated != nil:
		return c.LastTerminationState.Terminated.FinishedAt.Time
	}
	return time.Time{}
}

// endsWith reports whether a container ended with an interruption of its node:
// the kubelet writes both when it is back.
func endsWith(end, at time.Time) bool {
	const apart = 10 * time.Minute
	return !end.IsZero() && end.Sub(at).Abs() < apart
}
