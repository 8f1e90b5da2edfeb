package metrics

import (
	"strings"
	"testing"
)

func TestTextsPastedWithMarkdown(t *testing.T) {
	want(t, "an exporter's page between fences", "```text\nDCGM_FI_DEV_GPU_TEMP{gpu=\"0\"} 54\nDCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} 7\n```\n", false, "0 use=7 temp=54")
	want(t, "a bad line keeps its number", "```\n\\# TYPE DCGM_FI_DEV_GPU_TEMP gauge\nDCGM_FI_DEV_GPU_TEMP{gpu=\"0\"} 54\nDCGM_FI_DEV_GPU_TEMP{gpu=\n```\n", true, "0 temp=54")
	want(t, "dcgmi dmon", "#Entity   GPUTL  MCUTL  FBTTL  FBUSD  TMPTR  POWER    XIDER\nID                                    C      W\n"+
		"GPU 0     97     41     81559  70233  61     612.403  0\nGPU 1     95     40     81559  N/A    58     598.120  79\nGPU-I 3   95     40     81559  70233  58     598.120  0\n"+
		"#Entity   GPUTL  MCUTL  FBTTL  FBUSD  TMPTR  POWER    XIDER\nID                                    C      W\nGPU 0     96     41     81559  70000  60     610.001  0\n",
		false, "0 use=96 mem=70000 of=81559 temp=60 power=610.001 xid=0", "1 use=95 of=81559 temp=58 power=598.12 xid=79")
	want(t, "dcgmi dmon of DCGM 2, cut", "# Entity  SMACT  TENSO  TMPTR\n      Id\n    GPU 0  0.998  0.412  61\n    GPU 1  0.9", false, "0 temp=61 tensor=0.412")
	want(t, "dcgmi dmon with a short row", "#Entity   GPUTL  TMPTR\nGPU 0     97\nGPU 1     95     60\n", true, "1 use=95 temp=60")
	want(t, "dmon with its heading escaped", "\\# gpu   pwr  temp    sm\n\\# Idx     W     C     %\n    0   111    83    25\n", false, "0 use=25 temp=83 power=111")
	long := "```\nDCGM_FI_DEV_GPU_TEMP{gpu=\"0\",x=\"" + strings.Repeat("y", 200<<10) + "\"} 54\n```\n"
	want(t, "a line longer than the buffer", long, false, "0 temp=54")
}

func TestTablesWithoutTheirHead(t *testing.T) {
	want(t, "rows of rocm-smi 5, the last one cut", "0    35.0c  34.0W   800Mhz  1600Mhz  0%    auto  300.0W    0%   0%\n1    61.0c  290.0W  1700Mhz 1600Mhz  0%    auto  300.0W   90%   99%\n2    61.0c  290.0W  17\n", true,
		"0 use=0 temp=35 power=34 cap=300 sm=800", "1 use=99 temp=61 power=290 cap=300 sm=1700")
	want(t, "rows of npu-smi below the row of a chip", "| 0     0                   | 0000:9D:00.0  | 12          0    / 0          62336/ 65536         |\n| 1     Ascend910           | OK            | 306.2       44                0    / 0             |\n| 0     2                   | 0000:99:00.0  | 13          0    / 0          63495/ 65536         |\n", false,
		"2 model=Ascend910 use=13 mem=63495 of=65536 temp=44 power=306.2")
	want(t, "nvidia-smi -q from the middle of its first GPU", "    FB Memory Usage\n        Total                             : 8119 MiB\n        Used                              : 48 MiB\n    Utilization\n        Gpu                               : 3 %\nGPU 00000000:41:00.0\n    Product Name                          : Tesla T4\n    Utilization\n        Gpu                               : 7 %\n", false,
		" use=3 mem=48 of=8119", " model=Tesla T4 use=7")
	want(t, "a title of another maker, one unit for a pair, the use in the first row", `+---------------------------------------------------------------------------------+
| MX-SMI 2.2.3                        Kernel Mode Driver Version: 2.14.6          |
|------------------------------------+---------------------+----------------------+
| GPU         NAME                   | Bus-id              | GPU-Util             |
| Temp        Pwr:Usage/Cap          | Memory-Usage        |                      |
|====================================+=====================+======================|
| 0           MetaX C500             | 0000:0e:00.0        | 12%                  |
| 36C         69W / 350W             | 858/65536 MiB       |                      |
+------------------------------------+---------------------+----------------------+
`, false, "0 model=MetaX C500 use=12 mem=858 of=65536 temp=36 power=69 cap=350")
	for _, text := range []string{
		"0 35.0c done\n1 36.0c done\n",
		"| 0     Ascend910           | OK            | -           43                0    / 0             |\n",
		"  Model\n    layers : 12\n    width : 512\n  Data\n    path : /x\n",
	} {
		if format := Detect([]byte(text)); format != NoFormat {
			t.Errorf("%.40q is taken for %s", text, format)
		}
	}
}

