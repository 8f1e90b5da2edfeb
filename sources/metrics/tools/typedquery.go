package tools

import (
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
)

// A query that a person typed has the names of the columns where its answer has no heading:
//
//	$ nvidia-smi --query-gpu=temperature.gpu,power.draw --format=csv,noheader,nounits
//	43, 65.79
var typedQuery = regexp.MustCompile(`smi\b.* (?:--query-(?:gpu|aip)|-Q)[= ]["']?([\w.]+(?:, ?[\w.]+)*)["']?(?: |$)`)

// queryAbove returns the heading that a line with such a query names, "" for another line.
func queryAbove(line string) string {
	found := typedQuery.FindStringSubmatch(strings.TrimSpace(line))
	if found == nil || !strings.Contains(line, "noheader") {
		return ""
	}
	heading := strings.Join(splitCSV(found[1]), ", ")
	if csvHeading(splitCSV(heading)) == nil {
		return ""
	}
	return heading
}

// IsQuery reports whether a person typed in a line what names the columns of the next ones.
func IsQuery(line string) bool { return queryAbove(line) != "" }

// belowQuery returns the answer to such a query with its heading, "" for another text. It ends
// where a line is no row.
func belowQuery(text string) string {
	command, rest, _ := strings.Cut(strings.TrimLeft(text, " \t\r\n"), "\n")
	heading := queryAbove(command)
	if first, below, _ := strings.Cut(rest, "\n"); heading == "" && typedQuery.MatchString(strings.TrimSpace(command)) && !strings.Contains(first, ",") && csvHeading(splitCSV(first)) != nil {
		heading, rest = strings.TrimSpace(first), below // of one column, which alone may be anything
	}
	if heading == "" {
		return ""
	}
	answer, rows := heading+"\n", 0
	for line := range strings.Lines(rest) {
		row := splitCSV(line)
		if len(row) != len(splitCSV(heading)) || !hasNumber(row) {
			break
		}
		answer += line
		rows++
	}
	if rows == 0 {
		return ""
	}
	return answer
}

// hasNumber reports whether a cell is a number, perhaps with a unit.
func hasNumber(row []string) bool {
	for _, cell := range row {
		if _, is := toolNumber(cell); is {
			return true
		}
	}
	return false
}

func readTypedQuery(text string, a *readings.Answer, origin readings.Origin) error {
	return readCSV(belowQuery(text), a, origin)
}
