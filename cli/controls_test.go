package cli

import (
	"strings"
	"testing"
)

// TestControlCharactersAreNoErrorOfYAML lists a job of which the name and the
// queue were read in the wrong encoding.
func TestControlCharactersAreNoErrorOfYAML(t *testing.T) {
	job := `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"a` + "\u009b" + `","namespace":"ml","labels":{"kueue.x-k8s.io/queue-name":"q` + "\x7f" + `"}},"spec":{}}`
	out, messages, code := command(t, "", "jobs", "-o", "yaml", "--from", page(t, "job.json", job))
	if code != exitDone || !strings.Contains(out, `"a\u009B"`) || !strings.Contains(out, `"q\u007F"`) {
		t.Errorf("exit %d: %s%s", code, out, messages)
	}
}
