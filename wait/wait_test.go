package wait

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var (
	pyTorchJob = schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}
	begin      = time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
)

// world is a cluster with a clock of its own, and a wait in it.
type world struct {
	t     *testing.T
	now   time.Time
	store *store.Store
	wait  *Wait
	said  []string
	// opened is when the log was.
	opened time.Time
}

// newWorld begins a wait for the jobs with these names, separated by spaces.
func newWorld(t *testing.T, names string, o Options) *world {
	t.Helper()
	w := &world{t: t, now: begin}
	w.store = store.New(func() time.Time { return w.now })
	w.store.Apply(store.Listed{Kind: pyTorchJob}, store.Listed{Kind: kinds.PodKind}, health("kube", train.SourceLive))
	o.Names, o.Place = strings.Fields(names), "here"
	if o.Conditions == nil {
		o.Conditions = conditions(t)
	}
	o.Wanted = func(_ *store.Snapshot, job *train.Job) (bool, []int) {
		for i, name := range o.Names {
			if name == job.Ref.Name {
				return true, []int{i}
			}
		}
		return false, nil
	}
	w.wait = New(o, w.now)
	return w
}

func health(source string, state train.SourceState) store.Event {
	return store.HealthChanged{Health: train.Health{Source: source, State: state, Text: "dial: refused"}}
}

// apply applies events one by one and looks at each state.
func (w *world) apply(events ...store.Event) *world {
	for _, e := range events {
		w.store.Apply(e)
		w.look(nil)
	}
	return w
}

func (w *world) look(r *diagnose.Report) {
	w.wait.Look(w.store.Snapshot(), r, w.now)
	for _, line := range w.wait.Lines() {
		w.said = append(w.said, line.String())
	}
}

func (w *world) pass(d time.Duration) *world {
	w.now = w.now.Add(d)
	w.look(nil)
	return w
}

// is checks the state of the wait, "" while it goes on.
func (w *world) is(want Outcome) *world {
	w.t.Helper()
	if got, over := w.wait.Over(); got != want || over != (want != "") {
		w.t.Errorf("it is %q (over: %v), want %q; it said\n%s", got, over, want, strings.Join(w.said, "\n"))
	}
	return w
}

func (w *world) says(want string) *world {
	w.t.Helper()
	if all := strings.Join(w.said, "\n"); !strings.Contains(all, want) {
		w.t.Errorf("it did not say %q, but\n%s", want, all)
	}
	return w
}

// jobOf is a PyTorchJob of some workers with conditions "Type" or "Type=False:Reason".
func jobOf(name, uid string, workers int64, conditionsOf ...string) store.Event {
	var list []any
	for _, c := range conditionsOf {
		kind, rest, isFalse := strings.Cut(c, "=False:")
		entry := map[string]any{"type": kind, "status": "True", "reason": "PyTorchJob" + kind, "lastTransitionTime": begin.Format(time.RFC3339)}
		if isFalse {
			entry["status"], entry["reason"] = "False", rest
		}
		list = append(list, entry)
	}
	return store.Set{Kind: pyTorchJob, Object: &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
		"metadata": map[string]any{"namespace": "ml", "name": name, "uid": uid},
		"spec":     map[string]any{"pytorchReplicaSpecs": map[string]any{"Worker": map[string]any{"replicas": workers}}},
		"status":   map[string]any{"conditions": list},
	}}}
}

func deletedJob(name, uid string) store.Event {
	return store.Deleted{Kind: pyTorchJob, Namespace: "ml", Name: name, UID: uid}
}

