package diagnose

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// missingFailedPods adds failed pods as missing when the status of a job counts
// them, and none of them exists to show why. Of a job that runs in full they are
// told where not all pods were read: elsewhere they were replaced, and are gone.
func (c *concluder) missingFailedPods() {
	full := c.job.Ready >= c.job.Wanted
	if c.job.Phase.Terminal() || c.job.Phase == train.Suspended || InTrouble(c.job) || c.job.Restarts > 0 || full && c.Complete(kinds.PodKind, c.job.Ref.Namespace) {
		return
	}
	if n := c.failedStated(); n > 0 {
		c.miss(!full, "pods that failed", fmt.Sprintf("its status counts %s that failed, of which nothing can be seen", termtext.Count(n, "pod")),
			"kubectl describe of the job shows its events; traintop record and log collectors keep the logs of later pods")
	}
}

// failedStated returns how many failed pods the status of a job counts: batch
// Job (status.failed), the training-operator (replicaStatuses), JobSet
// (replicatedJobsStatus counts jobs).
func (c *concluder) failedStated() int {
	ref := c.job.Ref
	o, _ := c.Object(schema.GroupKind{Group: ref.Group, Kind: ref.Kind}, ref.Namespace, ref.Name)
	top, is := o.(*unstructured.Unstructured)
	if !is {
		return 0
	}
	n := countIn(top.Object, "status", "failed")
	replicas, _, _ := unstructured.NestedMap(top.Object, "status", "replicaStatuses")
	for role := range replicas {
		n += countIn(replicas, role, "failed")
	}
	for _, job := range rule.MapsIn(top.Object, "status", "replicatedJobsStatus") {
		n += countIn(job, "failed")
	}
	return n
}

// countIn returns a count in an object, which is a float where a generic JSON
// reader decoded it.
func countIn(object map[string]any, path ...string) int {
	value, _, _ := unstructured.NestedFieldNoCopy(object, path...)
	switch n := value.(type) {
	case int64:
		return int(n)
	case float64:
		return int(n)
	}
	return 0
}
