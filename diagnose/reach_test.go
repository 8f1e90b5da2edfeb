package diagnose

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/store"
)

// Commands that are copied reach the cluster that was diagnosed, not that of the
// current context.
func TestCommandsReachTheCluster(t *testing.T) {
	scenario := waiting("0/2 nodes are available: 2 Insufficient nvidia.com/gpu.")
	c := newCluster(t)
	scenario(c)
	c.node("gpu-0", 8)
	c.holder("gpu-0", 8)
	seen := 0
	for _, reach := range []Reach{nil, {"--context", "prod of us"}} {
		for _, f := range commandsOf(c.snapshot(), reach) {
			seen++
			want := "kubectl "
			if reach != nil {
				want += "--context 'prod of us' "
			}
			if !strings.HasPrefix(f, want) {
				t.Errorf("with %v it says %q", reach, f)
			}
			if reach == nil && strings.Contains(f, "--context") {
				t.Errorf("without flags it says %q", f)
			}
		}
	}
	if seen < 2 {
		t.Errorf("%d commands are seen", seen)
	}
}

func commandsOf(s *store.Snapshot, reach Reach) (all []string) {
	r := Run(s, Options{Reach: reach}, nil)
	for _, id := range r.Jobs() {
		for _, f := range r.Job(id).Findings {
			for _, step := range f.Next {
				if step.Command != "" {
					all = append(all, step.Command)
				}
			}
		}
	}
	return all
}
