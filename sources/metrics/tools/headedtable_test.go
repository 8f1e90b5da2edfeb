package tools

import (
	"fmt"
	"strings"
	"testing"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// A table of a tool that nobody has seen is read by the words of its heading.
func TestTableOfAnUnknownTool(t *testing.T) {
	for what, text := range map[string]string{
		"one row for a device": `
+-----+-----------+--------------+------+-------+------------------+------+
| NPU | Name      | Bus-Id       | Temp | Power | Memory-Usage     | Util |
+-----+-----------+--------------+------+-------+------------------+------+
| 0   | Acme X100 | 0000:01:00.0 | 61C  | 250W  | 1024MiB/65536MiB | 97%  |
+-----+-----------+--------------+------+-------+------------------+------+
| 1   | Acme X100 | 0000:02:00.0 | N/A  | N/A   | 0MiB/65536MiB    | 0%   |
+-----+-----------+--------------+------+-------+------------------+------+
`,
		"numbers without units": `
+-----------------------------------------------------------------------------------------+
|                              Device Information KMD ver: 1.2.92                          |
+-----+-----------+--------+--------------+------+---------+------+---------------------+-------+
| NPU |   Name    | Device |  PCI BUS ID  | Temp |  Power  | Perf | Memory(used/total)  | Util  |
+-----+-----------+--------+--------------+------+---------+------+---------------------+-------+
| 0   | Acme X100 | acme0  | 0000:01:00.0 | 61   |  250W   | P14  |  1.0GiB / 64.0GiB   | 97.0  |
+-----+-----------+--------+--------------+------+---------+------+---------------------+-------+
| 1   | Acme X100 | acme1  | 0000:02:00.0 | N/A  |   N/A   | P14  |  0.0B / 64.0GiB     | 0.0   |
+-----+-----------+--------+--------------+------+---------+------+---------------------+-------+
`,
		"two rows, drawn with lines": `
┌─────────────────────────┬───────────────────────┬───────────┐
│ XPU  Name               │ Bus-Id                │           │
│ Temp  Pwr:Usage/Cap     │ Memory-Usage          │ XPU-Util  │
├─────────────────────────┼───────────────────────┼───────────┤
│ 0    Acme X100          │ 0000:01:00.0          │           │
│ 61C   250W / 400W       │ 1024MiB / 65536MiB    │ 97%       │
├─────────────────────────┼───────────────────────┼───────────┤
│ 1    Acme X100          │ 0000:02:00.0          │           │
│ N/A   N/A / 400W        │ 0MiB / 65536MiB       │ 0%        │
└─────────────────────────┴───────────────────────┴───────────┘
`,
	} {
		if format := Detect([]byte(text)); format != "a table with a heading" {
			t.Errorf("%s is taken for %q", what, format)
		}
		var a readings.Answer
		if err := readHeadedTable(text, &a, readings.Origin{}); err != nil || len(a.Problems) > 0 {
			t.Errorf("%s: %v, %v", what, err, a.Problems)
		}
		var got []string
		for i := range a.Readings {
			r := &a.Readings[i]
			row := r.GPU.Index + " " + r.GPU.Model + " " + r.GPU.Bus
			for _, q := range []train.Quantity{train.GPUTemperature, train.GPUPower, train.GPUMemoryUsed, train.GPUMemoryTotal, train.GPUUtilization} {
				if value, known := r.Values.Get(q); known {
					row += fmt.Sprint(" ", value)
				} else {
					row += " -"
				}
			}
			got = append(got, row)
		}
		const want = "0 Acme X100 0000:01:00.0 61 250 1024 65536 97|1 Acme X100 0000:02:00.0 - - 0 65536 0"
		if all := strings.Join(got, "|"); all != want {
			t.Errorf("%s: %s, want %s", what, all, want)
		}
	}
}
