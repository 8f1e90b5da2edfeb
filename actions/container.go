package actions

import "github.com/traintop/traintop/train"

// Container is a place where a command can run.
type Container struct {
	Namespace, Pod string
	// PodUID, when set, is the pod that is meant: another one that took its
	// name since is refused.
	PodUID string
	// Name is the container, "" for the one that kubectl would take
	// (kubectl.kubernetes.io/default-container, else the first).
	Name string
}

// PodRef is the container's pod as a reference.
func (c Container) PodRef() train.Ref {
	return train.PodRef(c.Namespace, c.Pod, c.PodUID)
}

// Target is a container and whose it is.
type Target struct {
	Container
	Job train.JobID // "" for a pod of no job
	// Rank is its place in Job.Ranks, -1 for a pod that is no rank.
	Rank int
	// Index is the rank's number as it is shown (Rank.Index), -1 for none.
	Index int
	// Label is what a table calls it: "12", "worker-3", a pod's name.
	Label string
	// Node is where the pod runs, "" while it has none.
	Node string
}

// Size is that of a terminal, in cells.
type Size struct{ Width, Height uint16 }
