package signals

import (
	"fmt"
	"testing"
)

// A job shows once that a node is in trouble, of each trouble and of each node.
func TestANodeIsNamedOnceForEachKind(t *testing.T) {
	f := &finder{rules: []rule{{kind: "hot"}, {kind: "pressed"}, {kind: "unhealthy", hides: []string{"hot"}}}}
	kept := f.withoutHidden([]Signal{
		{Kind: "pressed", Node: "a", order: 1}, {Kind: "pressed", Node: "a", order: 1}, {Kind: "pressed", Node: "b", order: 1},
		{Kind: "unhealthy", Node: "a", order: 2}, {Kind: "hot", Node: "c", order: 0}, {Kind: "pressed", Node: "a", GPUs: 2, order: 1},
	})
	var got []string
	for _, s := range kept {
		got = append(got, fmt.Sprintf("%s %s %d", s.Kind, s.Node, s.GPUs))
	}
	if want := "[pressed a 0 pressed b 0 unhealthy a 0 pressed a 2]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %s", got, want)
	}
}
