package jobs

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns/jobrows"
	"github.com/traintop/traintop/views/draw"
)

// View is the list of jobs.
type View struct {
	views.Rows[*train.Job]
	pins views.Pins
	// alerted are the jobs with an open incident that nobody took, as of the
	// version of incidents.
	alerted   map[train.JobID]bool
	incidents uint64
	// queue limits the list to the jobs of one queue, "" for all.
	queue string
	// others shows jobs that show no sign of being training.
	others bool

	// The counts of the last rows.
	phases    map[train.Phase]int
	hidden    int // not training, so not shown
	elsewhere int // in other namespaces
	logs      int // made of log files alone
	idle      idlePods
	namesakes bool   // jobs of several namespaces have one name
	first     string // the namespace of the first job
	several   bool   // there are jobs of several namespaces
	// namespaces is reused by each load: with many jobs it is large.
	namespaces map[string]string

	// facts are those of the frame being drawn: cells look them up.
	facts jobrows.Facts
}

// titles are the columns, in their order.
var titles = []string{
	jobrows.TitleNamespace, jobrows.TitleName, jobrows.TitleKind, jobrows.TitlePhase, jobrows.TitleRanks, jobrows.TitleGPUs,
	jobrows.TitleQueue, jobrows.TitleRestarts, jobrows.TitleRoles, jobrows.TitleNodes, jobrows.TitleResource, jobrows.TitleOwner,
	jobrows.TitleStarted, jobrows.TitleDuration, jobrows.TitleUse, jobrows.TitleMemory, jobrows.TitlePower,
	jobrows.TitleLoss, jobrows.TitleStep, jobrows.TitleRate, jobrows.TitleETA, jobrows.TitleAge, jobrows.TitleWhy,
}

// New makes the screen of all jobs, or of those of one queue.
func New(r views.JobsRoute) *View {
	v := &View{queue: r.Queue}
	v.Noun = "job"
	v.Columns = v.facts.Columns().Named(titles...).Drawn()
	v.Key = func(j *train.Job) string { return string(j.ID) }
	v.Labels = func(j *train.Job) map[string]string { return j.Labels }
	v.Faulty = v.needsPerson
	v.First, v.FirstName = v.needsYou, "needs-you"
	v.Ref = func(j *train.Job) train.Ref { return j.Ref }
	v.Sorts = map[keymap.Action]string{
		keymap.SortName: jobrows.TitleName, keymap.SortAge: jobrows.TitleAge, keymap.SortStatus: jobrows.TitlePhase, keymap.SortNS: jobrows.TitleNamespace,
		keymap.SortRestarts: jobrows.TitleRestarts, keymap.SortGPUs: jobrows.TitleGPUs, keymap.SortUse: jobrows.TitleUse,
	}
	v.Pinned = func(j *train.Job) bool { return v.pins.Jobs[j.ID] }
	v.Alerts = func(j *train.Job) bool { return v.alerted[j.ID] }
	v.Detail = func(j *train.Job) string { return v.facts.Reason(j).Text }
	v.Enter = func(j *train.Job, _ views.Frame) views.Effect {
		if v.idle.shown[j.ID] {
			return views.OpenScreen{Route: views.GPUsRoute{Filter: regexp.QuoteMeta(j.Ref.Name)}}
		}
		if j.LogsOnly { // it has nothing but its log
			return views.OpenScreen{Route: views.ChartsRoute{Job: j.ID}}
		}
		return views.OpenScreen{Route: views.JobRoute{Job: j.ID}}
	}
	return v
}

// Name is the command that opens the screen.
func (v *View) Name() string { return "jobs" }

// Crumb names the queue that the list is limited to.
func (v *View) Crumb() string {
	if v.queue != "" {
		return "jobs in " + v.queue
	}
	return v.Name()
}

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Jobs }

// Title counts the jobs by phase.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	text := "Jobs " + draw.Count(v.Len())
	if v.Total() == 0 && len(v.unread(f)) > 0 {
		text = "Jobs " + f.Theme.Glyphs.Dash
	}
	if v.Len() < v.Total() {
		text = fmt.Sprintf("Jobs %s of %s", draw.Count(v.Len()), draw.Count(v.Total()))
	}
	if v.queue != "" {
		text += " in queue " + draw.Clean(v.queue)
	}
	return views.Title{Text: text, Parts: v.counts(f.Theme), Filter: v.FilterLine(), Flags: v.Flags(), Note: v.Note()}
}