// podOf is a worker in one of the states running, failed, pending.
func podOf(job, uid string, index int, state corev1.PodPhase) store.Event {
	yes := true
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
		Namespace: "ml", Name: fmt.Sprintf("%s-worker-%d", job, index), UID: types.UID(fmt.Sprintf("%s-%d", uid, index)),
		Labels: map[string]string{
			"training.kubeflow.org/job-name": job, "training.kubeflow.org/replica-type": "worker", "training.kubeflow.org/replica-index": fmt.Sprint(index),
		},
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: job, UID: types.UID(uid), Controller: &yes}},
	}}
	pod.Spec = corev1.PodSpec{NodeName: "n", Containers: []corev1.Container{{Name: "pytorch"}}}
	status := corev1.ContainerStatus{Name: "pytorch"}
	switch pod.Status.Phase = state; state {
	case corev1.PodRunning:
		pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: corev1.ConditionTrue}}
		status.Ready, status.State.Running = true, &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(begin)}
	case corev1.PodFailed:
		status.State.Terminated = &corev1.ContainerStateTerminated{ExitCode: 1, StartedAt: metav1.NewTime(begin), FinishedAt: metav1.NewTime(begin)}
	default:
		status.State.Waiting = &corev1.ContainerStateWaiting{Reason: "ContainerCreating"}
	}
	pod.Status.ContainerStatuses = []corev1.ContainerStatus{status}
	return store.Set{Kind: kinds.PodKind, Object: pod}
}

func logOf(job, uid string) train.StreamID {
	return train.StreamID{Namespace: "ml", Pod: job + "-worker-0", UID: uid + "-0", Container: "pytorch"}
}

// printed is a line with a step and a loss.
func (w *world) printed(job, uid string, step int64) []store.Event {
	if w.opened.IsZero() {
		w.opened = w.now
	}
	line := train.LogLine{Number: step, Time: w.now, Text: fmt.Sprintf("step %d loss 2", step)}
	sample := train.Sample{Line: step, Time: w.now, Rank: -1, Step: float64(step), HasStep: true, Metrics: []train.Metric{{Name: "loss", Value: 2}}}
	return []store.Event{
		store.StreamChanged{Stream: logOf(job, uid), Status: train.StreamStatus{State: train.StreamLive, Since: w.opened}},
		store.Logged{Stream: logOf(job, uid), Lines: []train.LogLine{line}, Samples: []train.Sample{sample}},
	}
}

func TestPhasesThatArePassed(t *testing.T) {
	running := []store.Event{jobOf("a", "1", 2), podOf("a", "1", 0, corev1.PodRunning), podOf("a", "1", 1, corev1.PodRunning)}
	for name, c := range map[string]struct {
		condition string
		events    []store.Event
		want      Outcome
	}{
		"one of two ranks runs":                   {"running", running[:2], ""},
		"all ranks run":                           {"running", running, Reached},
		"the operator says so too early":          {"running", append(running[:2:2], jobOf("a", "1", 2, "Running")), ""},
		"what succeeded has run":                  {"running", []store.Event{jobOf("a", "1", 2, "Succeeded")}, Reached},
		"what failed did not need to run":         {"running", []store.Event{jobOf("a", "1", 2, "Failed")}, Failed},
		"a failed job's condition shows it":       {"running", []store.Event{jobOf("a", "1", 2, "Running=False:PyTorchJobFailed", "Failed")}, Reached},
		"suspended before it ran":                 {"running", []store.Event{jobOf("a", "1", 2, "Running=False:PyTorchJobSuspended", "Failed")}, Failed},
		"a failed job's pods show it":             {"running", []store.Event{podOf("a", "1", 0, corev1.PodFailed), podOf("a", "1", 1, corev1.PodFailed), jobOf("a", "1", 2, "Failed")}, Reached},
		"one rank of a failed job never ran":      {"running", []store.Event{podOf("a", "1", 0, corev1.PodFailed), podOf("a", "1", 1, corev1.PodPending), jobOf("a", "1", 2, "Failed")}, Failed},
		"done":                                    {"done", []store.Event{jobOf("a", "1", 1, "Succeeded")}, Reached},
		"not done":                                {"done", []store.Event{jobOf("a", "1", 1, "Failed")}, Failed},
		"failed, as was asked for":                {"failed", []store.Event{jobOf("a", "1", 1, "Failed")}, Reached},
		"ended well instead of failed":            {"failed", []store.Event{jobOf("a", "1", 1, "Succeeded")}, Failed},
		"ended":                                   {"ended", []store.Event{jobOf("a", "1", 1, "Succeeded")}, Reached},
		"the first that holds":                    {"done,failed", []store.Event{jobOf("a", "1", 1, "Failed")}, Reached},
		"another job does not matter":             {"done", []store.Event{jobOf("b", "2", 1, "Succeeded")}, ""},
		"a step that cannot come after the end":   {"step=9", []store.Event{jobOf("a", "1", 1, "Succeeded")}, Failed},
		"trouble of which the end is the subject": {"trouble,ended", []store.Event{jobOf("a", "1", 1, "Failed")}, Reached},
	} {
		t.Run(name, func(t *testing.T) {
			newWorld(t, "a", Options{Conditions: conditions(t, c.condition)}).apply(c.events...).is(c.want)
		})
	}
}

