// Package smiscreen shows the output of the vendors' own tools (nvidia-smi and the
// like) inside the pods of ranks: a table of GPUs that is refreshed while it is
// shown, samples, topology, processes, and the raw text.
package smiscreen

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/smi"
	"github.com/traintop/traintop/actions/targets"
	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// every is the pause between two rounds.
const every = 5 * time.Second

// mostWithProcesses is up to how many containers are queried for processes with
// every round of the table of GPUs: it doubles the load of the API server.
const mostWithProcesses = 16

// View is the screen.
type View struct {
	reach views.Reach
	tab   tab
	// raw shows the text of the tool in place of the table.
	raw bool

	gpus  gpuTable
	procs processTable
	pager draw.Pager
	paged string // the input of the text

	// pods are the containers with their output, in order; at is the input that
	// they were made from.
	pods []*pod
	of   map[actions.Container]*pod
	at   string
	// asked is the running set of commands; number distinguishes rounds that a
	// person began.
	asked   *views.Ask
	number  int
	version uint64 // of the answers
	newest  time.Time
}

type tab int

const (
	tabGPUs tab = iota
	tabDmon
	tabTopology
	tabProcesses
	tabs
)

var tabNames = [tabs]string{"GPUs", "dmon", "topology", "processes"}

// New makes the screen for pods, nodes, or a job.
func New(r views.SMIRoute) *View {
	v := &View{reach: views.NewReach(r.Job, r.Pods), of: map[actions.Container]*pod{}}
	v.gpus.make()
	v.procs.make()
	return v
}

// shows is the view that the tool has to print.
func (v *View) shows() smi.View {
	switch {
	case v.tab == tabDmon:
		return smi.Dmon
	case v.tab == tabTopology:
		return smi.Topology
	case v.tab == tabProcesses:
		return smi.Processes
	case v.raw:
		return smi.Text
	}
	return smi.GPUs
}

// tabled reports whether a table is shown and not text. Processes of other
// tools than nvidia-smi are texts.
func (v *View) tabled() bool {
	switch {
	case v.raw || v.tab == tabDmon || v.tab == tabTopology:
		return false
	case v.tab == tabProcesses:
		return v.readable()
	}
	return true
}

// readable reports whether all answers can be parsed as processes.
func (v *View) readable() bool {
	for _, p := range v.pods {
		if p.tool.Name != "nvidia-smi" {
			return false
		}
	}
	return true
}

// load lists the containers of the frame's snapshot, and runs commands again
// when the containers or the tab have changed.
func (v *View) load(f views.Frame) {
	at := fmt.Sprintf("%d %t %t %s %d", f.Snapshot.ObjectsVersion, f.Rights.NoCluster, v.raw, v.shows(), v.number)
	all := v.reach.Targets(f)
	if at == v.at && slices.EqualFunc(all, v.pods, func(t actions.Target, p *pod) bool { return t == p.Target }) {
		return
	}
	v.at = at
	v.pods = v.pods[:0:0]
	for _, t := range all {
		p := v.of[t.Container]
		if p == nil {
			p = &pod{tool: smi.Of(f.Snapshot, t), answers: map[smi.View]actions.Answer{}}
			v.of[t.Container] = p
		}
		p.Target, p.running = t, targets.Runs(f.Snapshot, t)
		v.pods = append(v.pods, p)
	}
	v.version++
	v.plan(f)
}

// plan chooses the commands to run.
func (v *View) plan(f views.Frame) {
	ask := &views.Ask{Every: every}
	if v.shows() == smi.Topology {
		ask.Every = 0 // it does not change
	}
	var running []*pod
	for _, p := range v.pods {
		if p.running && !f.Rights.NoCluster {
			running = append(running, p)
		}
	}
	var id strings.Builder
	fmt.Fprintf(&id, "%s %d", v.shows(), v.number)
	for _, p := range running {
		commands := p.tool.Commands(v.shows())
		if len(commands) == 0 {
			continue
		}
		ask.Runs = append(ask.Runs, views.Run{Target: p.Target, Commands: commands})
		fmt.Fprintf(&id, " %s/%s/%s", p.Namespace, p.Pod, p.PodUID)
		if v.shows() == smi.GPUs && len(running) <= mostWithProcesses && p.tool.Name == "nvidia-smi" {
			ask.Runs = append(ask.Runs, views.Run{Target: p.Target, Commands: p.tool.Commands(smi.Processes)})
		}
	}
	ask.ID = id.String()
	if v.asked == nil || v.asked.ID != ask.ID {
		v.asked = ask
	}
}

