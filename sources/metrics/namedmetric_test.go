package metrics

import (
	"strings"
	"testing"
)

// TestQualifiedMetrics: a label that says what is measured belongs to the name of its metric.
func TestQualifiedMetrics(t *testing.T) {
	for page, want := range map[string]string{
		"nvml_memory_info{device=\"0\",state=\"used\"} 1073741824\nnvml_memory_info{device=\"0\",state=\"total\"} 85899345920\n": "0 mem=1024 of=81920",
		"amd_gpu_usage_percent{gpu=\"0\",type=\"gfx\"} 50\namd_gpu_usage_percent{gpu=\"0\",type=\"umc\"} 70\n":                   "0 use=50",
		"amd_gpu_memory_bytes{gpu=\"0\",type=\"used_gtt\"} 1048576\namd_gpu_power_watts{gpu=\"0\",type=\"socket\"} 34\n":         "0 power=34",
		"gpu_temperature_celsius{gpu=\"0\",type=\"ambient\"} 70\ngpu_temperature_celsius{gpu=\"0\",type=\"soc_peak\"} 64\n":      "0 temp=64",
		"gpu_utilization_percent 93\ngpu_temperature_celsius 64\n":                                                               "0 use=93 temp=64",
		"gpu_utilization_percent{job=\"a\"} 93\ngpu_utilization_percent{job=\"b\"} 7\ngpu_temperature_celsius 64\n":              "",
		"gpu_utilization_percent 93\n": "",
		"runai_cluster_gpu_utilization{cluster=\"a\"} 40\nrunai_cluster_gpu_memory_used_bytes{cluster=\"a\"} 100000000000\n": "",
	} {
		a, err := Read(strings.NewReader("# TYPE x gauge\n"+page), Origin{})
		got := ""
		if len(a.Readings) > 0 {
			got = short(&a.Readings[0])
		}
		if err != nil || len(a.Readings) > 1 || got != want {
			t.Errorf("%s%v, read %q, want %q", page, err, got, want)
		}
	}
}
