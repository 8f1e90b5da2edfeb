package metrics

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

func TestMeasuresByWords(t *testing.T) {
	for name, want := range map[string]train.Quantity{
		"gpu_temp_celsius":            train.GPUTemperature,
		"temperature_gpu":             train.GPUTemperature,
		"gpu_memory_temperature":      train.GPUMemoryTemp,
		"gpu_usage":                   train.GPUUtilization,
		"gpu_utilization_percent":     train.GPUUtilization,
		"nvidia_utilization_gpu":      train.GPUUtilization,
		"gpu_mem_used_bytes":          train.GPUMemoryUsed,
		"gpu_memory_usage_bytes":      train.GPUMemoryUsed,
		"memory_total":                train.GPUMemoryTotal,
		"gpu_power_draw_watts":        train.GPUPower,
		"nvidia_power_usage":          train.GPUPower,
		"gpu_power_usage_milliwatts":  train.GPUPower,
		"gpu_mem_usage":               0, // a percentage or bytes
		"gpu_cache_usage_perc":        0,
		"gpu_process_memory_bytes":    0,
		"gpu_encode_decode_usage":     0,
		"nvidia_power_usage_average":  0,
		"gpu_power_limit_watts":       0,
		"gpu_clock_mhz":               0,
		"gpu_utilization_celsius":     0,
		"gpu_memory_used_total_bytes": 0,
		"gpu_memory_used_mb_bytes":    0,
		"container_gpu_memory_total":  0,
	} {
		m := measureOfWords(parseName(name))
		switch {
		case m == nil && want != 0:
			t.Errorf("%s measures nothing", name)
		case m != nil && m.quantity != want:
			t.Errorf("%s measures quantity %d, want %d", name, m.quantity, want)
		}
	}
}

// TestUnitsByWords: a number without a unit in its name.
func TestUnitsByWords(t *testing.T) {
	for _, c := range []struct {
		page string
		q    train.Quantity
		want float64 // of the first GPU; negative: unknown
	}{
		{"gpu_utilization{gpu=\"0\"} 0.85\ngpu_utilization{gpu=\"1\"} 1\n", train.GPUUtilization, 85},
		{"gpu_utilization{gpu=\"0\"} 1\ngpu_utilization{gpu=\"1\"} 37\n", train.GPUUtilization, 1},
		{"gpu_utilization{gpu=\"0\"} 1\ngpu_utilization{gpu=\"1\"} 0\n", train.GPUUtilization, -1},
		{"gpu_utilization{gpu=\"0\"} 0\ngpu_utilization{gpu=\"1\"} 0\n", train.GPUUtilization, 0},
		{"gpu_utilization_percent{gpu=\"0\"} 1\n", train.GPUUtilization, 1},
		{"gpu_power_usage{gpu=\"0\"} 10680\n", train.GPUPower, 10.68},
		{"gpu_power_usage{gpu=\"0\"} 690\n", train.GPUPower, 690},
		{"memory_used{gpu=\"TITAN X (Pascal)[0]\"} 12189\n", train.GPUMemoryUsed, 12189},
		{"gpu_memory_used{gpu=\"0\"} 12781092864\n", train.GPUMemoryUsed, 12189},
		{"gpu_memory_used_gb{gpu=\"0\"} 12\n", train.GPUMemoryUsed, 12288},
	} {
		a, err := Read(strings.NewReader(c.page), Origin{})
		if err != nil || len(a.Readings) == 0 {
			t.Errorf("%q: %v, %d readings", c.page, err, len(a.Readings))
			continue
		}
		got, known := a.Readings[0].Values.Get(c.q)
		if known != (c.want >= 0) || known && got != c.want {
			t.Errorf("%q: %v (known: %v), want %v", c.page, got, known, c.want)
		}
	}
}

// TestNoGPUsByWords: samples that have no GPU, or no number of one.
func TestNoGPUsByWords(t *testing.T) {
	for _, page := range []string{
		"vllm:gpu_cache_usage_perc{engine=\"0\",gpu=\"0\"} 0.5\n",
		"memory_used{node=\"a\"} 5\n",
		"gpu_memory_used_bytes{gpu=\"0\",pid=\"77\"} 5e9\n",
		"gpu_utilization{gpu=\"A100\"} 5\n",
	} {
		if a, err := Read(strings.NewReader(page), Origin{}); err != nil || len(a.Readings) > 0 {
			t.Errorf("%q: %v, %+v", page, err, a.Readings)
		}
	}
}
