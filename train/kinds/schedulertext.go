package kinds

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// schedulerText returns the scheduler's message about a pod without a node,
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

// gangMate replaces Volcano's message about a pod that would fit and waits for
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
	return mostNodesFirst(strings.Replace(message, ". not found", ".", 1))
}

// mostNodesFirst puts the clause about the most nodes first. The scheduler
// orders them by their text, so that "1 node(s) had untolerated taint(s)"
// hides "19 Insufficient nvidia.com/gpu" wherever a line is cut.
func mostNodesFirst(message string) string {
	head, list, found := strings.Cut(message, ": ")
	if !found || !strings.Contains(head, "nodes are ") {
		return message
	}
	clauses := splitClauses(strings.TrimSuffix(list, "."))
	slices.SortStableFunc(clauses, func(a, b string) int { return cmp.Compare(leadingCount(b), leadingCount(a)) })
	return head + ": " + strings.Join(clauses, ", ") + "."
}

// splitClauses splits at commas that a count follows; others belong to a
// clause ("had taint {a: b}, that the pod didn't tolerate", before 1.22).
func splitClauses(list string) []string {
	var clauses []string
	for _, part := range strings.Split(list, ", ") {
		if len(clauses) > 0 && leadingCount(part) < 0 {
			clauses[len(clauses)-1] += ", " + part
			continue
		}
		clauses = append(clauses, part)
	}
	return clauses
}

// leadingCount returns the number of nodes at the beginning of a clause, -1
// without one.
func leadingCount(clause string) int {
	number, _, _ := strings.Cut(clause, " ")
	n, err := strconv.Atoi(number)
	if err != nil {
		return -1
	}
	return n
}
