package metrics

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// Format is the format of a text, in words for people. "" is a text that this
// package does not read.
type Format string

const (
	NoFormat      Format = ""
	Exposition    Format = "Prometheus text"
	PrometheusAPI Format = "an answer of the Prometheus API"
	ResourceAPI   Format = "metrics of the metrics.k8s.io API"
	ServerStatus  Format = "an answer of an API server"
	SMITable      Format = "the table of nvidia-smi"
	SMIList       Format = "nvidia-smi -L"
	SMIDmon       Format = "nvidia-smi dmon"
	SMIPmon       Format = "nvidia-smi pmon"
	SMICSV        Format = "nvidia-smi --query in CSV"
	SMIDetails    Format = "nvidia-smi -q"
	SMIXML        Format = "nvidia-smi -q -x"
	SMITopology   Format = "nvidia-smi topo"
	SMIError      Format = "a message of nvidia-smi"
	ROCmJSON      Format = "rocm-smi --json"
	ROCmTable     Format = "the table of rocm-smi"
	ROCmText      Format = "rocm-smi"
	ROCmRows      Format = "rows of rocm-smi"
	ServerText    Format = "a message of a web server"
	AMDSMIJSON    Format = "amd-smi --json"
	AMDSMIMonitor Format = "amd-smi monitor"
	AMDSMIText    Format = "amd-smi"
	NeuronMonitor Format = "neuron-monitor"
	TPUInfo       Format = "tpu-info"
	AMDSMITable   Format = "the table of amd-smi"
	GPUStat       Format = "gpustat"
	MXSMI         Format = "the table of mx-smi"
	MThreadsGMI   Format = "the table of mthreads-gmi"
	NPUSMI        Format = "the table of npu-smi"
	XPUDump       Format = "xpu-smi dump"
	NVTop         Format = "nvtop --snapshot"
)

var (
	promType    = regexp.MustCompile(`^# TYPE [a-zA-Z_:][a-zA-Z0-9_:]* (?:counter|gauge|histogram|summary|untyped|unknown|info|stateset|gaugehistogram)$`)
	promHelp    = regexp.MustCompile(`^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*)(?: |$)`)
	promSample  = regexp.MustCompile(`^[a-zA-Z_:][a-zA-Z0-9_:]*\{ *(?:[a-zA-Z_][a-zA-Z0-9_]* *= *"|\})`)
	promBare    = regexp.MustCompile(`^[a-zA-Z_:][a-zA-Z0-9_:]* [-+]?[0-9.][-+0-9.eE]*(?: \d+)?$`)
	dmonHeading = regexp.MustCompile(`^#\s*(?:(?:Date\s+Time\s+|Time\s+)?gpu\s+|Entity\s+[A-Z]{3})`)
	rocmHeading = regexp.MustCompile(`(?m)^=+ *(?:ROCm System Management Interface|ROCm SMI|Concise Info)`)
	jsonArray   = regexp.MustCompile(`^\[\s*[\[{"\]]`) // a prompt may begin with [, too
	smiDetails  = regexp.MustCompile(`(?m)^=+NVSMI LOG=+`)
)

// Detect returns the format of a text from its first bytes, 64 KiB or the whole
// text. Text that only mentions metrics, above all a log, is NoFormat.
func Detect(head []byte) Format {
	head = withoutMarks(head)
	text := bytes.TrimSpace(head)
	if len(text) == 0 {
		return NoFormat
	}
	if text[0] == '[' && isGPUStat(firstLines(text)) {
		return GPUStat
	}
	if text[0] == '{' || jsonArray.Match(text) {
		return detectJSON(head)
	}
	if text[0] == '<' {
		if bytes.Contains(text, []byte("nvidia_smi_log")) {
			return SMIXML
		}
		return NoFormat
	}
	if format := detectBelowWarnings(text); format != NoFormat {
		return format
	}
	lines := withoutPrompt(firstLines(text))
	switch {
	case len(lines) == 0:
		return NoFormat
	case isExposition(lines):
		return Exposition
	case bytes.Contains(text, []byte("NVSMI LOG")) && smiDetails.Match(text):
		return SMIDetails
	case isSMITable(text):
		return SMITable
	case amdHeading.MatchString(lines[0]) && len(lines) > 1:
		return AMDSMIText
	case smiListed.MatchString(lines[0]) && strings.Contains(lines[0], "UUID"):
		return SMIList
	case slices.ContainsFunc(lines[:min(3, len(lines))], dmonHeading.MatchString): // below what the engine says first
		if strings.Contains(lines[slices.IndexFunc(lines, dmonHeading.MatchString)], "pid") {
			return SMIPmon
		}
		return SMIDmon
	case topoHeading.MatchString(string(firstLine(head))):
		return SMITopology
	}
	return detectTable(lines, text)
}

