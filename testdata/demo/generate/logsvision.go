package generate

import (
	"fmt"
	"time"
)

// clipRank prints its own loss on each rank, then loses a peer that was killed.
func clipRank(rank int) *podLog {
	l := printed(fmt.Sprintf("clip-%d", rank), 46*time.Minute)
	for _, end := range []time.Duration{10 * time.Minute, 3 * time.Minute} {
		clipSteps(l, rank, end)
		l.err("[rank%d]: Traceback (most recent call last):\n[rank%d]:   File \"/opt/train/train.py\", line 412, in <module>\n[rank%d]:     loss.backward()\n[rank%d]: torch.distributed.DistBackendError: NCCL error in: /pytorch/torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp:3356, remote process exited or there was a network error, NCCL version 2.26.2\n[rank%d]: ncclRemoteError: A call failed possibly due to a network error or a remote process exiting prematurely.\n[rank%d]: Last error:\n[rank%d]: NET/Socket : peer 10.244.7.31<47312> closed connection: Connection reset by peer", rank, rank, rank, rank, rank, rank, rank)
		l.err("W1120 %s 1 site-packages/torch/distributed/elastic/multiprocessing/api.py:900] Sending process 71 closing signal SIGTERM", l.at.Format("15:04:05.000000"))
		l.pass(time.Minute + time.Duration(rank)*time.Second)
	}
	l.err("I1120 %s 1 site-packages/torch/distributed/elastic/agent/server/api.py:525] [default] Rendezvous'ing worker group", l.at.Format("15:04:05.000000"))
	return l
}

// clipKilled is the rank whose data loaders outgrow the memory limit: the
// kernel ends it, so its log just stops.
func clipKilled(since time.Duration) *podLog {
	l := printed(fmt.Sprintf("clip-2-%s", since), since)
	l.err("I1120 %s 1 site-packages/torch/distributed/elastic/agent/server/api.py:525] [default] Rendezvous'ing worker group", l.at.Format("15:04:05.000000"))
	clipSteps(l, 2, since-95*time.Second)
	l.err("/opt/train/data.py:88: ResourceWarning: 48 loader workers hold 61.8 GiB of decoded images")
	return l
}

// clipSteps trains from the newest checkpoint until the end.
func clipSteps(l *podLog, rank int, until time.Duration) {
	l.out("[Rank %d] loaded checkpoint /ckpt/clip/epoch_0.pt, resuming from step 0", rank)
	for step := 1; l.ago() > until; step++ {
		l.pass(l.took(2100 * time.Millisecond))
		if step%5 == 0 {
			loss := falling(5.6, 2.4, float64(step), 90) * (1 + 0.02*float64(rank))
			l.out("[Rank %d] Train Epoch: 1 step: %d/20000 loss: %.4f lr: %.6f samples/sec: %.1f", rank, step, l.around(loss, 0.02), warm(5e-4, step, 2000, 20000), l.around(486, 0.03))
		}
	}
}

// elastic lost a node and was restarted by its agent from a checkpoint: its
// steps go back.
func elastic(rank int) *podLog {
	l := printed(fmt.Sprintf("vit-elastic-%d", rank), 2*time.Hour+17*time.Minute)
	first := 0
	for _, part := range []struct {
		from  int
		until time.Duration
	}{{0, 52 * time.Minute}, {1500, 4 * time.Second}} {
		for step := part.from + 1; l.ago() > part.until; step++ {
			l.pass(l.took(2500 * time.Millisecond))
			if rank == 0 && step%10 == 0 {
				loss := falling(6.9, 1.9, float64(step), 300)
				l.out("Train: %d [%4d/1250 (%3d%%)]  Loss: %.3f (%.3f)  Time: %.3fs, %7.2f/s  LR: %.3e  Data: 0.011", step/1250, step%1250, step%1250*100/1250, l.around(loss, 0.02), loss, l.around(2.5, 0.02), l.around(819.2, 0.02), warm(1e-3, step, 500, 12500))
			}
			if rank == 0 && step%500 == 0 {
				l.out("Saving checkpoint at step %d to /ckpt/vit/step_%d.pt", step, step)
			}
			first = step
		}
		if part.until < time.Minute {
			break
		}
		l.err("[rank%d]:[E1120 %s ProcessGroupNCCL.cpp:632] [Rank %d] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=%d, OpType=ALLREDUCE, NumelIn=8650752, NumelOut=8650752, Timeout(ms)=600000) ran for 600031 milliseconds before timing out.", rank, l.at.Add(10*time.Minute).Format("15:04:05.000000000"), rank, first*14)
		l.pass(10 * time.Minute)
		l.err("W1120 %s 1 site-packages/torch/distributed/elastic/agent/server/api.py:719] [default] worker group changed: 5 -> 4 nodes, restarting", l.at.Format("15:04:05.000000"))
		l.pass(45 * time.Second)
		l.out("Resuming from checkpoint /ckpt/vit/step_1500.pt (step 1500)")
	}
	return l
}

// rendezvous waits for ranks that do not come.
func rendezvous(job string, since time.Duration, here, wanted int) *podLog {
	l := printed(job, since)
	l.err("I1120 %s 1 site-packages/torch/distributed/launcher/api.py:194] Starting elastic_operator with launch configs:\n  entrypoint       : train.py\n  min_nodes        : %d\n  max_nodes        : %d\n  rdzv_backend     : static", l.at.Format("15:04:05.000000"), wanted, wanted)
	for l.ago() > time.Minute {
		l.pass(time.Duration(290+l.rand.IntN(20)) * time.Second)
		l.err("[W1120 %s socket.cpp:755] [c10d] %d of %d nodes have joined; waiting for the others on port 23456 (%s of 30m0s)", l.at.Format("15:04:05.000000000"), here, wanted, (since - l.ago()).Round(time.Second))
	}
	return l
}
