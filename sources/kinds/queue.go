package kinds

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

// standing is where a job stands with the queues and gang schedulers.
type standing struct {
	queue *train.Queue
	// held is true while a queue or a gang keeps the job from its pods.
	held bool
	// stopped is true when a Kueue Workload is switched off (spec.active false).
	stopped bool
	// managed is true when a Kueue queue is named, whether or not its Workload
	// can be seen.
	managed bool
	// admitted is true when a Kueue Workload is seen and admitted.
	admitted bool
	// gang is what a gang scheduler says about the job, held or not.
	gang string
}

// standingOf asks Kueue first: where it admits, a gang scheduler may still
// hold the pods.
func standingOf(f *Family, a *account) standing {
	s := kueueStanding(f)
	for _, gang := range []standing{volcanoStanding(f, a), kaiStanding(f)} {
		s.held = s.held || gang.held
		s.gang = cmp.Or(s.gang, gang.gang)
		if s.queue == nil {
			s.queue = gang.queue
		}
	}
	s.gang = cmp.Or(s.gang, coreGang(f))
	return s
}

const kueueQueueLabel = "kueue.x-k8s.io/queue-name"

// kueueStanding reads the job's Workload, or the label while there is none.
func kueueStanding(f *Family) standing {
	name := familyLabel(f, kueueQueueLabel)
	workload := kueueWorkload(f)
	if workload == nil {
		if name == "" {
			return standing{}
		}
		queue := &train.Queue{System: "Kueue", Name: name, Cluster: clusterQueueOf(f, name), Since: f.created()}
		return standing{queue: queue, managed: true, held: gatedByKueue(f.Pods)}
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
	s := standing{queue: queue, managed: name != "", admitted: queue.Admitted || finished}
	if active, stated := spec["active"].(bool); stated && !active {
		s.stopped = true
	}
	s.held = !s.admitted && !s.stopped
	if isEvicted {
		queue.Since = evicted.at
	}
	if s.held {
		queue.Reason = oneLine(kueueReason(status))
	}
	return s
}

// kueueReason is why a Workload is not admitted.
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

// kueueWorkload is the newest unfinished Workload below the job; for a plain
// pod group the Workload of the group's name, which the pods own together.
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

// gatedByKueue reports pods that Kueue's scheduling gate holds.
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

// volcanoStanding reads a Volcano PodGroup; while that is Pending, Volcano
// has not let the gang in and creates no pods.
func volcanoStanding(f *Family, a *account) standing {
	group := podGroupOf(f, volcanoPodGroupKind, volcanoGroupName)
	name := cmp.Or(fieldsOf(group).in("spec").text("queue"), a.volcanoQueue, volcanoQueueName(f))
	if group == nil && (name == "" || f.groupKind() != volcanoJobKind) {
		return standing{}
	}
	status := fieldsOf(group).in("status")
	phase := status.text("phase")
	s := standing{queue: &train.Queue{System: "Volcano", Name: name, Priority: podPriority(f), Since: f.created()}}
	s.held = phase == "Pending"
	s.queue.Admitted = group != nil && phase != "" && !s.held || group == nil && len(f.Pods) > 0
	// Unschedulable=True outlives the scheduling (volcano #153): phase first
	if c, stuck := holding(status, "Unschedulable"); stuck && (s.held || phase == "Inqueue") {
		s.gang = oneLine(cmp.Or(c.message, c.reason))
	}
	if s.held {
		s.queue.Reason = cmp.Or(s.gang, "the gang is not let into the queue yet")
	}
	return s
}

// volcanoGroupName: a job's pods name their group.
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

// kaiStanding reads KAI's queue label and PodGroup (NVIDIA/KAI-Scheduler
// pkg/apis/scheduling/v2alpha2). Its scheduling conditions stay after
// scheduling (KAI #1888), so a pod with a node overrules them.
func kaiStanding(f *Family) standing {
	name := cmp.Or(familyLabel(f, "kai.scheduler/queue"), familyLabel(f, "runai/queue"))
	group := podGroupOf(f, kaiPodGroupKind, func(pod *corev1.Pod) string { return pod.Annotations["pod-group-name"] })
	spec, status := fieldsOf(group).in("spec"), fieldsOf(group).in("status")
	name = cmp.Or(spec.text("queue"), name)
	if name == "" {
		return standing{}
	}
	queue := &train.Queue{System: "KAI", Name: name, Priority: podPriority(f), Since: f.created()}
	s := standing{queue: queue}
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

// coreGang is what a coscheduling or core PodGroup says about a gang that
// waits; these have no queues.
func coreGang(f *Family) string {
	group := podGroupOf(f, corePodGroupKind, func(*corev1.Pod) string { return "" })
	if c, told := conditionOf(fieldsOf(group).in("status"), "PodGroupInitiallyScheduled"); told && !c.holds {
		return oneLine(cmp.Or(c.message, c.reason))
	}
	return ""
}

// podGroupOf is the PodGroup of a kind below the job, or the one that its
// pods name.
func podGroupOf(f *Family, kind schema.GroupKind, named func(*corev1.Pod) string) *unstructured.Unstructured {
	if group := newest(f, func(o *unstructured.Unstructured) bool { return o.GroupVersionKind().GroupKind() == kind }); group != nil {
		return group
	}
	if f.Find == nil || len(f.Pods) == 0 {
		return nil
	}
	name := named(f.Pods[0])
	if name == "" {
		return nil
	}
	group, _ := f.Find(kind, f.Ref.Namespace, name)
	return group
}

// familyLabel is a label of the job, else of its first pod.
func familyLabel(f *Family, label string) string {
	if f.Top != nil {
		if value := f.Top.GetLabels()[label]; value != "" {
			return value
		}
	}
	for _, pod := range f.Pods {
		return pod.Labels[label]
	}
	return ""
}

func podPriority(f *Family) int {
	for _, pod := range f.Pods {
		if pod.Spec.Priority != nil {
			return int(*pod.Spec.Priority)
		}
		break
	}
	return 0
}

func anyPlaced(pods []*corev1.Pod) bool {
	for _, pod := range pods {
		if pod.Spec.NodeName != "" {
			return true
		}
	}
	return false
}
