package changes

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

func TestAnEditIsDoneWhenItsFieldsAreShown(t *testing.T) {
	ref := train.PodRef("ml", "bert-0", "u")
	const live = `{"metadata":{"resourceVersion":"7","labels":{"team":"a","old":"x"}},"spec":{"priority":3,"containers":[{"name":"main","env":[{"name":"HF_TOKEN","value":"hf_1"}]}]}}`
	pod := func(version, team string, priority int32, old bool) *corev1.Pod {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "bert-0", UID: "u", ResourceVersion: version, Labels: map[string]string{"team": team}}}
		p.Spec.Priority = &priority
		p.Spec.Containers = []corev1.Container{{Name: "main", Env: []corev1.EnvVar{{Name: "HF_TOKEN"}}}} // snapshots contain no values
		if old {
			p.Labels["old"] = "x"
		}
		return p
	}
	const labels = `{"metadata":{"resourceVersion":"7","labels":{"team":"b"}}}`
	const both = `{"metadata":{"resourceVersion":"7","labels":{"team":"b"}},"spec":{"priority":4}}`
	const removed = `{"metadata":{"resourceVersion":"7","labels":{"old":null}}}`
	const hidden = `{"metadata":{"resourceVersion":"7"},"spec":{"containers":[{"name":"main","env":[{"name":"HF_TOKEN","value":"hf_2"}]}]}}`
	for name, c := range map[string]struct {
		patch string
		shown *corev1.Pod
		done  bool
		rest  string
	}{
		"as before":                             {labels, pod("7", "a", 3, true), false, "metadata.labels.team is shown as it was"},
		"a status went on, the field not":       {labels, pod("8", "a", 3, true), false, "metadata.labels.team is shown as it was"},
		"shown, in whatever version":            {labels, pod("7", "b", 3, true), true, ""},
		"one of two fields":                     {both, pod("8", "b", 3, true), false, "spec.priority is shown as it was"},
		"both fields":                           {both, pod("8", "b", 4, true), true, ""},
		"removed, and still there":              {removed, pod("8", "a", 3, true), false, "metadata.labels.old is shown as it was"},
		"removed":                               {removed, pod("8", "a", 3, false), true, ""},
		"another one set it to something else":  {labels, pod("9", "c", 3, true), true, ""},
		"a field that snapshots do not hold":    {hidden, pod("8", "a", 3, true), true, ""},
		"a field not held, of the version then": {hidden, pod("7", "a", 3, true), false, "older than the change"},
	} {
		s := store.New(time.Now)
		s.Apply(store.Set{Kind: kinds.PodKind, Object: c.shown})
		done, rest := Edited(ref, []byte(c.patch), []byte(live))(s.Snapshot())
		if done != c.done || !strings.Contains(rest, c.rest) || strings.Contains(rest, "hf_") {
			t.Errorf("%s: %t %q, want %t %q", name, done, rest, c.done, c.rest)
		}
	}
	if done, _ := Edited(ref, []byte(labels), []byte(live))(store.New(time.Now).Snapshot()); !done {
		t.Error("a kind that snapshots do not hold is waited for")
	}
}
