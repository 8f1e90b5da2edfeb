package metrics

import "testing"

// A loop that names no GPU prints them in the same order each time. The rows of one GPU are those
// of a course on clusters (nvidia-smi --query-gpu=timestamp,… -l 1 below a job).
func TestRepeatedQueryWithoutNames(t *testing.T) {
	const heading = "timestamp, utilization.gpu [%], utilization.memory [%]\n"
	want(t, "one GPU", heading+"2021/11/03 21:42:44.210, 0 %, 0 %\n2021/11/03 21:42:45.211, 82 %, 76 %\n2021/11/03 21:42:46.211, 81 %, 69 %\n", false, " use=81")
	want(t, "two GPUs", heading+"2021/11/03 21:42:44.210, 1 %, 0 %\n2021/11/03 21:42:44.214, 2 %, 0 %\n2021/11/03 21:42:45.211, 82 %, 76 %\n2021/11/03 21:42:45.215, 83 %, 69 %\n", false, " use=82", " use=83")
	want(t, "once", heading+"2021/11/03 21:42:44.210, 1 %, 0 %\n2021/11/03 21:42:44.214, 2 %, 0 %\n", false, " use=1", " use=2")
}

// Rows of tools in forms that their readers did not know: dcgmi of a report on Triton's throughput,
// gpustat 1.1 (core.py, print_to) in a terminal of tput, rocm-smi of a report on training with eight
// MI300X, and of AMD's page about -a.
func TestOtherFormsOfRows(t *testing.T) {
	want(t, "dcgmi dmon of DCGM 1", "# EntityId      GPUTL       MCUTL  DRAMA  SMACT  TENSO\n    GPU 2          79          43  0.382  0.652  0.267\n    GPU 2          93          51  0.335  0.562  0.178\n", false, "2 use=93 tensor=0.178")
	want(t, "gpustat with terminfo's colours", "\x1b[1m\x1b[37mnode-7 \x1b(B\x1b[m Sun Mar  3 11:02:10 2024\n\x1b[36m[0]\x1b(B\x1b[m \x1b[34mNVIDIA A100\x1b(B\x1b[m |\x1b[31m 64'C\x1b(B\x1b[m, \x1b[32m 99 %\x1b(B\x1b[m | \x1b[33m71234\x1b(B\x1b[m / \x1b[33m81920\x1b(B\x1b[m MB |\n", false, "0 model=NVIDIA A100 use=99 mem=71234 of=81920 temp=64")
	want(t, "facts of rocm-smi joined on a line", "GPU[4]: GPU use (%): 99    VRAM Total Used Memory (B): 6877257728\nGPU[5]: GPU use (%): 98    VRAM Total Used Memory (B): 6944395264\n", false, "4 use=99 mem=6558.6640625", "5 use=98 mem=6622.69140625")
	want(t, "sections of rocm-smi with remarks", "======== % time GPU is busy ========\nGPU[0]\t\t: GPU use (%): 99\n======== Current Memory Use ========\nGPU[0]\t\t: % memory use, Not supported on the given system\nGPU[0]\t\t: Memory Activity: N/A\nGPU[0]\t\t: Not supported on the given system\n", false, "0 use=99")
}
