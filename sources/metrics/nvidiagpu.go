package metrics

import (
	"strings"

	"github.com/traintop/traintop/train"
)

// nvidiaGPU is mindprince's nvidia_gpu_prometheus_exporter and its descendants
// (main.go: minor_number, uuid and name; Princeton's adds ordinal). Its duty cycle is
// a percentage.
var nvidiaGPU = exporter{
	source:  train.FromExporter,
	belongs: prefixed("nvidia_gpu_"),
	measure: listed(nvidiaGPUFields),
	apart:   true,
	device: func(t *tags) bool {
		if t.ordinal != "" {
			t.index = t.ordinal // the index of NVML; the minor number may be another
		}
		if t.exported.pod != "" && t.index != "" { // k8s-gpu-exporter: what one pod uses
			t.share = strings.Trim(t.exported.namespace+"/"+t.exported.pod, "/")
		}
		return t.index != "" && t.uuid != ""
	},
}

var nvidiaGPUFields = map[string]measure{
	"nvidia_gpu_duty_cycle":             {quantity: train.GPUUtilization},
	"nvidia_gpu_memory_used_bytes":      {quantity: train.GPUMemoryUsed, scale: mib},
	"nvidia_gpu_memory_total_bytes":     {quantity: train.GPUMemoryTotal, scale: mib, zeroUnknown: true},
	"nvidia_gpu_used_memory":            {quantity: train.GPUMemoryUsed, scale: mib},
	"nvidia_gpu_temperature_celsius":    {quantity: train.GPUTemperature},
	"nvidia_gpu_power_usage_milliwatts": {quantity: train.GPUPower, scale: milli},
}
