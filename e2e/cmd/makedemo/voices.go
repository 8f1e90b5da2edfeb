package main

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/traintop/traintop/e2e/training"
)

// voice is how the ranks of a job print.
type voice struct {
	// every is the time between two outputs, from is the first step: that of
	// the checkpoint, for a run that resumes from one. stride is how many steps
	// lie between two outputs.
	every        time.Duration
	from, stride int
	// world is how many ranks the job has, 0 for no training; first is what
	// each rank prints after the world size.
	world int
	first []string
	// say prints what belongs to a step.
	say func(s *stage, l *training.Log, rank, step int)
}

// speak prints until the context ends.
func (v *voice) speak(ctx context.Context, s *stage, l *training.Log, rank int, began time.Time) {
	if v.world > 0 {
		l.Print(fmt.Sprintf("[rank%d] world size %d, backend nccl, seed %d", rank, v.world, 1234+rank), fmt.Sprintf("[rank%d] NCCL INFO Using network IB", rank))
	}
	l.Print(v.first...)
	for n := 1; sleep(ctx, time.Until(began.Add(time.Duration(n)*v.every))); n++ {
		v.say(s, l, rank, v.from+n*v.stride)
	}
}

// curve is a loss that falls as losses do: from high towards low, with noise.
func curve(step int, high, low, scale, noise float64) float64 {
	return low + (high-low)*math.Pow(1+float64(step)/scale, -0.55) + rand.NormFloat64()*noise
}

// alone makes rank 0 print for all of them, as most frameworks do.
func alone(say func(s *stage, l *training.Log, step int)) func(*stage, *training.Log, int, int) {
	return func(s *stage, l *training.Log, rank, step int) {
		if rank == 0 {
			say(s, l, step)
		}
	}
}

// sayLlama is torchtitan: every rank prints every step.
func sayLlama(_ *stage, l *training.Log, rank, step int) {
	l.Print(training.TorchtitanLine(step, curve(step, 11.4, 1.9, 60, 0.015)+float64(rank)*0.001, 6900+rand.IntN(300)))
	if step%200 == 0 && rank == 0 {
		l.Print(fmt.Sprintf("[titan] Saved checkpoint at step %d to /checkpoints/llama-70b/step-%d", step, step))
	}
}

// sayMixtral is Megatron-LM: the last rank prints. Since one of its GPUs is
// slow, every iteration takes longer.
func sayMixtral(s *stage, l *training.Log, rank, step int) {
	if rank != 1 {
		return
	}
	ms := 1940 + rand.Float64()*60
	if _, slow := s.since(gpuSlows); slow {
		ms *= 1.58
	}
	l.Print(training.MegatronLine(step, 50000, curve(step, 10.8, 1.7, 90, 0.01), 2.4e-4, ms))
}

// sayVit is a bar of tqdm, redrawn by rank 0.
func sayVit(_ *stage, l *training.Log, step int) {
	const epoch = 120
	done := step % epoch
	state := training.BarState(fmt.Sprintf("Epoch %d", step/epoch), done, epoch, 400*time.Millisecond, curve(step, 6.9, 1.1, 150, 0.03))
	if done+3 >= epoch { // the last that is drawn
		l.Print("\r" + state)
		return
	}
	l.Draw(state)
}

// sayHuggingFace is the Trainer of transformers with a loss of its own.
func sayHuggingFace(rate float64, epoch int, loss func(s *stage, step int) float64) func(*stage, *training.Log, int) {
	return func(s *stage, l *training.Log, step int) {
		l.Print(training.HuggingFaceLine(loss(s, step), rate*math.Exp(-float64(step)/9000), float64(step)/float64(epoch)))
	}
}

// lossOfTTS falls until it is NaN.
func lossOfTTS(s *stage, step int) float64 {
	gone, broken := s.since(lossBreaks)
	switch {
	case !broken:
		return curve(step, 4.2, 0.7, 80, 0.02)
	case gone < 10*time.Second:
		return 4.2 * math.Exp(gone.Seconds()/2)
	}
	return math.NaN()
}

// sayByHand is the format of people who print by hand.
func sayByHand(total int, high, low float64) func(*stage, *training.Log, int) {
	return func(_ *stage, l *training.Log, step int) {
		l.Print(fmt.Sprintf("step %d/%d | loss %.4f | lr %.2e | %.0f samples/s", step, total, curve(step, high, low, 70, 0.02), 3e-4, 2048+rand.Float64()*64))
	}
}
