package wait

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// SourceHealth reports once for each change which sources give no answer while a
// wait goes on, and when they answer again.
type SourceHealth struct {
	// troubled are the sources in trouble, and since when they are reported to be.
	troubled map[string]time.Time
}

// Changes returns a sentence for each source that got into trouble or out of it
// since the last call, in the order of their names.
func (s *SourceHealth) Changes(health []train.Health, now time.Time) (changes []string) {
	troubled, names := map[string]time.Time{}, map[string]bool{}
	for i := range health {
		h := &health[i]
		names[h.Source] = true
		since, said := s.troubled[h.Source]
		switch {
		case h.State.Trouble() && said:
			troubled[h.Source] = since
		case h.State.Trouble():
			troubled[h.Source] = now
			changes = append(changes, fmt.Sprintf("%s: %s; the wait goes on with what was read before", h.Source, cmp.Or(h.Text, string(h.State))))
		case said && !h.State.Settled():
			troubled[h.Source] = since // it is tried again
		case said && h.State == train.SourceAbsent:
			changes = append(changes, h.Source+": the cluster serves it no longer, so what was read before stays as it was")
		case said:
			changes = append(changes, again(h.Source, since, now))
		}
	}
	for source, since := range s.troubled {
		if !names[source] {
			changes = append(changes, again(source, since, now))
		}
	}
	s.troubled = troubled
	slices.Sort(changes)
	return changes
}

func again(source string, since, now time.Time) string {
	return fmt.Sprintf("%s: is read again, after %s", source, termtext.Duration(now.Sub(since)))
}
