package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// Tools whose JSON is a list of devices with named values. A row of a list states
// where the devices are and where their values.

// jsonShape is the JSON of one tool. Paths are keys joined by dots.
type jsonShape struct {
	// list is the key of the list; "" where the text is the list.
	list                    string
	index, model, uuid, bus []string
	values                  []jsonValue
}

type jsonValue struct {
	quantity train.Quantity
	path     string
	unit     string
}

// neuronLS is neuron-ls --json-output 2.x: what is there, not what it does.
var neuronLS = jsonShape{
	index: []string{"neuron_device"}, bus: []string{"bdf"},
	values: []jsonValue{{train.GPUMemoryTotal, "memory_size", "B"}},
}

// ttSMI is tt-smi -s 3.x of Tenstorrent; numbers are text with spaces.
var ttSMI = jsonShape{
	list: "device_info", model: []string{"board_info.board_type"}, bus: []string{"board_info.bus_id"},
	values: []jsonValue{
		{train.GPUTemperature, "telemetry.asic_temperature", "C"},
		{train.GPUPower, "telemetry.power", "W"},
		{train.GPUSMClock, "telemetry.aiclk", "MHz"},
	},
}

// gpustatJSON is gpustat --json 0.4 to 1.1, whose keys are those of nvidia-smi
// --query-gpu.
var gpustatJSON = jsonShape{
	list: "gpus", index: []string{"index"}, model: []string{"name"}, uuid: []string{"uuid"},
	values: []jsonValue{
		{train.GPUUtilization, "utilization.gpu", "%"}, {train.GPUMemoryUsed, "memory.used", "MiB"}, {train.GPUMemoryTotal, "memory.total", "MiB"},
		{train.GPUTemperature, "temperature.gpu", "C"}, {train.GPUPower, "power.draw", "W"}, {train.GPUPowerLimit, "enforced.power.limit", "W"},
	},
}

// gpustack is what GPUStack's runtime 0.1 detects, of any maker.
var gpustack = jsonShape{
	index: []string{"index"}, model: []string{"name"}, uuid: []string{"uuid"}, bus: []string{"appendix.bdf"},
	values: []jsonValue{
		{train.GPUUtilization, "cores_utilization", "%"}, {train.GPUMemoryUsed, "memory_used", "MiB"}, {train.GPUMemoryTotal, "memory", "MiB"},
		{train.GPUTemperature, "temperature", "C"}, {train.GPUPower, "power_used", "W"}, {train.GPUPowerLimit, "power", "W"},
	},
}

// read reads the devices of a text.
func (s *jsonShape) read(text []byte, a *readings.Answer, origin readings.Origin) error {
	all := json.RawMessage(text)
	if s.list != "" {
		var members map[string]json.RawMessage
		if err := json.Unmarshal(text, &members); err != nil {
			members = readings.WholeMembers(text)
			a.AddProblem(readings.JSONLine(text, err), "not valid JSON: %v", err)
		}
		all = members[s.list]
	}
	devices := 0
	if cut := eachObject(all, func(text json.RawMessage) {
		if devices++; devices <= maxRows {
			a.Readings = append(a.Readings, s.reading(a, jsonValues(text), devices-1, origin))
		}
	}); cut {
		a.AddProblem(0, "the JSON ends or breaks after %d devices", devices)
	}
	return nil
}

func (s *jsonShape) reading(a *readings.Answer, values map[string]any, order int, origin readings.Origin) train.GPUReading {
	at := func(paths []string) string {
		for _, path := range paths {
			if text := amdText(valueAt(values, path)); text != "" {
				return text
			}
		}
		return ""
	}
	r := train.GPUReading{
		GPU:    train.GPU{Node: origin.Node, Index: at(s.index), UUID: at(s.uuid), Bus: at(s.bus), Model: at(s.model)},
		Source: train.FromTool, At: origin.At,
	}
	if len(s.index) == 0 { // their order gives it
		r.GPU.Index = strconv.Itoa(order)
	}
	for _, v := range s.values {
		text := strings.TrimSpace(amdText(valueAt(values, v.path)))
		if endsInDigit(text) {
			text += " " + v.unit
		}
		note(a, &r, v.quantity, text, 0)
	}
	return r
}

// valueAt returns the value of a key, which may have dots in it, or at a path.
func valueAt(values map[string]any, path string) any {
	if value, found := values[path]; found {
		return value
	}
	return follow(values, path)
}

