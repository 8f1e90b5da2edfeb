package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// sidecarEnds adds a native sidecar that ended, and waits or runs again.
func sidecarEnds(reason string, code int32, runs bool) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		always := corev1.ContainerRestartPolicyAlways
		p.Spec.InitContainers = []corev1.Container{{Name: "fluent-bit", RestartPolicy: &always}}
		p.Status.Conditions[len(p.Status.Conditions)-1].Status = corev1.ConditionFalse // Ready: its sidecar is not
		state := corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: "back-off"}}
		if runs {
			state = corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: before(1)}}
		}
		p.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "fluent-bit", RestartCount: 40, State: state,
			LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: code, Reason: reason, FinishedAt: before(2)}}}}
	}
}

// The end of a sidecar is not that of the rank: the headline names the
// container, and verdict and severity agree.
func TestSidecarsAreNamedWhileTheTrainerRuns(t *testing.T) {
	with := func(change func(*corev1.Pod)) func(*cluster) {
		return func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, running("gpu-0", 9), change)
		}
	}
	for name, test := range map[string]struct {
		change   func(*corev1.Pod)
		title    string
		severity train.Severity
		verdict  Verdict
	}{
		"crash loop":             {sidecarEnds("Error", 1, false), "Container fluent-bit of worker-0 ended with exit code 1, 40 times so far", train.SeverityWarning, NotEnoughRead},
		"killed, and runs again": {sidecarEnds("OOMKilled", 137, true), "Container fluent-bit of worker-0 was killed", train.SeverityInfo, NothingWrong},
	} {
		answer := answerOf(t, with(test.change))
		if len(answer.Findings) == 0 {
			t.Errorf("%s: nothing found", name)
			continue
		}
		f := answer.Findings[0]
		if !strings.HasPrefix(f.Title, test.title) || f.Severity != test.severity || answer.Verdict() != test.verdict {
			t.Errorf("%s: %s, %s: %s", name, f.Severity, answer.Verdict(), f.Title)
		}
	}
}

// Pods that all completed while the status still reports that the job runs: the
// operator is stuck, and the result unknown.
func TestCompletedPodsOfARunningJobAreNotWell(t *testing.T) {
	done := func(minutes float64) func(*cluster) {
		return func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, ended("gpu-0", 0, "Completed", "", minutes), func(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded })
		}
	}
	if answer := answerOf(t, done(30)); answer.Verdict() != NotEnoughRead || !strings.Contains(answer.Conclusion.Sentence, "all its pods completed 30m ago") {
		t.Errorf("%s: %s", answer.Verdict(), answer.Conclusion.Sentence)
	}
	if answer := answerOf(t, done(1)); strings.Contains(answer.Conclusion.Sentence, "completed") {
		t.Errorf("a moment ago: %s: %s", answer.Verdict(), answer.Conclusion.Sentence)
	}
}

// A log that is still empty long after the rank began, without GPU readings, is
// no sign that the rank works.
func TestEmptyLogsAreNoSignOfProgress(t *testing.T) {
	empty := func(minutes float64) *Answer {
		c := newCluster(t)
		c.job(1, runs)
		c.node("gpu-0", 8)
		p := c.worker(0, running("gpu-0", minutes))
		stream := train.StreamID{Namespace: ns, Pod: p.Name, UID: string(p.UID), Container: "pytorch"}
		c.events = append(c.events, store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}})
		s := c.snapshot()
		return Run(s, Options{}, nil).Job(s.Jobs()[0].ID)
	}
	if a := empty(120); a.Verdict() != NotEnoughRead || !strings.Contains(a.Conclusion.Sentence, "its log is empty") {
		t.Errorf("%s: %s", a.Verdict(), a.Conclusion.Sentence)
	}
	if a := empty(9); a.Verdict() != NothingWrong {
		t.Errorf("at its start: %s: %s", a.Verdict(), a.Conclusion.Sentence)
	}
}

