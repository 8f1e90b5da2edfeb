package signatures

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// cutAt breaks lines at a width, as a copy from a terminal does.
func cutAt(width int, text string) string {
	var cut []string
	for _, line := range strings.Split(text, "\n") {
		for len(line) > width {
			cut, line = append(cut, line[:width]), line[width:]
		}
		cut = append(cut, line)
	}
	return strings.Join(cut, "\n")
}

// TestLinesCutAtTheWidth checks that a message is found in the lines into which a
// terminal cut it, with the number of the first
// (NVIDIA/nccl#1405, aws/aws-ofi-nccl#1020, pytorch/pytorch#118369).
func TestLinesCutAtTheWidth(t *testing.T) {
	const before = "Epoch 1\n"
	for text, want := range map[string]train.Cause{
		"kp-ddp-worker-0:3468:3905 [4] ib_plugin.c:1615 NCCL WARN NET/IB : Got completion from peer 10.216.210.236<54862> with status=12 opcode=0 len=0 vendor err 129 (Recv)":                 "nccl-ib-error",
		"[2025-10-16 22:16:08] ip-172-31-3-90:1929:1937 [0] nccl_net_ofi_rdma_init:7978 NCCL WARN NET/OFI OFI fi_getinfo() call failed: No data available":                                     "nccl-ib-error",
		"[rank7]:[E626 05:14:36.39 ProcessGroupNCCL.cpp:632] [Rank 7] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=12, OpType=ALLREDUCE, Timeout(ms)=1800000) ran for 180006": "nccl-timeout",
		"node155:3054646:3054695 [1] NCCL INFO NET/OFI OFI fi_getinfo() call failed: No data available, and so the plugin for libfabric is not used by this process":                           "",
	} {
		for _, width := range []int{60, 72, 80, 100, 120} {
			hits := scanned(before + cutAt(width, text) + "\n" + before)
			if want == "" {
				if len(hits) > 0 {
					t.Errorf("at %d %s\n got %+v", width, text, hits)
				}
				continue
			}
			last := train.LogHit{}
			for _, hit := range hits {
				last = hit
			}
			if last.Cause != want || last.Line < 2 || last.Line > 4 {
				t.Errorf("at %d %s\n got %+v, want %s", width, text, hits, want)
			}
		}
	}
}

// TestLinesThatAreWhole checks that lines with beginnings of their own are not joined.
func TestLinesThatAreWhole(t *testing.T) {
	long := strings.Repeat("x", 64) + " CUDA out of mem"
	for _, next := range []string{"ory", "ory, at last"} {
		if hits := scanned(long + next); len(hits) != 1 {
			t.Errorf("one line: %+v", hits)
		}
		if hits := scanned(long + "\n" + next); len(hits) != 1 {
			t.Errorf("cut before %q: %+v", next, hits)
		}
	}
	for _, next := range []string{"  ory", "2026-05-18 12:00 ory", "[0] ory", "xxxory", "Traceback", strings.Repeat("ory ", 30), ""} {
		if hits := scanned(long + "\n" + next); len(hits) != 0 {
			t.Errorf("before %q: %+v", next, hits)
		}
	}
	if hits := scanned(strings.Repeat("y", 100) + "\n" + long + "\nory"); len(hits) != 0 {
		t.Errorf("shorter than the width: %+v", hits)
	}
}

// TestBarsAreNotCut checks that the line below a progress bar is a message of its own.
func TestBarsAreNotCut(t *testing.T) {
	hits := scanned("pulling manifest\npulling bdb11b0699e0...  38% ▕█████████████████████████████████        ▏  10 GB/ 26 GB  2.1 MB/s   2h11m\nError: max retries exceeded: unexpected EOF")
	if len(hits) != 1 || hits[0].Cause != "dataset-download-failure" {
		t.Errorf("got %v", hits)
	}
}

// TestMessagesBehindBars checks that a message behind a progress bar, which ends without a
// line break, is read like one at the beginning of a line.
func TestMessagesBehindBars(t *testing.T) {
	const bar = "  0%|                        | 0/3100 [00:00<?, ?it/s]"
	for text, want := range map[string]int{
		bar + "[rank1]: Traceback (most recent call last):\n[rank1]:   File \"/app/train.py\", line 3, in main\n[rank1]:     step()\n[rank1]: ValueError: x\n": 1,
		bar + "[rank1]: Traceback (most recent call last):\n[rank1]:   File \"/app/train.py\", line 3, in main\n[rank1]:     step(":                            1,
	} {
		s := NewScanner(InAnyText)
		rank, causes := -1, 0
		for i, line := range strings.Split(text, "\n") {
			for _, hit := range s.Line(int64(i+1), time.Time{}, []byte(line)) {
				rank, causes = hit.Rank, causes+1
			}
		}
		for _, hit := range s.End() {
			rank, causes = hit.Rank, causes+1
		}
		if rank != want || causes != 1 {
			t.Errorf("%s\n %d hits, rank %d, want one of rank %d", text, causes, rank, want)
		}
	}
	checkFirst(t, map[string]train.Cause{
		bar: "",
		" 50%|█████     | 5/10 [00:01<00:01,  4.9it/s, loss=2.5]":                   "",
		bar + "RuntimeError: CUDA error: no CUDA-capable device is detected":        "no-gpu-visible",
		"srun: unrecognized option '--container-image'":                             "application-error",
		"ls: unrecognized option '--container-image'":                               "",
		"100%|done| 5 [see above] RuntimeWarning: mean of an empty slice, going on": "",
	})
}
