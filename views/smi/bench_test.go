package smi

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// pods of a cluster, each with eight GPUs; all have answered.
func answered(tb testing.TB, pods int) (*View, views.Frame) {
	tb.Helper()
	now := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	s := store.New(func() time.Time { return now })
	var objects []kinds.Object
	var refs []train.Ref
	for i := range pods {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: fmt.Sprintf("gpt-worker-%d", i), UID: "u"}}
		pod.Spec.NodeName, pod.Status.Phase = fmt.Sprintf("h100-%d", i), corev1.PodRunning
		objects = append(objects, pod)
		refs = append(refs, train.Ref{Kind: "Pod", Namespace: "ml", Name: pod.Name})
	}
	s.Apply(store.Listed{Kind: kinds.PodKind, Objects: objects})
	theme, err := themes.Named("dark", themes.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	snapshot := s.Snapshot()
	f := views.Frame{Snapshot: snapshot, Width: 160, Height: 45, Theme: theme, Ages: &draw.Ages{Now: snapshot.Now}}
	v := New(views.Place{Pods: refs})
	v.Render(f)
	for _, run := range v.Ask(f).Runs {
		v.Answered(answer(run, now), f)
	}
	return v, f
}

func answer(run views.Run, now time.Time) actions.Answer {
	var b strings.Builder
	b.WriteString("index, uuid, name, pci.bus_id, utilization.gpu [%], memory.used [MiB], memory.total [MiB], temperature.gpu, power.draw [W], power.limit [W], clocks.current.sm [MHz]\n")
	for i := range 8 {
		fmt.Fprintf(&b, "%d, GPU-%s-%d, NVIDIA H100 80GB HBM3, 00000000:0%d:00.0, 97 %%, 20130 MiB, 81559 MiB, 54, 690.12 W, 700.00 W, 1755 MHz\n", i, run.Target.Pod, i, i)
	}
	return actions.Answer{Target: run.Target, Command: run.Commands[0], Stdout: []byte(b.String()), Began: now}
}

func TestARowForEachGPU(t *testing.T) {
	v, f := answered(t, 64)
	if v.Render(f); v.gpus.Len() != 512 {
		t.Errorf("%d rows", v.gpus.Len())
	}
	if n := len(v.Ask(f).Runs); n != 64 {
		t.Errorf("%d commands for 64 pods", n)
	}
	few, f := answered(t, mostWithProcesses)
	if n := len(few.Ask(f).Runs); n != 2*mostWithProcesses {
		t.Errorf("%d commands for %d pods, want processes as well", n, mostWithProcesses)
	}
}

// BenchmarkFrame draws 64 ranks of 8 GPUs when nothing is new.
func BenchmarkFrame(b *testing.B) {
	v, f := answered(b, 64)
	b.ReportAllocs()
	for b.Loop() {
		v.Title(f)
		v.Render(f)
		v.Ask(f)
	}
}

// BenchmarkAnswer takes an answer and draws all of it again.
func BenchmarkAnswer(b *testing.B) {
	v, f := answered(b, 64)
	a := answer(v.Ask(f).Runs[0], f.Now())
	b.ReportAllocs()
	for b.Loop() {
		v.Answered(a, f)
		v.Title(f)
		v.Render(f)
		v.Ask(f)
	}
}
