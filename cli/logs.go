package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/traintop/traintop/cli/arguments"
	"github.com/traintop/traintop/cli/mergedlogs"
	"github.com/traintop/traintop/train/jobname"
)

// logsFlags are the flags of `traintop logs` as they were typed.
type logsFlags struct {
	ranks                                               arguments.Ranks
	container, sinceTime, colour                        string
	follow, previous, all, stamps, noPrefix, ignoreCase bool
	since, window                                       time.Duration
	tail                                                int64
	around                                              int
	grep, exclude                                       []string
}

// defaultWindow is how long lines are held to be sorted by time.
const defaultWindow = 500 * time.Millisecond

func (a *app) logsCommand(opened *opening) *cobra.Command {
	typed := &logsFlags{tail: -1, colour: "auto", window: defaultWindow}
	cmd := &cobra.Command{
		Use:   "logs [JOB]",
		Short: "Print the logs of a job's ranks, merged by time",
		Long: `Print the logs of a job's ranks, merged by time, each line behind its rank.
JOB is name, kind/name, namespace/name or namespace/kind/name; it may be left out
where there is only one job.

Without -f everything is printed in the order of time, and the command ends.
With -f lines are held for --window to be put in order, ranks that appear later
are followed too, and the command ends with the job.

Lines are printed as the programs wrote them, secrets included; those of a
recording had their secrets taken out when it was written.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usage(cmd, fmt.Errorf("logs takes one job, but got %q", args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			wanted, err := a.readLogsFlags(typed)
			if err != nil {
				return usage(cmd, err)
			}
			if err := jobname.Check(args, len(opened.from) > 0); err != nil {
				return usage(cmd, err)
			}
			wanted.job = strings.Join(args, "")
			return a.logs(cmd.Context(), opened, wanted)
		},
	}
	typed.declare(cmd)
	return cmd
}

func (l *logsFlags) declare(cmd *cobra.Command) {
	f := cmd.Flags()
	f.Var(&l.ranks, "ranks", "only these ranks: 0,3-5")
	f.BoolVarP(&l.follow, "follow", "f", false, "go on as lines are printed")
	f.StringVarP(&l.container, "container", "c", "", "this container instead of the one that trains")
	f.BoolVar(&l.all, "all-containers", false, "all containers: init containers, sidecars and those of kubectl debug too")
	f.BoolVarP(&l.previous, "previous", "p", false, "the life of the container before the newest one")
	f.DurationVar(&l.since, "since", 0, "only lines newer than this: 10m, 2h")
	f.StringVar(&l.sinceTime, "since-time", "", "only lines from this time on (RFC 3339)")
	f.Int64Var(&l.tail, "tail", l.tail, "only so many of the last lines of each log, of those that --grep finds; with -f of those before it; -1 is all")
	f.StringArrayVar(&l.grep, "grep", nil, "only lines that match this regular expression (repeatable: any of them)")
	f.StringArrayVar(&l.exclude, "exclude", nil, "no lines that match this regular expression (repeatable)")
	f.BoolVarP(&l.ignoreCase, "ignore-case", "i", false, "--grep and --exclude ignore upper and lower case")
	f.IntVarP(&l.around, "around", "C", 0, "with --grep, so many lines of the same rank before and after a match")
	f.BoolVar(&l.stamps, "timestamps", false, "print the time of each line")
	f.BoolVar(&l.noPrefix, "no-prefix", false, "print lines without their rank")
	f.StringVar(&l.colour, "color", l.colour, "auto, always or never: ranks in colours, and the colours that programs print")
	f.DurationVar(&l.window, "window", l.window, "with -f, how long lines are held to be put in order of time")
	_ = cmd.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp))
}

// logsWanted is the parsed flags.
type logsWanted struct {
	job       string
	ranks     *arguments.Ranks
	follow    bool
	previous  bool
	container string
	all       bool
	ago       time.Duration // --since, 0 without
	since     time.Time     // --since-time, zero without
	tail      int64         // -1 is all
	filter    mergedlogs.LineFilter
	look      logLook
	window    time.Duration
}

// heldFor is how long lines are held to be sorted by time; 0 where all are read
// before the first is printed.
func (w *logsWanted) heldFor() time.Duration {
	if !w.follow {
		return 0
	}
	return max(w.window, time.Millisecond)
}

func (a *app) readLogsFlags(l *logsFlags) (*logsWanted, error) {
	w := &logsWanted{
		ranks: &l.ranks, follow: l.follow, previous: l.previous, container: l.container, all: l.all, tail: l.tail, window: l.window,
		look: logLook{stamps: l.stamps, prefix: !l.noPrefix, colour: a.screen && !noColor()},
	}
	var err error
	if w.ago, w.since, err = sinceOf(l); err != nil {
		return nil, err
	}
	if w.filter, err = mergedlogs.NewLineFilter(l.grep, l.exclude, l.around, l.ignoreCase); err != nil {
		return nil, err
	}
	switch l.colour {
	case "auto":
	case "always", "never":
		w.look.colour = l.colour == "always"
	default:
		return nil, fmt.Errorf("--color %q is none of auto, always, never", l.colour)
	}
	switch {
	case l.all && l.container != "":
		return nil, errors.New("-c names one container and --all-containers all of them; give one of the two")
	case l.follow && l.previous:
		return nil, errors.New("-p is a life that has ended, and -f follows one that goes on; give one of the two")
	case l.tail < -1:
		return nil, fmt.Errorf("--tail %d is no number of lines; -1 is all", l.tail)
	case l.window < 0 || l.window > time.Minute:
		return nil, fmt.Errorf("--window %s is not between 0 and 1m", l.window)
	case l.around < 0:
		return nil, fmt.Errorf("-C %d is no number of lines", l.around)
	case l.around > 0 && len(l.grep) == 0:
		return nil, errors.New("-C shows lines around those that --grep finds; give --grep too")
	}
	if w.tail > 0 && !w.follow && w.filter.Selects() {
		// The last lines of those that --grep finds: whole logs are read.
		w.filter.KeepLast(int(w.tail))
		w.tail = -1
	}
	return w, nil
}

func sinceOf(l *logsFlags) (ago time.Duration, at time.Time, err error) {
	switch {
	case l.since != 0 && l.sinceTime != "":
		err = errors.New("--since and --since-time say the same in two ways; give one of the two")
	case l.since < 0:
		err = fmt.Errorf("--since %s is in the future", l.since)
	case l.sinceTime != "":
		if at, err = time.Parse(time.RFC3339, l.sinceTime); err != nil {
			err = fmt.Errorf("--since-time %q is no time such as 2026-11-20T08:50:00Z: %w", l.sinceTime, err)
		}
	}
	return l.since, at, err
}

// leavesOut reports whether the first lines of a log are not wanted.
func (w *logsWanted) leavesOut() bool { return w.tail >= 0 || w.ago > 0 || !w.since.IsZero() }

// from is the instant of the first line wanted, zero for all lines.
func (w *logsWanted) from(now time.Time) time.Time {
	if w.ago > 0 {
		return now.Add(-w.ago)
	}
	return w.since
}

// logs prints the logs of one job. It names logs that could not be read on
// standard error; it fails when none could.
func (a *app) logs(ctx context.Context, opened *opening, w *logsWanted) error {
	opened.linesOnly = true
	out := newLogPrinter(a.out, a.err, w.look)
	var err error
	if len(opened.from) > 0 {
		err = a.logsOfFiles(ctx, opened, w, out)
	} else {
		err = a.logsOfCluster(ctx, opened, w, out)
	}
	if flushErr := out.end(); err == nil {
		err = flushErr
	}
	switch {
	case errors.Is(err, syscall.EPIPE):
		return nil // the reader has closed the pipe
	case w.follow && ctx.Err() != nil && errors.Is(err, ctx.Err()):
		return nil // ctrl-c is the usual end
	}
	return err
}
