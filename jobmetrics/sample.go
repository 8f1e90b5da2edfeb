package jobmetrics

import (
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
)

// sample is one value of one metric. It implements prometheus.Metric, since the
// constant metrics of client_golang make their labels anew for each scrape: with
// a thousand jobs that is 10 of 30 MB.
type sample struct {
	id     id
	value  float64
	labels labels
}

// labels are the labels of a series, in order of name. Samples of many pages,
// and scrapes, share them.
type labels []*dto.LabelPair

// labelsOf makes the labels of a metric from their values.
func labelsOf(of id, values ...string) labels { return prometheus.MakeLabelPairs(descs()[of], values) }

// value returns the value of a label.
func (l labels) value(name string) string {
	for _, pair := range l {
		if pair.GetName() == name {
			return pair.GetValue()
		}
	}
	return ""
}

// Desc implements prometheus.Metric.
func (s *sample) Desc() *prometheus.Desc { return descs()[s.id] }

// Write implements prometheus.Metric.
func (s *sample) Write(out *dto.Metric) error {
	out.Label = s.labels
	if table[s.id].Type == Counter {
		out.Counter = &dto.Counter{Value: &s.value}
	} else {
		out.Gauge = &dto.Gauge{Value: &s.value}
	}
	return nil
}

// descs are the descriptions of all metrics.
var descs = sync.OnceValue(func() *[metricCount]*prometheus.Desc {
	var all [metricCount]*prometheus.Desc
	for i := range table {
		all[i] = prometheus.NewDesc(table[i].Name, table[i].Help, table[i].Labels, nil)
	}
	return &all
})
