// Package node shows one machine: its resources, its faults, and the pods on it
// with their jobs.
package node

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/columns"
	"github.com/traintop/traintop/views/draw"
)

// View is one node.
type View struct {
	views.Rows[entry] // the pods
	node              string
	gpus              gpuTable
	onGPUs            bool // the cursor is in the table of GPUs
	head              int  // lines above the pods as last drawn
}

// entry is a pod on the node.
type entry struct {
	pod  *corev1.Pod
	job  *train.Job // nil for a pod of no job
	rank *train.Rank
	gpus int
}

// New makes the screen of a node.
func New(r views.NodeRoute) *View {
	v := &View{node: r.Name, gpus: newGPUTable()}
	v.Noun = "pod"
	v.Columns = podColumns()
	v.Key = func(e entry) string { return e.pod.Namespace + "/" + e.pod.Name }
	v.Labels = func(e entry) map[string]string { return e.pod.Labels }
	v.Faulty = func(e entry) bool { return e.rank != nil && draw.RankUrgency(e.rank.State) < 4 }
	v.First, v.FirstName = func(a, b entry) int { return cmp.Compare(b.gpus, a.gpus) }, "GPUs"
	v.Ref = func(e entry) train.Ref {
		return train.PodRef(e.pod.Namespace, e.pod.Name, string(e.pod.UID))
	}
	v.Sorts = map[keymap.Action]string{keymap.SortName: "POD", keymap.SortAge: "AGE", keymap.SortStatus: "STATE", keymap.SortNS: "NAMESPACE"}
	v.Enter = jobOf
	return v
}

func jobOf(e entry, _ views.Frame) views.Effect {
	if e.job == nil {
		return views.Notice{Text: draw.Clean(e.pod.Name) + " belongs to no training job"}
	}
	return views.OpenScreen{Route: views.JobRoute{Job: e.job.ID}}
}

// logsOf opens the log of a pod, in a job or not.
func logsOf(e entry, previous bool, f views.Frame) views.Effect {
	route, known := views.LogsOfPod(f.Snapshot, train.PodRef(e.pod.Namespace, e.pod.Name, string(e.pod.UID)))
	if !known {
		return views.Notice{Text: "the log of " + draw.Clean(e.pod.Name) + " belongs to an earlier attempt; l on its job shows it", Failed: true}
	}
	route.Previous = previous
	return views.OpenScreen{Route: route}
}

// Name is the screen's name in breadcrumbs.
func (v *View) Name() string { return "node" }

// Crumb is the node's name.
func (v *View) Crumb() string { return v.node }

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Node }

// Title names the node and counts its pods.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	return views.Title{
		Text:   "Node " + draw.Clean(v.node),
		Parts:  v.counts(f),
		Filter: v.FilterLine(), Flags: v.Flags(), Note: v.note(f),
	}
}

// counts are the pods that run or wait, as the list of nodes counts them, and
// those that are over.
func (v *View) counts(f views.Frame) []draw.Span {
	pods := v.Total()
	if n := f.Snapshot.Node(v.node); n != nil {
		pods = min(pods, n.Pods)
	}
	parts := []draw.Span{{Text: draw.Plural(pods, "pod"), Role: themes.Text}}
	if over := v.Total() - pods; over > 0 {
		parts = append(parts, draw.Span{Text: draw.Count(over) + " finished", Role: themes.Dim})
	}
	return parts
}

// note names the source of the GPUs' measurements, or how the pods are sorted.
func (v *View) note(f views.Frame) string {
	if v.gpus.measuring.Any() {
		return v.gpus.measuring.String(f.Ages)
	}
	return v.Note()
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	if action == keymap.NodeGPUs {
		return v.change(), true
	}
	if v.onGPUs {
		return v.gpus.do(action, f)
	}
	e, ok := v.Current()
	switch {
	case ok && action == keymap.JumpOwner:
		return jobOf(e, f), true
	case ok && action == keymap.OpenDiagnosis:
		return views.Diagnosed(jobOf(e, f)), true
	case ok && (action == keymap.OpenLogs || action == keymap.OpenPrevious):
		return logsOf(e, action == keymap.OpenPrevious, f), true
	case action == keymap.OpenLogs || action == keymap.OpenPrevious || action == keymap.OpenDiagnosis:
		return views.Notice{Text: "there is no pod here", Failed: true}, true
	}
	return v.Rows.Do(action, f)
}

// Selected are the chosen rows of the table that has the cursor.
func (v *View) Selected(f views.Frame) []train.Ref {
	if v.onGPUs {
		return v.gpus.Selected(f)
	}
	return v.Rows.Selected(f)
}

// change moves the cursor to the other table.
func (v *View) change() views.Effect {
	if !v.onGPUs && v.gpus.Len() == 0 {
		return views.Notice{Text: "no GPU of this node is known one by one"}
	}
	v.onGPUs = !v.onGPUs
	return nil
}

// Click handles the mouse in either table.
func (v *View) Click(x, y int, double bool, f views.Frame) views.Effect {
	switch {
	case y < v.gpus.top:
		return nil
	case y < v.gpus.top+v.gpus.lines:
		v.onGPUs = true
		return v.gpus.Click(x, y-v.gpus.top, double, f)
	}
	v.onGPUs = false
	return v.Rows.Click(x, y-v.head, double, f)
}

