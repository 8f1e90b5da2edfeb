package metrics

import (
	"iter"
	"strings"
	"time"

	dto "github.com/prometheus/client_model/go"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// namedMetric is a metric by its name: what its exporter's table or its words say of it.
type namedMetric struct {
	name, help string
	exporter   *exporter // nil for one that is read by its words alone
	measure    *measure  // of the exporter's table
}

// namedMetricOf returns false for a metric of nothing that a GPU has.
func namedMetricOf(name, help string) (m namedMetric, ofGPU bool) {
	m = namedMetric{name: name, help: help, exporter: exporterOf(name)}
	if m.exporter != nil {
		m.measure = m.exporter.measure(name)
		return m, true
	}
	f := readings.ParseField(name)
	return m, f.Before <= mostPrefix && (f.GPU || describesGPU(f))
}

// qualifiers end the names of labels that say what a sample measures, where the name of its metric
// leaves it open: memory_bytes{state="used"}, temperature{sensor="junction"}.
var qualifiers = map[string]bool{
	"type": true, "state": true, "kind": true, "part": true, "sensor": true, "location": true, "engine": true, "task": true,
	"ip": true, "dimension": true, "arg": true, "metric": true, "field": true, "stat": true, "label": true, "quantity": true,
}

// field returns what a sample measures by the words of its name and of its labels. part is true
// where a label names something unknown, perhaps a part of the GPU.
func (m *namedMetric) field(labels iter.Seq2[string, string]) (f readings.Field, part bool) {
	f = readings.ParseField(m.name)
	known := ""
	for label, value := range labels {
		label = strings.ToLower(label)
		if !qualifiers[label[strings.LastIndexByte(label, '_')+1:]] || value == "" {
			continue
		}
		if _, is := readings.ParseQualified(m.name, value); is {
			known += " " + value
		} else {
			part = part || value[0] < '0' || value[0] > '9' // the address of a machine is none
		}
	}
	if known != "" {
		f, _ = readings.ParseQualified(m.name, known)
	}
	return f, part
}

// byWords returns what a sample measures, nil for nothing that is read.
func (m *namedMetric) byWords(labels iter.Seq2[string, string]) *measure {
	f, part := m.field(labels)
	measured := measureOf(f, m.help)
	if measured != nil && part && measured.quantity != train.GPUTemperature {
		measured.ifUnknown = true
	}
	return measured
}

// addSample adds a sample by its exporter's table or by its words. It returns the exporter and the
// measure by which it was read, nil for a sample of no GPU.
func (c *collector) addSample(m *namedMetric, labels iter.Seq2[string, string], t *tags, value float64, at time.Time) (*exporter, *measure) {
	f, measured := m.exporter, m.measure
	if f != nil && measured == nil { // a newer version of the exporter may measure it
		if measured = m.byWords(labels); measured != nil {
			measured.ifUnknown = true
			if f.broad {
				f = nil
			}
		}
	}
	if f != nil && c.add(f, measured, m.name, t, value, at) {
		return f, measured
	}
	return c.addGeneric(m, labels, t, value, at)
}

// labelsOf returns the names and values of labels.
func labelsOf(pairs []*dto.LabelPair) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, pair := range pairs {
			if !yield(pair.GetName(), pair.GetValue()) {
				return
			}
		}
	}
}
