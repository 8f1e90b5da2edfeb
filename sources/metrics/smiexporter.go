package metrics

import (
	"strings"

	"github.com/traintop/traintop/sources/metrics/tools"
	"github.com/traintop/traintop/train"
)

// smiExporter is utkuozdemir/nvidia_gpu_exporter 1.x: the fields of nvidia-smi --query-gpu with _
// instead of dots, and their base unit at the end. Its UUIDs lack "GPU-". Scripts that
// write its names may have an index instead.
var smiExporter = exporter{
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

// smiUnderscored are tools.SMIFields with _ instead of dots, and the elements of nvidia-smi -q -x
// that a0s/nvidia-smi-exporter names so (its README).
var smiUnderscored = func() map[string]measure {
	all := underscored(tools.SMIFields)
	for name, q := range map[string]train.Quantity{
		"fb_memory_usage_used": train.GPUMemoryUsed, "fb_memory_usage_total": train.GPUMemoryTotal, "utilization_gpu_util": train.GPUUtilization,
		"utilization_memory_util": train.GPUMemoryCopy, "temperature_gpu_temp": train.GPUTemperature, "power_readings_power_draw": train.GPUPower,
		"power_readings_enforced_power_limit": train.GPUPowerLimit, "clocks_sm": train.GPUSMClock,
	} {
		all[name] = measure{quantity: q}
	}
	return all
}()

func underscored(fields map[string]train.Quantity) map[string]measure {
	all := make(map[string]measure, len(fields))
	for name, q := range fields {
		all[strings.ReplaceAll(name, ".", "_")] = measure{quantity: q}
	}
	return all
}