// The answer names the true reason why no GPU of a job is measured: nothing was
// read, only other nodes were, or no source reports which pods hold what is
// measured of its nodes.
func TestWhyAJobIsNotMeasuredIsTrue(t *testing.T) {
	var before *Report
	c := newCluster(t)
	c.job(2, runs)
	for _, node := range []string{"gpu-0", "gpu-1", "gpu-2"} {
		c.node(node, 8)
	}
	c.worker(0, running("gpu-0", 9))
	c.worker(1, running("gpu-1", 9))
	measured := func(node string) {
		var use train.Values
		use.Set(train.GPUUtilization, 97)
		c.events = append(c.events, store.Measured{Source: "exporter/" + node, Node: node, Readings: []train.GPUReading{{
			Source: train.FromDCGM, At: noon, Values: use, GPU: train.GPU{Node: node, Index: "0", UUID: "GPU-" + node},
		}}})
	}
	for _, step := range []struct{ node, why, help string }{
		{"", "no exporter or Prometheus was read", "--prometheus URL"},
		{"gpu-2", "have GPUs of other nodes alone", "on the nodes of the job"},
		{"gpu-1", "GPUs of its nodes are, and no source says which pods hold them", "DCGM_EXPORTER_KUBERNETES"},
	} {
		if step.node != "" {
			measured(step.node)
		}
		s := c.snapshot()
		before = Run(s, Options{}, before)
		for _, r := range []*Report{before, Run(s, Options{}, nil)} {
			missing := r.Job(s.Jobs()[0].ID).Conclusion.Missing
			if !slices.ContainsFunc(missing, func(m Missing) bool { return strings.Contains(m.Why, step.why) && strings.Contains(m.Help, step.help) }) {
				t.Errorf("%q: missing is %+v", step.node, missing)
			}
		}
	}
}

// An exporter that does not answer leaves ranks unmeasured: that is reported, and
// none is called measured for another.
func TestUnmeasuredRanksAreNamed(t *testing.T) {
	c := newCluster(t)
	c.job(2, runs)
	c.node("gpu-0", 8)
	c.node("gpu-1", 8)
	c.worker(0, running("gpu-0", 9))
	c.worker(1, running("gpu-1", 9))
	asIs := func(int, int, time.Duration, *train.Values) {}
	c.measured(1, asIs)
	s := c.snapshot()
	missing := Run(s, Options{}, nil).Job(s.Jobs()[0].ID).Conclusion.Missing
	if !slices.ContainsFunc(missing, func(m Missing) bool { return strings.Contains(m.Why, "GPUs of rank 1 were not read") }) {
		t.Errorf("missing is %+v", missing)
	}
	c.measured(2, asIs)
	s = c.snapshot()
	missing = Run(s, Options{}, nil).Job(s.Jobs()[0].ID).Conclusion.Missing
	if slices.ContainsFunc(missing, func(m Missing) bool { return m.What == "GPU readings" }) {
		t.Errorf("all are measured, and missing is %+v", missing)
	}
}

// A device of a running rank that its plugin calls unhealthy, and a node that
// takes back a device that is held (kubelet 1.31 and later
// allocatedResourcesStatus; the device manager lowers allocatable).
func TestUnhealthyDevicesOfRunningRanksAreFound(t *testing.T) {
	with := func(allocatable string, health corev1.ResourceHealthStatus) func(*cluster) {
		return func(c *cluster) {
			c.job(1, runs)
			c.node("gpu-0", 8, func(n *corev1.Node) { n.Status.Allocatable["nvidia.com/gpu"] = resource.MustParse(allocatable) })
			c.worker(0, running("gpu-0", 9), func(p *corev1.Pod) {
				p.Status.ContainerStatuses[0].AllocatedResourcesStatus = []corev1.ResourceStatus{{Name: "nvidia.com/gpu", Resources: []corev1.ResourceHealth{{ResourceID: "GPU-aaa", Health: health}}}}
			})
		}
	}
	together := func(allocatable string) func(*cluster) {
		return func(c *cluster) {
			c.job(2, runs)
			c.node("gpu-0", 16, func(n *corev1.Node) { n.Status.Allocatable["nvidia.com/gpu"] = resource.MustParse(allocatable) })
			c.worker(0, running("gpu-0", 9))
			c.worker(1, running("gpu-0", 9))
		}
	}
	runScenarios(t, []scenario{
		{name: "taken back from one of two", want: "device-unhealthy", title: "15 of 16 nvidia.com/gpu, and its pods hold 16", build: together("15")},
		{name: "near miss: of two none is", want: "", never: []train.Cause{"device-unhealthy"}, build: together("16")},
		{name: "unhealthy", want: "device-unhealthy", severity: train.SeverityError, title: "nvidia.com/gpu GPU-aaa of worker-0 is unhealthy", build: with("8", corev1.ResourceHealthStatusUnhealthy)},
		{name: "taken back", want: "device-unhealthy", title: "7 of 8 nvidia.com/gpu", build: with("7", corev1.ResourceHealthStatusHealthy)},
		{name: "near miss: no number of devices", want: "", never: []train.Cause{"device-unhealthy"}, build: with("-8", corev1.ResourceHealthStatusHealthy)},
		{name: "near miss: a fraction", want: "", never: []train.Cause{"device-unhealthy"}, build: with("1n", corev1.ResourceHealthStatusHealthy)},
		{name: "near miss: all well", want: "", never: []train.Cause{"device-unhealthy"}, build: with("8", corev1.ResourceHealthStatusHealthy)},
	})
}

