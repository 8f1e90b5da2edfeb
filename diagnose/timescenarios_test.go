package diagnose

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/runtime"
	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// trained adds a job of so many ranks that has been running for two hours.
func (c *cluster) trained(ranks int) {
	c.job(ranks, `conditions: [{type: Created, status: "True"}, {type: Running, status: "True", reason: PyTorchJobRunning, lastTransitionTime: "2026-11-20T10:00:10Z"}]
startTime: "2026-11-20T10:00:00Z"`)
	for rank := range ranks {
		c.node(fmt.Sprintf("gpu-%d", rank), 8)
		c.worker(rank, running(fmt.Sprintf("gpu-%d", rank), 120))
	}
}

// rankWriter builds the log of a rank for a scenario.
type rankWriter struct {
	c      *cluster
	stream train.StreamID
	rank   int
	now    time.Time // of the next line
	number int64
	step   float64
}

// log begins the log of a rank, followed from two hours ago on.
func (c *cluster) log(rank int) *rankWriter {
	pod := fmt.Sprintf("bert-worker-%d", rank)
	t := &rankWriter{c: c, rank: rank, now: noon.Add(-2 * time.Hour), stream: train.StreamID{Namespace: ns, Pod: pod, UID: "uid-" + pod, Container: "pytorch"}}
	c.events = append(c.events, store.StreamChanged{Stream: t.stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}})
	return t
}

func (t *rankWriter) write(text string, samples ...train.Sample) {
	t.number++
	for i := range samples {
		samples[i].Line, samples[i].Time, samples[i].Rank = t.number, t.now, -1
	}
	t.c.events = append(t.c.events, store.Logged{
		Stream: t.stream, Lines: []train.LogLine{{Number: t.number, Time: t.now, Text: text}}, Samples: samples,
	})
}

// read writes text as a source of logs reads it.
func (t *rankWriter) read(text string) *rankWriter {
	feed := logfeed.NewFeed(appendedEvents{t.c}, t.stream, logfeed.Options{})
	_, _ = feed.Write([]byte(text))
	return t
}

// appendedEvents is a sink that appends what it is told to the events of a cluster.
type appendedEvents struct{ *cluster }

func (a appendedEvents) Apply(events ...store.Event) { a.events = append(a.events, events...) }

// say writes a line that is no sample, so long after the previous one.
func (t *rankWriter) say(after time.Duration, text string) *rankWriter {
	t.now = t.now.Add(after)
	t.write(text)
	return t
}

// steps writes steps until an age before noon, each so long and with a loss
// and other metrics.
func (t *rankWriter) steps(until, each time.Duration, metrics ...func(step float64) train.Metric) *rankWriter {
	for end := noon.Add(-until); !t.now.Add(each).After(end); {
		t.now, t.step = t.now.Add(each), t.step+1
		t.one(metrics...)
	}
	return t
}

func (t *rankWriter) one(metrics ...func(step float64) train.Metric) *rankWriter {
	sample := train.Sample{Step: t.step, HasStep: true, Metrics: []train.Metric{{Name: train.MetricLoss, Value: 2 + 1/(1+t.step/100)}}}
	for _, m := range metrics {
		if one := m(t.step); one.Name == train.MetricLoss {
			sample.Metrics[0] = one
		} else {
			sample.Metrics = append(sample.Metrics, one)
		}
	}
	t.write(fmt.Sprintf("step %.0f loss %.4f", t.step, sample.Metrics[0].Value), sample)
	return t
}

// saves writes a checkpoint that takes so long.
func (t *rankWriter) saves(took time.Duration) *rankWriter {
	t.now = t.now.Add(took)
	t.write("saved checkpoint")
	t.c.events = append(t.c.events, store.Logged{Stream: t.stream, Marks: []train.Mark{{Kind: train.MarkCheckpoint, Line: t.number, Time: t.now, Step: t.step, HasStep: true}}})
	return t
}

func always(name string, value float64) func(float64) train.Metric {
	return func(float64) train.Metric { return train.Metric{Name: name, Value: value} }
}

// lossFrom returns another loss from a step on, up to but not including
// another.
func lossFrom(from, to, value float64) func(float64) train.Metric {
	return func(step float64) train.Metric {
		if step >= from && step < to {
			return train.Metric{Name: train.MetricLoss, Value: value}
		}
		return train.Metric{Name: train.MetricLoss, Value: 2 + 1/(1+step/100)}
	}
}

