package ui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/jobname"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// ofJob opens a screen about one job: the named one, the one under the cursor,
// or the one last opened.
func ofJob(route func(train.JobID) views.Route) func(m *model, words []string) tea.Cmd {
	return func(m *model, words []string) tea.Cmd {
		if len(words) > 0 {
			job, why := m.jobNamed(words[0])
			if job == nil {
				return m.say(why, true)
			}
			return m.nav.open(route(job.ID))
		}
		job := m.jobHere()
		if job == nil {
			return m.say("put the cursor on a job, or name one: :"+route("").Screen()+" NAME", true)
		}
		return m.nav.open(route(job.ID))
	}
}

// diagnoseCommand lists the findings of all jobs, or opens the diagnosis of the
// named one.
func diagnoseCommand(m *model, words []string) tea.Cmd {
	if len(words) > 0 && len(jobsMeant(m.snapshot, m.namespace, words[0])) > 0 {
		return ofJob(func(id train.JobID) views.Route { return views.DiagnosisRoute{Job: id} })(m, words)
	}
	return list(views.FindingsRoute{})(m, words)
}

// compareCommand opens runs side by side: the named ones, with the job under the
// cursor where one is named; without names those that are marked or laid over.
func compareCommand(m *model, words []string) tea.Cmd {
	var ids []train.JobID
	for _, word := range words {
		job, why := m.jobNamed(word)
		if job == nil {
			return m.say(why, true)
		}
		ids = append(ids, job.ID)
	}
	if here := m.jobHere(); len(ids) == 1 && here != nil && here.ID != ids[0] {
		ids = append([]train.JobID{here.ID}, ids...)
	}
	if len(words) == 0 {
		ids = m.chosenRuns()
	}
	return m.nav.apply(views.Compare(ids, "space marks jobs in the list, or "))
}

// chosenRuns are the runs that the screen compares or that are marked in it.
func (m *model) chosenRuns() []train.JobID {
	if comparing, is := m.top().(views.Comparing); is {
		return comparing.Compared()
	}
	var ids []train.JobID
	if selecting, is := m.top().(views.Selecting); is {
		for _, ref := range selecting.Selected(m.frame()) {
			if job := m.snapshot.JobOf(schema.GroupKind{Group: ref.Group, Kind: ref.Kind}, ref.Namespace, ref.Name); job != nil {
				ids = append(ids, job.ID)
			} else if job := m.snapshot.Job(ref.JobID()); job != nil {
				ids = append(ids, job.ID)
			}
		}
	}
	return ids
}

// jobHere is the job under the cursor, or the one last opened.
func (m *model) jobHere() *train.Job {
	if selecting, is := m.top().(views.Selecting); is {
		for _, ref := range selecting.Selected(m.frame()) {
			if job := m.snapshot.Job(ref.JobID()); job != nil {
				return job
			}
			if job := m.snapshot.JobOf(schema.GroupKind{Group: ref.Group, Kind: ref.Kind}, ref.Namespace, ref.Name); job != nil {
				return job
			}
		}
	}
	return m.snapshot.Job(m.lastJob)
}

// jobNamed is the one job that a typed name means; where there is none, or there are
// several, the second answer reports it.
func (m *model) jobNamed(typed string) (*train.Job, string) {
	meant := jobsMeant(m.snapshot, m.namespace, typed)
	switch len(meant) {
	case 0:
		return nil, whyNoJob(m.snapshot, m.namespace, typed)
	case 1:
		return meant[0], ""
	}
	var names []string
	for _, job := range meant {
		names = append(names, job.Ref.String())
	}
	return nil, fmt.Sprintf("%d jobs are called %s: %s", len(meant), typed, termtext.Few(names, 4))
}

// jobsMeant are the jobs that a typed name means: those of the namespace in use, or
// else of all.
func jobsMeant(s *store.Snapshot, namespace, typed string) []*train.Job {
	name, all := jobname.Parse(typed), s.Jobs()
	var meant, here []*train.Job
	for _, job := range slices.Concat(all, s.LogJobs()) {
		if !name.MeansAmong(all, job) {
			continue
		}
		meant = append(meant, job)
		if job.Ref.Namespace == namespace {
			here = append(here, job)
		}
	}
	if len(here) > 0 {
		return here
	}
	return meant
}

// whyNoJob reports that no job of a name was found. Where jobs could not be read,
// there may be one.
func whyNoJob(s *store.Snapshot, namespace, name string) string {
	unread := append(diagnose.HidingJobs(s, "", namespace), diagnose.UnreadKinds(s, namespace)...)
	if len(unread) > 0 {
		return "whether there is a job " + name + " is not known: " + unread[0].What + " could not be read; :sources says why"
	}
	return "there is no job " + name + " here; :jobs lists them"
}

// jobNames are the names of a job at the prompt: as NAMESPACE/KIND/NAME where a slash
// is typed, or where several jobs share a name.
func (m *model) jobNames(typed string) []string {
	jobs := slices.Concat(m.snapshot.Jobs(), m.snapshot.LogJobs())
	jobs = slices.DeleteFunc(jobs, func(j *train.Job) bool { return m.namespace != "" && j.Ref.Namespace != m.namespace && !j.LogsOnly })
	called := map[string]int{}
	for _, j := range jobs {
		called[j.Ref.Name]++
	}
	names := make([]string, len(jobs))
	for i, j := range jobs {
		names[i] = draw.Clean(j.Ref.Name)
		if strings.Contains(typed, "/") || called[j.Ref.Name] > 1 {
			names[i] = draw.Clean(j.Ref.String())
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
