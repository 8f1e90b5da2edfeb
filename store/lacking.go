package store

import (
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// changeHealth stores the health of a source. When the source reports that
// objects of a list are left out, or no longer are, that list becomes
// incomplete or complete.
func (s *Store) changeHealth(h train.Health) {
	if h.State == "" {
		mapOf(s.health).Delete(h.Source)
	} else {
		mapOf(s.health).Set(h.Source, h)
	}
	s.dirty.health = true
	if !strings.HasSuffix(h.Source, train.LeftOut) {
		return
	}
	for kind, t := range s.raw.tables {
		if now := s.lackingOf(kind); !maps.Equal(now, t.incomplete) {
			s.listedAnew(kind)
		}
	}
}

// lackingOf returns the incomplete lists of a kind, by namespace.
func (s *Store) lackingOf(kind schema.GroupKind) (lacking map[string]bool) {
	mapOf(s.health).Scan(func(_ string, h train.Health) bool {
		if h.LeavesOut() && h.Group == kind.Group && h.Resource == kinds.Plural(kind) {
			if lacking == nil {
				lacking = map[string]bool{}
			}
			lacking[h.Namespace] = true
		}
		return true
	})
	return lacking
}
