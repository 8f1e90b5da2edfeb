package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/jobname"
	"github.com/traintop/traintop/train/kinds"
)

// unreadJobError means that a job was not found, and that a source that may
// hold it was not read.
type unreadJobError struct {
	name, where string
	missing     []diagnose.Missing
}

func (e *unreadJobError) Error() string {
	var unread []string
	for _, m := range e.missing {
		unread = append(unread, m.What)
	}
	text := fmt.Sprintf("whether there is a job %q in %s is not known, because what may hold it could not be read: %s", e.name, e.where, strings.Join(firstOf(unread), ", "))
	if first := e.missing[0]; first.Why != "" {
		text += " (" + first.Why + ")"
	}
	return text + "; " + e.missing[0].Help
}

// noJob is the error for a named job that was not found.
func (s *session) noJob(snapshot *store.Snapshot, name string) error {
	typed := jobname.Parse(name)
	kind, namespace := "", cmp.Or(typed.Namespace, s.home, s.namespace)
	if names := typed.KindNames(); len(names) > 0 {
		kind = names[0]
	}
	missing := append(diagnose.HidingJobs(snapshot, kind, namespace), s.unlabelled(snapshot, name)...)
	if !isRead(kind) {
		missing = append(missing, diagnose.UnreadKinds(snapshot, namespace)...)
	}
	if len(missing) > 0 {
		return &unreadJobError{name, s.where(), missing}
	}
	for _, job := range snapshot.Jobs() {
		if typed.MeansAmong(snapshot.Jobs(), job) {
			return s.excluded(job, name)
		}
	}
	if deleted := s.deletedJobs(snapshot, name); len(deleted) > 0 {
		return fmt.Errorf("there is no job %q in %s any more; 'traintop logs %s' prints what its pods printed", name, s.where(), termtext.Line(deleted[0].Ref.String()))
	}
	where := s.where()
	if s.namespace == "" && namespace != "" {
		where = "namespace " + namespace + " of " + s.place
	}
	if logs := snapshot.LogJobs(); len(logs) > 0 { // jobs does not list them
		return fmt.Errorf("there is no job %q in %s; 'traintop jobs -A -o name' lists those of objects, and those of logs are %s", name, where, refs(logs))
	}
	return fmt.Errorf("there is no job %q in %s; 'traintop jobs -A -o name' lists them all", name, where)
}

// excluded is the error for a named job that was read and that -l or -n leaves out.
func (s *session) excluded(job *train.Job, name string) error {
	ns := s.namespace
	if ns == "" && jobname.Parse(name).Namespace == "" {
		ns = s.home
	}
	if ns != "" && job.Ref.Namespace != ns {
		return fmt.Errorf("%s is in namespace %s, and -n or the context names %s; 'traintop diagnose -n %s %s' is about it", job.Ref, job.Ref.Namespace, ns, job.Ref.Namespace, job.Ref.Name)
	}
	return fmt.Errorf("%s is there, and its labels do not match -l %s; ask for %q without -l", job.Ref, s.selector, name)
}

// isRead reports whether jobs of a kind are read; "" is any kind.
func isRead(kind string) bool {
	return slices.ContainsFunc(kinds.Jobs(), func(k kinds.Kind) bool { return strings.EqualFold(k.Kind, kind) })
}

// namesKind reports whether a name contains a kind.
func (s *session) namesKind(name string) bool { return jobname.Parse(name).Kind != "" }

// answer is the diagnosis of a job that may or may not exist.
func (e *unreadJobError) answer(problems []problemAnswer) diagnosisAnswer {
	return diagnosisAnswer{
		Findings: []findingAnswer{}, Checks: []checkAnswer{}, Verdict: diagnose.NotEnoughRead, Verdicts: []verdictAnswer{},
		Missing: answerMissing(e.missing), Problems: problems,
	}
}
