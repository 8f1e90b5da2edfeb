package logs

import (
	"encoding/json"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// savedLayout is how a person arranged the panes of a job.
type savedLayout struct {
	// Ranks are the picked ranks, as indices in the job's ranks.
	Ranks    []int `json:"ranks,omitempty"`
	Panes    int   `json:"panes,omitempty"`
	Merged   bool  `json:"merged,omitempty"`
	Wrap     bool  `json:"wrap,omitempty"`
	Loose    bool  `json:"loose,omitempty"`
	Unfolded bool  `json:"unfolded,omitempty"`
}

var _ views.Arranged = (*View)(nil)

// LayoutOf implements views.Arranged.
func (v *View) LayoutOf() train.JobID { return v.id }

// Layout implements views.Arranged.
func (v *View) Layout() json.RawMessage {
	l := savedLayout{Panes: v.panes, Merged: v.merged, Wrap: v.wrap, Loose: v.loose, Unfolded: v.unfolded}
	if v.picked {
		l.Ranks = v.shown
	}
	return views.WriteLayout(l)
}

// Arrange implements views.Arranged. Ranks that the screen was opened for come
// before those of the layout.
func (v *View) Arrange(text json.RawMessage) {
	l, ok := views.ReadLayout[savedLayout](text)
	if !ok {
		return
	}
	v.panes, v.merged, v.wrap, v.loose, v.unfolded = max(0, min(l.Panes, mostSavedPanes)), l.Merged, l.Wrap, l.Loose, l.Unfolded
	if v.begin != nil && len(v.begin.Ranks) == 0 && v.begin.Stream == (train.StreamID{}) && len(l.Ranks) > 0 {
		v.begin.Ranks = l.Ranks
	}
}

// mostSavedPanes bounds what a file can ask for.
const mostSavedPanes = 64
