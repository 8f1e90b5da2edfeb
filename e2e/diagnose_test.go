package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// A provocation makes one cause real and removes it again. It has a namespace
// of its own, and where nodes matter nodes of its own.
type provocation struct {
	// name is the namespace, less its prefix, and the label of the nodes.
	name  string
	cause train.Cause
	// kind of the job, "" for a Job.
	kind string
	// nodes, of eight GPUs each, which pods reach with podOn.
	nodes int
	// make provokes; the job is named train.
	make func(*place) error
	// evidence is text that the findings' evidence has to contain, says text
	// that is in the title, the explanation or the steps.
	evidence, says []string
	// hides are causes that the finding has to explain.
	hides []train.Cause
	// inLogs is true where no object shows the cause, only a log, which the
	// command reads and the continuous diagnosis here does not.
	inLogs bool
	// mild causes are not an error, or not at once: a person wanted it so, or
	// it may heal by itself within a minute.
	mild bool
	// heal removes the cause as a person would.
	heal func(*place) error
}

// provocationsFor bounds how long it takes until all causes are found, and
// until all are gone: machines of tests may be busy.
const provocationsFor = 3 * time.Minute

// Causes are provoked in a real cluster, found by a continuous diagnosis, by
// the command with all rights and with those of the role that people are given,
// then healed, and the findings go away.
func TestCausesProvokedAndHealed(t *testing.T) {
	t.Parallel()
	all := slices.Concat(admissionProvocations(t), volumeProvocations(), scheduleProvocations(), startProvocations(), runProvocations(t), objectProvocations())
	places := make([]*place, len(all))
	for i := range all {
		places[i] = newPlace(t, &all[i])
	}
	atOnce(t, places, "provoke", (*place).provoke)
	watch := &diagnosed{spine: follow(t, cluster.Kubeconfig, "")}
	watch.until(t, places, "the diagnosis", (*place).isFound)

	reader := roleUser(t, "diagnosing-reader")
	jobs := make([]string, len(places))
	for i, p := range places {
		jobs[i] = p.job()
	}
	for _, kubeconfig := range []string{cluster.Kubeconfig, reader} {
		answer := diagnoseCommand(t, kubeconfig, append([]string{"-A"}, jobs...)...)
		for _, p := range places {
			if err := p.isFound(withoutReach(t, answer.findings(p.job()), kubeconfig)); err != nil {
				t.Errorf("traintop diagnose with %s: %v", kubeconfig, err)
			}
		}
	}
	atOnce(t, places, "heal", (*place).heal)
	watch.until(t, places, "the diagnosis after healing", (*place).isGone)
	answer := diagnoseCommand(t, cluster.Kubeconfig, append([]string{"-A"}, jobs...)...)
	for _, p := range places {
		if err := p.isGone(answer.findings(p.job())); err != nil {
			t.Errorf("traintop diagnose after healing: %v", err)
		}
	}
}

// withoutReach takes the typed --kubeconfig, which each command carries, out of them.
func withoutReach(t *testing.T, found []train.Finding, kubeconfig string) []train.Finding {
	t.Helper()
	for i := range found {
		for k := range found[i].Next {
			step := &found[i].Next[k]
			rest, is := strings.CutPrefix(step.Command, "kubectl --kubeconfig "+kubeconfig+" ")
			switch {
			case is:
				step.Command = "kubectl " + rest
			case strings.HasPrefix(step.Command, "kubectl "):
				t.Errorf("the command asks another cluster: %s", step.Command)
			}
		}
	}
	return found
}

// atOnce does one thing in all places at the same time.
func atOnce(t *testing.T, places []*place, what string, do func(*place) error) {
	t.Helper()
	var doing sync.WaitGroup
	failed := make([]error, len(places))
	for i, p := range places {
		doing.Go(func() { failed[i] = do(p) })
	}
	doing.Wait()
	for i, err := range failed {
		if err != nil {
			t.Fatalf("%s %s: %v", what, places[i].name, err)
		}
	}
}

// isFound returns an error about the findings of the job, nil when they are
// right.
func (p *place) isFound(found []train.Finding) error {
	if len(found) == 0 {
		return fmt.Errorf("%s: nothing is found", p.name)
	}
	first := &found[0]
	if first.Cause != p.cause {
		return fmt.Errorf("%s: %s (%s) stands first, want %s", p.name, first.Cause, first.Title, p.cause)
	}
	evidence, words := textsOf(first)
	for _, text := range p.evidence {
		if !strings.Contains(evidence, text) {
			return fmt.Errorf("%s: the evidence does not hold %q:\n%s", p.name, text, evidence)
		}
	}
	for _, text := range p.says {
		if !strings.Contains(words, text) {
			return fmt.Errorf("%s: it does not say %q:\n%s", p.name, text, words)
		}
	}
	for _, cause := range p.hides {
		if !slices.Contains(first.Hides, cause) {
			return fmt.Errorf("%s: it does not explain %s, but %v", p.name, cause, first.Hides)
		}
	}
	if p.inLogs && first.RootRank != 1 {
		return fmt.Errorf("%s: rank %d is said to be the root, want 1", p.name, first.RootRank)
	}
	if first.Severity != train.SeverityError && !p.mild {
		return fmt.Errorf("%s: severity %s", p.name, first.Severity)
	}
	if len(first.Next) == 0 || first.Explanation == "" || first.Verify == "" || evidence == "" {
		return fmt.Errorf("%s: no evidence, step, explanation or way to see that it helped: %+v", p.name, first)
	}
	return nil
}

