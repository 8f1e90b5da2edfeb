package tools

import (
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
)

// Values as collectd 5 writes them, and programs for its exec plugin: the machine, the plugin
// with the device, the type with the name. A device has a line for each value.
//
//	PUTVAL myhost/cuda-00000000:01:00.0/power-power_draw interval=10 N:9.33
//	PUTVAL "myhost/gpu_nvidia-0/percent-gpu_used" interval=10.000 1617012345.123:43
var collectdValue = regexp.MustCompile(`^(?:> )?PUTVAL "?([^/"]+)/([^/"]+)/([^/" ]+)"? (?:interval=[\d.]+ )?[N\d.]+:(-?[\d.]+)\s*$`)

func isCollectd(h *head) bool {
	for _, line := range h.first(3) {
		if collectdValue.MatchString(line) {
			return true
		}
	}
	return false
}

// readCollectd reads the newest value of each kind.
func readCollectd(text string, a *readings.Answer, origin readings.Origin) error {
	records := map[string]*record{}
	var order []string
	number := 0
	for line := range strings.Lines(text) {
		number++
		found := collectdValue.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if found == nil {
			continue
		}
		plugin, instance, _ := strings.Cut(found[2], "-")
		if !readings.ParseField(plugin).GPU {
			continue
		}
		key := found[1] + "/" + found[2]
		r := records[key]
		if r == nil {
			r = newRecord(a, origin, number)
			r.gpu, r.reading.GPU.Host = true, found[1]
			if r.reading.GPU.Bus = smiBus.FindString(instance); r.reading.GPU.Bus == "" {
				r.number(instance)
			}
			records[key], order = r, append(order, key)
		}
		r.add(collectdField(found[3]), found[4])
	}
	for _, key := range order {
		if reading, is := records[key].end(); is {
			keepRecord(a, reading)
		}
	}
	return nil
}

// collectdField reads the type of a value, with the name behind it. A percentage that is used is
// the use of the GPU.
func collectdField(name string) readings.Field {
	kind, name, _ := strings.Cut(name, "-")
	if own := readings.ParseField(name); own.Role != readings.NoRole {
		return own
	}
	if kind == "percent" {
		name = strings.TrimSuffix(name, "_used")
	}
	return readings.ParseField(kind + " " + name)
}
