package metrics

import "github.com/traintop/traintop/train"

// xpum is Intel's XPU Manager 1.x (prometheus_exporter.py): ratios are 0..1. It
// reports a GPU and each of its tiles (sub_dev); only the GPU is read.
var xpum = exporter{
	source:  train.FromExporter,
	belongs: prefixed("xpum_"),
	measure: listed(map[string]measure{
		"xpum_engine_ratio":           {quantity: train.GPUUtilization, scale: percent},
		"xpum_memory_used_bytes":      {quantity: train.GPUMemoryUsed, scale: mib},
		"xpum_memory_bandwidth_ratio": {quantity: train.GPUMemoryCopy, scale: percent},
		"xpum_temperature_celsius":    {quantity: train.GPUTemperature, only: func(t *tags) bool { return t.place == "" || t.place == "gpu" }},
		"xpum_power_watts":            {quantity: train.GPUPower},
		"xpum_energy_joules":          {quantity: train.GPUEnergy},
		"xpum_energy_joules_total":    {quantity: train.GPUEnergy},
		"xpum_frequency_mhz":          {quantity: train.GPUSMClock, only: func(t *tags) bool { return t.kind == "" || t.kind == "actual" }},
		"xpum_engine_group_ratio":     {quantity: train.GPUSMActive, only: func(t *tags) bool { return t.kind == "compute" }},
	}),
	device: intelDevice,
}

// xpumd is Intel's XPU Manager 2.x, which uses OpenTelemetry's names for
// hardware (hw.gpu.utilization and so on).
var xpumd = exporter{
	source:  train.FromExporter,
	belongs: prefixed("hw_gpu_", "hw_memory_", "hw_temperature_", "hw_power_", "hw_energy_", "hw_frequency_"),
	measure: listed(map[string]measure{
		"hw_gpu_utilization_ratio": {quantity: train.GPUUtilization, scale: percent, only: wholeOr("all")},
		"hw_memory_usage_bytes":    {quantity: train.GPUMemoryUsed, scale: mib, only: deviceMemory},
		"hw_memory_size_bytes":     {quantity: train.GPUMemoryTotal, scale: mib, only: deviceMemory},
		"hw_temperature_celsius":   {quantity: train.GPUTemperature, greatest: true, only: func(t *tags) bool { return t.place == "" || t.place == "gpu" }},
		"hw_power_watts":           {quantity: train.GPUPower, greatest: true},
		"hw_energy_joules_total":   {quantity: train.GPUEnergy, greatest: true},
		"hw_frequency_hertz":       {quantity: train.GPUSMClock, scale: 1e-6, only: func(t *tags) bool { return t.place == "" || t.place == "gpu" }},
	}),
	device: func(t *tags) bool { return (t.bus != "" || t.uuid != "") && intelDevice(t) },
}

func wholeOr(kind string) func(*tags) bool {
	return func(t *tags) bool { return t.kind == "" || t.kind == kind }
}

func deviceMemory(t *tags) bool { return t.place == "" || t.place == "device" || t.place == "gpu" }

func intelDevice(t *tags) bool {
	if t.tile != "" {
		return false
	}
	t.offerIndex(2, t.bus)
	return t.index != "" || t.uuid != ""
}

// habana is Intel's Gaudi metric exporter (the public list of its names, 1.19).
var habana = exporter{
	source:  train.FromExporter,
	belongs: prefixed("habanalabs_"),
	measure: listed(map[string]measure{
		"habanalabs_utilization":                             {quantity: train.GPUUtilization},
		"habanalabs_memory_used_bytes":                       {quantity: train.GPUMemoryUsed, scale: mib},
		"habanalabs_memory_free_bytes":                       {quantity: memoryFree, scale: mib},
		"habanalabs_memory_total_bytes":                      {quantity: train.GPUMemoryTotal, scale: mib},
		"habanalabs_temperature_onchip":                      {quantity: train.GPUTemperature},
		"habanalabs_power_mW":                                {quantity: train.GPUPower, scale: milli},
		"habanalabs_power_default_limit_mW":                  {quantity: train.GPUPowerLimit, scale: milli},
		"habanalabs_clock_soc_mhz":                           {quantity: train.GPUSMClock},
		"habanalabs_clock_soc_max_mhz":                       {quantity: train.GPUMaxSMClock},
		"habanalabs_energy":                                  {quantity: train.GPUEnergy},
		"habanalabs_pcie_replay_count":                       {quantity: train.GPUPCIeReplays},
		"habanalabs_pending_rows_with_double_bit_ecc_errors": {quantity: train.GPUECCUncorrected},
		"habanalabs_pending_rows_with_single_bit_ecc_errors": {quantity: train.GPUECCCorrected},
		"habanalabs_pending_rows_state":                      {quantity: train.GPURemapPending},
	}),
}
