package metrics

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/sources/metrics/tools"
)

// The formats that no tool writes.
const (
	Exposition    Format = "Prometheus text"
	PrometheusAPI Format = "an answer of the Prometheus API"
	ResourceAPI   Format = "metrics of the metrics.k8s.io API"
	ServerStatus  Format = "an answer of an API server"
	ServerText    Format = "a message of a web server"
	Note          Format = "what a note quotes of tools"
	SMITable             = tools.SMITable
)

var (
	promType   = regexp.MustCompile(`^# TYPE [a-zA-Z_:][a-zA-Z0-9_:]* (?:counter|gauge|histogram|summary|untyped|unknown|info|stateset|gaugehistogram)$`)
	promHelp   = regexp.MustCompile(`^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*)(?: |$)`)
	promSample = regexp.MustCompile(`^[a-zA-Z_:][a-zA-Z0-9_:]*\{ *(?:[a-zA-Z_][a-zA-Z0-9_]* *= *"|\})`)
	promBare   = regexp.MustCompile(`^[a-zA-Z_:][a-zA-Z0-9_:]* [-+]?[0-9.][-+0-9.eE]*(?: \d+)?$`)
	promListed = regexp.MustCompile(`"metric"\s*:\s*\{`) // others list a name and a value
	jsonArray  = regexp.MustCompile(`^\[\s*[\[{"\]]`)    // a prompt may begin with [, too
)

// Detect returns the format of a text from its first bytes, 64 KiB or the whole
// text. Text that only mentions metrics, above all a log, is NoFormat.
func Detect(head []byte) Format {
	if format := machineFormat(head); format != NoFormat {
		return format
	}
	format, _ := detect(head)
	return format
}

// detect detects the format of what one machine printed. It also returns what takes off a line what is around it; nil where nothing is.
func detect(head []byte) (Format, cleaning) {
	clean := head
	var marks cleaning
	if isPasted(head) {
		marks, clean = unmarked, cleaned(head, unmarked)
	}
	if wrapping := linesWrapping(clean); wrapping != nil {
		// some readers would take what is around the lines for a part of what the tool printed
		if format, whole := unwrapped(clean, wrapping); format != NoFormat {
			return format, whole
		}
	}
	format := formatOf(clean)
	switch {
	case format != NoFormat && marks != nil && quotesSeveral(head):
		return Note, nil
	case format != NoFormat:
		return format, marks
	}
	wrapping := wrappingOf(head)
	if wrapping == nil {
		return NoFormat, marks
	}
	if format, whole := unwrapped(head, wrapping); format != NoFormat {
		return format, whole
	}
	return NoFormat, marks
}

// unwrapped returns the format of a text without its wrapping, and what takes off a line
// what is around it; NoFormat for what a program may have logged.
func unwrapped(head []byte, wrapping cleaning) (Format, cleaning) {
	whole := func(line []byte) []byte { return unmarked(wrapping(line)) }
	switch format := formatOf(cleaned(head, whole)); format {
	case NoFormat, ServerStatus, ServerText, PrometheusAPI, ResourceAPI, tools.Message:
		return NoFormat, nil
	default:
		return format, whole
	}
}

// formatOf returns the format of a text with nothing around it.
func formatOf(head []byte) Format {
	text := bytes.TrimSpace(head)
	switch {
	case len(text) == 0:
		return NoFormat
	case text[0] == '{' || jsonArray.Match(text):
		return detectJSON(head)
	case text[0] == '<':
		return tools.Detect(head)
	}
	if format := detectBelowWarnings(text); format != NoFormat {
		return format
	}
	lines := tools.WithoutPrompt(tools.FirstLines(text))
	switch {
	case len(lines) == 0:
		return NoFormat
	case isExposition(lines):
		return Exposition
	}
	if format := tools.Detect(head); format != NoFormat || !isServerText(lines) {
		return format
	}
	return ServerText
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
			return titles == 0 || isGPUMetric(strings.Fields(line)[2])
		case promSample.MatchString(line):
			return titles == 0 || isGPUMetric(line[:strings.IndexByte(line, '{')])
		case help != nil && isGPUMetric(help[1]):
			return true
		case strings.HasPrefix(line, "#") && !tools.IsDmonHeading(line):
		case promBare.MatchString(line): // may be anything
			if exporterOf(strings.Fields(line)[0]) != nil {
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

func detectJSON(head []byte) Format {
	o := readings.OutlineOf(head)
	kind := o.Words["kind"]
	switch {
	case kind == "Status" && o.Has("status", "message"):
		return ServerStatus
	case strings.HasPrefix(o.Words["apiVersion"], "metrics.k8s.io/") || kind == "PodMetricsList" || kind == "NodeMetricsList":
		return ResourceAPI
	case o.Has("apiVersion") || o.Has("kind"):
		return NoFormat
	case o.Words["status"] == "success" && o.Has("data"), o.Words["status"] == "error" && o.Has("errorType"):
		return PrometheusAPI
	case o.Has("resultType", "result") && !o.Array, o.Array && o.Has("metric") && o.Has("value", "values") && promListed.Match(head):
		return PrometheusAPI
	}
	if format := tools.DetectJSON(o); format != NoFormat || !tools.IsAnyJSON(head) {
		return format
	}
	return tools.AnyJSON
}
