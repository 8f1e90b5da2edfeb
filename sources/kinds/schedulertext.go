package kinds

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// schedulerText is the scheduler's sentence about a pod without a node,
// without the parts that only repeat it.
func schedulerText(scheduled corev1.PodCondition) string {
	switch {
	case scheduled.Status == corev1.ConditionTrue:
		return ""
	case scheduled.Reason == "Schedulable":
		return gangMate
	}
	return oneLine(shortenScheduler(cmp.Or(scheduled.Message, scheduled.Reason)))
}

// gangMate stands for Volcano's word about a pod that would fit and waits for
// the others of its gang (PodScheduled False with reason Schedulable).
const gangMate = "would fit, waits for its gang"

// shortenScheduler cuts what kube-scheduler 1.36 appends to every message:
// "no new claims to deallocate, preemption: 0/6 nodes are available: ...".
func shortenScheduler(message string) string {
	for _, tail := range []string{" no new claims to deallocate", " preemption: "} {
		if at := strings.Index(message, tail); at > 0 {
			message = message[:at]
		}
	}
	// 1.36 also ends some messages in an error's text of their own:
	// "unbound immediate PersistentVolumeClaims. not found"
	return strings.Replace(message, ". not found", ".", 1)
}
