package tools

import "github.com/traintop/traintop/train"

// Quantities from which others are computed.
const (
	memoryFree     = train.Quantities + iota // MiB
	memoryReserved                           // MiB
)

// SMIFields are the names of nvidia-smi --query-gpu, from driver 450 to 610
// (nvidia-smi --help-query-gpu), and hl-smi 1.19's own. The unit is that of the
// quantity.
var SMIFields = map[string]train.Quantity{
	"utilization.gpu": train.GPUUtilization, "utilization.aip": train.GPUUtilization,
	"utilization.memory": train.GPUMemoryCopy,
	"memory.used":        train.GPUMemoryUsed, "memory.total": train.GPUMemoryTotal,
	"memory.free": memoryFree, "memory.reserved": memoryReserved,
	"temperature.gpu": train.GPUTemperature, "temperature.aip": train.GPUTemperature,
	"temperature.memory":   train.GPUMemoryTemp,
	"power.draw":           train.GPUPower,
	"power.limit":          train.GPUPowerLimit,
	"enforced.power.limit": train.GPUPowerLimit,
	"clocks.sm":            train.GPUSMClock, "clocks.current.sm": train.GPUSMClock,
	"clocks.current.soc": train.GPUSMClock,
	"clocks.max.sm":      train.GPUMaxSMClock,
	"clocks.mem":         train.GPUMemoryClock, "clocks.current.memory": train.GPUMemoryClock,
	"clocks_event_reasons.active":           train.GPUThrottle,
	"clocks_throttle_reasons.active":        train.GPUThrottle,
	"ecc.errors.corrected.volatile.total":   train.GPUECCCorrected,
	"ecc.errors.uncorrected.volatile.total": train.GPUECCUncorrected,
	"remapped_rows.uncorrectable":           train.GPURowsRemapped,
	"remapped_rows.pending":                 train.GPURemapPending,
	"remapped_rows.failure":                 train.GPURemapFailed,
}
