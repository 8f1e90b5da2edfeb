package diagnose

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// missingElsewhere adds the pods of a job as missing that run in another
// cluster. A job that runs there may fail or hang unseen.
func (c *concluder) missingElsewhere(whose string) {
	manager := rule.Plain(c.managedElsewhere())
	unseen := withoutPods(c.job) || c.job.Phase == train.Failed
	if cluster := c.otherCluster(); cluster != "" {
		c.miss(unseen, "pods", whose+" are in the cluster "+cluster+": "+manager+" manages the job", "ask that cluster: traintop diagnose with --context of "+cluster)
		return
	}
	c.miss(unseen, "pods", whose+" are not here: "+manager+" manages the job", "ask the cluster in which they run; the Workload of the job names it once it is admitted")
}

// otherCluster returns the worker cluster to which MultiKueue sent a job
// (kueue.x-k8s.io Workload status.clusterName), "" where none is named.
func (c *concluder) otherCluster() string {
	for _, o := range c.Below(c.job) {
		u, is := o.(*unstructured.Unstructured)
		if !is || rule.ObjectKind(o) != rule.WorkloadKind {
			continue
		}
		if name := rule.TextIn(u.Object, "status", "clusterName"); name != "" {
			return rule.Plain(name)
		}
	}
	return ""
}
