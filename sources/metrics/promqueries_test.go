package metrics

import (
	"slices"
	"testing"
)

// After a query that was too much for a server each later one has half as many metrics.
func TestAskLessHalvesTheQueries(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h"}
	p := NewPrometheus("")
	all := p.group(promQuick, nil, []string{"gpu"}, names)
	if len(all) != 1 || !slices.Equal(all[0].names, names) {
		t.Fatalf("%d queries at first: %+v", len(all), all)
	}
	for _, most := range []int{4, 2, 1, 1} {
		p.AskLess(all[0])
		all = p.group(promQuick, nil, []string{"gpu"}, names)
		var asked []string
		for _, q := range all {
			if len(q.names) > most {
				t.Errorf("a query has %d metrics, want %d at most", len(q.names), most)
			}
			asked = append(asked, q.names...)
		}
		if !slices.Equal(asked, names) {
			t.Errorf("asked for %q", asked)
		}
	}
}
