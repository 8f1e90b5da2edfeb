package store

import (
	"cmp"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// maxCrossNodeHolders bounds the pods recorded. For pods beyond it, the GPUs
// are not updated at once when a job comes or goes.
const maxCrossNodeHolders = 4096

// noteCrossNodeHolders records the pods that are reported to hold a node's
// GPUs but run elsewhere: a change of such a pod changes this node too.
func (d *derivation) noteCrossNodeHolders(name string, states []train.GPUState) {
	for i := range states {
		g := &states[i].GPU
		if g.Pod == "" || i > 0 && g.Pod == states[i-1].GPU.Pod && g.Namespace == states[i-1].GPU.Namespace || boundTo(d.Snapshot, g.Namespace, g.Pod) == name {
			continue
		}
		at := path(kinds.PodKind, keyOf(g.Namespace, g.Pod))
		of := d.join.crossNodeHolders[at]
		if of == nil {
			if len(d.join.crossNodeHolders) >= maxCrossNodeHolders {
				continue
			}
			of = map[string]bool{}
			d.join.crossNodeHolders[at] = of
		}
		of[name] = true
	}
}

// touchCrossNodeHolder marks the nodes whose GPUs a pod on another node is
// reported to hold.
func (j *gpuJoin) touchCrossNodeHolder(pod string) {
	for node := range j.crossNodeHolders[pod] {
		j.dirty[node] = true
	}
	delete(j.crossNodeHolders, pod)
}

// crossNodeHoldersDirty marks the nodes that a change of pods and jobs on
// other nodes can affect.
func (d *derivation) crossNodeHoldersDirty(changed *dirtySet) {
	if len(d.join.crossNodeHolders) == 0 {
		return
	}
	for at := range changed.objects {
		d.join.touchCrossNodeHolder(at)
	}
	for _, id := range d.derived {
		for _, job := range [...]*train.Job{d.before.Job(id), d.Job(id)} {
			if job == nil {
				continue
			}
			for i := range job.Ranks {
				r := &job.Ranks[i]
				d.join.touchCrossNodeHolder(path(kinds.PodKind, keyOf(cmp.Or(r.Namespace, job.Ref.Namespace), r.Pod)))
			}
		}
	}
}

// boundTo returns the node of a pod, "" when the pod does not exist or has
// none.
func boundTo(s *Snapshot, namespace, name string) string {
	if pod := s.Pod(namespace, name); pod != nil {
		return pod.Spec.NodeName
	}
	return ""
}
