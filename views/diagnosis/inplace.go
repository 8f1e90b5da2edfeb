package diagnosis

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// inPlace finds the screen that shows the output of a command of kubectl, or of
// "traintop logs".
func (v *View) inPlace(f views.Frame, arguments []string) (views.Effect, bool) {
	if ranks, is := v.ranksOf(arguments); is {
		return views.OpenScreen{Route: views.LogsRoute{Job: v.id, Ranks: ranks, Previous: slices.Contains(arguments, "--previous")}}, true
	}
	c, ok := parse(arguments)
	if !ok {
		return nil, false
	}
	switch c.verb {
	case "logs":
		return v.logsOf(c)
	case "describe", "get":
		if len(c.words) == 1 {
			return listed(f, c)
		}
		return single(c)
	}
	return nil, false
}

// ranksOf are the ranks, as indices in Job.Ranks, whose logs "traintop logs JOB
// --ranks 3,5" prints; false for any other command.
func (v *View) ranksOf(arguments []string) (ranks []int, is bool) {
	if v.job == nil || len(arguments) < 5 || arguments[0] != "traintop" || arguments[1] != "logs" || arguments[2] != v.job.Ref.String() || arguments[3] != "--ranks" {
		return nil, false
	}
	for _, word := range strings.Split(arguments[4], ",") {
		at := slices.IndexFunc(v.job.Ranks, func(r train.Rank) bool { return strconv.Itoa(r.Index) == word })
		if at < 0 {
			return nil, false
		}
		ranks = append(ranks, at)
	}
	return ranks, true
}

func (v *View) logsOf(c command) (views.Effect, bool) {
	name := c.words[0]
	if _, after, found := strings.Cut(name, "/"); found {
		name = after
	}
	if v.job == nil {
		return nil, false
	}
	at := slices.IndexFunc(v.job.Ranks, func(r train.Rank) bool {
		return r.Pod == name || slices.ContainsFunc(r.Attempts, func(a train.Attempt) bool { return a.Pod == name })
	})
	if at < 0 {
		return nil, false
	}
	return views.OpenScreen{Route: views.LogsRoute{Job: v.id, Ranks: []int{at}, Previous: c.previous}}, true
}

// single opens the screen that shows what get or describe prints of one object.
func single(c command) (views.Effect, bool) {
	kind, known := kindNamed(c.words[0])
	if !known || len(c.words) > 2 {
		return nil, false
	}
	ref := train.Ref{Group: kind.Group, Kind: kind.Kind, Namespace: c.namespace, Name: c.words[1]}
	switch {
	case kind == kinds.NodeKind:
		return views.OpenScreen{Route: views.NodeRoute{Name: ref.Name}}, true
	case c.verb == "describe":
		return views.Described(ref), true
	}
	return views.ShowManifest{Ref: ref}, true
}

// listed opens what get prints of all objects of a kind: the screen that lists
// them, or a page made from the snapshot.
func listed(f views.Frame, c command) (views.Effect, bool) {
	kind, known := kindNamed(c.words[0])
	node, onNode := strings.CutPrefix(c.fields, "spec.nodeName=")
	about, aboutOne := strings.CutPrefix(c.fields, "involvedObject.name=")
	switch {
	case !known || c.labels != "":
		return nil, false
	case kind == kinds.NodeKind && c.fields == "":
		return views.OpenScreen{Route: views.NodesRoute{}}, true
	case kind == kinds.EventKind && aboutOne:
		return views.OpenScreen{Route: views.EventsRoute{Filter: regexp.QuoteMeta(about)}}, true
	case kind == kinds.EventKind && c.fields == "":
		return views.OpenScreen{Route: views.EventsRoute{}}, true
	case kind == kinds.PodKind && onNode:
		return views.OpenScreen{Route: views.NodeRoute{Name: node}}, true
	case c.fields != "" || !f.Snapshot.Complete(kind, c.namespace) && f.Snapshot.Count(kind) == 0:
		return nil, false
	}
	return views.OpenScreen{Route: views.TextRoute{Title: strings.Join(append([]string{c.verb}, c.words...), " "), Text: list(f, kind, c.namespace)}}, true
}

// mostListed bounds a list: a person looks for a name in it.
const mostListed = 2_000

// list is a table of the objects of a kind: namespace, name, age, and the
// state of pods.
func list(f views.Frame, kind schema.GroupKind, namespace string) string {
	rows := [][]string{{"NAMESPACE", "NAME", "AGE"}}
	if kind == kinds.PodKind {
		rows[0] = append(rows[0], "STATUS", "NODE")
	}
	f.Snapshot.Objects(kind, namespace, func(o kinds.Object) bool {
		age := f.Theme.Glyphs.Dash
		if at := o.GetCreationTimestamp(); !at.IsZero() {
			age = termtext.Duration(f.Now().Sub(at.Time))
		}
		row := []string{cmp.Or(o.GetNamespace(), f.Theme.Glyphs.Dash), o.GetName(), age}
		if kind == kinds.PodKind {
			if pod := f.Snapshot.Pod(o.GetNamespace(), o.GetName()); pod != nil {
				row = append(row, cmp.Or(pod.Status.Reason, string(pod.Status.Phase)), cmp.Or(pod.Spec.NodeName, f.Theme.Glyphs.Dash))
			}
		}
		rows = append(rows, row)
		return len(rows) <= mostListed
	})
	if len(rows) == 1 {
		return fmt.Sprintf("there is no %s here\n", kind.Kind)
	}
	return columns(rows)
}

// columns pads the cells of a table.
func columns(rows [][]string) string {
	var widths []int
	for _, row := range rows {
		for i := range row {
			row[i] = draw.Clean(row[i])
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], draw.Width(row[i]))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		var line strings.Builder
		for i, cell := range row {
			line.WriteString(draw.Fit(cell, widths[i]+2, false, ""))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	return b.String()
}
