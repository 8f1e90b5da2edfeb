package jobrows

import (
	"strconv"
	"time"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views/columns"
	"github.com/traintop/traintop/views/draw"
)

// Titles of the columns, for screens and commands that choose among them.
const (
	TitleNamespace = "NAMESPACE"
	TitleName      = "NAME"
	TitleKind      = "KIND"
	TitlePhase     = "PHASE"
	TitleRanks     = "RANKS"
	TitleGPUs      = "GPUS"
	TitleQueue     = "QUEUE"
	TitleRestarts  = "RESTARTS"
	TitleRoles     = "ROLES"
	TitleNodes     = "NODES"
	TitleResource  = "GPU RESOURCE"
	TitleOwner     = "OWNER"
	TitleStarted   = "STARTED"
	TitleDuration  = "DURATION"
	TitleUse       = "GPU 30m"
	TitleMemory    = "GPU MEMORY"
	TitlePower     = "GPU POWER"
	TitleLoss      = "LOSS"
	TitleStep      = "STEP"
	TitleRate      = "RATE"
	TitleETA       = "ETA"
	TitleAge       = "AGE"
	TitleWhy       = "WHY"
)

// NamespaceImportance is how important the namespace of a job is while all jobs are
// of one.
const NamespaceImportance = 55

// WhyWant is the width in cells for which columns of less importance than WHY are
// hidden.
const WhyWant = 30

type (
	job    = *train.Job
	column = columns.Column[*train.Job]
	drawn  = draw.Column[*train.Job] // the part of a column that screens draw
)

// Facts are facts about jobs from outside of the jobs themselves: their columns
// look them up here.
type Facts struct {
	Snapshot *store.Snapshot
	// Report is nil where nothing was diagnosed.
	Report   *diagnose.Report
	Ages     *draw.Ages
	troubles troubles
	// safe are sentences about jobs without secrets, by what they were before.
	safe map[string]string
}

// Columns are all columns that a table of jobs may have. A fact of jobs is one
// line here, and its title in the lists of those who show it.
func (f *Facts) Columns() columns.Set[*train.Job] {
	all := f.objectColumns()
	all = append(all, f.useColumns()...)
	all = append(all, f.logColumns()...)
	return append(all,
		column{Column: drawn{Title: TitleAge, Importance: 60, Right: true, Reserve: 5, Cell: aged(func(j job, a *draw.Ages) string { return a.Since(j.Created) }), Compare: func(a, b job) int { return b.Created.Compare(a.Created) }}, Text: f.since(func(j job) time.Time { return j.Created })},
		column{Column: drawn{Title: TitleWhy, Importance: 90, Min: 10, Want: WhyWant, Share: 25, Grow: true, Wrap: true, Cell: f.why}, Text: f.whyText, Most: 159, Blank: true},
	)
}

// objectColumns are those from the objects of a job.
func (f *Facts) objectColumns() columns.Set[*train.Job] {
	namespace, kind := func(j job) string { return j.Ref.Namespace }, func(j job) string { return j.Ref.KindName() }
	name := func(j job) string { return j.Ref.Name }
	number := func(of func(job) int) func(job) string { return func(j job) string { return strconv.Itoa(of(j)) } }
	held, again := func(j job) int { return j.GPUs }, func(j job) int { return j.Restarts }
	return columns.Set[*train.Job]{
		{Column: drawn{Title: TitleNamespace, Importance: NamespaceImportance, Name: true, Min: 8, Max: 24, Cell: columns.Dim(namespace), Compare: columns.By(namespace)}, Blank: true},
		{Column: drawn{Title: TitleName, Importance: 100, Name: true, Min: 12, Want: 14, Share: 30, Max: 48, Cell: f.name, Compare: func(a, b job) int { return draw.CompareNames(name(a), name(b)) }}},
		{Column: drawn{Title: TitleKind, Importance: 50, Min: 10, Max: 20, Cell: columns.Dim(kind), Compare: columns.By(kind)}},
		{Column: drawn{Title: TitlePhase, Importance: 95, Cell: phase, Compare: columns.By(func(j job) int { return j.Phase.Urgency() })}, Text: func(j job) string { return string(j.Phase) }},
		{Column: drawn{Title: TitleRanks, Importance: 80, Right: true, Cell: ranks, Compare: columns.By(func(j job) int { return j.Wanted }), Descending: true}, Text: Ranks},
		{Column: drawn{Title: TitleGPUs, Importance: 70, Right: true, Cell: gpus, Compare: columns.By(held), Descending: true}, Text: func(j job) string { return draw.Devices(j.GPUs, j.Slices) }},
		{Column: drawn{Title: TitleQueue, Importance: 35, Name: true, Min: 8, Max: 26, Cell: queue, Compare: columns.By(queueName)}},
		{Column: drawn{Title: TitleRestarts, Importance: 30, Right: true, Cell: restarts, Compare: columns.By(again), Descending: true}, Text: number(again)},
		{Column: drawn{Title: TitleRoles, Importance: 25, Min: 8, Max: 40, Wide: true, Cell: columns.Dim(roles)}},
		{Column: drawn{Title: TitleNodes, Importance: 24, Right: true, Wide: true, Cell: columns.Dim(nodes)}},
		{Column: drawn{Title: TitleResource, Importance: 20, Name: true, Max: 32, Wide: true, Cell: columns.Dim(func(j job) string { return j.GPUResource })}},
		{Column: drawn{Title: TitleOwner, Importance: 18, Name: true, Max: 40, Wide: true, Cell: columns.Dim(owner)}},
		{Column: drawn{Title: TitleStarted, Importance: 22, Right: true, Wide: true, Cell: aged(func(j job, a *draw.Ages) string { return a.Since(j.Started) }), Compare: func(a, b job) int { return a.Started.Compare(b.Started) }, Descending: true}, Text: f.since(func(j job) time.Time { return j.Started })},
		{Column: drawn{Title: TitleDuration, Importance: 23, Right: true, Wide: true, Cell: aged(func(j job, a *draw.Ages) string { return a.Between(j.Started, j.Finished) })}, Text: func(j job) string { return f.Ages.Between(j.Started, j.Finished) }},
	}
}

// since is the age of a time as a command prints it.
func (f *Facts) since(of func(job) time.Time) func(job) string {
	return func(j job) string { return f.Ages.Since(of(j)) }
}
