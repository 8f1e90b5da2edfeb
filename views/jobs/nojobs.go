package jobs

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
)

// whereToStart lists for a cluster without jobs which kinds were looked for, and
// what a person can do.
func whereToStart(f views.Frame) []string {
	var served, absent []string
	for _, kind := range kinds.Jobs() {
		at := slices.IndexFunc(f.Snapshot.Health(), func(h train.Health) bool {
			return h.Resource == kind.Resource && h.Group == kind.Group && h.Namespace == ""
		})
		switch {
		case at < 0:
		case f.Snapshot.Health()[at].State == train.SourceAbsent:
			absent = append(absent, kind.Kind)
		default:
			served = append(served, kind.Kind)
		}
	}
	var texts []string
	if len(served) > 0 {
		texts = append(texts, "looked for "+termtext.Few(served, 6))
	}
	if len(absent) > 0 {
		texts = append(texts, "not installed: "+termtext.Few(absent, 4))
	}
	return append(texts, strings.Join([]string{"where to start: kubectl apply a job", ":nodes shows the GPUs", "traintop demo shows a busy cluster"}, "; "))
}
