package metrics

import "github.com/traintop/traintop/train"

// npu is Huawei's npu-exporter, 3.0 to 7.0: the page in MindCluster's documentation and
// npu_collector.go. Its DDR (total_memory) is not the memory of the device where there
// is HBM.
var npu = exporter{
	source:  train.FromExporter,
	belongs: func(name string) bool { return listed(npuFields)(name) != nil },
	measure: listed(npuFields),
	device: func(t *tags) bool {
		if t.index == "" {
			t.index = t.id
		}
		return t.process == "" && t.index != ""
	},
}

var npuFields = map[string]measure{
	"npu_chip_info_utilization":         {quantity: train.GPUUtilization},
	"npu_chip_info_hbm_used_memory":     {quantity: train.GPUMemoryUsed},
	"npu_chip_info_hbm_total_memory":    {quantity: train.GPUMemoryTotal, zeroUnknown: true},
	"npu_chip_info_used_memory":         {quantity: boardUsed},
	"npu_chip_info_total_memory":        {quantity: boardTotal},
	"npu_chip_info_temperature":         {quantity: train.GPUTemperature},
	"npu_chip_info_hbm_temperature":     {quantity: train.GPUMemoryTemp},
	"npu_chip_info_power":               {quantity: train.GPUPower},
	"npu_chip_info_aicore_current_freq": {quantity: train.GPUSMClock},
}
