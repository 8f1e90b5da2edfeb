package logfindings_test

import "testing"

// TestRankOfAReportCutToOneBlock checks that a report of torchrun that holds one block
// without its heading names the rank of that block, and one of several blocks still
// the one under "Root Cause".
func TestRankOfAReportCutToOneBlock(t *testing.T) {
	const head = "torch.distributed.elastic.multiprocessing.errors.ChildFailedError:\n"
	block := func(rank string) string {
		return "  rank      : " + rank + " (local_rank: " + rank + ")\n  exitcode  : 1 (pid: 1668)\n  error_file: <N/A>\n"
	}
	for text, want := range map[string]int{
		head + block("5"): 5,
		head + "Failures:\n[0]:\n" + block("5") + "Root Cause (first observed failure):\n[1]:\n" + block("2"): 2,
	} {
		if got := firstRank(diagnosed(text)); got != want {
			t.Errorf("got rank %d, want %d of\n%s", got, want, text)
		}
	}
}
