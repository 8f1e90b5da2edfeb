package tools

import (
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
)

// Values of JSON with their whole paths, a line for each, as gron and scripts print them:
//
//	gpu_data[0].usage.gfx_activity.value = 2 %
//	json[1].memory_used = 14569;
var pathLine = regexp.MustCompile(`^\s*([A-Za-z][\w.-]*)?\[(\d{1,3})\]\.([A-Za-z_][\w.-]*?)(?:\.value)?\s*[:=]\s*(.+?);?\s*$`)

// readAnyPaths reads the devices of such lines by the words of their names.
func readAnyPaths(text string, a *readings.Answer, origin readings.Origin) error {
	records := map[string]*record{}
	var order []string
	number := 0
	for line := range strings.Lines(text) {
		number++
		if strings.IndexByte(line, ']') < 0 || len(line) > longestHead {
			continue
		}
		found := pathLine.FindStringSubmatch(strings.TrimRight(line, "`\r\n"))
		if found == nil || learning.MatchString(found[3]) {
			continue
		}
		key := found[1] + "[" + found[2]
		r := records[key]
		if r == nil {
			r = newRecord(a, origin, number)
			r.reading.GPU.Index, r.gpu = found[2], strings.Contains(strings.ToLower(found[1]), "gpu") || readings.ParseField(found[1]).GPU
			records[key], order = r, append(order, key)
		}
		r.add(pathField(found[3]), found[4])
	}
	for _, key := range order {
		if reading, is := records[key].end(); is {
			keepRecord(a, reading)
		}
	}
	return nil
}

// pathField reads the last name of a path, with the one above it where it shows nothing alone.
func pathField(path string) readings.Field {
	names := strings.Split(path, ".")
	last := len(names) - 1
	f := readings.ParseField(names[last])
	if f.Role == readings.NoRole && last > 0 {
		f = readings.ParseField(names[last-1] + " " + names[last])
	}
	if f.Before > 1 || f.Role == readings.IndexOf {
		return readings.Field{}
	}
	return f
}
