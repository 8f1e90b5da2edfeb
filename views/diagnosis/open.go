package diagnosis

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// open goes to where the evidence under the cursor is, or runs the step.
func (v *View) open(f views.Frame) views.Effect {
	if v.at >= len(v.page.items) {
		return views.Effect{Notice: "there is nothing to open here"}
	}
	item := &v.page.items[v.at]
	if item.evidence != nil {
		return v.jump(item.evidence)
	}
	return v.run(f, item.step)
}

// jump leads to a piece of evidence.
func (v *View) jump(e *train.Evidence) views.Effect {
	switch {
	case e.Kind == train.EvidenceLog && e.Stream != (train.StreamID{}):
		place := views.Place{Screen: "logs", Job: v.id, Stream: e.Stream, Line: e.Line}
		if at := v.placeOf(e.Rank); at >= 0 {
			place.Rank, place.Ranks = at, []int{at}
		}
		return views.Effect{Open: place}
	case e.GPU != "" && v.placeOf(e.Rank) >= 0:
		return views.Effect{Open: views.Place{Screen: "rank", Job: v.id, Rank: v.placeOf(e.Rank)}}
	case e.GPU != "":
		return views.Effect{Open: views.Place{Screen: "gpus"}}
	case e.Kind == train.EvidenceSeries:
		return views.Effect{Open: views.Place{Screen: "charts", Job: v.id, Rank: max(0, v.placeOf(e.Rank))}}
	case e.Object.Kind == "Node" && e.Kind != train.EvidenceEvent:
		return views.Effect{Open: views.Place{Screen: "node", Name: e.Object.Name}}
	case e.Object.Name != "":
		return views.Described(e.Object)
	}
	return views.Effect{Open: views.Place{Screen: "text", Name: "evidence", Text: e.Text}}
}

// placeOf is the place in Job.Ranks of the rank with this index, -1 for none.
func (v *View) placeOf(rank int) int {
	if v.job == nil || rank < 0 {
		return -1
	}
	return slices.IndexFunc(v.job.Ranks, func(r train.Rank) bool { return r.Index == rank })
}

// run does a step in place where a screen here shows what its command would,
// and copies the command otherwise.
func (v *View) run(f views.Frame, s *train.Step) views.Effect {
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
		return views.Effect{Copy: s.Edit, Notice: "copied the edit"}
	case s.Command != "":
		return views.Effect{Copy: s.Command, Notice: "copied: " + s.Command}
	}
	return views.Effect{Copy: s.Text, Notice: "copied the step"}
}

// copied takes what is under the cursor to the clipboard.
func (v *View) copied() views.Effect {
	if v.at >= len(v.page.items) {
		return views.Effect{Notice: "there is nothing to copy here"}
	}
	if e := v.page.items[v.at].evidence; e != nil {
		return views.Effect{Copy: e.Text, Notice: "copied the evidence"}
	}
	return copyStep(v.page.items[v.at].step)
}

// inPlace finds the screen that shows what a kubectl command would print.
func (v *View) inPlace(f views.Frame, arguments []string) (views.Effect, bool) {
	c, ok := parse(arguments)
	if !ok {
		return views.Effect{}, false
	}
	switch c.verb {
	case "logs":
		return v.logsOf(c)
	case "describe", "get":
		return show(c)
	}
	return views.Effect{}, false
}

func (v *View) logsOf(c command) (views.Effect, bool) {
	name := c.words[0]
	if _, after, found := strings.Cut(name, "/"); found {
		name = after
	}
	at := slices.IndexFunc(v.job.Ranks, func(r train.Rank) bool {
		return r.Pod == name || slices.ContainsFunc(r.Attempts, func(a train.Attempt) bool { return a.Pod == name })
	})
	if at < 0 {
		return views.Effect{}, false
	}
	return views.Effect{Open: views.Place{Screen: "logs", Job: v.id, Rank: at, Ranks: []int{at}, Previous: c.previous}}, true
}

// show opens what get and describe print.
func show(c command) (views.Effect, bool) {
	kind, known := kindNamed(c.words[0])
	if !known {
		return views.Effect{}, false
	}
	if len(c.words) == 1 {
		switch kind.Kind {
		case "Node":
			return views.Effect{Open: views.Place{Screen: "nodes"}}, true
		case "Event":
			return views.Effect{Open: views.Place{Screen: "events"}}, true
		}
		return views.Effect{}, false
	}
	ref := train.Ref{Group: kind.Group, Kind: kind.Kind, Namespace: c.namespace, Name: c.words[1]}
	if c.verb == "describe" {
		return views.Described(ref), true
	}
	return views.Effect{Manifest: &ref}, true
}
