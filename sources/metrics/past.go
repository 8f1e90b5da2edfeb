package metrics

import (
	"cmp"
	"slices"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// recall adds the points of one series of a range answer as the past of a quantity.
// It leaves out values that mean "unknown" or are impossible for a GPU.
func (c *collector) recall(f *exporter, m *measure, t *tags, values []promPoint) {
	if m == nil || len(values) < 2 || m.quantity >= train.Quantities || m.only != nil && !m.only(t) ||
		f.device != nil && !f.device(t) || f.device == nil && t.index == "" && t.uuid == "" {
		return
	}
	points := make([]train.Point, 0, len(values))
	for _, p := range values {
		value := p.value
		if !p.known || isBlank(value) || m.zeroUnknown && value == 0 {
			continue
		}
		if m.scale != 0 {
			value *= m.scale
		}
		if readings.Plausible(m.quantity, value) {
			points = append(points, train.Point{At: p.at, Value: value})
		}
	}
	if len(points) < 2 {
		return
	}
	slices.SortStableFunc(points, func(a, b train.Point) int { return cmp.Compare(a.At.UnixNano(), b.At.UnixNano()) })
	if m.share {
		c.pastOf = append(c.pastOf, len(c.answer.Past))
	}
	c.answer.Past = append(c.answer.Past, train.GPUPast{GPU: c.gpu(t, c.holderOf(t)), Quantity: m.quantity, Points: points})
}

func (c *collector) greatestShareOfPast() float64 {
	greatest := 0.0
	for _, at := range c.pastOf {
		for _, p := range c.answer.Past[at].Points {
			greatest = max(greatest, p.Value)
		}
	}
	return greatest
}

func (c *collector) pastToPercent() {
	for _, at := range c.pastOf {
		for i := range c.answer.Past[at].Points {
			c.answer.Past[at].Points[i].Value *= percent
		}
	}
}
