package generate

import (
	"fmt"
	"math"
	"time"
)

// fairseq ends badly: rank 2 finds a broken file and exits, the others wait
// for it until NCCL's watchdog gives up, and hang.
func fairseq(rank int) *podLog {
	const broke = 19*time.Minute + 3*time.Second
	l := printed(fmt.Sprintf("hubert-%d", rank), 50*time.Minute)
	for step := 1; l.ago() > broke; step++ {
		l.pass(l.took(1450 * time.Millisecond))
		if rank == 0 && step%20 == 0 {
			loss := falling(11.2, 3.1, float64(step), 160)
			l.out("%s | INFO | train_inner | epoch 001: %5d / 4210 loss=%.3f, ppl=%.2f, wps=%.1f, ups=0.69, wpb=61440, bsz=96, num_updates=%d, lr=%.5e, gnorm=%.3f, loss_scale=64, train_wall=29, gb_free=31.2, wall=%.0f",
				l.at.Format("2006-01-02 15:04:05"), step, l.around(loss, 0.01), math.Exp2(loss), l.around(42100, 0.02), step, warm(5e-4, step, 800, 25000), l.around(1.9, 0.1), (50*time.Minute - l.ago()).Seconds())
		}
	}
	if rank == 2 {
		l.err("Traceback (most recent call last):\n  File \"/opt/train/train.py\", line 88, in <module>\n    main()\n  File \"/opt/train/data/audio.py\", line 141, in __getitem__\n    wav, sr = soundfile.read(path)\nsoundfile.LibsndfileError: Error opening '/data/librilight/unlab-60k/3576/138058/0412.flac': File contains data in an unimplemented format.")
		return l
	}
	l.pass(10*time.Minute + 4*time.Second)
	l.err("[rank%d]:[E1120 %s ProcessGroupNCCL.cpp:632] [Rank %d] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=11764, OpType=ALLREDUCE, NumelIn=94371840, NumelOut=94371840, Timeout(ms)=600000) ran for 600026 milliseconds before timing out.", rank, l.at.Format("15:04:05.000000000"), rank)
	l.err("[rank%d]:[E1120 %s ProcessGroupNCCL.cpp:2271] [PG ID 0 PG GUID 0(default_pg) Rank %d]  failure detected by watchdog at work sequence id: 11764 PG status: last enqueued work: 11766, last completed work: 11763", rank, l.at.Format("15:04:05.000000000"), rank)
	return l
}

// fairseqRestarting goes on for hours, then loses its only worker.
func fairseqRestarting() *podLog {
	l := printed("wav2vec2", 2*time.Hour+58*time.Minute)
	for step := 100; l.ago() > 50*time.Second; step += 100 {
		l.pass(l.took(61 * time.Second))
		loss := falling(6.4, 0.9, float64(step), 500)
		l.out("%s | INFO | train_inner | epoch %03d: %5d / 2800 loss=%.3f, nll_loss=%.3f, wps=%.1f, ups=1.64, wpb=18220, bsz=64, num_updates=%d, lr=%.5e, gnorm=%.3f, train_wall=60, wall=%.0f",
			l.at.Format("2006-01-02 15:04:05"), 1+step/2800, step%2800, l.around(loss, 0.01), l.around(loss*0.93, 0.01), l.around(29880, 0.02), step, warm(1e-4, step, 2000, 40000), l.around(0.8, 0.1), (2*time.Hour + 58*time.Minute - l.ago()).Seconds())
	}
	l.err("torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:3356, remote process exited or there was a network error, NCCL version 2.26.2")
	return l
}

// maxText prints on every process. The node of the second fell silent four
// minutes ago: its log stops there, and the first one waits.
func maxText(rank int) *podLog {
	const perStep = 9200 * time.Millisecond
	l := printed(fmt.Sprintf("usm-jax-%d", rank), 26*time.Hour+33*time.Minute)
	l.out("Num_devices: 8, shape (1, 1, 2, 4, 1, 1, 1)\nConfig param steps: 12000\nnumber parameters: 2.013 billion")
	for step := 0; l.ago() > 4*time.Minute+10*time.Second; step++ {
		took := l.took(perStep)
		l.pass(took)
		if step%10 != 0 {
			continue
		}
		l.out("completed step: %d, seconds: %.3f, TFLOP/s/device: %.3f, Tokens/s/device: %.3f, total_weights: 131072, loss: %.3f",
			step, took.Seconds(), 1184.0/took.Seconds(), 16384/took.Seconds(), l.around(falling(10.8, 2.05, float64(step), 240), 0.006))
	}
	if rank == 0 {
		l.pass(100 * time.Second)
		l.err("E1120 %s 1 coordination_service_agent.cc:346] Heartbeats from /job:jax_worker/replica:0/task:1 have stopped; it is unhealthy", l.at.Format("15:04:05.000000"))
	}
	return l
}
