package tools

import (
	"bytes"
	"regexp"
)

// head is the beginning of a text, as far as it decides the tool.
type head struct {
	raw  []byte // with the white space around it
	text []byte
	// lines are the first ones that are not blank, without the command that a
	// person typed.
	lines []string
}

// first returns at most n of its first lines.
func (h *head) first(n int) []string { return h.lines[:min(n, len(h.lines))] }

// WithoutPrompt leaves out the line in which a person typed the tool's name.
func WithoutPrompt(lines []string) []string {
	if len(lines) > 1 && Typed.MatchString(lines[0]) {
		return lines[1:]
	}
	return lines
}

// belowTyped leaves out that line of a text, and keeps the indentation of the next.
func belowTyped(raw []byte) []byte {
	text := bytes.TrimLeft(raw, " \t\r\n")
	if first, rest, found := bytes.Cut(text, []byte{'\n'}); found && Typed.Match(first) {
		return rest
	}
	return raw
}

// Typed matches the line in which a person typed the name of a tool, or asked an
// exporter.
var Typed = regexp.MustCompile(`[$#>~] *(?:sudo )?(?:[\w./~-]*/)?(?:[a-z]+[-_]?[sg]mi|cnmon|dcgmi|gpustat|intel_gpu_top|neuron-ls|nvitop|nvtop|tegrastats|tpu-info|xpumcli)\b[^|,]*$|` + typedOptions + `|` + typedRequest)

// typedOptions matches a line in which a person gave a tool options, which may be lists.
const typedOptions = `[$#>~] *(?:sudo )?(?:[\w./~-]*/)?[a-z]+[-_]?[sg]mi(?: +-{1,2}[a-z][-\w]*(?:[= ][\w.,/]+)?)+ *$`

// typedRequest matches a line in which a person asked an exporter, behind a prompt or
// as it was pasted.
const typedRequest = `(?:^|[$#>~] *)(?:sudo )?(?:curl|wget|kubectl) +[^{}]*$`

// mostFirstLines is how many lines of a text FirstLines returns.
const mostFirstLines = 24

// FirstLines returns the first lines that are not blank.
func FirstLines(text []byte) []string {
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
