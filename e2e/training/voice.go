package training

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	corev1 "k8s.io/api/core/v1"
)

// voice is how one pod prints: its rank, and the format of its job.
type voice struct {
	rank  int
	style func(v *voice, l *Log, step int)
	// phase shifts this job's curve against others'.
	phase float64
}

// SixteenRanks is the job of which every rank prints metrics.
const SixteenRanks = "gpt-16"

func voiceOf(pod *corev1.Pod) *voice {
	job := jobOf(pod)
	v := &voice{rank: rankOf(pod), phase: float64(pick(job, 100)) / 100}
	styles := []func(*voice, *Log, int){torchtitan, hugging, megatron, tqdm, byHand}
	v.style = styles[pick(job, len(styles))]
	if job == SixteenRanks {
		v.style = torchtitan
	}
	return v
}

// total is the number of steps in the jobs' logs.
const total = 5000

func (v *voice) say(l *Log, step int) {
	if step == 0 {
		l.Print(
			fmt.Sprintf("[rank%d] world size 16, backend nccl, seed %d", v.rank, 1234+v.rank),
			fmt.Sprintf("node-%d:%d:%d [0] NCCL INFO Using network IB", v.rank/8, 40+v.rank, 90+v.rank),
		)
		return
	}
	if step%50 == 0 && v.rank == 0 {
		l.Print(fmt.Sprintf("Saving checkpoint at step %d to /checkpoints/step-%d", step, step))
	}
	if step%37 == 0 && v.rank%5 == 3 {
		l.Print(fmt.Sprintf("\x1b[33mWARNING\x1b[0m dataloader: a worker of rank %d took %d ms for a batch", v.rank, 900+rand.IntN(900)))
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

func torchtitan(v *voice, l *Log, step int) {
	l.Print(TorchtitanLine(step, v.loss(step)+float64(v.rank)*0.002, 6900+rand.IntN(300)))
}

// hugging is printed by rank 0 alone.
func hugging(v *voice, l *Log, step int) {
	if v.rank == 0 {
		l.Print(HuggingFaceLine(v.loss(step), rate(step), float64(step)/500))
	} else if step%10 == 0 {
		l.Print(fmt.Sprintf("[rank%d]: batch %d is on the device", v.rank, step))
	}
}

// megatron is printed by the last rank, here by each.
func megatron(v *voice, l *Log, step int) {
	l.Print(MegatronLine(step, total, v.loss(step), rate(step), 980+rand.Float64()*40))
}

// tqdm redraws one line for a hundred steps.
func tqdm(v *voice, l *Log, step int) {
	done := step % 100
	state := BarState(fmt.Sprintf("Epoch %d", step/100), done, 100, time.Second, v.loss(step))
	if done == 99 {
		l.Print("\r" + state)
		return
	}
	l.Draw(state)
}

// byHand is the format of people who print by hand.
func byHand(v *voice, l *Log, step int) {
	l.Print(fmt.Sprintf("step %d/%d | loss %.4f | lr %.2e | %.0f samples/s", step, total, v.loss(step), rate(step), 2048+rand.Float64()*64))
}
