package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// amdPaths are the paths at which amd-smi 24 to 26 (ROCm 6 and 7) writes a
// quantity in the JSON of metric, monitor and static, in order of preference.
var amdPaths = []struct {
	quantity    train.Quantity
	paths       []string
	zeroUnknown bool
}{
	{train.GPUUtilization, []string{"usage.gfx_activity", "gfx", "gfx_util"}, false},
	{train.GPUMemoryCopy, []string{"usage.umc_activity", "mem", "mem_util"}, false},
	{train.GPUMemoryUsed, []string{"mem_usage.used_vram", "fb_usage.fb_used", "vram_usage.vram_used", "vram.used", "vram_used"}, false},
	{train.GPUMemoryTotal, []string{"mem_usage.total_vram", "fb_usage.fb_total", "vram_usage.vram_total", "vram.size", "vram.vram_size", "vram_total"}, true},
	{train.GPUTemperature, []string{"temperature.hotspot", "temperature.junction", "temperature.edge", "hotspot_temperature", "gpu_temp"}, true},
	{train.GPUMemoryTemp, []string{"temperature.mem", "temperature.vram", "memory_temperature", "mem_temp"}, true},
	{train.GPUPower, []string{"power.socket_power", "power.current_socket_power", "power.average_socket_power", "power_usage"}, true},
	{train.GPUPowerLimit, []string{"power.power_limit", "limit.ppt0.socket_power_limit", "limit.socket_power", "limit.max_power", "max_power"}, true},
	{train.GPUSMClock, []string{"clock.gfx_0.clk", "clock.gfx.cur_clk", "gfx_clk", "gfx_clock"}, false},
	{train.GPUECCCorrected, []string{"ecc.total_correctable_count"}, false},
	{train.GPUECCUncorrected, []string{"ecc.total_uncorrectable_count"}, false},
}

// readAMDSMIJSON reads amd-smi metric, monitor, static and list with --json:
// an array with one object for each GPU, alone or under "gpu_data".
func readAMDSMIJSON(text []byte, a *readings.Answer, origin readings.Origin) error {
	var wrapped struct {
		Data []json.RawMessage `json:"gpu_data"`
	}
	err := json.Unmarshal(text, &wrapped.Data)
	if err != nil {
		err = json.Unmarshal(text, &wrapped)
	}
	if err != nil {
		list := text
		if at := bytes.IndexByte(text, '['); at >= 0 {
			list = text[at:]
		}
		eachObject(list, func(one json.RawMessage) { wrapped.Data = append(wrapped.Data, one) })
		if len(wrapped.Data) == 0 {
			return fmt.Errorf("reading the JSON of amd-smi: %w", err)
		}
		a.AddProblem(readings.JSONLine(text, err), "not valid JSON: %v; %d GPUs before it were read, the last perhaps in part", err, len(wrapped.Data))
	}
	for _, one := range wrapped.Data {
		var values map[string]any
		if json.Unmarshal(one, &values) != nil || values["gpu"] == nil {
			a.AddProblem(0, "an entry without a GPU: %s", readings.Quote(one))
			continue
		}
		if len(a.Readings) < readings.MaxGPUs {
			a.Readings = append(a.Readings, amdReading(a, values, origin))
		}
	}
	return nil
}

func amdReading(a *readings.Answer, values map[string]any, origin readings.Origin) train.GPUReading {
	at := func(paths ...string) string {
		for _, path := range paths {
			if text := amdText(follow(values, path)); text != "" {
				return text
			}
		}
		return ""
	}
	r := train.GPUReading{
		GPU: train.GPU{
			Node: origin.Node, Index: at("gpu"), UUID: at("uuid", "asic.uuid"), Bus: at("bdf", "bus.bdf"),
			Model: at("asic.market_name", "board.product_name"),
		},
		Source: train.FromTool, At: origin.At,
	}
	for _, p := range amdPaths {
		if text := at(p.paths...); text != "" && !(p.zeroUnknown && strings.HasPrefix(text, "0 ") || p.zeroUnknown && text == "0") {
			note(a, &r, p.quantity, text, 0)
		}
	}
	return r
}

// follow returns the value at a path of keys.
func follow(values map[string]any, path string) any {
	var at any = values
	for key := range strings.SplitSeq(path, ".") {
		object, isObject := at.(map[string]any)
		if !isObject {
			return nil
		}
		at = object[key]
	}
	return at
}

// amdText formats a value like the tool's text output: a number, or an object of
// value and unit. It returns "" for an unknown value.
func amdText(value any) string {
	switch value := value.(type) {
	case map[string]any:
		if value["value"] == nil || unknownText(fmt.Sprint(value["value"])) {
			return ""
		}
		unit, _ := value["unit"].(string)
		return strings.TrimSpace(fmt.Sprintf("%v %s", value["value"], unit))
	case string:
		return named(value)
	case float64, json.Number:
		return fmt.Sprint(value)
	}
	return ""
}

// amdHeading matches the heading of a GPU in the text of amd-smi metric and static.
var amdHeading = regexp.MustCompile(`^GPU: (\d+)\s*$`)

// readAMDSMIText reads the text of amd-smi metric, static and list: names in
// capitals, nested by indentation, the same as the keys of --json.
func readAMDSMIText(text string, a *readings.Answer, origin readings.Origin) error {
	var values map[string]any
	finish := func() {
		if values != nil && len(a.Readings) < maxRows {
			a.Readings = append(a.Readings, amdReading(a, values, origin))
		}
	}
	type level struct {
		indent int
		values map[string]any
	}
	var above []level
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \r\n")
		name, value, found := strings.Cut(strings.TrimSpace(line), ":")
		if !found || len(above) > maxDepth {
			continue
		}
		name, value = strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
		if amdHeading.MatchString(line) {
			finish()
			values = map[string]any{"gpu": value}
			above = []level{{-1, values}}
			continue
		}
		if values == nil {
			continue
		}
		indent := len(line) - len(strings.TrimLeft(line, " "))
		for len(above) > 1 && above[len(above)-1].indent >= indent {
			above = above[:len(above)-1]
		}
		into := above[len(above)-1].values
		if value != "" {
			into[name] = value
			continue
		}
		below := map[string]any{}
		into[name] = below
		above = append(above, level{indent, below})
	}
	finish()
	return nil
}

// maxDepth bounds how deep names may be nested.
const maxDepth = 16

func isAMDSMIText(h *head) bool { return amdHeading.MatchString(h.lines[0]) && len(h.lines) > 1 }

func isAMDSMIJSON(o readings.Outline) bool {
	return o.Has("gpu_data") || o.Array && o.Has("gpu") && o.Has("usage", "power", "temperature", "mem_usage", "asic", "uuid", "bdf", "power_usage", "hotspot_temperature", "vram")
}
