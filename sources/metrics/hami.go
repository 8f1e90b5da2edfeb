package metrics

import (
	"strings"

	"github.com/traintop/traintop/train"
)

// hami is the monitor of HAMi, which shares one GPU between containers: HAMi 2.2 to
// 2.10 and Volcano's vGPU device plugin, which has the same monitor
// (cmd/vGPUmonitor/metrics.go). It writes the use of a GPU with its index, and the
// use of each container by the UUID of the GPU alone. HAMi's scheduler
// (cmd/scheduler/metrics.go) writes the size of each GPU and what it gave to each pod.
var hami = exporter{
	source: train.FromExporter,
	belongs: func(name string) bool {
		_, known := hamiFields[name]
		return known
	},
	measure: listed(hamiFields),
	device:  hamiDevice,
	keyless: true,
}

// hamiFields are the names until 2.9 and, beginning with "hami_", those from 2.10 on.
// A ratio is 0 to 100, as the help of the metrics says.
var hamiFields = map[string]measure{
	"HostCoreUtilization":                     {quantity: train.GPUUtilization},
	"hami_host_gpu_utilization_ratio":         {quantity: train.GPUUtilization},
	"Device_utilization_desc_of_container":    {quantity: train.GPUUtilization},
	"hami_container_device_utilization_ratio": {quantity: train.GPUUtilization},

	"HostGPUMemoryUsage":                 {quantity: train.GPUMemoryUsed, scale: mib, orMiB: true},
	"hami_host_gpu_memory_used_bytes":    {quantity: train.GPUMemoryUsed, scale: mib},
	"vGPU_device_memory_usage_in_bytes":  {quantity: train.GPUMemoryUsed, scale: mib},
	"hami_vgpu_memory_used_bytes":        {quantity: train.GPUMemoryUsed, scale: mib},
	"Device_memory_desc_of_container":    {quantity: train.GPUMemoryUsed, scale: mib}, // the same number, with its parts as labels
	"hami_container_device_memory_bytes": {quantity: train.GPUMemoryUsed, scale: mib},

	"vGPU_device_memory_limit_in_bytes": {quantity: train.GPUMemoryTotal, scale: mib, zeroUnknown: true},
	"hami_vgpu_memory_limit_bytes":      {quantity: train.GPUMemoryTotal, scale: mib, zeroUnknown: true},

	// Of the scheduler, and of the monitor of HAMi's DRA driver, which writes MiB.
	"GPUDeviceMemoryLimit":             {quantity: train.GPUMemoryTotal, scale: mib, orMiB: true, zeroUnknown: true},
	"hami_gpu_memory_limit_bytes":      {quantity: train.GPUMemoryTotal, scale: mib, zeroUnknown: true},
	"vGPUMemoryAllocated":              {quantity: train.GPUMemoryTotal, scale: mib, orMiB: true, zeroUnknown: true},
	"vGPUDeviceMemoryAllocated":        {quantity: train.GPUMemoryTotal, scale: mib, orMiB: true, zeroUnknown: true},
	"hami_vgpu_memory_allocated_bytes": {quantity: train.GPUMemoryTotal, scale: mib, zeroUnknown: true},

	"hami_host_gpu_memory_controller_utilization_ratio": {quantity: train.GPUMemoryCopy},
}

// hamiDevice: a sample with an index is of a whole GPU, and a pod beside it is the
// one that was scraped; podname is that of a share. The others are of the share that a
// container holds.
func hamiDevice(t *tags) bool {
	if t.uuid == "" {
		return false
	}
	if t.index != "" && t.exported.pod == "" {
		t.namespace, t.pod, t.container = "", "", ""
		t.exported, t.hasExported = holder{}, false
		return true
	}
	h := t.holder()
	t.share = strings.Trim(h.namespace+"/"+h.pod, "/")
	return h.pod != ""
}

// gpuManager is tkestack/gpu-manager 1.0 and 1.1 (pkg/services/display), which shares
// one GPU between containers: what each container uses of each GPU, "gpu0", and of all,
// "total". The label of the memory's GPU is gpu_memory.
var gpuManager = exporter{
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
