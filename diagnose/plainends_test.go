package diagnose

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// ofLog returns the conclusion on the text of one log.
func ofLog(t *testing.T, text string) *Answer {
	t.Helper()
	s := store.New(func() time.Time { return noon })
	id := train.StreamID{File: "train.log"}
	s.Apply(store.StreamChanged{Stream: id, Status: train.StreamStatus{State: train.StreamEnded}, Rank: -1, Job: "run"})
	feed := logfeed.NewFeed(s, id, logfeed.Options{})
	_, _ = feed.Write([]byte(text))
	feed.End()
	snapshot := s.Snapshot()
	return Run(snapshot, Options{}, nil).Job(snapshot.LogJobs()[0].ID)
}

func someSteps(from, to int) string {
	var b strings.Builder
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, "step %d loss %.2f\n", i, 3-0.01*float64(i))
	}
	return b.String()
}

// Last words of a failure, in whatever words and language, are not reported as
// well.
func TestFailuresInPlainWordsAtTheEnd(t *testing.T) {
	for line, want := range map[string]Verdict{
		"2026-11-20 10:01:31,000 INFO Training failed.":                                  NotEnoughRead,
		"Training run #3 failed: see above":                                              NotEnoughRead,
		"Job finished unsuccessfully":                                                    NotEnoughRead,
		"The run did not complete":                                                       NotEnoughRead,
		"finished with errors":                                                           NotEnoughRead,
		"Return code: 1":                                                                 NotEnoughRead,
		"launcher exit_code=3":                                                           NotEnoughRead,
		"+ exit 1":                                                                       NotEnoughRead,
		"Training was interrupted at step 3":                                             NotEnoughRead,
		"Received preemption signal, saving checkpoint and exiting":                      NotEnoughRead,
		`{"level":"info","msg":"job done","status":"failed","exit_code":1}`:              NotEnoughRead,
		"mylib.trainer.Divergence: thing is broken":                                      NotEnoughRead,
		"2026-11-20 10:06:41,000 - train - ERROR - lr must be positive":                  NotEnoughRead,
		"[2026-11-20 10:06:41,000][train][ERROR] - lr must be positive":                  NotEnoughRead,
		`{"time":"2026-11-20 10:06:41,000","level":"ERROR","msg":"lr must be positive"}`: NotEnoughRead,
		`time="2026-11-20 10:06:41,000" level=error msg="lr must be positive"`:           NotEnoughRead,
		"2026-11-20 10:06:41,000 - train - INFO - the ERROR - level is off":              NothingWrong,
		"训练失败: 显存不足":                                                                     NotEnoughRead,
		"学習に失敗しました":                                                                      NotEnoughRead,
		"Das Training ist fehlgeschlagen":                                                NotEnoughRead,
		"training finished, 0 failed":                                                    NothingWrong,
		"12 evaluations passed, none failed":                                             NothingWrong,
		"任务完成, 失败: 0":                                                                    NothingWrong,
		"Return code: 0":                                                                 NothingWrong,
		`{"msg":"job done","status":"ok","exit_code":0}`:                                 NothingWrong,
		"mylib.Trainer: finished in 3 minutes":                                           NothingWrong,
		"no preemption signal received so far":                                           NothingWrong,
		"job train-3 completed successfully":                                             NothingWrong,
	} {
		if got := ofLog(t, someSteps(0, 20)+line+"\n").Conclusion; got.Verdict != want {
			t.Errorf("%s: %s: %s", line, got.Verdict, got.Sentence)
		}
	}
	if got := ofLog(t, "mylib.Trainer: begins\n"+someSteps(0, 20)+"mylib.Trainer: bye\n").Conclusion; got.Verdict != NothingWrong {
		t.Errorf("a logger: %s", got.Sentence)
	}
}

