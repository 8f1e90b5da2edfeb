package logs

import (
	"context"
	"fmt"
	"github.com/traintop/traintop/views/screentest"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

var ten = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)

// world is a store with the log files of one run, and the screen on it.
type world struct {
	t     testing.TB
	store *store.Store
	view  *View
	now   time.Time
	next  map[int]int64

	width, height int
	ascii         bool
	shown         []string
}

// run makes a run of so many ranks whose logs are files.
func run(t testing.TB, ranks int) *world {
	t.Helper()
	w := &world{t: t, now: ten, next: map[int]int64{}, width: 160, height: 40}
	w.store = store.New(func() time.Time { return w.now })
	for r := range ranks {
		w.store.Apply(store.StreamChanged{Stream: file(r), Rank: r, Job: "run", Status: train.StreamStatus{State: train.StreamLive}})
	}
	jobs := w.store.Snapshot().LogJobs()
	if len(jobs) != 1 || len(jobs[0].Ranks) != ranks {
		t.Fatalf("%d files make %d runs", ranks, len(jobs))
	}
	w.view = New(views.LogsRoute{Job: jobs[0].ID})
	return w
}

func file(rank int) train.StreamID { return train.StreamID{File: fmt.Sprintf("/run/rank%d.log", rank)} }

// says adds a line to the log of a rank, so many seconds after ten o'clock.
func (w *world) says(rank int, seconds float64, text string) *world {
	w.next[rank]++
	at := ten.Add(time.Duration(seconds * float64(time.Second)))
	w.store.Apply(store.Logged{Stream: file(rank), Lines: []train.LogLine{{Number: w.next[rank], Time: at, Text: text}}})
	if at.After(w.now) {
		w.now = at
	}
	return w
}

// steps makes ranks print so many steps, one each second.
func (w *world) steps(ranks, steps int) *world {
	for r := range ranks {
		var lines []train.LogLine
		for s := range steps {
			w.next[r]++
			lines = append(lines, train.LogLine{Number: w.next[r], Time: ten.Add(time.Duration(s)*time.Second + time.Duration(r)*time.Millisecond), Text: fmt.Sprintf("[rank%d]: step %d done", r, s)})
		}
		w.store.Apply(store.Logged{Stream: file(r), Lines: lines})
	}
	if end := ten.Add(time.Duration(steps) * time.Second); end.After(w.now) {
		w.now = end
	}
	return w
}

func (w *world) frame() views.Frame {
	theme, err := themes.Named("dark", themes.Options{ASCII: w.ascii, NoColor: w.ascii})
	if err != nil {
		w.t.Fatal(err)
	}
	s := w.store.Snapshot()
	return views.Frame{Snapshot: s, Width: w.width, Height: w.height, Theme: theme, Ages: &draw.Ages{Now: w.now}}
}

// look draws the screen and runs its work until it has none.
func (w *world) look() *world {
	w.t.Helper()
	for range 1000 {
		f := w.frame()
		w.shown = w.view.Render(f)
		do := w.view.Work(f)
		if do == nil {
			return w
		}
		if e := w.view.Worked(do(context.Background()), f); screentest.In[views.Notice](e).Text != "" {
			w.shown = append(w.shown, screentest.In[views.Notice](e).Text)
		}
	}
	w.t.Fatal("the work has no end")
	return w
}

// does carries out actions, each on a fresh snapshot.
func (w *world) does(actions ...keymap.Action) (last views.Effect) {
	w.t.Helper()
	w.look()
	for _, a := range actions {
		effect, handled := w.view.Do(a, w.frame())
		if !handled {
			w.t.Fatalf("%s means nothing", a)
		}
		last = effect
		w.look()
	}
	return last
}

func (w *world) searches(text string) *world {
	w.t.Helper()
	w.look()
	if err := w.view.SetFilter(text); err != nil {
		w.t.Fatal(err)
	}
	return w.look()
}

func (w *world) filters(text string) *world {
	w.t.Helper()
	if err := w.view.Typed(views.Question{Sign: askLineFilter}, text); err != nil {
		w.t.Fatal(err)
	}
	return w.look()
}

// screen is the title and the body, without colours.
func (w *world) screen() string {
	title := w.view.Title(w.frame())
	parts := []string{title.Text, title.Flags}
	for _, p := range title.Parts {
		parts = append(parts, p.Text)
	}
	lines := []string{strings.TrimSpace(strings.Join(append(parts, title.Note), "  "))}
	for _, line := range w.shown {
		lines = append(lines, strings.TrimRight(ansi.Strip(line), " "))
	}
	return strings.Join(lines, "\n") + "\n"
}

func (w *world) shows(texts ...string) {
	w.t.Helper()
	w.look()
	for _, text := range texts {
		if s := w.screen(); !strings.Contains(s, text) {
			w.t.Errorf("%q is not on the screen:\n%s", text, s)
		}
	}
}

func (w *world) hides(texts ...string) {
	w.t.Helper()
	w.look()
	for _, text := range texts {
		if s := w.screen(); strings.Contains(s, text) {
			w.t.Errorf("%q is on the screen:\n%s", text, s)
		}
	}
}
