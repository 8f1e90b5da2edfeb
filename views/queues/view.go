// Package queues shows the limits on running jobs: Kueue's ClusterQueues and
// LocalQueues, Volcano's and KAI's queues, ResourceQuotas; how much of each is
// used, and which jobs wait, in the order of the queue.
package queues

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// View is the list of queues, one row for each resource that a queue limits.
type View struct {
	views.Rows[row]
	waiting int
}

// row is one resource of one queue.
type row struct {
	limit
	// waits are the jobs that wait in the queue, the first in line first.
	waits []*train.Job
}

// New makes the screen.
func New() *View {
	v := &View{}
	v.Noun = "queue"
	v.Columns = columns()
	v.Key = func(r row) string { return r.key() }
	v.Faulty = func(r row) bool { return len(r.waits) > 0 || r.pending > 0 || r.full() || r.stopped != "" }
	v.FirstName = "kind and name"
	v.Ref = func(r row) train.Ref { return r.ref }
	v.Sorts = map[keymap.Action]string{keymap.SortName: titleName, keymap.SortNS: titleNamespace, keymap.SortStatus: titleWaiting}
	v.Enter = func(r row, _ views.Frame) views.Effect {
		if r.system == quotaSystem {
			return views.ShowManifest{Ref: r.ref}
		}
		return views.OpenScreen{Route: views.JobsRoute{Queue: r.queueName()}}
	}
	return v
}

// resources are those that the list is made of.
var resources = []string{"clusterqueues", "localqueues", "queues", "resourcequotas"}

// Name is the command that opens the screen.
func (v *View) Name() string { return "queues" }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Queues }

// Title counts queues and waiting jobs.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	queues := map[train.Ref]bool{}
	for _, r := range v.Table.Rows() {
		queues[r.ref] = true
	}
	var parts []draw.Span
	if v.waiting > 0 {
		parts = append(parts, draw.Span{Text: draw.Plural(v.waiting, "job") + " waiting", Role: themes.Queued})
	}
	return views.Title{Text: "Queues " + f.CountOf(len(queues), resources...), Parts: parts, Filter: v.FilterLine(), Flags: v.Flags(), Note: v.Note()}
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	return v.Rows.Do(action, f)
}

// Render draws the list.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	return v.Body(f, func() []string {
		if texts := f.Missing(resources...); texts != nil {
			return texts
		}
		return []string{"no queues", "no Kueue, Volcano or KAI queue and no ResourceQuota is there"}
	})
}

func (v *View) load(f views.Frame) {
	limits := f.Namespace + fmt.Sprint(v.Wide())
	v.Load(draw.Version{Data: f.Snapshot.ObjectsVersion, Limits: limits}, f.Ink(), func() []row {
		lines := linesOf(f)
		v.waiting = lines.jobs
		var rows []row
		for _, l := range limitsIn(f.Snapshot, f.Namespace) {
			if !v.Wide() && !l.telling {
				continue
			}
			rows = append(rows, row{l, lines.of(l)})
		}
		return rows
	})
}

// lines are the jobs that wait, by the queue they name and by the cluster
// queue behind it.
type lines struct {
	byName, byCluster map[string][]*train.Job
	jobs              int
}

func linesOf(f views.Frame) lines {
	l := lines{byName: map[string][]*train.Job{}, byCluster: map[string][]*train.Job{}}
	for _, j := range f.Snapshot.Jobs() {
		if j.Queue == nil || j.Queue.Admitted || j.Phase != train.Queued || !f.Shows(j) {
			continue
		}
		l.jobs++
		name := j.Queue.System + " " + j.Queue.Name
		l.byName[name] = append(l.byName[name], j)
		l.byName[j.Ref.Namespace+"/"+name] = append(l.byName[j.Ref.Namespace+"/"+name], j)
		if j.Queue.ClusterQueue != "" {
			l.byCluster[j.Queue.ClusterQueue] = append(l.byCluster[j.Queue.ClusterQueue], j)
		}
	}
	for _, by := range []map[string][]*train.Job{l.byName, l.byCluster} {
		for _, line := range by {
			slices.SortStableFunc(line, func(a, b *train.Job) int { return comparePlaces(a.Queue.Place, b.Queue.Place) })
		}
	}
	return l
}

// comparePlaces orders places in a queue; an unknown one, 0, comes last.
func comparePlaces(a, b int) int { return cmp.Compare(uint(a)-1, uint(b)-1) }

func (l lines) of(limit limit) []*train.Job {
	switch {
	case limit.system == quotaSystem:
		return nil
	case limit.ref.Kind == "ClusterQueue":
		return l.byCluster[limit.ref.Name]
	case limit.ref.Namespace != "":
		return l.byName[limit.ref.Namespace+"/"+limit.system+" "+limit.ref.Name]
	}
	return l.byName[limit.system+" "+limit.ref.Name]
}
