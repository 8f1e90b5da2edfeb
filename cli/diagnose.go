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

	"github.com/traintop/traintop/cli/jsontext"
	"github.com/traintop/traintop/cli/logsread"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// diagnoseFormats are the values of `diagnose -o`.
var diagnoseFormats = []string{"text", "json"}

func (a *app) diagnoseCommand(opened *opening) *cobra.Command {
	format, listsChecks := "text", false
	cmd := &cobra.Command{
		Use:   "diagnose [JOB...]",
		Short: "Say why jobs are stuck, failed or slow",
		Long: `Say why jobs are stuck, failed or slow: the root cause, the evidence, what was
ruled out and what to do next. JOB is name, kind/name, namespace/name or
namespace/kind/name; without one, all jobs are looked at and those with a finding
told.

On a cluster the logs of ranks that failed or crash are read too, of named jobs
those of all ranks, and what exporters of GPU metrics and Prometheus say. With --from anything helps: kubectl output, logs, and text
that people paste: kubectl describe, get events, get pods, a kernel's log.
--from 3=rank3.log says that a log is rank 3's.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(diagnoseFormats, format) {
				return usage(cmd, fmt.Errorf("there is no output format %q; -o takes %s", format, strings.Join(diagnoseFormats, ", ")))
			}
			return a.diagnose(cmd.Context(), opened, args, format, listsChecks)
		},
	}
	cmd.Flags().StringVarP(&format, "output", "o", format, "one of "+strings.Join(diagnoseFormats, ", "))
	cmd.Flags().BoolVar(&listsChecks, "ruled-out", false, "list in words which causes were ruled out or could not be checked, instead of counting them")
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(diagnoseFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (a *app) diagnose(ctx context.Context, opened *opening, names []string, format string, listsChecks bool) error {
	if err := opened.readNamespacesOf(names); err != nil {
		return err
	}
	session, err := opened.onceInFull()
	if err != nil {
		return err
	}
	if session.named = names; session.files != nil {
		session.files.TakeTexts()
	}
	snapshot, plan, err := session.gatherForDiagnosis(ctx, names)
	if err != nil {
		return a.withoutJob(session, format, err)
	}
	jobs, err := session.pickCurves(snapshot, names)
	if err != nil {
		return a.withoutJob(session, format, err)
	}
	d := session.diagnosis(snapshot, jobs, plan)
	if len(names) == 0 && session.readAsTexts(ctx, d) {
		snapshot = session.store.Snapshot()
		if jobs, err = session.pickCurves(snapshot, nil); err != nil {
			return err
		}
		d = session.diagnosis(snapshot, jobs, plan).withoutCalmTexts(d, session.gpusBeside(snapshot) != "")
		jobs = d.jobs
	}
	if len(names) == 0 {
		d = d.withoutQuotedTexts()
		jobs = d.jobs
	}
	if len(jobs) == 0 {
		d.add(session.gpusInTrouble(d.report.Signals(), snapshot))
		d.add(append(diagnose.Unclaimed(snapshot, session.namespace), session.unlabelled(snapshot, "")...))
	}
	a.reportLeftOut(session)
	ofLogs := append(plan.Problems(snapshot), logsread.Cut(snapshot, jobs)...)
	if format == "json" {
		return cmp.Or(d.printJSON(a.out, slices.Concat(session.problems(snapshot), ofLogs, repeatedUUIDs(snapshot))), d.unknown())
	}
	a.report(snapshot.Health(), session.namespace)
	a.reportRepeatedUUIDs(snapshot)
	for _, p := range logsread.Group(ofLogs) {
		fmt.Fprintf(a.err, "traintop: %s: %s\n", termtext.Line(p.Source), termtext.Line(p.Text))
	}
	if len(jobs) == 0 && d.verdict == diagnose.NotEnoughRead {
		empty := &emptyAnswer{what: "training jobs", where: session.where(), missing: d.missing}
		return cmp.Or(empty.print(a.out), d.unknown())
	}
	if len(jobs) == 0 {
		fmt.Fprintf(a.err, "%s: %s\n", d.verdict.Words(), session.nothing(snapshot))
		return d.unknown()
	}
	if m, is := diagnose.OtherNamespaces(snapshot.Health()); is && session.namespace == "" {
		d.beyond = []diagnose.Missing{m}
	}
	d.listsChecks = listsChecks
	return cmp.Or(d.printText(a.out, len(names) > 0), d.unknown())
}

// withoutJob answers where a named job is missing: "not enough read" is a
// verdict too.
func (a *app) withoutJob(s *session, format string, err error) error {
	unread := (*unreadJobError)(nil)
	if !errors.As(err, &unread) {
		return err
	}
	snapshot := s.store.Snapshot()
	a.report(snapshot.Health(), s.namespace)
	if format == "json" {
		err = cmp.Or(jsontext.Print(a.out, unread.answer(s.problems(snapshot))), err)
	}
	return &noVerdictError{because: err}
}

// diagnosis diagnoses a snapshot and selects the results of some jobs.
func (s *session) diagnosis(snapshot *store.Snapshot, jobs []*train.Job, plan *logsread.Plan) *diagnosis {
	report := diagnose.Run(snapshot, diagnose.Options{Thresholds: s.limits, Reach: s.reach, Asked: plan.Asked()}, nil)
	return diagnosisOf(report, s.namespace, jobs)
}

// readAsTexts reads files of objects as text where they contain no job, or jobs
// without a finding beside unreadable parts, and events of what was not read, and
// reports whether it did.
func (s *session) readAsTexts(ctx context.Context, d *diagnosis) bool {
	if s.files != nil && len(d.jobs) > 0 && s.files.RunEvents(ctx, s.store) {
		return true
	}
	if s.files == nil || len(d.jobs) > 0 && (d.finds() || len(s.files.Summary().Problems) == 0) {
		return false
	}
	snapshot := s.store.Snapshot()
	if len(d.jobs) == 0 && slices.ContainsFunc(snapshot.Jobs(), func(job *train.Job) bool { return job.Training }) {
		return false // the jobs that were read are not those of the answer
	}
	if len(d.jobs) == 0 && s.files.OnlyEvents() && s.files.RunEvents(ctx, s.store) {
		return true
	}
	before := snapshot.Health()
	if !s.files.RunTexts(ctx, s.store, len(d.jobs) > 0) {
		return false
	}
	for _, h := range before { // its lines could be read; the error of the file stays
		if h.State.Trouble() {
			s.store.Apply(store.HealthChanged{Health: h})
		}
	}
	return true
}

// withoutCalmTexts leaves out files that were no job before they were read as
// text, and that have no finding since: lines of objects are not a log, and no
// failure among them does not mean that a job is well. Where GPUs were read, words that
// only hint at a cause are not enough: a tool's headings have them too.
func (d *diagnosis) withoutCalmTexts(before *diagnosis, measured bool) *diagnosis {
	calm := func(job *train.Job) bool {
		return job.LogsOnly && before.answers[job.ID] == nil && !slices.ContainsFunc(d.findings(job), func(f train.Finding) bool {
			return !measured || f.Severity != train.SeverityInfo
		})
	}
	return diagnosisOf(d.report, d.namespace, slices.DeleteFunc(slices.Clone(d.jobs), calm))
}

// withoutQuotedTexts leaves out files, as the journal of a node, of which every finding is also one
// of a job with objects, which quotes its first line.
func (d *diagnosis) withoutQuotedTexts() *diagnosis {
	type line struct {
		stream train.StreamID
		number int64
	}
	quoted := map[line]bool{}
	for _, job := range d.jobs {
		for _, f := range d.findings(job) {
			for i := range f.Evidence {
				if e := &f.Evidence[i]; !job.LogsOnly && e.Kind == train.EvidenceLog && e.Line > 0 {
					quoted[line{e.Stream, e.Line}] = true
				}
			}
		}
	}
	repeats := func(job *train.Job) bool {
		found := d.findings(job)
		return job.LogsOnly && len(found) > 0 && !slices.ContainsFunc(found, func(f train.Finding) bool {
			return len(f.Evidence) == 0 || !quoted[line{f.Evidence[0].Stream, f.Evidence[0].Line}]
		})
	}
	if len(quoted) == 0 || !slices.ContainsFunc(d.jobs, repeats) {
		return d
	}
	return diagnosisOf(d.report, d.namespace, slices.DeleteFunc(slices.Clone(d.jobs), repeats))
}

// finds reports whether any job has a finding.
func (d *diagnosis) finds() bool {
	return slices.ContainsFunc(d.jobs, func(job *train.Job) bool { return len(d.findings(job)) > 0 })
}

// gatherForDiagnosis reads the source, and of a cluster the logs that matter.
func (s *session) gatherForDiagnosis(ctx context.Context, names []string) (*store.Snapshot, *logsread.Plan, error) {
	snapshot, err := s.gather(ctx)
	if nothing := (*dump.NothingError)(nil); errors.As(err, &nothing) && (nothing.Readable || nothing.Missed) {
		return snapshot, nil, nil // nothing that was read contains a job; health names what was not read
	}
	if err != nil || s.cluster == nil {
		return snapshot, nil, err
	}
	jobs, err := s.pick(snapshot, names)
	if err != nil {
		return nil, nil, err
	}
	return s.readForDiagnosis(ctx, snapshot, jobs, len(names) > 0)
}

// readForDiagnosis reads the logs of a cluster that matter for these jobs.
func (s *session) readForDiagnosis(ctx context.Context, snapshot *store.Snapshot, jobs []*train.Job, named bool) (*store.Snapshot, *logsread.Plan, error) {
	plan := logsread.PlanDiagnosis(snapshot, jobs, named)
	defer s.sayWhenSlow(func() string { return "the logs of ranks" })()
	plan.At = s.store.Snapshot().Now
	s.cluster.ReadEnds(time.Time{}, plan.LinesOfEach())
	if err := s.cluster.ReadWithin(ctx, s.store, plan.Streams, s.limit.left(logsread.DiagnosisTime)); err != nil {
		return nil, nil, err
	}
	return s.store.Snapshot(), plan, nil
}

// diagnosis is the output of a command.
type diagnosis struct {
	report    *diagnose.Report
	namespace string

	jobs    []*train.Job
	answers map[train.JobID]*diagnose.Answer
	// verdict is that on all of them; missing names what was not read.
	verdict diagnose.Verdict
	missing []diagnose.Missing
	// beyond is what may not be read at all: other namespaces.
	beyond []diagnose.Missing
	// listsChecks is true where causes that were ruled out are listed.
	listsChecks bool
}

func diagnosisOf(report *diagnose.Report, namespace string, jobs []*train.Job) *diagnosis {
	d := &diagnosis{report: report, namespace: namespace, jobs: slices.Clone(jobs), answers: map[train.JobID]*diagnose.Answer{}, missing: report.Missing(namespace, len(jobs))}
	ids := make([]train.JobID, 0, len(jobs))
	for _, job := range jobs {
		if answer := report.Job(job.ID); answer != nil {
			d.answers[job.ID] = answer
			ids = append(ids, job.ID)
		}
	}
	d.verdict = report.Verdict(namespace, ids)
	slices.SortStableFunc(d.jobs, func(a, b *train.Job) int { return cmp.Compare(d.worst(a), d.worst(b)) })
	return d
}

// add adds unread sources to an answer without jobs.
func (d *diagnosis) add(missing []diagnose.Missing) {
	if d.missing = append(d.missing, missing...); len(missing) > 0 {
		d.verdict = diagnose.NotEnoughRead
	}
}

// worst is the severity of a job's first finding, greater for none.
func (d *diagnosis) worst(job *train.Job) int {
	if findings := d.findings(job); len(findings) > 0 {
		return findings[0].Severity.Order()
	}
	return 3
}

func (d *diagnosis) findings(job *train.Job) []train.Finding {
	if answer := d.answers[job.ID]; answer != nil {
		return answer.Findings
	}
	return nil
}