func completed(node string, minutes float64) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		ended(node, 0, "Completed", "", minutes)(p)
		p.Status.Phase = corev1.PodSucceeded
	}
}

// A rank of a process group that ended well while the others run on is waited for.
func TestARankThatEndedLongBeforeTheOthers(t *testing.T) {
	three := func(minutes float64, change func(*cluster)) func(*cluster) {
		return func(c *cluster) {
			c.job(3, runs)
			for _, node := range []string{"gpu-0", "gpu-1", "gpu-2"} {
				c.node(node, 8)
			}
			c.worker(0, running("gpu-0", 90))
			c.worker(1, completed("gpu-1", minutes))
			c.worker(2, running("gpu-2", 90))
			change(c)
		}
	}
	asIs := func(*cluster) {}
	if a := answerOf(t, three(60, asIs)); a.Verdict() != NotEnoughRead || len(a.Findings) == 0 || a.Findings[0].Cause != "rank-ended-early" || !strings.Contains(a.Findings[0].Title, "worker-1 ended with success 60m ago, and 2 ranks run on") {
		t.Errorf("%s: %s, %+v", a.Verdict(), a.Conclusion.Sentence, a.Findings)
	}
	for name, build := range map[string]func(*cluster){
		"a moment ago": three(5, asIs),
		"one runs on, which may upload what they made": func(c *cluster) {
			c.job(2, runs)
			c.node("gpu-0", 8)
			c.node("gpu-1", 8)
			c.worker(0, running("gpu-0", 90))
			c.worker(1, completed("gpu-1", 60))
		},
	} {
		if a := answerOf(t, build); len(a.Findings) > 0 {
			t.Errorf("%s: %+v", name, a.Findings)
		}
	}
}

// A pod that was made anew before the old one ended runs the same rank beside it.
func TestARankThatRunsTwice(t *testing.T) {
	two := func(older, newer func(*corev1.Pod)) func(*cluster) {
		return func(c *cluster) {
			c.job(2, runs)
			c.node("gpu-0", 8)
			c.node("gpu-1", 8)
			c.node("gpu-2", 8)
			c.worker(0, running("gpu-0", 90))
			c.worker(1, running("gpu-1", 90), older)
			c.worker(1, newer, func(p *corev1.Pod) { p.Name, p.UID = "bert-worker-1-anew", "anew" })
		}
	}
	asIs := func(*corev1.Pod) {}
	a := answerOf(t, two(asIs, running("gpu-2", 60)))
	if len(a.Findings) != 1 || a.Findings[0].Cause != "rank-runs-twice" || a.Verdict() != CauseFound || a.Findings[0].Title != "Rank 1 runs twice, in bert-worker-1 and bert-worker-1-anew, for 60m" || len(a.Findings[0].Evidence) != 2 {
		t.Errorf("%s: %s, %+v", a.Verdict(), a.Conclusion.Sentence, a.Findings)
	}
	for name, build := range map[string]func(*cluster){
		"a moment ago":      two(asIs, running("gpu-2", 1)),
		"the old one goes":  two(func(p *corev1.Pod) { at := before(1); p.DeletionTimestamp = &at }, running("gpu-2", 60)),
		"the old one ended": two(ended("gpu-1", 1, "Error", "", 70), running("gpu-2", 60)),
	} {
		if a := answerOf(t, build); slices.ContainsFunc(a.Findings, func(f train.Finding) bool { return f.Cause == "rank-runs-twice" }) {
			t.Errorf("%s: %+v", name, a.Findings)
		}
	}
}