// A last line in words that no rule knows is quoted as a possibility, also behind steps
// and in a long log; a line after which a program goes on is not.
func TestUnknownEndsAreQuoted(t *testing.T) {
	for line, want := range map[string]train.Cause{
		"Process finished with exit code -1073740791 (0xC0000409)":                      "abort-sigabrt", // catboost/catboost#1732
		"2026-11-20 10:06:41,000 - train - ERROR - the orbit must be positive":          "application-error",
		"orbit.trainer.Divergence: the orbit cannot be continued":                       "application-error",
		"fatal: the orbit is missing":                                                   "application-error",
		"18/11/22 05:24:19 WARN util.Orbit: Unable to load the orbit... using defaults": "", // microsoft/pai#1746
		"Training finished, shutting down":                                              "",
		"the orbit is shut down":                                                        "",
	} {
		var got train.Cause
		findings := ofLog(t, strings.Repeat("preparing\n", 450)+someSteps(0, 20)+line+"\n").Findings
		for i := range findings {
			got = findings[i].Cause
			if f := &findings[i]; f.Severity != train.SeverityInfo || f.Confidence != train.Possible || !strings.HasPrefix(f.Title, "Perhaps: ") {
				t.Errorf("%s: %+v", line, f)
			}
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

// A run that reports that it is over is well: what it survived is no hint any more, an
// exception that Python ignores while it ends is no end, and neither is what a line of
// a step counts.
func TestRunsThatEndWellAfterTrouble(t *testing.T) {
	const retried = "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n"
	const ignored = "Exception ignored in: <function _MultiProcessingDataLoaderIter.__del__ at 0x7f0e>\n" +
		"Traceback (most recent call last):\n  File \"dataloader.py\", line 1479, in __del__\n    self._shutdown_workers()\nAssertionError: can only test a child process\n"
	counts := func(what string) string { return strings.ReplaceAll(someSteps(0, 60), "\n", " "+what+"\n") }
	for text, want := range map[string]Verdict{
		someSteps(0, 20) + retried + someSteps(20, 60) + "Training completed.\n": NothingWrong,
		someSteps(0, 20) + "Training completed.\n" + retried + someSteps(20, 60): NotEnoughRead,
		someSteps(0, 60) + "Training completed.\n" + ignored:                     NothingWrong,
		someSteps(0, 60) + "Training completed.\n" + ignored + ignored:           NothingWrong,
		someSteps(0, 60) + "FATAL checkpoint corrupted\n" + ignored:              NotEnoughRead,
		someSteps(0, 60) + strings.SplitN(ignored, "\n", 2)[1]:                   CauseFound,
		counts("killed 0"):                                      NothingWrong,
		counts("rollout/aborted: 0"):                            NothingWrong,
		counts("cache evicted=12 blocks"):                       NothingWrong,
		counts("status=killed:0,running:8"):                     NothingWrong,
		counts("killed 0") + "step 60 loss nan: aborting now\n": NotEnoughRead,
		counts("killed 0") + "Killed\n":                         NotEnoughRead,
	} {
		if got := ofLog(t, text).Conclusion; got.Verdict != want && !(want != NothingWrong && got.Verdict != NothingWrong) {
			t.Errorf("…%s: %s: %s", text[max(0, len(text)-200):], got.Verdict, got.Sentence)
		}
	}
}

// A warning about the course of a run does not report why it ended, where that is
// guessed.
func TestAWarningMakesNoCauseOfAGuess(t *testing.T) {
	run := someSteps(0, 100) + strings.ReplaceAll(someSteps(100, 200), "loss ", "loss 7")
	if got := ofLog(t, run).Conclusion; got.Verdict != CauseFound {
		t.Errorf("the loss alone: %s: %s", got.Verdict, got.Sentence)
	}
	if got := ofLog(t, run+"/run.sh: line 3:    17 Killed                  python train.py\n").Conclusion; got.Verdict != NotEnoughRead {
		t.Errorf("and a guess: %s: %s", got.Verdict, got.Sentence)
	}
}

// An error that the run survived is known: neither is the text called unknown,
// nor does it hide how the log ends.
func TestSurvivedErrorsHideNoEnd(t *testing.T) {
	survived := someSteps(0, 20) + "RuntimeError: CUDA out of memory. Tried to allocate 2.00 GiB\n" + someSteps(20, 60)
	for text, want := range map[string]string{survived: "how it ended", survived + "2026-11-20 10:02:00,000 FATAL checkpoint corrupted\n": "checkpoint corrupted"} {
		got := ofLog(t, text).Conclusion
		if got.Verdict != NotEnoughRead || strings.Contains(got.Sentence, "no wording that is known") || !strings.Contains(got.Sentence, want) {
			t.Errorf("want %q: %s: %s", want, got.Verdict, got.Sentence)
		}
	}
}

// An exception without a text ends a log also behind what is put before each line.
func TestBareExceptionsAtTheEnd(t *testing.T) {
	for line, ends := range map[string]bool{
		"AssertionError":                                     true,
		"Nov 20 09:00:51 AssertionError":                     true,
		"2026-11-20T09:00:51Z RuntimeError":                  true,
		"[2026-11-20 09:00:51] AssertionError":               true,
		"2026-11-20 09:00:51,123 torch.OutOfMemoryError":     true,
		"Nov 20 09:00:51 n1 python[71]: AssertionError":      true,
		"[rank1]: AssertionError":                            true,
		"mypkg.errors.DataGone":                              true,
		"Nov 20 09:00:51 mypkg.errors.DataGone":              true,
		"went on after a RuntimeError":                       false,
		"Nov 20 09:00:51 went on after a RuntimeError":       false,
		"callbacks.base.TrainingFinished":                    false,
		"Nov 20 09:00:51 n1 python[71]: saved to Checkpoint": false,
		"step 5": false,
	} {
		if got := endsBadly(line) || namesException(&store.Log{}, line); got != ends {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// A sample of data whose text quotes an error, the newest line of a run, ends nothing; a
// logger's record of the same error does.
func TestSamplesThatQuoteErrors(t *testing.T) {
	const trace = `Traceback (most recent call last):\n  File \"a.py\", line 1\nRuntimeError: CUDA error: an illegal memory access was encountered`
	for line, want := range map[string]Verdict{
		`{"prompt":"why does it fail?","completion":"` + trace + `","reward":0.4}`:           NothingWrong,
		`{"question":"what is wrong here?","answer":"RuntimeError: it broke","score":0.4}`:   NothingWrong,
		`{"input":"an input","output":"Job failed: killed by signal 9","n":3}`:               NothingWrong,
		`{"level":"error","msg":"the step failed","traceback":"` + trace + `"}`:              CauseFound,
		`{"level":"info","message":"` + trace + `","step":3}`:                                CauseFound,
		`{"level":"error","msg":"the trainer broke, giving up","prompt":"why does it fail"}`: NotEnoughRead,
	} {
		if got := ofLog(t, someSteps(0, 50)+line+"\n").Conclusion; got.Verdict != want {
			t.Errorf("%s: %s: %s, want %s", line, got.Verdict, got.Sentence, want)
		}
	}
}
