package kinds

import (
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

// addAttempts appends the runs known from one pod, oldest first: the container
// instance before the last in-place restart, and the current one.
func addAttempts(attempts []train.Attempt, pod *corev1.Pod, status *corev1.ContainerStatus) []train.Attempt {
	run := train.Attempt{Pod: pod.Name, PodUID: string(pod.UID), Node: pod.Spec.NodeName, Bound: boundAt(pod), Started: startOf(pod)}
	if status == nil {
		if ended(pod) {
			run.Finished, run.Reason = endOf(pod, nil), oneLine(pod.Status.Reason)
		}
		return append(attempts, run)
	}
	if last := status.LastTerminationState.Terminated; last != nil {
		earlier := run
		earlier.InPlace = status.RestartCount > 1
		endAttempt(&earlier, last)
		attempts = append(attempts, earlier)
		if status.State.Waiting != nil {
			return attempts // between two runs
		}
		run.InPlace, run.Bound = true, time.Time{}
	}
	switch {
	case status.State.Running != nil:
		run.Started = status.State.Running.StartedAt.Time
	case status.State.Terminated != nil:
		endAttempt(&run, status.State.Terminated)
		if pod.Status.Reason != "" {
			run.Reason = oneLine(pod.Status.Reason)
		}
	case ended(pod):
		run.Finished, run.Reason = endOf(pod, status), oneLine(pod.Status.Reason)
	}
	return append(attempts, run)
}

// boundAt returns when a pod got its node, zero where it states none.
func boundAt(pod *corev1.Pod) time.Time {
	if scheduled, is := podCondition(pod, corev1.PodScheduled); is && scheduled.Status == corev1.ConditionTrue {
		return scheduled.LastTransitionTime.Time
	}
	return startOf(pod)
}

func endAttempt(run *train.Attempt, t *corev1.ContainerStateTerminated) {
	code := int(t.ExitCode)
	run.Started, run.Finished = t.StartedAt.Time, t.FinishedAt.Time
	run.ExitCode, run.Reason = &code, oneLine(t.Reason)
}

// hasEnded reports whether a container of the pod has ended at least once.
func hasEnded(pod *corev1.Pod) bool {
	if ended(pod) {
		return true
	}
	for i := range pod.Status.ContainerStatuses {
		status := &pod.Status.ContainerStatuses[i]
		if status.RestartCount > 0 || status.State.Terminated != nil || status.LastTerminationState.Terminated != nil {
			return true
		}
	}
	return false
}

// remembered is what events contain, which joiner.recall counts as restarts, about pods of a name that was used more
// than once: under restart policy ExitCode the training-operator deletes a
// failed pod and creates another of the same name, and only the event
// ExitedWithCode keeps the code (training-operator 1.8).
type remembered struct {
	exits    []train.Attempt
	replaced int // pods of the name created besides the current one
}

// remember reads the events since the job last started. Before that, a
// suspension deleted pods of the same name, which is no restart.
func remember(events []*corev1.Event, started time.Time) map[string]*remembered {
	var known map[string]*remembered
	about := func(pod string) *remembered {
		if known == nil {
			known = map[string]*remembered{}
		}
		if known[pod] == nil {
			known[pod] = &remembered{}
		}
		return known[pod]
	}
	for _, e := range events {
		switch e.Reason {
		case "ExitedWithCode":
			if pod, code, ok := exitedPod(e.Message); ok && !EventTime(e).Before(started) {
				r := about(pod)
				r.exits = append(r.exits, train.Attempt{Pod: pod, Finished: EventTime(e), ExitCode: &code, Reason: "Error"})
			}
		case "SuccessfulCreatePod":
			if pod, ok := createdPod(e.Message); ok && e.Count > 1 && !e.FirstTimestamp.Add(startLag).Before(started) {
				about(pod).replaced += clamp(int64(e.Count) - 1)
			}
		}
	}
	return known
}

// exitedPod reads "Pod: <namespace>.<name> exited with code <n>" (training-operator).
func exitedPod(message string) (pod string, code int, ok bool) {
	rest, found := strings.CutPrefix(message, "Pod: ")
	if !found {
		return "", 0, false
	}
	full, text, found := strings.Cut(rest, " exited with code ")
	if !found {
		return "", 0, false
	}
	code, err := strconv.Atoi(strings.TrimSpace(text))
	_, pod, dotted := strings.Cut(full, ".") // namespaces have no dots
	return pod, code, err == nil && dotted
}

// createdPod reads "Created pod: <name>" (training-operator, Job controller).
func createdPod(message string) (string, bool) {
	pod, found := strings.CutPrefix(message, "Created pod: ")
	return strings.TrimSpace(pod), found && pod != ""
}
