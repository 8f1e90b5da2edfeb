package store

import (
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store/series"
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

// Silent reports whether the cluster as a whole gives no answer: what is known
// of it ages, and the absence of news shows nothing about a job.
func (s *Snapshot) Silent() bool {
	for _, h := range s.health {
		if h.Source == "kube" {
			return h.State == train.SourceRetrying || h.State == train.SourceFailed
		}
	}
	return false
}

// Stalled returns for how long a run has made no step (series.Progress.Stalled),
// 0 while the cluster does not answer.
func (s *Snapshot) Stalled(o *series.Progress) time.Duration {
	if s.Silent() {
		return 0
	}
	return o.Stalled(s.Now)
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
