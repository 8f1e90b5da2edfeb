package tasks

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEditorsAreSplitAsKubectlDoes(t *testing.T) {
	for _, c := range []struct {
		environment map[string]string
		want        []string
	}{
		{nil, []string{"vi", "f"}},
		{map[string]string{"EDITOR": "nano"}, []string{"nano", "f"}},
		{map[string]string{"EDITOR": "nano", "KUBE_EDITOR": "code --wait"}, []string{"code", "--wait", "f"}},
		{map[string]string{"EDITOR": `"/a b/e" -x`, "SHELL": "/bin/zsh"}, []string{"/bin/zsh", "-c", `"/a b/e" -x "$1"`, "/bin/zsh", "f"}},
		{map[string]string{"EDITOR": "  "}, []string{"vi", "f"}},
	} {
		if got := editorFor(func(name string) string { return c.environment[name] }, "f"); !cmp.Equal(got, c.want) {
			t.Errorf("%v: %q, want %q", c.environment, got, c.want)
		}
	}
}
