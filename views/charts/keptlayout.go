package charts

import (
	"encoding/json"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// savedLayout is how a person arranged the charts of a job.
type savedLayout struct {
	Axis     axis     `json:"axis,omitempty"`
	Weight   *int     `json:"weight,omitempty"`
	Y        yMode    `json:"y,omitempty"`
	Log      bool     `json:"log,omitempty"`
	AllRanks *bool    `json:"allRanks,omitempty"`
	Focus    string   `json:"focus,omitempty"`
	More     []string `json:"more,omitempty"`
	Fewer    []string `json:"fewer,omitempty"`
	Pane     *bool    `json:"pane,omitempty"`
}

var _ views.Arranged = (*View)(nil)

// LayoutOf implements views.Arranged.
func (v *View) LayoutOf() train.JobID { return v.id }

// Layout implements views.Arranged. A range that was fixed is not kept: the run
// has gone on.
func (v *View) Layout() json.RawMessage {
	l := savedLayout{Axis: v.axis, Y: v.y, Log: v.log, Focus: v.focus, More: v.more, Fewer: v.fewer, Pane: v.pane}
	if l.Y == yFixed {
		l.Y = yRobust
	}
	if v.chosen {
		l.Weight = &v.weight
	}
	if v.ranked {
		l.AllRanks = &v.allRanks
	}
	text, err := json.Marshal(l)
	if err != nil || string(text) == "{}" {
		return nil
	}
	return text
}

// Arrange implements views.Arranged.
func (v *View) Arrange(text json.RawMessage) {
	var l savedLayout
	if json.Unmarshal(text, &l) != nil {
		return
	}
	if l.Axis >= 0 && l.Axis <= byLocal {
		v.axis = l.Axis
	}
	if l.Y >= 0 && l.Y < yFixed {
		v.y = l.Y
	}
	if l.Weight != nil && *l.Weight >= 0 && *l.Weight < len(weights) {
		v.weight, v.chosen = *l.Weight, true
	}
	if l.AllRanks != nil {
		v.allRanks, v.ranked = *l.AllRanks, true
	}
	v.log, v.focus, v.more, v.fewer, v.pane = l.Log, l.Focus, l.More, l.Fewer, l.Pane
}