// The phase counts at the moment it is seen, whatever comes after.
func TestAPhaseOfAMomentCounts(t *testing.T) {
	w := newWorld(t, "a", Options{Conditions: conditions(t, "running")})
	w.apply(jobOf("a", "1", 1)).is("")
	w.apply(podOf("a", "1", 0, corev1.PodRunning), store.Deleted{Kind: kinds.PodKind, Namespace: "ml", Name: "a-worker-0"}).is(Reached)
	w.says("ml/PyTorchJob/a  Running  1/1 rank").says("ml/PyTorchJob/a  reached running")
}

func TestAllAndAny(t *testing.T) {
	both := func(any bool) *world { return newWorld(t, "a b", Options{Any: any}).apply(jobOf("a", "1", 1)) }
	both(false).apply(jobOf("a", "1", 1, "Succeeded")).is("").apply(jobOf("b", "2", 1, "Succeeded")).is(Reached)
	both(false).apply(jobOf("b", "2", 1, "Failed")).is(Failed)
	both(true).apply(jobOf("b", "2", 1, "Failed")).is("").apply(jobOf("a", "1", 1, "Succeeded")).is(Reached)
	both(true).apply(jobOf("b", "2", 1, "Failed"), jobOf("a", "1", 1, "Failed")).is(Failed)
	both(true).apply(jobOf("a", "1", 1, "Failed")).is("") // b may still come
}

// A job that is not there yet is waited for until the time is over.
func TestAJobThatDoesNotExistYet(t *testing.T) {
	w := newWorld(t, "a b", Options{Timeout: time.Minute})
	w.look(nil)
	w.wait.Begin(w.store.Snapshot())
	w.apply(jobOf("a", "1", 1)).says(`there is no job "b" in here yet`).pass(59 * time.Second).is("")
	if missing := w.wait.Missing(); len(missing) != 1 || missing[0] != "b" {
		t.Errorf("missing are %q", missing)
	}
	w.pass(time.Second).is(TimedOut)
	var got []string
	for _, r := range w.wait.Results() {
		got = append(got, r.Name+r.Job.Name+" "+string(r.Outcome))
	}
	if text := strings.Join(got, ", "); text != "a timed-out, b " {
		t.Errorf("the results are %s", text)
	}
}

// A name that no job has may be misspelt.
func TestNamesNearOneThatNoJobHas(t *testing.T) {
	w := newWorld(t, "berrt other", Options{Near: func(s *store.Snapshot, name string) (near []string) {
		for _, job := range s.Jobs() {
			if name == "berrt" {
				near = append(near, job.Ref.Kind+"/"+job.Ref.Name)
			}
		}
		return near
	}})
	w.apply(jobOf("bert", "1", 1)).wait.Begin(w.store.Snapshot())
	var got []string
	for _, line := range w.wait.Lines() {
		got = append(got, line.Why)
	}
	want := []string{`there is no job "berrt" in here yet; waiting for it; there is PyTorchJob/bert`, `there is no job "other" in here yet; waiting for it`}
	if !slices.Equal(got, want) {
		t.Errorf("it says %q, want %q", got, want)
	}
}