// isGone: a job that is healed has nothing found any more.
func (p *place) isGone(found []train.Finding) error {
	if len(found) == 0 {
		return nil
	}
	return fmt.Errorf("%s: %s (%s) is still found", p.name, found[0].Cause, found[0].Title)
}

func textsOf(f *train.Finding) (evidence, words string) {
	var facts, sentences []string
	for i := range f.Evidence {
		e := &f.Evidence[i]
		facts = append(facts, e.Object.String()+" "+e.Field+" "+e.Text)
	}
	sentences = append(sentences, f.Title, f.Explanation)
	for i := range f.Next {
		sentences = append(sentences, f.Next[i].Text, f.Next[i].Command)
	}
	return strings.Join(facts, "\n"), strings.Join(sentences, "\n")
}

// diagnosed is a live cluster and its diagnosis, updated from the last one as a
// screen does.
type diagnosed struct {
	*spine
	report *diagnose.Report
}

// betweenRuns keeps the diagnosis from using the machine while the cluster is
// busy.
const betweenRuns = 300 * time.Millisecond

func (d *diagnosed) until(t *testing.T, places []*place, what string, right func(*place, []train.Finding) error) {
	t.Helper()
	late := time.Now().Add(provocationsFor)
	for {
		snapshot := d.store.Snapshot()
		d.report = diagnose.Run(snapshot, diagnose.Options{}, d.report)
		var wrong []error
		for _, p := range places {
			wrong = append(wrong, p.judge(snapshot, d.report, right))
		}
		err := errors.Join(wrong...)
		if err == nil {
			return
		}
		if time.Now().After(late) {
			t.Errorf("%s is wrong after %s:\n%v", what, provocationsFor, err)
			return
		}
		time.Sleep(betweenRuns)
	}
}

func (p *place) judge(snapshot *store.Snapshot, report *diagnose.Report, right func(*place, []train.Finding) error) error {
	for _, job := range snapshot.Jobs() {
		if job.Ref.Namespace == p.namespace() && job.Ref.Name == "train" && !job.Gone {
			if p.inLogs {
				return nil
			}
			return right(p, report.Job(job.ID).Findings)
		}
	}
	return fmt.Errorf("%s: there is no job", p.name)
}

// diagnosisJSON is the output of `traintop diagnose -o json`, as far as tests
// read it. It is declared again here, since others read the JSON too.
type diagnosisJSON struct {
	Findings []struct {
		Cause       train.Cause
		Severity    train.Severity
		Title       string
		Job         string
		RootRank    *int
		Explanation string
		Verify      string
		Hides       []train.Cause
		Evidence    []struct{ Kind, Object, Field, Text, Log string }
		Next        []struct{ Text, Command string }
	}
	Checks []struct {
		Cause            train.Cause
		Result, Why, Job string
	}
	Problems []struct{ Source, Text string }
}

// findings are those of one job.
func (a *diagnosisJSON) findings(job string) []train.Finding {
	var found []train.Finding
	for _, f := range a.Findings {
		if f.Job != job {
			continue
		}
		finding := train.Finding{Cause: f.Cause, Severity: f.Severity, Title: f.Title, Explanation: f.Explanation, Verify: f.Verify, Hides: f.Hides, RootRank: -1}
		if f.RootRank != nil {
			finding.RootRank = *f.RootRank
		}
		for _, e := range f.Evidence {
			finding.Evidence = append(finding.Evidence, train.Evidence{Text: e.Object + " " + e.Log + " " + e.Text, Field: e.Field})
		}
		for _, s := range f.Next {
			finding.Next = append(finding.Next, train.Step{Text: s.Text, Command: s.Command})
		}
		found = append(found, finding)
	}
	return found
}

// diagnoseCommand runs `traintop diagnose -o json`.
func diagnoseCommand(t *testing.T, kubeconfig string, args ...string) *diagnosisJSON {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), provocationsFor)
	defer cancel()
	answer, err := diagnosisOf(ctx, kubeconfig, args...)
	must(t, err)
	return answer
}

// diagnosisOf is the answer of `traintop diagnose -o json`.
func diagnosisOf(ctx context.Context, kubeconfig string, args ...string) (*diagnosisJSON, error) {
	out, complaints, err := run(ctx, kubeconfig, append([]string{"diagnose", "-o", "json"}, args...)...)
	if err != nil && !isNoVerdict(err) {
		return nil, fmt.Errorf("traintop diagnose: %w\n%s", err, complaints)
	}
	answer := &diagnosisJSON{}
	if err := json.Unmarshal([]byte(out), answer); err != nil {
		return nil, fmt.Errorf("read the answer of traintop diagnose: %w\n%s", err, out)
	}
	return answer, nil
}

// isNoVerdict reports the exit code of an answer that lacks a verdict on some
// job: the played kubelets have no logs of some pods.
func isNoVerdict(err error) bool {
	exit := (*exec.ExitError)(nil)
	return errors.As(err, &exit) && exit.ExitCode() == 3
}
