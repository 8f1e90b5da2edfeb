package kinds

import (
	"cmp"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

// queueState is the state of a job in queues and gang schedulers.
type queueState struct {
	queue *train.Queue
	// held is true while a queue or a gang scheduler keeps the job from
	// creating or starting its pods.
	held bool
	// stopped is true when a Kueue Workload is switched off (spec.active
	// false).
	stopped bool
	// managed is true when a Kueue queue is named, whether or not its Workload
	// is observed.
	managed bool
	// admitted is true when a Kueue Workload is observed and admitted.
	admitted bool
	// gang is a gang scheduler's message about the job, held or not.
	gang string
}

// queueStateOf checks Kueue first: after it admits, a gang scheduler may still
// hold the pods.
func queueStateOf(f *Family, a *specAndStatus) queueState {
	s := kueueQueueState(f)
	for _, gang := range []queueState{volcanoQueueState(f, a), kaiQueueState(f)} {
		s.held = s.held || gang.held
		s.gang = cmp.Or(s.gang, gang.gang)
		if s.queue == nil {
			s.queue = gang.queue
		}
	}
	s.gang = cmp.Or(s.gang, coreGang(f))
	return s
}

// podGroupOf returns the PodGroup of a kind below the job, or the one that its
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

// familyLabel returns a label of the job, else of its first pod.
func familyLabel(f *Family, label string) string {
	if f.Top != nil {
		if value := f.Top.GetLabels()[label]; value != "" {
			return value
		}
	}
	if len(f.Pods) == 0 {
		return ""
	}
	return f.Pods[0].Labels[label]
}

func podPriority(f *Family) int {
	if len(f.Pods) == 0 || f.Pods[0].Spec.Priority == nil {
		return 0
	}
	return int(*f.Pods[0].Spec.Priority)
}

func anyPlaced(pods []*corev1.Pod) bool {
	for _, pod := range pods {
		if pod.Spec.NodeName != "" {
			return true
		}
	}
	return false
}
