// Package tools reads what vendors' tools print about GPUs: nvidia-smi, rocm-smi,
// amd-smi, hl-smi, npu-smi and others, as tables, facts, CSV, XML and JSON. A tool is
// a file with its reader, and a row of a list, which states how its text is
// recognised.
//
// It is pure: bytes in, readings out.
//
// Promises: the valid part of a bad text is read, and the rest is a problem of the
// answer; unknown is absent, never 0; numbers that no GPU can have are left out.
package tools

import (
	"bytes"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// SMITable is the format of nvidia-smi's table, which jobs print at the beginning of
// their logs.
const SMITable readings.Format = "the table of nvidia-smi"

// Message is the format of a message that a tool printed instead of GPUs.
const Message readings.Format = "a message of nvidia-smi"

// Devices is the format of facts of devices that are read by their words.
const Devices readings.Format = "facts of any devices"

const smiXML readings.Format = "nvidia-smi -q -x"

// textTool is a tool that prints text.
type textTool struct {
	format readings.Format
	is     func(*head) bool
	read   func(text string, a *readings.Answer, origin readings.Origin) error
}

// jsonTool is a tool that prints JSON.
type jsonTool struct {
	format readings.Format
	is     func(readings.Outline) bool
	read   func(text []byte, a *readings.Answer, origin readings.Origin) error
}

// textTools in the order in which they are tried: the sure ones first.
var textTools = []textTool{
	{"nvidia-smi -q", isSMIDetails, readSMIDetails},
	{SMITable, func(h *head) bool { return isSMITable(h.text) }, readSMITable},
	{"amd-smi", isAMDSMIText, readAMDSMIText},
	{"nvidia-smi -L", isSMIList, readSMIList},
	{"nvidia-smi pmon", isPmon, readPmon},
	{"nvidia-smi dmon", func(h *head) bool { return dmonHead(h) != "" }, readDmon},
	{"nvidia-smi topo", func(h *head) bool { return topoHeading.MatchString(string(firstLine(belowTyped(h.raw)))) }, readTopo},
	{"rocm-smi", func(h *head) bool { return isROCmText(h.lines) }, readROCmText},
	{"the table of rocm-smi", isROCmTable, readROCmTable},
	{"amd-smi monitor", isAMDMonitor, readAMDMonitor},
	{"tpu-info", isTPUInfo, readTPUInfo},
	{"the table of npu-smi", func(h *head) bool { return isNPUTable(h.lines, string(h.text)) }, readNPUSMI},
	{"rows of rocm-smi", func(h *head) bool { return isROCmRows(h.lines) }, readROCmRows},
	{"nvidia-smi -q", func(h *head) bool { return isSMIFacts(h.lines) }, readSMIDetails},
	{"the table of amd-smi", isAMDTable, readAMDTable},
	{"gpustat", func(h *head) bool { return isGPUStat(h.lines) }, readGPUStat},
	{"mx-smi", isMXSMI, readMXSMI},
	{"the table of mthreads-gmi", isMThreads, readMThreads},
	{"lines of InfluxDB", isInflux, readInflux},
	{"values of collectd", isCollectd, readCollectd},
	{"tegrastats", isTegra, readTegra},
	{"radeontop -d", isRadeonTop, readRadeonTop},
	{"intel_gpu_top -l", isIntelTopText, readIntelTopText},
	{"facts of devices", isFacts, readFacts},
	{"a table with a heading", isHeadedTable, readBoxedTable},
	{"CSV of rocm-smi and amd-smi", isHeadedCSV, readHeadedCSV},
	{"xpu-smi dump", func(h *head) bool { return slices.ContainsFunc(h.first(4), isXPUDump) }, readXPUDump},
	{"what a typed query names", func(h *head) bool { return belowQuery(string(h.text)) != "" }, readTypedQuery},
	{"nvidia-smi --query in CSV", func(h *head) bool {
		return headingBelow(h.lines) > 0 || isCSVHeading(h.lines[0]) || isHeadless(h.lines)
	}, readCSV},
	{"names and values of rocm-smi, nvtop or npu-smi", isPairs, readPairs},
	{"a table of devices", isAnyTable, readAnyTable},
	{Devices, isAnyFacts, readAnyFacts},
	{Message, func(h *head) bool { return isSMIError(h.lines) || isFailedSession(FirstLines(h.text)) }, readSMIError},
}

// jsonTools in the order in which they are tried.
var jsonTools = []jsonTool{
	{"neuron-monitor", func(o readings.Outline) bool { return o.Has("neuron_runtime_data") }, readNeuronMonitor},
	{"amd-smi --json", isAMDSMIJSON, readAMDSMIJSON},
	{"nvtop --snapshot", isNVTop, readNVTop},
	{"gpustat --json", isGPUStatJSON, gpustatJSON.read},
	{"gpustack's list of devices", isGPUStack, gpustack.read},
	{"neuron-ls", isNeuronLS, neuronLS.read},
	{"tt-smi", isTTSMI, ttSMI.read},
	{"intel_gpu_top", isIntelTop, readIntelTop},
	{"xpu-smi stats", isXPUStats, readXPUStats},
	{"rocm-smi --json", func(o readings.Outline) bool { return slices.ContainsFunc(o.Keys, rocmCard.MatchString) }, readROCmJSON},
	{AnyJSON, func(readings.Outline) bool { return false }, readAnyJSON}, // by the whole text
}

// Detect returns the format of a text from its first bytes, NoFormat for one that no
// tool printed.
func Detect(raw []byte) readings.Format {
	h := head{raw: raw, text: bytes.TrimSpace(raw)}
	if isSMIXML(h.text) {
		return smiXML
	}
	if bytes.HasPrefix(h.text, []byte("<")) {
		return readings.NoFormat
	}
	if h.lines = WithoutPrompt(FirstLines(h.text)); len(h.lines) == 0 {
		return readings.NoFormat
	}
	for i := range textTools {
		if textTools[i].is(&h) {
			return textTools[i].format
		}
	}
	return readings.NoFormat
}

// DetectJSON returns the format of a text in JSON.
func DetectJSON(o readings.Outline) readings.Format {
	for i := range jsonTools {
		if jsonTools[i].is(o) {
			return jsonTools[i].format
		}
	}
	return readings.NoFormat
}

// Read reads a text of a tool's format. known is false for a format of none.
func Read(format readings.Format, text []byte, a *readings.Answer, origin readings.Origin) (known bool, err error) {
	for i := range jsonTools {
		if jsonTools[i].format == format {
			return true, jsonTools[i].read(text, a, origin)
		}
	}
	plain := func() string { return strings.ToValidUTF8(string(text), "\uFFFD") }
	if format == smiXML {
		return true, readSMIXML(plain(), a, origin)
	}
	for i := range textTools {
		if textTools[i].format == format {
			return true, textTools[i].readOrAny(plain(), a, origin)
		}
	}
	return false, nil
}

// readOrAny reads a text of a tool. Of another text that resembles the tool's little is read
// so, and more by its words.
func (t *textTool) readOrAny(text string, a *readings.Answer, origin readings.Origin) error {
	err := t.read(text, a, origin)
	const enough = 2 // of the values of a device
	if slices.ContainsFunc(a.Readings, func(r train.GPUReading) bool { return measuredOf(&r) >= enough || len(r.Slices) > 0 }) {
		return err
	}
	for _, read := range []func(string, *readings.Answer, readings.Origin) error{readAnyTable, readAnyFacts} {
		byWords := readings.Answer{Format: a.Format}
		if read(text, &byWords, origin) == nil && len(byWords.Readings) >= len(a.Readings) && (len(a.Readings) == 0 && len(byWords.Readings) > 0 || valuesOfAll(&byWords) > valuesOfAll(a)) {
			*a = byWords
			return nil
		}
	}
	return err
}

// Formats returns the formats of all tools.
func Formats() []readings.Format {
	all := []readings.Format{smiXML}
	for _, t := range textTools {
		all = append(all, t.format)
	}
	for _, t := range jsonTools {
		all = append(all, t.format)
	}
	return all
}
