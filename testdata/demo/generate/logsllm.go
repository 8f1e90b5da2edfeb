package generate

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// falling is a loss that falls from one value towards another as a power of
// the step.
func falling(from, to, step, half float64) float64 {
	return to + (from-to)/math.Pow(1+step/half, 0.62)
}

// warm is a learning rate that rises over the first steps and then falls as a
// cosine.
func warm(peak float64, step, warmup, total int) float64 {
	if step < warmup {
		return peak * float64(step) / float64(warmup)
	}
	done := float64(step-warmup) / float64(total-warmup)
	return peak * (0.1 + 0.45*(1+math.Cos(math.Pi*done)))
}

// titan is torchtitan 0.2: one line every ten steps from rank 0, a spike that
// the run recovers from, a checkpoint every thousand steps.
func titan() *podLog {
	l := printed("llama-70b", day3-8*time.Minute)
	say := func(format string, args ...any) {
		l.err("[rank0]:[titan] %s - root - INFO - %s", l.stamp(), fmt.Sprintf(format, args...))
	}
	say("Starting job: Llama 3.1 70B training")
	say("CUDA capacity: NVIDIA H100 80GB HBM3 with 79.10GiB memory")
	say("Building 2-D device mesh with ['dp_shard', 'tp'], [8, 8]")
	l.pass(40 * time.Second)
	say("Model llama3 70B size: 70,553,706,496 total parameters")
	say("Applied FSDP to the model")
	l.pass(75 * time.Second)
	say("Trainer is initialized with local batch size 8, global batch size 64, gradient accumulation steps 1, sequence length 8192, total steps 16000 (warmup 200)")
	say("Training starts at step 1")
	const perStep = 24800 * time.Millisecond
	for step := 1; l.ago() > perStep*2; step++ {
		l.pass(l.took(perStep))
		if step != 1 && step%10 != 0 {
			continue
		}
		loss := falling(12.2, 1.55, float64(step), 260)
		norm := 0.35 + 6*math.Exp(-float64(step)/150)
		if after := step - 6130; after >= 0 && after < 260 { // a bad batch
			loss += 2.6 * math.Exp(-float64(after)/70)
			norm += 9 * math.Exp(-float64(after)/50)
		}
		say("\x1b[31mstep: %2d  \x1b[32mloss: %8.5f  \x1b[38;2;180;60;0mgrad_norm: %7.4f  \x1b[38;2;54;234;195mmemory: 71.22GiB(90.04%%)  \x1b[34mtps: %s  \x1b[36mtflops: %.2f  \x1b[35mmfu: %.2f%%\x1b[39m",
			step, l.around(loss, 0.006), math.Abs(l.around(norm, 0.09)), thousands(int(l.around(2642, 0.012))), l.around(412.3, 0.012), l.around(41.69, 0.012))
		if step%1000 == 0 {
			say("Saving the checkpoint (or staging if async is enabled).")
			l.pass(31 * time.Second)
			say("Finished saving the checkpoint (or staging if async is enabled)in 31.12 seconds.")
		}
	}
	return l
}

func titanWorker(i int) *podLog {
	l := printed(fmt.Sprintf("llama-70b-worker-%d", i), day3-9*time.Minute)
	rank := 8 * (i + 1)
	l.err("W1117 05:51:02.118000 1 site-packages/torch/distributed/run.py:774] Setting OMP_NUM_THREADS environment variable for each process to be 1 in default")
	for local := range 8 {
		l.err("[rank%d]: llama-70b-worker-%d:%d:%d [%d] NCCL INFO NCCL version 2.26.2+cuda12.8", rank+local, i, 61+local, 61+local, local)
		l.err("[rank%d]: llama-70b-worker-%d:%d:%d [%d] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB/SHARP [1]mlx5_1:1/IB/SHARP [RO]; OOB eth0:10.12.%d.14<0>", rank+local, i, 61+local, 61+local, local, i+2)
	}
	l.pass(2 * time.Minute)
	for l.ago() > 7*time.Hour {
		l.pass(time.Duration(5+l.rand.IntN(4)) * time.Hour)
		l.err("[rank%d]: /opt/train/data/reader.py:212: UserWarning: shard fineweb-%05d took %.1f s to open", rank+l.rand.IntN(8), l.rand.IntN(20000), 2+3*l.rand.Float64())
	}
	return l
}

