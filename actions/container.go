package actions

import "github.com/traintop/traintop/train"

// Container is a container in which a command can run.
type Container struct {
	Namespace, Pod string
	// PodUID, when set, identifies the pod: another pod with the same name is
	// refused.
	PodUID string
	// Name is the container, "" for kubectl's default
	// (kubectl.kubernetes.io/default-container, else the first).
	Name string
}

// PodRef is the container's pod as a reference.
func (c Container) PodRef() train.Ref {
	return train.PodRef(c.Namespace, c.Pod, c.PodUID)
}

// Target is a container and its job and rank.
type Target struct {
	Container
	Job train.JobID // "" for a pod of no job
	// Rank is the rank index in Job.Ranks, -1 for a pod that is no rank.
	Rank int
	// Index is the rank's number as it is shown (Rank.Index), -1 for none.
	Index int
	// Label is its name in tables: "12", "worker-3", a pod's name.
	Label string
	// Node is the pod's node, "" if it has none.
	Node string
}

// Size is the size of a terminal, in cells.
type Size struct{ Width, Height uint16 }
