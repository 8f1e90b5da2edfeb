package metrics

import (
	"strings"

	"github.com/traintop/traintop/train"
)

// iluvatar is Iluvatar's ix-exporter 3 and 4 (etc/metrics.yaml, its readme): MiB, W, %.
var iluvatar = exporter{
	source:  train.FromExporter,
	belongs: prefixed("ix_"),
	measure: listed(map[string]measure{
		"ix_gpu_utilization":     {quantity: train.GPUUtilization},
		"ix_mem_used":            {quantity: train.GPUMemoryUsed},
		"ix_mem_total":           {quantity: train.GPUMemoryTotal, zeroUnknown: true},
		"ix_temperature":         {quantity: train.GPUTemperature},
		"ix_power_usage":         {quantity: train.GPUPower},
		"ix_sm_clock":            {quantity: train.GPUSMClock},
		"ix_mem_clock":           {quantity: train.GPUMemoryClock},
		"ix_xid_errors":          {quantity: train.GPUXid},
		"ix_pcie_replay_counter": {quantity: train.GPUPCIeReplays},
	}),
	device: func(t *tags) bool { return t.process == "" && (t.index != "" || t.uuid != "") },
}

// enflame is Enflame's gcu-exporter 1.7 (its manual). power_usage is a share of the
// limit, and a cluster or pg a part of a device.
var enflame = exporter{
	source:  train.FromExporter,
	belongs: prefixed("enflame_gcu_"),
	measure: listed(map[string]measure{
		"enflame_gcu_usage":              {quantity: train.GPUUtilization},
		"enflame_gcu_memory_used_bytes":  {quantity: train.GPUMemoryUsed, scale: mib},
		"enflame_gcu_memory_total_bytes": {quantity: train.GPUMemoryTotal, scale: mib, zeroUnknown: true},
		"enflame_gcu_temperatures":       {quantity: train.GPUTemperature},
		"enflame_gcu_power_consumption":  {quantity: train.GPUPower},
		"enflame_gcu_power_capability":   {quantity: train.GPUPowerLimit},
		"enflame_gcu_clock":              {quantity: train.GPUSMClock},
	}),
}

// hygon is Hygon's dcu-exporter 2 (its manual; HAMi-WebUI's queries): bytes, W, %.
var hygon = exporter{
	source:  train.FromExporter,
	belongs: prefixed("dcu_"),
	measure: listed(map[string]measure{
		"dcu_utilizationrate":  {quantity: train.GPUUtilization},
		"dcu_usedmemory_bytes": {quantity: train.GPUMemoryUsed, scale: mib},
		"dcu_memorycap_bytes":  {quantity: train.GPUMemoryTotal, scale: mib, zeroUnknown: true},
		"dcu_temp":             {quantity: train.GPUTemperature},
		"dcu_power_usage":      {quantity: train.GPUPower},
	}),
}

// cambricon is Cambricon's mlu-exporter (the queries of KubeSphere's rules and of
// HAMi-WebUI 1.1): bytes, W, %. A sample with a vf is of a part of a card.
var cambricon = exporter{
	source:  train.FromExporter,
	belongs: prefixed("mlu_"),
	measure: listed(map[string]measure{
		"mlu_utilization":        {quantity: train.GPUUtilization},
		"mlu_memory_used":        {quantity: train.GPUMemoryUsed, scale: mib},
		"mlu_memory_total":       {quantity: train.GPUMemoryTotal, scale: mib, zeroUnknown: true},
		"mlu_temperature":        {quantity: train.GPUTemperature},
		"mlu_memory_temperature": {quantity: train.GPUMemoryTemp},
		"mlu_power_usage":        {quantity: train.GPUPower},
	}),
	device: func(t *tags) bool { return t.share == "" && (t.index != "" || t.uuid != "") },
}

// triton is NVIDIA's inference server 1.x and 2.x (docs/user_guide/metrics.md), which knows a
// GPU by its UUID alone. Its utilization is a share of 1.
var triton = exporter{
	source:  train.FromExporter,
	belongs: prefixed("nv_gpu_", "nv_energy_consumption"),
	measure: listed(map[string]measure{
		"nv_gpu_utilization":        {quantity: train.GPUUtilization, scale: percent},
		"nv_gpu_memory_used_bytes":  {quantity: train.GPUMemoryUsed, scale: mib},
		"nv_gpu_memory_total_bytes": {quantity: train.GPUMemoryTotal, scale: mib, zeroUnknown: true},
		"nv_gpu_power_usage":        {quantity: train.GPUPower},
		"nv_gpu_power_limit":        {quantity: train.GPUPowerLimit},
		"nv_energy_consumption":     {quantity: train.GPUEnergy},
	}),
	device: func(t *tags) bool { return t.uuid != "" },
}

// drm is node_exporter 1.2 to 1.10 with --collector.drm (collector/drm_linux.go), which
// names a card and no more. A card without memory of its own has a size of 0.
var drm = exporter{
	source:  train.FromExporter,
	belongs: prefixed("node_drm_gpu_", "node_drm_memory_vram_"),
	measure: listed(map[string]measure{
		"node_drm_gpu_busy_percent":       {quantity: train.GPUUtilization},
		"node_drm_memory_vram_used_bytes": {quantity: train.GPUMemoryUsed, scale: mib},
		"node_drm_memory_vram_size_bytes": {quantity: train.GPUMemoryTotal, scale: mib, zeroUnknown: true},
	}),
	device: func(t *tags) bool { return t.card != "" && t.uuid == "" },
}

// metax is MetaX's mx-exporter 0.x (the names and labels of its manual; HAMi-WebUI's queries, t9k's
// dashboards: KiB). Its memory is that of the GPU where type is vram.
var metax = exporter{
	source:  train.FromExporter,
	belongs: prefixed("mx_"),
	measure: listed(map[string]measure{
		"mx_gpu_usage":         {quantity: train.GPUUtilization},
		"mx_memory_used":       {quantity: train.GPUMemoryUsed, scale: kib, only: wholeOr("vram")},
		"mx_memory_total":      {quantity: train.GPUMemoryTotal, scale: kib, zeroUnknown: true, only: wholeOr("vram")},
		"mx_chip_hotspot_temp": {quantity: train.GPUTemperature},
	}),
	device: func(t *tags) bool { return t.process == "" && (t.index != "" || t.uuid != "") },
}

// rebellions is rbln-metrics-exporter 2 (its README): GiB, W, %. A device is named rbln0.
var rebellions = exporter{
	source:  train.FromExporter,
	belongs: prefixed("RBLN_DEVICE_STATUS:"),
	measure: listed(map[string]measure{
		"RBLN_DEVICE_STATUS:UTILIZATION": {quantity: train.GPUUtilization},
		"RBLN_DEVICE_STATUS:DRAM_USED":   {quantity: train.GPUMemoryUsed, scale: 1 << 10},
		"RBLN_DEVICE_STATUS:DRAM_TOTAL":  {quantity: train.GPUMemoryTotal, scale: 1 << 10, zeroUnknown: true},
		"RBLN_DEVICE_STATUS:TEMPERATURE": {quantity: train.GPUTemperature},
		"RBLN_DEVICE_STATUS:CARD_POWER":  {quantity: train.GPUPower},
	}),
	device: func(t *tags) bool {
		number, is := strings.CutPrefix(t.model, "rbln")
		if is {
			t.index, t.model = number, t.card
		}
		return is
	},
}