// Pods that run on after their job succeeded keep its GPUs from others.
func TestPodsThatHoldGPUsAfterTheirJobSucceeded(t *testing.T) {
	over := func(at string, second func(*corev1.Pod)) func(*cluster) {
		return func(c *cluster) {
			c.job(2, `conditions: [{type: Succeeded, status: "True", reason: PyTorchJobSucceeded, lastTransitionTime: "`+at+`"}]
startTime: "2026-11-20T09:50:00Z"
completionTime: "`+at+`"`)
			c.node("gpu-0", 8)
			c.node("gpu-1", 8)
			c.worker(0, completed("gpu-0", 100))
			c.worker(1, second)
		}
	}
	a := answerOf(t, over("2026-11-20T11:00:00Z", running("gpu-1", 130)))
	if len(a.Findings) != 1 || a.Findings[0].Cause != "pods-after-end" || a.Findings[0].Severity != train.SeverityWarning || !strings.Contains(a.Findings[0].Title, "1 of its pods still exists and holds 8 GPUs") || a.Verdict() != CauseFound {
		t.Errorf("%s: %+v", a.Verdict(), a.Findings)
	}
	for name, build := range map[string]func(*cluster){
		"a moment ago": over("2026-11-20T11:59:00Z", running("gpu-1", 130)),
		"all ended":    over("2026-11-20T11:00:00Z", completed("gpu-1", 100)),
	} {
		if a := answerOf(t, build); len(a.Findings) > 0 {
			t.Errorf("%s: %+v", name, a.Findings)
		}
	}
}

// Missing lines of logs which a recorder was told to leave out are no silence.
func TestLogsThatWereNotRecordedAreNotSilent(t *testing.T) {
	note := func(resource string) store.Event {
		return store.HealthChanged{Health: train.Health{Source: train.SkippedIn("recording a.ttrec", 1), State: train.SourceRead, Resource: resource, Text: "a.ttrec: it was recorded with --logs"}}
	}
	for name, c := range map[string]struct {
		resource string
		state    train.StreamState
		hangs    bool
		lacks    string
	}{
		"recorded":       {"", train.StreamLive, true, ""},
		"without logs":   {train.WholeLogs, train.StreamStopped, false, "continued without logs"},
		"without lines":  {train.LinesAlone, train.StreamLive, false, ""},
		"no run follows": {"", train.StreamStopped, false, ""},
	} {
		a := answerOf(t, func(k *cluster) {
			k.job(1, runs)
			k.node("gpu-0", 8)
			p := k.worker(0, running("gpu-0", 90))
			stream := train.StreamID{Namespace: ns, Pod: p.Name, UID: string(p.UID), Container: "pytorch"}
			lines := store.Logged{Stream: stream}
			for i := range 60 {
				at := before(60 - float64(i)/2).Time
				lines.Lines = append(lines.Lines, train.LogLine{Number: int64(i + 1), Time: at, Text: fmt.Sprintf("step %d loss 2.5", i)})
			}
			k.events = append(k.events, store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: c.state, Since: before(25).Time}}, lines)
			if c.resource != "" {
				k.events = append(k.events, note(c.resource))
			}
		})
		hangs := slices.ContainsFunc(a.Findings, func(f train.Finding) bool { return f.Cause == "hang-no-output" })
		lacks := slices.ContainsFunc(a.Conclusion.Missing, func(m Missing) bool { return strings.Contains(m.Why, "continued without logs") })
		if hangs != c.hangs || lacks != (c.lacks != "") {
			t.Errorf("%s: hangs %t, %+v", name, hangs, a.Conclusion.Missing)
		}
	}
}
