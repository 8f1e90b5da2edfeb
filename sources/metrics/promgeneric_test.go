package metrics

import (
	"strings"
	"testing"
)

// TestUnknownSeries: series of an exporter that has no reader of its own are read by the words of
// their names, also without the envelope of their answer.
func TestUnknownSeries(t *testing.T) {
	const list = `[{"metric":{"__name__":"mygpu_gpu_utilization_percent","gpu":"3","node":"n1"},"value":[1700000000,"57"]},` +
		`{"metric":{"__name__":"mygpu_gpu_power_watts","gpu":"3","node":"n1"},"value":[1700000000,"120.5"]},` +
		`{"metric":{"__name__":"node_memory_used_bytes","device":"3","node":"n1"},"value":[1700000000,"5"]}]`
	for what, text := range map[string]string{"an answer": `{"status":"success","data":{"resultType":"vector","result":` + list + `}}`, "its series": list} {
		a, err := Read(strings.NewReader(text), Origin{})
		if err != nil || len(a.Readings) != 1 || short(&a.Readings[0]) != "3 node=n1 use=57 power=120.5" {
			t.Errorf("%s: %v, %+v", what, err, a.Readings)
		}
	}
	if format := Detect([]byte(`[{"metric":"loss","value":0.5},{"metric":"gpu_temp","value":40}]`)); format == PrometheusAPI {
		t.Error("names and values of anything are taken for an answer")
	}
	quiet, err := Read(strings.NewReader(`[{"metric":{"__name__":"DEVICE_TEMP","device":"sda"},"value":[1700000000,"40"]},{"metric":{"__name__":"ups_power_watts","device":"1"},"value":[1700000000,"40"]}]`), Origin{})
	if len(quiet.Readings) > 0 {
		t.Errorf("%v, %+v", err, quiet.Readings)
	}
}