func (v *View) counts(t *themes.Theme) []draw.Span {
	var parts []draw.Span
	for _, p := range train.Phases {
		if n := v.phases[p]; n > 0 {
			state := draw.Phase(t, p)
			parts = append(parts, draw.Span{Text: fmt.Sprintf("%s %s", draw.Count(n), state.Word), Role: state.Role})
		}
	}
	if v.logs > 0 && v.queue == "" {
		parts = append(parts, draw.Span{Text: draw.Plural(v.logs, "log"), Role: themes.Dim})
	}
	if n := len(v.idle.shown); n > 0 && v.queue == "" {
		parts = append(parts, draw.Span{Text: draw.Plural(n, "pod") + " of no job with idle GPUs", Role: themes.Waiting})
	}
	switch {
	case v.hidden > 0:
		parts = append(parts, draw.Span{Text: draw.Plural(v.hidden, "other job") + " hidden, t shows", Role: themes.Dim})
	case v.others:
		parts = append(parts, draw.Span{Text: "with jobs that are no training", Role: themes.Dim})
	}
	return parts
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	switch action {
	case keymap.ShowOthers:
		v.others = !v.others
		return nil, true
	case keymap.OpenCharts:
		if j, ok := v.Current(); ok {
			return views.OpenScreen{Route: views.ChartsRoute{Job: j.ID}}, true
		}
		return nil, true
	case keymap.OpenCompare:
		var ids []train.JobID
		for _, j := range v.Chosen() {
			ids = append(ids, j.ID)
		}
		return views.Compare(ids, "space marks jobs, or "), true
	case keymap.OpenDiagnosis:
		if j, ok := v.Current(); ok {
			return views.OpenScreen{Route: views.DiagnosisRoute{Job: j.ID}}, true
		}
		return nil, true
	case keymap.OpenLogs, keymap.OpenPrevious:
		if j, ok := v.Current(); ok {
			return views.OpenScreen{Route: views.LogsRoute{Job: j.ID, Previous: action == keymap.OpenPrevious}}, true
		}
		return nil, true
	case keymap.PinJob:
		return v.pin(), true
	case keymap.SortNeeds:
		v.SortBy("", false)
		return nil, true
	case keymap.JumpOwner:
		if j, ok := v.Current(); ok && j.Owner.Kind != "" {
			return views.ShowManifest{Ref: j.Owner}, true
		}
	}
	return v.Rows.Do(action, f)
}

// pin pins the chosen jobs, or lets them go.
func (v *View) pin() views.Effect {
	var jobs []train.JobID
	for _, j := range v.Chosen() {
		jobs = append(jobs, j.ID)
	}
	if len(jobs) == 0 {
		return nil
	}
	return views.PinJobs{Jobs: jobs}
}

// Render draws the list.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	return v.Body(f, func() []string { return v.none(f) })
}

// load takes the jobs that the frame shows and counts them.
func (v *View) load(f views.Frame) {
	// One namespace needs no column, unless all columns are requested.
	v.show(f.Namespace == "", jobrows.TitleNamespace)
	defer v.weighNamespaces()
	v.pins = f.Pins
	if v.incidents != f.Incidents.Version {
		v.alerted, v.incidents = f.Incidents.AlertedJobs(), f.Incidents.Version
	}
	v.facts.Snapshot, v.facts.Ages = f.Snapshot, f.Ages
	v.show(f.Snapshot.HasLogs(), jobrows.TitleLoss, jobrows.TitleStep, jobrows.TitleRate, jobrows.TitleETA)
	v.show(measured(f.Snapshot), jobrows.TitleUse)
	v.idle.load(f)
	troubled := v.facts.Load(f.Diagnosis, f.Snapshot.Jobs(), f.Snapshot.LogJobs())
	version := draw.Version{Data: f.Snapshot.JobsVersion + troubled + v.idle.version + v.useVersion(f), Limits: fmt.Sprint(f.Namespace, " ", v.others, " ", f.Pins.Version)}
	v.Load(version, f.Ink(), func() []*train.Job {
		v.phases, v.hidden, v.elsewhere = map[train.Phase]int{}, 0, 0
		v.first, v.several, v.namesakes = "", false, false
		all, logs := f.Snapshot.Jobs(), f.Snapshot.LogJobs()
		v.logs = len(logs)
		shown := make([]*train.Job, 0, len(all))
		clear(v.namespaces)
		for _, j := range all {
			switch {
			case v.queue != "" && !inQueue(j, v.queue):
			case !f.Shows(j):
				if j.Training {
					v.elsewhere++
				}
			case !j.Training && !v.others && !f.Pins.Jobs[j.ID]:
				v.hidden++
			default:
				v.phases[j.Phase]++
				shown = append(shown, j)
				v.noteName(j)
			}
		}
		if v.queue == "" {
			shown = append(append(shown, v.idle.rows(f)...), logs...)
		}
		return shown
	})
}

