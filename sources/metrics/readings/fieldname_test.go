package readings

import (
	"testing"

	"github.com/traintop/traintop/train"
)

func TestParseField(t *testing.T) {
	measured := func(q train.Quantity, unit Unit) Field { return Field{Role: Measured, Quantity: q, Unit: unit} }
	for name, want := range map[string]Field{
		"gpu_temp_celsius":                      measured(train.GPUTemperature, PlainUnit),
		"GPU Core Temperature (Celsius Degree)": measured(train.GPUTemperature, PlainUnit),
		"DCU%":                                  measured(train.GPUUtilization, Percent),
		"AICore(%)":                             measured(train.GPUUtilization, Percent),
		"gpuUtil":                               measured(train.GPUUtilization, NoUnit),
		"memused":                               measured(train.GPUMemoryUsed, NoUnit),
		"HBM-Usage(MB)":                         measured(train.GPUMemoryUsed, MiB),
		"GPU Memory Used (MiB)":                 measured(train.GPUMemoryUsed, MiB),
		"tpu_hbm_memory_usage_bytes":            measured(train.GPUMemoryUsed, Bytes),
		"Memory Total":                          measured(train.GPUMemoryTotal, NoUnit),
		"AvgPwr":                                measured(train.GPUPower, NoUnit),
		"habana_hl_power_watts":                 measured(train.GPUPower, PlainUnit),
		"gpu_power_mw":                          measured(train.GPUPower, MilliWatts),
		"PwrCap":                                measured(train.GPUPowerLimit, NoUnit),
		"node_gpu_temp_c":                       measured(train.GPUTemperature, PlainUnit),
		"VRAM":                                  {Role: MemoryPair},
		"memory_free_mb":                        {Role: FreeMemory, Unit: MiB},
		"NPU ID":                                {Role: IndexOf},
		"minor_number":                          {Role: IndexOf},
		"#":                                     {Role: IndexOf},
		"deviceName":                            {Role: ModelOf},
		"gpu_uuid":                              {Role: UUIDOf},
		"Bus-Id":                                {Role: BusOf},
		"hostname":                              {Role: HostOf},

		"VRAM%":                        {},
		"sm":                           {},
		"gpu_cache_usage_perc":         {},
		"system_memory_used":           {},
		"container_gpu_memory_total":   {},
		"gpu_process_memory_bytes":     {},
		"node_memory_MemTotal_bytes":   {},
		"gpu_memory_fragments_bytes":   {},
		"gpu_memory_used_mb_bytes":     {},
		"gpu_utilization_celsius":      {},
		"temperature slowdown":         {},
		"CPU Usage":                    {},
		"kv_cache_memory_used_percent": {},
	} {
		got := ParseField(name)
		if got.Role != want.Role || want.Role != NoRole && (got.Quantity != want.Quantity || got.Unit != want.Unit) {
			t.Errorf("%q: %+v, want %+v", name, got, want)
		}
	}
}
