package cli

import "testing"

// TestControlCharactersAreNoErrorOfYAML lists a job whose name for people was
// read in the wrong encoding.
func TestControlCharactersAreNoErrorOfYAML(t *testing.T) {
	job := `{"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"a","namespace":"ml","labels":{"x":"y"}},"spec":{},"status":{"conditions":[{"type":"Failed","status":"True","reason":"f` + "\u009b\u007f" + `r","message":"f` + "\u00c3\u0085\u009b31m\u007f" + `r"}]}}`
	out, messages, code := command(t, "", "jobs", "-o", "yaml", "--from", page(t, "job.json", job))
	if code != exitDone || out == "" {
		t.Errorf("exit %d: %s%s", code, out, messages)
	}
}
