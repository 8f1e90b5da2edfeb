package diagnose

import (
	"testing"
	"time"

	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// of is the log of a rank in one attempt.
type of struct {
	id   train.StreamID
	rank int
	text string
}

func ofLogs(logs ...of) *Answer {
	s := store.New(func() time.Time { return noon })
	for _, log := range logs {
		s.Apply(store.StreamChanged{Stream: log.id, Status: train.StreamStatus{State: train.StreamEnded}, Rank: log.rank, Job: "run"})
		feed := logfeed.NewFeed(s, log.id, logfeed.Options{})
		_, _ = feed.Write([]byte(log.text))
		feed.End()
	}
	snapshot := s.Snapshot()
	return Run(snapshot, Options{}, nil).Job(snapshot.LogJobs()[0].ID)
}

// The error that ended an attempt did not end a run whose next attempt made progress:
// it is shown beside the one that did, and does not explain it.
func TestErrorsOfEarlierAttempts(t *testing.T) {
	const (
		oom      = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\n"
		keyError = "Traceback (most recent call last):\n  File \"data.py\", line 4, in f\n    return d['a']\nKeyError: 'a'\n"
	)
	torchrun := func(attempt, rank, text string) of {
		return of{train.StreamID{File: "run/attempt_" + attempt + "/" + rank + "/stdout.log"}, int(rank[0] - '0'), text}
	}
	instance := func(restart, rank int, text string) of {
		return of{train.StreamID{Namespace: "ml", Pod: "a-worker-" + string(rune('0'+rank)), Container: "c", Restart: restart, File: "pods/a/0.log"}, rank, text}
	}
	steps, more := someSteps(0, 40), someSteps(30, 90)
	for name, test := range map[string]struct {
		logs  []of
		cause train.Cause
		rank  int
		why   Verdict
	}{
		"the next attempt goes on":    {[]of{torchrun("0", "0", steps), torchrun("0", "1", steps+oom), torchrun("1", "0", more), torchrun("1", "1", more)}, "", 0, NotEnoughRead},
		"the next attempt is done":    {[]of{torchrun("0", "0", steps), torchrun("0", "1", steps+oom), torchrun("1", "0", more+"Training finished\n"), torchrun("1", "1", more)}, "", 0, NothingWrong},
		"the next attempt fails":      {[]of{torchrun("0", "0", steps), torchrun("0", "1", steps+oom), torchrun("1", "0", more+keyError), torchrun("1", "1", more)}, "python-exception", 0, CauseFound},
		"the next attempt is smaller": {[]of{torchrun("0", "0", steps), torchrun("0", "1", steps+oom), torchrun("1", "0", more)}, "", 0, NotEnoughRead},
		"it made no progress":         {[]of{torchrun("0", "0", steps), torchrun("0", "1", steps+oom), torchrun("1", "0", ""), torchrun("1", "1", "")}, "cuda-out-of-memory", 1, CauseFound},
		"the next instance fails":     {[]of{instance(0, 0, steps), instance(0, 1, steps+oom), instance(1, 0, more+keyError), instance(1, 1, more)}, "python-exception", 0, CauseFound},
		"one alone was restarted":     {[]of{instance(0, 0, steps), instance(1, 0, more), instance(0, 1, more+oom)}, "cuda-out-of-memory", 1, CauseFound},
	} {
		got := ofLogs(test.logs...)
		var cause train.Cause
		rank := 0
		if len(got.Findings) > 0 && got.Findings[0].Severity != train.SeverityInfo {
			cause = got.Findings[0].Cause
			if len(got.Findings[0].Ranks) > 0 {
				rank = got.Findings[0].Ranks[0]
			}
		}
		if cause != test.cause || rank != test.rank || got.Conclusion.Verdict != test.why {
			t.Errorf("%s: %s of rank %d, %s (%s)", name, cause, rank, got.Conclusion.Verdict, got.Conclusion.Sentence)
		}
	}
}
