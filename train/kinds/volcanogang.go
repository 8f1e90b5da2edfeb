package kinds

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

// volcanoQueueState reads a Volcano PodGroup; while that is Pending, Volcano has
// not admitted the gang and creates no pods.
func volcanoQueueState(f *Family, a *specAndStatus) queueState {
	group := podGroupOf(f, volcanoPodGroupKind, volcanoGroupName)
	name := cmp.Or(fieldsOf(group).in("spec").text("queue"), a.volcanoQueue, volcanoQueueName(f))
	if group == nil && (name == "" || f.groupKind() != volcanoJobKind) {
		return queueState{}
	}
	status := fieldsOf(group).in("status")
	phase := status.text("phase")
	s := queueState{queue: &train.Queue{System: "Volcano", Name: name, Priority: podPriority(f), Since: f.created()}}
	s.held = phase == "Pending"
	s.queue.Admitted = group != nil && phase != "" && !s.held || group == nil && len(f.Pods) > 0
	// Unschedulable=True outlasts the scheduling (volcano #153): phase first
	if c, stuck := holding(status, "Unschedulable"); stuck && (s.held || phase == "Inqueue") {
		s.gang = oneLine(cmp.Or(c.message, c.reason))
	}
	if s.held {
		s.queue.Reason = cmp.Or(s.gang, "the gang is not let into the queue yet")
	}
	return s
}

// volcanoGroupName returns the group that a job's pods name.
func volcanoGroupName(pod *corev1.Pod) string {
	return cmp.Or(pod.Annotations["scheduling.k8s.io/group-name"], pod.Annotations["scheduling.volcano.sh/group-name"])
}

func volcanoQueueName(f *Family) string {
	const name = "volcano.sh/queue-name"
	if f.Top != nil {
		if queue := f.Top.GetAnnotations()["scheduling.volcano.sh/queue-name"]; queue != "" {
			return queue
		}
	}
	for _, pod := range f.Pods {
		return cmp.Or(pod.Annotations[name], pod.Labels[name], pod.Annotations["scheduling.volcano.sh/queue-name"])
	}
	return ""
}
