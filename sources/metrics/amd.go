package metrics

import (
	"strings"

	"github.com/traintop/traintop/train"
)

// amd is ROCm's device-metrics-exporter 1.3 and 1.4
// (docs/configuration/metricslist.md). The operator may configure a prefix of all
// names (MetricsFieldPrefix).
var amd = exporter{
	source:  train.FromExporter,
	broad:   true,
	belongs: func(name string) bool { return amdField(name) != "" },
	measure: func(name string) *measure { return listed(amdFields)(amdField(name)) },
	device: func(t *tags) bool {
		// others name metrics gpu_ too: the label card identifies AMD's
		if t.index == "" || strings.Trim(t.index, "0123456789") != "" || t.card == "" && t.partition == "" && t.partitions == "" {
			return false
		}
		switch strings.ToLower(t.partitions) {
		case "", "spx", "none", "na", "n/a":
		default: // dpx, qpx, cpx: a board split into partitions
			t.profile, t.mig = strings.ToLower(t.partitions), t.partition
		}
		return true
	},
}

// amdField returns a name without the prefix before "gpu_", "" if it has no "gpu_".
func amdField(name string) string {
	if strings.HasPrefix(name, "gpu_") {
		return name
	}
	before, field, found := strings.Cut(name, "_gpu_")
	if !found || strings.ContainsAny(before, ":") || len(before) > 32 {
		return ""
	}
	if _, known := amdFields["gpu_"+field]; !known {
		return ""
	}
	return "gpu_" + field
}

// A 0 of power or temperature means not reported: several boards report 0, and so
// do all partitions but the first.
var amdFields = map[string]measure{
	"gpu_gfx_activity":          {quantity: train.GPUUtilization},
	"gpu_umc_activity":          {quantity: train.GPUMemoryCopy},
	"gpu_used_vram":             {quantity: train.GPUMemoryUsed},
	"gpu_total_vram":            {quantity: train.GPUMemoryTotal, zeroUnknown: true},
	"gpu_free_vram":             {quantity: memoryFree},
	"gpu_junction_temperature":  {quantity: train.GPUTemperature, zeroUnknown: true, greatest: true},
	"gpu_edge_temperature":      {quantity: train.GPUTemperature, zeroUnknown: true, greatest: true},
	"gpu_memory_temperature":    {quantity: train.GPUMemoryTemp, zeroUnknown: true},
	"gpu_package_power":         {quantity: train.GPUPower, zeroUnknown: true, greatest: true},
	"gpu_average_package_power": {quantity: train.GPUPower, zeroUnknown: true, greatest: true},
	"gpu_power_usage":           {quantity: train.GPUPower, zeroUnknown: true, greatest: true},
	"gpu_energy_consumed":       {quantity: train.GPUEnergy, scale: 1e-6},
	"gpu_clock":                 {quantity: train.GPUSMClock, greatest: true, only: func(t *tags) bool { return t.kind == "system" }},
	"gpu_health":                {quantity: train.GPUHealthy},
	"gpu_ecc_uncorrect_total":   {quantity: train.GPUECCUncorrected},
	"gpu_ecc_correct_total":     {quantity: train.GPUECCCorrected},
	"gpu_prof_sm_active":        {quantity: train.GPUSMActive, scale: 1.0 / percent},
	// a percentage, according to its name
	"gpu_prof_tensor_active_percent": {quantity: train.GPUTensorActive, scale: 1.0 / percent},
	"gpu_pcie_replay_count":          {quantity: train.GPUPCIeReplays},
}