// powered applies readings of the GPUs of every rank for each minute of the
// last hour: at work until an age, and then with other numbers.
func (c *cluster) powered(ranks int, until time.Duration, then map[train.Quantity]float64) {
	c.measured(ranks, func(_, _ int, minute time.Duration, v *train.Values) {
		if minute < until {
			for q, number := range then {
				v.Set(q, number)
			}
		}
	})
}

// measured applies readings of the GPUs of every rank for each minute of the
// last hour, at work unless a scenario changes them.
func (c *cluster) measured(ranks int, change func(rank, gpu int, ago time.Duration, v *train.Values)) {
	for minute := time.Hour; minute >= 0; minute -= time.Minute {
		at := noon.Add(-minute)
		for rank := range ranks {
			node := fmt.Sprintf("gpu-%d", rank)
			m := store.Measured{Source: "exporter/" + node, Node: node, Every: time.Minute}
			for gpu := range 8 {
				var v train.Values
				for q, number := range map[train.Quantity]float64{train.GPUUtilization: 98, train.GPUPower: 640, train.GPUPowerLimit: 700, train.GPUMemoryUsed: 70_000, train.GPUMemoryTotal: 81_559, train.GPUTemperature: 62, train.GPUSMClock: 1980, train.GPUMaxSMClock: 1980, train.GPUXid: 0, train.GPUECCUncorrected: 0, train.GPUThrottle: 0} {
					v.Set(q, number)
				}
				change(rank, gpu, minute, &v)
				m.Readings = append(m.Readings, train.GPUReading{Source: train.FromDCGM, At: at, Values: v, GPU: train.GPU{
					Node: node, Index: fmt.Sprint(gpu), UUID: fmt.Sprintf("GPU-%d-%d", rank, gpu), Namespace: ns, Pod: fmt.Sprintf("bert-worker-%d", rank), Container: "pytorch",
				}})
			}
			c.events = append(c.events, m)
		}
	}
}

// Measurements become a finding of the cause that they indicate, with the
// rank, the series and what to check.
func TestMeasurementsAreExplained(t *testing.T) {
	one := func(ago time.Duration, set map[train.Quantity]float64) func(*cluster) {
		return func(c *cluster) {
			c.trained(4)
			c.measured(4, func(rank, gpu int, minute time.Duration, v *train.Values) {
				if rank == 2 && gpu == 5 && minute < ago {
					for q, number := range set {
						v.Set(q, number)
					}
				}
			})
		}
	}
	all := func(ago time.Duration, set map[train.Quantity]float64) func(*cluster) {
		return func(c *cluster) { c.trained(4); c.powered(4, ago, set) }
	}
	const long = 2 * time.Hour
	runScenarios(t, []scenario{
		{name: "one GPU is slower", want: "slow-gpu", severity: train.SeverityWarning, rank: 2, build: one(long, map[train.Quantity]float64{train.GPUPower: 300, train.GPUSMClock: 900})},
		{name: "one GPU is slower for one reading", never: []train.Cause{"slow-gpu"}, build: one(time.Minute, map[train.Quantity]float64{train.GPUPower: 300})},
		{name: "GPUs differ by a little", never: []train.Cause{"slow-gpu"}, build: one(long, map[train.Quantity]float64{train.GPUPower: 610, train.GPUSMClock: 1900})},
		{name: "hot and held back", want: "thermal-throttle", rank: 2, build: one(long, map[train.Quantity]float64{train.GPUThrottle: 32, train.GPUTemperature: 91, train.GPUSMClock: 1100})},
		{name: "at its power limit, at full clocks", never: []train.Cause{"power-cap", "thermal-throttle"}, build: all(long, map[train.Quantity]float64{train.GPUThrottle: 4})},
		{name: "idle for an hour", want: "low-gpu-utilisation", severity: train.SeverityWarning, build: all(long, map[train.Quantity]float64{train.GPUUtilization: 0, train.GPUPower: 75})},
		{name: "idle for two minutes", never: []train.Cause{"low-gpu-utilisation"}, build: all(2*time.Minute, map[train.Quantity]float64{train.GPUUtilization: 0, train.GPUPower: 75})},
		{name: "an uncorrectable error of memory", want: "gpu-ecc-error", rank: 2, build: one(20*time.Minute, map[train.Quantity]float64{train.GPUECCUncorrected: 1, train.GPUXid: 48})},
		{name: "a code of an application's error, from before", never: []train.Cause{"gpu-xid-error"}, build: one(long, map[train.Quantity]float64{train.GPUXid: 43})},
		{name: "at work", never: []train.Cause{"slow-gpu", "thermal-throttle", "low-gpu-utilisation", "power-cap", hung}, build: all(0, nil)},
	})
}

