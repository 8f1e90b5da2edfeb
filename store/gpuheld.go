package store

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
)

// podHold is a container that holds accelerators.
type podHold struct {
	pod       *corev1.Pod
	container string
	gpus      int
}

// podHolds are the containers that hold accelerators, by node.
func (s *Snapshot) podHolds() map[string][]podHold {
	held := map[string][]podHold{}
	s.Objects(kinds.PodKind, "", func(o kinds.Object) bool {
		if pod, isPod := o.(*corev1.Pod); isPod {
			for _, hold := range kinds.HeldGPUs(pod) {
				held[pod.Spec.NodeName] = append(held[pod.Spec.NodeName], podHold{pod, hold.Container, hold.GPUs})
			}
		}
		return true
	})
	return held
}

// measuredOn counts the boards that were measured on a node, and of how many
// of them a pod is known.
type measuredOn struct{ boards, named int }

func countMeasured(states []train.GPUState) map[string]measuredOn {
	counts := map[string]measuredOn{}
	for i := range states {
		g := &states[i].GPU
		n := counts[g.Node]
		n.boards++
		if g.Pod != "" {
			n.named++
		}
		counts[g.Node] = n
	}
	return counts
}

// giveToPods names the holder of GPUs whose source knows no pods, where only
// one can be: a single container holds all GPUs of the node.
func (s *Snapshot) giveToPods(states []train.GPUState) []train.GPUState {
	counts := countMeasured(states)
	holds := s.podHolds()
	for i := range states {
		g := &states[i].GPU
		n, on := counts[g.Node], holds[g.Node]
		if g.Node == "" || n.named > 0 {
			continue
		}
		switch {
		case len(on) == 1 && on[0].gpus == n.boards:
			g.Namespace, g.Pod, g.Container = on[0].pod.Namespace, on[0].pod.Name, on[0].container
		case len(on) == 0 && s.Complete(kinds.PodKind, "") && s.Node(g.Node) != nil:
			states[i].Free = true
		}
	}
	return states
}

// heldUnmeasured are the GPUs that pods hold and that no source has measured,
// one state for each container.
func (s *Snapshot) heldUnmeasured(states []train.GPUState) []train.GPUState {
	measured := map[holderKey]int{}
	for i := range states {
		if g := &states[i].GPU; g.Pod != "" {
			measured[holderKey{g.Namespace, g.Pod, g.Container}]++
			if g.Container != "" {
				measured[holderKey{g.Namespace, g.Pod, ""}]++
			}
		}
	}
	var more []train.GPUState
	for node, holds := range s.podHolds() {
		for _, hold := range holds {
			// an exporter that does not name the container names the pod
			seen := measured[holderKey{hold.pod.Namespace, hold.pod.Name, hold.container}]
			if seen == 0 && hold.container != "" {
				seen = measured[holderKey{hold.pod.Namespace, hold.pod.Name, ""}] - measuredElsewhere(measured, hold, holds)
			}
			if missing := hold.gpus - seen; missing > 0 {
				more = append(more, train.GPUState{
					GPU:   train.GPU{Node: node, Model: s.modelOn(node), Namespace: hold.pod.Namespace, Pod: hold.pod.Name, Container: hold.container},
					Count: missing,
				})
			}
		}
	}
	return more
}

type holderKey struct{ namespace, pod, container string }

// measuredElsewhere counts the GPUs of a pod that are known to be other containers'.
func measuredElsewhere(measured map[holderKey]int, of podHold, holds []podHold) int {
	n := 0
	for _, hold := range holds {
		if hold.pod == of.pod && hold.container != of.container && hold.container != "" {
			n += measured[holderKey{hold.pod.Namespace, hold.pod.Name, hold.container}]
		}
	}
	return n
}

func (s *Snapshot) modelOn(node string) string {
	if n := s.Node(node); n != nil {
		return n.Model
	}
	return ""
}

// freeUnmeasured are the GPUs that nodes offer, no pod holds and no source has
// measured. They are known only when all pods are.
func (s *Snapshot) freeUnmeasured(states []train.GPUState) []train.GPUState {
	if !s.Complete(kinds.PodKind, "") {
		return nil
	}
	counts := countMeasured(states)
	var more []train.GPUState
	for _, node := range s.nodeList {
		n := counts[node.Name]
		if free := node.Free() - (n.boards - n.named); free > 0 {
			more = append(more, train.GPUState{GPU: train.GPU{Node: node.Name, Model: node.Model}, Count: free, Free: true})
		}
	}
	return more
}
