package diagnose

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// missingFailedPods adds failed pods as missing when the status of a job counts
// them, and none of them exists to show why. Where every rank runs they were
// replaced, and the next one may fail alike, unless it makes steps for long.
func (c *concluder) missingFailedPods() {
	if n := c.failedUnseen(c.job); n > 0 {
		c.miss(!c.makesSteps(), "pods that failed", fmt.Sprintf("its status counts %s that failed, of which nothing can be seen", termtext.Count(n, "pod")),
			"kubectl describe of the job shows its events; traintop record and log collectors keep the logs of later pods")
	}
}

// makesSteps reports whether all ranks run, and the log of one has steps of so
// long that earlier ends no longer count, as it is where they can be seen.
func (c *concluder) makesSteps() bool {
	if c.job.Phase != train.Running || c.job.Ready < c.job.Wanted {
		return false
	}
	for i := range c.job.Ranks {
		log := c.RankLog(c.job, i)
		if log == nil {
			continue
		}
		if rows := log.Samples.Rows; len(rows) > 1 && time.Duration(rows[len(rows)-1].Time-rows[0].Time) >= rule.Recovered {
			return true
		}
	}
	return false
}

// failedUnseen returns how many failed pods the status of a job counts, 0 where
// one of them can be seen, and of a job that is over or suspended.
func (w *pass) failedUnseen(job *train.Job) int {
	if job.Phase.Terminal() || job.Phase == train.Suspended || InTrouble(job) || job.Restarts > 0 {
		return 0
	}
	return w.failedStated(job)
}

// failedStated returns how many failed pods the status of a job counts: batch
// Job (status.failed), the training-operator (replicaStatuses), JobSet
// (replicatedJobsStatus counts jobs).
func (w *pass) failedStated(job *train.Job) int {
	ref := job.Ref
	o, _ := w.Object(schema.GroupKind{Group: ref.Group, Kind: ref.Kind}, ref.Namespace, ref.Name)
	top, is := o.(*unstructured.Unstructured)
	if !is {
		return 0
	}
	n := countIn(top.Object, "status", "failed")
	statuses, _, _ := unstructured.NestedFieldNoCopy(top.Object, "status", "replicaStatuses")
	replicas, _ := statuses.(map[string]any)
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
