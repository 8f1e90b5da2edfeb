package metrics

import (
	"strings"

	"github.com/traintop/traintop/train"
)

// gpuManager is tkestack/gpu-manager 1.0 and 1.1 (pkg/services/display), which shares
// one GPU between containers: what each container uses of each GPU, "gpu0", and of all,
// "total". The label of the memory's GPU is gpu_memory.
var gpuManager = family{
	source: train.FromExporter,
	belongs: func(name string) bool {
		_, known := gpuManagerFields[name]
		return known
	},
	measure: listed(gpuManagerFields),
	device: func(t *tags) bool {
		number, is := strings.CutPrefix(t.board, "gpu")
		if !is || number == "" || t.pod == "" {
			return false
		}
		t.index = number
		t.share = strings.Trim(t.namespace+"/"+t.pod, "/")
		return true
	},
}

var gpuManagerFields = map[string]measure{
	"container_gpu_utilization":  {quantity: train.GPUUtilization},
	"container_gpu_memory_total": {quantity: train.GPUMemoryUsed},
}