const hung = train.Cause("hang-no-output")

// TestLogsThatEndBeforeTheObjects holds that files do not show whether a job hangs, and
// that a job is not called well whose logs all end long before its objects were read.
func TestLogsThatEndBeforeTheObjects(t *testing.T) {
	const blank = "blank" // is the log of rank 2
	for name, f := range map[string]struct {
		until   time.Duration
		ranks   int // of which there are logs, of 3
		prints  string
		want    Verdict
		missing string
	}{
		"110 minutes before":    {110 * time.Minute, 3, "", NotEnoughRead, "the logs that were read end at 10:10:00 (UTC), 110m before what else was read of the job"},
		"a minute before":       {time.Minute, 3, "", NothingWrong, ""},
		"one is blank":          {110 * time.Minute, 2, blank, NotEnoughRead, "end at 10:10:00"},
		"those of some ranks":   {110 * time.Minute, 2, "", NothingWrong, ""},
		"of an unknown zone":    {110 * time.Minute, 3, "2026-11-20 10:10:00,120 saved the state", NothingWrong, ""},
		"of a zone that it has": {110 * time.Minute, 3, "2026-11-20T10:10:00.120Z all is done", NotEnoughRead, "end at 10:10:00"},
	} {
		answer := answerOf(t, func(c *cluster) {
			c.trained(3)
			for rank := range f.ranks {
				l := c.log(rank)
				l.stream.File = fmt.Sprintf("%d.log", rank)
				if l.steps(f.until, 2*time.Second); f.prints != "" && f.prints != blank {
					l.say(0, f.prints)
				}
				c.events = append(c.events, store.StreamChanged{Stream: l.stream, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}})
			}
			if f.prints == blank {
				l := c.log(2)
				l.stream.File, l.now = "2.log", time.Time{}
				c.events = append(c.events, store.StreamChanged{Stream: l.stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}})
				l.write("")
				c.events = append(c.events, store.StreamChanged{Stream: l.stream, Rank: -1, Status: train.StreamStatus{State: train.StreamEnded}})
			}
		})
		text := ""
		for _, m := range answer.Conclusion.Missing {
			text += m.Why + "\n"
		}
		at := slices.IndexFunc(answer.Checks, func(c train.Check) bool { return c.Cause == hung })
		if answer.Conclusion.Verdict != f.want || !strings.Contains(text, f.missing) {
			t.Errorf("%s: %s %q, want %s %q", name, answer.Conclusion.Verdict, text, f.want, f.missing)
		}
		if check := answer.Checks[at]; f.want == NothingWrong && (check.Result != train.CheckUnknown || check.Why != runtime.Unfollowed) {
			t.Errorf("%s: the check is %+v", name, check)
		}
	}
}