// Name is the screen's name in breadcrumbs.
func (v *View) Name() string { return "smi" }

// Crumb is the tool's name.
func (v *View) Crumb() string { return v.tool() }

func (v *View) tool() string {
	name := "nvidia-smi"
	for i, p := range v.pods {
		if i > 0 && p.tool.Name != name {
			return "smi"
		}
		name = p.tool.Name
	}
	return name
}

// Scope is the scope of the screen's keys.
func (v *View) Scope() keymap.Scope { return keymap.SMI }

// Title names the ranks, the number of GPUs, and the age of the data.
func (v *View) Title(f views.Frame) views.Title {
	v.load(f)
	title := views.Title{Text: v.tool() + " in " + v.reach.Words(f), Filter: v.Filter()}
	add := func(n int, noun string, role themes.Role) {
		if n > 0 {
			title.Parts = append(title.Parts, draw.Span{Text: noun, Role: role})
		}
	}
	n, silent, waiting := 0, 0, 0
	for _, p := range v.pods {
		n += len(p.readings)
		switch {
		case p.why(v.shows()) != "":
			silent++
		case !p.answered(v.shows()):
			waiting++
		}
	}
	add(n, draw.Plural(n, "GPU"), themes.Text)
	add(silent, draw.Count(silent)+" without an answer", themes.Waiting)
	if !f.Rights.NoCluster {
		add(waiting, draw.Count(waiting)+" to come", themes.Dim)
	}
	if v.tabled() {
		title.Filter, title.Flags = v.table().FilterLine(), v.table().Flags()
	} else {
		title.Note = v.pager.Position()
	}
	if !v.newest.IsZero() {
		title.Note = strings.TrimSpace(title.Note + "   " + v.age(f))
	}
	return title
}

func (v *View) age(f views.Frame) string {
	f.Ages.Soon(time.Second)
	age := termtext.Duration(max(0, f.Now().Sub(v.newest).Truncate(time.Second))) + " old"
	if v.asked != nil && v.asked.Every > 0 {
		age += ", every " + termtext.Duration(v.asked.Every)
	}
	return age
}

// Ask returns the commands to run.
func (v *View) Ask(f views.Frame) *views.Ask {
	v.load(f)
	if v.asked == nil || len(v.asked.Runs) == 0 {
		return nil
	}
	return v.asked
}

// Answered takes one answer. Its readings go to the store as well.
func (v *View) Answered(a actions.Answer, _ views.Frame) views.Effect {
	p := v.of[a.Target.Container]
	if p == nil {
		return nil
	}
	v.version++
	if at := a.Began.Add(a.Took); at.After(v.newest) {
		v.newest = at
	}
	which := p.viewOf(a, v.shows())
	p.take(which, a)
	if which != smi.GPUs || p.trouble != "" && len(p.readings) == 0 {
		return nil
	}
	return views.StoreReadings{Readings: *smi.Measured(a, p.readings, every)}
}

// Do carries out an action.
func (v *View) Do(action keymap.Action, f views.Frame) (views.Effect, bool) {
	v.load(f)
	switch action {
	case keymap.SMINext:
		v.show((v.tab+1)%tabs, false)
	case keymap.SMIBack:
		v.show((v.tab+tabs-1)%tabs, false)
	case keymap.SMIGPUs, keymap.SMIDmon, keymap.SMITopo, keymap.SMIWho:
		v.show(map[keymap.Action]tab{keymap.SMIDmon: tabDmon, keymap.SMITopo: tabTopology, keymap.SMIWho: tabProcesses}[action], false)
	case keymap.SMIRaw:
		v.show(v.tab, !v.raw)
	case keymap.SMINow:
		v.number++
	case keymap.SMIRanks:
		if !v.reach.Next(f) {
			return views.Notice{Text: "there are no other ranks to choose"}, true
		}
	case keymap.CopyText:
		return views.CopyText{Text: v.Text(f), Notice: "copied what is shown"}, true
	case keymap.Save, keymap.SaveText:
		return views.SaveFiles{Files: []views.File{{Name: views.FileName(v.tool()) + ".txt", Text: v.Text(f)}}}, true
	case keymap.OpenLogs:
		return v.logs(), true
	default:
		return v.below(action, f)
	}
	return nil, true
}

func (v *View) show(t tab, raw bool) {
	v.tab, v.raw = t, raw
	if t == tabDmon || t == tabTopology {
		v.raw = false // they are texts anyway
	}
}

