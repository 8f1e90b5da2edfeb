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

	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/cli/jsontext"
	"github.com/traintop/traintop/cli/logsread"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/jobname"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/wait"
)

// waitFormats are the values of `wait -o`.
var waitFormats = []string{"text", "json"}

// waitFlags are the flags of `traintop wait` as they were typed.
type waitFlags struct {
	conditions          []string
	noProgress, timeout string
	all, any            bool
	format              string
}

// waitWanted is the parsed flags.
type waitWanted struct {
	wait.Options
	format string
}

func (a *app) waitCommand(opened *opening) *cobra.Command {
	typed := &waitFlags{format: "text"}
	cmd := &cobra.Command{
		Use:   "wait [JOB...]",
		Short: "Wait until jobs run, are done, make steps or get into trouble",
		Long: `Wait until jobs run, are done, make steps or get into trouble, and say why when
they do not. JOB is name, kind/name, namespace/name or namespace/kind/name; without
one, -l chooses the jobs. A job that does not exist yet is waited for.

The conditions of --for are tried in order, and the first that holds ends the wait
for a job; without --for it is done. A state that has passed counts. One line is
printed for each change; when it ends badly, the diagnosis follows.

Exit codes: 0 reached, 1 could not run, 2 wrong usage, 3 the job failed or ended in
another way, 4 stuck (--no-progress), 5 gone, 124 timed out, 130 interrupted.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			wanted, err := typed.read()
			if err == nil && len(args) == 0 && opened.selector == "" && len(opened.from) == 0 {
				err = errors.New("which jobs? name a JOB ('traintop jobs -o name' lists them), or choose some with -l")
			}
			if err != nil {
				return usage(cmd, err)
			}
			return a.wait(cmd.Context(), opened, args, wanted)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&typed.conditions, "for", nil, "the `CONDITION` to wait for: running, done, failed, ended, first-step, trouble, step=N, loss<X or another metric, finding=CAUSE (repeatable, or with commas: the first that holds)")
	f.StringVar(&typed.noProgress, "no-progress", "", "give up on a job that runs and for this `TIME` makes no step and prints no line: 90s, 15m")
	f.StringVar(&typed.timeout, "timeout", "", "give up after this `TIME`: 90s, 10m, 2h, 7d")
	f.BoolVar(&typed.all, "all", false, "wait for all jobs (the default)")
	f.BoolVar(&typed.any, "any", false, "wait for any of the jobs")
	f.StringVarP(&typed.format, "output", "o", typed.format, "one of "+strings.Join(waitFormats, ", "))
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(waitFormats, cobra.ShellCompDirectiveNoFileComp))
	_ = cmd.RegisterFlagCompletionFunc("for", completeConditions)
	return cmd
}

// completeConditions completes the last of several conditions with commas.
func completeConditions(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
	before, last := "", typed
	if i := strings.LastIndexByte(typed, ','); i >= 0 {
		before, last = typed[:i+1], typed[i+1:]
	}
	var all []string
	if strings.HasPrefix(last, "finding=") {
		for _, cause := range causeIDs() {
			all = append(all, before+"finding="+string(cause))
		}
		return all, cobra.ShellCompDirectiveNoFileComp
	}
	words, meanings := wait.Words()
	for i, word := range words {
		all = append(all, before+word+"\t"+meanings[i])
	}
	for _, form := range []string{"step=", "loss<", "finding="} {
		all = append(all, before+form)
	}
	return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

func causeIDs() []train.Cause {
	var ids []train.Cause
	for _, c := range diagnose.Causes() {
		ids = append(ids, c.ID)
	}
	return ids
}

func (f *waitFlags) read() (w waitWanted, err error) {
	w.format, w.Any = f.format, f.any
	if !slices.Contains(waitFormats, f.format) {
		return w, fmt.Errorf("there is no output format %q; -o takes %s", f.format, strings.Join(waitFormats, ", "))
	}
	if f.all && f.any {
		return w, errors.New("--all waits for all jobs and --any for one of them; give one of the two")
	}
	if w.Conditions, err = wait.ParseConditions(f.conditions, causeIDs()); err != nil {
		return w, fmt.Errorf("--for %w", err)
	}
	if w.NoProgress, err = span("no-progress", f.noProgress); err != nil {
		return w, err
	}
	w.Timeout, err = span("timeout", f.timeout)
	return w, err
}

// waitEnded is a wait that did not reach what was asked for, or could not go on;
// the answer was printed.
type waitEnded struct {
	code int
	text string
}

func (e *waitEnded) Error() string { return e.text }

func (a *app) wait(ctx context.Context, opened *opening, names []string, w waitWanted) error {
	if err := opened.readNamespacesOf(names); err != nil {
		return err
	}
	session, err := opened.toWait(w)
	if err != nil {
		return err
	}
	w.Names, w.Place, w.Wanted, w.Near = names, session.where(), session.wanted(names), session.nearJobs
	r := newWaitRun(a, session, w)
	outcome, err := r.run(ctx)
	if unread := notEnoughError(nil); errors.As(err, &unread) {
		return &waitEnded{exitFailed, err.Error()} // 3 means something else here
	}
	if err != nil {
		return err
	}
	return r.finish(ctx, opened, outcome)
}

// toWait opens the source: of a cluster the namespace of the jobs alone, but
// where the diagnosis decides all that it looks at.
func (o *opening) toWait(w waitWanted) (*session, error) {
	s, err := o.begin()
	if err != nil {
		return nil, err
	}
	if len(o.from) > 0 {
		return s, o.openFiles(s, true)
	}
	if !slices.ContainsFunc(w.Conditions, func(c wait.Condition) bool { return c.NeedsDiagnosis() }) {
		return s, o.openCluster(s, !o.all, config.Measuring{})
	}
	if err := o.openCluster(s, false, o.loaded.config.Measuring()); err != nil {
		return nil, err
	}
	if !o.all {
		s.namespace = s.cluster.Namespace()
	}
	return s, o.openPrometheus(s, store.GPUHistory, true)
}

// wanted reports which jobs are waited for, and by which of the names. Without
// names those of the selector are, of files those that train.
func (s *session) wanted(names []string) func(*store.Snapshot, *train.Job) (bool, []int) {
	byName, parsed := map[string][]int{}, make([]jobname.Name, len(names))
	for i, name := range names {
		parsed[i] = jobname.Parse(name)
		byName[parsed[i].Name] = append(byName[parsed[i].Name], i)
	}
	return func(snapshot *store.Snapshot, job *train.Job) (bool, []int) {
		if s.namespace != "" && job.Ref.Namespace != s.namespace && !job.LogsOnly || !s.selector.Matches(labels.Set(job.Labels)) {
			return false, nil
		}
		if len(names) == 0 {
			return job.Training || job.LogsOnly || !s.selector.Empty(), nil
		}
		candidates := byName[job.Ref.Name]
		if job.LogsOnly { // the end of a path is enough
			candidates = indices(len(names))
		}
		var found []int
		for _, i := range candidates {
			if s.meansJob(snapshot, job, parsed[i]) {
				found = append(found, i)
			}
		}
		return len(found) > 0, found
	}
}

// nearJobs are the jobs that a person may have meant by a name that no job has: of
// another kind, or with other letters.
func (s *session) nearJobs(snapshot *store.Snapshot, typed string) (near []string) {
	name := jobname.Parse(typed)
	var names []string
	kindOf := map[string]string{}
	for _, job := range snapshot.Jobs() {
		if namespace := cmp.Or(name.Namespace, s.namespace); namespace == "" || namespace == job.Ref.Namespace {
			names = append(names, job.Ref.Name)
			kindOf[job.Ref.Name] = job.Ref.KindName()
		}
	}
	slices.Sort(names)
	for _, found := range views.Near(name.Name, slices.Compact(names)) {
		near = append(near, kindOf[found]+"/"+found)
	}
	return near
}

func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// finish prints the diagnosis of jobs that ended badly, and makes the exit code.
func (r *waitRun) finish(ctx context.Context, opened *opening, outcome wait.Outcome) error {
	results, summary := r.results()
	var bad []wait.Result
	for _, result := range results {
		if result.ID != "" && (result.Outcome == wait.Failed || result.Outcome == wait.Stuck || result.Outcome == wait.TimedOut) {
			bad = append(bad, result)
		}
	}
	var d *diagnosis
	if outcome != wait.Reached && outcome != wait.Interrupted && len(bad) > 0 {
		d = r.diagnosisOf(ctx, opened, bad)
	}
	var err error
	switch {
	case r.wanted.format == "json":
		err = r.printLine(answerEnd(outcome, results, d))
	case d != nil:
		fmt.Fprintln(r.app.out)
		err = d.printText(r.app.out, true)
	}
	if err != nil || outcome == wait.Reached {
		return err
	}
	return &waitEnded{outcome.Code(), waitText(outcome, results, summary)}
}

// waitText is the message at the end: what was reached, and what was not.
func waitText(outcome wait.Outcome, results []wait.Result, summary string) string {
	var others []string
	for i := range results {
		result := &results[i]
		if result.Outcome == wait.Reached {
			continue
		}
		name := cmp.Or(result.Name, result.Job.String())
		switch {
		case result.Outcome == wait.Interrupted:
			name += " (" + string(cmp.Or(result.Phase, "unknown phase")) + ")"
		case result.Outcome != "":
			name += " (" + string(result.Outcome) + ")"
		case result.Name != "":
			name += " (" + result.Why + ")"
		default:
			name += " (still waited for)"
		}
		others = append(others, termtext.Line(name))
	}
	text := strings.ReplaceAll(string(outcome), "-", " ") + ": " + summary
	if len(others) > 0 {
		text += "; not " + strings.Join(firstOf(others), ", ")
	}
	return text
}

// diagnosisOf diagnoses jobs as `traintop diagnose JOB` does: the cluster is read
// again with all that may be read, and the logs of all ranks. Where that fails,
// what was read while waiting has to do.
func (r *waitRun) diagnosisOf(ctx context.Context, opened *opening, bad []wait.Result) *diagnosis {
	isBad := func(job *train.Job) bool {
		return slices.ContainsFunc(bad, func(b wait.Result) bool { return b.ID == job.ID })
	}
	picked := func(s *store.Snapshot) []*train.Job {
		return slices.DeleteFunc(slices.Concat(s.Jobs(), s.LogJobs()), func(job *train.Job) bool { return !isBad(job) })
	}
	if r.session.cluster != nil {
		s, err := opened.onceInFull()
		if err == nil {
			s.say = nil
			var snapshot *store.Snapshot
			if snapshot, err = s.gather(ctx); err == nil {
				var plan *logsread.Plan
				if jobs := picked(snapshot); len(jobs) > 0 {
					if snapshot, plan, err = s.readForDiagnosis(ctx, snapshot, jobs, true); err == nil {
						return s.diagnosis(snapshot, picked(snapshot), plan)
					}
				}
			}
		}
		if err != nil && ctx.Err() == nil {
			fmt.Fprintf(r.app.err, "traintop: reading the cluster again for the diagnosis: %s; what was read while waiting is diagnosed\n", termtext.Line(err.Error()))
		}
	}
	snapshot := r.session.store.Snapshot()
	if jobs := picked(snapshot); len(jobs) > 0 {
		return r.session.diagnosis(snapshot, jobs, nil)
	}
	return nil
}

// waitLine is one line of `traintop wait -o json`. Scripts rely on it: fields are
// only ever added. Unknown facts are left out.
type waitLine struct {
	Time    *time.Time `json:"time,omitempty"`
	Event   wait.Event `json:"event"`
	Job     string     `json:"job,omitempty"`
	UID     string     `json:"uid,omitempty"`
	Attempt int        `json:"attempt,omitempty"`

	Phase      train.Phase      `json:"phase,omitempty"`
	Ranks      *ranksAnswer     `json:"ranks,omitempty"`
	Restarts   int              `json:"restarts,omitempty"`
	Step       *jsontext.Number `json:"step,omitempty"`
	TotalSteps *jsontext.Number `json:"totalSteps,omitempty"`
	Loss       *jsontext.Number `json:"loss,omitempty"`
	Why        string           `json:"why,omitempty"`

	Outcome   wait.Outcome `json:"outcome,omitempty"`
	Condition string       `json:"condition,omitempty"`
}

func answerLine(l *wait.Line) waitLine {
	a := waitLine{
		Time: jsontext.Known(l.Time), Event: l.Event, UID: l.Job.UID, Attempt: l.Attempt, Phase: l.Phase, Restarts: l.Restarts,
		Step: jsontext.Given(l.Step), TotalSteps: jsontext.Given(l.TotalSteps), Why: l.Why, Outcome: l.Outcome, Condition: l.Condition,
	}
	if l.HasLoss {
		loss := jsontext.Number(l.Loss)
		a.Loss = &loss
	}
	if l.Job.Name != "" {
		a.Job = l.Job.String()
	}
	if l.Event == wait.EventState {
		a.Ranks = &ranksAnswer{Wanted: l.Wanted, Ready: l.Ready}
	}
	return a
}

// waitEnd is the last line: how it ended, for each job, and the diagnosis of
// those that ended badly.
type waitEnd struct {
	Event     string         `json:"event"` // "end"
	Outcome   wait.Outcome   `json:"outcome"`
	ExitCode  int            `json:"exitCode"`
	Jobs      []waitResult   `json:"jobs"`
	Diagnosis *waitDiagnosis `json:"diagnosis,omitempty"`
}

type waitResult struct {
	// Job is the name that was typed where no such job was seen.
	Job     string      `json:"job"`
	UID     string      `json:"uid,omitempty"`
	Attempt int         `json:"attempt,omitempty"`
	Phase   train.Phase `json:"phase,omitempty"`
	// Outcome is left out where the wait for it was still going on.
	Outcome   wait.Outcome `json:"outcome,omitempty"`
	Condition string       `json:"condition,omitempty"`
	Why       string       `json:"why,omitempty"`
}

// waitDiagnosis is that of `traintop diagnose -o json` without the causes that
// were ruled out.
type waitDiagnosis struct {
	Findings []findingAnswer  `json:"findings"`
	Verdict  diagnose.Verdict `json:"verdict"`
	Verdicts []verdictAnswer  `json:"verdicts"`
	Missing  []missingAnswer  `json:"missing,omitempty"`
}

func answerEnd(outcome wait.Outcome, results []wait.Result, d *diagnosis) waitEnd {
	end := waitEnd{Event: "end", Outcome: outcome, ExitCode: outcome.Code(), Jobs: []waitResult{}}
	for _, r := range results {
		name := cmp.Or(r.Name, r.Job.String())
		end.Jobs = append(end.Jobs, waitResult{name, r.Job.UID, r.Attempt, r.Phase, r.Outcome, r.Condition, r.Why})
	}
	if d != nil {
		all := d.answer(nil)
		end.Diagnosis = &waitDiagnosis{all.Findings, all.Verdict, all.Verdicts, all.Missing}
	}
	return end
}
