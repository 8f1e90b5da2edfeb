package findings

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// A notebook that holds GPUs and does not use them is a row beside the jobs that
// need somebody, and leads to its GPUs.
func TestIdlePodsAreRows(t *testing.T) {
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	s := store.New(func() time.Time { return now })
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
	v := New(views.FindingsRoute{})
	text := ansi.Strip(strings.Join(v.Render(f), "\n"))
	for _, want := range []string{"warning", "idle-pod", "pod notebook-0", "holds 2 GPUs"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if e, _ := v.Do(keymap.Open, f); e != (views.OpenScreen{Route: views.GPUsRoute{Filter: "notebook-0"}}) {
		t.Errorf("enter opens %+v", e)
	}
	f.Namespace = "ml"
	if text := ansi.Strip(strings.Join(v.Render(f), "\n")); strings.Contains(text, "notebook") {
		t.Errorf("a pod of another namespace is shown:\n%s", text)
	}
}