func TestMoreExporters(t *testing.T) {
	labels := `{minor_number="3",name="NVIDIA A100 80GB PCIe",ordinal="0",uuid="GPU-aaaaaaaa-1"} `
	want(t, "nvidia_gpu_prometheus_exporter", "nvidia_gpu_duty_cycle"+labels+"97\nnvidia_gpu_memory_used_bytes"+labels+"1.073741824e+09\nnvidia_gpu_power_usage_milliwatts"+labels+"300500\nnvidia_gpu_temperature_celsius"+labels+"61\nnvidia_gpu_num_devices 1\n", false,
		"0 uuid=GPU-aaaaaaaa-1 model=NVIDIA A100 80GB PCIe use=97 mem=1024 temp=61 power=300.5")
	want(t, "all-smi, with its HELP lines for each device", `# HELP all_smi_gpu_utilization GPU utilization percentage
# TYPE all_smi_gpu_utilization gauge
all_smi_gpu_utilization{gpu="NVIDIA H100", instance="n1", gpu_uuid="GPU-aaaaaaaa-1", gpu_index="0"} 97
# HELP all_smi_gpu_utilization GPU utilization percentage
# TYPE all_smi_gpu_utilization gauge
all_smi_gpu_utilization{gpu="NVIDIA H100", instance="n1", gpu_uuid="GPU-aaaaaaaa-2", gpu_index="1"} 3
`, false, "0 uuid=GPU-aaaaaaaa-1 model=NVIDIA H100 use=97", "1 uuid=GPU-aaaaaaaa-2 model=NVIDIA H100 use=3")
	want(t, "a machine on some samples", `DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-aaaaaaaa-1"} 5
DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-aaaaaaaa-1",Hostname="h"} 40
`, false, "0 uuid=GPU-aaaaaaaa-1 use=5 temp=40")
	want(t, "a UUID that two machines have", `DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-aaaaaaaa-1"} 5
DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-aaaaaaaa-1",Hostname="h"} 40
DCGM_FI_DEV_GPU_TEMP{gpu="0",UUID="GPU-aaaaaaaa-1",Hostname="i"} 41
`, false, "0 uuid=GPU-aaaaaaaa-1 temp=40", "0 uuid=GPU-aaaaaaaa-1 temp=41", "0 uuid=GPU-aaaaaaaa-1 use=5")
}

func TestRefusalsInPlaceOfMetrics(t *testing.T) {
	for _, text := range []string{
		"Client sent an HTTP request to an HTTPS server.\n", "404 page not found\n", "Unauthorized", "upstream request timeout",
		"$ curl -s localhost:9400/metrics\ncurl: (7) Failed to connect to localhost port 9400: Connection refused\n",
		"$ nvidia-smi\nFailed to initialize NVML: Driver/library version mismatch\n$ squeue\n JOBID NAME\n 1 a\n 2 b\n",
	} {
		a, err := Read(strings.NewReader(text), Origin{})
		if err != nil || len(a.Problems) != 1 || len(a.Readings) > 0 {
			t.Errorf("%.40q (%s): %v, %v", text, a.Format, err, a.Problems)
		}
	}
	for _, text := range []string{"500 steps done\n", "step 1 loss 2.5\n", "401 samples were not found in the cache\n", "Forbidden fruit\n"} {
		if format := Detect([]byte(text)); format != NoFormat {
			t.Errorf("%.40q is taken for %s", text, format)
		}
	}
}

