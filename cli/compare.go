package cli

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/traintop/traintop/cli/arguments"
	"github.com/traintop/traintop/cli/jsontext"
	"github.com/traintop/traintop/cli/logsread"
	"github.com/traintop/traintop/store"
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
the last step at which all of them printed it, how fast they are, what they cost
(GPU-hours, restarts), and what differs in their specifications, command lines
and variables. JOB is name, kind/name, namespace/name or
namespace/kind/name.

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
				return usage(cmd, fmt.Errorf("which runs? %s named; name two JOBs or more ('traintop jobs -o name' lists them), or give files with --from and no JOB", map[int]string{0: "no JOB is", 1: "one JOB is"}[len(args)]))
			}
			return a.compare(cmd.Context(), opened, args, format)
		},
	}
	cmd.Flags().StringVarP(&format, "output", "o", format, "one of "+strings.Join(compareFormats, ", "))
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(compareFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (a *app) compare(ctx context.Context, opened *opening, names []string, format string) error {
	var empty func([]problemAnswer)
	if format == "json" {
		empty = func(problems []problemAnswer) {
			_ = jsontext.Print(a.out, answerComparison(&comparison.Comparison{At: math.NaN()}, problems))
		}
	}
	read, err := a.readCurves(ctx, opened, names, arguments.Ranks{}, empty)
	if err != nil {
		return err
	}
	session, snapshot, plan := read.session, read.snapshot, read.plan
	jobs := inOrderOf(session, read.snapshot, read.jobs, names)
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
		return cmp.Or(jsontext.Print(a.out, answerComparison(c, append(session.problems(snapshot), unread...))), few)
	}
	a.report(snapshot.Health(), session.namespace)
	a.reportLeftOut(session)
	for _, p := range logsread.Group(unread) {
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
func inOrderOf(s *session, snapshot *store.Snapshot, jobs []*train.Job, names []string) []*train.Job {
	place := func(job *train.Job) int {
		return slices.IndexFunc(names, func(name string) bool { return s.means(snapshot, job, name) })
	}
	slices.SortStableFunc(jobs, func(x, y *train.Job) int { return cmp.Compare(place(x), place(y)) })
	return jobs
}

// compareAnswer is the output of `traintop compare -o json`. Scripts rely on it:
// fields are only ever added. Unknown facts are left out.
type compareAnswer struct {
	Runs []comparedAnswer `json:"runs"`
	// Step is where values are compared: the last that all runs have reached;
	// Unit is what it counts: step, epoch, sample.
	Step *jsontext.Number `json:"step,omitempty"`
	Unit string           `json:"unit,omitempty"`
	// Differences are the settings that are not the same in all runs.
	Differences []differenceAnswer `json:"differences"`
	Notes       []string           `json:"notes,omitempty"`
	Problems    []problemAnswer    `json:"problems,omitempty"`
}

type comparedAnswer struct {
	Job         string           `json:"job"`
	Phase       train.Phase      `json:"phase,omitempty"`
	Step        *jsontext.Number `json:"step,omitempty"`
	TotalSteps  *jsontext.Number `json:"totalSteps,omitempty"`
	StepSeconds *jsontext.Number `json:"stepSeconds,omitempty"`
	Seconds     *jsontext.Number `json:"seconds,omitempty"`
	GPUs        int              `json:"gpus,omitempty"`
	GPUHours    *jsontext.Number `json:"gpuHours,omitempty"`
	Restarts    *int             `json:"restarts,omitempty"`
	Attempts    int              `json:"attempts,omitempty"`
	LostSteps   *jsontext.Number `json:"lostSteps,omitempty"`
	// Metrics are by name.
	Metrics map[string]statAnswer `json:"metrics"`
}

// statAnswer is what a run has of a metric. Best is left out for metrics that
// are neither better high nor low.
type statAnswer struct {
	Best *valueAnswer `json:"best,omitempty"`
	Last *valueAnswer `json:"last,omitempty"`
	// AtStep is the value at the last step that all runs printed; where they
	// have none in common, the newest up to the step of the comparison.
	AtStep *valueAnswer     `json:"atStep,omitempty"`
	Mean   *jsontext.Number `json:"mean,omitempty"`
}

type valueAnswer struct {
	Value jsontext.Number `json:"value"`
	Step  jsontext.Number `json:"step"`
}

// differenceAnswer is a setting; its values are in the order of the runs, null
// where a run does not have it.
type differenceAnswer struct {
	Name   string    `json:"name"`
	Values []*string `json:"values"`
}

func answerComparison(c *comparison.Comparison, problems []problemAnswer) compareAnswer {
	answer := compareAnswer{Runs: []comparedAnswer{}, Step: jsontext.Given(c.At), Differences: []differenceAnswer{}, Notes: c.Notes, Problems: problems}
	if answer.Step != nil {
		answer.Unit = c.Unit
	}
	for i := range c.Runs {
		answer.Runs = append(answer.Runs, answerRun(&c.Runs[i]))
	}
	for _, d := range c.Differences {
		one := differenceAnswer{Name: d.Name}
		for i := range d.Values {
			if d.Values[i] == "" {
				one.Values = append(one.Values, nil)
			} else {
				one.Values = append(one.Values, &d.Values[i])
			}
		}
		answer.Differences = append(answer.Differences, one)
	}
	return answer
}

func answerRun(r *comparison.Run) comparedAnswer {
	a := comparedAnswer{
		Job: r.Job.Ref.String(), Step: jsontext.Given(r.Step), TotalSteps: jsontext.Given(r.TotalSteps), GPUs: r.Job.GPUs,
		StepSeconds: positiveNumber(r.StepTime.Seconds()), Seconds: positiveNumber(r.Duration.Seconds()),
		GPUHours: jsontext.Given(r.GPUHours), Attempts: r.Attempts, LostSteps: positiveNumber(r.LostSteps), Metrics: map[string]statAnswer{},
	}
	if !r.Job.LogsOnly {
		a.Phase, a.Restarts = r.Job.Phase, &r.Job.Restarts
	}
	for metric, s := range r.Stats {
		a.Metrics[metric] = statAnswer{Best: answerValue(s.Best), Last: answerValue(s.Last), AtStep: answerValue(s.At), Mean: jsontext.Given(s.Mean)}
	}
	return a
}

func answerValue(v comparison.Value) *valueAnswer {
	if !v.Known() {
		return nil
	}
	return &valueAnswer{jsontext.Number(v.Value), jsontext.Number(v.Step)}
}

// positiveNumber is a number, nil for one that is not more than 0.
func positiveNumber(v float64) *jsontext.Number {
	if !(v > 0) {
		return nil
	}
	return jsontext.Given(v)
}
