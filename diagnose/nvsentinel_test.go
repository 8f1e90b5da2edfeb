package diagnose

import (
	"testing"

	"github.com/traintop/traintop/train"
)

// Conditions and events of NVSentinel (docs/INTEGRATIONS.md, the tests of its
// platform-connectors, and pull request 1270 of 2026).
func TestNVSentinelTellsOfFaults(t *testing.T) {
	on := func(change ...func(*cluster)) func(*cluster) {
		return both(append([]func(*cluster){func(c *cluster) { c.job(1, runs); c.worker(0, running("gpu-0", 9)) }}, change...)...)
	}
	condition := func(check, state, reason, message string) func(*cluster) {
		return func(c *cluster) { c.node("gpu-0", 8, withAgentCondition(check, state, reason, message)) }
	}
	bad := func(check, message string) func(*cluster) {
		return condition(check, "True", check+"IsNotHealthy", message)
	}
	event := func(check, reason, message string, minutes float64) func(*cluster) {
		return func(c *cluster) {
			c.node("gpu-0", 8)
			c.event("Node", "gpu-0", check, reason, message, minutes)
		}
	}
	crashed := func(change func(*cluster)) func(*cluster) {
		return both(func(c *cluster) { c.job(1, runs); c.worker(0, crashing("gpu-0", 1, "Error", "", 3)) }, change)
	}
	const memory = "ErrorCode:DCGM_FR_FAULTY_MEMORY GPU:3 PCI:0000:9b:00.0 GPU_UUID:GPU-1 GPU memory failure detected Recommended Action=RESTART_VM;"
	runScenarios(t, []scenario{
		{name: "memory", want: "gpu-ecc-error", severity: train.SeverityWarning, title: "GpuMemWatch: GPU 3, DCGM_FR_FAULTY_MEMORY, GPU memory failure detected", says: "NVSentinel recommends RESTART_VM", build: on(bad("GpuMemWatch", memory))},
		{name: "memory of two", want: "gpu-ecc-error", title: "GPU 5", build: on(bad("GpuMemWatch", memory+"ErrorCode:DCGM_FR_FAULTY_MEMORY GPU:5 Recommended Action=RESTART_VM;"))},
		{name: "and a rank crashes", want: "gpu-ecc-error", severity: train.SeverityError, build: crashed(bad("GpuMemWatch", memory))},
		{name: "as its documentation writes it", want: "nvlink-error", title: "DCGM_FR_NVLINK_DOWN", build: on(condition("GpuNvlinkWatch", "True", "HardwareFailure", "[DCGM_FR_NVLINK_DOWN] NVLink is down on GPU 0 - RecommendedAction: COMPONENT_RESET"))},
		{name: "an Xid by its code", want: "gpu-xid-error", title: "Xid 119", build: on(bad("SysLogsXIDError", "ErrorCode:119 PCI:0002:00:00 GPU_UUID:GPU-2 kernel: [1.0] NVRM: Xid (PCI:0002:00:00): 119, pid=7, name=nvc, Timeout after 6s of waiting for RPC response from GPU1 GSP! Recommended Action=COMPONENT_RESET;"))},
		{name: "an Xid of memory", want: "gpu-ecc-error", title: "Xid 94", build: on(bad("SysLogsXIDError", "ErrorCode:94 PCI:0002:00:00 Recommended Action=CONTACT_SUPPORT;"))},
		{name: "off the bus", want: "gpu-fell-off-bus", build: on(bad("SysLogsGPUFallenOff", "ErrorCode:79 PCI:0002:00:00 Recommended Action=RESTART_BM;"))},
		{name: "a check that nobody lists", want: "gpu-xid-error", title: "GpuTensorWatch", says: "A check of NVSentinel", build: on(bad("GpuTensorWatch", "ErrorCode:DCGM_FR_X GPU:1 Recommended Action=NONE;"))},
		{name: "maintenance", want: "spot-interruption", says: "maintenance", build: on(bad("CSPMaintenance", "ErrorCode:SCHEDULED Recommended Action=NONE;"))},
		{name: "an event", want: "thermal-throttle", severity: train.SeverityInfo, title: "GPU 2", build: on(event("GpuThermalWatch", "GpuThermalWatchIsNotHealthy", "ErrorCode:DCGM_FR_CLOCK_THROTTLE_THERMAL GPU:2 Thermal error on GPU 2 Recommended Action=NONE;", 1))},
		{name: "near miss: an event before the pod", never: []train.Cause{"thermal-throttle"}, build: on(event("GpuThermalWatch", "GpuThermalWatchIsNotHealthy", "ErrorCode:DCGM_FR_CLOCK_THROTTLE_THERMAL GPU:2 Recommended Action=NONE;", 45))},
		{name: "near miss: well again", never: []train.Cause{"thermal-throttle"}, build: on(event("GpuThermalWatch", "GpuThermalWatchIsHealthy", "No Health Failures", 1))},
		{name: "near miss: healthy", never: []train.Cause{"gpu-ecc-error"}, build: on(condition("GpuMemWatch", "False", "GpuMemWatchIsHealthy", "No Health Failures"))},
		{name: "near miss: another's condition", never: []train.Cause{"gpu-xid-error"}, build: on(condition("GpuPoolAssigned", "True", "Assigned", "node is in pool a"))},
	})
}
