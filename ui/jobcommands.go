package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// ofJob opens a screen about one job: the named one, the one under the cursor,
// or the one last opened.
func ofJob(route func(train.JobID) views.Route) func(m *model, words []string) tea.Cmd {
	return func(m *model, words []string) tea.Cmd {
		if len(words) > 0 {
			job := m.jobNamed(words[0])
			if job == nil {
				return noJob(m, words[0])
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
	if len(words) > 0 && m.jobNamed(words[0]) != nil {
		return ofJob(func(id train.JobID) views.Route { return views.DiagnosisRoute{Job: id} })(m, words)
	}
	return list(views.FindingsRoute{})(m, words)
}

// compareCommand opens runs side by side: the named ones, with the job under the
// cursor where one is named; without names those that are marked or laid over.
func compareCommand(m *model, words []string) tea.Cmd {
	var ids []train.JobID
	for _, word := range words {
		job := m.jobNamed(word)
		if job == nil {
			return noJob(m, word)
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

// jobNamed finds a job by a command-line name: NAME, KIND/NAME or
// NAMESPACE/KIND/NAME. Those of the current namespace come first.
func (m *model) jobNamed(text string) *train.Job {
	all := append(slices.Clone(m.snapshot.Jobs()), m.snapshot.LogJobs()...)
	isNamed := func(full string) bool {
		return strings.EqualFold(full, text) || strings.HasSuffix(strings.ToLower(full), "/"+strings.ToLower(text))
	}
	printed := func(j *train.Job) bool { return isNamed(j.Ref.String()) }
	bare := func(j *train.Job) bool { return isNamed(j.Ref.Namespace + "/" + j.Ref.Kind + "/" + j.Ref.Name) }
	for _, matches := range []func(*train.Job) bool{
		func(j *train.Job) bool { return j.Ref.Namespace == m.namespace && printed(j) },
		func(j *train.Job) bool { return j.Ref.Namespace == m.namespace && bare(j) },
		printed, bare,
	} {
		if at := slices.IndexFunc(all, matches); at >= 0 {
			return all[at]
		}
	}
	return nil
}

// noJob says that no job of a name was found. Where jobs could not be read, there may
// be one.
func noJob(m *model, name string) tea.Cmd {
	unread := append(diagnose.HidingJobs(m.snapshot, "", m.namespace), diagnose.UnreadKinds(m.snapshot, m.namespace)...)
	if len(unread) > 0 {
		return m.say("whether there is a job "+name+" is not known: "+unread[0].What+" could not be read; :sources says why", true)
	}
	return m.say("there is no job "+name+" here; :jobs lists them", true)
}

// jobNames are the names of a job at the prompt.
func (m *model) jobNames() []string {
	var names []string
	for _, j := range append(slices.Clone(m.snapshot.Jobs()), m.snapshot.LogJobs()...) {
		if m.namespace == "" || j.Ref.Namespace == m.namespace || j.LogsOnly {
			names = append(names, draw.Clean(j.Ref.Name))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
