package gpurows

import (
	"strings"
	"time"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// Measuring are the kinds of sources that the values of some rows come from,
// in order of trust, each with the time of its newest reading.
type Measuring struct{ newest [train.FromTool + 1]time.Time }

// See adds a row.
func (m *Measuring) See(state *train.GPUState) {
	for _, s := range state.Sources {
		if s <= train.FromTool && (m.newest[s].IsZero() || state.At.After(m.newest[s])) {
			m.newest[s] = state.At
			if m.newest[s].IsZero() {
				m.newest[s] = time.Unix(1, 0) // known, but without a time
			}
		}
	}
}

// Any reports whether anything was measured.
func (m *Measuring) Any() bool { return *m != Measuring{} }

// String names them in the order of trust, with their age.
func (m *Measuring) String(ages *draw.Ages) string {
	var names []string
	for s, at := range m.newest {
		if at.IsZero() {
			continue
		}
		name := train.GPUSource(s).String()
		if at.Year() > 1970 {
			name += " " + ages.Since(at)
		}
		names = append(names, name)
	}
	return strings.Join(names, ", then ")
}

// WhyUnmeasured explains why there are no numbers: the health of the sources of
// metrics.
func WhyUnmeasured(f views.Frame) []string {
	var why []string
	for _, h := range f.Snapshot.Health() {
		if !ofGPUs(h.Source) || h.State == train.SourceLive && h.Text == "" {
			continue
		}
		text := h.Source + " " + string(h.State)
		if h.Text != "" {
			text = h.Source + ": " + h.Text
		}
		why = append(why, text)
	}
	if len(why) == 0 {
		return []string{"nothing measures these GPUs: no exporter, no Prometheus, no tool's text"}
	}
	return why
}

// ofGPUs reports whether a source is one of GPU metrics.
func ofGPUs(source string) bool {
	return source == "exporters" || source == "prometheus" || strings.HasPrefix(source, "exporter/")
}
