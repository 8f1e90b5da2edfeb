package tools

import (
	"testing"

	"github.com/traintop/traintop/sources/metrics/readings"
)

// A log with the GPU of its rank beside the loss is no report of GPUs.
func TestLogsOfTrainingAreNoReports(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"step,loss,gpu,memory_used,memory_total,temperature\n0,3.0,0,41233,81559,61\n1,2.9,0,41233,81559,61\n",
		"gpu  lr  temperature  power\n0  0.1  61  300\n0  0.1  61  301\n",
		"| gpu | iteration | temp | power |\n| 0 | 5 | 61 | 300 |\n",
		`{"step": 0, "loss": 3.0, "gpu": 0, "memory_used": 41233, "memory_total": 81559, "temperature": 61}`,
		`{"step": 0, "acc": 0.3, "system": {"gpu": 0, "temperature": 61, "power": 300}}`,
		`[{"step": 0, "loss": 3.0, "gpu_name": "NVIDIA A100", "gpu_temp": 61, "gpu_power": 300}]`,
		"GPU 0: loss 2.31, memory used: 8.1 GB, temp: 62C, util: 97%\n",
	} {
		head := []byte(text)
		if format := Detect(head); format != readings.NoFormat || IsAnyJSON(head) {
			t.Errorf("%q is taken for %q", text, format)
		}
	}
}
