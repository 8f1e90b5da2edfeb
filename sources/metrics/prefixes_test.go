package metrics

import "testing"

func TestPrefixesOfTables(t *testing.T) {
	want(t, "CSV with its heading behind the service of docker compose", `gpu-test-1  | index, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB]
gpu-test-1  | 0, NVIDIA L4, 12 %, 500 MiB, 23034 MiB
`, false, "0 model=NVIDIA L4 use=12 mem=500 of=23034")
	want(t, "CSV with its heading behind the times of a log", `2026-03-05T10:11:12.123456789Z index, name, utilization.gpu [%], memory.used [MiB], memory.total [MiB]
2026-03-05T10:11:12.223456789Z 0, NVIDIA L4, 12 %, 500 MiB, 23034 MiB
`, false, "0 model=NVIDIA L4 use=12 mem=500 of=23034")
	want(t, "times in brackets and a level", `[2026-03-05 10:11:12,123][INFO] - GPU 0: NVIDIA L4 (UUID: GPU-717ef73c-2d43-4fdc-76d2-1cddef4863bb)
[2026-03-05 10:11:13,456][INFO] - GPU 1: NVIDIA L4 (UUID: GPU-817ef73c-2d43-4fdc-76d2-1cddef4863bb)
`, false, "0 uuid=GPU-717ef73c-2d43-4fdc-76d2-1cddef4863bb model=NVIDIA L4", "1 uuid=GPU-817ef73c-2d43-4fdc-76d2-1cddef4863bb model=NVIDIA L4")
	want(t, "a level with the name of a logger", `2026-03-05 10:11:12,123 - main - INFO - # gpu    pwr  gtemp  mtemp     sm    mem    enc    dec   mclk   pclk
2026-03-05 10:11:12,125 - main - INFO - # Idx      W      C      C      %      %      %      %    MHz    MHz
2026-03-05 10:11:13,125 - main - INFO -     0     14     59      -     11      4      0      0    405    300
`, false, "0 use=11 temp=59 power=14 sm=300")
	want(t, "nvidia-smi -q of one section, indented", `    ==============NVSMI LOG==============
    Attached GPUs                             : 1
    GPU 00000000:09:00.0
        Utilization
            Gpu                               : 7 %
        Temperature
            GPU Current Temp                  : 41 C
`, false, "0 use=7 temp=41")
	want(t, "nvidia-smi topo below its command holds no numbers", "$ nvidia-smi topo -m\n      GPU0  GPU1  CPU Affinity\nGPU0   X    NV12   0-23\nGPU1  NV12   X     0-23\n", false)
}

func TestParagraphsAndSessions(t *testing.T) {
	for what, text := range map[string]string{
		"a paragraph far below": `Hi all, our training hangs.
We have one node with this card.
The driver was updated last week.
My environment: Ubuntu, Python 3.10, torch 2.1.0

Output of the tool:

GPU  POWER  GPU_TEMP  MEM_TEMP  GFX_UTIL  GFX_CLOCK
  0  171 W     32 °C     33 °C       4 %    114 MHz

Any idea what is going on here? I tried NCCL_P2P_DISABLE=1 too.
`,
		"a session": `(base) user@node-3:~$ cd work
(base) user@node-3:~/work$ ls
README.md  train.py
(base) user@node-3:~/work$ conda activate torch
(torch) user@node-3:~/work$ amd-smi monitor -ptu
GPU  POWER  GPU_TEMP  MEM_TEMP  GFX_UTIL  GFX_CLOCK
  0  171 W     32 °C     33 °C       4 %    114 MHz
(torch) user@node-3:~/work$ 
`,
	} {
		a, found := InLog([]byte(text))
		if !found || len(a.Readings) != 1 || short(&a.Readings[0]) != "0 use=4 temp=32 power=171 sm=114" {
			t.Errorf("%s: read %v", what, a.Readings)
		}
	}
}
