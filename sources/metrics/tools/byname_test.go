package tools

import (
	"fmt"
	"strings"
	"testing"

	"github.com/traintop/traintop/sources/metrics/readings"
	"github.com/traintop/traintop/train"
)

// brief is what a reading knows, for comparisons.
func brief(a *readings.Answer) string {
	var all []string
	for i := range a.Readings {
		r := &a.Readings[i]
		text := r.GPU.Index
		if r.GPU.Model != "" {
			text += " " + r.GPU.Model
		}
		for _, q := range []struct {
			name     string
			quantity train.Quantity
		}{{"use", train.GPUUtilization}, {"mem", train.GPUMemoryUsed}, {"of", train.GPUMemoryTotal}, {"temp", train.GPUTemperature}, {"power", train.GPUPower}} {
			if value, known := r.Values.Get(q.quantity); known {
				text += fmt.Sprintf(" %s=%g", q.name, value)
			}
		}
		all = append(all, text)
	}
	return strings.Join(all, "; ")
}

// TestTextsOfAnyTool: what no tool is known to print is read by the words of its columns, names
// and keys.
func TestTextsOfAnyTool(t *testing.T) {
	for what, c := range map[string]struct{ text, want string }{
		"columns between blanks": {"GPU  NAME      UTIL%  MEM USED  MEM TOTAL  TEMP  POWER\n0    RTX 4090  87%    20480MiB  24564MiB   71C   402.5W\n",
			"0 RTX 4090 use=87 mem=20480 of=24564 temp=71 power=402.5"},
		"a table of Markdown": {"| GPU | Name | Temp | Memory Used | Memory Free | Util |\n|---|---|---|---|---|---|\n| 1 | NVIDIA H200 NVL | 47°C | 86006 MiB (~84 GiB) | 57151 MiB | 48% |\n",
			"1 NVIDIA H200 NVL use=48 mem=86006 of=143157 temp=47"},
		"a box with a pair":    {"│ GPU │ Temp │ VRAM              │ Usage │\n│ 0   │ 55°C │ 120.5 / 192.0 GiB │ 88%   │\n", "0 use=88 mem=123392 of=196608 temp=55"},
		"several headings":     {"| NPU   Name  | Power(W)   Temp(C) |\n| 0     910B3 | 71.5       42      |\n| Chip   AICore(%)   Memory-Usage(MB)   HBM-Usage(MB) |\n| 0      12          100 / 32768        2048 / 65536  |\n", "0 910B3 use=12 mem=2048 of=65536 temp=42 power=71.5"},
		"semicolons":           {"gpu;temperature [C];power [W];memory used [MiB];memory total [MiB]\n0;70;255;40000;48601\n", "0 mem=40000 of=48601 temp=70 power=255"},
		"the newest row":       {"ts,gpu,util,mem_used_mb,power_w,temp_c\n1.5,0.0,35,12814.0,102.0,70.0\n2.5,0.0,40,12815.0,103.0,71.0\n", "0 use=40 mem=12815 temp=71 power=103"},
		"facts below":          {"GPU 0: NVIDIA A10\n  Temperature: 55 C\n  Power Draw: 120.5 W\n\nGPU 1: NVIDIA A10\n  Temperature: 44 C\n  Utilization: 0 %\n", "0 NVIDIA A10 temp=55 power=120.5; 1 NVIDIA A10 use=0 temp=44"},
		"facts behind":         {"[GPU 0] util=45%, mem=8.5/24.0 GB, temp=62C\ndevice=1 name=\"Tesla T4\" temp=61 power=65.2 mem_used=10211MiB mem_total=15360MiB\n", "0 use=45 mem=8704 of=24576 temp=62; 1 Tesla T4 mem=10211 of=15360 temp=61 power=65.2"},
		"headings of facts":    {"Card 0\n  Product Name : MLU370-X8\n  Temperature\n    Board : 40 C\n    Chip : 45 C\n  Physical Memory Usage\n    Total : 24576 MiB\n    Used : 1200 MiB\n", "0 MLU370-X8 mem=1200 of=24576 temp=45"},
		"a dictionary":         {"GPU = {\n  'index': 0,\n  'name': 'NVIDIA L4',\n  'memory_used': 12288,  # MB\n  'memory_total': 16_384,\n  'temperature': 68,\n", "0 NVIDIA L4 mem=12288 of=16384 temp=68"},
		"a device by its UUID": {"[2025-07-28 18:15:25] Device name : Tesla T4\n[2025-07-28 18:15:25] Device UUID : GPU-431ab665-6377\n[2025-07-28 18:15:25] Current temp: 29°C\n", " Tesla T4 temp=29"},
		"used and free memory": {"gpu,name,memory_used,memory_free,temp\n0,Tesla T4,340,14760,41\n", "0 Tesla T4 mem=340 of=15100 temp=41"},
		"fractions of GiB":     {"id  gpu util(%)  temp(C)\n3   7            40\n", "3 use=7 temp=40"},
	} {
		a := readings.Answer{}
		if ReadAny(c.text, &a, readings.Origin{}); brief(&a) != c.want {
			t.Errorf("%s: read %q, want %q", what, brief(&a), c.want)
		}
	}
}

