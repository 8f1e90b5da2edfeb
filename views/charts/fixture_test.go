package charts

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

var eight = time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)

// script writes the log of a run in torchtitan's format: a spike at a third of
// the steps, NaN at four fifths, a resumption from half of them after three
// fifths, checkpoints and evaluations.
type script struct {
	b      strings.Builder
	at     time.Time
	random *rand.Rand
	steps  int
}

func (s *script) say(format string, args ...any) {
	fmt.Fprintf(&s.b, "%s %s\n", s.at.Format("2006-01-02T15:04:05.000000000Z07:00"), fmt.Sprintf(format, args...))
}

func (s *script) run(from, to int) {
	for i := from; i <= to; i++ {
		s.at = s.at.Add(2300*time.Millisecond + time.Duration(s.random.NormFloat64()*1e8))
		loss, norm := 1.8+8*math.Exp(-6*float64(i)/float64(s.steps))+s.random.NormFloat64()*0.08, 0.8+s.random.NormFloat64()*0.05
		if i == s.steps/3 {
			loss, norm = loss*4, norm*9
		}
		text := fmt.Sprintf("%.5f", loss)
		if i >= s.steps*4/5 && i < s.steps*4/5+3 {
			text = "nan"
		}
		s.say("step: %d  loss:  %s  grad_norm:  %.4f  lr: %.3e  memory:  9.46GiB(64.99%%)  tps: %.0f  mfu: %.2f%%",
			i, text, norm, 3e-4*min(1, float64(i)/200), 7282+s.random.NormFloat64()*90, 38+s.random.NormFloat64()/2)
		if i%(s.steps/8) == 0 {
			s.say("Saved checkpoint to /ckpt/step-%d", i)
			s.say("validate step: %d  loss:  %.4f", i, loss+0.1)
		}
	}
}

// runLog is the log of a run of some steps.
func runLog(steps int) string {
	s := &script{at: eight, random: rand.New(rand.NewPCG(1, 2)), steps: steps}
	s.say("Training starts at step 1, total steps %d", steps*2)
	s.run(1, steps*3/5)
	s.at = s.at.Add(11 * time.Minute)
	s.say("Resuming from checkpoint at step %d", steps/2)
	s.run(steps/2+1, steps)
	return s.b.String()
}

// fileStore is a store with the log of a file.
func fileStore(t testing.TB, text string) *store.Store {
	t.Helper()
	s := store.New(func() time.Time { return eight.Add(3 * time.Hour) })
	read(s, train.StreamID{File: "train.log"}, text)
	return s
}

func read(s *store.Store, id train.StreamID, text string) {
	s.Apply(store.StreamChanged{Stream: id, Status: train.StreamStatus{State: train.StreamLive}, Rank: -1})
	feed := logfeed.NewFeed(s, id, logfeed.Options{})
	_, _ = feed.Write([]byte(text)) // a feed never fails
	feed.End()
}

// clusterStore is a store with the jobs of ui's fixture, of which clip's
// master logs.
func clusterStore(t testing.TB) *store.Store {
	t.Helper()
	s := store.New(func() time.Time { return eight.Add(time.Hour) })
	if err := dump.New([]string{"../../ui/testdata/cluster.yaml"}, dump.Options{}).Run(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	return s
}

// screen is a view with the frames it is drawn in.
type screen struct {
	t     testing.TB
	v     *View
	store *store.Store
	f     views.Frame
}

func open(t testing.TB, s *store.Store, route views.ChartsRoute, width, height int) *screen {
	t.Helper()
	if route.Job == "" {
		route.Job = s.Snapshot().LogJobs()[0].ID
	}
	sc := &screen{t: t, v: New(route), store: s}
	sc.size(width, height, "dark", false)
	return sc
}

func (s *screen) size(width, height int, theme string, ascii bool) {
	s.t.Helper()
	look, err := themes.Named(theme, themes.Options{ASCII: ascii})
	if err != nil {
		s.t.Fatal(err)
	}
	s.f = views.Frame{Width: width, Height: height, Theme: look}
	s.draw()
}

// draw draws the newest snapshot, with the title above it.
func (s *screen) draw() string {
	s.t.Helper()
	s.f.Snapshot = s.store.Snapshot()
	s.f.Ages = &draw.Ages{Now: s.f.Snapshot.Now}
	lines := s.v.Render(s.f)
	if len(lines) != s.f.Height {
		s.t.Errorf("%d lines for %d", len(lines), s.f.Height)
	}
	title := s.v.Title(s.f)
	head := title.Text
	for _, part := range title.Parts {
		head += "  " + part.Text
	}
	out := []string{strings.TrimRight(head+"  |  "+title.Note, " ")}
	for _, line := range lines {
		if w := ansi.StringWidth(line); w > s.f.Width {
			s.t.Errorf("%d cells for %d: %q", w, s.f.Width, ansi.Strip(line))
		}
		out = append(out, strings.TrimRight(ansi.Strip(line), " "))
	}
	return strings.Join(out, "\n")
}

func (s *screen) do(actions ...keymap.Action) views.Effect {
	s.t.Helper()
	var last views.Effect
	for _, action := range actions {
		effect, handled := s.v.Do(action, s.f)
		if !handled {
			s.t.Errorf("%s is not handled", action)
		}
		last = effect
		s.draw()
	}
	return last
}

func (s *screen) shows(texts ...string) {
	s.t.Helper()
	picture := s.draw()
	for _, text := range texts {
		if !strings.Contains(picture, text) {
			s.t.Errorf("%q is not in\n%s", text, picture)
		}
	}
}

// logged is the event of a file's log with these samples.
func logged(samples []train.Sample) store.Event {
	return store.Logged{Stream: train.StreamID{File: "train.log"}, Samples: samples, Marks: []train.Mark{
		{Kind: train.MarkCheckpoint, Step: math.NaN(), HasStep: true}, {Kind: train.MarkCheckpoint, Line: 4}, {Kind: train.MarkCheckpoint, Step: 1e300, HasStep: true},
	}}
}

// exercise presses every key of the charts on a store, at two sizes.
func exercise(t *testing.T, s *store.Store) {
	t.Helper()
	for _, width := range []int{100, 30} {
		sc := open(t, s, views.ChartsRoute{}, width, 30)
		for range 2 {
			for _, b := range keymap.All() {
				if b.Scope == keymap.Charts && b.Action != keymap.ChartLogs {
					sc.v.Do(b.Action, sc.f)
					sc.draw()
					sc.v.StepBack()
				}
			}
		}
		if picture := sc.draw(); strings.Contains(picture, "\x1b") {
			t.Errorf("an escape sequence came through: %q", picture)
		}
	}
}
