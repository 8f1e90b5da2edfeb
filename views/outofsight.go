package views

import (
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

// PodsOutOfSight reports that pods may be read in some namespaces only, so GPUs
// that look free on a node may be held by others.
func PodsOutOfSight(s *store.Snapshot) bool { return s.Partial(kinds.PodKind) }

// OutOfSight is the note about it.
const OutOfSight = "pods of other namespaces are out of sight"
