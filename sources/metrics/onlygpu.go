package metrics

import (
	"strings"
	"time"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// unnumberedSample is a sample of a GPU without a number.
type unnumberedSample struct {
	name    string
	measure *measure
	tags    tags
	value   float64
	at      time.Time
}

const mostUnnumbered = 64

// keepUnnumbered keeps a sample of a GPU that has neither a number nor a UUID: one of a machine
// with one GPU, if its name begins with what it measures. Those of a node or of a cluster are sums.
func (c *collector) keepUnnumbered(name string, f readings.Field, m *measure, t *tags, value float64, at time.Time) {
	if m == nil || !f.GPU || f.Before > 0 || strings.Contains(name, "node") || t.index != "" || t.uuid != "" || t.process != "" || t.foreign != "" || placeOfMemory(t.place) || t.pod != "" {
		return
	}
	if len(c.unnumbered) <= mostUnnumbered {
		c.unnumbered = append(c.unnumbered, unnumberedSample{name, m, *t, value, at})
	}
}

// addUnnumbered adds the only GPU of its machine, if no sample has the number of one and none
// measures the same as another.
func (c *collector) addUnnumbered() {
	all := c.unnumbered
	c.unnumbered = nil
	if len(c.devices) > 0 || len(all) > mostUnnumbered {
		return
	}
	seen, measured := map[string]bool{}, map[train.Quantity]bool{}
	for i := range all {
		s := &all[i]
		if what := s.name + " " + s.tags.kind + " " + s.tags.place; seen[what] && !s.measure.ifUnknown {
			return
		} else {
			seen[what] = true
		}
		measured[s.measure.quantity] = true
	}
	if len(measured) < 2 {
		return
	}
	for i := range all {
		s := &all[i]
		s.tags.index = "0"
		c.add(&generic, s.measure, s.name, &s.tags, s.value, s.at)
	}
}
