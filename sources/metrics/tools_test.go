package metrics

import (
	"strings"
	"testing"
)

// Layouts of tables in public documents and issues: nvidia-smi 430 (two rows per
// GPU), hl-smi 1.4 and 1.18, a driver that lost a GPU.
func TestTables(t *testing.T) {
	want(t, "nvidia-smi 430", `+-----------------------------------------------------------------------------+
| NVIDIA-SMI 430.40       Driver Version: 430.40       CUDA Version: 10.1     |
|-------------------------------+----------------------+----------------------+
| GPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | GPU-Util  Compute M. |
|===============================+======================+======================|
|   0  GeForce RTX 208...  Off  | 00000000:18:00.0 Off |                  N/A |
| 27%   26C    P8    15W / 250W |   5268MiB / 11019MiB |      0%      Default |
+-------------------------------+----------------------+----------------------+
|   1  GeForce GTX 1070    Off  | 00000000:03:00.0  On |                  N/A |
|ERR!   43C    P8     9W / 250W |   8040MiB /  8111MiB |      3%      Default |
+-------------------------------+----------------------+----------------------+
|   2  GeForce 940M        Off  | 00000000:04:00.0 Off |                  N/A |
| N/A   44C    P0    N/A /  N/A |    306MiB /  2004MiB |     28%      Default |
+-------------------------------+----------------------+----------------------+

+-----------------------------------------------------------------------------+
| Processes:                                                       GPU Memory |
|  GPU       PID   Type   Process name                             Usage      |
|=============================================================================|
|    0     12345      C   python                                      5257MiB |
+-----------------------------------------------------------------------------+
`, false, "0 model=GeForce RTX 208... use=0 mem=5268 of=11019 temp=26 power=15 cap=250",
		"1 model=GeForce GTX 1070 use=3 mem=8040 of=8111 temp=43 power=9 cap=250",
		"2 model=GeForce 940M use=28 mem=306 of=2004 temp=44")
	want(t, "hl-smi", `+-----------------------------------------------------------------------------+
| HL-SMI Version:                              hl-1.18.0-fw-53.1.1.1          |
| Driver Version:                                     1.18.0-ee698fb          |
|-------------------------------+----------------------+----------------------+
| AIP  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | AIP-Util  Compute M. |
|===============================+======================+======================|
|   0  HL-325              N/A  | 0000:21:00.0     N/A |                   0  |
| N/A   43C   N/A   264W / 900W |    672MiB / 131072MiB |     7%           N/A|
|-------------------------------+----------------------+----------------------+
|   1  HL-205              N/A  | 0000:20:1d.0     N/A |                   0  |
| N/A   35C   N/A   102W / 350W |    512Mib / 32768Mib |     2%           N/A |
|-------------------------------+----------------------+----------------------+
`, false, "0 model=HL-325 use=7 mem=672 of=131072 temp=43 power=264 cap=900", "1 model=HL-205 use=2 mem=512 of=32768 temp=35 power=102 cap=350")
	want(t, "a GPU that is gone", `Unable to determine the device handle for GPU0001:00:00.0: GPU is lost.  Reboot the system to recover this GPU
+---------------------------------------------------------------------------------------+
| NVIDIA-SMI 535.129.03             Driver Version: 535.129.03   CUDA Version: 12.2     |
|-----------------------------------------+----------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |         Memory-Usage | GPU-Util  Compute M. |
|                                         |                      |               MIG M. |
|=========================================+======================+======================|
|   0  NVIDIA A100-SXM4-40GB          On  | 00000000:07:00.0 Off |                    0 |
| N/A   30C    P0              52W / 400W |      4MiB / 40960MiB |      0%      Default |
|                                         |                      |             Disabled |
+-----------------------------------------+----------------------+----------------------+
`, true, "0 model=NVIDIA A100-SXM4-40GB use=0 mem=4 of=40960 temp=30 power=52 cap=400")
	want(t, "no GPU at all", "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure that the latest NVIDIA driver is installed and running.\n\n", true)
	want(t, "no devices", "No devices were found\n", true)
}

func TestMIGBelowBoard(t *testing.T) {
	a, err := Read(strings.NewReader("GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-aaaaaaaa)\n  MIG 1g.10gb     Device  0: (UUID: MIG-11111111-2222)\n"), Origin{})
	if err != nil || len(a.Readings) != 1 || len(a.Readings[0].Slices) != 1 {
		t.Fatalf("%v %+v", err, a)
	}
	if s := a.Readings[0].Slices[0]; s.Profile != "1g.10gb" || s.Device != "0" || s.UUID != "MIG-11111111-2222" {
		t.Errorf("%+v", s)
	}
}

