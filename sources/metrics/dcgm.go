package metrics

import (
	"strconv"
	"strings"
	"time"

	"github.com/traintop/traintop/train"
)

// dcgm is NVIDIA's dcgm-exporter, 1.x (as gpu-monitoring-tools) to 4.8.
var dcgm = exporter{
	source:  train.FromDCGM,
	belongs: prefixed("DCGM_FI_", "DCGM_EXP_", "dcgm_"),
	measure: dcgmMeasure,
	device: func(t *tags) bool {
		return t.foreign == "" && t.process == "" && (t.index != "" || t.uuid != "")
	},
	event: dcgmEvent,
}

func dcgmMeasure(name string) *measure {
	name = strings.Replace(name, "DCGM_FI_K8S_", "DCGM_FI_DEV_", 1) // tkestack's gpu-exporter: for each container
	field, found := strings.CutPrefix(name, "DCGM_FI_DEV_")
	if !found {
		if field, found = strings.CutPrefix(name, "DCGM_FI_"); !found {
			field = strings.ToUpper(strings.TrimPrefix(name, "dcgm_"))
			field = strings.TrimPrefix(strings.TrimPrefix(field, "FI_DEV_"), "FI_")
		}
	}
	if m, known := dcgmFields[field]; known {
		return &m
	}
	return nil
}

