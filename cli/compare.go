package cli

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/columns/comparison"
)

// compareFormats are the values of `compare -o`.
var compareFormats = []string{"table", "json", "md", "csv"}

func (a *app) compareCommand(opened *opening) *cobra.Command {
	format := "table"
	cmd := &cobra.Command{
		Use:   "compare JOB JOB...",
		Short: "Put runs side by side: metrics, speed, cost, and what differs in their arguments",
		Long: `Put runs side by side: the best and last values of each metric, their values at
the last step that all of them have reached, how fast they are, what they cost
(GPU-hours, restarts), and what differs in their specifications, command lines
and variables. JOB is name, kind/name or namespace/kind/name.

With --from and without a JOB all jobs with curves among the files are compared;
on a cluster the logs of the JOBs are read from their beginning. The best value
of a row is marked with *.`,
		Example: `  traintop compare sft-lr3e-4 sft-lr1e-5
  traintop compare --from logs/ -o md
  traintop compare -n research a b c -o csv > runs.csv`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(compareFormats, format) {
				return usage(cmd, fmt.Errorf("there is no output format %q; -o takes %s", format, strings.Join(compareFormats, ", ")))
			}
			if len(args) < 2 && (len(args) == 1 || len(opened.from) == 0) {
				return usage(cmd, fmt.Errorf("which runs? name two JOBs or more ('traintop jobs -o name' lists them), or give files with --from"))
			}
			return a.compare(cmd.Context(), opened, args, format)
		},
	}
	cmd.Flags().StringVarP(&format, "output", "o", format, "one of "+strings.Join(compareFormats, ", "))
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(compareFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (a *app) compare(ctx context.Context, opened *opening, names []string, format string) error {
	opened.backlog = recording.Everything // whole curves
	if err := opened.readNamespacesOf(names); err != nil {
		return err
	}
	session, err := opened.once()
	if err != nil {
		return err
	}
	if opened.loaded.wrong != nil {
		return opened.loaded.wrong
	}
	session.store.SetLimits(curveLimits)
	snapshot, plan, err := session.gatherLogs(ctx, names, ranksFlag{}, config.Number(opened.loaded.config.LogStreams))
	if err != nil {
		if format == "json" && ctx.Err() == nil { // a script gets the same answer, empty
			_ = printJSON(a.out, answerComparison(&comparison.Comparison{At: math.NaN()}, problems(session.store.Snapshot())))
		}
		return err
	}
	jobs, err := session.pickCurves(snapshot, names)
	if err != nil {
		a.tell(snapshot.Health(), session.namespace) // it may be why a job is missing
		return err
	}
	jobs = inOrderOf(session, jobs, names)
	if len(names) == 0 {
		jobs = slices.DeleteFunc(jobs, func(job *train.Job) bool { return snapshot.Run(job) == nil })
	}
	var few error
	if len(jobs) < 2 {
		few = fmt.Errorf("there is nothing to compare: %s found, and two are needed", termtext.Count(len(jobs), "run"))
	}
	c := comparison.Make(snapshot, jobs)
	unread := logProblems(snapshot, jobs, plan)
	if format == "json" {
		return cmp.Or(printJSON(a.out, answerComparison(c, append(session.problems(snapshot), unread...))), few)
	}
	a.tell(snapshot.Health(), session.namespace)
	a.reportLeftOut(session)
	for _, p := range groupNotes(unread) {
		fmt.Fprintf(a.err, "traintop: %s: %s\n", termtext.Line(p.Source), termtext.Line(p.Text))
	}
	if few != nil {
		return few
	}
	for _, note := range c.Notes {
		fmt.Fprintf(a.err, "traintop: %s\n", termtext.Line(note))
	}
	return a.printComparison(c, format)
}

func (a *app) printComparison(c *comparison.Comparison, format string) error {
	switch format {
	case "md":
		return c.Markdown(a.out)
	case "csv":
		return c.CSV(a.out)
	}
	return c.Table(a.out)
}

// inOrderOf are the jobs in the order in which they were named.
func inOrderOf(s *session, jobs []*train.Job, names []string) []*train.Job {
	place := func(job *train.Job) int {
		return slices.IndexFunc(names, func(name string) bool { return s.means(job, name) })
	}
	slices.SortStableFunc(jobs, func(x, y *train.Job) int { return cmp.Compare(place(x), place(y)) })
	return jobs
}
