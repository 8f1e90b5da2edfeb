package series

// NewestValue returns the newest value of a metric, of the first rank that prints
// it, in its newest attempt; it may be NaN. known is false when no log prints
// the metric.
func (r *Run) NewestValue(metric string) (value float64, known bool) {
	if r == nil {
		return 0, false
	}
	var first *rankSeries
	for i := range r.rankSeries {
		s := &r.rankSeries[i]
		if first != nil && !sameSeries(first, s) {
			break
		}
		if c := s.column(metric); c != nil && len(c.Values) > 0 {
			first, value, known = s, c.Values[len(c.Values)-1], true
		}
	}
	return value, known
}
