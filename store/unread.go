package store

import (
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Unread reports whether the list of a kind is incomplete, in a namespace or
// ("") in all, and returns the state of the list. Objects from files are never
// listed, but a file that was not read completely may contain any kind; a kind
// that the cluster does not serve has no objects.
func (s *Snapshot) Unread(kind schema.GroupKind, namespace string) (list train.Health, unread bool) {
	resource, covered := kinds.Plural(kind), false
	for _, h := range s.health {
		switch {
		case strings.HasPrefix(h.Source, "file ") && h.State == train.SourceFailed:
			return h, true
		case h.Resource != resource || h.Group != kind.Group || !strings.HasPrefix(h.Source, "kube/"):
		case h.LeavesOut():
			if h.Namespace == "" || namespace == "" || h.Namespace == namespace {
				return h, true
			}
		case h.State == train.SourceLive && h.Namespace != "" && h.Namespace == namespace:
			covered = true
		case h.State == train.SourceAbsent, h.State == train.SourceLive && h.Namespace == "":
		case !unread || h.State != train.SourceLive:
			list, unread = h, true
		}
	}
	if covered {
		return train.Health{}, false
	}
	return list, unread
}

// Unserved reports whether the cluster does not serve a kind: its definition
// is not installed.
func (s *Snapshot) Unserved(kind schema.GroupKind) bool {
	resource := kinds.Plural(kind)
	for _, h := range s.health {
		if h.State == train.SourceAbsent && h.Resource == resource && h.Group == kind.Group && strings.HasPrefix(h.Source, "kube/") {
			return true
		}
	}
	return false
}
