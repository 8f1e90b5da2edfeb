package jobs

import (
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// Streams are the running jobs that are on the screen: the ends of the logs
// of the ranks that print metrics.
func (v *View) Streams(views.Frame) []streams.Want {
	var wants []streams.Want
	for _, j := range v.Visible() {
		if j.Phase == train.Running {
			wants = append(wants, streams.Want{Job: j.ID, Shown: true})
		}
	}
	return wants
}