func detectTable(lines []string, text []byte) Format {
	switch {
	case isROCmText(lines):
		return ROCmText
	case bytes.Contains(text, []byte("ROCm S")) && rocmHeading.Match(text),
		slices.ContainsFunc(lines[:min(6, len(lines))], isROCmColumns): // pasted without its title, or hy-smi's
		return ROCmTable
	case slices.ContainsFunc(lines[:min(4, len(lines))], func(line string) bool { return isAMDHeading(strings.Fields(line)) }):
		return AMDSMIMonitor // below a warning, or the tool's versions
	case bytes.Contains(text, []byte("TPU Runtime Utilization")) || strings.HasPrefix(lines[0], "TPU Chips"):
		return TPUInfo
	case isNPUTable(lines, string(text)):
		return NPUSMI
	case isROCmRows(lines):
		return ROCmRows
	case isSMIFacts(lines):
		return SMIDetails
	case bytes.Contains(text, []byte("GPU-Name")) && amdTableHead.Match(text):
		return AMDSMITable
	case isGPUStat(lines):
		return GPUStat
	case mxHead.Match(text) && bytes.Contains(text, []byte("MX-SMI")):
		return MXSMI
	case bytes.Contains(text, []byte("mthreads-gmi:")) && mtHead.Match(text):
		return MThreadsGMI
	case slices.ContainsFunc(lines[:min(4, len(lines))], isXPUDump): // below a prompt or a warning
		return XPUDump
	case isCSVHeading(lines[0]):
		return SMICSV
	case isHeadless(lines):
		return SMICSV
	case isSMIError(lines), isFailedSession(firstLines(text)):
		return SMIError
	case isServerText(lines):
		return ServerText
	}
	return NoFormat
}

// withoutPrompt leaves out the line in which a person typed the tool's name.
func withoutPrompt(lines []string) []string {
	if len(lines) > 1 && typedLine.MatchString(lines[0]) {
		return lines[1:]
	}
	return lines
}

var typedLine = regexp.MustCompile(`[$#>~] *(?:sudo )?(?:[\w./~-]*/)?(?:nvidia-smi|rocm-smi|amd-smi|xpu-smi|npu-smi|hl-smi|mthreads-gmi|gpustat|tpu-info)\b[^|,]*$|` + typedRequest)

// typedRequest matches a line in which a person asked an exporter, behind a prompt or
// as it was pasted.
const typedRequest = `(?:^|[$#>~] *)(?:sudo )?(?:curl|wget|kubectl) +[^{}]*$`

// isCSVHeading: nvidia-smi separates fields with a comma and a space, and one of
// them belongs to a GPU. A table of losses may have an index and a name, too.
func isCSVHeading(line string) bool {
	columns := csvHeading(splitCSV(line))
	if columns == nil || !strings.Contains(line, ", ") {
		return false
	}
	for _, c := range columns {
		_, measured := smiFields[c.field]
		if id := csvIdentity[c.field]; measured || id == "uuid" || id == "bus" || c.field == "gpu_name" || reasonField(c.field) != "" {
			return true
		}
	}
	return false
}

// isSMIError: most of a few lines are messages of nvidia-smi.
func isSMIError(lines []string) bool {
	failed := 0
	for _, line := range lines {
		if smiFailed(line) {
			failed++
		}
	}
	return len(lines) <= 16 && 2*failed >= len(lines)
}

// mostFirstLines is how many lines of a text firstLines returns.
const mostFirstLines = 24

// firstLines returns the first lines that are not blank.
func firstLines(text []byte) []string {
	var lines []string
	for line := range bytes.Lines(text) {
		if line := bytes.TrimRight(line, " \t\r\n"); len(bytes.TrimSpace(line)) > 0 {
			if lines = append(lines, string(line)); len(lines) == mostFirstLines {
				break
			}
		}
	}
	return lines
}

// firstLine returns the first line that is not blank, with its indentation.
func firstLine(head []byte) []byte {
	for line := range bytes.Lines(head) {
		if len(bytes.TrimSpace(line)) > 0 {
			return bytes.TrimRight([]byte(stripSGR(string(line))), "\r\n")
		}
	}
	return nil
}

// isExposition: the first line that is no comment is a sample with labels or of a
// known metric, or a comment declares a metric's type. A title that a person wrote
// above it does not matter if metrics of GPUs follow.
func isExposition(lines []string) bool {
	titles := 0
	for _, line := range lines {
		line = strings.TrimSpace(line)
		help := promHelp.FindStringSubmatch(line)
		switch {
		case promType.MatchString(line):
			return titles == 0 || familyOf(strings.Fields(line)[2]) != nil
		case promSample.MatchString(line):
			return titles == 0 || familyOf(line[:strings.IndexByte(line, '{')]) != nil
		case help != nil && familyOf(help[1]) != nil:
			return true
		case strings.HasPrefix(line, "#") && !dmonHeading.MatchString(line):
		case promBare.MatchString(line): // may be anything
			if familyOf(strings.Fields(line)[0]) != nil {
				return true
			}
		default:
			if titles++; titles > 2 {
				return false
			}
		}
	}
	return false
}

