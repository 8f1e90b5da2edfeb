package training

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// voice is how one pod prints: its rank, and the format of its job.
type voice struct {
	rank  int
	style func(v *voice, l *life, step int)
	// phase shifts this job's curve against others'.
	phase float64
}

// SixteenRanks is the job that every rank of prints metrics.
const SixteenRanks = "gpt-16"

func voiceOf(pod *corev1.Pod) *voice {
	job := jobOf(pod)
	v := &voice{rank: rankOf(pod), phase: float64(pick(job, 100)) / 100}
	styles := []func(*voice, *life, int){torchtitan, hugging, megatron, tqdm, byHand}
	v.style = styles[pick(job, len(styles))]
	if job == SixteenRanks {
		v.style = torchtitan
	}
	return v
}

// total is how many steps the jobs say they have.
const total = 5000

func (v *voice) say(l *life, step int) {
	if step == 0 {
		l.print(
			fmt.Sprintf("[rank%d] world size 16, backend nccl, seed %d", v.rank, 1234+v.rank),
			fmt.Sprintf("node-%d:%d:%d [0] NCCL INFO Using network IB", v.rank/8, 40+v.rank, 90+v.rank),
		)
		return
	}
	if step%50 == 0 && v.rank == 0 {
		l.print(fmt.Sprintf("Saving checkpoint at step %d to /checkpoints/step-%d", step, step))
	}
	if step%37 == 0 && v.rank%5 == 3 {
		l.print(fmt.Sprintf("\x1b[33mWARNING\x1b[0m dataloader: a worker of rank %d took %d ms for a batch", v.rank, 900+rand.IntN(900)))
	}
	v.style(v, l, step)
}

// loss falls as losses do, with noise, and has a spike now and then.
func (v *voice) loss(step int) float64 {
	value := 1.6 + v.phase + 8*math.Pow(float64(step)+3, -0.45) + rand.NormFloat64()*0.04
	if step%173 == 172 {
		value *= 1.9
	}
	return value
}

func rate(step int) float64 {
	warm := math.Min(1, float64(step)/100)
	return 3e-4 * warm * (0.55 + 0.45*math.Cos(math.Pi*float64(step)/total))
}

// torchtitan v0.2: components/metrics.py, with the colours it prints.
func torchtitan(v *voice, l *life, step int) {
	l.print(fmt.Sprintf("[titan] %s - root - INFO - \x1b[31mstep: %2d  \x1b[32mloss: %7.4f  \x1b[38;2;180;60;0mgrad_norm: %7.4f  \x1b[38;2;54;234;195mmemory: %5.2fGiB(%.2f%%)  \x1b[34mtps: %d  \x1b[36mtflops: %.2f  \x1b[35mmfu: %.2f%%\x1b[39m",
		time.Now().UTC().Format("2006-01-02 15:04:05,000"), step, v.loss(step)+float64(v.rank)*0.002, 0.6+rand.Float64()/2, 61.3, 77.2, 6900+rand.IntN(300), 380+rand.Float64()*20, 38.5+rand.Float64()))
}

// hugging is the Trainer of transformers 4: a dictionary every few steps, by
// rank 0 alone.
func hugging(v *voice, l *life, step int) {
	if v.rank == 0 {
		l.print(fmt.Sprintf("{'loss': %.4f, 'grad_norm': %.4f, 'learning_rate': %.3e, 'epoch': %.2f}", v.loss(step), rand.Float64()+0.5, rate(step), float64(step)/500))
	} else if step%10 == 0 {
		l.print(fmt.Sprintf("[rank%d]: batch %d is on the device", v.rank, step))
	}
}

// megatron is Megatron-LM's training log; its last rank prints it, here each.
func megatron(v *voice, l *life, step int) {
	l.print(fmt.Sprintf(" [%s] iteration %8d/%8d | consumed samples: %12d | elapsed time per iteration (ms): %.1f | learning rate: %.6E | global batch size: %5d | lm loss: %.6E | loss scale: 1.0 | grad norm: %.3f | number of skipped iterations:   0 | number of nan iterations:   0 |",
		time.Now().UTC().Format("2006-01-02 15:04:05.000000"), step, total, step*256, 980+rand.Float64()*40, rate(step), 256, v.loss(step), rand.Float64()+0.5))
}

// tqdm redraws one line for a hundred steps.
func tqdm(v *voice, l *life, step int) {
	done := step % 100
	bar := strings.Repeat("█", done/5) + strings.Repeat(" ", 20-done/5)
	state := fmt.Sprintf("Epoch %d: %3d%%|%s| %d/100 [%02d:%02d<%02d:%02d,  1.01it/s, loss=%.3f]",
		step/100, done, bar, done, done/60, done%60, (100-done)/60, (100-done)%60, v.loss(step))
	if done == 99 {
		l.print("\r" + state)
		return
	}
	l.draw(state)
}

// byHand is what people print themselves.
func byHand(v *voice, l *life, step int) {
	l.print(fmt.Sprintf("step %d/%d | loss %.4f | lr %.2e | %.0f samples/s", step, total, v.loss(step), rate(step), 2048+rand.Float64()*64))
}

// traceback is how a rank ends that has found no memory (PyTorch 2.7).
var traceback = []string{
	"Traceback (most recent call last):",
	`  File "/workspace/train.py", line 412, in <module>`,
	"    main()",
	`  File "/workspace/train.py", line 388, in main`,
	"    loss.backward()",
	"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 79.11 GiB of which 1.43 GiB is free.",
}
