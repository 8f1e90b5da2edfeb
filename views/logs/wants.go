package logs

import (
	"slices"

	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/views"
)

// Streams are the logs on the screen, then those that the rule chooses. All
// shown logs are wanted where all are read: merged by time, compared.
func (v *View) Streams(views.Frame) []streams.Want {
	rule := streams.Want{Job: v.id}
	if v.job == nil || v.job.LogsOnly {
		return []streams.Want{rule}
	}
	allRanks := v.onPage()
	if v.merged || v.layer == layerDifferent {
		allRanks = v.shown
	}
	var wants []streams.Want
	for _, at := range allRanks {
		s := v.allRanks[at]
		p := &s.pane
		one := streams.Want{Job: v.id, Container: p.container, Previous: p.at < len(p.instances)-1, Whole: p.whole, Shown: true}
		i := slices.IndexFunc(wants, func(w streams.Want) bool {
			return w.Container == one.Container && w.Previous == one.Previous && w.Whole == one.Whole
		})
		if i < 0 {
			i = len(wants)
			wants = append(wants, one)
		}
		wants[i].Ranks = append(wants[i].Ranks, s.rankIndex)
	}
	return append(wants, rule)
}
