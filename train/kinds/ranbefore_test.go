package kinds

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/train"
)

// TestPreemptedIndexRanBefore: an Indexed Job lost a running pod and waits for
// room for a new one with another name. Only events contain the first pod.
func TestPreemptedIndexRanBefore(t *testing.T) {
	const jobObject = `{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: ml, uid: u, creationTimestamp: '2026-11-20T09:00:00Z'},
	  spec: {completionMode: Indexed, parallelism: 2, completions: 2, template: {spec: {containers: [{name: c}]}}},
	  status: {active: 2, ready: 1, startTime: '2026-11-20T09:00:00Z'}}`
	at := func(second int) metav1.Time { return metav1.NewTime(nine.Add(time.Duration(second) * time.Second)) }
	for name, c := range map[string]struct {
		last  string // event about the first pod of index 1
		when  int
		phase train.Phase
	}{
		"its container started":           {"Started", 3, train.Running},
		"it was placed, then preempted":   {"Preempted", 30, train.Running},
		"its volume could not be mounted": {"FailedMount", 3, train.Pending},
		"it belonged to an earlier Job j": {"Started", -60, train.Pending},
		"it never got its image":          {"Failed", 3, train.Pending},
	} {
		t.Run(name, func(t *testing.T) {
			zero := labelled("j-0-aaaaa", map[string]string{"batch.kubernetes.io/job-completion-index": "0"})
			one := labelled("j-1-ccccc", map[string]string{"batch.kubernetes.io/job-completion-index": "1"})
			one.Status = corev1.PodStatus{Phase: corev1.PodPending}
			f := &Family{Ref: train.Ref{Group: "batch", Kind: "Job", Namespace: "ml", Name: "j", UID: "u"}, Top: object(t, jobObject), Pods: []*corev1.Pod{zero, one}}
			for i, pod := range []string{"j-0-aaaaa", "j-1-bbbbb", "j-1-ccccc"} {
				f.Events = append(f.Events, &corev1.Event{Reason: "SuccessfulCreate", Message: "Created pod: " + pod, LastTimestamp: at(i)})
			}
			f.EventsAbout = func(pod *corev1.Pod) []*corev1.Event {
				if pod.Name != "j-1-bbbbb" {
					return nil
				}
				about := corev1.ObjectReference{Kind: "Pod", Namespace: "ml", Name: pod.Name, UID: types.UID("first")}
				return []*corev1.Event{
					{Reason: "Scheduled", InvolvedObject: about, LastTimestamp: at(min(c.when, 2))},
					{Reason: c.last, InvolvedObject: about, LastTimestamp: at(c.when)},
				}
			}
			if job := Assemble(f); job.Phase != c.phase {
				t.Errorf("%s, want %s", job.Phase, c.phase)
			}
		})
	}
}

// TestPodWithoutUID: a dump is cleaned of UIDs and its events keep them. The past of the
// present pod is not that of a pod before it.
func TestPodWithoutUID(t *testing.T) {
	const jobObject = `{apiVersion: batch/v1, kind: Job, metadata: {name: j, namespace: ml, creationTimestamp: '2026-11-20T09:00:00Z'},
	  spec: {completionMode: Indexed, parallelism: 2, completions: 2, template: {spec: {containers: [{name: c}]}}},
	  status: {active: 2, ready: 1, startTime: '2026-11-20T09:00:00Z'}}`
	at := func(second int) metav1.Time { return metav1.NewTime(nine.Add(time.Duration(second) * time.Second)) }
	for name, c := range map[string]struct {
		created metav1.Time
		phase   train.Phase
	}{
		"the event is of this pod":       {at(2), train.Pending},
		"the event is of a pod before":   {at(60), train.Running},
		"the pod has no time of its own": {metav1.Time{}, train.Pending},
	} {
		zero := labelled("j-0", map[string]string{"batch.kubernetes.io/job-completion-index": "0"})
		pod := labelled("j-1", map[string]string{"batch.kubernetes.io/job-completion-index": "1"})
		pod.UID, pod.CreationTimestamp, pod.Status = "", c.created, corev1.PodStatus{Phase: corev1.PodPending}
		f := &Family{Ref: train.Ref{Group: "batch", Kind: "Job", Namespace: "ml", Name: "j"}, Top: object(t, jobObject), Pods: []*corev1.Pod{zero, pod}}
		f.EventsAbout = func(pod *corev1.Pod) []*corev1.Event {
			return []*corev1.Event{{Reason: "Started", InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: "ml", Name: pod.Name, UID: "first"}, LastTimestamp: at(3)}}
		}
		if job := Assemble(f); job.Phase != c.phase {
			t.Errorf("%s: %s, want %s", name, job.Phase, c.phase)
		}
	}
}
