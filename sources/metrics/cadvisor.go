package metrics

import "github.com/traintop/traintop/train"

// cadvisor is the GPU metrics of the kubelet's cAdvisor until Kubernetes 1.24.
var cadvisor = exporter{
	source:  train.FromExporter,
	belongs: prefixed("container_accelerator_"),
	measure: listed(map[string]measure{
		"container_accelerator_duty_cycle":         {quantity: train.GPUUtilization},
		"container_accelerator_memory_used_bytes":  {quantity: train.GPUMemoryUsed, scale: mib},
		"container_accelerator_memory_total_bytes": {quantity: train.GPUMemoryTotal, scale: mib},
	}),
	device: func(t *tags) bool { return t.uuid != "" },
}
