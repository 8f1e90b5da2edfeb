package generate

import (
	"fmt"
	"math"
	"time"
)

// keras prints a bar of one epoch that is redrawn, on the chief; the workers
// print theirs too, as tf.distribute's do.
func keras(rank int) *podLog {
	const epochs, steps = 24, 500
	l := printed(fmt.Sprintf("ctr-daily-%d", rank), 4*time.Hour+6*time.Minute)
	l.err("2026-11-20 05:54:02.118231: I tensorflow/core/common_runtime/gpu/gpu_device.cc:2019] Created device /job:localhost/replica:0/task:0/device:GPU:0 with 76922 MB memory:  -> device: 0, name: NVIDIA A100-SXM4-80GB")
	for epoch := 1; epoch <= epochs; epoch++ {
		l.out("Epoch %d/%d", epoch, epochs)
		x := float64(epoch)
		loss, auc := l.around(falling(0.52, 0.31, x, 1.4), 0.004), 0.80-0.13*math.Pow(x, -0.7)
		bar := ""
		for step := 50; step < steps; step += 50 {
			bar += fmt.Sprintf("\r%3d/%d [%s] - ETA: %s - loss: %.4f - auc: %.4f", step, steps, filled(step, steps), clock(time.Duration(steps-step)*time.Second), loss*(1+0.04*(1-float64(step)/steps)), auc)
		}
		l.pass(l.took(8*time.Minute + 20*time.Second))
		l.out("%s\r%d/%d [==============================] - 500s 1s/step - loss: %.4f - auc: %.4f - val_loss: %.4f - val_auc: %.4f", bar, steps, steps, loss, auc, loss+0.012+0.0006*x, auc-0.008)
	}
	if rank == 0 {
		l.out("INFO:tensorflow:Assets written to: /models/ctr/2026-11-19/assets")
	}
	return l
}

func filled(n, of int) string {
	bar := []byte("..............................")
	for i := range n * len(bar) / of {
		bar[i] = '='
	}
	bar[n*len(bar)/of] = '>'
	return string(bar)
}

func xgboost() *podLog {
	l := printed("churn-xgb", 31*time.Minute)
	l.out("[%s] task 0 got new rank 0", l.at.Format("15:04:05"))
	for round := 0; l.ago() > 3*time.Second; round++ {
		l.pass(l.took(3200 * time.Millisecond))
		x := float64(round)
		l.out("[%d]\ttrain-logloss:%.5f\teval-logloss:%.5f", round, falling(0.69, 0.21, x, 40), falling(0.69, 0.247, x, 36)+0.00002*x)
	}
	return l
}

// grpo is TRL: the loss says little, the reward is what rises.
func grpo() *podLog {
	l := printed("grpo-math", 54*time.Minute)
	l.err("  Total optimization steps = 3,000")
	l.err("Resuming training from checkpoint /ckpt/grpo/checkpoint-800")
	for step := 801; l.ago() > 15*time.Second; step++ {
		l.pass(l.took(14200 * time.Millisecond))
		x := float64(step)
		reward := 0.9 - 0.62*math.Exp(-x/700)
		l.out("{'loss': %.4f, 'grad_norm': %.4f, 'learning_rate': %.3e, 'num_tokens': %d.0, 'completions/mean_length': %.1f, 'rewards/accuracy/mean': %.4f, 'reward': %.4f, 'reward_std': %.4f, 'kl': %.5f, 'epoch': %.2f}",
			math.Abs(l.around(0.004, 0.5)), l.around(0.31, 0.2), warm(1e-6, step, 90, 3000), step*81920, l.around(640+x*0.1, 0.05), l.around(reward-0.05, 0.05), l.around(reward, 0.04), l.around(0.28, 0.1), math.Abs(l.around(0.02+x*1e-5, 0.2)), x/1500)
		if step%100 == 0 {
			l.err("Saving model checkpoint to /ckpt/grpo/checkpoint-%d", step)
		}
	}
	return l
}

// horovod is tf_cnn_benchmarks below mpirun --tag-output.
func horovod() *podLog {
	l := printed("resnet-allreduce", 100*time.Minute)
	l.out("[1,0]<stdout>:TensorFlow:  2.17\n[1,0]<stdout>:Model:       resnet101\n[1,0]<stdout>:Batch size:  2048 global\n[1,0]<stdout>:Step\tImg/sec\ttotal_loss")
	for step := 100; l.ago() > 40*time.Second; step += 100 {
		l.pass(l.took(38 * time.Second))
		l.out("[1,0]<stdout>:%d\timages/sec: %.1f +/- 2.1 (jitter = 9.8)\t%.3f", step, l.around(5390, 0.004), l.around(falling(8.4, 6.1, float64(step), 900), 0.002))
	}
	return l
}

// trial prints as people write it by hand.
func trial(i int) *podLog {
	l := printed(fmt.Sprintf("hpo-sweep-%d", i), 119*time.Minute)
	rate := []float64{3e-3, 1e-3, 6e-4, 3e-4, 1e-4, 3e-5}[i]
	end := []time.Duration{62 * time.Minute, 18 * time.Minute}
	until := time.Minute
	if i < len(end) {
		until = end[i] + 10*time.Second
	}
	l.out("trial %d: lr=%g, batch_size=256", i, rate)
	floor := 0.31 + 0.06*math.Abs(math.Log10(rate/6e-4))
	for epoch := 1; epoch <= 60 && l.ago() > until; epoch++ {
		l.pass(l.took(time.Duration(58+20*i) * time.Second))
		loss := l.around(falling(2.3, floor, float64(epoch), 3), 0.01)
		l.out("Epoch [%d/60], Average Loss: %.4f, val_loss: %.4f, accuracy: %.2f%%, lr: %g", epoch, loss, loss+0.07, 100*(1-loss/2.6), rate)
	}
	if i < len(end) {
		l.out("trial %d finished: best val_loss %.4f", i, floor+0.09)
	}
	return l
}