// A job that is deleted may be created again for 30 s; it is another attempt then.
func TestDeletedJobs(t *testing.T) {
	w := newWorld(t, "a", Options{Conditions: conditions(t, "running,done")})
	w.apply(jobOf("a", "1", 2), podOf("a", "1", 0, corev1.PodRunning), podOf("a", "1", 0, corev1.PodFailed), podOf("a", "1", 1, corev1.PodPending))
	w.apply(deletedJob("a", "1")).says("deleted").pass(29 * time.Second).is("")
	w.apply(jobOf("a", "2", 2)).says("attempt 2").pass(time.Minute).is("")
	// what the first attempt did does not count for the second
	w.apply(podOf("a", "2", 1, corev1.PodRunning)).is("")
	w.apply(podOf("a", "2", 0, corev1.PodRunning)).is(Reached)
	if r := w.wait.Results(); r[0].Attempt != 2 || r[0].ID != "2" {
		t.Errorf("the result is %+v", r[0])
	}

	newWorld(t, "a", Options{}).apply(jobOf("a", "1", 1), deletedJob("a", "1")).pass(30 * time.Second).is(Gone).says("not created again within 30s")
	// a list after an outage shows the new object at once
	newWorld(t, "a", Options{}).apply(jobOf("a", "1", 1), store.Listed{Kind: pyTorchJob, Objects: []kinds.Object{jobOf("a", "2", 1).(store.Set).Object}}).
		says("attempt 2").pass(time.Hour).is("")
	// a kind that may not be read any more does not mean that its jobs are gone
	newWorld(t, "a", Options{}).apply(jobOf("a", "1", 1), store.Unwatched{Kind: pyTorchJob}).pass(time.Hour).is("").says("cannot be read any more")
}

func TestNoProgress(t *testing.T) {
	stuckAfter := Options{NoProgress: 10 * time.Minute}
	run := func(o Options) *world {
		w := newWorld(t, "a", o)
		w.apply(jobOf("a", "1", 1), podOf("a", "1", 0, corev1.PodPending)).pass(time.Hour).is("")
		return w.apply(podOf("a", "1", 0, corev1.PodRunning))
	}
	// while its log was not read, silence means nothing
	w := run(stuckAfter).pass(time.Hour).is("")
	w.apply(w.printed("a", "1", 1)...).is("").pass(9 * time.Minute).is("")
	w.apply(w.printed("a", "1", 2)...).pass(9 * time.Minute).is("").pass(time.Minute).is(Stuck).says("no new step and no new line of rank 0 for 10m0s")

	// without --no-progress nothing is ever stuck
	w = run(Options{})
	w.apply(w.printed("a", "1", 1)...).pass(100 * time.Hour).is("")

	// nothing can arrive while the cluster gives no answer
	w = run(stuckAfter)
	w.apply(w.printed("a", "1", 1)...)
	w.apply(health("kube", train.SourceRetrying)).says("cannot be reached").pass(time.Hour).is("")
	w.apply(health("kube", train.SourceLive)).says("can be reached again").pass(9 * time.Minute).is("").pass(time.Minute).is(Stuck)

	// a process that was stopped has not read what came meanwhile
	looks := stuckAfter
	looks.LooksEvery = time.Minute
	w = run(looks)
	w.apply(w.printed("a", "1", 1)...).pass(time.Minute).pass(time.Hour).is("")
	for range 8 {
		w.pass(time.Minute)
	}
	w.is("").pass(time.Minute).is(Stuck)

	// a log that may not be read is named once
	w = run(stuckAfter)
	refused := store.StreamChanged{Stream: logOf("a", "1"), Status: train.StreamStatus{State: train.StreamForbidden, Text: "pods/log is refused"}}
	w.apply(refused, refused).pass(time.Hour).is("").says("pods/log is refused")
	if n := strings.Count(strings.Join(w.said, "\n"), "refused"); n != 1 {
		t.Errorf("it is said %d times", n)
	}

	// a suspended job makes no progress and is not stuck
	w = run(stuckAfter)
	w.apply(w.printed("a", "1", 1)...)
	w.apply(jobOf("a", "1", 1, "Suspended"), store.Deleted{Kind: kinds.PodKind, Namespace: "ml", Name: "a-worker-0"}).pass(time.Hour).is("")
}