// eachObject gives the objects of an array, or those that follow each other. An array
// that is not closed is one that its tool still writes.
func eachObject(text []byte, give func(json.RawMessage)) (broken bool) {
	text = bytes.TrimSpace(text)
	decoder := json.NewDecoder(bytes.NewReader(text))
	if bytes.HasPrefix(text, []byte("[")) {
		if _, err := decoder.Token(); err != nil {
			return true
		}
	}
	for decoder.More() {
		var one json.RawMessage
		begins := decoder.InputOffset()
		if decoder.Decode(&one) != nil {
			if members := readings.WholeMembers(bytes.TrimLeft(text[begins:], ", \t\r\n")); len(members) > 0 {
				one, _ = json.Marshal(members) //nolint:errchkjson // RawMessages that were decoded
				give(one)
			}
			return true
		}
		if bytes.HasPrefix(one, []byte("{")) {
			give(one)
		}
	}
	return false
}

// jsonValues are the values of an object, with numbers as they are written.
func jsonValues(text json.RawMessage) map[string]any {
	var values map[string]any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&values) != nil {
		return nil
	}
	return values
}

// isNeuronLS, isTTSMI and isGPUStatJSON recognise the first device.
func isNeuronLS(o readings.Outline) bool {
	return o.Array && o.Has("neuron_device") && o.Has("nc_count", "memory_size")
}
func isGPUStack(o readings.Outline) bool {
	return o.Array && o.Has("manufacturer") && o.Has("cores_utilization", "power_used")
}
func isTTSMI(o readings.Outline) bool       { return !o.Array && o.Has("device_info") }
func isGPUStatJSON(o readings.Outline) bool { return !o.Array && o.Has("gpus") && o.Has("query_time") }

// isIntelTop recognises intel_gpu_top -J 1.2x: an array of periods, which is not
// closed while it runs, or one period after the other.
func isIntelTop(o readings.Outline) bool { return o.Has("engines") && o.Has("period") }

// readIntelTop reads the newest period: the busiest engine is the use of the GPU.
func readIntelTop(text []byte, a *readings.Answer, origin readings.Origin) error {
	var last json.RawMessage
	if cut := eachObject(text, func(period json.RawMessage) {
		if last == nil || bytes.Contains(period, []byte(`"engines"`)) {
			last = period
		}
	}); cut && last != nil && jsonValues(last)["engines"] == nil {
		last = nil
	}
	if last == nil {
		a.AddProblem(0, "no whole period of intel_gpu_top")
		return nil
	}
	newest := jsonValues(last)
	r := train.GPUReading{GPU: train.GPU{Node: origin.Node, Index: "0"}, Source: train.FromTool, At: origin.At}
	engines, _ := newest["engines"].(map[string]any)
	for _, engine := range engines {
		values, _ := engine.(map[string]any)
		busy := fmt.Sprint(values["busy"])
		value, ok := toolNumber(busy)
		if before, met := r.Values.Get(train.GPUUtilization); ok && (!met || value > before) {
			note(a, &r, train.GPUUtilization, busy, 0)
		}
	}
	if text := amdText(follow(newest, "power.GPU")); !isZero(text) {
		note(a, &r, train.GPUPower, text, 0)
	}
	note(a, &r, train.GPUSMClock, amdText(follow(newest, "frequency.actual")), 0)
	a.Readings = append(a.Readings, r)
	return nil
}

// xpuStats are the metrics of xpu-smi stats -j (Intel XPU Manager 1.x).
var xpuStats = map[string]train.Quantity{
	"XPUM_STATS_GPU_UTILIZATION": train.GPUUtilization, "XPUM_STATS_MEMORY_USED": train.GPUMemoryUsed,
	"XPUM_STATS_GPU_CORE_TEMPERATURE": train.GPUTemperature, "XPUM_STATS_MEMORY_TEMPERATURE": train.GPUMemoryTemp,
	"XPUM_STATS_POWER": train.GPUPower, "XPUM_STATS_GPU_FREQUENCY": train.GPUSMClock,
}

func isXPUStats(o readings.Outline) bool { return !o.Array && o.Has("device_level", "tile_level") }

// readXPUStats reads the values of the whole device.
func readXPUStats(text []byte, a *readings.Answer, origin readings.Origin) error {
	var stats struct {
		Device json.Number `json:"device_id"`
		Values []struct {
			Type  string   `json:"metrics_type"`
			Value *float64 `json:"value"`
		} `json:"device_level"`
	}
	if err := json.Unmarshal(text, &stats); err != nil {
		return fmt.Errorf("reading the JSON of xpu-smi stats: %w", err)
	}
	r := train.GPUReading{GPU: train.GPU{Node: origin.Node, Index: stats.Device.String()}, Source: train.FromTool, At: origin.At}
	for _, v := range stats.Values {
		if q, known := xpuStats[v.Type]; known && v.Value != nil {
			note(a, &r, q, strconv.FormatFloat(*v.Value, 'f', -1, 64), 0)
		}
	}
	a.Readings = append(a.Readings, r)
	return nil
}
