// Package rank shows one rank of a job: every attempt it has made, the
// containers and conditions of its pod, and the events about that pod.
package rank

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// View is one rank.
type View struct {
	draw.Pager
	job  train.JobID
	rank int // its index in Job.Ranks
	// role and roleIndex keep the rank found when indices in Job.Ranks move.
	role      string
	roleIndex int

	known train.Rank
	found bool
	drawn string // the input of the text
	// turn is how soon an age in the text is out of date.
	turn time.Duration
}

// New makes the screen of one rank.
func New(r views.RankRoute) *View {
	v := &View{job: r.Job, rank: r.Rank}
	v.SetWrap(true)
	return v
}

// Name is the screen's name in breadcrumbs.
func (v *View) Name() string { return "rank" }

// Crumb names the rank.
func (v *View) Crumb() string {
	if !v.found {
		return v.Name()
	}
	return draw.Clean(views.RankTitle(&v.known))
}

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.Rank }

// Title names the rank and its pod.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	if !v.found {
		return views.Title{Text: "Rank"}
	}
	state := views.RankState(f.Theme, f.Snapshot.Job(v.job), &v.known)
	text := draw.Clean(views.RankTitle(&v.known))
	if !v.known.Unranked {
		text = fmt.Sprintf("Rank %d", v.known.Index)
	}
	if v.known.Pod != "" {
		text += "  pod " + draw.Clean(v.known.Namespace+"/"+v.known.Pod)
	}
	return views.Title{Text: text, Parts: []draw.Span{{Text: state.String(), Role: state.Role}}, Filter: v.Filter(), Note: v.Position()}
}

// load finds the rank again in the newest snapshot.
func (v *View) load(f views.Frame) {
	j := f.Snapshot.Job(v.job)
	if j == nil {
		return
	}
	for i := range j.Ranks {
		r := &j.Ranks[i]
		if !v.found && i == v.rank || v.found && r.Role == v.role && r.RoleIndex == v.roleIndex {
			v.known, v.found = *r, true
			v.role, v.roleIndex = r.Role, r.RoleIndex
			return
		}
	}
}

func (v *View) pod() train.Ref {
	return train.PodRef(v.known.Namespace, v.known.Pod, v.known.PodUID)
}

// Selected is the pod of the rank; a rank without one has nothing to act on.
func (v *View) Selected(f views.Frame) []train.Ref {
	v.load(f)
	if v.known.Pod == "" {
		return nil
	}
	return []train.Ref{v.pod()}
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	v.load(f)
	switch action {
	case keymap.RankNode:
		if v.known.Node == "" {
			return views.Notice{Text: "this rank is on no node", Failed: true}, true
		}
		return views.OpenScreen{Route: views.NodeRoute{Name: v.known.Node}}, true
	case keymap.OpenDiagnosis:
		return views.OpenScreen{Route: views.DiagnosisRoute{Job: v.job}}, true
	case keymap.OpenCharts:
		return views.OpenScreen{Route: views.ChartsRoute{Job: v.job, Rank: v.rank}}, true
	case keymap.OpenLogs, keymap.OpenPrevious:
		return views.OpenScreen{Route: views.LogsRoute{Job: v.job, Ranks: []int{v.rank}, Previous: action == keymap.OpenPrevious}}, true
	case keymap.RankYAML:
		if v.known.Pod == "" {
			return views.Notice{Text: "this rank has no pod", Failed: true}, true
		}
		ref := v.pod()
		return views.ShowManifest{Ref: ref}, true
	case keymap.RankDescribe:
		if v.known.Pod == "" {
			return views.Notice{Text: "this rank has no pod", Failed: true}, true
		}
		return views.Described(v.pod()), true
	case keymap.CopyText:
		return views.CopyText{Text: v.Pager.Text(), Notice: "copied the text"}, true
	case keymap.SaveText:
		return views.SaveFiles{Files: []views.File{{Name: fmt.Sprintf("rank-%d.txt", v.known.Index), Text: v.Pager.Text()}}}, true
	}
	return nil, v.Pager.Do(action)
}

// Click does nothing: a text has nothing to choose.
func (v *View) Click(int, int, bool, views.Frame) views.Effect { return nil }

// Wheel scrolls.
func (v *View) Wheel(lines int, _ views.Frame) { v.Pager.Wheel(lines) }

// Text is the whole text.
func (v *View) Text(views.Frame) string { return v.Pager.Text() }

// Render draws the text, made anew when the snapshot, the time or the width has changed.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	if !v.found {
		return f.Message("this rank is there no more", "esc goes back")
	}
	if drawn := fmt.Sprint(f.Snapshot.ObjectsVersion, f.Snapshot.GPUsVersion, v.logVersion(f), f.Now().Unix(), f.Theme.Name, f.Width); drawn != v.drawn {
		v.drawn = drawn
		ages := *f.Ages
		ages.Turn = 0
		at := f
		at.Ages = &ages
		v.Set(v.describe(at))
		v.turn = ages.Turn
	}
	f.Ages.Soon(v.turn)
	return v.Pager.Render(f.Ink(), f.Width, f.Height)
}
