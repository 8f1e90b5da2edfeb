package diagnose

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/runtime"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// holdsFaultyDevices reports whether a pod of a job or its node shows an
// unhealthy device; the rules look closer.
func holdsFaultyDevices(w *rule.ClusterContext, job *train.Job) bool {
	if job.Phase != train.Running || job.GPUs == 0 {
		return false
	}
	seen := "" // ranks of one node are mostly neighbours
	for i := range job.Ranks {
		r := &job.Ranks[i]
		o, _ := w.Object(kinds.PodKind, r.Namespace, r.Pod)
		pod, is := o.(*corev1.Pod)
		if !is {
			continue
		}
		if what, _ := runtime.UnhealthyDevice(pod); what != "" {
			return true
		}
		if pod.Spec.NodeName == seen {
			continue
		}
		seen = pod.Spec.NodeName
		o, _ = w.Object(kinds.NodeKind, "", seen)
		if node, is := o.(*corev1.Node); is {
			if name, _, _ := runtime.Withheld(node); name != "" {
				return true
			}
		}
	}
	return false
}
