package diagnose

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// runsWithoutPods reports whether the status of a job is running and none of
// its ranks has a pod, where pods were listed. Pods of a job that another
// controller manages may be in another cluster.
func (c *concluder) runsWithoutPods() bool {
	return withoutPods(c.job) && c.managedElsewhere() == ""
}

func withoutPods(job *train.Job) bool {
	return job.Phase == train.Running && len(job.Ranks) > 0 && !slices.ContainsFunc(job.Ranks, func(r train.Rank) bool { return r.Pod != "" })
}

func (c *concluder) managedElsewhere() string {
	ref := c.job.Ref
	o, _ := c.Object(schema.GroupKind{Group: ref.Group, Kind: ref.Kind}, ref.Namespace, ref.Name)
	top, is := o.(*unstructured.Unstructured)
	if !is {
		return ""
	}
	return kinds.ManagerOf(top)
}
