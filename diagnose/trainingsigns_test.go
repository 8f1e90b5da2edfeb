package diagnose

import (
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Only a text that shows training, or a long log, can be reported as well.
func TestOnlyALogOfTrainingIsWell(t *testing.T) {
	dated := strings.Repeat("2026-11-20 08:00:00,123 INFO started a component\n", 30)
	for name, f := range map[string]struct {
		text string
		want Verdict
	}{
		"samples":            {"Epoch 1/3: loss 2.1\nEpoch 2/3: loss 1.9\n", NothingWrong},
		"collectives":        {"gpu-0:123:456 [0] NCCL INFO Using network IB\n", NothingWrong},
		"a framework's line": {"W1120 08:00:00.000000 1234 torch/distributed/run.py:779] Setting OMP_NUM_THREADS to be 1 in default\n", NothingWrong},
		"a progress bar":     {"Loading checkpoint shards:  50%|#####     | 1/2 [00:05<00:05,  5.1s/it]\n", NothingWrong},
		"a long log":         {dated, NothingWrong},
		"a word":             {"ok\n", NotEnoughRead},
		"a number":           {"42\n", NotEnoughRead},
		"kubectl apply":      {"pytorchjob.kubeflow.org/bert created\nconfigmap/bert configured\n", NotEnoughRead},
		"squeue":             {" JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n  1234       gpu    train     jane  R       1:12      4 n[1-4]\n", NotEnoughRead},
		"squeue, waiting":    {" JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n  1234       gpu    train     jane PD       0:00      4 (Resources)\n", CauseFound},
		"podman ps":          {"CONTAINER ID  IMAGE   COMMAND      CREATED      STATUS                    NAMES\n5b3b4f0c3b1d  pytorch  python t.py  2 hours ago  Exited (137) 2 hours ago  train\n", NotEnoughRead},
		"prose":              {"Hi all,\n\nour training has been slow since yesterday. The loss looks fine.\n\nThanks\nJane\n", NotEnoughRead},
		"requirements":       {"torch==2.4.0\ntransformers==4.44.0\n", NotEnoughRead},
		"settings":           {"[training]\nlr = \"1e-3\"\nepochs = \"3\"\n", NotEnoughRead},
		"names of logs":      {"-rw-r--r-- jane/jane 12345 2026-11-20 08:00 logs/rank0.log\n-rw-r--r-- jane/jane 12345 2026-11-20 08:00 logs/rank1.log\n", NotEnoughRead},
		"base64":             {strings.Repeat("MjAyNi0xMS0yMCAwODowMDowMCBJTkZPIHN0ZXAgMCBsb3NzIDMuMDAwCg==\n", 40), NotEnoughRead},
		"a long manual":      {strings.Repeat("| key | does |\n", 60) + "| T | goes to a step (step 1200), of rank 0 too |\n", NotEnoughRead},
		"text that repeats":  {strings.Repeat("lorem ipsum dolor sit amet\n", 300), NotEnoughRead},
	} {
		st := store.New(func() time.Time { return noon })
		stream := train.StreamID{File: "a.txt"}
		st.Apply(store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}})
		feed := logfeed.NewFeed(st, stream, logfeed.Options{})
		_, _ = feed.Write([]byte(f.text))
		feed.End()
		s := st.Snapshot()
		got := Run(s, Options{}, nil).Job(s.LogJobs()[0].ID)
		if got.Verdict() != f.want {
			t.Errorf("%s: %s, %s: want %s", name, got.Verdict(), got.Conclusion.Sentence, f.want)
		}
	}
}
