package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/traintop/traintop/cli/jsontext"
	"github.com/traintop/traintop/cli/process"
	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/sources/yamltext"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/columns/jobrows"
	"github.com/traintop/traintop/views/draw"
)

// jobFormats are the values of `jobs -o`.
var jobFormats = []string{"table", "wide", "json", "yaml", "name"}

// jobTitles are the columns of `jobs`, one line for each job, and wideJobTitles
// those of -o wide.
var (
	jobTitles = []string{
		jobrows.TitleNamespace, jobrows.TitleName, jobrows.TitleKind, jobrows.TitlePhase, jobrows.TitleRanks, jobrows.TitleGPUs,
		jobrows.TitleQueue, jobrows.TitleRestarts, jobrows.TitleAge, jobrows.TitleWhy,
	}
	wideJobTitles = []string{
		jobrows.TitleNamespace, jobrows.TitleName, jobrows.TitleKind, jobrows.TitlePhase, jobrows.TitleRanks, jobrows.TitleGPUs,
		jobrows.TitleQueue, jobrows.TitleRestarts, jobrows.TitleAge, jobrows.TitleRoles, jobrows.TitleResource, jobrows.TitleStarted,
		jobrows.TitleDuration, jobrows.TitleStep, jobrows.TitleLoss, jobrows.TitleOwner, jobrows.TitleWhy,
	}
)