// huggingFace is transformers 4.5x with its progress bar: states end in
// carriage returns, a dict is printed between two of them.
func huggingFace() *podLog {
	const total, every = 2000, 10
	began := 5*time.Hour + 36*time.Minute
	l := printed("qwen3-sft", began)
	l.err("***** Running training *****\n  Num examples = 128,000\n  Num Epochs = 2\n  Instantaneous batch size per device = 2\n  Total train batch size (w. parallel, distributed & accumulation) = 128\n  Gradient Accumulation steps = 4\n  Total optimization steps = %s\n  Number of trainable parameters = 32,762,123,264", thousands(total))
	const perStep = 15600 * time.Millisecond
	var bar strings.Builder
	for step := 1; l.ago() > perStep; step++ {
		l.pass(l.took(perStep))
		spent := began - l.ago()
		left := time.Duration(float64(spent) / float64(step) * float64(total-step))
		fmt.Fprintf(&bar, "\r%3d%%|%-10s| %d/%d [%s<%s, %5.2fs/it]", step*100/total, strings.Repeat("█", step*10/total), step, total, clock(spent), clock(left), l.around(15.6, 0.01))
		if step%every != 0 {
			continue
		}
		loss := l.around(falling(2.05, 0.955, float64(step), 120), 0.012)
		l.err("%s\r                                                     \r{'loss': %.4f, 'grad_norm': %.4f, 'learning_rate': %.4e, 'epoch': %.2f}", bar.String(), loss, l.around(0.62, 0.15), warm(2e-5, step, 60, total), float64(step)/1000)
		bar.Reset()
		if step%250 == 0 {
			l.pass(3 * time.Minute)
			l.err("{'eval_loss': %.4f, 'eval_runtime': 171.22, 'eval_samples_per_second': 11.68, 'eval_steps_per_second': 0.73, 'epoch': %.2f}", loss+0.06+0.00003*float64(step), float64(step)/1000)
			l.err("Saving model checkpoint to /ckpt/qwen3-sft/checkpoint-%d", step)
		}
	}
	return l
}

func huggingFaceOther() *podLog {
	l := printed("qwen3-sft-1", 5*time.Hour+36*time.Minute)
	l.err("[rank8]: /usr/local/lib/python3.12/site-packages/torch/distributed/distributed_c10d.py:4631: UserWarning: No device id is provided via `init_process_group` or `barrier`. Using the current device set by the user.")
	l.err("`use_cache=True` is incompatible with gradient checkpointing. Setting `use_cache=False`.")
	return l
}

// megatronFirst and megatronLast: Megatron-LM prints its curve on the last rank.
func megatronFirst() *podLog {
	l := printed("whisper-large-0", 9*time.Hour+10*time.Minute)
	l.out("using world size: 8, data-parallel size: 8, context-parallel size: 1, tensor-model-parallel size: 1, pipeline-model-parallel size: 1")
	l.out("------------------------ arguments ------------------------\n  adam_beta1 ...................................... 0.9\n  global_batch_size ............................... 256\n  lr .............................................. 0.00017\n  train_iters ..................................... 60000\n-------------------- end of arguments ---------------------")
	l.out("> compiling dataset index builder ...")
	l.pass(55 * time.Second)
	l.out("time to initialize megatron (seconds): 51.238")
	l.out("done with setup ...")
	return l
}

func megatronLast() *podLog {
	const total, every, perStep = 60000, 100, 640 * time.Millisecond
	l := printed("whisper-large-1", 9*time.Hour+8*time.Minute)
	l.out("(min, max) time across ranks (ms):\n    model-and-optimizer-setup ......................: (1893.12, 1921.44)\n    train/valid/test-data-iterators-setup ..........: (812.40, 2210.57)")
	l.out("[before the start of training step] datetime: %s ", l.at.Format("2006-01-02 15:04:05"))
	for step := every; l.ago() > every*perStep; step += every {
		l.pass(l.took(every * perStep))
		loss := l.around(falling(9.1, 0.55, float64(step), 900), 0.01)
		lossText := fmt.Sprintf(" lm loss: %.6E |", loss)
		skipped := 0
		if step == 12300 { // every step of the interval overflowed
			lossText, skipped = "", every
		}
		l.out(" [%s] iteration %8d/%8d | consumed samples: %12d | elapsed time per iteration (ms): %.1f | throughput per GPU (TFLOP/s/GPU): %.1f | learning rate: %.6E | global batch size:   256 |%s loss scale: 65536.0 | grad norm: %.3f | number of skipped iterations: %3d | number of nan iterations:   0 |",
			l.at.Format("2006-01-02 15:04:05"), step, total, step*256, l.around(640, 0.012), l.around(148.2, 0.012), warm(1.7e-4, step, 2000, total), lossText, l.around(0.41, 0.12), skipped)
		if step%5000 == 0 {
			l.pass(21 * time.Second)
			l.out("-----------------------------------------------------------------------------------------------\n validation loss at iteration %d | lm loss value: %.6E | lm loss PPL: %.6E | \n-----------------------------------------------------------------------------------------------", step, loss+0.05, math.Exp(loss+0.05))
			l.out("saving checkpoint at iteration %7d to /ckpt/whisper-large in torch_dist format", step)
		}
	}
	return l
}