func TestCSV(t *testing.T) {
	want(t, "the query of the exec fallback, without heading and units",
		"0, GPU-aaaaaaaa-1, NVIDIA H100 80GB HBM3, 100, 11, 19818, 81559, 59, 631.95, 700.00, 1980, 1980, P0\n"+
			"1, GPU-bbbbbbbb-1, NVIDIA H100 80GB HBM3, 0, 0, 4, 81559, 30, 69.10, 700.00, 345, 1980, P0\n", false,
		"0 uuid=GPU-aaaaaaaa-1 model=NVIDIA H100 80GB HBM3 use=100 mem=19818 of=81559 temp=59 power=631.95 cap=700 sm=1980",
		"1 uuid=GPU-bbbbbbbb-1 model=NVIDIA H100 80GB HBM3 use=0 mem=4 of=81559 temp=30 power=69.1 cap=700 sm=345")
	want(t, "units without a heading", "0, Tesla T4, 37 %, 1024 MiB, 15109 MiB, 60, 65.10 W\n", false,
		"0 model=Tesla T4 use=37 mem=1024 of=15109 temp=60 power=65.1")
	want(t, "units without a heading or a number of the GPU", "GPU-aaaaaaaa-1, 37 %, 1024 MiB, 15109 MiB\n", false, " uuid=GPU-aaaaaaaa-1 use=37 mem=1024 of=15109")
	want(t, "used, free and whole", "0, GPU-aaaaaaaa-1, 10000, 5000, 15109\n", false, "0 uuid=GPU-aaaaaaaa-1 mem=10000 of=15109")
	want(t, "use or temperature: nobody tells", "0, GPU-aaaaaaaa-1, 40, 50, 1024, 15109\n", false, "0 uuid=GPU-aaaaaaaa-1 mem=1024 of=15109")
	want(t, "unknown values", "index, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], power.draw [W]\n0, NVIDIA A100, [N/A], 1 MiB, 2 MiB, [Not Supported]\n1, NVIDIA A100, [Unknown Error], ERR!, [GPU is lost], [N/A]\n", true,
		"0 model=NVIDIA A100 mem=1 of=2", "1 model=NVIDIA A100")
	want(t, "nounits", "index, utilization.gpu [%], memory.used [MiB]\n0, 12, 34\n", false, "0 use=12 mem=34")
	want(t, "repeated rows: the newest stands", "index, utilization.gpu [%]\n0, 1 %\n1, 2 %\n0, 3 %\n1, 4 %\n", false, "0 use=3", "1 use=4")
	want(t, "a row that is cut off", "index, name, utilization.gpu [%], memory.used [MiB]\n0, NVIDIA A100, 5 %, 7 MiB\n1, NVIDIA A10", true, "0 model=NVIDIA A100 use=5 mem=7")
	want(t, "a field that the driver does not know", "Field \"gpu_recovery_action\" is not a valid field to query.\n\n", true)
	want(t, "retired pages are not GPUs", "timestamp, gpu_name, gpu_bus_id, gpu_uuid, retired_pages.address, retired_pages.cause\n2026/09/01 20:47:29.520, NVIDIA H200, 00000000:83:00.0, GPU-aaaaaaaa-1, [N/A], Single Bit ECC\n", false)
	want(t, "processes without a heading", "GPU-aaaaaaaa-1, 11327, /opt/tools/memhog, 2566 MiB\nGPU-aaaaaaaa-1, 11345, ./gpu_burn, 15690 MiB\n", false)
	want(t, "hl-smi -Q", "index, uuid, name, memory.used [MiB], memory.total [MiB], utilization.aip [%], temperature.aip [C], power.draw [W]\n0, 01P4-HL2080A0-15, HL-225, 768 MiB, 98304 MiB, 78 %, 42 C, 285 W\n", false,
		"0 uuid=01P4-HL2080A0-15 model=HL-225 use=78 mem=768 of=98304 temp=42 power=285")
}

func TestDmon(t *testing.T) {
	want(t, "a column of two GPUs, the last row cut", "# gpu   pwr gtemp mtemp    sm   mem\n# Idx     W     C     C     %     %\n    0    62    40     -     9     1\n    1    70    41     -     -     2\n    0    63    42     -    10     1\n    1    7", true,
		"0 use=10 temp=42 power=63", "1 temp=41 power=70")
	want(t, "dates in front", "#Date       Time        gpu    pwr  gtemp     sm\n#YYYYMMDD   HH:MM:SS    Idx      W      C      %\n 20260714   08:12:53      0    631     63    100\n", false, "0 use=100 temp=63 power=631")
	want(t, "pmon lists processes", "# gpu         pid   type     sm    mem    enc    dec    command\n# Idx           #    C/G      %      %      %      %    name\n    0      11345     C     97     10      -      -    gpu_burn\n", false)
}

