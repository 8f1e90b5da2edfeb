package diagnose

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// HidingJobs is what could not be read and may hold a job of a kind, "" for
// any, in a namespace, "" for all.
func HidingJobs(s *store.Snapshot, kind, namespace string) []Missing {
	var hiding []Missing
	for _, h := range s.Health() {
		refused := h.State == train.SourceForbidden
		u, unlisted := unlistedOf(h)
		switch {
		case !mayHold(h, kind), namespace != "" && h.Namespace != "" && h.Namespace != namespace:
		case refused && namespace != "" && strings.Contains(readableIn(s, h), ","+namespace+","):
		case unlisted && u.kind == "":
			hiding = append(hiding, u.missing())
		case refused:
			hiding = append(hiding, Missing{What: listName(h), Why: rule.Plain(h.Text), Help: rightsHelp, decisive: true})
		default:
			if m, is := missingInput(h); is {
				m.What = listName(h)
				hiding = append(hiding, m)
			}
		}
	}
	return hiding
}

// mayHold reports whether jobs of a kind can be in what a source reads. Pods
// tell of jobs that no kind of the list stands for.
func mayHold(h train.Health, kind string) bool {
	switch {
	case isFile(h), h.Source == "kube", h.Source == "kube/apis":
		return true
	case !strings.HasPrefix(h.Source, "kube/"):
		return false
	}
	ofKind := func(k kinds.Kind) bool { return strings.EqualFold(k.Kind, kind) }
	known := slices.ContainsFunc(kinds.Jobs(), ofKind)
	if h.Group == "" && h.Resource == "pods" {
		return !known
	}
	return slices.ContainsFunc(kinds.Jobs(), func(k kinds.Kind) bool {
		return k.Resource == h.Resource && k.Group == h.Group && (!known || ofKind(k))
	})
}

// listName is what a source reads, as people name it.
func listName(h train.Health) string {
	return rule.Plain(strings.TrimPrefix(h.Source, "kube/"))
}