var (
	smiBox = regexp.MustCompile(`^(?:[|+ ]|$)`)
	// smiHead matches the title of a table, or the first line of its columns: other
	// makers draw the same table with a title of their own.
	smiHead = regexp.MustCompile(`^\s*(?:\| (?:NVIDIA-SMI|XPU-SMI|HL-SMI Version)|NVITOP |\| *(?i:GPU +Name\b.*\| *Bus-Id\b))`)
	// smiDate matches the date above a table, as date(1) writes it.
	smiDate = regexp.MustCompile(`^[A-Z][a-z]{2} [A-Z][a-z]{2} +\d+ \d\d:\d\d:\d\d \d{4}`)
)

// smiTitles begin tables in nvidia-smi's layout: those of NVIDIA, Habana and
// Kunlun, and nvitop 1.x; the last two are a column of all such tables.
var smiTitles = []string{"| NVIDIA-SMI ", "| HL-SMI Version", "| XPU-SMI ", "NVITOP ", "| Bus-Id", "| Bus-id"}

// isSMITable: the text is one or more tables of nvidia-smi, below dates and
// messages, or the rows of one that were pasted without its head. A log in which a
// program ran nvidia-smi is a log.
func isSMITable(text []byte) bool {
	titled := slices.ContainsFunc(smiTitles, func(title string) bool { return bytes.Contains(text, []byte(title)) })
	if !titled && !smiBus.Match(text) {
		return false
	}
	head, before, others := false, 0, 0
	for line := range bytes.Lines(text) {
		line = []byte(plainBox(string(bytes.TrimRight(line, " \t\r\n"))))
		switch {
		case smiHead.Match(line), !titled && isBoardRow(smiCells(string(line))):
			head = true
		case smiBox.Match(line), smiDate.Match(line), smiFailed(string(line)):
		case head:
			others++
		default:
			before++
		}
	}
	return head && before <= 4 && others <= 1
}

// TableInLog reports whether the beginning of a log contains the table of
// nvidia-smi: jobs often print it before they start.
func TableInLog(head []byte) bool {
	return bytes.Contains(head, []byte("| NVIDIA-SMI ")) && bytes.Contains(head, []byte("Bus-Id"))
}

// isHeadless recognises --format=csv,noheader: every line has as many columns,
// and one of them is a UUID or an address of a GPU.
func isHeadless(lines []string) bool {
	columns := strings.Count(lines[0], ", ")
	if columns < 2 {
		return false
	}
	for _, line := range lines {
		if strings.Count(line, ", ") != columns || !smiRow.MatchString(line) {
			return smiFailed(line)
		}
	}
	return true
}

// smiRow matches a row with a value that only a GPU has.
var smiRow = regexp.MustCompile(`(?:^|, )(?:(?:GPU|MIG)-[0-9A-Fa-f*-]+|[0-9A-Fa-f]{8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9]|NVIDIA [^,]+|Tesla [^,]+|A100-[^,]+|HL-\d[^,]+)(?:,|$)`)

func detectJSON(head []byte) Format {
	o := outlineOf(head)
	kind := o.words["kind"]
	switch {
	case kind == "Status" && o.has("status", "message"):
		return ServerStatus
	case strings.HasPrefix(o.words["apiVersion"], "metrics.k8s.io/") || kind == "PodMetricsList" || kind == "NodeMetricsList":
		return ResourceAPI
	case o.has("apiVersion") || o.has("kind"):
		return NoFormat
	case o.words["status"] == "success" && o.has("data"), o.words["status"] == "error" && o.has("errorType"):
		return PrometheusAPI
	case o.has("resultType", "result") && !o.array:
		return PrometheusAPI
	case o.has("neuron_runtime_data"):
		return NeuronMonitor
	case o.has("gpu_data"), o.array && o.has("gpu") && o.has("usage", "power", "temperature", "mem_usage", "asic", "uuid", "bdf", "power_usage", "hotspot_temperature", "vram"):
		return AMDSMIJSON
	case o.array && o.has("device_name") && o.has("gpu_util", "gpu_clock", "power_draw"):
		return NVTop
	}
	for _, key := range o.keys {
		if rocmCard.MatchString(key) {
			return ROCmJSON
		}
	}
	return NoFormat
}
