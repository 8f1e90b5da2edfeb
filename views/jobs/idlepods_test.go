package jobs

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// A notebook that holds GPUs and does not use them is a row of what needs a person, above
// what is well, and leads to its GPUs.
func TestIdlePodsAreAmongWhatNeedsAPerson(t *testing.T) {
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	s := store.New(func() time.Time { return now })
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "lab", Name: "notebook-0", UID: "u"}}
	pod.Spec.NodeName, pod.Spec.Containers = "n", []corev1.Container{{Name: "jupyter", Image: "jupyter:1"}}
	pod.Status.Phase = corev1.PodRunning
	s.Apply(store.Set{Kind: kinds.PodKind, Object: pod})
	var report *diagnose.Report
	for range 100 {
		now = now.Add(15 * time.Second)
		m := store.Measured{Source: "exporter/n", Node: "n", Every: 15 * time.Second}
		for _, index := range []string{"0", "1"} {
			r := train.GPUReading{GPU: train.GPU{Node: "n", Index: index, UUID: "GPU-1234abcd-" + index, Namespace: "lab", Pod: "notebook-0"}, Source: train.FromDCGM, At: now}
			r.Values.Set(train.GPUUtilization, 0)
			m.Readings = append(m.Readings, r)
		}
		s.Apply(m)
		report = diagnose.Run(s.Snapshot(), diagnose.Options{}, report)
	}
	theme, err := themes.Named("dark", themes.Options{})
	if err != nil {
		t.Fatal(err)
	}
	snapshot := s.Snapshot()
	f := views.Frame{Snapshot: snapshot, Diagnosis: report, Width: 160, Height: 20, Theme: theme, Ages: &draw.Ages{Now: snapshot.Now}}
	v := New(views.JobsRoute{})
	text := ansi.Strip(strings.Join(v.Render(f), "\n"))
	for _, want := range []string{"notebook-0", "holds 2 idle GPUs", "running"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if e, _ := v.Do(keymap.Open, f); e != (views.OpenScreen{Route: views.GPUsRoute{Filter: "notebook-0"}}) {
		t.Errorf("enter opens %+v", e)
	}
	job, _ := v.Current()
	if !v.Faulty(job) {
		t.Error("it needs nobody")
	}
	f.Namespace = "ml"
	if text := ansi.Strip(strings.Join(v.Render(f), "\n")); strings.Contains(text, "notebook") {
		t.Errorf("a pod of another namespace is shown:\n%s", text)
	}
}