// Wheel scrolls the table that has the cursor.
func (v *View) Wheel(lines int, f views.Frame) {
	if v.onGPUs {
		v.gpus.Wheel(lines, f)
		return
	}
	v.Rows.Wheel(lines, f)
}

// Render draws the node's facts above its GPUs and its pods.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	lines := facts(f, v.node)
	if len(lines) > f.Height/2 {
		lines = lines[:f.Height/2]
	}
	lines = append(lines, v.drawGPUs(f, len(lines))...)
	v.head = len(lines)
	if f.Height -= len(lines); f.Height <= 0 {
		return lines
	}
	v.Resting = v.onGPUs
	return append(lines, v.Body(f, func() []string {
		if texts := f.Missing("pods"); texts != nil {
			return texts
		}
		return []string{"no pods on " + v.node}
	})...)
}

func (v *View) load(f views.Frame) {
	s := f.Snapshot
	v.gpus.load(f, v.node)
	v.onGPUs = v.onGPUs && v.gpus.Len() > 0
	v.Load(draw.Version{Data: s.ObjectsVersion}, f.Ink(), func() []entry {
		gpus := map[string]int{}
		if n := s.Node(v.node); n != nil {
			for _, h := range n.Holders {
				gpus[h.Namespace+"/"+h.Pod] = h.GPUs
			}
		}
		var rows []entry
		s.PodsOn(v.node, func(pod *corev1.Pod) bool {
			e := entry{pod: pod, gpus: gpus[pod.Namespace+"/"+pod.Name], job: s.JobOf(kinds.PodKind, pod.Namespace, pod.Name)}
			e.rank = rankOf(e.job, pod)
			rows = append(rows, e)
			return true
		})
		return rows
	})
}

func rankOf(job *train.Job, pod *corev1.Pod) *train.Rank {
	if job == nil {
		return nil
	}
	for i := range job.Ranks {
		if job.Ranks[i].Pod == pod.Name && job.Ranks[i].Namespace == pod.Namespace {
			return &job.Ranks[i]
		}
	}
	return nil
}

func podColumns() []draw.Column[entry] {
	return []draw.Column[entry]{
		{Title: "NAMESPACE", Importance: 50, Name: true, Min: 6, Max: 24, Cell: columns.Dim(func(e entry) string { return e.pod.Namespace }), Compare: columns.By(func(e entry) string { return e.pod.Namespace })},
		{Title: "POD", Importance: 100, Name: true, Min: 12, Max: 60, Cell: func(e entry, _ draw.Ink) draw.Cell { return draw.Cell{Text: e.pod.Name} }, Compare: columns.By(func(e entry) string { return e.pod.Name })},
		{Title: "STATE", Importance: 90, Cell: state, Compare: columns.By(func(e entry) string { return string(e.pod.Status.Phase) })},
		{Title: "GPUS", Importance: 85, Right: true, Cell: gpus, Compare: columns.By(func(e entry) int { return e.gpus }), Descending: true},
		{Title: "JOB", Importance: 80, Name: true, Min: 10, Max: 48, Cell: job, Compare: columns.By(jobName)},
		{Title: "RANK", Importance: 70, Right: true, Cell: rank},
		{Title: "RESTARTS", Importance: 40, Right: true, Cell: restarts},
		{Title: "AGE", Importance: 60, Right: true, Reserve: 5, Cell: func(e entry, ink draw.Ink) draw.Cell {
			return draw.Cell{Text: ink.Ages.Since(e.pod.CreationTimestamp.Time)}
		}, Compare: func(a, b entry) int { return b.pod.CreationTimestamp.Compare(a.pod.CreationTimestamp.Time) }},
		{Title: "WHY", Importance: 65, Min: 10, Want: 16, Share: 25, Grow: true, Wrap: true, Cell: columns.Dim(func(e entry) string {
			if e.rank == nil {
				return e.pod.Status.Reason
			}
			return e.rank.Reason
		})},
	}
}

func state(e entry, ink draw.Ink) draw.Cell {
	if e.rank != nil {
		s := draw.Rank(ink.Theme, e.rank.State)
		return draw.Cell{Text: s.String(), Role: s.Role}
	}
	return draw.Cell{Text: "  " + strings.ToLower(string(e.pod.Status.Phase)), Role: themes.Dim}
}

func gpus(e entry, ink draw.Ink) draw.Cell {
	if e.gpus == 0 {
		return columns.Dash(ink)
	}
	return draw.Cell{Text: strconv.Itoa(e.gpus)}
}

func jobName(e entry) string {
	if e.job == nil {
		return ""
	}
	return e.job.Ref.Name
}

func job(e entry, ink draw.Ink) draw.Cell {
	name := jobName(e)
	if name == "" {
		return columns.Dash(ink)
	}
	return draw.Cell{Text: name, Role: ink.Theme.NameRole(name)}
}

func rank(e entry, _ draw.Ink) draw.Cell {
	if e.rank == nil {
		return draw.Cell{}
	}
	return draw.Cell{Text: strconv.Itoa(e.rank.Index)}
}

func restarts(e entry, ink draw.Ink) draw.Cell {
	n := 0
	for _, c := range e.pod.Status.ContainerStatuses {
		n += int(c.RestartCount)
	}
	if n == 0 {
		return columns.Dash(ink)
	}
	return draw.Cell{Text: fmt.Sprint(n), Role: themes.Redoing}
}
