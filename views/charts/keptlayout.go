package charts

import (
	"encoding/json"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// savedLayout is how a person arranged the charts of a job.
type savedLayout struct {
	Axis   axis  `json:"axis,omitempty"`
	Weight *int  `json:"weight,omitempty"`
	Y      yMode `json:"y,omitempty"`
	// Fixed are the ranges that were fixed, low and high, by metric.
	Fixed    map[string][2]float64 `json:"fixed,omitempty"`
	Log      bool                  `json:"log,omitempty"`
	AllRanks *bool                 `json:"allRanks,omitempty"`
	Focus    string                `json:"focus,omitempty"`
	More     []string              `json:"more,omitempty"`
	Fewer    []string              `json:"fewer,omitempty"`
	Pane     *bool                 `json:"pane,omitempty"`
}

var _ views.Arranged = (*View)(nil)

// LayoutOf implements views.Arranged.
func (v *View) LayoutOf() train.JobID { return v.id }

// Layout implements views.Arranged.
func (v *View) Layout() json.RawMessage {
	l := savedLayout{Axis: v.axis, Y: v.y, Log: v.log, Focus: v.focus, More: v.more, Fewer: v.fewer, Pane: v.pane}
	if l.Y == yFixed {
		l.Fixed = map[string][2]float64{}
		for metric, r := range v.fixed {
			l.Fixed[metric] = [2]float64{r.low, r.high}
		}
	}
	if v.chosen {
		l.Weight = &v.weight
	}
	if v.ranked {
		l.AllRanks = &v.allRanks
	}
	return views.WriteLayout(l)
}

// Arrange implements views.Arranged.
func (v *View) Arrange(text json.RawMessage) {
	l, ok := views.ReadLayout[savedLayout](text)
	if !ok {
		return
	}
	if l.Axis >= 0 && l.Axis <= byLocal {
		v.axis = l.Axis
	}
	if l.Y >= 0 && l.Y < yModes {
		v.y = l.Y
	}
	if v.y == yFixed {
		v.fixed = map[string]yRange{}
		for metric, ends := range l.Fixed {
			if ends[0] < ends[1] {
				v.fixed[metric] = yRange{low: ends[0], high: ends[1]}
			}
		}
	}
	if l.Weight != nil && *l.Weight >= 0 && *l.Weight < len(weights) {
		v.weight, v.chosen = *l.Weight, true
	}
	if l.AllRanks != nil {
		v.allRanks, v.ranked = *l.AllRanks, true
	}
	v.log, v.focus, v.more, v.fewer, v.pane = l.Log, l.Focus, l.More, l.Fewer, l.Pane
}
