package metrics

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/sources/metrics/readings"
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
		"gpu_power_limit_watts":       train.GPUPowerLimit,
		"gpu_clock_mhz":               0,
		"gpu_utilization_celsius":     0,
		"gpu_memory_used_total_bytes": 0,
		"gpu_memory_used_mb_bytes":    0,
		"container_gpu_memory_total":  0,
	} {
		m := measureOf(readings.ParseField(name), "")
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

// TestGPUsByLabels checks that labels and descriptions that are in no list are read by their words.
func TestGPUsByLabels(t *testing.T) {
	for page, want := range map[string]string{
		"node_gpu_temp_c{gpu_num=\"1\"} 62\n":                                                                        "1 temp=62",
		"mx_chip_temp{deviceId=\"0\",deviceName=\"MXC500\",uuid=\"GPU-3f0a1234\"} 41\n":                              "0 uuid=GPU-3f0a1234 model=MXC500 temp=41",
		"xpu_power{dev=\"0\",model=\"R300\"} 120\n":                                                                  "0 model=R300 power=120",
		"# HELP gpu_power Power in milliwatts\n# TYPE gpu_power gauge\ngpu_power{gpu=\"0\"} 1200\n":                  "0 power=1.2",
		"# HELP gpu_memory_used Used memory in KiB\n# TYPE gpu_memory_used gauge\ngpu_memory_used{gpu=\"0\"} 2048\n": "0 mem=2",
		"# HELP gpu_utilization From 0 to 1\n# TYPE gpu_utilization gauge\ngpu_utilization{gpu=\"0\"} 1\n":           "0 use=100",
		"some_gpu_power_watts{device=\"0000:03:00.0\",domain=\"card\"} 47\n":                                         "0000:03:00.0 power=47",
		"some_gpu_temperature_celsius{device=\"0000:03:00.0\",sensor=\"vram\"} 47\n":                                 "",
		"disk_temperature_celsius{device=\"0\",model=\"Samsung SSD\"} 34\n":                                          "",
		"node_memory_used_bytes{node=\"a\",id=\"0\"} 34\n":                                                           "",
	} {
		a, err := Read(strings.NewReader(page), Origin{})
		got := ""
		if len(a.Readings) > 0 {
			got = short(&a.Readings[0])
		}
		if err != nil || got != want {
			t.Errorf("%q: %v, read %q, want %q", page, err, got, want)
		}
	}
}
