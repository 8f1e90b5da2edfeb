package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/traintop/traintop/cli/process"
	"github.com/traintop/traintop/demo"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/ui"
)

func (a *app) demoCommand(opened *opening) *cobra.Command {
	return &cobra.Command{
		Use:   "demo",
		Short: "Play a built-in recording: no cluster and no network needed",
		Long: `Play a quarter of an hour of a cluster with twelve GPU nodes, in which a dozen
jobs live through what people meet. It is a recording like any other, told as if
it happened now; a line at the bottom says what happens and which keys show more.

Without a terminal the jobs of an instant are printed; --at chooses another one.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := demoRefuses(cmd.Flags()); err != nil {
				return usage(cmd, err)
			}
			session, err := opened.demo()
			if err != nil {
				return err
			}
			if !a.screen {
				return a.demoWithoutScreen(cmd.Context(), session)
			}
			return a.show(cmd.Context(), opened, session)
		},
	}
}

// ofDemo are the flags that choose among what the demo has, or how it is drawn.
var ofDemo = []string{"at", "all-namespaces", "namespace", "selector", "readonly", "theme", "ascii"}

// demoRefuses names the flags that were typed and choose another source: the demo has
// its own.
func demoRefuses(flags *pflag.FlagSet) error {
	refused := typedBeside(flags, ofDemo)
	if len(refused) == 0 {
		return nil
	}
	return fmt.Errorf("the demo plays its own recording and cannot follow %s; leave 'demo' out to read something else", strings.Join(refused, ", "))
}

// typedBeside are the flags that were typed, as --name, without those that are
// followed.
func typedBeside(flags *pflag.FlagSet, followed []string) (others []string) {
	flags.Visit(func(f *pflag.Flag) {
		if !slices.Contains(followed, f.Name) {
			others = append(others, "--"+f.Name)
		}
	})
	return others
}

// demo opens the demo at the requested instant, else where the screen begins to
// play, or at the best instant for one snapshot.
func (o *opening) demo() (*session, error) {
	o.embedded, o.onScreen = true, o.app.screen
	s, err := o.begin()
	if err != nil {
		return nil, err
	}
	s.context, s.place = "demo", "the demo"
	offset := demo.Still
	if o.app.screen {
		offset = demo.Start
	}
	f, err := openDemo(o.app.clock(), offset)
	if err != nil {
		return nil, err
	}
	source := &recording.Source{File: f, At: f.From().Add(offset)}
	if o.at != "" {
		if source, err = o.instant("", f); err != nil {
			return nil, err
		}
	}
	s.source, s.replay, s.plays = source, &demoReplay{newReplay(f, source, o.app.clock), o.app.clock}, 1
	return s, nil
}

// openDemo opens the demo with its times moved so that it is now at an offset
// from its beginning.
func openDemo(now time.Time, offset time.Duration) (*recording.File, error) {
	f, err := demo.Open()
	if err != nil {
		return nil, err
	}
	f.Shift(now.Sub(f.From().Add(offset)))
	return f, nil
}

// demoReplay is the demo on the screen: with its narration, and at the end it begins
// again.
type demoReplay struct {
	*replay
	clock func() time.Time
}

var _ interface {
	ui.Repeating
	ui.Narrated
} = (*demoReplay)(nil)

// Again implements ui.Looping: the beginning is now.
func (t *demoReplay) Again(ctx context.Context, before *store.Snapshot) (*store.Store, error) {
	f, err := openDemo(t.clock(), demo.Start)
	if err != nil {
		return nil, err
	}
	t.Replace(f) // the old one is memory, which is freed with its last reader
	return t.Load(ctx, f.From().Add(demo.Start), before)
}

// Story implements ui.Storied.
func (t *demoReplay) Story(at time.Time) (text, keys string) {
	from, _ := t.Span()
	chapter := demo.At(at.Sub(from))
	return chapter.Text, chapter.Keys
}

func (a *app) demoWithoutScreen(ctx context.Context, session *session) error {
	snapshot, err := session.gather(ctx)
	if err != nil {
		return err
	}
	jobs, err := session.pick(snapshot, nil)
	if err != nil {
		return err
	}
	if process.IsDumb() {
		fmt.Fprintf(a.err, "traintop: %s, so the jobs of one instant are listed.\n", noScreen())
	}
	return session.printJobs(a.out, jobs, snapshot, "table")
}
