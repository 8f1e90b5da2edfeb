package tools

import (
	"regexp"
	"strings"
)

// nvidia-smi's table changes on its way through a chat or an issue: the bars between
// its cells are lost, and its lines are wrapped at a width.

var (
	// bareBoard matches the first row of a GPU without bars, bareNumbers the second.
	bareBoard   = regexp.MustCompile(`^\s*(\d{1,3}\s+\S.*?\s+(?:On|Off|N/A|WDDM|TCC))\s+([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}\.[0-9A-Fa-f]\s+(?:On|Off|N/A))\s+(\d+|N/A|Off)\s*$`)
	bareNumbers = regexp.MustCompile(`^\s*((?:\d+%|N/A|ERR!)\s+\d+C\s+(?:P\d+|N/A)\s+\S+\s*W?\s*/\s*\S+(?:\s*W)?)\s+(\d+\s*MiB\s*/\s*\d+\s*MiB)\s+((?:\d+\s*%|N/A)\s+\S.*?)\s*$`)
)

// barred puts the bars back into a row of a GPU that lost them.
func barred(line string) string {
	if strings.ContainsAny(line, "|+") {
		return line
	}
	for _, row := range []*regexp.Regexp{bareBoard, bareNumbers} {
		if cells := row.FindStringSubmatch(line); cells != nil {
			return "| " + strings.Join(cells[1:], " | ") + " |"
		}
	}
	return line
}

// narrowest is the width at which a line is wrapped at least.
const narrowest = 40

// rejoined joins the lines of a table that were wrapped. Its borders show the width: the
// first part of one does not end as a border does.
func rejoined(text string) string {
	width := 0
	before := ""
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if n := len(before); n >= narrowest && isBorder(before) && isBorder(line) && before[n-1] == before[n-2] && !strings.ContainsAny(line[:1], "+|") && strings.ContainsAny(line[len(line)-1:], "+|") {
			width = n
			break
		}
		before = line
	}
	if width == 0 {
		return text
	}
	var all strings.Builder
	open := false
	for line := range strings.Lines(text) {
		body := strings.TrimRight(line, "\r\n")
		switch boxed := strings.HasPrefix(body, "|") || strings.HasPrefix(body, "+"); {
		case boxed && !open && len(body) == width && !strings.ContainsAny(body[width-1:], "+|"):
			all.WriteString(body)
			open = true
		case open:
			all.WriteString(body + "\n\n") // lines keep their numbers
			open = false
		default:
			all.WriteString(line)
		}
	}
	return all.String()
}
