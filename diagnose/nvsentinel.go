package diagnose

import (
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

// sentinelCheck is one check of NVSentinel: the type of the condition that it
// sets on a node for what needs action, and of the event that it writes for
// the rest (NVSentinel docs/INTEGRATIONS.md and platform-connectors, 2025 and
// 2026).
type sentinelCheck struct {
	name  string
	cause train.Cause
	// meaning explains the fault, "" for the words of the cause.
	meaning string
	// xid is true where the error code is that of an Xid.
	xid bool
	// mild is true for what harms no rank by itself.
	mild bool
}

// ofGPU explains checks for whose fault no cause has a name.
const ofGPU = "A check of NVSentinel found a fault of a GPU of this node or of what it needs. Work on it fails, hangs or slows down sooner or later."

var sentinelChecks = []sentinelCheck{
	{name: "GpuMemWatch", cause: "gpu-ecc-error"},
	{name: "GpuNvlinkWatch", cause: "nvlink-error"},
	{name: "GpuPcieWatch", cause: "pcie-degraded"},
	{name: "GpuThermalWatch", cause: "thermal-throttle"},
	{name: "GpuThermalMarginWatch", cause: "thermal-throttle"},
	{name: "GpuPowerWatch", cause: "power-cap"},
	{name: "GpuCpusetWatch", cause: "numa-misplacement"},
	{name: "GpuXidError", cause: "gpu-xid-error", xid: true},
	{name: "SysLogsXIDError", cause: "gpu-xid-error", xid: true},
	{name: "SysLogsSXIDError", cause: "nvlink-error"},
	{name: "SysLogsGPUFallenOff", cause: "gpu-fell-off-bus"},
	{name: "SysLogsNICDriverError", cause: "network-hw-degraded"},
	{name: "InfiniBand", cause: "network-hw-degraded"},
	{name: "Ethernet", cause: "network-hw-degraded"},
	{name: "NVSwitch", cause: "nvlink-error"},
	{name: "CSPMaintenance", cause: "spot-interruption", meaning: "The cloud has announced maintenance of this node, and what runs there ends with it."},
	{name: "DCGMError", cause: "device-unhealthy", meaning: "NVSentinel does not reach DCGM on this node, so that faults of its GPUs may go unnoticed.", mild: true},
	{name: "SysLogs", cause: "gpu-xid-error", meaning: ofGPU},
	{name: "Gpu", cause: "gpu-xid-error", meaning: ofGPU},
}

// sentinelReason ends the reason of a condition or an event of NVSentinel.
const sentinelReason = "IsNotHealthy"

// checkNamed returns the check of that name. The last rows name families of
// checks: whoever else uses such a name must write the reason as NVSentinel
// does.
func checkNamed(name, reason string) *sentinelCheck {
	if strings.HasSuffix(reason, "IsHealthy") {
		return nil
	}
	for i := range sentinelChecks {
		c := &sentinelChecks[i]
		if name == c.name || strings.HasPrefix(name, c.name) && strings.HasSuffix(reason, sentinelReason) {
			return c
		}
	}
	return nil
}

// isSentinelEvent reports whether an event about a node is one of NVSentinel:
// its type is the name of the check.
func isSentinelEvent(e *corev1.Event) bool {
	return e.Type != corev1.EventTypeNormal && e.Type != corev1.EventTypeWarning && checkNamed(e.Type, e.Reason) != nil
}

var (
	// `ErrorCode:DCGM_FR_FAULTY_MEMORY GPU:3 ... Recommended Action=RESTART_VM;`, one entry for each fault, and
	// `[DCGM_FR_FAULTY_MEMORY] ... - RecommendedAction: RESTART_VM`
	sentinelCode   = regexp.MustCompile(`\bErrorCode:(\S+)|^\[([^\]]+)\]`)
	sentinelGPU    = regexp.MustCompile(`\bGPU:(\d+)\b|\bGPU (\d+)\b`)
	sentinelAction = regexp.MustCompile(`(?:- )?Recommended ?Action[=:] ?([A-Z_]+)`)
	// sentinelEntity is a device that an entry names before its own words.
	sentinelEntity = regexp.MustCompile(`^(?:[A-Z][A-Za-z_]*:\S+|\[[^\]]+\]) *`)
	xidOfCode      = regexp.MustCompile(`^(\d+)\b`)
)

// sentinelActions are what NVSentinel recommends, as steps.
var sentinelActions = map[string]string{
	"COMPONENT_RESET": "drain the node and reset the GPU",
	"RESTART_VM":      "drain the node and restart it",
	"RESTART_BM":      "drain the node and restart the machine",
	"REPLACE_VM":      "drain the node and replace the machine",
	"CONTACT_SUPPORT": "drain the node, and ask the support of the cloud or of the maker",
	"RUN_FIELDDIAG":   "drain the node, and run NVIDIA's field diagnostics on it",
	"RUN_DCGMEUD":     "drain the node, and run DCGM's diagnostics on it (dcgmi diag -r 3)",
}

// sentinelFaults returns the faults in a message of NVSentinel, one for each
// cause: a message may have an entry for each of several GPUs.
func sentinelFaults(name, reason, message string) []nodeFault {
	check := checkNamed(name, reason)
	if check == nil {
		return nil
	}
	var faults []nodeFault
	for entry := range strings.SplitSeq(message, ";") {
		if entry = strings.TrimSpace(entry); entry == "" {
			continue
		}
		f := check.fault(entry)
		if at := slices.IndexFunc(faults, func(other nodeFault) bool { return other.cause == f.cause }); at >= 0 {
			faults[at].says += "; " + f.says
			continue
		}
		faults = append(faults, f)
	}
	if len(faults) == 0 {
		faults = append(faults, check.fault("it says no more"))
	}
	for i := range faults {
		faults[i].says = rule.Plain(name + ": " + faults[i].says)
	}
	return faults
}

// fault parses one entry of a message.
func (c *sentinelCheck) fault(entry string) nodeFault {
	f := nodeFault{cause: c.cause, meaning: c.meaning, mild: c.mild}
	code, gpu := firstGroup(sentinelCode, entry), firstGroup(sentinelGPU, entry)
	if action := firstGroup(sentinelAction, entry); sentinelActions[action] != "" {
		f.action = sentinelActions[action] + ": NVSentinel recommends " + action
	}
	words := sentinelAction.ReplaceAllString(entry, "")
	for at := sentinelEntity.FindStringIndex(words); at != nil; at = sentinelEntity.FindStringIndex(words) {
		words = words[at[1]:]
	}
	if c.xid {
		if x, is := train.XidNamed(firstGroup(xidOfCode, code)); is {
			code, words = "Xid "+firstGroup(xidOfCode, code), x.Meaning
			if x.Cause != "" {
				f.cause = x.Cause
			}
		}
	}
	of := ""
	if gpu != "" {
		of = "GPU " + gpu
	}
	f.says = strings.Join(rule.NonEmpty(of, code, strings.TrimSpace(words)), ", ")
	return f
}

// firstGroup returns the first group of a pattern that matched a text.
func firstGroup(pattern *regexp.Regexp, text string) string {
	for i, group := range pattern.FindStringSubmatch(text) {
		if i > 0 && group != "" {
			return group
		}
	}
	return ""
}
