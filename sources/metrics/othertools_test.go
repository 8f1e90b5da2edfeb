package metrics

import "testing"

// Tools of other makers and of third parties, as people pasted them in public
// issues: gpustat (tests of gpustat 1.1), npu-smi (HAMi-WebUI issue 47), xpu-smi
// of Intel, Kunlun's xpu-smi, amd-smi 26, hy-smi, nvitop 1.6, rows of rocm-smi
// without its title.
func TestTablesOfOtherTools(t *testing.T) {
	want(t, "gpustat", `user@gpu-a-11:~ $ gpustat
gpu-a-11                 Mon Aug 22 15:23:57 2022  515.65.01
[0] Tesla P100-PCIE-16GB | 27'C,   2 % |   103 / 16384 MB |
`, false, "0 model=Tesla P100-PCIE-16GB use=2 mem=103 of=16384 temp=27")
	want(t, "gpustat -a", `[0] GeForce GTX TITAN 0 | 80°C,  16 %,  76 % (E:  88 %  D:  67 %),  125 / 250 W |  8000 / 12287 MB | user1:python/48448(4000M)
[1] GeForce RTX 2       | 71°C, 100 %,  ?? % (E:  ?? %  D:  ?? %),  250 /  ?? W |     0 / 12189 MB | (Not Supported)
`, false, "0 model=GeForce GTX TITAN 0 use=76 mem=8000 of=12287 temp=80 power=125 cap=250",
		"1 model=GeForce RTX 2 mem=0 of=12189 temp=71 power=250")
	want(t, "npu-smi", `NPU:
+---------------------------+---------------+----------------------------------------------------+
| npu-smi 25.2.0                   Version: 25.2.0                                               |
+---------------------------+---------------+----------------------------------------------------+
| NPU   Name                | Health        | Power(W)    Temp(C)           Hugepages-Usage(page)|
| Chip  Phy-ID              | Bus-Id        | AICore(%)   Memory-Usage(MB)  HBM-Usage(MB)        |
+===========================+===============+====================================================+
| 0     Ascend910           | OK            | 162.6       34                0    / 0             |
| 0     0                   | 0000:9D:00.0  | 3           0    / 0          3419 / 65536         |
+---------------------------+---------------+----------------------------------------------------+
| 0     Ascend910           | Warning       | -           34                0    / 0             |
| 1     1                   | 0000:9F:00.0  | 0           0    / 0          2874 / 65536         |
+===========================+===============+====================================================+
`, true, "0 model=Ascend910 use=3 mem=3419 of=65536 temp=34 power=162.6", "1 model=Ascend910 use=0 mem=2874 of=65536 temp=34")
	want(t, "xpu-smi dump", `Timestamp, DeviceId, GPU Power (W), GPU Frequency (MHz), GPU Memory Utilization (%), GPU Memory Used (MiB)
15:44:36.481,    0, 15.97, 2450, 2.03, 82.44
15:44:39.481,    0, 15.36, 2450, 2.03, 82.44
`, false, "0 mem=82.44 power=15.36 sm=2450")
	want(t, "Kunlun's xpu-smi", `+-----------------------------------------------------------------------------+
| XPU-SMI               Driver Version: 515.58       XPU-RT Version: N/A      |
|-------------------------------+----------------------+----------------------+
| XPU  Name        Persistence-M| Bus-Id        Disp.A | Volatile Uncorr. ECC |
| Fan  Temp  Perf  Pwr:Usage/Cap|         Memory-Usage | XPU-Util  Compute M. |
|===============================+======================+======================|
|   0  P800 OAM           N/A   | 00000000:52:00.0 N/A |                    0 |
| N/A   43C  N/A     98W / 400W |    100MiB / 98304MiB |      0%      Default |
+-------------------------------+----------------------+----------------------+
`, false, "0 model=P800 OAM use=0 mem=100 of=98304 temp=43 power=98 cap=400")
	want(t, "nvitop", `NVITOP 1.6.2      Driver Version: 580.126.09      CUDA Driver Version: 13.0
╒═══════════════════════════════╤══════════════════════╤══════════════════════╕
│ GPU  Name        Persistence-M│ Bus-Id        Disp.A │ Volatile Uncorr. ECC │
│ Fan  Temp  Perf  Pwr:Usage/Cap│         Memory-Usage │ GPU-Util  Compute M. │
╞═══════════════════════════════╪══════════════════════╪══════════════════════╡
│   0  GeForce RTX 2080 Ti  Off │ 00000000:21:00.0 Off │                  N/A │
│ 27%   42C   P8     17W / 250W │  107.2MiB / 11264MiB │      0%      Default │
╘═══════════════════════════════╧══════════════════════╧══════════════════════╛
`, false, "0 model=GeForce RTX 2080 Ti use=0 mem=107.2 of=11264 temp=42 power=17 cap=250")
	want(t, "amd-smi 26", `| BDF                        GPU-Name | Mem-Uti   Temp   UEC       Power-Usage |
| GPU  HIP-ID  OAM-ID  Partition-Mode | GFX-Uti    Fan               Mem-Usage |
|=====================================+========================================|
| 0000:09:00.0    AMD Instinct MI325X | 0 %      49 °C   0          144/1000 W |
|   0       0       3        SPX/NPS1 | 7 %        N/A           283/262128 MB |
+-------------------------------------+----------------------------------------+
`, false, "0 model=AMD Instinct MI325X use=7 mem=283 of=262128 temp=49 power=144 cap=1000")
	want(t, "hy-smi", ` hy-smi
================================= System Management Interface ==================================
HCU     Temp     AvgPwr     Perf     PwrCap     VRAM%      HCU%      Mode
0       62.0C    111.0W     auto     400.0W     94%        3.0%      Normal
================================================================================================
`, false, "0 use=3 temp=62 power=111 cap=400")
	want(t, "amd-smi monitor: a rate without a value", "GPU  POWER  GFX_UTIL   PCIE_BW  VRAM_USED\n\n  0   11 W      84 %  N/A Mb/s     227 MB\n  1   12 W       0 %   31 Mb/s      27 MB\n", false,
		"0 use=84 mem=227 power=11", "1 use=0 mem=27 power=12")
	want(t, "rocm-smi -a", `============================ ROCm System Management Interface ============================
====================================== Temperature =======================================
GPU[0]		: Temperature (Sensor edge) (C): 38.0
GPU[0]		: Temperature (Sensor junction) (C): 41.0
GPU[1]		: Temperature (Sensor edge) (C): N/A
================================ Current clock frequencies ===============================
GPU[0]		: sclk clock level: 1: (800Mhz)
GPU[0]		: GPU use (%): 12
GPU[1]		: GPU use (%): 0
GPU[0]		: VRAM Total Memory (B): 68702699520
GPU[0]		: VRAM Total Used Memory (B): 10960896
GPU[0]		: Card Series: 		AMD INSTINCT MI210
================================== End of ROCm SMI Log ===================================
`, false, "0 model=AMD INSTINCT MI210 use=12 mem=10.453125 of=65520 temp=41 sm=800", "1 use=0")
	want(t, "a program that logs for each GPU", "GPU[0]: loss: 0.5\nGPU[1]: loss: 0.6\nGPU[0]: loss: 0.4\n", true)
	want(t, "rows of nvidia-smi without the head", `| N/A   30C    P0    42W / 250W |      0MiB / 16160MiB |      0%      Default |
+-------------------------------+----------------------+----------------------+
|   2  Tesla V100-PCIE...  Off  | 00000001:00:00.0 Off |                    0 |
| N/A   31C    P0    43W / 250W |      3MiB / 16160MiB |      5%      Default |
+-------------------------------+----------------------+----------------------+
`, false, "2 model=Tesla V100-PCIE... use=5 mem=3 of=16160 temp=31 power=43 cap=250")
	want(t, "a GPU that is not on the bus, below one that is", `+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 580.00                 Driver Version: 580.00         CUDA Version: 13.0     |
+-----------------------------------------+------------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
|                                         |                        |               MIG M. |
|=========================================+========================+======================|
|   0  NVIDIA Thor                    Off |   00000000:01:00.0 Off |                  N/A |
| N/A   41C    P0              1W /  N/A  | Not Supported          |      7%      Default |
|                                         |                        |             Disabled |
+-----------------------------------------+------------------------+----------------------+
|   1  Orin (nvgpu)                  N/A  | N/A                N/A |                  N/A |
| N/A   N/A  N/A               N/A /  N/A | Not Supported          |     N/A          N/A |
|                                         |                        |                  N/A |
+-----------------------------------------+------------------------+----------------------+
`, false, "0 model=NVIDIA Thor use=7 temp=41 power=1", "1 model=Orin (nvgpu)")
	want(t, "a warning and a command above JSON", "root@node:~# rocm-smi --showuse --json\nWARNING: AMD GPU device(s) is/are in a low-power state. Check power control/runtime_status\n\n{\"card0\": {\"GPU use (%)\": \"3\"}}\n", false, "0 use=3")
	want(t, "a log that begins with a warning and prints JSON", "WARNING: no config\n{\"status\": \"success\", \"data\": {\"rows\": 4}}\nepoch 1 loss 0.3\n", true)
	want(t, "rocm-smi without its title", `Device  Node  IDs              Temp        Power     Partitions          SCLK     MCLK     Fan  Perf    PwrCap   VRAM%  GPU%
              (DID,     GUID)  (Junction)  (Socket)  (Mem, Compute, ID)
0       2     0x75a0,   24959  60.0°C      319.0W    NPS1, DPX, 0        2203Mhz  1900Mhz  0%   manual  1000.0W  0%     0%
`, false, "0 use=0 temp=60 power=319 cap=1000 sm=2203")
}
