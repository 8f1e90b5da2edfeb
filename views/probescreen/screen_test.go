package probescreen

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/exp/golden"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/probes"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/screentest"
)

// own are a probe that only reads and one that writes.
func own() []probes.Probe {
	commands := func(*store.Snapshot, actions.Target) [][]string { return [][]string{{"nccl-version"}} }
	read := func(a actions.Answer) probes.Result {
		line := strings.TrimSpace(string(a.Stdout))
		state := probes.Neutral
		switch {
		case a.Failure != nil:
			return probes.Result{State: probes.Unclear, Line: a.Failure.Text}
		case a.Exit != 0:
			state = probes.Bad
		case line == "":
			return probes.Result{State: probes.Unclear, Line: "it printed nothing"}
		}
		return probes.Result{State: state, Line: line, Key: line, Detail: []string{"libnccl.so.2"}}
	}
	return []probes.Probe{
		{ID: "nccl", Title: "NCCL version", About: "Ranks with different versions of NCCL do not talk to each other.", Commands: commands, Read: read},
		{ID: "fill", Title: "write test", About: "Writes a file of 64 MiB where checkpoints go, and removes it.", Writes: true, Commands: commands, Read: read},
	}
}

// asked has queried so many pods for their NCCL version: all but the first five
// report the same.
func asked(tb testing.TB, pods, width, height int, o themes.Options) (*Answers, views.Frame) {
	tb.Helper()
	snapshot, refs := screentest.Pods(pods)
	f := screentest.Frame(tb, snapshot, width, height, o)
	f.Probes = own()
	v := NewAnswers(views.AnswersRoute{Probe: "nccl", Pods: refs})
	for i, run := range v.Ask(f).Runs {
		a := answered(run, f.Now())
		switch i {
		case 0:
			a.Stdout, a.Exit = []byte("no libnccl"), 1
		case 1:
			a.Stdout = []byte("2.19.3")
		case 2:
			a.Stdout = nil
		case 3:
			continue // still to come
		case 4:
			a.Failure = &actions.Failure{Kind: actions.TooLate, Text: "running nccl-version in pod ml/gpt-worker-4: it did not end within 20s"}
			a.Stdout = nil
		}
		v.Answered(a, f)
	}
	return v, f
}

func answered(run views.Run, now time.Time) actions.Answer {
	return actions.Answer{Target: run.Target, Command: run.Commands[0], Stdout: []byte("2.21.5"), Began: now.Add(-time.Second), Took: 340 * time.Millisecond}
}

func TestScreens(t *testing.T) {
	for _, size := range []struct{ width, height int }{{80, 18}, {160, 39}, {40, 8}, {20, 5}} {
		t.Run(fmt.Sprintf("answers %dx%d", size.width, size.height), func(t *testing.T) {
			v, f := asked(t, 12, size.width, size.height, themes.Options{})
			golden.RequireEqual(t, screentest.Plain(v, f))
		})
		t.Run(fmt.Sprintf("palette %dx%d", size.width, size.height), func(t *testing.T) {
			_, f := asked(t, 12, size.width, size.height, themes.Options{})
			f.Probes = probes.All()
			golden.RequireEqual(t, screentest.Plain(New(views.ProbesRoute{Pods: podsOf(12)}), f))
		})
	}
	t.Run("ascii", func(t *testing.T) {
		v, f := asked(t, 12, 120, 16, themes.Options{ASCII: true, NoColor: true})
		screen := screentest.Screen(v, f)
		screentest.CheckASCII(t, screen)
		golden.RequireEqual(t, screen)
	})
}

// The palette of a read-only session has no probe that writes, and the answers
// of one explain why it does not run.
func TestNothingIsWrittenInAReadOnlySession(t *testing.T) {
	_, f := asked(t, 2, 120, 20, themes.Options{})
	palette, route := New(views.ProbesRoute{Pods: podsOf(2)}), views.AnswersRoute{Probe: "fill", Pods: podsOf(2)}
	if screen := screentest.Plain(palette, f); !strings.Contains(screen, "fill") || !strings.Contains(screen, "first") {
		t.Errorf("the palette:\n%s", screen)
	}
	if ask := NewAnswers(route).Ask(f); ask == nil || ask.Changes != "probe fill" {
		t.Errorf("a probe that writes is not asked as a change: %+v", ask)
	}
	f.Rights = keymap.Rights{ReadOnly: true}
	if screen := screentest.Plain(palette, f); strings.Contains(screen, "fill") || !strings.Contains(screen, "nccl") {
		t.Errorf("the palette of a read-only session:\n%s", screen)
	}
	v := NewAnswers(route)
	if ask := v.Ask(f); ask != nil {
		t.Errorf("a read-only session runs %+v", ask)
	}
	if screen := screentest.Plain(v, f); !strings.Contains(screen, "this session is read-only") {
		t.Errorf("it does not say why nothing is run:\n%s", screen)
	}
}

// Faults come first, then differing values, and the cursor stays on its rank
// while answers arrive.
func TestOddAnswersAreOnTop(t *testing.T) {
	v, f := asked(t, 64, 160, 50, themes.Options{})
	v.Render(f)
	var first []string
	for _, row := range v.Rows.Rows()[:5] {
		first = append(first, row.Pod)
	}
	if got := strings.Join(first, " "); got != "gpt-worker-0 gpt-worker-1 gpt-worker-2 gpt-worker-4 gpt-worker-3" {
		t.Errorf("on top are %s", got)
	}
	v.Select("ml/gpt-worker-3/")
	v.Answered(answered(v.Ask(f).Runs[3], f.Now()), f)
	v.Render(f)
	if row, _ := v.Current(); row.Pod != "gpt-worker-3" || row.urgency() <= calm {
		t.Errorf("the cursor is on %+v", row)
	}
}

// BenchmarkPalette draws all probes when nothing is new.
func BenchmarkPalette(b *testing.B) {
	_, f := asked(b, 64, 160, 50, themes.Options{})
	f.Probes = probes.All()
	v := New(views.ProbesRoute{Pods: podsOf(64)})
	b.ReportAllocs()
	for b.Loop() {
		v.Title(f)
		v.Render(f)
	}
}

// BenchmarkAnswers draws the answers of 1,024 ranks when nothing is new.
func BenchmarkAnswers(b *testing.B) {
	v, f := asked(b, 1024, 160, 50, themes.Options{})
	b.ReportAllocs()
	for b.Loop() {
		v.Title(f)
		v.Render(f)
	}
}

// BenchmarkAnswer takes the last of 1,024 answers and draws all anew.
func BenchmarkAnswer(b *testing.B) {
	v, f := asked(b, 1024, 160, 50, themes.Options{})
	run := v.Ask(f).Runs[3]
	b.ReportAllocs()
	for b.Loop() {
		v.round.of[run.Target.Container].arrived = false
		v.round.left++
		v.Answered(answered(run, f.Now()), f)
		v.Title(f)
		v.Render(f)
	}
}

func podsOf(count int) []train.Ref {
	_, refs := screentest.Pods(count)
	return refs
}
