package metrics

import (
	"fmt"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

const smallPage = "# TYPE DCGM_FI_DEV_GPU_UTIL gauge\nDCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-1\"} 97\nDCGM_FI_DEV_GPU_TEMP{gpu=\"0\",UUID=\"GPU-1\"} 61\n"

// A text is read through what was put around its lines on the way.
func TestWrapped(t *testing.T) {
	around := func(before, after string) string {
		var all strings.Builder
		for line := range strings.Lines(smallPage) {
			all.WriteString(before + strings.TrimSuffix(line, "\n") + after + "\n")
		}
		return all.String()
	}
	for what, text := range map[string]string{
		"the times of kubectl logs":        around("2026-05-07T10:36:57.123456789Z ", ""),
		"a container of docker compose":    around("exporter-1  | ", ""),
		"the pod of kubectl logs":          around("[pod/dcgm-x/main] ", ""),
		"a pod and a time":                 around("[pod/dcgm-x/main] 2026-05-07T10:36:57Z ", ""),
		"a quotation":                      around("> ", ""),
		"a page":                           "<html><body>\n<pre>" + strings.ReplaceAll(smallPage, `"`, "&quot;") + "</pre>\n",
		"the lines of Windows, quoted":     strings.ReplaceAll(around("> ", ""), "\n", "\r\n"),
		"a fence inside of a quotation":    "> ```\n" + around("> ", "") + "> ```\n",
		"nothing, with tags in its values": smallPage,
	} {
		a, err := Read(strings.NewReader(text), Origin{})
		if err != nil || len(a.Readings) != 1 || len(a.Problems) > 0 {
			t.Errorf("%s: %v, %q, %d GPUs, %v", what, err, a.Format, len(a.Readings), a.Problems)
			continue
		}
		if use, _ := a.Readings[0].Values.Get(train.GPUUtilization); use != 97 {
			t.Errorf("%s: use %v", what, use)
		}
	}
}

// A log stays a log, whatever is around its lines.
func TestLogsAreNotWrappedTexts(t *testing.T) {
	steps := func(line string) string {
		var all strings.Builder
		for i := range 40 {
			fmt.Fprintf(&all, line+"\n", i)
		}
		return all.String()
	}
	for what, text := range map[string]string{
		"times":                       steps("2026-05-07T10:36:57Z step %d loss 2.5"),
		"a prefix and names":          steps("[rank0] train_loss %d"),
		"an answer of Prometheus":     steps(`2026-05-07T10:36:57Z {"status":"success","data":{},"n":%d}`),
		"a message of a driver":       "2026-05-07T10:36:57Z No devices were found\n" + steps("2026-05-07T10:36:57Z waiting %d"),
		"a page of a proxy":           "<html>\n<h1>502 Bad Gateway</h1>\n</html>\n",
		"a table in the middle":       steps("step %d") + "| GPU | Memory | Util |\n|-----|-----|----|\n| 0 | 3GiB | 5% |\n",
		"a table first, and steps":    "+-----+--------+------+\n| GPU | Memory | Util |\n+-----+--------+------+\n| 0   | 3GiB   | 5%   |\n+-----+--------+------+\n" + steps("step %d loss 2.5"),
		"a table of layers":           "| Name | Type | Params | Memory |\n|------|------|--------|------|\n| fc | Linear | 4 M | 3MB |\n| head | Linear | 4 M | 3MB |\n",
		"a table of models":           "| GPU | Memory | Power |\n|-----|--------|-------|\n| H100 | 80GB | 700W |\n| B200 | 192GB | 1000W |\n",
		"lines that look like facts":  steps("GPU ID: %d") + "GPU Power (W): 300\nGPU Utilization (%%): 5\n",
		"tegrastats beside other":     steps("step %d") + "RAM 364/6030MB (lfb 2x4MB) CPU [6%,1%] GR3D_FREQ 0%\n",
		"a device and a name":         "device: 0\nname: x\n" + steps("it %d"),
		"a CSV with a device":         "device,step\n" + steps("0,%d"),
		"JSON with a list of devices": `{"devices":[{"index":0}],"gpus":[1]}`,
	} {
		if format := Detect([]byte(text)); format != NoFormat && format != ServerText {
			t.Errorf("%s is taken for %q", what, format)
		}
	}
}
