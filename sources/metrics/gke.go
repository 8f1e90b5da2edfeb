package metrics

import (
	"strings"

	"github.com/traintop/traintop/train"
)

// gke is the export of the TPU and GPU device plugins of Google Kubernetes Engine
// (tpu-device-plugin 1.35): a metric for each chip that a container holds, and as
// _node or _gpu_node for each chip of the node.
var gke = exporter{
	source: train.FromExporter,
	belongs: func(name string) bool {
		return gkeFields[gkeField(name)].quantity != 0 || gkeField(name) == "duty_cycle"
	},
	measure: func(name string) *measure { return listed(gkeFields)(gkeField(name)) },
	device: func(t *tags) bool {
		if t.maker == "" || t.index == "" {
			return false
		}
		if strings.HasPrefix(t.index, "GPU-") || strings.HasPrefix(t.index, "MIG-") {
			t.uuid, t.index = t.index, ""
		}
		return true
	},
}

func gkeField(name string) string {
	return strings.TrimSuffix(strings.TrimSuffix(name, "_node"), "_gpu")
}

var gkeFields = map[string]measure{
	"duty_cycle":                   {quantity: train.GPUUtilization},
	"memory_used":                  {quantity: train.GPUMemoryUsed, scale: mib},
	"memory_total":                 {quantity: train.GPUMemoryTotal, scale: mib},
	"tensorcore_utilization":       {quantity: train.GPUTensorActive, scale: 1.0 / percent},
	"memory_bandwidth_utilization": {quantity: train.GPUMemoryCopy},
}