func (a *app) jobsCommand(opened *opening) *cobra.Command {
	format := "table"
	cmd := &cobra.Command{
		Use:   "jobs [JOB...]",
		Short: "List training jobs, one row for each",
		Long: `List training jobs, one row for each: the object at the top of the ownership
chain. JOB is name, kind/name, namespace/name or namespace/kind/name.

Without -n or -A the namespace of the kubeconfig context is listed; with
--from all namespaces are.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(jobFormats, format) {
				return usage(cmd, fmt.Errorf("there is no output format %q; -o takes %s", format, strings.Join(jobFormats, ", ")))
			}
			return a.jobs(cmd.Context(), opened, args, format)
		},
	}
	cmd.Flags().StringVarP(&format, "output", "o", format, "one of "+strings.Join(jobFormats, ", "))
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(jobFormats, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}

func (a *app) jobs(ctx context.Context, opened *opening, names []string, format string) error {
	if err := opened.readNamespacesOf(names); err != nil {
		return err
	}
	session, err := opened.once()
	if err != nil {
		return err
	}
	snapshot, err := session.gather(ctx)
	if err != nil {
		return err
	}
	jobs, err := session.pick(snapshot, names)
	if err == nil && len(jobs) == 0 {
		if empty := session.noJobsRead(snapshot); empty != nil {
			return a.noJobsRead(session, snapshot, empty, format)
		}
	}
	if err != nil || format == "table" || format == "wide" || format == "name" {
		a.report(snapshot.Health(), session.namespace) // it may be why a job is missing
	}
	a.reportLeftOut(session)
	if err != nil {
		return err
	}
	if format == "table" || format == "wide" {
		for _, m := range diagnose.OwnNotRecorded(snapshot) {
			fmt.Fprintf(a.err, "traintop: %s; %s\n", termtext.Line(m.Why), m.Help)
		}
		a.reportRepeatedUUIDs(snapshot)
	}
	if len(jobs) == 0 && (format == "table" || format == "wide") {
		fmt.Fprintln(a.err, session.nothing(snapshot))
		return nil
	}
	return session.printJobs(a.out, jobs, snapshot, format)
}

// noJobsRead answers where no job was found, and not all was read.
func (a *app) noJobsRead(s *session, snapshot *store.Snapshot, empty *emptyAnswer, format string) error {
	a.report(snapshot.Health(), s.namespace)
	a.reportLeftOut(s)
	if format == "json" || format == "yaml" {
		return cmp.Or(s.printJobs(a.out, nil, snapshot, format), error(&noVerdictError{}))
	}
	if format == "name" {
		return &noVerdictError{because: errors.New(empty.problem("").Text)}
	}
	return cmp.Or(empty.print(a.out), error(&noVerdictError{}))
}

// report writes failures of sources to standard error: each in full, and all
// refusals in one line, since with few rights nearly everything is refused. A
// resource that was read in the answer's namespace is not reported.
func (a *app) report(health []train.Health, namespace string) {
	refused, read := map[string]bool{}, map[string]bool{}
	for _, h := range health {
		resource := strings.TrimSuffix(h.Resource+"."+h.Group, ".")
		switch {
		case h.State == train.SourceForbidden && h.Resource != "":
			refused[resource] = true
		case h.State == train.SourceLive && h.Namespace != "" && h.Namespace == namespace:
			read[resource] = true
		case whatItLacks(h) != "":
			fmt.Fprintf(a.err, "traintop: %s: %s\n", h.Source, termtext.Line(whatItLacks(h)))
		}
	}
	if m, is := diagnose.OtherNamespaces(health); is && namespace == "" {
		fmt.Fprintf(a.err, "traintop: %s\n", termtext.Line(m.Why))
	}
	maps.DeleteFunc(refused, func(resource string, _ bool) bool { return read[resource] })
	if len(refused) == 0 {
		return
	}
	names := slices.Sorted(maps.Keys(refused))
	fmt.Fprintf(a.err, "traintop: %d resources could not be read in full, and what is in them is unknown: %s. deploy/rbac.yaml is a role that allows it; -o json says of each what was tried.\n",
		len(names), strings.Join(names, ", "))
}

// jobsWithoutScreen runs the bare command when standard output is not a
// terminal: it lists the jobs once, and explains how to get the screen.
func (a *app) jobsWithoutScreen(ctx context.Context, opened *opening) error {
	opened.everywhere()
	err := a.jobs(ctx, opened, nil, "table")
	fmt.Fprintf(a.err, "traintop: %s, so the jobs are listed once. Run traintop in a terminal for the live screen, or 'traintop jobs -o json' in scripts.\n", noScreen())
	return err
}

// noScreen is why nothing is drawn, as the beginning of a sentence.
func noScreen() string {
	if process.IsDumb() {
		return "TERM is dumb: this terminal takes no screen (where it does, set TERM to its name, as in TERM=xterm-256color)"
	}
	return "this is no terminal"
}

func (s *session) printJobs(w io.Writer, jobs []*train.Job, snapshot *store.Snapshot, format string) error {
	switch format {
	case "json":
		answer, each := s.answerJobs(jobs, snapshot)
		return jsontext.PrintLists(w, answer, jsontext.ListOf("jobs", each))
	case "yaml":
		answer, each := s.answerJobs(jobs, snapshot)
		return printJobsYAML(w, answer, each)
	case "name":
		for _, job := range jobs {
			if _, err := fmt.Fprintln(w, termtext.Line(job.Ref.String())); err != nil {
				return err
			}
		}
		return nil
	}
	titles := jobTitles
	if format == "wide" {
		titles = wideJobTitles
	}
	facts := jobrows.Facts{Snapshot: snapshot, Ages: &draw.Ages{Now: snapshot.Now}, Report: s.diagnosed(snapshot)}
	return facts.Columns().Named(titles...).Print(w, 3, jobs)
}

// jobsAtOnce is how many jobs are written as YAML at a time.
const jobsAtOnce = 200

// printJobsYAML prints the answer of -o json as YAML, some jobs at a time.
func printJobsYAML(w io.Writer, answer jobsAnswer, each iter.Seq[jobAnswer]) error {
	rest, err := yamlOf(answer)
	if err != nil {
		return err
	}
	var next []jobAnswer
	writeNext := func() error {
		if jobs, begin := bytes.CutPrefix(rest, []byte("jobs: []\n")); begin { // its first field
			rest = jobs
			if _, err := io.WriteString(w, "jobs:\n"); err != nil {
				return err
			}
		}
		text, err := yamlOf(next)
		if err != nil {
			return err
		}
		next = next[:0]
		_, err = w.Write(text)
		return err
	}
	for job := range each {
		if next = append(next, job); len(next) < jobsAtOnce {
			continue
		}
		if err := writeNext(); err != nil {
			return err
		}
	}
	if len(next) > 0 {
		if err := writeNext(); err != nil {
			return err
		}
	}
	_, err = w.Write(rest)
	return err
}

// yamlOf is a part of an answer as YAML.
func yamlOf(value any) ([]byte, error) {
	text, err := jsontext.Text(value)
	if err != nil {
		return nil, err
	}
	if text, err = yamltext.Marshal(json.RawMessage(text)); err != nil {
		return nil, fmt.Errorf("writing the jobs as YAML: %w", err)
	}
	return text, nil
}