// below passes an action to the table or the text that is shown.
func (v *View) below(action keymap.Action, f views.Frame) (views.Effect, bool) {
	if v.tabled() {
		switch action {
		case keymap.ScrollLeft, keymap.ScrollRight, keymap.NextMatch:
			return views.Notice{Text: "that is for texts: r shows the raw text"}, true
		}
		return v.table().Do(action, f)
	}
	if as, scrolls := asPager[action]; scrolls {
		action = as
	}
	if v.pager.Do(action) {
		return nil, true
	}
	return views.Notice{Text: "that is for tables: 1 shows the GPUs"}, action.Impact() == keymap.Looks && v.table().means(action)
}

// asPager maps actions of a table to those of a text.
var asPager = map[keymap.Action]keymap.Action{
	keymap.Up: keymap.LineUp, keymap.Down: keymap.LineDown, keymap.Top: keymap.TextTop, keymap.Bottom: keymap.TextBottom,
	keymap.PageUp: keymap.TextPageUp, keymap.PageDown: keymap.TextPageDn, keymap.Wide: keymap.Wrap,
}

func (v *View) logs() views.Effect {
	t, ok := v.current()
	if !ok || t.Job == "" || t.Rank < 0 {
		return views.Notice{Text: "there is no log of a rank here", Failed: true}
	}
	return views.OpenScreen{Route: views.LogsRoute{Job: t.Job, Ranks: []int{t.Rank}}}
}

// current is the container under the cursor; of a text the first.
func (v *View) current() (t actions.Target, ok bool) {
	if v.tabled() {
		return v.table().target()
	}
	if len(v.pods) > 0 {
		return v.pods[0].Target, true
	}
	return t, false
}

// Selected are the pods of the chosen rows; of a text all.
func (v *View) Selected(f views.Frame) []train.Ref {
	if v.tabled() {
		return v.table().Selected(f)
	}
	return v.reach.Refs(f)
}

// SetFilter narrows the table, or searches the text.
func (v *View) SetFilter(text string) error {
	if v.tabled() {
		return v.table().SetFilter(text)
	}
	return v.pager.SetFilter(text)
}

// Filter is the filter of the table, or the search in the text.
func (v *View) Filter() string {
	if v.tabled() {
		return v.table().Filter()
	}
	return v.pager.Filter()
}

// Click handles the mouse: a tab, or a row.
func (v *View) Click(x, y int, double bool, f views.Frame) views.Effect {
	switch {
	case y == 0:
		at := 1
		for t, name := range tabNames {
			if width := len(tabWords(t, name)); x >= at && x < at+width {
				v.show(tab(t), false)
			} else {
				at += width
			}
		}
	case v.tabled():
		return v.table().Click(x, y-1, double, f)
	}
	return nil
}

// Wheel scrolls.
func (v *View) Wheel(lines int, f views.Frame) {
	if v.tabled() {
		v.table().Wheel(lines, f)
		return
	}
	v.pager.Wheel(lines)
}

// Text is all of the shown content.
func (v *View) Text(f views.Frame) string {
	v.load(f)
	if v.tabled() {
		v.fill(f)
		return v.table().Text(f)
	}
	v.write(f)
	return v.pager.Text()
}

// Render draws the tabs and the content of the current one.
func (v *View) Render(f views.Frame) []string {
	v.load(f)
	head := v.titles(f)
	f.Height--
	if f.Height <= 0 {
		return []string{head}
	}
	if v.tabled() {
		v.fill(f)
		return append([]string{head}, v.table().Body(f, func() []string { return v.nothing(f) })...)
	}
	v.write(f)
	return append([]string{head}, v.pager.Render(f.Ink(), f.Width, f.Height)...)
}

func tabWords(t int, name string) string { return fmt.Sprintf("%d %s   ", t+1, name) }

func (v *View) titles(f views.Frame) string {
	line := f.Line().Add(themes.Text, " ")
	for t, name := range tabNames {
		role := themes.Dim
		if tab(t) == v.tab {
			role = themes.Accent
		}
		line.Add(role, tabWords(t, name))
	}
	if v.raw {
		line.Add(themes.Waiting, "raw text, r goes back")
	}
	return line.String()
}

// nothing explains why there is no row.
func (v *View) nothing(f views.Frame) []string {
	switch {
	case len(v.pods) == 0:
		return []string{"there is no pod here to run anything in", "esc goes back"}
	case f.Rights.NoCluster:
		return []string{"there is no cluster here to run anything in, only what was read from " + f.Context}
	case v.tab == tabProcesses:
		return []string{"no process uses the GPUs, or the container may not see them", "a container sees its own processes, or those of the node with hostPID"}
	}
	return []string{"asking" + f.Theme.Glyphs.Ellipsis}
}