func TestHangsAreFound(t *testing.T) {
	alike := func(ranks int, until time.Duration) func(*cluster) {
		return func(c *cluster) {
			c.trained(ranks)
			for rank := range ranks {
				c.log(rank).steps(until, 2*time.Second)
			}
		}
	}
	paused := func(before, now time.Duration) func(*cluster) {
		return func(c *cluster) {
			c.trained(2)
			for rank := range 2 {
				l := c.log(rank).steps(80*time.Minute, 2*time.Second)
				l.now = l.now.Add(before)
				l.steps(now, 2*time.Second)
			}
		}
	}
	restarted := func(minutes, began float64) func(*cluster) {
		return func(c *cluster) {
			c.trained(3)
			for rank := range 3 {
				c.worker(rank, running(fmt.Sprintf("gpu-%d", rank), began))
				c.log(rank).steps(time.Duration(minutes+1)*time.Minute, 2*time.Second)
			}
			c.worker(2, func(p *corev1.Pod) {
				running("gpu-2", minutes)(p)
				p.Status.ContainerStatuses[0].RestartCount = 1
				p.Status.ContainerStatuses[0].LastTerminationState = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, Reason: "Error", StartedAt: before(began), FinishedAt: before(minutes)}}
			})
			l := c.log(2)
			l.stream.Restart, l.now = 1, before(minutes-0.1).Time
			c.events = append(c.events, store.StreamChanged{Stream: l.stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}})
			l.say(0, "waiting for all ranks to join")
		}
	}
	runScenarios(t, []scenario{
		{name: "silent for 20 minutes after steps of two seconds", want: hung, severity: train.SeverityError, title: "No step since 11:40:00 (UTC), after step 3000: no log of 4 of 4 ranks has moved", build: alike(4, 20*time.Minute)},
		{name: "silent for 20 minutes, read once", want: hung, severity: train.SeverityError, title: "No step since 11:40:00 (UTC), after step 3000: no log of 2 of 2 ranks has moved", build: func(c *cluster) {
			c.trained(2)
			for rank := range 2 {
				l := c.log(rank).steps(20*time.Minute, 2*time.Second)
				c.events = append(c.events, store.StreamChanged{Stream: l.stream, Rank: -1, Status: train.StreamStatus{State: train.StreamStopped, Since: noon}})
			}
		}},
		{name: "steps of two minutes, silent for fifteen, read once", never: []train.Cause{hung}, build: func(c *cluster) {
			c.trained(1)
			l := c.log(0).steps(15*time.Minute, 2*time.Minute)
			c.events = append(c.events, store.StreamChanged{Stream: l.stream, Rank: -1, Status: train.StreamStatus{State: train.StreamStopped, Since: noon}})
		}},
		{name: "lines come", never: []train.Cause{hung}, build: alike(4, time.Second)},
		{name: "silent for four minutes", never: []train.Cause{hung}, build: alike(4, 4*time.Minute)},
		{name: "steps of two minutes, silent for fifteen", never: []train.Cause{hung}, build: func(c *cluster) {
			c.trained(1)
			c.log(0).steps(15*time.Minute, 2*time.Minute)
		}},
		{name: "steps of two minutes, silent for fifty", want: hung, build: func(c *cluster) {
			c.trained(1)
			c.log(0).steps(50*time.Minute, 2*time.Minute)
		}},
		{name: "a checkpoint is being saved", never: []train.Cause{hung}, build: func(c *cluster) {
			c.trained(1)
			c.log(0).steps(20*time.Minute, 2*time.Second).say(time.Second, "saving checkpoint at iteration 3000 to /ckpt")
		}},
		{name: "an evaluation goes on", never: []train.Cause{hung}, build: func(c *cluster) {
			c.trained(1)
			c.log(0).steps(12*time.Minute, 2*time.Second).say(time.Second, "Running evaluation")
		}},
		{name: "it paused as long before, printed nothing, and went on", never: []train.Cause{hung}, build: paused(15*time.Minute, 17*time.Minute)},
		{name: "it pauses for far longer than before", want: hung, build: paused(15*time.Minute, 24*time.Minute)},
		{name: "it paused only when it began", want: hung, build: func(c *cluster) {
			c.trained(2)
			for rank := range 2 {
				l := c.log(rank).steps(118*time.Minute, 30*time.Second)
				l.now = l.now.Add(15 * time.Minute)
				l.steps(17*time.Minute, 2*time.Second)
			}
		}},
		{name: "a checkpoint that never ends", want: hung, build: func(c *cluster) {
			c.trained(1)
			c.log(0).steps(50*time.Minute, 2*time.Second).say(time.Second, "saving checkpoint at iteration 3000 to /ckpt")
		}},
		{name: "the first step compiles", never: []train.Cause{hung}, build: func(c *cluster) {
			c.trained(1)
			l := c.log(0)
			l.now = noon.Add(-14 * time.Minute)
			l.say(0, "starting").say(time.Second, "first batch")
		}},
		{name: "one is silent, the others print without a step", want: hung, rank: 2, title: "no step after step 3600: the log goes on for 1h0m without one; worker-2 prints nothing", build: func(c *cluster) {
			c.trained(3)
			for rank := range 3 {
				l := c.log(rank).steps(time.Hour, time.Second)
				for i := 0; rank < 2 && i < 120; i++ {
					l.say(30*time.Second, "heartbeat: alive")
				}
			}
		}},
		{name: "other lines came after the last step", want: hung, title: "No step since 10:59:59 (UTC), after step 3599", build: func(c *cluster) {
			c.trained(1)
			c.log(0).steps(time.Hour+time.Second, time.Second).say(5*time.Minute, "the cache is warm").say(5*time.Minute, "the cache is warm")
		}},
		{name: "a rank was restarted and waits, and the others are silent since", want: hung, severity: train.SeverityError, title: "No step since 11:39:00 (UTC), after step 2970", says: "The first step came 62s after the start before", build: restarted(20, 121)},
		{name: "a rank was restarted a moment ago", never: []train.Cause{hung}, build: restarted(8, 121)},
		{name: "a rank was restarted, and its first start took as long", never: []train.Cause{hung}, build: restarted(20, 135)},
		{name: "it has compiled for long, as it said", want: hung, severity: train.SeverityWarning, says: "The last line tells of what may take long", build: func(c *cluster) {
			c.trained(1)
			l := c.log(0)
			l.now = noon.Add(-40 * time.Minute)
			l.say(0, "starting").say(time.Second, "torch.compile is on: the first step compiles the graph")
		}},
		{name: "training is over", never: []train.Cause{hung}, build: func(c *cluster) {
			c.trained(1)
			l := c.log(0).steps(30*time.Minute, 2*time.Second).say(time.Second, "done")
			c.events = append(c.events, store.Logged{Stream: l.stream, Marks: []train.Mark{{Kind: train.MarkFinished, Line: l.number, Time: l.now}}})
		}},
		{name: "the log was cut off", never: []train.Cause{hung}, build: func(c *cluster) {
			c.trained(1)
			l := c.log(0).steps(30*time.Minute, 2*time.Second)
			c.events = append(c.events, store.StreamChanged{Stream: l.stream, Rank: -1, Status: train.StreamStatus{State: train.StreamRetrying}})
		}},
		{name: "the log was just opened and is read from long ago on", never: []train.Cause{hung}, build: func(c *cluster) {
			c.trained(1)
			l := c.log(0).steps(30*time.Minute, 2*time.Second)
			c.events = append(c.events, store.StreamChanged{Stream: l.stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive, Since: noon.Add(-4 * time.Second)}})
		}},
		{name: "the log was opened a while ago", want: hung, build: func(c *cluster) {
			c.trained(1)
			l := c.log(0).steps(30*time.Minute, 2*time.Second)
			c.events = append(c.events, store.StreamChanged{Stream: l.stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive, Since: noon.Add(-11 * time.Second)}})
		}},
		{name: "the node's clock is behind, and lines come", never: []train.Cause{hung}, build: func(c *cluster) {
			c.trained(1)
			l := c.log(0).steps(30*time.Minute, 2*time.Second)
			c.events = append(c.events, store.StreamChanged{Stream: l.stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive, Since: noon.Add(-time.Minute), Behind: 30 * time.Minute}})
		}},
		{name: "the node's clock is behind, and none came for twenty minutes", want: hung, severity: train.SeverityError, build: func(c *cluster) {
			c.trained(1)
			l := c.log(0).steps(30*time.Minute, 2*time.Second)
			c.events = append(c.events, store.StreamChanged{Stream: l.stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive, Since: noon.Add(-time.Hour), Behind: 10 * time.Minute}})
		}},
		{name: "the clocks of the API server and of this machine differ by as much", want: hung, severity: train.SeverityWarning, says: "differ by 29m", build: func(c *cluster) {
			c.trained(1)
			l := c.log(0).steps(30*time.Minute, 2*time.Second)
			c.events = append(c.events, store.StreamChanged{Stream: l.stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive, Since: noon.Add(-time.Minute), ClocksDiffer: 29 * time.Minute}})
		}},
		{name: "they differ, and it was followed all the time", want: hung, severity: train.SeverityError, build: func(c *cluster) {
			c.trained(1)
			l := c.log(0).steps(30*time.Minute, 2*time.Second)
			c.events = append(c.events, store.StreamChanged{Stream: l.stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive, Since: noon.Add(-25 * time.Minute), ClocksDiffer: 29 * time.Minute}})
		}},
		{name: "output is buffered: the GPUs work on", never: []train.Cause{hung}, build: func(c *cluster) {
			alike(2, 20*time.Minute)(c)
			c.powered(2, 0, nil)
		}},
		{name: "the GPUs do nothing any more", want: hung, severity: train.SeverityError, build: func(c *cluster) {
			alike(2, 20*time.Minute)(c)
			c.powered(2, 20*time.Minute, map[train.Quantity]float64{train.GPUUtilization: 0, train.GPUPower: 90})
		}},
		{name: "the GPUs wait for each other", want: hung, severity: train.SeverityError, build: func(c *cluster) {
			alike(2, 20*time.Minute)(c)
			c.powered(2, 20*time.Minute, map[train.Quantity]float64{train.GPUUtilization: 100, train.GPUPower: 250, train.GPUTensorActive: 0})
		}},
		{name: "one rank made fewer steps", want: hung, rank: 2, title: "rank 2 is behind", build: func(c *cluster) {
			c.trained(4)
			for rank := range 4 {
				l := c.log(rank).steps(20*time.Minute, 2*time.Second)
				if rank != 2 {
					l.now, l.step = l.now.Add(2*time.Second), l.step+1
					l.one()
				}
			}
		}},
		{name: "one rank fell silent before", want: hung, rank: 3, build: func(c *cluster) {
			c.trained(4)
			for rank := range 4 {
				l := c.log(rank).steps(20*time.Minute, 2*time.Second)
				if rank != 3 {
					l.say(3*time.Minute, "waiting for the others")
				}
			}
		}},
		{name: "storage does not answer", want: "storage-hang", rank: 1, build: func(c *cluster) {
			alike(2, 20*time.Minute)(c)
			c.add(kinds.EventKind, &corev1.Event{
				ObjectMeta: metav1.ObjectMeta{Name: "gpu-1.1", Namespace: "default"}, Type: "Warning", Reason: "TaskHung",
				Message: "INFO: task python:4711 blocked for more than 120 seconds.", FirstTimestamp: before(15), LastTimestamp: before(15),
				InvolvedObject: corev1.ObjectReference{Kind: "Node", Name: "gpu-1", UID: "gpu-1", APIVersion: "v1"},
			})
		}},
		{name: "a rank was restarted a minute ago", never: []train.Cause{hung}, build: func(c *cluster) {
			alike(2, 20*time.Minute)(c)
			c.worker(1, running("gpu-1", 1), func(p *corev1.Pod) { p.Status.ContainerStatuses[0].RestartCount = 1 })
		}},
	})
}

