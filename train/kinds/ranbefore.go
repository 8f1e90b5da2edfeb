package kinds

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/train"
)

// ranBefore reports whether an earlier pod of a rank had run before it was
// preempted, evicted or deleted, as far as events still show. pod is the
// current one, nil for none.
func (j *joiner) ranBefore(rank *train.Rank, pod *corev1.Pod) bool {
	if j.family.EventsAbout == nil || j.object.operatorStatus.phase != train.Running {
		return false
	}
	names := j.namesAt(rank.Role, rank.RoleIndex)
	current := ""
	if pod != nil {
		current = string(pod.UID)
		names = append(names[:len(names):len(names)], pod.Name)
	}
	for _, name := range names {
		about := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: j.family.Ref.Namespace, Name: name}}
		events := j.family.EventsAbout(about)
		if pod != nil && current == "" && name == pod.Name {
			events = eventsBefore(events, pod.CreationTimestamp.Time)
		}
		if anyRan(events, current, j.begun()) {
			return true
		}
	}
	return false
}

// eventsBefore returns the events before a time: those of the pods before one that a dump
// shows without its UID, which events still have.
func eventsBefore(events []*corev1.Event, at time.Time) []*corev1.Event {
	var before []*corev1.Event
	for _, e := range events {
		if EventTime(e).Before(at) {
			before = append(before, e)
		}
	}
	return before
}

// namesAt returns the names of pods that were created for a rank and had a
// name of their own, as those of batch Jobs have.
func (j *joiner) namesAt(role string, index int) []string {
	if j.made == nil {
		j.made = map[rankPosition][]string{}
		for _, pod := range createdPods(j.family) {
			at := j.object.position(pod)
			if i := roleWanted(j.object, at.role); i >= 0 && at.index >= 0 {
				at.role = j.object.roles[i].name
				j.made[at] = append(j.made[at], pod.Name)
			}
		}
	}
	return j.made[rankPosition{role, index}]
}

// begun returns when the job last began: earlier events belong to an earlier
// job of the name, or to pods that a suspension ended.
func (j *joiner) begun() time.Time {
	if j.object.started.IsZero() {
		return j.family.created()
	}
	return j.object.started.Add(-startLag)
}

// startLag is how much later than its first pods an operator may date a job's
// start: at the end of the reconciliation that created them. A guess.
const startLag = 5 * time.Second

// anyRan looks for a pod, other than the current one, that started a
// container; or that was placed on a node where nothing kept it from starting.
func anyRan(events []*corev1.Event, current string, since time.Time) bool {
	placed := map[string]bool{}
	for _, e := range events {
		uid := string(e.InvolvedObject.UID)
		if uid == "" || uid == current || EventTime(e).Before(since) {
			continue
		}
		switch e.Reason {
		case "Started", "Killing":
			return true
		case "Scheduled":
			placed[uid] = true
		case "FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox", "Failed", "BackOff", "UnexpectedAdmissionError":
			placed[uid] = false
		}
	}
	for _, running := range placed {
		if running {
			return true
		}
	}
	return false
}
