package dump

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// TestDumpThatCannotBeReadIsNoLog checks that objects with text around them,
// or without their heads, never count as log lines.
func TestDumpThatCannotBeReadIsNoLog(t *testing.T) {
	object := "- apiVersion: v1\n  kind: Node\n  metadata:\n    name: a\n    uid: b\n  spec:\n    unschedulable: true\n"
	list := "apiVersion: v1\nitems:\n" + strings.Repeat(object, 6) + "kind: List\n"
	for what, text := range map[string]string{
		"a prompt and a cut": "$ kubectl get all -o yaml\n" + list[:len(list)-40] + ": [\n",
		"a diff":             strings.ReplaceAll(" "+strings.ReplaceAll(list, "\n", "\n "), "\n     uid", "\n+    uid"),
		"tabs for blanks":    strings.ReplaceAll(list, "\n  ", "\n\t"),
		"JSON without head":  "  \"phase\": \"Running\"\n },\n" + strings.Repeat(" {\n  \"apiVersion\": \"v1\",\n  \"kind\": \"Node\",\n  \"metadata\": {\n   \"name\": \"a\"\n  }\n },\n", 6),
	} {
		path := write(t, "dump.txt", text)
		files := New([]string{path}, Options{})
		files.TakeTexts()
		h := newHeard()
		_ = files.Run(t.Context(), h) // the run reads nothing, as intended
		if health := h.health["file "+path]; health.State != train.SourceFailed || !strings.Contains(health.Text, "a dump of objects that could not be read as one") {
			t.Errorf("%s: health is %+v", what, health)
		}
	}
}
