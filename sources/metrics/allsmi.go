package metrics

import (
	"strings"

	"github.com/traintop/traintop/train"
)

// allSMI is the API mode of all-smi 0.9 to 0.20, which measures GPUs and NPUs of any
// maker (src/api/metrics/gpu.rs). Its label gpu is the name of the device, and
// instance the name of the machine; until 0.19 the others are uuid and index.
var allSMI = exporter{
	source:  train.FromExporter,
	belongs: prefixed("all_smi_gpu_"),
	measure: listed(allSMIFields),
	device: func(t *tags) bool {
		if t.uuid == "" || t.number == "" {
			return false
		}
		t.index = t.number
		if t.board != t.number {
			t.model = t.board
		}
		if !strings.Contains(t.target, ":") && t.host == "" { // an address is Prometheus' own instance
			t.host = t.target
		}
		return true
	},
}

var allSMIFields = map[string]measure{
	"all_smi_gpu_utilization":               {quantity: train.GPUUtilization},
	"all_smi_gpu_memory_used_bytes":         {quantity: train.GPUMemoryUsed, scale: mib},
	"all_smi_gpu_memory_total_bytes":        {quantity: train.GPUMemoryTotal, scale: mib, zeroUnknown: true},
	"all_smi_gpu_temperature_celsius":       {quantity: train.GPUTemperature},
	"all_smi_gpu_power_consumption_watts":   {quantity: train.GPUPower},
	"all_smi_gpu_power_limit_current_watts": {quantity: train.GPUPowerLimit},
	"all_smi_gpu_frequency_mhz":             {quantity: train.GPUSMClock},
	"all_smi_gpu_clock_graphics_max_mhz":    {quantity: train.GPUMaxSMClock},
}
