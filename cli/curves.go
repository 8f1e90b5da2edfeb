package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/traintop/traintop/cli/arguments"
	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/cli/explain"
	"github.com/traintop/traintop/cli/logsread"
	"github.com/traintop/traintop/cli/points"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// curveFormats are the values of `curves -o`.
var curveFormats = []string{"text", "csv", "json"}

// curveLimits keep every point that a run prints, and few lines: nobody reads
// those. A bar that is redrawn in one line for gigabytes is thinned, with a
// warning: a single point takes some 70 bytes, and twice that while its table
// grows.
var curveLimits = store.Limits{LogBytes: 256 << 10, AllLogBytes: 32 << 20, Values: 4_000_000, AllValues: 12_000_000}

// curvesTime is how long all logs of a cluster may take together.
const curvesTime = time.Minute

// curveOptions are the flags of the command.
type curveOptions struct {
	format  string
	metrics []string
	ranks   arguments.Ranks
	explain string // FILE:LINE
}

func (a *app) curvesCommand(opened *opening) *cobra.Command {
	o := curveOptions{format: "text"}
	cmd := &cobra.Command{
		Use:   "curves [JOB...]",
		Short: "Print loss and other metrics read from logs",
		Long: `Print the metrics that training programs write into their logs: loss, learning
rate, gradient norm, throughput and whatever else stands beside a step or an
epoch. JOB is name, kind/name, namespace/name or namespace/kind/name.

With --from the metrics of all logs among the files are printed; on a cluster
the logs of the JOBs are read from their beginning.

--explain FILE:LINE says of one line of a log what was taken off in front, which
format read it, and which point it gives, or why it gives none.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(curveFormats, o.format) {
				return usage(cmd, fmt.Errorf("there is no output format %q; -o takes %s", o.format, strings.Join(curveFormats, ", ")))
			}
			if cmd.Flags().Changed("explain") {
				return a.explainLine(cmd, opened, args, o)
			}
			if len(args) == 0 && len(opened.from) == 0 {
				return usage(cmd, fmt.Errorf("which job's logs? name a JOB ('traintop jobs -o name' lists them), or files with --from"))
			}
			return a.curves(cmd.Context(), opened, args, o)
		},
	}
	f := cmd.Flags()
	f.StringVarP(&o.format, "output", "o", o.format, "one of "+strings.Join(curveFormats, ", "))
	f.StringSliceVar(&o.metrics, "metric", nil, "only these metrics, as loss,lr (repeatable)")
	f.Var(&o.ranks, "ranks", "only these ranks, as 0,3-5; on a cluster rank 0, the last one and failed ones by default")
	f.StringVar(&o.explain, "explain", "", "say how one line of a log was read, as `FILE:LINE`")
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(curveFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

// ofExplain are the flags that change nothing about how a line is explained.
var ofExplain = []string{"explain", "output", "theme", "ascii", "readonly"}

// explainLine answers --explain.
func (a *app) explainLine(cmd *cobra.Command, opened *opening, args []string, o curveOptions) error {
	refused := append(slices.Clone(args), typedBeside(cmd.Flags(), ofExplain)...)
	if o.format != "text" {
		refused = append(refused, "-o "+o.format)
	}
	if len(refused) > 0 {
		return usage(cmd, fmt.Errorf("--explain says as text how a line of the file that it names was read, and cannot follow %s; leave that out", termtext.Line(strings.Join(refused, ", "))))
	}
	at, err := explain.Parse(o.explain)
	if err != nil {
		return usage(cmd, err)
	}
	loaded, err := opened.configured()
	if err != nil {
		return err
	}
	return explain.Print(a.out, at, *loaded.formats.Load())
}

func (a *app) curves(ctx context.Context, opened *opening, names []string, o curveOptions) error {
	var empty func([]problemAnswer)
	if o.format == "json" {
		empty = func(problems []problemAnswer) { _ = points.JSON(a.out, nil, problems) }
	}
	read, err := a.readCurves(ctx, opened, names, o.ranks, empty)
	if err != nil {
		return err
	}
	session, snapshot, plan, jobs := read.session, read.snapshot, read.plan, read.jobs
	curves := points.Of(snapshot, jobs, points.Options{Metrics: o.metrics, Ranks: o.ranks})
	unread, failed := logProblems(snapshot, jobs, plan), session.readNoLog(snapshot, jobs)
	if why := o.ranks.Unknown(points.KnownRanks(jobs, curves)); why != "" {
		unread = append(unread, problemAnswer{Source: "--ranks", Text: why})
		if len(curves) == 0 {
			failed = cmp.Or(failed, errors.New("no metrics: "+why))
		}
	}
	if len(curves) == 0 && failed == nil {
		if problems := chosenWithoutLog(snapshot, jobs, &o.ranks); len(problems) > 0 {
			unread, failed = append(unread, problems...), errors.New("no log of the ranks that were named was read")
		}
	}
	if why := absentMetrics(curves, o.metrics); why != "" {
		unread = append(unread, problemAnswer{Source: "--metric", Text: why})
	}
	if o.format == "json" {
		printed := points.JSON(a.out, curves, append(session.problems(snapshot), unread...))
		return cmp.Or(printed, failed)
	}
	a.report(snapshot.Health(), session.namespace)
	a.reportLeftOut(session)
	for _, p := range logsread.Group(unread) {
		fmt.Fprintf(a.err, "traintop: %s: %s\n", termtext.Line(p.Source), termtext.Line(p.Text))
	}
	if len(curves) == 0 {
		if failed != nil {
			return failed
		}
		fmt.Fprintln(a.err, noCurves(snapshot, jobs, o))
		return nil
	}
	if o.format == "csv" {
		return points.CSV(a.out, curves)
	}
	theme, err := a.chartTheme(opened)
	if err != nil {
		return err
	}
	return a.printCurvesText(snapshot, curves, o, theme)
}

// readLogs is what the commands about curves read: the jobs that were named, or all,
// with their logs from the beginning.
type readLogs struct {
	session  *session
	snapshot *store.Snapshot
	plan     *streams.Plan
	jobs     []*train.Job
}

// readCurves reads the jobs with these names and whole curves. Where logs cannot be
// read, empty prints the answer of a script without runs; nil prints none.
func (a *app) readCurves(ctx context.Context, opened *opening, names []string, ranks arguments.Ranks, empty func([]problemAnswer)) (*readLogs, error) {
	opened.backlog = recording.Everything
	if err := opened.readNamespacesOf(names); err != nil {
		return nil, err
	}
	session, err := opened.once()
	if err != nil {
		return nil, err
	}
	if opened.loaded.wrong != nil {
		return nil, opened.loaded.wrong
	}
	session.named = names
	session.store.SetLimits(curveLimits)
	snapshot, plan, err := session.gatherLogs(ctx, names, ranks, config.Number(opened.loaded.config.LogStreams))
	if err != nil {
		if empty != nil && ctx.Err() == nil {
			empty(problems(session.store.Snapshot()))
		}
		return nil, err
	}
	jobs, err := session.pickCurves(snapshot, names)
	if err == nil && !session.selector.Empty() { // log files have no labels
		jobs = slices.DeleteFunc(jobs, func(job *train.Job) bool { return !session.selector.Matches(labels.Set(job.Labels)) })
		if len(jobs) == 0 {
			err = session.noneToRead(snapshot)
		}
	}
	if err != nil {
		a.report(snapshot.Health(), session.namespace) // it may be why a job is missing
		return nil, err
	}
	return &readLogs{session, snapshot, plan, jobs}, nil
}

// gatherLogs reads the source and the logs that the answer needs: all of files,
// on a cluster those of the named jobs, from their beginning.
func (s *session) gatherLogs(ctx context.Context, names []string, ranks arguments.Ranks, most int) (*store.Snapshot, *streams.Plan, error) {
	snapshot, err := s.gather(ctx)
	if err != nil || s.cluster == nil {
		return snapshot, nil, err
	}
	jobs, err := s.pick(snapshot, names)
	if err != nil {
		return nil, nil, err
	}
	var wants []streams.Want
	for _, job := range jobs {
		wants = append(wants, streams.Want{Job: job.ID, Ranks: ranks.Indices(job), Previous: true, Whole: true})
	}
	plan := streams.Choose(snapshot, wants, cmp.Or(most, streams.DefaultMost))
	sink := &countedLines{Sink: s.store}
	defer s.reportProgress(sink.progress)()
	if err := s.cluster.ReadWithin(ctx, sink, plan, s.limit.forLogs(curvesTime)); err != nil {
		return nil, nil, err
	}
	return s.store.Snapshot(), plan, nil
}

// pickCurves are the jobs of the answer; jobs made of log files alone too. A name
// without a namespace means all jobs that have it.
func (s *session) pickCurves(snapshot *store.Snapshot, names []string) ([]*train.Job, error) {
	if len(names) == 0 {
		jobs, err := s.pick(snapshot, nil)
		return append(jobs, snapshot.LogJobs()...), err
	}
	jobs, found := s.match(snapshot, names)
	for _, job := range snapshot.LogJobs() {
		named := false
		for _, name := range names {
			if s.means(snapshot, job, name) {
				named, found[name] = true, true
			}
		}
		if named {
			jobs = append(jobs, job)
		}
	}
	for _, name := range names {
		if !found[name] {
			return nil, s.noJob(snapshot, name)
		}
	}
	return jobs, nil
}

// logProblems names the logs that could not be read, or not in full.
func logProblems(snapshot *store.Snapshot, jobs []*train.Job, plan *streams.Plan) []problemAnswer {
	var all []problemAnswer
	for _, job := range jobs {
		for rank := range job.Ranks {
			if why := plan.Why(job.ID, rank); why != "" {
				all = append(all, problemAnswer{Source: logsread.RankSource(job, rank), Text: why})
			}
			for _, log := range snapshot.RankLogs(job, rank) {
				if text := cmp.Or(logProblem(log), logsread.Empty(&job.Ranks[rank], log)); text != "" {
					all = append(all, problemAnswer{Source: "log " + log.ID.String(), Text: text})
				}
			}
		}
	}
	return append(all, logsread.Cut(snapshot, jobs)...)
}

func logProblem(log *store.Log) string {
	if text := logsread.Unread(log); text != "" {
		return text
	}
	switch {
	case log.Status.Text != "":
		return log.Status.Text
	case log.Samples.Thinned > 1:
		return fmt.Sprintf("it prints more than is kept; of every %d points the smallest, largest and last are given", log.Samples.Thinned)
	case log.Samples.LeftOut > 0:
		return fmt.Sprintf("%d values are left out: of too many different metrics, or with a comma that may separate thousands or decimals", log.Samples.LeftOut)
	case log.Samples.Uncounted > 0:
		return fmt.Sprintf("%s of 2^53 or more, where numbers no longer count exactly; such lines are drawn without their step", termtext.Count(int(log.Samples.Uncounted), "step"))
	}
	return ""
}
