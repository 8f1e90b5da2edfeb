package metrics

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// Reasons for a lower clock, as driver 590 writes them with -q and -q -x, and as
// driver 535 and later write the columns of --query-gpu.
func TestReasonsOneByOne(t *testing.T) {
	const (
		head     = "==============NVSMI LOG==============\n\nAttached GPUs                             : 1\nGPU 00000000:4D:00.0\n    Product Name                          : NVIDIA H200\n"
		healthy  = "        HW Slowdown                       : Not Active\n            HW Thermal Slowdown           : Not Active\n        SW Thermal Slowdown               : Not Active\n"
		hot      = "        Idle                              : Not Active\n        SW Power Cap                      : Active\n        HW Slowdown                       : Active\n            HW Thermal Slowdown           : Active\n        SW Thermal Slowdown               : [Unknown Error]\n"
		counters = "    Clocks Event Reasons Counters\n        SW Power Capping                  : 33 us\n        HW Thermal Slowdown               : 7 us\n"
	)
	for _, c := range []struct {
		what, text string
		want       float64
		known      bool
	}{
		{"-q, hot", head + "    Clocks Event Reasons\n" + hot + counters, 4 + 8 + 64, true},
		{"-q, before driver 535", head + "    Clocks Throttle Reasons\n" + hot, 4 + 8 + 64, true},
		{"-q, none", head + "    Clocks Event Reasons\n" + healthy, 0, true},
		{"-q, not supported", head + "    Clocks Event Reasons\n" + strings.ReplaceAll(healthy, "Not Active", "N/A"), 0, false},
		{"-q, only counters", head + counters, 0, false},
		{"-q -x", "<?xml version=\"1.0\" ?>\n<nvidia_smi_log><gpu id=\"00000000:4D:00.0\"><clocks_event_reasons><clocks_event_reason_sw_thermal_slowdown>Active</clocks_event_reason_sw_thermal_slowdown><clocks_event_reason_hw_slowdown>Not Active</clocks_event_reason_hw_slowdown></clocks_event_reasons></gpu></nvidia_smi_log>", 32, true},
		{"columns", "index, clocks_event_reasons.hw_slowdown, clocks_event_reasons.hw_thermal_slowdown, clocks_event_reasons.sw_thermal_slowdown\n0, Active, Active, Not Active\n", 8 + 64, true},
		{"columns, none", "index, clocks_throttle_reasons.hw_slowdown, clocks_throttle_reasons.sw_thermal_slowdown\n0, Not Active, Not Active\n", 0, true},
		{"a column that tells of idleness alone", "index, clocks_throttle_reasons.gpu_idle, utilization.gpu [%]\n0, Not Active, 5 %\n", 0, false},
		{"columns, unknown", "index, clocks_throttle_reasons.hw_slowdown, clocks_throttle_reasons.sw_thermal_slowdown\n0, [Unknown Error], [N/A]\n", 0, false},
		{"all bits, which are more", "index, clocks_event_reasons.active, clocks_event_reasons.sw_power_cap\n0, 0x0000000000000024, Active\n", 36, true},
		{"all bits, unknown", "index, clocks_event_reasons.active, temperature.gpu\n0, [Unknown Error], 44\n", 0, false},
	} {
		a, err := Read(strings.NewReader(c.text), Origin{})
		if err != nil || len(a.Readings) != 1 {
			t.Errorf("%s (%s): %v, %d GPUs", c.what, a.Format, err, len(a.Readings))
			continue
		}
		if got, known := a.Readings[0].Values.Get(train.GPUThrottle); got != c.want || known != c.known {
			t.Errorf("%s: reasons %v, known %v; want %v, %v", c.what, got, known, c.want, c.known)
		}
	}
}

// A driver that cannot read a GPU writes so for each of its facts: it is reported
// once.
func TestLostGPUInDetails(t *testing.T) {
	a, err := Read(strings.NewReader("==============NVSMI LOG==============\n\nAttached GPUs                             : 2\nGPU 00000000:07:00.0\n    Product Name                          : NVIDIA A100-SXM4-40GB\n    Fan Speed                             : Unknown Error\n    Utilization\n        Gpu                               : 7 %\nGPU 00000000:0A:00.0\n    Product Name                          : NVIDIA A100-SXM4-40GB\n    FB Memory Usage\n        Total                             : GPU is lost\n        Used                              : GPU is lost\nUnable to determine the device handle for GPU 0000:0B:00.0: GPU is lost.  Reboot the system to recover this GPU\n"), Origin{})
	if err != nil || len(a.Readings) != 2 {
		t.Fatal(err, len(a.Readings))
	}
	var problems []string
	for _, p := range a.Problems {
		problems = append(problems, p.Text)
	}
	want := "Unable to determine the device handle for GPU 0000:0B:00.0: GPU is lost. Reboot the system to recover this GPU|GPU 1 cannot be read: GPU is lost"
	if got := strings.Join(problems, "|"); got != want {
		t.Errorf("problems %q", got)
	}
}