// Parts of tools' texts that people pasted: two rows of an H100 from a course on arithmetic
// intensity, the MIG devices of XuehaiPan/nvitop's pull request 8, a query in the comment of a
// trainer for MNIST, prose of a model's README; the others are cut from tables of 550 by us.
func TestTextsCutByHand(t *testing.T) {
	const first = "|   0  NVIDIA H100 80GB...  On   | 00000000:01:00.0 Off |                    0 |\n"
	const second = "| N/A   45C    P0   120W / 400W |  24500MiB / 81920MiB |    99%%      Default  |\n"
	want(t, "the two rows of one GPU", first+strings.ReplaceAll(second, "%%", "%"), false, "0 model=NVIDIA H100 80GB... use=99 mem=24500 of=81920 temp=45 power=120 cap=400")
	want(t, "the rows that grep(1) left", strings.ReplaceAll(second, "%%", "%")+"| N/A   30C    P0    71W / 700W |      1MiB / 81559MiB |      0%      Default |\n", false,
		" use=99 mem=24500 of=81920 temp=45 power=120 cap=400", " use=0 mem=1 of=81559 temp=30 power=71 cap=700")
	want(t, "the bars are lost", "GPU  Name   Persistence-M   Bus-Id   Disp.A   Volatile Uncorr. ECC\nFan  Temp   Perf   Pwr:Usage/Cap   Memory-Usage   GPU-Util  Compute M.\n"+
		"0  NVIDIA A100-SXM4-80GB   On   00000000:07:00.0 Off   0\nN/A   31C   P0   61W / 400W   18MiB / 81920MiB   3%   Default\n"+
		"1  NVIDIA A100-SXM4-80GB   On   00000000:0F:00.0 Off   0\nN/A   33C   P0   63W / 400W   70412MiB / 81920MiB   100%   Default\n", false,
		"0 model=NVIDIA A100-SXM4-80GB use=3 mem=18 of=81920 temp=31 power=61 cap=400", "1 model=NVIDIA A100-SXM4-80GB use=100 mem=70412 of=81920 temp=33 power=63 cap=400")
	table := "+-----------------------------------------------------------------------------------------+\n" +
		"| NVIDIA-SMI 550.54.15              Driver Version: 550.54.15      CUDA Version: 12.4     |\n" +
		"|-----------------------------------------+------------------------+----------------------+\n" +
		"| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |\n" +
		"|=========================================+========================+======================|\n" +
		"|   0  NVIDIA H100 80GB HBM3          On  |   00000000:19:00.0 Off |                    0 |\n" +
		"| N/A   34C    P0            117W /  700W |   70522MiB /  81559MiB |     97%      Default |\n" +
		"+-----------------------------------------+------------------------+----------------------+\n"
	for _, width := range []int{60, 76, 80, 88} {
		wrapped := ""
		for line := range strings.Lines(table) {
			wrapped += line[:width] + "\n" + line[width:]
		}
		want(t, "wrapped", wrapped, false, "0 model=NVIDIA H100 80GB HBM3 use=97 mem=70522 of=81559 temp=34 power=117 cap=700")
	}
	want(t, "the table of MIG devices alone", "| MIG devices:                                       |\n| GPU  GI  CI  MIG |         Memory-Usage |        Vol|\n|==================+======================+===========|\n|  1    3   0   0  |  14366MiB / 19968MiB | 28      0 |\n|                  |      4MiB / 32767MiB |           |\n+------------------+----------------------+-----------+\n", false, "1 mig=3 mem=14366 of=19968")
	want(t, "a limit that is not known", strings.ReplaceAll(first, "H100", "C550")+"| N/A   34C    P0    97W / NA   |    858MiB / 65536MiB |     0%      Default  |\n", false, "0 model=NVIDIA C550 80GB... use=0 mem=858 of=65536 temp=34 power=97")
	want(t, "a program's comment", "# before the change:\n# index, name, memory.total [MiB], memory.used [MiB], utilization.gpu [%]\n# 0, Quadro RTX 4000, 8192 MiB, 4644 MiB, 78 %\n", false, "0 model=Quadro RTX 4000 use=78 mem=4644 of=8192")
	want(t, "prose with numbers of GPUs", "GPU 1: 1080 Ti\n* temperature: 65~70 C\n* Volatile GPU-util: 90~100%\n", true)
}