// A person who begins to wait for a job that has been silent for long is informed
// at once; one that printed nothing at all counts from when it began to run.
func TestNoProgressBeforeTheWait(t *testing.T) {
	w := newWorld(t, "a", Options{NoProgress: 10 * time.Minute})
	w.store.Apply(jobOf("a", "1", 1), podOf("a", "1", 0, corev1.PodRunning))
	w.store.Apply(w.printed("a", "1", 1)...)
	w.pass(9 * time.Minute).is("").pass(time.Minute).is(Stuck)

	w = newWorld(t, "a", Options{NoProgress: 10 * time.Minute})
	w.apply(jobOf("a", "1", 1), podOf("a", "1", 0, corev1.PodRunning)).pass(5 * time.Minute)
	w.apply(store.StreamChanged{Stream: logOf("a", "1"), Status: train.StreamStatus{State: train.StreamLive, Since: begin}})
	w.pass(4 * time.Minute).is("").pass(time.Minute).is(Stuck)
	for name, status := range map[string]train.StreamStatus{"behind": {Behind: time.Hour}, "unknown": {ClocksDiffer: time.Hour}} {
		w = newWorld(t, "a", Options{NoProgress: 10 * time.Minute})
		status.State = train.StreamLive
		w.store.Apply(jobOf("a", "1", 1), podOf("a", "1", 0, corev1.PodRunning))
		w.store.Apply(w.printed("a", "1", 1)...)
		w.store.Apply(store.StreamChanged{Stream: logOf("a", "1"), Status: status})
		t.Log("the clock of the node is", name)
		w.pass(time.Hour).is("").pass(9 * time.Minute).is("").pass(time.Minute).is(Stuck)
	}
}

// The last lines of a log come later than the end of the job.
func TestLogsAfterTheEnd(t *testing.T) {
	open := func(condition string) *world {
		w := newWorld(t, "a", Options{Conditions: conditions(t, condition)})
		w.apply(jobOf("a", "1", 1), podOf("a", "1", 0, corev1.PodRunning))
		w.apply(w.printed("a", "1", 1)...)
		return w.apply(jobOf("a", "1", 1, "Succeeded")).is("")
	}
	ended := store.StreamChanged{Stream: logOf("a", "1"), Status: train.StreamStatus{State: train.StreamEnded}}
	w := open("step=2")
	w.apply(w.printed("a", "1", 2)...).is(Reached)
	open("step=2").apply(ended).is(Failed).says("the job ended as Succeeded")
	open("loss<1").pass(19 * time.Second).is("").pass(time.Second).is(Failed)
}

// A metric that logs print by another name is named at once, and at the end of the wait.
func TestAMetricOfAnotherName(t *testing.T) {
	w := newWorld(t, "a", Options{Conditions: conditions(t, "loss_mean<1"), Timeout: time.Hour})
	w.apply(jobOf("a", "1", 1), podOf("a", "1", 0, corev1.PodRunning))
	if w.apply(w.printed("a", "1", 1)...); strings.Contains(strings.Join(w.said, "\n"), "print no") {
		t.Errorf("no name is alike: %q", w.said)
	}
	w.pass(time.Hour).is(TimedOut).says("its logs print no loss_mean, but loss")

	w = newWorld(t, "a", Options{Conditions: conditions(t, "los<1"), Timeout: time.Hour})
	w.apply(jobOf("a", "1", 1), podOf("a", "1", 0, corev1.PodRunning))
	w.apply(w.printed("a", "1", 1)...).is("").says("its logs print no los, but loss")
	w.apply(w.printed("a", "1", 2)...)
	if n := strings.Count(strings.Join(w.said, "\n"), "print no"); n != 1 {
		t.Errorf("it is said %d times", n)
	}
}