// TestNoDevicesByWords: tables, facts and keys that are of something else.
func TestNoDevicesByWords(t *testing.T) {
	for what, text := range map[string]string{
		"disks":                   "ID   Name     Temp  Power  Used    Total\n0    nvme0n1  44C   6W     120GiB  512GiB\n",
		"cores of a CPU":          "core,name,utilization,temperature,memory_used_mb,memory_total_mb\n0,Xeon,33,55,1000,2000\n",
		"nodes":                   "NAME      CPU(cores)  CPU%  MEMORY(bytes)  MEMORY%\nworker-1  250m        3%    12Gi           40%\n",
		"a training log":          "epoch  step  loss  gpu_mem  mem_total  util\n0      10    2.13  12.1GiB  80GiB      93%\n",
		"products":                "| GPU | VRAM | Power | Price |\n|---|---|---|---|\n| RTX 4090 | 24 GB | 450 W | $1599 |\n",
		"processes":               "| GPU  PID    Type  Process name  GPU Memory Usage  Util |\n| 0    31794  C     python        5371MiB           5    |\n",
		"a server's JSON":         `{"id": 0, "temperature": 40, "power": 200, "memory_used_mb": 1000, "memory_total_mb": 2000}`,
		"requests for GPUs":       "NAME   READY  STATUS   GPU  MEMORY  NODE\njob-0  1/1    Running  8    64Gi    n1\n",
		"limits alone":            "| GPU | Name | Power limit | Memory |\n|---:|---|---:|---:|\n| 0 | NVIDIA GeForce RTX 3090 | 350.00 W | 24576 MiB |\n",
		"words about a device":    "GPU 0: out of memory\nTemperature: the sampling temperature is 0.7\n",
		"settings of an engine":   "gpu: 0\ntemperature: 0.7\ngpu_memory_utilization: 0.9\nmax_tokens: 100\n",
		"a UUID in a variable":    "name: NVIDIA A100\nNVIDIA_VISIBLE_DEVICES: GPU-431ab665-6377\nmemory: 10 GiB, temperature: 40\n",
		"UUID of something else":  "Device name: sda\nDevice UUID: 431ab665-6377\ntemperature: 40 C, power: 5 W\n",
		"memory that PyTorch has": "GPU 0: allocated 3.2 GiB, reserved 4.0 GiB, step 100\n",
	} {
		a := readings.Answer{}
		if ReadAny(text, &a, readings.Origin{}); len(a.Readings) > 0 {
			t.Errorf("%s: read %q", what, brief(&a))
		}
	}
}

