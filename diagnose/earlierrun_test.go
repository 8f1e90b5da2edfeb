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
func (c *cluster) kept(hours float64) {
	stream := train.StreamID{Namespace: ns, Pod: "bert-worker-0", UID: "uid-bert-worker-0", Container: "pytorch", File: "bert-worker-0.log"}
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
// its errors nor its silence concern this one, and the answer says that the
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
