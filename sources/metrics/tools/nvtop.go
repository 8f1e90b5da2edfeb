package tools

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// nvtopKeys are the keys of nvtop 3 --snapshot; the memory is in bytes.
var nvtopKeys = []struct {
	quantity  train.Quantity
	key, unit string
}{
	{train.GPUUtilization, "gpu_util", ""},
	{train.GPUMemoryUsed, "mem_used", " B"},
	{train.GPUMemoryTotal, "mem_total", " B"},
	{train.GPUTemperature, "temp", ""},
	{train.GPUPower, "power_draw", ""},
	{train.GPUSMClock, "gpu_clock", ""},
	{train.GPUMemoryClock, "mem_clock", ""},
}

// readNVTop reads nvtop --snapshot: an array with an object for each GPU, of any
// maker, whose values are text or null. GPUs have no index in it; their order gives
// it.
func readNVTop(text []byte, a *readings.Answer, origin readings.Origin) error {
	var all []json.RawMessage
	if err := json.Unmarshal(text, &all); err != nil {
		return fmt.Errorf("reading the JSON of nvtop: %w", err)
	}
	for i, one := range all {
		var values map[string]any
		if json.Unmarshal(one, &values) != nil {
			a.AddProblem(0, "an entry that is no GPU: %s", readings.Quote(one))
			continue
		}
		if len(a.Readings) < maxRows {
			a.Readings = append(a.Readings, nvtopReading(a, values, strconv.Itoa(i), origin))
		}
	}
	return nil
}

func nvtopReading(a *readings.Answer, values map[string]any, index string, origin readings.Origin) train.GPUReading {
	r := train.GPUReading{
		GPU:    train.GPU{Node: origin.Node, Index: index, Model: amdText(values["device_name"]), Bus: amdText(values["pdev"])},
		Source: train.FromTool, At: origin.At,
	}
	for _, k := range nvtopKeys {
		text := amdText(values[k.key])
		if endsInDigit(text) {
			text += k.unit
		}
		note(a, &r, k.quantity, text, 0)
	}
	return r
}

func isNVTop(o readings.Outline) bool {
	return o.Array && o.Has("device_name") && o.Has("gpu_util", "gpu_clock", "power_draw")
}
