package kinds

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/train"
)

const kueueQueueLabel = "kueue.x-k8s.io/queue-name"

// kueueStanding reads the job's Workload, or the label while there is none.
func kueueStanding(f *Family) queueState {
	name := familyLabel(f, kueueQueueLabel)
	workload := kueueWorkload(f)
	if workload == nil {
		if name == "" {
			return queueState{}
		}
		queue := &train.Queue{System: "Kueue", Name: name, Cluster: clusterQueueOf(f, name), Since: f.created()}
		return queueState{queue: queue, managed: true, held: gatedByKueue(f.Pods)}
	}
	spec, status := fieldsOf(workload).in("spec"), fieldsOf(workload).in("status")
	name = cmp.Or(spec.text("queueName"), name)
	queue := &train.Queue{
		System:  "Kueue",
		Name:    name,
		Cluster: cmp.Or(status.in("admission").text("clusterQueue"), clusterQueueOf(f, name)),
		Since:   workload.GetCreationTimestamp().Time,
	}
	queue.Priority, _ = spec.number("priority")
	_, finished := holding(status, "Finished")
	_, admitted := holding(status, "Admitted")
	evicted, isEvicted := holding(status, "Evicted")
	queue.Admitted = admitted && !isEvicted
	s := queueState{queue: queue, managed: name != "", admitted: queue.Admitted || finished}
	if active, stated := spec["active"].(bool); stated && !active {
		s.stopped = true
	}
	s.held = !s.admitted && !s.stopped
	if isEvicted {
		queue.Since = HeldSince(workload, evicted.at)
	}
	if s.held {
		queue.Reason = oneLine(kueueReason(status))
	}
	return s
}

// kueueReason returns why a Workload is not admitted, as the sentence in WHY; the
// finding about it is that of diagnose/admission/kueue.go.
func kueueReason(status fields) string {
	reserved, tried := conditionOf(status, "QuotaReserved")
	if tried && reserved.holds {
		for _, check := range status.items("admissionChecks") {
			if state := check.text("state"); state != "Ready" {
				return "admission check " + check.text("name") + " is " + state + after(": ", check.text("message"))
			}
		}
		if admitted, told := conditionOf(status, "Admitted"); told {
			return cmp.Or(admitted.message, admitted.reason)
		}
		return "quota is reserved, waiting for admission"
	}
	if evicted, is := holding(status, "Evicted"); is && !tried {
		return cmp.Or(evicted.message, evicted.reason)
	}
	if tried {
		return cmp.Or(reserved.message, reserved.reason)
	}
	return "the queue has not tried it yet"
}

// kueueWorkload returns the newest unfinished Workload below the job; for a
// plain pod group the Workload of the group's name, which the pods own
// together.
func kueueWorkload(f *Family) *unstructured.Unstructured {
	isWorkload := func(o *unstructured.Unstructured) bool {
		return o.GroupVersionKind().GroupKind() == kueueWorkloadKind
	}
	unfinished := func(o *unstructured.Unstructured) bool {
		_, finished := holding(fieldsOf(o).in("status"), "Finished")
		return isWorkload(o) && !finished
	}
	if workload := newest(f, unfinished); workload != nil {
		return workload
	}
	if workload := newest(f, isWorkload); workload != nil || f.Find == nil || f.groupKind() != PodGroupRow {
		return workload
	}
	workload, _ := f.Find(kueueWorkloadKind, f.Ref.Namespace, f.Ref.Name)
	return workload
}

// gatedByKueue reports whether Kueue's scheduling gate holds pods.
func gatedByKueue(pods []*corev1.Pod) bool {
	for _, pod := range pods {
		for _, gate := range pod.Spec.SchedulingGates {
			if gate.Name == "kueue.x-k8s.io/admission" {
				return true
			}
		}
	}
	return false
}

func clusterQueueOf(f *Family, localQueue string) string {
	if f.Find == nil || localQueue == "" {
		return ""
	}
	found, _ := f.Find(localQueueKind, f.Ref.Namespace, localQueue)
	return fieldsOf(found).in("spec").text("clusterQueue")
}