func TestSpeedIsExplained(t *testing.T) {
	const step, data = train.MetricStepTime, "data_time"
	runScenarios(t, []scenario{
		{name: "data takes most of the step", want: "dataloader-bound", severity: train.SeverityWarning, title: "more than 80 %", build: func(c *cluster) {
			c.trained(1)
			c.log(0).steps(time.Second, 20*time.Second, always(step, 20), always(data, 17))
		}},
		{name: "data takes little", never: []train.Cause{"dataloader-bound", "straggler"}, build: func(c *cluster) {
			c.trained(4)
			for rank := range 4 {
				c.log(rank).steps(time.Second, 20*time.Second, always(step, 20), always(data, 1))
			}
		}},
		{name: "only the first steps wait for data", never: []train.Cause{"dataloader-bound"}, build: func(c *cluster) {
			c.trained(1)
			c.log(0).steps(time.Second, 20*time.Second, always(step, 20), func(n float64) train.Metric {
				return train.Metric{Name: data, Value: map[bool]float64{true: 19, false: 0.5}[n < 8]}
			})
		}},
		{name: "one rank waits for data", want: "straggler", rank: 2, title: "waits for data", build: func(c *cluster) {
			c.trained(4)
			for rank := range 4 {
				c.log(rank).steps(time.Second, 20*time.Second, always(step, 20), always(data, map[bool]float64{true: 8, false: 1}[rank == 2]))
			}
		}},
		{name: "one rank takes longer", want: "straggler", rank: 3, severity: train.SeverityWarning, build: func(c *cluster) {
			c.trained(4)
			for rank := range 4 {
				c.log(rank).steps(time.Second, 20*time.Second, always(step, map[bool]float64{true: 30, false: 20}[rank == 3]))
			}
		}},
		{name: "ranks differ by a little", never: []train.Cause{"straggler"}, build: func(c *cluster) {
			c.trained(4)
			for rank := range 4 {
				c.log(rank).steps(time.Second, 20*time.Second, always(step, 20+float64(rank)))
			}
		}},
		{name: "checkpoints take a third of the time", want: "checkpoint-stall", severity: train.SeverityWarning, title: "every 50 steps", build: saving(50, 2*time.Second, 50*time.Second)},
		{name: "checkpoints take a hundredth", never: []train.Cause{"checkpoint-stall"}, build: saving(500, 2*time.Second, 10*time.Second)},
		{name: "bars that were drawn on one line between checkpoints", never: []train.Cause{"checkpoint-stall"}, build: drawnBars(50, time.Second)},
		{name: "checkpoints are asynchronous", never: []train.Cause{"checkpoint-stall"}, build: saving(50, 2*time.Second, 0)},
	})
}

