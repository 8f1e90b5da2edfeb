package metrics

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// expectation is the file beside each sample in testdata: the content of the text as
// a person read it, and where the text is from ("source", "origin").
type expectation struct {
	File     string           `json:"file"`
	Error    bool             `json:"error"`
	Reported bool             `json:"told"` // a part of it is bad, beside what is read
	Devices  []map[string]any `json:"devices"`
}

// expected maps a field of an expectation to the value of a reading.
var expected = map[string]func(*train.GPUReading) any{
	"gpu":              func(r *train.GPUReading) any { return orNil(r.GPU.Index) },
	"uuid":             func(r *train.GPUReading) any { return orNil(r.GPU.UUID) },
	"model":            func(r *train.GPUReading) any { return orNil(r.GPU.Model) },
	"mig_profile":      func(r *train.GPUReading) any { return orNil(r.GPU.MIG.Profile) },
	"mig_id":           func(r *train.GPUReading) any { return orNil(r.GPU.MIG.Instance) },
	"vgpu":             func(r *train.GPUReading) any { return orNil(r.GPU.Share) },
	"namespace":        func(r *train.GPUReading) any { return orNil(r.GPU.Namespace) },
	"pod":              func(r *train.GPUReading) any { return orNil(r.GPU.Pod) },
	"container":        func(r *train.GPUReading) any { return orNil(r.GPU.Container) },
	"util_pct":         value(train.GPUUtilization),
	"mem_used_mib":     value(train.GPUMemoryUsed),
	"mem_used_mb":      value(train.GPUMemoryUsed),
	"mem_total_mib":    value(train.GPUMemoryTotal),
	"mem_total_mb":     value(train.GPUMemoryTotal),
	"temp_c":           value(train.GPUTemperature),
	"mem_temp_c":       value(train.GPUMemoryTemp),
	"power_w":          value(train.GPUPower),
	"power_cap_w":      value(train.GPUPowerLimit),
	"xid":              value(train.GPUXid),
	"sm_active":        value(train.GPUSMActive),
	"tensor_active":    value(train.GPUTensorActive),
	"dram_active":      value(train.GPUDRAMActive),
	"gr_engine_active": value(train.GPUGraphics),
	"sm_clock_mhz":     value(train.GPUSMClock),
	"pci_bus_id":       func(r *train.GPUReading) any { return orNil(r.GPU.Bus) },
}

func orNil(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func value(q train.Quantity) func(*train.GPUReading) any {
	return func(r *train.GPUReading) any {
		if number, known := r.Values.Get(q); known {
			return number
		}
		return nil
	}
}

func TestSamples(t *testing.T) {
	sidecars, err := filepath.Glob("testdata/*.expect.json")
	captures, captureErr := filepath.Glob("testdata/*/*.expect.json")
	if len(sidecars) == 0 || len(captures) == 0 {
		t.Fatalf("no samples: %v, %v", err, captureErr)
	}
	sidecars = append(sidecars, captures...)
	for _, sidecar := range sidecars {
		t.Run(strings.TrimSuffix(filepath.Base(sidecar), ".expect.json"), func(t *testing.T) {
			text, err := os.ReadFile(sidecar)
			if err != nil {
				t.Fatal(err)
			}
			var want expectation
			if err := json.Unmarshal(text, &want); err != nil {
				t.Fatal(err)
			}
			checkSample(t, filepath.Dir(sidecar), want)
		})
	}
}

func checkSample(t *testing.T, folder string, want expectation) {
	in, err := os.Open(filepath.Join(folder, want.File))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	a, err := readSample(in)
	if empty, _ := in.Stat(); err != nil && !want.Error && empty.Size() > 0 && a.Format != NoFormat {
		t.Errorf("reading: %v", err)
	}
	if (want.Error || want.Reported) && err == nil && len(a.Problems) == 0 {
		t.Error("nothing is said about what is bad in it")
	}
	if !want.Error && !want.Reported && len(a.Problems) > 0 {
		t.Errorf("problems where there are none: %v", a.Problems)
	}
	if len(a.Readings) != len(want.Devices) {
		t.Fatalf("%s: %d readings, want %d: %+v", a.Format, len(a.Readings), len(want.Devices), a.Readings)
	}
	left := a.Readings
	for _, device := range want.Devices {
		best, fewest := -1, []string(nil)
		for i := range left {
			if wrong := differences(device, &left[i]); best < 0 || len(wrong) < len(fewest) {
				best, fewest = i, wrong
			}
		}
		if len(fewest) > 0 {
			t.Errorf("%v %v: %s", device["gpu"], device["uuid"], strings.Join(fewest, ", "))
		}
		left = append(left[:best:best], left[best+1:]...)
	}
}

// readSample reads a text as a file is read: a log in which somebody ran nvidia-smi
// has its table.
func readSample(in io.ReadSeeker) (Answer, error) {
	a, err := Read(in, Origin{})
	if a.Format != NoFormat {
		return a, err
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return a, err
	}
	text, readErr := io.ReadAll(in)
	if readErr != nil {
		return a, err
	}
	if shown, found := InLog(text); found {
		return shown, nil
	}
	return a, err
}

func differences(want map[string]any, got *train.GPUReading) []string {
	var wrong []string
	for field, wanted := range want {
		read, known := expected[field]
		if !known {
			continue
		}
		is := read(got)
		if number, isNumber := wanted.(float64); isNumber {
			if value, ok := is.(float64); ok && math.Abs(value-number) <= max(0.01, 0.001*math.Abs(number)) {
				continue
			}
		}
		if is != wanted {
			a, _ := json.Marshal(is)
			b, _ := json.Marshal(wanted)
			wrong = append(wrong, field+" "+string(a)+" not "+string(b))
		}
	}
	return wrong
}
