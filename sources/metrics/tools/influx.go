package tools

import (
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// Lines of InfluxDB's protocol as telegraf 1.8 to 1.30 writes them: a line for each
// GPU and interval, whose fields have the names of nvidia-smi --query-gpu with _
// instead of dots. `telegraf -test` begins them with >.
//
//	nvidia_smi,host=h,index=0,name=GeForce\ GTX\ 1070,uuid=GPU-… memory_used=549i,utilization_gpu=100i 1523991122000000000

// Huawei's plugin of npu-exporter 5 and 6 writes a measurement for each device, its number
// in the name, and the names of the metrics of npu-exporter.

// influxHead matches the name of the measurement and the first tag.
var influxHead = regexp.MustCompile(`^(?:> )?(nvidia_smi|amd_rocm_smi|Ascend\w*-\d+),[\w.-]+=`)

// influxFields are the fields of both plugins that have a number; amd_rocm_smi writes
// memory in bytes.
var influxFields = func() map[string]train.Quantity {
	fields := map[string]train.Quantity{
		"temperature_sensor_junction": train.GPUTemperature, "temperature_sensor_memory": train.GPUMemoryTemp,
		"npu_chip_info_utilization": train.GPUUtilization, "npu_chip_info_temperature": train.GPUTemperature, "npu_chip_info_power": train.GPUPower,
		"npu_chip_info_hbm_used_memory": train.GPUMemoryUsed, "npu_chip_info_hbm_total_memory": train.GPUMemoryTotal,
		"clocks_current_sm": train.GPUSMClock, "clocks_current_memory": train.GPUMemoryClock,
	}
	for name, q := range SMIFields {
		if q < train.Quantities {
			fields[strings.ReplaceAll(name, ".", "_")] = q
		}
	}
	return fields
}()

func isInflux(h *head) bool {
	for _, line := range h.first(3) {
		if influxHead.MatchString(line) {
			return true
		}
	}
	return false
}

// readInflux reads the newest line of each GPU.
func readInflux(text string, a *readings.Answer, origin readings.Origin) error {
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSpace(line)
		found := influxHead.FindStringSubmatch(line)
		if found == nil {
			continue
		}
		parts := splitUnescaped(strings.TrimPrefix(line, "> "), ' ')
		if len(parts) < 2 {
			a.AddProblem(number, "a line without fields: %s", readings.Quote([]byte(line)))
			continue
		}
		r := train.GPUReading{GPU: train.GPU{Node: origin.Node}, Source: train.FromTool, At: origin.At}
		if model, number, is := strings.Cut(found[1], "-"); is {
			r.GPU.Model, r.GPU.Index = named(model), number
		}
		for _, pair := range splitUnescaped(parts[0], ',')[1:] {
			influxTag(&r.GPU, pair)
		}
		for _, pair := range splitUnescaped(parts[1], ',') {
			name, value, _ := strings.Cut(pair, "=")
			q, known := influxFields[name]
			if value = strings.TrimRight(value, "iu"); !known {
				continue
			}
			if found[1] == "amd_rocm_smi" && (q == train.GPUMemoryUsed || q == train.GPUMemoryTotal) {
				value += " B"
			}
			note(a, &r, q, value, number)
		}
		keepCSV(a, r)
	}
	return nil
}

// influxTag sets what a tag states about the GPU.
func influxTag(g *train.GPU, pair string) {
	name, value, _ := strings.Cut(pair, "=")
	value = influxEscapes.Replace(value)
	switch name {
	case "index":
		g.Index = value
	case "name":
		if number, found := strings.CutPrefix(value, "GPU-"); found && isNumber(number) {
			g.Index = number // amd_rocm_smi
		} else {
			g.Model = named(value)
		}
	case "uuid", "gpu_unique_id":
		g.UUID = named(value)
	case "host":
		g.Host = value
	}
}

var influxEscapes = strings.NewReplacer(`\ `, " ", `\,`, ",", `\=`, "=")

// splitUnescaped splits a text at a separator without a backslash before it.
func splitUnescaped(text string, separator byte) []string {
	var parts []string
	from := 0
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == separator:
			parts = append(parts, text[from:i])
			from = i + 1
		}
	}
	return append(parts, text[from:])
}