// saving returns a job that saves a checkpoint every so many steps.
func saving(every int, step, took time.Duration) func(*cluster) {
	return func(c *cluster) {
		c.trained(1)
		l := c.log(0)
		for l.now.Before(noon.Add(-time.Duration(every)*step - took)) {
			for range every {
				l.now, l.step = l.now.Add(step), l.step+1
				l.one()
			}
			l.saves(took)
		}
		l.now, l.step = l.now.Add(step), l.step+1
		l.one()
	}
}

// drawnBars writes a bar on one line between two checkpoints, as the kubelet has it of a time
// before the log was followed: all its states have the time of the line. The newest were
// seen as they were drawn.
func drawnBars(every int, step time.Duration) func(*cluster) {
	return func(c *cluster) {
		c.trained(1)
		l := c.log(0)
		bar := func(seen bool) {
			began := l.now
			l.write("")
			var states []train.Sample
			for n := range every {
				l.step++
				at := began
				if seen {
					at = began.Add(time.Duration(n) * step)
				}
				states = append(states, train.Sample{Line: l.number, Time: at, Rank: -1, Step: l.step, HasStep: true, Metrics: []train.Metric{{Name: train.MetricLoss, Value: 2}}})
			}
			c.events = append(c.events, store.Logged{Stream: l.stream, Samples: states})
			l.now = began.Add(time.Duration(every) * step)
			l.saves(0)
		}
		for l.now.Before(noon.Add(-2 * time.Duration(every) * step)) {
			bar(l.now.After(noon.Add(-6 * time.Duration(every) * step)))
		}
	}
}

