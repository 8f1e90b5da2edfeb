package kinds

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/train"
)

const kueueQueueLabel = "kueue.x-k8s.io/queue-name"

// kueueQueueState reads the job's Workload, or the label while there is none.
func kueueQueueState(f *Family) queueState {
	name := familyLabel(f, kueueQueueLabel)
	workload := kueueWorkload(f)
	if workload == nil {
		if name == "" {
			return queueState{}
		}
		queue := &train.Queue{System: "Kueue", Name: name, ClusterQueue: clusterQueueOf(f, name), Since: f.created()}
		return queueState{queue: queue, managed: true, held: gatedByKueue(f.Pods)}
	}
	status := fieldsOf(workload).in("status")
	queue := queueOfWorkload(workload)
	queue.Name = cmp.Or(queue.Name, name)
	queue.ClusterQueue = cmp.Or(status.in("admission").text("clusterQueue"), clusterQueueOf(f, queue.Name))
	_, finished := holding(status, "Finished")
	s := queueState{queue: queue, managed: queue.Name != "", admitted: queue.Admitted || finished, stopped: isStopped(workload)}
	s.held = !s.admitted && !s.stopped
	if s.held {
		queue.Reason = oneLine(kueueReason(status))
	}
	return s
}

// queueOfWorkload reads where a Workload waits, with which priority and since when.
func queueOfWorkload(workload *unstructured.Unstructured) *train.Queue {
	spec, status := fieldsOf(workload).in("spec"), fieldsOf(workload).in("status")
	queue := &train.Queue{System: "Kueue", Name: spec.text("queueName"), Workload: workload.GetName(), Since: workload.GetCreationTimestamp().Time}
	queue.Priority, _ = spec.number("priority")
	_, admitted := holding(status, "Admitted")
	evicted, isEvicted := holding(status, "Evicted")
	queue.Admitted = admitted && !isEvicted
	if isEvicted {
		queue.Since = HeldSince(workload, evicted.at)
	}
	return queue
}

func isStopped(workload *unstructured.Unstructured) bool {
	active, stated := fieldsOf(workload).in("spec")["active"].(bool)
	return stated && !active
}

// WaitingWorkload returns the queue in which a Kueue Workload waits for quota,
// whatever it represents; nil for one that has quota, has ended or is switched
// off. Its ClusterQueue is that of the LocalQueue.
func WaitingWorkload(o Object) *train.Queue {
	workload, is := o.(*unstructured.Unstructured)
	if !is || isStopped(workload) {
		return nil
	}
	if _, has := holding(fieldsOf(workload).in("status"), "QuotaReserved", "Finished"); has {
		return nil
	}
	return queueOfWorkload(workload)
}

// QueuePending reads a LocalQueue or ClusterQueue of Kueue: how many Workloads
// wait in it (status.pendingWorkloads, Kueue 0.19).
func QueuePending(o Object) int {
	queue, _ := o.(*unstructured.Unstructured)
	pending, _ := fieldsOf(queue).in("status").number("pendingWorkloads")
	return pending
}

// ClusterQueueOf returns the ClusterQueue of a LocalQueue, "" when unknown.
func ClusterQueueOf(localQueue Object) string {
	queue, _ := localQueue.(*unstructured.Unstructured)
	return fieldsOf(queue).in("spec").text("clusterQueue")
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
		if admitted, known := conditionOf(status, "Admitted"); known {
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
		return o.GroupVersionKind().GroupKind() == KueueWorkloadKind
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
	workload, _ := f.Find(KueueWorkloadKind, f.Ref.Namespace, f.Ref.Name)
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
	found, _ := f.Find(LocalQueueKind, f.Ref.Namespace, localQueue)
	return ClusterQueueOf(found)
}
