package tools

import (
	"testing"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

func TestJoinsTiles(t *testing.T) {
	const dump = `Timestamp,DeviceId,TileId,GPU Utilization (%),GPU Power (W),GPU Core Temperature (Celsius Degree)
13:31:43.100, 0, 0, 90, 100, 50
13:31:43.100, 0, 1, 10, 60, 40
13:31:44.100, 0, 0, 80, 90, 55
13:31:44.100, 0, 1, 20,    , 45
`
	a := readings.Answer{}
	if err := readXPUDump(dump, &a, readings.Origin{}); err != nil || len(a.Readings) != 1 {
		t.Fatalf("%v, %+v", err, a.Readings)
	}
	v := &a.Readings[0].Values
	if use, _ := v.Get(train.GPUUtilization); use != 50 {
		t.Errorf("utilization %v, want the mean of both tiles", use)
	}
	if temp, _ := v.Get(train.GPUTemperature); temp != 55 {
		t.Errorf("temperature %v, want that of the hottest tile", temp)
	}
	if power, known := v.Get(train.GPUPower); known {
		t.Errorf("power %v, though that of one tile is unknown", power)
	}
}

// TestKeepsProgramsPairs: names of a program that look like those of a tool are none.
func TestKeepsProgramsPairs(t *testing.T) {
	for _, text := range []string{
		`step 5 {'loss': 0.5, 'gpu util (%)': '97', 'temp (C)': 60}`,
		`{"device_name": "cuda:0", "batch": 4}`,
		`"GPU use (%)": "100"`,
	} {
		h := head{text: []byte(text), lines: []string{text}}
		if isPairs(&h) {
			t.Errorf("taken for names and values of a tool: %s", text)
		}
	}
}