// noteName notes whether jobs are of several namespaces, and whether two of them
// have one name.
func (v *View) noteName(j *train.Job) {
	v.first = cmp.Or(v.first, j.Ref.Namespace)
	v.several = v.several || j.Ref.Namespace != v.first
	if v.namesakes {
		return
	}
	if v.namespaces == nil {
		v.namespaces = map[string]string{}
	}
	namespace, known := v.namespaces[j.Ref.Name]
	v.namesakes = known && namespace != j.Ref.Namespace
	v.namespaces[j.Ref.Name] = j.Ref.Namespace
}

// show shows some columns, or hides them while they have no values (no log, no
// reading of a GPU): they could only be empty.
func (v *View) show(known bool, titles ...string) {
	if v.Chose() {
		return // a person wants to see them
	}
	for i := range v.Columns {
		if c := &v.Columns[i]; slices.Contains(titles, c.Title) {
			c.Wide = !known
		}
	}
}

// weighNamespaces shows the namespaces of jobs before numbers and sparklines where
// there are several, as people expect of a list of all namespaces, and takes their
// room from WHY, which most rows do not fill; where two of them have a job of one
// name, on the narrowest terminals too: names alone would not show which is which.
func (v *View) weighNamespaces() {
	importance, why := jobrows.NamespaceImportance, jobrows.WhyWant
	if v.several {
		importance, why = beforeNumbers, jobrows.WhyWant-namespaceCells
	}
	if v.namesakes {
		importance = besideNames
	}
	for i := range v.Columns {
		switch c := &v.Columns[i]; c.Title {
		case jobrows.TitleNamespace:
			c.Importance = importance
		case jobrows.TitleWhy:
			c.Want = why
		}
	}
}

// The importance of a column that stays as long as that of names, and of one that
// stays longer than those from logs and of GPUs.
const (
	besideNames   = 99
	beforeNumbers = 78
)

// namespaceCells is about the width of a namespace.
const namespaceCells = 10

func inQueue(j *train.Job, queue string) bool {
	return j.Queue != nil && (j.Queue.Name == queue || j.Queue.ClusterQueue == queue || j.Ref.Namespace+"/"+j.Queue.Name == queue)
}

// unread is what may hold jobs of the namespace and was not read.
func (v *View) unread(f views.Frame) []diagnose.Missing {
	if len(f.Snapshot.Health()) == 0 { // nothing was asked yet
		return []diagnose.Missing{{What: f.Context}}
	}
	return append(diagnose.HidingJobs(f.Snapshot, "", f.Namespace), diagnose.UnreadKinds(f.Snapshot, f.Namespace)...)
}

// none explains why the list is empty.
func (v *View) none(f views.Frame) []string {
	if texts := f.Missing(); texts != nil && !f.Snapshot.Settled() {
		return texts
	}
	unread := v.unread(f)
	texts := []string{"no training jobs"}
	if len(unread) > 0 {
		texts[0] = "not known whether there are training jobs"
	}
	switch {
	case v.queue != "":
		texts[0] += " in queue " + v.queue
	case views.NoSuchNamespace(f.Snapshot, f.Namespace):
		texts = []string{"there is no namespace " + f.Namespace, ":ns lists those that there are"}
	case f.Namespace != "":
		texts[0] += " in namespace " + f.Namespace
	case f.Selector != nil:
		texts[0] += " with labels " + f.Selector.String()
	}
	if v.elsewhere > 0 && f.Namespace != "" {
		texts = append(texts, draw.Plural(v.elsewhere, "job")+" in other namespaces: press 0")
	}
	if v.hidden > 0 {
		texts = append(texts, draw.Plural(v.hidden, "job")+termtext.Agree(v.hidden, " that shows", " that show")+" no sign of being training: press t")
	}
	if deleted := v.deleted(f); deleted != "" {
		texts = append(texts, "deleted: "+deleted+"; traintop logs prints their logs")
	}
	missing := f.Missing()
	if len(missing) == 0 && len(unread) > 0 {
		missing = []string{unread[0].Why, unread[0].Help}
	}
	if len(missing) == 0 && len(f.Snapshot.Jobs()) == 0 && f.Selector == nil {
		missing = whereToStart(f)
	}
	return append(texts, missing...)
}

// deleted names the jobs that are deleted and whose logs are there: no list has them, as
// none of kubectl has.
func (v *View) deleted(f views.Frame) string {
	const most = 3 // named at most
	var names []string
	for _, job := range store.DeletedJobs(f.Snapshot) {
		if job.Training && (f.Namespace == "" || job.Ref.Namespace == f.Namespace) && f.Selector == nil && v.queue == "" {
			names = append(names, draw.Clean(job.Ref.String()))
		}
	}
	return termtext.Few(names, most)
}

// State is the saved state of the screen.
func (v *View) State() views.State {
	s := v.Rows.State()
	s.ShowAll = v.others
	return s
}

// Restore applies the saved state.
func (v *View) Restore(s views.State) {
	v.Rows.Restore(s)
	v.others = s.ShowAll
}
