package smiscreen

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/screentest"
)

// pods of a cluster, each with eight GPUs; all have answered.
func answered(tb testing.TB, pods int) (*View, views.Frame) {
	tb.Helper()
	snapshot, refs := screentest.Pods(pods)
	f := screentest.Frame(tb, snapshot, 160, 45, themes.Options{})
	v := New(views.SMIRoute{Pods: refs})
	v.Render(f)
	for _, run := range v.Ask(f).Runs {
		v.Answered(answer(run, f.Now()), f)
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

// The command of an answer decides its view: it may arrive after another tab
// was chosen.
func TestALateAnswerIsOfTheViewItWasAskedFor(t *testing.T) {
	snapshot, refs := screentest.Pods(1)
	f := screentest.Frame(t, snapshot, 160, 45, themes.Options{})
	v := New(views.SMIRoute{Pods: refs})
	v.Render(f)
	asked := v.Ask(f).Runs[0]
	v.Do(keymap.SMIDmon, f)
	v.Render(f)
	v.Answered(answer(asked, f.Now()), f)
	if text := v.Text(f); strings.Contains(text, "NVIDIA H100") {
		t.Errorf("dmon shows the answer of another view:\n%s", text)
	}
	v.Do(keymap.SMIGPUs, f)
	if v.Render(f); v.gpus.Len() != 8 {
		t.Errorf("%d rows of GPUs, want those of the late answer", v.gpus.Len())
	}
}

func TestOnlyNvidiaToolsComeWithARuntimeClass(t *testing.T) {
	snapshot, refs := screentest.Pods(1)
	f := screentest.Frame(t, snapshot, 160, 45, themes.Options{})
	v := New(views.SMIRoute{Pods: refs})
	v.Render(f)
	p := v.pods[0]
	missing := &actions.Failure{Kind: actions.NoProgram, Text: "running it in pod ml/" + p.Pod + ": the container has no such program"}
	if said := p.wayOn(missing); !strings.Contains(said, "runtime class") || strings.Contains(said, p.Pod) {
		t.Errorf("of nvidia-smi it says %q", said)
	}
	p.tool.Name = "neuron-ls"
	if said := p.wayOn(missing); strings.Contains(said, "runtime class") {
		t.Errorf("of neuron-ls it says %q", said)
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