// dcgmFields are names without their DCGM_FI_ or DCGM_FI_DEV_, and in capitals
// (1.x wrote dcgm_gpu_temp; some write dcgm_fi_dev_gpu_temp). Sources:
// etc/default-counters.csv and etc/1.x-compatibility-metrics.csv of dcgm-exporter
// 4.8, and the names that dcgm_fields.h gives the same fields from DCGM 4.6 on.
var dcgmFields = map[string]measure{
	"GPU_UTIL":        {quantity: train.GPUUtilization},
	"GPU_UTILIZATION": {quantity: train.GPUUtilization},
	// A percentage in field 203 of DCGM 4.6, a share of 1 in field 1613 of 4.7.
	"GPU_UTIL_RATIO":       {quantity: train.GPUUtilization, share: true},
	"MEM_COPY_UTIL":        {quantity: train.GPUMemoryCopy},
	"MEM_COPY_UTILIZATION": {quantity: train.GPUMemoryCopy},

	"FB_USED":     {quantity: train.GPUMemoryUsed},
	"FB_TOTAL":    {quantity: train.GPUMemoryTotal},
	"FB_FREE":     {quantity: memoryFree},
	"FB_RESERVED": {quantity: memoryReserved},

	"GPU_TEMP": {quantity: train.GPUTemperature}, "GPU_TEMP_CELSIUS": {quantity: train.GPUTemperature},
	"MEMORY_TEMP": {quantity: train.GPUMemoryTemp}, "MEMORY_TEMP_CELSIUS": {quantity: train.GPUMemoryTemp},
	"POWER_USAGE": {quantity: train.GPUPower}, "BOARD_POWER_WATTS": {quantity: train.GPUPower},
	"POWER_MGMT_LIMIT": {quantity: train.GPUPowerLimit}, "BOARD_POWER_LIMIT_REQUESTED_WATTS": {quantity: train.GPUPowerLimit},
	"ENFORCED_POWER_LIMIT": {quantity: train.GPUPowerLimit}, "BOARD_POWER_LIMIT_ENFORCED_WATTS": {quantity: train.GPUPowerLimit},
	"TOTAL_ENERGY_CONSUMPTION": {quantity: train.GPUEnergy, scale: milli}, "GPU_ENERGY_JOULES_TOTAL": {quantity: train.GPUEnergy},
	"SM_CLOCK": {quantity: train.GPUSMClock}, "MAX_SM_CLOCK": {quantity: train.GPUMaxSMClock},
	"MEM_CLOCK": {quantity: train.GPUMemoryClock}, "MEMORY_CLOCK": {quantity: train.GPUMemoryClock},

	"PROF_GR_ENGINE_ACTIVE": {quantity: train.GPUGraphics}, "PROF_GR_ENGINE_UTIL_RATIO": {quantity: train.GPUGraphics},
	"PROF_SM_ACTIVE": {quantity: train.GPUSMActive}, "PROF_SM_UTIL_RATIO": {quantity: train.GPUSMActive},
	"PROF_SM_OCCUPANCY": {quantity: train.GPUSMOccupancy}, "PROF_SM_OCCUPANCY_RATIO": {quantity: train.GPUSMOccupancy},
	"PROF_PIPE_TENSOR_ACTIVE": {quantity: train.GPUTensorActive}, "PROF_TENSOR_UTIL_RATIO": {quantity: train.GPUTensorActive},
	"PROF_DRAM_ACTIVE": {quantity: train.GPUDRAMActive}, "PROF_DRAM_UTIL_RATIO": {quantity: train.GPUDRAMActive},
	"PROF_PCIE_TX_BYTES": {quantity: train.GPUPCIeSent}, "PROF_PCIE_RX_BYTES": {quantity: train.GPUPCIeReceived},
	"PROF_NVLINK_TX_BYTES": {quantity: train.GPUNVLinkSent}, "PROF_NVLINK_RX_BYTES": {quantity: train.GPUNVLinkReceived},

	"NVLINK_BANDWIDTH_TOTAL": {quantity: train.GPUNVLinkTraffic, only: wholeGPU}, "NVLINK_THROUGHPUT_TOTAL": {quantity: train.GPUNVLinkTraffic, only: wholeGPU},
	"NVLINK_REPLAY_ERROR_COUNT_TOTAL":   {quantity: train.GPUNVLinkErrors, greatest: true, only: wholeGPU},
	"NVLINK_RECOVERY_ERROR_COUNT_TOTAL": {quantity: train.GPUNVLinkErrors, greatest: true, only: wholeGPU},
	"NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL": {quantity: train.GPUNVLinkErrors, greatest: true, only: wholeGPU},
	"NVLINK_CRC_DATA_ERROR_COUNT_TOTAL": {quantity: train.GPUNVLinkErrors, greatest: true, only: wholeGPU},
	"NVLINK_REPLAY_ERROR_TOTAL":         {quantity: train.GPUNVLinkErrors, greatest: true, only: wholeGPU},
	"NVLINK_RECOVERY_ERROR_TOTAL":       {quantity: train.GPUNVLinkErrors, greatest: true, only: wholeGPU},
	"NVLINK_CRC_FLIT_ERROR_TOTAL":       {quantity: train.GPUNVLinkErrors, greatest: true, only: wholeGPU},
	"NVLINK_CRC_DATA_ERROR_TOTAL":       {quantity: train.GPUNVLinkErrors, greatest: true, only: wholeGPU},

	"XID_ERRORS": {quantity: train.GPUXid}, "XID_ERROR": {quantity: train.GPUXid},
	"CLOCKS_EVENT_REASONS": {quantity: train.GPUThrottle}, "CLOCK_THROTTLE_REASONS": {quantity: train.GPUThrottle},
	"POWER_VIOLATION": {quantity: train.GPUPowerThrottled, scale: nano}, "THERMAL_VIOLATION": {quantity: train.GPUHeatThrottled, scale: nano},
	"ECC_SBE_VOL_TOTAL": {quantity: train.GPUECCCorrected}, "ECC_DBE_VOL_TOTAL": {quantity: train.GPUECCUncorrected},
	"UNCORRECTABLE_REMAPPED_ROWS": {quantity: train.GPURowsRemapped}, "ROW_REMAP_UNCORRECTABLE_TOTAL": {quantity: train.GPURowsRemapped},
	"ROW_REMAP_PENDING": {quantity: train.GPURemapPending},
	"ROW_REMAP_FAILURE": {quantity: train.GPURemapFailed}, "ROW_REMAP_FAILED": {quantity: train.GPURemapFailed},
	"PCIE_REPLAY_COUNTER": {quantity: train.GPUPCIeReplays}, "PCIE_REPLAY_TOTAL": {quantity: train.GPUPCIeReplays},
}

// wholeGPU reports whether a sample is not of a single NVLink.
func wholeGPU(t *tags) bool { return t.link == "" }

// dcgmEvent reads the DCGM_EXP_ counters.
func dcgmEvent(name string, t *tags, value float64) (train.GPUEvent, bool) {
	e := train.GPUEvent{Count: value}
	if ms, err := strconv.ParseInt(t.window, 10, 32); err == nil {
		e.Window = time.Duration(ms) * time.Millisecond
	}
	switch name {
	case "DCGM_EXP_XID_ERRORS_COUNT":
		e.Kind, e.Name = "xid", t.xid
	case "DCGM_EXP_CLOCK_EVENTS_COUNT":
		e.Kind, e.Name = "clock", t.event
	case "DCGM_EXP_GPU_HEALTH_STATUS":
		e.Kind, e.Name = "health", t.part // PASS is 0
	}
	return e, e.Name != "" && value > 0
}
