package diagnose

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// kept adds a file of a rank's log that ends with an error some hours before
// noon.
func (c *cluster) kept(hours float64) { c.keptOf("uid-bert-worker-0", hours) }

// keptOf is kept with the UID of the pod whose log it is.
func (c *cluster) keptOf(uid string, hours float64) {
	stream := train.StreamID{Namespace: ns, Pod: "bert-worker-0", UID: uid, Container: "pytorch", File: uid + ".log"}
	at := noon.Add(-time.Duration(hours * float64(time.Hour)))
	text := "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB."
	c.events = append(c.events, store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}})
	for line := range int64(30) {
		at = at.Add(2 * time.Second)
		c.events = append(c.events, store.Logged{Stream: stream, Lines: []train.LogLine{{Number: line + 1, Time: at, Text: fmt.Sprintf("step %d loss 2.0", line)}},
			Samples: []train.Sample{{Line: line + 1, Time: at, Rank: -1, Step: float64(line), HasStep: true, Metrics: []train.Metric{{Name: train.MetricLoss, Value: 2}}}}})
	}
	c.events = append(c.events, store.Logged{Stream: stream, Lines: []train.LogLine{{Number: 31, Time: at, Text: text}},
		Hits: []train.LogHit{{Cause: "cuda-out-of-memory", Signature: "cuda-out-of-memory", Line: 31, Time: at, Rank: -1, Text: text}}})
}

// A log that ended before its pod was created is of an earlier run: neither
// its errors nor its silence concern this one, and the answer reports that the
// log of this run is missing.
func TestALogFromBeforeItsPodIsOfAnEarlierRun(t *testing.T) {
	of := func(hours float64, pod func(*corev1.Pod)) *Answer {
		return answerOf(t, func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, pod)
			c.kept(hours)
		})
	}
	if answer := of(30, running("gpu-0", 9)); len(answer.Findings) > 0 {
		t.Errorf("found %s: %s", answer.Findings[0].Cause, answer.Findings[0].Title)
	} else if missing := fmt.Sprint(answer.Conclusion.Missing); !strings.Contains(missing, "an earlier run") {
		t.Errorf("missing is %s", missing)
	}
	answer := of(30, crashing("gpu-0", 1, "Error", "", 3))
	if first := answer.Findings[0].Cause; first != "application-error" {
		t.Errorf("of a crash first is %s", first)
	}
	if missing := fmt.Sprint(answer.Conclusion.Missing); !strings.Contains(missing, "an earlier run") {
		t.Errorf("of a crash missing is %s", missing)
	}
	if answer := of(3, crashing("gpu-0", 1, "Error", "", 3)); answer.Findings[0].Cause != "cuda-out-of-memory" {
		t.Errorf("near miss: times may be of another zone, first is %s", answer.Findings[0].Cause)
	}
}

// The end of a log that is over, of an earlier run, pod or container instance, is not
// the end of the log of what runs now.
func TestTheEndOfALogThatIsOverIsNotTheEnd(t *testing.T) {
	const ends = "it ends with an error"
	steps := func(c *cluster) {
		stream := train.StreamID{Namespace: ns, Pod: "bert-worker-0", UID: "uid-bert-worker-0", Container: "pytorch", File: "own.log"}
		c.events = append(c.events, store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}},
			store.Logged{Stream: stream, Lines: []train.LogLine{{Number: 1, Time: before(2).Time, Text: "step 1 loss 2.0"}}},
			store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}})
	}
	last := func(text string) func(*cluster) {
		return func(c *cluster) {
			for _, e := range c.events {
				if lines, is := e.(store.Logged); is && lines.Lines[0].Number == 31 {
					lines.Lines[0].Text, lines.Hits[0] = text, train.LogHit{}
				}
			}
		}
	}
	helper := func(c *cluster) { // its lines are those of a container beside the one that trains
		steps(c)
		stream := train.StreamID{Namespace: ns, Pod: "bert-worker-0", UID: "uid-bert-worker-0", Container: "tensorboard", File: "board.log"}
		c.events = append(c.events, store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}},
			store.Logged{Stream: stream, Lines: []train.LogLine{{Number: 1, Time: before(2).Time, Text: `KeyError: "x"`}}},
			store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}})
	}
	other := func(pod, uid, file string) func(*cluster) {
		return func(c *cluster) {
			steps(c)
			stream := train.StreamID{Namespace: ns, Pod: pod, UID: uid, Container: "pytorch", File: file}
			c.events = append(c.events, store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}},
				store.Logged{Stream: stream, Lines: []train.LogLine{{Number: 1, Time: before(8).Time, Text: `KeyError: "x"`}}},
				store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}})
		}
	}
	for name, f := range map[string]struct {
		logs    func(*cluster)
		want    Verdict
		says    string
		missing string
	}{
		"of an earlier run":              {func(c *cluster) { c.kept(30) }, NothingWrong, "it is running", "is of an earlier run or pod of that name"},
		"of an earlier pod":              {func(c *cluster) { c.keptOf("uid-before", 3); last("Process exited with status 1")(c) }, NothingWrong, "it is running", "is of an earlier run or pod of that name"},
		"of an earlier pod, and its own": {func(c *cluster) { c.keptOf("uid-before", 30); steps(c) }, NothingWrong, "it is running", ""},
		"of a container beside it":       {helper, NothingWrong, "it is running", ""},
		"of the instance before":         {other("bert-worker-0", "uid-bert-worker-0", "bert-worker-0-previous.log"), NothingWrong, "it is running", ""},
		"of the pod before":              {other("bert-worker-0", "uid-before", "before.log"), NothingWrong, "it is running", ""},
		"near miss: of this pod":         {func(c *cluster) { c.kept(0.05); last("Process exited with status 1")(c) }, NotEnoughRead, ends, ""},
	} {
		got := verdictOf(t, func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, running("gpu-0", 9))
			f.logs(c)
		})
		if missing := fmt.Sprint(got.Missing); got.Verdict != f.want || !strings.Contains(got.Sentence, f.says) || !strings.Contains(missing, f.missing) {
			t.Errorf("%s: %s: %s; missing is %s", name, got.Verdict, got.Sentence, missing)
		}
	}
}
