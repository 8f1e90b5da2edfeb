package kinds

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

// LonePod returns a pod that belongs to no job as a job of one rank, so that its log is
// followed and shown as that of any rank. It is no row: lists of jobs do not have it.
func LonePod(id train.JobID, pod *corev1.Pod) *train.Job {
	family := &Family{
		Ref: train.PodRef(pod.Namespace, pod.Name, string(pod.UID)), Pods: []*corev1.Pod{pod}, PodsListed: true,
		Find: func(schema.GroupKind, string, string) (*unstructured.Unstructured, train.Presence) {
			return nil, train.Unknown
		},
		NodeReady: func(string) (bool, train.Presence) { return false, train.Unknown },
	}
	job := Assemble(family)
	job.ID, job.Gone = id, false
	job.Labels, job.Created = pod.Labels, pod.CreationTimestamp.Time
	return job
}
