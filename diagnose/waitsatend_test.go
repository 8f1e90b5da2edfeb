package diagnose

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// answerOnLog returns the answer on a log that is all that is known of a job.
func answerOnLog(text string) *Answer {
	st := store.New(func() time.Time { return noon })
	stream := train.StreamID{File: "a.txt"}
	st.Apply(store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}})
	feed := logfeed.NewFeed(st, stream, logfeed.Options{})
	_, _ = feed.Write([]byte(text))
	feed.End()
	s := st.Snapshot()
	return Run(s, Options{}, nil).Job(s.LogJobs()[0].ID)
}

// A log that ends in a wait or in a retry, without any step, is not well.
func TestALogThatEndsInAWaitHasNotStarted(t *testing.T) {
	launched := "I0508 10:00:00.000000 140 torch/distributed/launcher/api.py:188] Starting elastic_operator with launch configs:\n"
	for _, text := range []string{
		launched + strings.Repeat("2024-11-20 10:00:01.123456: I tensorflow/core/distributed_runtime/master.cc:224] CreateSession still waiting for response from worker: /job:ps/replica:0/task:0\n", 3),
		launched + "I0508 10:00:00.000000 140 torch/distributed/elastic/agent/server/api.py:825] [default] Rendezvous'ing worker group\n",
		launched + "LAUNCH INFO 2024-05-08 10:00:00,000 Waiting peer start...\nLAUNCH INFO 2024-05-08 10:00:30,000 Waiting peer start...\n",
		launched + "Still waiting for 3 workers to connect to tracker\n",
		launched + "[LightGBM] [Warning] Connecting to rank 1 failed, waiting for 200 milliseconds\n",
		launched + "Retrying in 1s [Retry 1/5].\n",
		launched + `{"level": "info", "message": "worker-3 is not ready yet"}` + "\n",
		launched + "等待其他节点加入\n",
	} {
		got := answerOnLog(text)
		if got.Verdict() != NotEnoughRead || !strings.Contains(got.Conclusion.Sentence, "it has not started") {
			t.Errorf("%q: %s, %s", text, got.Verdict(), got.Conclusion.Sentence)
		}
	}
	for _, text := range []string{
		launched + "step 100 loss 2.1\nwaiting for worker 3\n",
		launched + "wandb: Waiting for W&B process to finish... (success).\n",
		launched + "Waiting for the checkpoint to be saved\n",
		launched + "waiting for worker 3\nall workers joined\n",
	} {
		if got := answerOnLog(text); got.Verdict() != NothingWrong {
			t.Errorf("%q: %s, %s", text, got.Verdict(), got.Conclusion.Sentence)
		}
	}
}

// A program reported that training is over, and a rank's watchdog speaks afterwards: it
// succeeded. Where it did not report it, the watchdog's line is how the log ends.
func TestAWatchdogAfterTheEnd(t *testing.T) {
	const watchdog = "[rank7]:[E1120 11:16:00.1 ProcessGroupNCCL.cpp:616] [Rank 7] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=4021, OpType=ALLREDUCE, NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600021 milliseconds before timing out.\n"
	const steps = "step 1/500 loss 2.5\nstep 2/500 loss 2.4\nstep 3/500 loss 2.3\n"
	for text, want := range map[string]Verdict{steps + "Training finished\n" + watchdog: NothingWrong, steps + watchdog: CauseFound} {
		if got := answerOnLog(text); got.Verdict() != want {
			t.Errorf("%q: %s, %s", text, got.Verdict(), got.Conclusion.Sentence)
		}
	}
}

// A failure in plain words with the start of training behind it ended nothing.
func TestAFailureInPlainWordsBeforeTheStart(t *testing.T) {
	const start = "trainable params: 41,943,040\n***** Running training *****\n  Num examples = 52,002\n  Num Epochs = 3\n  Total optimization steps = 1,218\n"
	for _, line := range []string{"mount: can't find /mnt/nfs in /etc/fstab\n", "Could not create cuDNN handle, using native\n", "timeout waiting for prefetch worker 2, respawned\n"} {
		if got := answerOnLog("NCCL INFO comm 0x1 init complete\n" + line + start); len(got.Findings) > 0 || got.Verdict() != NothingWrong {
			t.Errorf("%q: %s, %s", line, got.Verdict(), got.Conclusion.Sentence)
		}
	}
}
