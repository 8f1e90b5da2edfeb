package store

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// podHold is a container that holds accelerators.
type podHold struct {
	pod       *corev1.Pod
	container string
	gpus      int
}

// gpuHolders finds who holds the GPUs of a node in a snapshot.
type gpuHolders struct{ *Snapshot }

// holdsOn returns the containers on a node that hold accelerators.
func (h gpuHolders) holdsOn(node string) (held []podHold) {
	h.PodsOn(node, func(pod *corev1.Pod) bool {
		for _, hold := range kinds.HeldGPUs(pod) {
			held = append(held, podHold{pod, hold.Container, hold.GPUs})
		}
		return true
	})
	return held
}

// countNamed counts the GPUs whose pod is known.
func countNamed(states []train.GPUState) (named int) {
	for i := range states {
		named += yes(states[i].GPU.Pod != "")
	}
	return named
}

// countHeld counts the GPUs whose pod still holds some: a reading may name a pod
// that is gone since.
func countHeld(states []train.GPUState, holds []podHold) (held int) {
	for i := range states {
		g := &states[i].GPU
		held += yes(g.Pod != "" && slices.ContainsFunc(holds, func(h podHold) bool { return h.pod.Name == g.Pod && h.pod.Namespace == g.Namespace }))
	}
	return held
}

// dropDeparted leaves out GPUs whose pod has ended, where another reading names the pod
// that holds the GPU now: a store of metrics keeps series of the former holder for
// minutes. meta belongs to the states.
func (h gpuHolders) dropDeparted(n *nodeGPUs, meta []gpuMeta, holds []podHold) []gpuMeta {
	if len(holds) == 0 || countHeld(n.states, holds) == countNamed(n.states) {
		return meta
	}
	holder := func(g *train.GPU) bool {
		return slices.ContainsFunc(holds, func(held podHold) bool { return held.pod.Name == g.Pod && held.pod.Namespace == g.Namespace })
	}
	now := map[train.GPUID]bool{} // GPUs whose holder is known
	for i := range n.states {
		if i < len(meta) && holder(&n.states[i].GPU) {
			now[meta[i].id] = true
		}
	}
	states, kept := n.states[:0], meta[:0]
	for i := range n.states {
		if g := &n.states[i].GPU; g.Pod != "" && i < len(meta) && now[meta[i].id] && !holder(g) && PodEnded(h.Snapshot, g.Namespace, g.Pod) {
			continue
		}
		states, kept = append(states, n.states[i]), append(kept, meta[i])
	}
	n.states = states
	return kept
}

// PodEnded reports whether a pod is known to have ended or to be gone. A reading of
// a GPU may be older than that and still name it.
func PodEnded(s *Snapshot, namespace, name string) bool {
	if pod := s.Pod(namespace, name); pod != nil {
		return pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
	}
	return s.Complete(kinds.PodKind, namespace)
}

// countAll sums the GPUs that states represent.
func countAll(states []train.GPUState) (all int) {
	for i := range states {
		all += states[i].Count
	}
	return all
}

// soleJob returns the job whose pods together hold all GPUs of a node whose source
// names no pods, nil where there is none: which of its ranks has which GPU is
// not known then.
func (h gpuHolders) soleJob(states []train.GPUState, on []podHold) *train.Job {
	if len(on) == 0 || countNamed(states) > 0 {
		return nil
	}
	job, all := h.JobOf(kinds.PodKind, on[0].pod.Namespace, on[0].pod.Name), 0
	for _, hold := range on {
		if job == nil || h.JobOf(kinds.PodKind, hold.pod.Namespace, hold.pod.Name) != job {
			return nil
		}
		all += hold.gpus
	}
	if all != len(states) {
		return nil
	}
	return job
}

// giveToJob assigns the GPUs of a node that have no pod to a job.
func (n *nodeGPUs) giveToJob(job *train.Job) {
	if job == nil {
		return
	}
	ref := job.Ref // a copy: a job is derived again and again
	for i := range n.states {
		if n.states[i].GPU.Pod == "" {
			n.states[i].Job, n.states[i].Rank, n.meta[i].job = &ref, -1, job.ID
		}
	}
}

// giveToPods assigns a holder to a node's GPUs whose source knows no pods,
// where only one is possible: a single container holds all of them.
func (h gpuHolders) giveToPods(node string, states []train.GPUState, on []podHold) {
	if node == "" || countNamed(states) > 0 {
		return
	}
	for i := range states {
		g := &states[i].GPU
		switch {
		case len(on) == 1 && on[0].gpus == len(states):
			g.Namespace, g.Pod, g.Container = on[0].pod.Namespace, on[0].pod.Name, on[0].container
		case len(on) == 0 && h.Complete(kinds.PodKind, "") && h.Node(node) != nil:
			states[i].Free = true
		}
	}
}

// heldUnmeasured adds the GPUs of a node that pods hold and that no source has
// measured, one state for each container.
func (h gpuHolders) heldUnmeasured(node string, states []train.GPUState, on []podHold) []train.GPUState {
	if len(on) == 0 {
		return states
	}
	measured := map[holderKey]int{}
	for i := range states {
		if g := &states[i].GPU; g.Pod != "" {
			measured[holderKey{g.Namespace, g.Pod, g.Container}]++
			if g.Container != "" {
				measured[holderKey{g.Namespace, g.Pod, ""}]++
			}
		}
	}
	for _, hold := range on {
		// an exporter that does not name the container names the pod
		seen := measured[holderKey{hold.pod.Namespace, hold.pod.Name, hold.container}]
		if seen == 0 && hold.container != "" {
			seen = measured[holderKey{hold.pod.Namespace, hold.pod.Name, ""}] - measuredElsewhere(measured, hold, on)
		}
		if missing := hold.gpus - seen; missing > 0 {
			states = append(states, train.GPUState{
				GPU:  train.GPU{Node: node, Model: h.modelOn(node), Namespace: hold.pod.Namespace, Pod: hold.pod.Name, Container: hold.container},
				Rank: -1, Count: missing,
			})
		}
	}
	return states
}

type holderKey struct{ namespace, pod, container string }

// measuredElsewhere counts the GPUs of a pod that are known to belong to other
// containers.
func measuredElsewhere(measured map[holderKey]int, of podHold, holds []podHold) int {
	n := 0
	for _, hold := range holds {
		if hold.pod == of.pod && hold.container != of.container && hold.container != "" {
			n += measured[holderKey{hold.pod.Namespace, hold.pod.Name, hold.container}]
		}
	}
	return n
}

func (h gpuHolders) modelOn(node string) string {
	if n := h.Node(node); n != nil {
		return n.Model
	}
	return ""
}

// freeUnmeasured adds the GPUs that a node offers, no pod holds and no source
// has measured. boards is the number of measured ones, held those of them that a
// pod holds. Free GPUs are known only when all pods are.
func (h gpuHolders) freeUnmeasured(name string, states []train.GPUState, boards, held int) []train.GPUState {
	node := h.Node(name)
	if node == nil || !h.Complete(kinds.PodKind, "") {
		return states
	}
	if free := node.Free() - (boards - held); free > 0 {
		states = append(states, train.GPUState{GPU: train.GPU{Node: name, Model: node.Model}, Rank: -1, Count: free, Free: true})
	}
	return states
}
