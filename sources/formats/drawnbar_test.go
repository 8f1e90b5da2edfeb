package formats

import (
	"strings"
	"testing"
	"time"
)

func TestDrawnBars(t *testing.T) {
	for _, c := range []struct {
		line                 string
		is, transfer         bool
		description, postfix string
		n, of, rate          float64
		remaining            time.Duration
	}{
		{line: `      1/100      2.13G      1.596        640: 100% ━━━━━━━━━━━━ 409/409 1.5it/s 4:25`, is: true, description: `      1/100      2.13G      1.596        640`, n: 409, of: 409, rate: 1.5},
		{line: `      1/100      2.13G      1.596        640: 45% ━━━━━╸────── 184/409 1.5it/s 2:03<2:30`, is: true, description: `      1/100      2.13G      1.596        640`, n: 184, of: 409, rate: 1.5, remaining: 150 * time.Second},
		{line: `epoch 3: 5% ╸─────────── 20/409 1.5it/s 42.0s<12:30`, is: true, description: `epoch 3`, n: 20, of: 409, rate: 1.5, remaining: 750 * time.Second},
		{line: `val: Scanning labels.cache... 925 images: 100% ━━━━━━━━━━━━ 925/925 1.5Mit/s 0.0s`, is: true, transfer: true},
		{line: `Downloading yolo11s.pt: 45% ━━━━━─────── 8.3/18.4MB 12.1MB/s 0.7s<0.9s`, is: true, transfer: true},
		{line: `Training [===                                     ] 8.5% 5000/58874 | 4.62 it/s | ETA: 11664.8 s | loss=3.910492 | validation_loss=3.908841`, is: true, description: `Training`, n: 5000, of: 58874, rate: 4.62, postfix: `ETA: 11664.8 s | loss=3.910492 | validation_loss=3.908841`},
		{line: `[##########..........] 50% 10/20 2.0s/it loss: 0.31`, is: true, n: 10, of: 20, rate: 0.5, postfix: `loss: 0.31`},
		{line: `[##########..........] 50% 10/20 loss: 0.31`, is: true, n: 10, of: 20, postfix: `loss: 0.31`},
		{line: `Tokenizing [========================================] 100.0% 9843688080/9843688080 | 414.98 MiB/s | ETA: 0.0 s`, is: true, transfer: true},
		// the percentage is of something else
		{line: `Training [===                 ] 81.2% 5000/58874 | acc of 5000`},
		{line: `accuracy [0, 1, 2, 3, 4] 50% 10/20 of them`},
		{line: `memory: 71% ━━━━━━━━━━━━ 58GB of 80GB`},
		{line: `Installing ━━━━━━━━━━━━━━━━━━ 45% 12/40`},
	} {
		b, ok := readBar([]byte(c.line))
		if ok != c.is || b.transfer != c.transfer {
			t.Errorf("%s: a bar %v, of a transfer %v", c.line, ok, b.transfer)
			continue
		}
		if !ok || b.transfer {
			continue
		}
		if string(b.description) != c.description || strings.TrimSpace(string(b.postfix)) != c.postfix || b.n != c.n || b.of != c.of || b.rate != c.rate || b.remaining != c.remaining {
			t.Errorf("%s:\n\t%q %q %v/%v %v %v", c.line, b.description, b.postfix, b.n, b.of, b.rate, b.remaining)
		}
	}
}

// Bars of tqdm with unit_scale have counts that are rounded.
func TestBarsWithScaledCounts(t *testing.T) {
	for log, want := range map[string]string{
		"  1%|          | 1.07k/100k [00:29<10:20, 3.50it/s, loss=2.710]":       "1 step=1070 it_per_second=3.5 loss=2.71",
		"  0%|          | 37/100k [00:29<10:20, 3.50it/s, loss=2.710]":          "1 step=37 it_per_second=3.5 loss=2.71",
		"Train:  1%|▏         | 1.07k/2.5M [00:29<10:20, 1.2kit/s, loss=2.710]": "1 step=1070 it_per_second=1200 loss=2.71",
		"1.07kit [00:29, 3.50it/s, loss=2.710]":                                 "1 step=1070 it_per_second=3.5 loss=2.71",
		"  1%|          | 1.07k/100k [00:29<10:20, 3.50kB/s, loss=2.710]":       "",
		"  1%|          | 1.2G/4.9G [00:29<10:20, 300MB/s]":                     "",
		" 10%|█         | 10.2k/100k [00:01<00:10, 9.1k examples/s]":            "",
	} {
		if got := metricsOf(log); got != want {
			t.Errorf("%s:\n got %s\nwant %s", log, got, want)
		}
	}
}
