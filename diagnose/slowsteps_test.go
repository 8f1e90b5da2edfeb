package diagnose

import (
	"fmt"
	"testing"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// A job whose steps take sixty times as long as before still makes steps, so
// neither silence nor a comparison of ranks shows it.
func TestStepsThatSlowedAreFound(t *testing.T) {
	const cause = "steps-slowed"
	of := func(fast, slow time.Duration, since time.Duration) func(*cluster) {
		return func(c *cluster) {
			c.trained(2)
			for rank := range 2 {
				c.log(rank).steps(since, fast).steps(time.Second, slow)
			}
		}
	}
	runScenarios(t, []scenario{
		{name: "sixty times as long for 20 minutes", want: cause, severity: train.SeverityWarning, title: "A step takes about 2m since 11:40", build: of(2*time.Second, 2*time.Minute, 20*time.Minute)},
		{name: "five times as long for most of the run", want: cause, severity: train.SeverityWarning, build: of(2*time.Second, 10*time.Second, 100*time.Minute)},
		{name: "in files", want: cause, severity: train.SeverityWarning, build: func(c *cluster) {
			c.trained(1)
			l := c.log(0)
			l.stream.File = "bert-worker-0.log"
			l.steps(time.Hour, 2*time.Second).steps(time.Second, time.Minute)
			c.events = append(c.events, store.StreamChanged{Stream: l.stream, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}})
		}},
		{name: "for four minutes", never: []train.Cause{cause}, build: of(2*time.Second, time.Minute, 4*time.Minute)},
		{name: "twice as long", never: []train.Cause{cause}, build: of(2*time.Second, 4*time.Second, time.Hour)},
		{name: "twice as long, little by little, with half the tokens", want: cause, severity: train.SeverityWarning, build: func(c *cluster) {
			c.trained(1)
			l := c.log(0).steps(time.Hour, 10*time.Second, always(train.MetricTokens, 41000))
			for each := 10.0; l.now.Before(noon.Add(-30 * time.Second)); each += 0.1 {
				l.now, l.step = l.now.Add(time.Duration(each*float64(time.Second))), l.step+1
				l.one(always(train.MetricTokens, 410000/each))
			}
		}},
		{name: "twice as long for longer sequences, with as many tokens", never: []train.Cause{cause}, build: func(c *cluster) {
			c.trained(1)
			c.log(0).steps(time.Hour, 2*time.Second, always(train.MetricTokens, 41000)).steps(time.Second, 5*time.Second, always(train.MetricTokens, 38000))
		}},
		{name: "faster than before", never: []train.Cause{cause}, build: of(2*time.Minute, 2*time.Second, time.Hour)},
		{name: "only at the start", never: []train.Cause{cause}, build: func(c *cluster) {
			c.trained(1)
			c.log(0).steps(115*time.Minute, 30*time.Second).steps(time.Second, 10*time.Second)
		}},
		{name: "one long wait", never: []train.Cause{cause}, build: func(c *cluster) {
			c.trained(1)
			c.log(0).steps(30*time.Minute, 2*time.Second).steps(15*time.Minute, 14*time.Minute).steps(time.Second, 2*time.Second)
		}},
		{name: "checkpoints take long", never: []train.Cause{cause}, build: saving(50, 2*time.Second, 5*time.Minute)},
		{name: "evaluations take long", never: []train.Cause{cause}, build: func(c *cluster) {
			c.trained(1)
			l := c.log(0).steps(time.Hour, 2*time.Second)
			for range 5 {
				l.now = l.now.Add(10 * time.Minute)
				l.write("eval", train.Sample{Step: l.step, HasStep: true, Metrics: []train.Metric{{Name: train.MetricEvalLoss, Value: 2}}})
				l.now, l.step = l.now.Add(2*time.Second), l.step+1
				l.one()
			}
		}},
		{name: "training was resumed and is as slow as ever", never: []train.Cause{cause}, build: func(c *cluster) {
			c.trained(1)
			l := c.log(0).steps(time.Hour, 2*time.Second)
			l.step = 10
			l.steps(time.Second, 20*time.Second)
		}},
		{name: "lines come in bursts", never: []train.Cause{cause}, build: func(c *cluster) {
			c.trained(1)
			l := c.log(0)
			for l.now.Before(noon.Add(-5 * time.Minute)) {
				l.now = l.now.Add(5 * time.Minute)
				for range 100 {
					l.now, l.step = l.now.Add(time.Millisecond), l.step+1
					l.one()
				}
			}
		}},
	})
}

// A log that is a file shows it too.
func TestStepsThatSlowedAreFoundInFiles(t *testing.T) {
	st := store.New(func() time.Time { return noon })
	stream := train.StreamID{File: "train.log"}
	st.Apply(store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}})
	at, number := noon.Add(-2*time.Hour), int64(0)
	for step := range 700 {
		each := 2 * time.Second
		if step >= 600 {
			each = time.Minute
		}
		at, number = at.Add(each), number+1
		st.Apply(store.Logged{Stream: stream, Lines: []train.LogLine{{Number: number, Time: at, Text: fmt.Sprintf("step %d loss 2.0", step)}},
			Samples: []train.Sample{{Line: number, Time: at, Rank: -1, Step: float64(step), HasStep: true, Metrics: []train.Metric{{Name: train.MetricLoss, Value: 2}}}}})
	}
	s := st.Snapshot()
	if len(s.LogJobs()) != 1 {
		t.Fatalf("%d jobs", len(s.LogJobs()))
	}
	found := Run(s, Options{}, nil).Job(s.LogJobs()[0].ID).Findings
	if len(found) != 1 || found[0].Cause != "steps-slowed" || found[0].Severity != train.SeverityWarning {
		t.Fatalf("found %v", found)
	}
	checkWords(t, &found[0])
}
