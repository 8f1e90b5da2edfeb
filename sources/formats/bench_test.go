package formats_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/formats"
)

// plainLines are the most common lines of a training log besides its metrics.
var plainLines = []string{
	"2024-07-17 00:18:20,685 - INFO - allennlp.common.params - keep_most_recent_by_age = None",
	"[2023-04-18 01:46:52,554] [INFO] [config.py:1003:print]   activation_checkpointing_config  {",
	"swat1-04:2017630:2017671 [2] NCCL INFO Channel 00/16 : 0 1 2 3 4 5 6 7",
	"Requirement already satisfied: numpy>=1.16.0 in /usr/local/lib/python3.6/dist-packages (from catboost) (1.18.4)",
	"I0325 14:01:33.201636 130295542103168 train.py:652] Restoring dataset iterator of host 3",
	"  File \"/opt/jaxlibs/jax_plugins/xla_cuda13/__init__.py\", line 328, in initialize",
	"[Rank 25] (after 1 iterations) memory (MB) | allocated: 10837.39501953125 | max allocated: 16101.9453125 | reserved: 18640.0",
	"conv2d_1 (Conv2D)            (None, 98, 98, 32)        896       ",
	"Downloading shards of the dataset, please wait a moment",
}

func metricLines(n int) [][]byte {
	lines := make([][]byte, 0, n)
	for i := range n {
		var line string
		switch i % 4 {
		case 0:
			line = fmt.Sprintf(" iteration %8d/  500000 | consumed samples: %12d | elapsed time per iteration (ms): 5444.9 | throughput per GPU (TFLOP/s/GPU): 239.8 | learning rate: 8.600000E-06 | global batch size:   128 | lm loss: 1.825991E+00 | load_balancing_loss: 1.019746E+00 | loss scale: 1.0 | grad norm: 1.426 | num zeros: 0.0 | number of skipped iterations:   0 | number of nan iterations:   0 |", i, i*128)
		case 1:
			line = fmt.Sprintf("[rank0]:[titan] 2026-05-18 16:04:46,338 - root - INFO - \x1b[36mstep: %d  \x1b[32mloss:  3.24405  grad_norm:  0.8319  memory:  9.46GiB(64.99%%)  tps: 7,282  tflops: 0.52  mfu: 0.17%%\x1b[39m", i)
		case 2:
			line = fmt.Sprintf("{'loss': 2.9859, 'grad_norm': 0.9704080820083618, 'learning_rate': 4.175257731958763e-05, 'epoch': %d.16}", i)
		case 3:
			line = fmt.Sprintf("Epoch 0:  22%%|██▏       | %d/180000 [00:17<01:02,  4.47s/it, loss=9.926, v_num=193315]", i)
		}
		lines = append(lines, []byte(line))
	}
	return lines
}

func scanLines(b *testing.B, lines [][]byte) {
	b.Helper()
	p := formats.New(formats.Options{})
	size := 0
	for _, line := range lines {
		size += len(line) + 1
	}
	b.SetBytes(int64(size) / int64(len(lines)))
	b.ReportAllocs()
	number := int64(0)
	started := time.Now()
	for b.Loop() {
		p.Line(number, time.Time{}, lines[number%int64(len(lines))])
		number++
	}
	spent := time.Since(started)
	b.ReportMetric(float64(number)/spent.Seconds(), "lines/s")
	b.ReportMetric(spent.Seconds()/float64(number)/newlineScan(lines), "x-scan")
}

// newlineScan returns the time per line of a search for newlines only: the machine's
// best possible time.
func newlineScan(lines [][]byte) float64 {
	text := bytes.Join(lines, []byte("\n"))
	rounds, found := 0, 0
	started := time.Now()
	for ; time.Since(started) < 50*time.Millisecond; rounds++ {
		for rest := text; ; found++ {
			at := bytes.IndexByte(rest, '\n')
			if at < 0 {
				break
			}
			rest = rest[at+1:]
		}
	}
	return time.Since(started).Seconds() / float64(max(found, 1))
}

func BenchmarkLinesWithoutMetrics(b *testing.B) {
	var lines [][]byte
	for _, line := range plainLines {
		lines = append(lines, []byte(line))
	}
	scanLines(b, lines)
}

func BenchmarkLinesWithMetrics(b *testing.B) { scanLines(b, metricLines(4000)) }

// A line of the runtime's maximum length: verl prints some of 4 kB, and a bar without
// newlines grows without limit.
func BenchmarkLongLine(b *testing.B) {
	for name, text := range map[string]string{
		"pairs":    "step:1 - " + strings.Repeat("actor/entropy_loss:0.317 - ", 2400),
		"numbers":  strings.Repeat("1 ", 32<<10),
		"brackets": strings.Repeat("[(", 32<<10),
		"letters":  strings.Repeat("a", 64<<10),
		"bars":     strings.Repeat("1%|", 21<<10),
	} {
		b.Run(name, func(b *testing.B) { scanLines(b, [][]byte{[]byte(text)}) })
	}
}

func BenchmarkCorpus(b *testing.B) {
	var lines [][]byte
	names, _ := os.ReadDir("testdata")
	for _, name := range names {
		if strings.HasSuffix(name.Name(), ".log") {
			text, err := os.ReadFile("testdata/" + name.Name())
			if err != nil {
				b.Fatal(err)
			}
			lines = append(lines, bytes.Split(text, []byte("\n"))...)
		}
	}
	scanLines(b, lines)
}
