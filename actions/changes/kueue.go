package changes

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/train"
)

const (
	kueueGroup      = "kueue.x-k8s.io"
	kueueQueueLabel = "kueue.x-k8s.io/queue-name"
	// kueueElastic lets Kueue accept a job's new size without stopping it (Kueue
	// v0.13, pkg/workloadslicing, feature gate ElasticJobsViaWorkloadSlices).
	kueueElastic = "kueue.x-k8s.io/elastic-job"
)

// kueueHold describes how Kueue manages a job. Kueue suspends and resumes the job
// itself: it immediately resumes an admitted job that a person suspends, and suspends
// one that is not admitted (Kueue v0.10, pkg/controller/jobframework/reconciler.go). So
// a person deactivates and activates the job's Workload instead.
type kueueHold struct {
	is       bool
	workload *unstructured.Unstructured // nil if the snapshot does not contain it
}

// kueue finds the newest unfinished Workload that the job owns.
func (p *planner) kueue(job *train.Job, o *unstructured.Unstructured) kueueHold {
	var found *unstructured.Unstructured
	for _, below := range p.Below(job) {
		w, is := below.(*unstructured.Unstructured)
		if !is || w.GroupVersionKind().Group != kueueGroup || w.GetKind() != "Workload" || holds(w, "Finished") {
			continue
		}
		if found == nil || found.GetCreationTimestamp().Time.Before(w.GetCreationTimestamp().Time) {
			found = w
		}
	}
	labelled := o != nil && o.GetLabels()[kueueQueueLabel] != ""
	queued := job.Queue != nil && job.Queue.System == "Kueue"
	return kueueHold{is: found != nil || (labelled || queued) && !p.withoutKueue(job), workload: found}
}

// withoutKueue reports whether only a label mentions Kueue: the cluster does not have
// it, or a job runs without a Workload.
func (p *planner) withoutKueue(job *train.Job) bool {
	if p.Complete(schema.GroupKind{Group: kueueGroup, Kind: "Workload"}, job.Ref.Namespace) {
		return job.Phase == train.Running
	}
	return slices.ContainsFunc(p.Health(), func(h train.Health) bool {
		return h.Group == kueueGroup && h.Resource == "workloads" && h.State == train.SourceAbsent
	})
}

// holds reports whether a condition has status True.
func holds(o *unstructured.Unstructured, kind string) bool {
	for _, c := range items(o.Object, "status", "conditions") {
		if text(c, "type") == kind {
			return text(c, "status") == "True"
		}
	}
	return false
}

func (k kueueHold) active() bool {
	active, stated := field(k.workload.Object, "spec", "active").(bool)
	return active || !stated
}

func (k kueueHold) ref() train.Ref {
	return train.Ref{Group: kueueGroup, Kind: "Workload", Namespace: k.workload.GetNamespace(), Name: k.workload.GetName(), UID: string(k.workload.GetUID())}
}

// unseen refuses a job whose Workload is not in the snapshot.
func unseen(job *train.Job) Target {
	return refused(job.Ref, "Kueue manages it and would undo the change; its Workload, which would have to be changed instead, cannot be seen")
}

// deactivate deactivates the Workload: Kueue then stops the job and removes it from its
// queue.
func (p *planner) deactivate(job *train.Job, k kueueHold) Target {
	if k.workload == nil {
		return unseen(job)
	}
	if !k.active() {
		return refused(job.Ref, "Kueue's %s is switched off already", named(k.ref()))
	}
	p.suspendsWhat(job)
	t := Target{Ref: job.Ref, Requests: []actions.Request{setFlag(k.ref(), []string{"spec", "active"}, false)}}
	then := "Kueue suspends the job and takes it out of " + queueOf(job) + ": " + p.stops(job)
	if job.Phase == train.Queued {
		then = "the job leaves " + queueOf(job) + " and loses its place there"
	}
	t.Consequences = []string{
		fmt.Sprintf("switches off Kueue's %s (spec.active false), since Kueue would undo a suspension of the job itself", named(k.ref())), then,
	}
	t.Done = all(inPhase(job.Ref, train.Suspended), podsGone(p.podsOf(job), true))
	return t
}

// activate activates it again: the job queues as if it were new.
func (p *planner) activate(job *train.Job, k kueueHold) Target {
	switch {
	case k.workload == nil:
		return unseen(job)
	case k.active() && job.Phase == train.Queued:
		return refused(job.Ref, "it waits in %s, and Kueue starts it when there is quota", queueOf(job))
	case k.active():
		return refused(job.Ref, "%s is not suspended (%s)", named(job.Ref), job.Phase)
	}
	return Target{
		Ref:      job.Ref,
		Requests: []actions.Request{setFlag(k.ref(), []string{"spec", "active"}, true)},
		Consequences: []string{
			fmt.Sprintf("switches on Kueue's %s (spec.active true)", named(k.ref())),
			fmt.Sprintf("the job waits in %s until Kueue admits it%s", queueOf(job), asking(job)),
		},
		Done: inPhase(job.Ref, train.Queued, train.Pending, train.Running, train.Restarting),
	}
}

func queueOf(job *train.Job) string {
	if job.Queue == nil || job.Queue.Name == "" {
		return "its queue"
	}
	return safe("queue " + job.Queue.Name)
}
