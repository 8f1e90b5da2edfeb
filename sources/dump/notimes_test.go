package dump

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
)

// An event whose time is none, or that has no time, is read: when it happened is
// unknown, and what it reports is not.
func TestEventsWithoutATimeAreRead(t *testing.T) {
	const inYAML = "apiVersion: v1\nkind: Event\nmetadata: {name: a, namespace: ml, creationTimestamp: null}\ninvolvedObject: {kind: Pod, name: x, namespace: ml}\nreason: Failed\nmessage: NaN loss\ncount: 2\nlastTimestamp: TIME\n"
	const inJSON = `{"apiVersion": "v1", "kind": "List", "items": [{"apiVersion": "v1", "kind": "Event", "metadata": {"name": "a", "namespace": "ml"}, "reason": "Failed", "message": "NaN loss", "count": 2, "eventTime": TIME, "series": {"count": 2, "lastObservedTime": TIME}}]}`
	for _, form := range []string{inYAML, inJSON} {
		for _, at := range []string{"null", `"NaN"`, `"<unknown>"`, "0", "NaN", ".nan", "12.5"} {
			if form == inJSON && at == ".nan" || form == inYAML && at == "NaN" {
				continue // each in its own language
			}
			text := strings.ReplaceAll(form, "TIME", at)
			heard, files, err := readAll(t, Options{}, write(t, "events.txt", text))
			if err != nil || len(files.Summary().Problems) > 0 {
				t.Errorf("%s: %v, problems %v", text, err, files.Summary().Problems)
			}
			event, found := heard.objects["ml/Event/a"].(*corev1.Event)
			if found = found && event.Message == "NaN loss" && event.Count == 2 && event.LastTimestamp.IsZero() && event.EventTime.IsZero(); !found {
				t.Errorf("%s: the event was not read whole", text)
			}
		}
	}
}
