package charts

import (
	"sort"

	"github.com/traintop/traintop/views"
)

// fewColumns is how wide the history of GPUs has to be to be worth a row for
// each rank; found by feel.
const fewColumns = 8

// hourBegins is the position on the axis where the history of GPUs begins: that
// of the first point of the log after it. inTime is false where there is none.
func (s *sheet) hourBegins() (x float64, inTime bool) {
	if s.gpus == nil || s.gpus.known.IsZero() {
		return 0, false
	}
	known := s.gpus.known.UnixNano()
	for _, c := range s.lines(s.main, s.rank) {
		i := sort.Search(c.kept, func(i int) bool { return c.row(i).Time >= known })
		if i < c.kept && finite(c.xs[i]) {
			return c.xs[i], true
		}
	}
	return 0, false
}

// gpuRows is how many lines the rows of GPUs can fill: where the history is a
// few columns of a long run, only the mean and the lowest are worth a line.
func (s *sheet) gpuRows(columns int) int {
	if s.gpus == nil {
		return 0
	}
	wanted := s.gpus.wanted()
	v := s.view()
	begins, known := s.hourBegins()
	if !known || (v.high-begins)/(v.high-v.low)*float64(columns) < fewColumns {
		return min(wanted, 2)
	}
	return wanted
}

// zoomToHour zooms to the part of the run that the GPUs' history covers.
func (v *viewport) zoomToHour() views.Effect {
	begins, known := v.hourBegins()
	whole := v.whole()
	if !known || begins >= whole.high {
		return views.Notice{Text: "no point of the log is within the last hour, of which GPUs have a history"}
	}
	v.zoomTo(window{max(begins, whole.low), whole.high}, false)
	return views.Notice{Text: "zoomed to the hour of which GPUs have a history; u undoes it"}
}