// TestAnyJSON: objects with devices, wherever they are and however their keys are written.
func TestAnyJSON(t *testing.T) {
	for what, c := range map[string]struct{ text, want string }{
		"a list":               {`{"gpus":[{"index":0,"utilization":55,"memory_used_mb":20000,"memory_total_mb":46068,"temperature_c":60,"power_w":250.5}]}`, "0 use=55 mem=20000 of=46068 temp=60 power=250.5"},
		"bytes":                {`[{"gpuId":0,"memoryUsed":4294967296,"memoryTotal":10737418240,"gpuTemp":65}]`, "0 mem=4096 of=10240 temp=65"},
		"objects by name":      {`{"npu0":{"temperature_c":45,"aicore_util_percent":12,"hbm_used_mb":3300,"hbm_total_mb":65536}}`, "0 use=12 mem=3300 of=65536 temp=45"},
		"objects in it":        {`{"devices":[{"id":0,"model":"Gaudi2","memory":{"used_bytes":1073741824,"total_bytes":103079215104},"utilization":{"gpu":15},"power":{"usage_watts":110}}]}`, "0 Gaudi2 use=15 mem=1024 of=98304 power=110"},
		"units beside":         {`{"gpus":[{"index":1,"VRAM":{"Total VRAM":{"value":8176,"unit":"MiB"},"Total VRAM Usage":{"value":686,"unit":"MiB"}},"power":{"unit":"W","value":34}}]}`, "1 mem=686 of=8176 power=34"},
		"amdgpu_top":           {`{"devices":[{"Info":{"DeviceName":"AMD Radeon RX 6600"},"VRAM":{"Total VRAM":{"unit":"MiB","value":8176},"Total VRAM Usage":{"unit":"MiB","value":686}},"Sensors":{"GFX Power":{"unit":"W","value":34},"Edge Temperature":{"unit":"C","value":41},"Junction Temperature":{"unit":"C","value":45}},"gpu_activity":{"GFX":{"unit":"%","value":12},"Memory":{"unit":"%","value":3}},"fdinfo":{"Xorg (99)":{"usage":{"VRAM":{"unit":"MiB","value":11},"GFX":{"unit":"%","value":1}}}}}]}`, "0 AMD Radeon RX 6600 use=12 mem=686 of=8176 temp=45 power=34"},
		"one without a number": {`{"Info":{"DeviceName":"AMD Radeon RX 6600"},"Sensors":{"GFX Power":{"unit":"W","value":34},"Edge Temperature":{"unit":"C","value":41}}}`, "0 AMD Radeon RX 6600 temp=41 power=34"},
		"two without a number": {`[{"DeviceName":"AMD Radeon RX 6600","temp":40,"power_w":20},{"DeviceName":"AMD Radeon RX 6600","temp":41,"power_w":21}]`, "0 AMD Radeon RX 6600 temp=40 power=20; 1 AMD Radeon RX 6600 temp=41 power=21"},
		"cut off":              {`{"gpus":[{"index":0,"gpu_util":5,"temp":40},{"index":1,"gpu_util":6,"temp":41},{"ind`, "0 use=5 temp=40; 1 use=6 temp=41"},
		"a language model":     {`{"model":"deepseek-v3","temperature":1.5,"power":20}`, ""},
		"another's objects":    {`{"servers":[{"id":0,"temperature":40,"power":200,"memory_used_mb":1000}]}`, ""},
	} {
		a := readings.Answer{}
		if err := readAnyJSON([]byte(c.text), &a, readings.Origin{}); err != nil || brief(&a) != c.want {
			t.Errorf("%s: %v, read %q, want %q", what, err, brief(&a), c.want)
		}
	}
}

// TestCollectd: a plugin of collectd itself, whose memory is in bytes, beside one of the machine.
func TestCollectd(t *testing.T) {
	text := `PUTVAL "h/cpu-0/percent-used" interval=10.000 1617012345.123:43` + "\n" + `PUTVAL "h/gpu_nvidia-1/percent-gpu_used" interval=10.000 1617012345.123:43` + "\n" +
		`PUTVAL "h/gpu_nvidia-1/memory-used" interval=10.000 1617012345.123:1073741824` + "\n" + `PUTVAL "h/gpu_nvidia-1/memory-free" interval=10.000 1617012345.123:7516192768` + "\n" +
		`PUTVAL "h/gpu_nvidia-1/temperature" interval=10.000 1617012345.123:55` + "\n" + `PUTVAL "h/gpu_nvidia-1/power" interval=10.000 1617012345.123:120.5` + "\n"
	a := readings.Answer{}
	if known, err := Read(Detect([]byte(text)), []byte(text), &a, readings.Origin{}); !known || err != nil || brief(&a) != "1 use=43 mem=1024 of=8192 temp=55 power=120.5" {
		t.Errorf("%v: read %q", err, brief(&a))
	}
}

func TestRadeonTop(t *testing.T) {
	text := "Dumping to -, until termination.\n1502903295.84311: gpu 1.67%, ee 0.00%, vgt 0.00%, ta 0.00%, vram 30.01% 153.66mb\n" +
		"1502903296.84311: bus 03, gpu 2.50%, ee 0.00%, vgt 0.00%, vram 30.01% 153.75mb, gtt 1.10% 20.00mb\n"
	format := Detect([]byte(text))
	a := readings.Answer{}
	if known, err := Read(format, []byte(text), &a, readings.Origin{}); !known || err != nil || brief(&a) != "0 use=2.5 mem=153.75" {
		t.Errorf("%q, %v: read %q", format, err, brief(&a))
	}
}