func TestLossesThatGoWrong(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	of := func(metrics ...func(float64) train.Metric) func(*cluster) {
		return func(c *cluster) {
			c.trained(1)
			c.log(0).steps(time.Second, 30*time.Second, metrics...) // 239 steps
		}
	}
	wrong := []train.Cause{"nan-loss", "loss-spike", "loss-scale-minimum"}
	runScenarios(t, []scenario{
		{name: "no number from step 200 on", want: "nan-loss", severity: train.SeverityError, title: "step 200", build: of(lossFrom(200, 1e9, nan))},
		{name: "infinite", want: "nan-loss", build: of(lossFrom(200, 1e9, inf))},
		{name: "no number once", never: wrong, build: of(lossFrom(200, 201, nan))},
		{name: "no number twice, and healed", never: wrong, build: of(lossFrom(200, 202, nan))},
		{name: "the gradient norm is no number", want: "nan-loss", build: of(always(train.MetricGradNorm, nan))},
		{name: "the loss of validation is no number", want: "nan-loss", severity: train.SeverityWarning, title: "eval_loss is NaN", build: of(always(train.MetricEvalLoss, nan))},
		{name: "the loss of validation was none and healed", never: wrong, build: of(func(n float64) train.Metric {
			return train.Metric{Name: train.MetricEvalLoss, Value: map[bool]float64{true: nan, false: 2}[n >= 100 && n < 110]}
		})},
		{name: "rose and stayed", want: "loss-spike", severity: train.SeverityWarning, build: of(lossFrom(200, 1e9, 9))},
		{name: "rose with a new stage and falls since", want: "loss-spike", severity: train.SeverityWarning, title: "at step 180, and has come down to 7.92 since", build: of(func(step float64) train.Metric {
			if step < 180 {
				return lossFrom(1e9, 1e9, 0)(step)
			}
			return train.Metric{Name: train.MetricLoss, Value: max(6, 9-(step-180)/50)}
		})},
		{name: "rose by less than a factor of three, for long", want: "loss-spike", build: of(lossFrom(180, 1e9, 5.5))},
		{name: "rose and came back", never: wrong, build: of(lossFrom(200, 230, 9))},
		{name: "falls as it should", never: wrong, build: of()},
		{name: "a loss scale that halves to its least", want: "loss-scale-minimum", severity: train.SeverityWarning, build: of(func(n float64) train.Metric {
			return train.Metric{Name: "loss_scale", Value: max(1, 65536/math.Pow(2, max(0, n-200)))}
		})},
		{name: "a loss scale that finds its place", never: wrong, build: of(func(n float64) train.Metric {
			return train.Metric{Name: "loss scale", Value: max(1024, 65536/math.Pow(2, n))}
		})},
		{name: "bf16 has no loss scale", never: wrong, build: of(always("loss scale", 1))},
	})
}

