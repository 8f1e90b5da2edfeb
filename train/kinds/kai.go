package kinds

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

// kaiQueueState reads KAI's queue label and PodGroup (NVIDIA/KAI-Scheduler
// pkg/apis/scheduling/v2alpha2). Its scheduling conditions stay after
// scheduling (KAI #1888), so a pod with a node overrules them.
func kaiQueueState(f *Family) queueState {
	name := cmp.Or(familyLabel(f, "kai.scheduler/queue"), familyLabel(f, "runai/queue"))
	group := podGroupOf(f, kaiPodGroupKind, func(pod *corev1.Pod) string { return pod.Annotations["pod-group-name"] })
	spec, status := fieldsOf(group).in("spec"), fieldsOf(group).in("status")
	name = cmp.Or(spec.text("queue"), name)
	if name == "" {
		return queueState{}
	}
	queue := &train.Queue{System: "KAI", Name: name, Priority: podPriority(f), Since: f.created()}
	s := queueState{queue: queue}
	placed := anyPlaced(f.Pods)
	reason := kaiReason(status)
	s.held = group != nil && !placed && (reason != "" || status.text("phase") == "Pending")
	queue.Admitted = placed
	if s.held {
		queue.Reason = oneLine(cmp.Or(reason, "the gang is not scheduled yet"))
		s.gang = queue.Reason
	}
	return s
}

func kaiReason(status fields) string {
	for _, c := range status.items("schedulingConditions") {
		if c.text("type") != "UnschedulableOnNodePool" || c.text("status") != "True" {
			continue
		}
		for _, reason := range c.items("reasons") {
			if text := reason.text("message"); text != "" {
				return text
			}
		}
		return cmp.Or(c.text("message"), c.text("reason"))
	}
	return ""
}
