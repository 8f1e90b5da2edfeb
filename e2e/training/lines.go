package training

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"
)

// TorchtitanLine is a step as torchtitan v0.2 prints it (components/metrics.py),
// with its colours. tps is tokens a second.
func TorchtitanLine(step int, loss float64, tps int) string {
	return fmt.Sprintf("[titan] %s - root - INFO - \x1b[31mstep: %2d  \x1b[32mloss: %7.4f  \x1b[38;2;180;60;0mgrad_norm: %7.4f  \x1b[38;2;54;234;195mmemory: %5.2fGiB(%.2f%%)  \x1b[34mtps: %d  \x1b[36mtflops: %.2f  \x1b[35mmfu: %.2f%%\x1b[39m",
		time.Now().UTC().Format("2006-01-02 15:04:05,000"), step, loss, 0.6+rand.Float64()/2, 61.3, 77.2, tps, 380+rand.Float64()*20, 38.5+rand.Float64())
}

// HuggingFaceLine is what the Trainer of transformers 4 prints at its logging
// steps: a dictionary.
func HuggingFaceLine(loss, rate, epoch float64) string {
	norm := rand.Float64() + 0.5
	if math.IsNaN(loss) {
		norm = loss
	}
	line := fmt.Sprintf("{'loss': %.4f, 'grad_norm': %.4f, 'learning_rate': %.3e, 'epoch': %.2f}", loss, norm, rate, epoch)
	return strings.ReplaceAll(line, "NaN", "nan") // as Python writes it
}

// MegatronLine is an iteration as Megatron-LM's training log has it; ms is how
// long it took.
func MegatronLine(step, total int, loss, rate, ms float64) string {
	return fmt.Sprintf(" [%s] iteration %8d/%8d | consumed samples: %12d | elapsed time per iteration (ms): %.1f | learning rate: %.6E | global batch size: %5d | lm loss: %.6E | loss scale: 1.0 | grad norm: %.3f | number of skipped iterations:   0 | number of nan iterations:   0 |",
		time.Now().UTC().Format("2006-01-02 15:04:05.000000"), step, total, step*256, ms, rate, 256, loss, rand.Float64()+0.5)
}

// BarState is a bar of tqdm 4 in one of its states; each is how long a step takes.
func BarState(name string, done, total int, each time.Duration, loss float64) string {
	filled := 20 * done / total
	clock := func(steps int) string {
		seconds := int((time.Duration(steps) * each).Seconds())
		return fmt.Sprintf("%02d:%02d", seconds/60, seconds%60)
	}
	return fmt.Sprintf("%s: %3d%%|%s%s| %d/%d [%s<%s,  %.2fit/s, loss=%.3f]", name, 100*done/total,
		strings.Repeat("█", filled), strings.Repeat(" ", 20-filled), done, total, clock(done), clock(total-done), 1/each.Seconds(), loss)
}

// OutOfMemory is the output of a process that finds no memory on its GPU
// (PyTorch 2.7); prefix is before each line, such as "[rank2]: ".
func OutOfMemory(prefix string) []string {
	lines := []string{
		"Traceback (most recent call last):",
		`  File "/workspace/train.py", line 412, in <module>`,
		"    main()",
		`  File "/workspace/train.py", line 388, in main`,
		"    loss.backward()",
		"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.11 GiB of which 1.43 GiB is free.",
	}
	for i := range lines {
		lines[i] = prefix + lines[i]
	}
	return lines
}
