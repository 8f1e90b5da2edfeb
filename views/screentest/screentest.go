// Package screentest is what tests of screens share: the frame that the shell
// passes to a screen, and a screen as text. Only tests import it.
package screentest

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/testdata"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// Demo reads the demo's cluster as the program does.
func Demo(t testing.TB) *store.Snapshot {
	t.Helper()
	s := store.New(nil)
	if err := dump.New([]string{"."}, dump.Options{FS: testdata.Demo}).Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	return s.Snapshot()
}

// Confined is the demo's cluster for a user who may read pods in one namespace
// only.
func Confined(t testing.TB, namespace string) *store.Snapshot {
	t.Helper()
	s := store.New(nil)
	if err := dump.New([]string{"."}, dump.Options{FS: testdata.Demo}).Run(t.Context(), s); err != nil {
		t.Fatal(err)
	}
	list := store.Listed{Kind: kinds.PodKind, Namespace: namespace}
	var gone []store.Event
	s.Snapshot().Objects(kinds.PodKind, "", func(o kinds.Object) bool {
		if o.GetNamespace() == namespace {
			list.Objects = append(list.Objects, o)
		} else {
			gone = append(gone, store.Deleted{Kind: kinds.PodKind, Namespace: o.GetNamespace(), Name: o.GetName(), UID: string(o.GetUID())})
		}
		return true
	})
	s.Apply(append(gone, list)...)
	return s.Snapshot()
}

// Frame is the shell's frame for a screen of so many cells and lines, in the
// dark theme.
func Frame(t testing.TB, s *store.Snapshot, width, height int, o themes.Options) views.Frame {
	t.Helper()
	theme, err := themes.Named("dark", o)
	if err != nil {
		t.Fatal(err)
	}
	return views.Frame{
		Snapshot: s, Width: width, Height: height, Theme: theme, Context: "demo",
		Ages: &draw.Ages{Now: s.Now}, Diagnosis: diagnose.Run(s, diagnose.Options{}, nil),
	}
}

// Screen is a screen's title and body, with its colours.
func Screen(v views.View, f views.Frame) string {
	title := v.Title(f)
	line := title.Text
	for _, part := range title.Parts {
		line += "  " + part.Text
	}
	return line + "  | " + title.Note + "\n" + strings.Join(v.Render(f), "\n") + "\n"
}

// Plain is a screen as it reads, without its colours.
func Plain(v views.View, f views.Frame) string { return ansi.Strip(Screen(v, f)) }

// CheckASCII fails the test for each character of a screen that is not ASCII.
func CheckASCII(t testing.TB, screen string) {
	t.Helper()
	for _, r := range ansi.Strip(screen) {
		if r > 0x7e {
			t.Errorf("%q is not ASCII", r)
		}
	}
}

// Pods is a snapshot of so many running pods, ml/gpt-worker-0 on node h100-0
// and so on, at nine o'clock; refs name them.
func Pods(count int) (s *store.Snapshot, refs []train.Ref) {
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	st := store.New(func() time.Time { return now })
	var objects []kinds.Object
	for i := range count {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: fmt.Sprintf("gpt-worker-%d", i), UID: "u"}}
		pod.Spec.NodeName, pod.Status.Phase = fmt.Sprintf("h100-%d", i), corev1.PodRunning
		objects = append(objects, pod)
		refs = append(refs, train.PodRef(pod.Namespace, pod.Name, ""))
	}
	st.Apply(store.Listed{Kind: kinds.PodKind, Objects: objects})
	return st.Snapshot(), refs
}