func TestFindings(t *testing.T) {
	open := func(condition string) (*world, *diagnose.Report) {
		w := newWorld(t, "a", Options{Conditions: conditions(t, condition)})
		w.apply(jobOf("a", "1", 1), podOf("a", "1", 0, corev1.PodFailed))
		return w, diagnose.Run(w.store.Snapshot(), diagnose.Options{}, nil)
	}
	w, report := open("trouble")
	w.is("").look(report)
	w.is(Reached)
	w, report = open("finding=oom-killed")
	w.look(report)
	w.is("")
	// a job that ended is diagnosed once more before it is given up
	w.apply(jobOf("a", "1", 1, "Failed")).is("")
	if !w.wait.AwaitsReport() {
		t.Error("no report is awaited")
	}
	w.store.Apply(store.StreamChanged{Stream: logOf("a", "1"), Status: train.StreamStatus{State: train.StreamEnded}})
	w.look(diagnose.Run(w.store.Snapshot(), diagnose.Options{}, nil))
	w.is(Failed)
}

// Lines are about changes: what is the same is not printed again, and steps once a
// minute.
func TestOneLineAChange(t *testing.T) {
	w := newWorld(t, "a", Options{Conditions: conditions(t, "done")})
	w.apply(jobOf("a", "1", 1), podOf("a", "1", 0, corev1.PodRunning))
	before := len(w.said)
	for step := range int64(120) {
		w.now = w.now.Add(time.Second)
		w.apply(w.printed("a", "1", step+1)...)
	}
	if n := len(w.said) - before; n != 2 && n != 3 {
		t.Errorf("%d lines for 120 steps in two minutes:\n%s", n, strings.Join(w.said[before:], "\n"))
	}
	w.says("2026-11-20T10:00:01Z  ml/PyTorchJob/a  Running  1/1 rank  step 1  loss 2")
}

// A job of many ranks does not print a line for each.
func TestManyRanksThatBecomeReady(t *testing.T) {
	w := newWorld(t, "a", Options{Conditions: conditions(t, "running")}).apply(jobOf("a", "1", 100))
	for rank := range 100 {
		w.now = w.now.Add(20 * time.Millisecond)
		w.apply(podOf("a", "1", rank, corev1.PodRunning))
	}
	if w.is(Reached); len(w.said) > 5 {
		t.Errorf("%d lines:\n%s", len(w.said), strings.Join(w.said, "\n"))
	}
	w = newWorld(t, "a", Options{}).apply(jobOf("a", "1", 3), podOf("a", "1", 0, corev1.PodRunning), podOf("a", "1", 1, corev1.PodRunning))
	w.pass(time.Second).says("2/3 ranks") // the newest state comes a little later
}

func TestEndOfTheSource(t *testing.T) {
	w := newWorld(t, "a", Options{}).apply(jobOf("a", "1", 1))
	w.wait.End(w.store.Snapshot(), nil, w.now, "the file says no more")
	w.is(Failed)
	w = newWorld(t, "a", Options{}).apply(jobOf("a", "1", 1), deletedJob("a", "1"))
	w.wait.End(w.store.Snapshot(), nil, w.now, "the file says no more")
	w.is(Gone)
}

func TestInterrupted(t *testing.T) {
	w := newWorld(t, "a b", Options{}).apply(jobOf("a", "1", 1, "Succeeded"), jobOf("b", "2", 1))
	w.wait.Interrupt(w.store.Snapshot())
	w.is(Interrupted)
	if got := w.wait.Summary(); got != "1 of 2 jobs reached what was waited for" {
		t.Errorf("it says %q", got)
	}
}

// Text of a cluster does not reach the terminal as it is.
func TestLinesAreSafe(t *testing.T) {
	line := newLine(EventState, begin)
	line.Job, line.Phase, line.Why = train.Ref{Namespace: "ml", Kind: "Job", Name: "a\x1b[2J"}, train.Pending, "why\x1b]0;title\x07\nnext"
	if text := line.String(); strings.ContainsAny(text, "\x1b\x07\n") {
		t.Errorf("it is %q", text)
	}
}

func TestCodesDiffer(t *testing.T) {
	seen := map[int]Outcome{1: "could not run", 2: "wrong usage"}
	for _, c := range Codes() {
		if other, twice := seen[c.Code]; twice {
			t.Errorf("%s and %s share the exit code %d", other, c.Outcome, c.Code)
		}
		if seen[c.Code] = c.Outcome; c.Outcome.Code() != c.Code {
			t.Errorf("%s has %d and %d", c.Outcome, c.Code, c.Outcome.Code())
		}
	}
}