func TestDeadlinesAhead(t *testing.T) {
	of := func(seconds int64, total float64) func(*cluster) {
		return func(c *cluster) {
			c.trained(1)
			l := c.log(0).steps(time.Second, 10*time.Second) // 719 steps in two hours
			c.events = append(c.events, store.Logged{Stream: l.stream, Hints: &train.ProgressHints{TotalSteps: total}})
			c.worker(0, running("gpu-0", 120), func(p *corev1.Pod) {
				started := before(120)
				p.Status.StartTime, p.Spec.ActiveDeadlineSeconds = &started, &seconds
			})
		}
	}
	const cause = "active-deadline-exceeded"
	runScenarios(t, []scenario{
		{name: "ten hours are needed, three allowed", want: cause, severity: train.SeverityWarning, title: "at Nov 20 13:00 (UTC), about 7 h before", build: of(3*3600, 3600)},
		{name: "ten hours are needed, eleven allowed", never: []train.Cause{cause}, build: of(11*3600, 3600)},
	})
}

func TestRestartsThatWasteSteps(t *testing.T) {
	again := func(minutes float64) func(*cluster) {
		return func(c *cluster) {
			c.trained(1)
			c.worker(0, running("gpu-0", minutes), func(p *corev1.Pod) { p.Status.ContainerStatuses[0].RestartCount = 4 })
			for life := range 5 {
				l := c.log(0)
				l.stream.Restart = life
				c.events[len(c.events)-1] = store.StreamChanged{Stream: l.stream, Rank: -1, Status: train.StreamStatus{State: map[bool]train.StreamState{true: train.StreamLive, false: train.StreamEnded}[life == 4]}}
				l.now, l.step = noon.Add(-time.Duration((5-life)*10)*time.Minute), 1199
				l.steps(time.Duration((4-life)*10)*time.Minute+time.Minute/2, 10*time.Second)
			}
		}
	}
	runScenarios(t, []scenario{
		{name: "each life begins at the same step", want: "restart-loop-waste", severity: train.SeverityWarning, title: "all began at step 1200", build: again(10)},
		{name: "each ended for one cause", want: "oom-killed", severity: train.SeverityWarning, never: []train.Cause{"restart-loop-waste"}, build: both(again(11), func(c *cluster) {
			c.worker(0, running("gpu-0", 11), func(p *corev1.Pod) {
				status := &p.Status.ContainerStatuses[0]
				status.RestartCount = 4
				status.LastTerminationState = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 137, Reason: "OOMKilled", StartedAt: before(20), FinishedAt: before(11.5)}}
			})
		})},
		{name: "restarted long ago", never: []train.Cause{"restart-loop-waste"}, build: func(c *cluster) {
			c.trained(1)
			c.worker(0, running("gpu-0", 110), func(p *corev1.Pod) { p.Status.ContainerStatuses[0].RestartCount = 4 })
		}},
	})
}

// Whether a job hangs is not known in the first seconds of a log: "nothing wrong" is
// not reported before. Where lines came lately, or the silence is usual, nothing is
// missing.
func TestNothingWrongIsNotSaidOfASilentLogThatWasJustOpened(t *testing.T) {
	for _, f := range []struct {
		name            string
		opened, silence time.Duration
		want            Verdict
	}{
		{"just opened, silent", 4 * time.Second, 30 * time.Minute, NotEnoughRead},
		{"just opened, a line came lately", 4 * time.Second, time.Minute, NothingWrong},
		{"opened a while ago", 11 * time.Second, 30 * time.Minute, CauseFound},
	} {
		got := answerOf(t, func(c *cluster) {
			c.trained(1)
			l := c.log(0).steps(f.silence, 2*time.Second)
			c.events = append(c.events, store.StreamChanged{Stream: l.stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive, Since: noon.Add(-f.opened)}})
		})
		if got.Verdict() != f.want {
			t.Errorf("%s: %s: %s, want %s", f.name, got.Verdict(), got.Conclusion.Sentence, f.want)
		}
	}
}

// Where two pods run one rank, all ranks may be among those that print on: none is mute.
func TestNoRankIsMuteWhereTwoPodsRunOne(t *testing.T) {
	job := &train.Job{Ranks: []train.Rank{{Index: 0}, {Index: 1}, {Index: 1}}}
	f := train.Finding{Cause: "hang-no-output", Ranks: []int{0, 1}, Title: "no step"}
	if nameMute(&rule.JobContext{Job: job}, &f); f.Title != "no step" {
		t.Errorf("got %q", f.Title)
	}
}
