package metrics

import "github.com/traintop/traintop/train"

// neuron is AWS's neuron-monitor-prometheus.py 2.x: a sample for each core and for
// each process that runs on it.
var neuron = exporter{
	source:  train.FromExporter,
	belongs: prefixed("neuroncore_", "neuron_"),
	measure: listed(map[string]measure{
		"neuroncore_utilization_ratio": {quantity: train.GPUUtilization, scale: percent, greatest: true},
	}),
	device: func(t *tags) bool { return t.index != "" },
}
