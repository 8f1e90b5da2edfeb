package diagnosis

import (
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// open goes to the evidence under the cursor, to the stage of a finding of
// another stage, or runs the step.
func (v *View) open(f views.Frame) views.Effect {
	if v.at >= len(v.page.items) {
		return views.Notice{Text: "there is nothing to open here"}
	}
	switch item := &v.page.items[v.at]; {
	case item.evidence != nil:
		return v.jump(f, item.evidence)
	case item.stage != "":
		v.choose(item.stage)
		return nil
	default:
		return v.run(f, item.step, item.ranks)
	}
}

// jump opens the source of a piece of evidence.
func (v *View) jump(f views.Frame, e *train.Evidence) views.Effect {
	switch {
	case e.Kind == train.EvidenceProbe:
		return v.probe(f, e.Field, nil)
	case e.Stream != (train.StreamID{}):
		route := views.LogsRoute{Job: v.id, Stream: e.Stream, Line: e.Line}
		if at := v.rankIndexOf(e.Rank); at >= 0 {
			route.Ranks = []int{at}
		}
		return views.OpenScreen{Route: route}
	case e.GPU != "":
		return v.jumpToGPU(f, e)
	case e.Kind == train.EvidenceSeries && e.Object.Kind != "Node":
		return views.OpenScreen{Route: views.ChartsRoute{Job: v.id, Rank: max(0, v.rankIndexOf(e.Rank))}}
	case e.Kind == train.EvidenceEvent && e.Object.Name != "":
		return views.OpenScreen{Route: views.EventsRoute{Filter: regexp.QuoteMeta(e.Object.Name)}}
	case e.Object.Kind == "Node" && e.Object.Name == "":
		return views.OpenScreen{Route: views.NodesRoute{}}
	case e.Object.Kind == "Node":
		return views.OpenScreen{Route: views.NodeRoute{Name: e.Object.Name}}
	case e.Object.Name != "":
		return views.OpenScreen{Route: views.DescribeRoute{Ref: e.Object, Filter: regexp.QuoteMeta(describedAs(e))}}
	}
	return views.OpenScreen{Route: views.TextRoute{Title: "evidence", Text: e.Text}}
}

// describedAs is the text by which a description names a field: the type of a
// condition, the reason of a container's state; "" for others.
func describedAs(e *train.Evidence) string {
	if _, rest, is := strings.Cut(e.Field, "conditions["); is {
		word, _, _ := strings.Cut(rest, "]")
		return word
	}
	if strings.Contains(e.Field, "ontainerStatuses[") {
		if end := strings.IndexAny(e.Text, ":,;( "); end > 0 {
			return e.Text[:end]
		}
	}
	return ""
}

// jumpToGPU goes to the GPU among those of its node; one that no source reports
// any more is looked for at its rank.
func (v *View) jumpToGPU(f views.Frame, e *train.Evidence) views.Effect {
	if state := f.Snapshot.GPUState(e.GPU); state != nil && state.GPU.Node != "" {
		return views.OpenScreen{Route: views.GPUsRoute{Filter: regexp.QuoteMeta(state.GPU.Node)}}
	}
	if at := v.rankIndexOf(e.Rank); at >= 0 {
		return views.OpenScreen{Route: views.RankRoute{Job: v.id, Rank: at}}
	}
	return views.OpenScreen{Route: views.GPUsRoute{}}
}

// rankIndexOf is the index in Job.Ranks of the rank with this index, -1 for none.
func (v *View) rankIndexOf(rank int) int {
	if v.job == nil || rank < 0 {
		return -1
	}
	return slices.IndexFunc(v.job.Ranks, func(r train.Rank) bool { return r.Index == rank })
}

// run runs the probe of a step, opens a screen where one shows the output of
// the step's command, and copies the command otherwise.
func (v *View) run(f views.Frame, s *train.Step, ranks []int) views.Effect {
	if _, can := probeOf(f, s.Probe); can {
		return v.probe(f, s.Probe, ranks)
	}
	if s.Harmless {
		if effect, can := v.inPlace(f, s.Arguments); can {
			return effect
		}
	}
	return copyStep(s)
}

func copyStep(s *train.Step) views.Effect {
	switch {
	case s.Edit != "":
		return views.CopyText{Text: s.Edit, Notice: "copied the edit"}
	case s.Command != "":
		return views.CopyText{Text: s.Command, Notice: "copied: " + s.Command}
	}
	return views.CopyText{Text: s.Text, Notice: "copied the step"}
}

// copied copies the item under the cursor to the clipboard.
func (v *View) copied() views.Effect {
	if v.at >= len(v.page.items) {
		return views.Notice{Text: "there is nothing to copy here"}
	}
	switch item := &v.page.items[v.at]; {
	case item.evidence != nil:
		return views.CopyText{Text: item.evidence.Text, Notice: "copied the evidence"}
	case item.step != nil:
		return copyStep(item.step)
	}
	return views.Notice{Text: "enter goes to that stage; there is nothing to copy here"}
}
