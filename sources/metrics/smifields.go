package metrics

import (
	"strings"

	"github.com/traintop/traintop/train"
)

// smiFields are the names of nvidia-smi --query-gpu, from driver 450 to 610
// (nvidia-smi --help-query-gpu), and hl-smi 1.19's own. The unit is that of the
// quantity.
var smiFields = map[string]measure{
	"utilization.gpu": {quantity: train.GPUUtilization}, "utilization.aip": {quantity: train.GPUUtilization},
	"utilization.memory": {quantity: train.GPUMemoryCopy},
	"memory.used":        {quantity: train.GPUMemoryUsed}, "memory.total": {quantity: train.GPUMemoryTotal},
	"memory.free": {quantity: memoryFree}, "memory.reserved": {quantity: memoryReserved},
	"temperature.gpu": {quantity: train.GPUTemperature}, "temperature.aip": {quantity: train.GPUTemperature},
	"temperature.memory":   {quantity: train.GPUMemoryTemp},
	"power.draw":           {quantity: train.GPUPower},
	"power.limit":          {quantity: train.GPUPowerLimit},
	"enforced.power.limit": {quantity: train.GPUPowerLimit},
	"clocks.sm":            {quantity: train.GPUSMClock}, "clocks.current.sm": {quantity: train.GPUSMClock},
	"clocks.current.soc": {quantity: train.GPUSMClock},
	"clocks.max.sm":      {quantity: train.GPUMaxSMClock},
	"clocks.mem":         {quantity: train.GPUMemoryClock}, "clocks.current.memory": {quantity: train.GPUMemoryClock},
	"clocks_event_reasons.active":           {quantity: train.GPUThrottle},
	"clocks_throttle_reasons.active":        {quantity: train.GPUThrottle},
	"ecc.errors.corrected.volatile.total":   {quantity: train.GPUECCCorrected},
	"ecc.errors.uncorrected.volatile.total": {quantity: train.GPUECCUncorrected},
	"remapped_rows.uncorrectable":           {quantity: train.GPURowsRemapped},
	"remapped_rows.pending":                 {quantity: train.GPURemapPending},
	"remapped_rows.failure":                 {quantity: train.GPURemapFailed},
}

// smiExporter is utkuozdemir/nvidia_gpu_exporter 1.x: the fields above with _
// instead of dots, and their base unit at the end. Its UUIDs lack "GPU-". Scripts that
// write its names may have an index instead.
var smiExporter = family{
	source:  train.FromSMIExporter,
	belongs: prefixed("nvidia_smi_"),
	measure: smiExporterMeasure,
	keyless: true,
	device: func(t *tags) bool {
		if t.uuid == "" && t.index == "" || t.process != "" {
			return false
		}
		if t.uuid != "" && !strings.HasPrefix(t.uuid, "GPU-") && !strings.HasPrefix(t.uuid, "MIG-") {
			t.uuid = "GPU-" + t.uuid
		}
		return true
	},
}

func smiExporterMeasure(name string) *measure {
	field := strings.TrimPrefix(name, "nvidia_smi_")
	for _, unit := range [...]struct {
		suffix string
		scale  float64
	}{{"_clock_hz", 1e-6}, {"_hz", 1e-6}, {"_bytes", mib}, {"_ratio", percent}, {"_watts", 1}, {"_celsius", 1}, {"", 1}} {
		plain, found := strings.CutSuffix(field, unit.suffix)
		if !found {
			continue
		}
		if m, known := smiUnderscored[plain]; known {
			m.scale = unit.scale
			return &m
		}
	}
	return nil
}

// smiUnderscored are smiFields with _ instead of dots.
var smiUnderscored = underscored(smiFields)

func underscored(fields map[string]measure) map[string]measure {
	all := make(map[string]measure, len(fields))
	for name, m := range fields {
		all[strings.ReplaceAll(name, ".", "_")] = m
	}
	return all
}