// Text from the documentation of ROCm 5.7 and 6.2, amd-smi 24 and 25, tpu-info 0.5
// and neuron-monitor 2.19.
func TestOtherTools(t *testing.T) {
	want(t, "rocm-smi 5", `======================= ROCm System Management Interface =======================
================================= Concise Info =================================
GPU  Temp   AvgPwr  SCLK    MCLK     Fan   Perf  PwrCap  VRAM%  GPU%
0    35.0c  34.0W   800Mhz  1600Mhz  0%    auto  300.0W    0%   0%
1    61.0c  290.0W  1700Mhz 1600Mhz  0%    auto  300.0W   90%   99%
================================================================================
============================= End of ROCm SMI Log ==============================
`, false, "0 use=0 temp=35 power=34 cap=300 sm=800", "1 use=99 temp=61 power=290 cap=300 sm=1700")
	want(t, "rocm-smi 5 that names the sensor, quoted with an indent", `    ========================= ROCm System Management Interface =========================
    GPU  Temp (DieEdge)  AvgPwr  SCLK     MCLK     Fan  Perf  PwrCap  VRAM%  GPU%
    0    50.0c           352.0W  1700Mhz  1600Mhz  0%   auto  560.0W   17%   100%
    1    51.0c           N/A     1700Mhz  1600Mhz  0%   auto  0.0W     17%   0%
`, false, "0 use=100 temp=50 power=352 cap=560 sm=1700", "1 use=0 temp=51 sm=1700")
	want(t, "rocm-smi --showproductname: names alone", `    ================= ROCm System Management Interface ================
    ========================= Product Info ============================
    GPU[0]      : Card series:      Instinct MI210
    GPU[0]      : Card model:       0x0c34
    GPU[1]      : Card series:      Instinct MI210
    ===================== End of ROCm SMI Log =========================
`, false, "0 model=Instinct MI210", "1 model=Instinct MI210")
	want(t, "names below indented rows", `   ================== ROCm System Management Interface ==================
   Device  [Model : Revision]    Temp        Power     Partitions      SCLK    MCLK    Fan  Perf  PwrCap  VRAM%  GPU%
           Name (20 chars)       (Junction)  (Socket)  (Mem, Compute)
   ======================================================================
   0       [0x74a1 : 0x00]       35.0°C      140.0W    NPS1, SPX       132Mhz  900Mhz  0%   auto  750.0W    0%   3%
           AMD Instinct MI300X
   1       [0x74a1 : 0x00]       37.0°C      138.0W    NPS1, SPX       132Mhz  900Mhz  0%   auto  750.0W    0%   0%
           AMD Instinct MI300X
`, false, "0 model=AMD Instinct MI300X use=3 temp=35 power=140 cap=750 sm=132", "1 model=AMD Instinct MI300X use=0 temp=37 power=138 cap=750 sm=132")
	want(t, "rocm-smi 6", `============================================ ROCm System Management Interface ============================================
====================================================== Concise Info ======================================================
Device  Node  IDs              Temp        Power     Partitions          SCLK    MCLK    Fan  Perf  PwrCap  VRAM%  GPU%
              (DID,     GUID)  (Junction)  (Socket)  (Mem, Compute, ID)
==========================================================================================================================
0       2     0x74a1,   28851  41.0°C      138.0W    NPS1, SPX, 0        132Mhz  900Mhz  0%   auto  750.0W  0%     3%
==========================================================================================================================
`, false, "0 use=3 temp=41 power=138 cap=750 sm=132")
	want(t, "amd-smi monitor 25", "GPU  XCP  POWER   GPU_T   MEM_T   GFX_CLK   GFX%   MEM%   VRAM_USED  VRAM_TOTAL\n  0    0  700 W   71 °C   60 °C  2100 MHz   98 %   40 %   171230 MB   196592 MB\n  0    1    N/A     N/A     N/A       N/A    N/A    N/A         N/A         N/A\n", false,
		"0 use=98 mem=171230 of=196592 temp=71 power=700 sm=2100", "0 mig=1")
	want(t, "amd-smi monitor of ROCm 6.4", "WARNING: User is missing the following required groups: render, video.\nGPU  POWER   GPU_T   MEM_T   GFX_CLK   GFX%   MEM%   ENC%   DEC%      VRAM_USAGE\n  0  305 W   49 °C   43 °C  2106 MHz   97 %    1 %    N/A    0 %    3.0/192.0 GB\n  1   10 W   47 °C   46 °C   800 MHz    0 %    0 %    N/A    N/A    0.5/  8.0 GB\n", false,
		"0 use=97 mem=3072 of=196608 temp=49 power=305 sm=2106", "1 use=0 mem=512 of=8192 temp=47 power=10 sm=800")
	want(t, "amd-smi metric", "GPU: 0\n    USAGE:\n        GFX_ACTIVITY: 98 %\n    POWER:\n        SOCKET_POWER: 690 W\n    TEMPERATURE:\n        EDGE: N/A\n        HOTSPOT: 71 °C\n    MEM_USAGE:\n        TOTAL_VRAM: 196592 MB\n        USED_VRAM: 283 MB\n\nGPU: 1\n    USAGE: N/A\n", false,
		"0 use=98 mem=283 of=196592 temp=71 power=690", "1")
	want(t, "amd-smi metric --json", `{"gpu_data":[{"gpu":0,"usage":{"gfx_activity":{"value":98,"unit":"%"}},"power":{"socket_power":{"value":690,"unit":"W"}},"temperature":{"hotspot":{"value":71,"unit":"C"}},"mem_usage":{"total_vram":{"value":196592,"unit":"MB"},"used_vram":{"value":283,"unit":"MB"}}},{"gpu":1,"usage":"N/A"}]}`, false,
		"0 use=98 mem=283 of=196592 temp=71 power=690", "1")
	want(t, "tpu-info", "TPU Chips\n┏━━━━━━━━━━━━━┳━━━━━━━━━━━━━━┳━━━━━━━━━┳━━━━━┓\n┃ Chip        ┃ Type         ┃ Devices ┃ PID ┃\n┡━━━━━━━━━━━━━╇━━━━━━━━━━━━━━╇━━━━━━━━━╇━━━━━┩\n│ /dev/vfio/0 │ TPU v6e chip │ 1       │ 24  │\n└─────────────┴──────────────┴─────────┴─────┘\nTPU Runtime Utilization\n┏━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━┳━━━━━━━━━━━━┓\n┃ Chip ┃ HBM Usage (GiB)      ┃ Duty cycle ┃\n┡━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━╇━━━━━━━━━━━━┩\n│ 0    │ 8.00 GiB / 31.25 GiB │    100.00% │\n└──────┴──────────────────────┴────────────┘\nTensorCore Utilization\n┏━━━━━━━━━┳━━━━━━━━━━━━━━━━━━━━━━━━┓\n┃ Core ID ┃ TensorCore Utilization ┃\n┡━━━━━━━━━╇━━━━━━━━━━━━━━━━━━━━━━━━┩\n│ 0       │                  8.50% │\n└─────────┴────────────────────────┘\n", false,
		"0 model=TPU v6e chip use=100 mem=8192 of=32000 tensor=0.085")
	want(t, "neuron-monitor", `{"neuron_runtime_data":[{"pid":1,"report":{"neuroncore_counters":{"neuroncores_in_use":{"0":{"neuroncore_utilization":12.5},"10":{"neuroncore_utilization":99}}}}}],"instance_info":{"instance_id":"i-1","instance_type":"trn1.32xlarge"}}`+"\n", false,
		"0 model=trn1.32xlarge use=12.5", "10 model=trn1.32xlarge use=99")
	want(t, "nvidia-smi -q -x", `<?xml version="1.0" ?>
<!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
<nvidia_smi_log>
	<driver_version>550.90.07</driver_version>
	<gpu id="00000000:00:09.0">
		<product_name>NVIDIA H100 80GB HBM3</product_name>
		<uuid>GPU-aaaaaaaa-1</uuid>
		<fb_memory_usage><total>81559 MiB</total><used>19818 MiB</used></fb_memory_usage>
		<bar1_memory_usage><used>1 MiB</used></bar1_memory_usage>
		<utilization><gpu_util>100 %</gpu_util><memory_util>11 %</memory_util></utilization>
		<temperature><gpu_temp>59 C</gpu_temp></temperature>
		<gpu_power_readings><power_draw>631.95 W</power_draw><current_power_limit>700.00 W</current_power_limit></gpu_power_readings>
		<clocks><sm_clock>1980 MHz</sm_clock></clocks>
	</gpu>
	<gpu id="00000000:00:0A.0"><product_name>NVIDIA H100 80GB HBM3</product_name><utilization><gpu_util>N/A</gpu_util></utilization></gpu>
</nvidia_smi_log>
`, false, "0 uuid=GPU-aaaaaaaa-1 model=NVIDIA H100 80GB HBM3 use=100 mem=19818 of=81559 temp=59 power=631.95 cap=700 sm=1980", "1 model=NVIDIA H100 80GB HBM3")
	want(t, "nvidia-smi -q", "\n==============NVSMI LOG==============\n\nTimestamp                                 : Tue Jul 14 08:12:53 2026\nAttached GPUs                             : 1\nGPU 00000000:00:09.0\n    Product Name                          : NVIDIA H100 80GB HBM3\n    GPU UUID                              : GPU-aaaaaaaa-1\n    FB Memory Usage\n        Total                             : 81559 MiB\n        Used                              : 19818 MiB\n    BAR1 Memory Usage\n        Used                              : 1 MiB\n    Utilization\n        GPU                               : 100 %\n        Memory                            : 11 %\n    Temperature\n        GPU Current Temp                  : 59 C\n    GPU Power Readings\n        Average Power Draw                : 631.95 W\n        Current Power Limit               : 700.00 W\n    Clocks\n        SM                                : 1980 MHz\n", false,
		"0 uuid=GPU-aaaaaaaa-1 model=NVIDIA H100 80GB HBM3 use=100 mem=19818 of=81559 temp=59 power=631.95 cap=700 sm=1980")
}

