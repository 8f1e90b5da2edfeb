package e2e

import (
	"path/filepath"
	"strings"
	"testing"
)

// A mistyped name is answered with the names that exist.
func TestMistakesAreAnsweredWithWhatExists(t *testing.T) {
	t.Parallel()
	namespaces(t, "spelled-right")
	missing := filepath.Join(t.TempDir(), "no-such-kubeconfig")
	for _, c := range []struct {
		kubeconfig string
		args       []string
		says       []string
	}{
		{cluster.Kubeconfig, []string{"-n", "speled-right"}, []string{"speled-right", "spelled-right"}},
		{cluster.Kubeconfig, []string{"--context", "prod"}, []string{"prod", "traintop-e2e"}},
		{cluster.Kubeconfig, []string{"-n", "spelled-right", "bert"}, []string{"bert", "spelled-right"}},
		{missing, nil, []string{missing}},
	} {
		out, complaints, err := run(t.Context(), c.kubeconfig, append([]string{"jobs"}, c.args...)...)
		if err == nil {
			t.Errorf("traintop jobs %v succeeds: %q", c.args, out)
		}
		for _, text := range c.says {
			if !strings.Contains(complaints, text) {
				t.Errorf("traintop jobs %v does not say %q: %s", c.args, text, complaints)
			}
		}
	}
}
