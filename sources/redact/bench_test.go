package redact

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// ordinary returns lines as training programs print them, without secrets. One in
// five mentions tokens, so that a matcher has to check it.
func ordinary() []string {
	var lines []string
	for i := range 20000 {
		switch i % 5 {
		case 0:
			lines = append(lines, fmt.Sprintf("[titan] 2026-05-18 16:04:46,338 - root - INFO - step: %d  loss:  %.5f  grad_norm:  0.8319  memory:  9.46GiB(64.99%%)  tps: 7,282", i, 3+1/float64(i+1)))
		case 1:
			lines = append(lines, fmt.Sprintf("[rank0]: node-%d NCCL INFO Channel %02d/08 : 0[0] -> 1[1] via P2P/CUMEM/read comm 0x%x", i%8, i%8, 0x55d0+i))
		case 2:
			lines = append(lines, fmt.Sprintf(" iteration %8d/ 115311 | consumed samples: %12d | elapsed time per iteration (s): 106.13 | lm loss: 2.235667E+00 | grad norm: 0.205 |", i, i*16))
		case 3:
			lines = append(lines, fmt.Sprintf("{'loss': 0.%04d, 'grad_norm': 1.27, 'learning_rate': 1.9e-05, 'epoch': 0.03, 'num_input_tokens_seen': %d}", i%10000, i*8192))
		case 4:
			lines = append(lines, fmt.Sprintf("Epoch 3:  45%%|████▌     | %d/44000 [12:31<15:17, 1.32it/s, v_num=4, train_loss_step=2.310, lr=0.0001]", i))
		}
	}
	return lines
}

// BenchmarkQuiet scans lines without secrets. "bare" searches the same lines for
// one literal, the minimum cost of any search.
func BenchmarkQuiet(b *testing.B) {
	lines := ordinary()
	size := int64(len(strings.Join(lines, "\n")))
	b.Run("lines", func(b *testing.B) {
		r := New()
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			for _, line := range lines {
				if r.Text(line) != line {
					b.Fatal(line)
				}
			}
		}
	})
	b.Run("bare", func(b *testing.B) {
		b.SetBytes(size)
		literal := []byte("token=")
		text := []byte(strings.Join(lines, "\n"))
		for b.Loop() {
			if bytes.Contains(text, literal) {
				b.Fatal("found")
			}
		}
	})
}

// BenchmarkSecrets scans lines with one secret each.
func BenchmarkSecrets(b *testing.B) {
	const line = "2026-11-20 09:12:44 INFO huggingface_hub: logging in with token=hf_AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh to https://huggingface.co"
	r := New()
	b.SetBytes(int64(len(line)))
	b.ReportAllocs()
	for b.Loop() {
		if r.Text(line) == line {
			b.Fatal("not found")
		}
	}
}

// BenchmarkPod scans a pod in JSON, without a secret.
func BenchmarkPod(b *testing.B) {
	pod := map[string]any{"spec": map[string]any{"containers": []any{map[string]any{
		"name": "pytorch", "image": "ghcr.io/x/train:1", "args": []any{"torchrun", "--nnodes=4", "train.py", "--max-tokens", "4096"},
		"env": []any{map[string]any{"name": "MASTER_ADDR", "value": "bert-0"}, map[string]any{"name": "WORLD_SIZE", "value": "32"}},
	}}}, "status": map[string]any{"phase": "Running", "podIP": "10.0.0.1"}}
	r := New()
	b.ReportAllocs()
	for b.Loop() {
		if _, changed := r.Tree(pod); changed {
			b.Fatal("changed")
		}
	}
}

// TestQuietLinesCostNoMemory checks that nothing is allocated.
func TestQuietLinesCostNoMemory(t *testing.T) {
	r := New()
	for _, line := range ordinary()[:50] {
		if n := testing.AllocsPerRun(100, func() { r.Text(line) }); n > 0 {
			t.Errorf("%v allocations for %s", n, line)
		}
	}
}

// BenchmarkBegins asks of lines without secrets whether the lines below may hold one.
func BenchmarkBegins(b *testing.B) {
	lines := append(ordinary(), "step 1200 | loss 2.3148 | lr 3.0e-04 | grad norm 0.81 | 41,203 tokens/s/gpu | 0.49 s/it")
	b.ReportAllocs()
	for b.Loop() {
		for _, line := range lines {
			if Begins(line) {
				b.Fatal(line)
			}
		}
	}
}
