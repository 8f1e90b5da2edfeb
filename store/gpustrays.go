package store

import (
	"cmp"

	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
)

// maxStrays bounds the pods of which strays are noted; of more of them it is
// not seen at once when a job comes or goes.
const maxStrays = 4096

// noteStrays notes the pods that a node's GPUs are said to be held by, and
// that are not on it: what becomes of them shows here too.
func (d *derivation) noteStrays(name string, states []train.GPUState) {
	for i := range states {
		g := &states[i].GPU
		if g.Pod == "" || i > 0 && g.Pod == states[i-1].GPU.Pod && g.Namespace == states[i-1].GPU.Namespace || d.boundTo(g.Namespace, g.Pod) == name {
			continue
		}
		at := path(kinds.PodKind, keyOf(g.Namespace, g.Pod))
		of := d.join.strays[at]
		if of == nil {
			if len(d.join.strays) >= maxStrays {
				continue
			}
			of = map[string]bool{}
			d.join.strays[at] = of
		}
		of[name] = true
	}
}

// touchStrays marks the nodes whose GPUs a pod elsewhere is said to hold.
func (j *gpuJoin) touchStrays(pod string) {
	for node := range j.strays[pod] {
		j.dirty[node] = true
	}
	delete(j.strays, pod)
}

// straysTouched marks the nodes on which a change of pods and jobs elsewhere
// can show.
func (d *derivation) straysTouched(changed *touched) {
	if len(d.join.strays) == 0 {
		return
	}
	for at := range changed.objects {
		d.join.touchStrays(at)
	}
	for _, id := range d.derived {
		for _, job := range [...]*train.Job{d.before.Job(id), d.Job(id)} {
			if job == nil {
				continue
			}
			for i := range job.Ranks {
				r := &job.Ranks[i]
				d.join.touchStrays(path(kinds.PodKind, keyOf(cmp.Or(r.Namespace, job.Ref.Namespace), r.Pod)))
			}
		}
	}
}