// Text that only mentions metrics is a log or an object, and is not read here.
func TestWhatIsNoMetrics(t *testing.T) {
	for _, text := range []string{
		"", "step 1 loss 2.5\nstep 2 loss 2.4\n", "INFO nvidia-smi: command not found, going on\nstep 1\n" + strings.Repeat("step\n", 40),
		"loss{x} 1\nplain\n", `{"loss": 0.5}`, `[{"apiVersion":"v1","kind":"Pod"}]`, "name, value\n1, 2\n", "0, 1, 2\n",
		"apiVersion: v1\nkind: Pod\n", "2026-11-20 step, 1, 2\n", "loss 2.5\nstep 3\n",
		"index, name, loss\n0, a, 2.5\n", "timestamp,name,utilization.gpu\n1,a,2\n", `{"status":"error","error":"loss is NaN"}`,
		"bash: nvidia-smi: command not found\nTraceback (most recent call last):\n  File x\nValueError: y\n",
	} {
		if format := Detect([]byte(text)); format != NoFormat {
			t.Errorf("%.40q is taken for %s", text, format)
		}
	}
}

// The cells of a GPU that nvidia-smi cannot read report why: it stays in the table
// if something identifies it, and the reason is a problem. [N/A] is none.
func TestCSVOfLostGPUs(t *testing.T) {
	const (
		heading = "index, uuid, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB], temperature.gpu\n"
		good    = "0, GPU-11111111-2222-3333-4444-555555555555, NVIDIA H100 80GB HBM3, 97 %, 70000 MiB, 81559 MiB, 61\n"
		lost    = "1, [GPU is lost], [GPU is lost], [GPU is lost], [GPU is lost], [GPU is lost], [GPU is lost]\n"
		unknown = "2, GPU-11111111-2222-3333-4444-555555555556, NVIDIA H100 80GB HBM3, [Unknown Error], [N/A], [N/A], [Unknown Error]\n"
		silent  = "3, GPU-11111111-2222-3333-4444-555555555557, NVIDIA H100 80GB HBM3, [Unknown Error], [N/A], [N/A], 40\n"
		nobody  = "[GPU is lost], [GPU is lost], [GPU is lost], [GPU is lost], [GPU is lost], [GPU is lost], [GPU is lost]\n"
	)
	for _, c := range []struct{ text, indices, problems string }{
		{heading + good + lost + unknown + silent, "0 1 2 3", "GPU 1 cannot be read: GPU is lost|GPU 2 cannot be read: Unknown Error"},
		{good + lost + unknown, "0 1 2", "GPU 1 cannot be read: GPU is lost|GPU 2 cannot be read: Unknown Error"},
		{lost + good, "1 0", "GPU 1 cannot be read: GPU is lost"},
		{heading + nobody + good, "0", "a GPU cannot be read: GPU is lost"},
	} {
		a, err := Read(strings.NewReader(c.text), Origin{})
		if err != nil {
			t.Fatal(err)
		}
		var indices, problems []string
		for i := range a.Readings {
			indices = append(indices, a.Readings[i].GPU.Index)
		}
		for _, p := range a.Problems {
			problems = append(problems, p.Text)
		}
		if strings.Join(indices, " ") != c.indices || strings.Join(problems, "|") != c.problems {
			t.Errorf("%s: GPUs %v, problems %q", c.text, indices, problems)
		}
	}
}
