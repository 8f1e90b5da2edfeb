package jobmetrics

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var update = flag.Bool("update", false, "write docs/metrics.md and the golden page anew")

// small is a lab with one job at step 120 of 1,000, ten minutes after its start.
func small(t testing.TB) (*lab, *unstructured.Unstructured) {
	l := newLab(t, Options{Version: "v1.2.3", Commit: "0123456789ab"})
	bert := job("ml", "bert", 2)
	bert.SetLabels(map[string]string{"kueue.x-k8s.io/queue-name": "research"})
	l.start(bert, 2)
	l.follow(bert, 0)
	for step := range 13 {
		l.now = began.Add(8*time.Minute + time.Duration(step)*10*time.Second)
		l.print(bert, 0, float64(10*step), metric(train.MetricLoss, 4-float64(step)/10), metric(train.MetricTokens, 5000), metric(train.MetricLR, 3e-4))
		l.measure(bert, 0, 8)
		l.measure(bert, 1, 6)
		l.observe()
	}
	return l, bert
}

// The page of a small cluster, as Prometheus reads it.
func TestPage(t *testing.T) {
	l, _ := small(t)
	got := strings.ReplaceAll(l.page(), goversion(), "GOVERSION")
	const path = "testdata/page.prom"
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil || got != string(want) {
		t.Errorf("the page is not %s (%v); go test ./jobmetrics -update writes it:\n%s", path, err, got)
	}
}

// Unknown values are absent: no log, no reading, no diagnosis, no time.
func TestUnknownIsAbsent(t *testing.T) {
	l := newLab(t, Options{})
	l.start(job("ml", "bert", 2), 0)
	s := l.Snapshot()
	l.exporter.Observe(s, nil)
	page := l.page()
	for _, name := range []string{
		"traintop_job_step", "traintop_job_loss", "traintop_job_eta", "traintop_job_progress_age", "traintop_job_tokens", "traintop_job_findings", "traintop_job_gpu_",
		"traintop_job_gpus{", "traintop_job_lost", "traintop_job_finished", "traintop_jobs_needing", "traintop_gpus", "traintop_job_queue_wait",
	} {
		if strings.Contains(page, "\n"+name) {
			t.Errorf("the page has %s of a job of which nothing is known", name)
		}
	}
	l.want(`traintop_job_ranks_wanted{job_name="bert"`, 2)
	l.want(`traintop_job_ranks_ready{job_name="bert"`, 0)
}

// While a list that may hold jobs is not read, a count of 0 is not known; what is counted
// is there all the same. So it is with restarts while pods are not read.
func TestCountsOfWhatWasNotReadAreAbsent(t *testing.T) {
	for _, state := range []train.SourceState{train.SourceForbidden, train.SourceRetrying} {
		l := newLab(t, Options{})
		l.start(job("ml", "bert", 1), 1)
		list := train.Health{Source: "kube/rayjobs.ray.io", State: state, Group: "ray.io", Resource: "rayjobs", Text: "no"}
		l.Apply(store.HealthChanged{Health: list})
		l.observe().want(`traintop_jobs{phase="Failed"}`, absent)
		l.want(`traintop_jobs{phase="Running"}`, 1)
		l.want(`traintop_jobs_needing_attention{severity="error"}`, absent)
		list.State, list.Text = train.SourceLive, ""
		l.Apply(store.HealthChanged{Health: list})
		l.observe().want(`traintop_jobs{phase="Failed"}`, 0)
		l.want(`traintop_jobs_needing_attention{severity="error"}`, 0)
		l.want(`traintop_job_restarts_total{`, 0)
	}
	l := newLab(t, Options{})
	l.Apply(store.Unwatched{Kind: podKind})
	l.start(job("ml", "bert", 1), 0)
	l.observe().want(`traintop_job_restarts_total{`, absent)
}

func TestALossThatIsNaNIsNaN(t *testing.T) {
	l, bert := small(t)
	l.now = l.now.Add(10 * time.Second)
	l.print(bert, 0, 130, metric(train.MetricLoss, math.NaN()))
	l.observe()
	if !strings.Contains(l.page(), `traintop_job_loss{job_name="bert",kind="PyTorchJob",namespace="ml"} NaN`) {
		t.Errorf("the page has no loss that is NaN:\n%s", l.page())
	}
	l.now = l.now.Add(10 * time.Second)
	l.print(bert, 0, 140, metric(train.MetricLoss, math.Inf(1)))
	l.observe().want(`traintop_job_loss{`, math.Inf(1))
}

// A reward is no loss: it has its name as a label, and the loss is absent.
func TestARewardIsNoLoss(t *testing.T) {
	l := newLab(t, Options{})
	ppo := l.start(job("rl", "ppo", 1), 1)
	l.follow(ppo, 0)
	l.now = began.Add(time.Minute)
	l.print(ppo, 0, 1, metric("reward", 0.5))
	l.observe()
	l.want("traintop_job_loss", absent)
	l.want(`traintop_job_quality{job_name="ppo",kind="PyTorchJob",metric="reward"`, 0.5)
}

// Speed and the time left are those of before when a job makes no steps; how
// long that is goes on between snapshots.
func TestAJobThatStandsStillHasNoSpeed(t *testing.T) {
	l, bert := small(t)
	l.want("traintop_job_tokens_per_second{", 5000)
	l.want("traintop_job_step_duration_seconds{", 1)
	l.want("traintop_job_eta_seconds{", 880)
	l.want("traintop_job_progress_age_seconds{", 0)
	l.pass(20 * time.Minute)
	l.now = l.now.Add(5 * time.Second) // without a snapshot
	l.want("traintop_job_progress_age_seconds{", 1205)
	for _, name := range []string{"traintop_job_tokens_per_second", "traintop_job_step_duration_seconds", "traintop_job_eta_seconds"} {
		l.want(name, absent)
	}
	l.want("traintop_job_step{", 120)
	l.want("traintop_job_loss{", 2.8)

	// While the cluster does not answer, nothing is known of the job.
	l.Apply(store.HealthChanged{Health: train.Health{Source: "kube", State: train.SourceRetrying, Text: "no route to host"}})
	l.observe().want("traintop_job_progress_age_seconds", absent)
	l.want(`traintop_source_up{source="kube"}`, 0)
	l.want(`traintop_source_up{source="kube/pods"}`, 0)
	// A log that is not followed shows nothing either.
	l.Apply(live("kube"), store.StreamChanged{Stream: stream(bert, 0), Status: train.StreamStatus{State: train.StreamStopped}})
	l.observe().want("traintop_job_progress_age_seconds", absent)
	l.want(`traintop_source_up{source="kube/pods"}`, 1)
}

// Counters never fall, whatever becomes of the pods that they were read from.
func TestCountersDoNotFall(t *testing.T) {
	l, bert := small(t)
	restarted := pod(bert, 1)
	restarted.Status.ContainerStatuses[0].RestartCount = 5
	l.Apply(store.Set{Kind: podKind, Object: restarted})
	l.pass(time.Minute)
	before := l.value("traintop_job_restarts_total{")
	held := l.value("traintop_job_gpu_held_seconds_total{")
	if before < 5 || held != 16*(l.now.Sub(began)).Seconds() {
		t.Fatalf("%g restarts, %g GPU-seconds", before, held)
	}
	l.Apply(store.Deleted{Kind: podKind, Namespace: "ml", Name: restarted.Name, UID: string(restarted.UID)})
	l.observe()
	if after := l.value("traintop_job_restarts_total{"); after < before {
		t.Errorf("restarts fell from %g to %g", before, after)
	}
	one := counter{}
	for i, value := range []float64{5, 2, 3, 0, 4} {
		if one.observe(value); one.total != []float64{5, 5, 6, 6, 10}[i] {
			t.Errorf("after %g it counts %g", value, one.total)
		}
	}
	if after := l.value("traintop_job_gpu_held_seconds_total{"); after < held {
		t.Errorf("GPU-seconds fell from %g to %g", held, after)
	}
}

// Steps that a restart lost are added up over all restarts.
func TestLostStepsAddUp(t *testing.T) {
	l, bert := small(t)
	l.want("traintop_job_lost_steps_total{", 0)
	for i, step := range []float64{70, 80, 90, 40, 50} {
		l.now = l.now.Add(10 * time.Second)
		l.print(bert, 0, step, metric(train.MetricLoss, 3-float64(i)/10))
	}
	l.observe().want("traintop_job_lost_steps_total{", 50+50) // 120 to 70, 90 to 40
}

// GPU time is counted from one snapshot to the next, by what GPUs did at its
// beginning; of a reading that is too old nothing is known.
func TestBusyAndIdleTime(t *testing.T) {
	l := newLab(t, Options{})
	bert := l.start(job("ml", "bert", 1), 1)
	bert.SetLabels(map[string]string{"kueue.x-k8s.io/queue-name": "research"})
	l.Apply(store.Set{Kind: pyTorchKind, Object: bert})
	series := func(name, state string) string {
		return fmt.Sprintf(`traintop_%s_gpu_seconds_total{`, name) + map[string]string{
			"job": `job_name="bert",kind="PyTorchJob",namespace="ml",queue="research",state="` + state, "namespace": `namespace="ml",state="` + state, "queue": `queue="research",state="` + state,
		}[name]
	}
	want := func(busy, idle, unmeasured float64) {
		t.Helper()
		for _, name := range []string{"job", "namespace", "queue"} {
			l.want(series(name, "busy"), busy)
			l.want(series(name, "idle"), idle)
			l.want(series(name, "unmeasured"), unmeasured)
		}
	}
	l.measure(bert, 0, 6)
	l.observe()
	want(0, 0, 0)
	l.want(`traintop_job_gpus{job_name="bert",kind="PyTorchJob",namespace="ml",queue="research",state="idle"}`, 2)
	l.want(`traintop_gpus{state="busy"}`, 6)
	l.want(`traintop_gpus{state="free"}`, 0)
	l.pass(30 * time.Second)
	want(180, 60, 0)
	l.measure(bert, 0, 0)
	l.observe()
	l.pass(time.Minute) // 60 s idle; the readings are old by then
	want(180, 60+480, 0)
	l.pass(10 * time.Second)
	want(180, 60+480, 80)
	// A clock that jumps counts five minutes, one that goes back none.
	l.pass(24 * time.Hour)
	want(180, 60+480, 80+8*300)
	l.pass(-time.Hour)
	want(180, 60+480, 80+8*300)
}

// More jobs than the limit: those that run and are shown stay, the others are
// counted.
func TestTheNumberOfJobsIsBounded(t *testing.T) {
	l := newLab(t, Options{MaxJobs: 2})
	first, second := l.start(job("a", "first", 1), 0), l.start(job("z", "second", 1), 0)
	l.observe()
	l.start(job("m", "bigger", 9), 0)
	l.observe().want(`traintop_jobs_not_shown{reason="limit"}`, 1)
	l.want(`traintop_job_ranks_wanted{job_name="bigger"`, absent)
	l.want(`traintop_jobs{phase="Running"}`, 3)
	l.status(first, ended("Succeeded", l.now))
	l.observe().want(`traintop_job_ranks_wanted{job_name="bigger"`, 9)
	l.want(`traintop_job_ranks_wanted{job_name="first"`, absent)
	l.want(`traintop_job_ranks_wanted{job_name="`+second.GetName(), 1)
}

func TestAJobThatEndedIsDroppedAfterAnHour(t *testing.T) {
	l, bert := small(t)
	l.status(bert, ended("Failed", l.now))
	l.pass(59 * time.Minute)
	l.want(`traintop_job_phase{job_name="bert",kind="PyTorchJob",namespace="ml",phase="Failed"`, 1)
	l.want(`traintop_job_finished_timestamp_seconds{`, float64(l.now.Add(-59*time.Minute).Unix()))
	for _, name := range []string{"traintop_job_eta_seconds", "traintop_job_tokens_per_second", "traintop_job_gpus{", "traintop_job_progress_age_seconds"} {
		l.want(name, absent)
	}
	l.want(`traintop_job_loss{`, 2.8)
	l.pass(2 * time.Minute)
	l.want(`traintop_job_phase`, absent)
	l.want(`traintop_jobs_not_shown{reason="ended"}`, 1)
	l.want(`traintop_jobs{phase="Failed"}`, 1)
}

// Jobs that would have the same series have one of them: the one that exists.
func TestJobsOfTheSameNameAreOne(t *testing.T) {
	l := newLab(t, Options{})
	l.start(job("ml", "bert", 1), 0)
	longer := strings.Repeat("x", 300)
	for _, end := range []string{"a", "b"} {
		of := job("ml", longer+end, 1)
		l.start(of, 0)
	}
	l.observe().want(`traintop_jobs_not_shown{reason="same_name"}`, 1)
}

// Of two jobs with one name the one whose object was read is newer, then the one
// that was created last.
func TestTheNewestJobOfAName(t *testing.T) {
	older, newer := &trackedJob{job: &train.Job{ID: "a", Created: began}}, &trackedJob{job: &train.Job{ID: "b", Created: began.Add(time.Hour)}}
	gone := &trackedJob{job: &train.Job{ID: "c", Created: began.Add(2 * time.Hour), Gone: true}}
	if newest(newer, older) >= 0 || newest(older, newer) <= 0 || newest(older, gone) >= 0 || newest(gone, newer) <= 0 {
		t.Error("the order is another")
	}
	tracker := newTracker(Options{MaxJobs: 10, Keep: time.Hour})
	for _, k := range []*trackedJob{older, newer, gone} {
		k.name = jobName{"ml", "Job", "bert"}
		tracker.jobs[k.job.ID] = k
	}
	if chosen, left := tracker.choose(began); len(chosen) != 1 || chosen[0] != newer || !newer.shown || older.shown || left.sameName != 2 {
		t.Errorf("%d jobs are shown, and of the same name are %d", len(chosen), left.sameName)
	}
}

// GPUs count for the job whose pod holds them; those of no job for the namespace
// alone.
func TestGPUsCountForTheirJob(t *testing.T) {
	l := newLab(t, Options{})
	bert, gpt := l.start(job("ml", "bert", 2), 2), l.start(job("llm", "gpt", 1), 1)
	notebook := job("ml", "notebook", 1)
	alone := pod(notebook, 0)
	alone.OwnerReferences, alone.Labels = nil, nil
	l.Apply(store.Set{Kind: kinds.NodeKind, Object: node(nodeName(notebook, 0))}, store.Set{Kind: podKind, Object: alone})
	l.measure(bert, 0, 8)
	l.measure(bert, 1, 5)
	l.measure(gpt, 0, 2)
	l.measure(notebook, 0, 0)
	l.observe()
	for series, want := range map[string]float64{
		`job_name="bert",kind="PyTorchJob",namespace="ml",queue="",state="busy"`: 13, `job_name="bert",kind="PyTorchJob",namespace="ml",queue="",state="idle"`: 3,
		`job_name="gpt",kind="PyTorchJob",namespace="llm",queue="",state="busy"`: 2, `job_name="gpt",kind="PyTorchJob",namespace="llm",queue="",state="idle"`: 6,
		`job_name="notebook"`: absent,
	} {
		l.want(`traintop_job_gpus{`+series, want)
	}
	l.pass(10 * time.Second)
	l.want(`traintop_namespace_gpu_seconds_total{namespace="ml",state="idle"}`, 30+80)
	l.want(`traintop_namespace_gpu_seconds_total{namespace="llm",state="idle"}`, 60)
	l.want(`traintop_queue_gpu_seconds_total`, absent)
}

// GPUs of an exporter that names no pods are those of the one job that holds all
// of the node; those of several jobs are held, and nobody knows what each does.
func TestGPUsWhosePodNobodyNamesCount(t *testing.T) {
	l := newLab(t, Options{})
	bert, gpt := job("ml", "bert", 2), job("llm", "gpt", 2)
	together := func(on string, pods ...*corev1.Pod) {
		l.Apply(store.Set{Kind: kinds.NodeKind, Object: node(on)})
		for _, p := range pods {
			p.Spec.NodeName = on
			p.Spec.Containers[0].Resources.Limits["nvidia.com/gpu"] = resource.MustParse("4")
			l.Apply(store.Set{Kind: podKind, Object: p})
		}
	}
	want := func(name, namespace string, busy, unmeasured float64) {
		t.Helper()
		labels := fmt.Sprintf(`traintop_job_gpus{job_name=%q,kind="PyTorchJob",namespace=%q,queue="",state=`, name, namespace)
		l.want(labels+`"busy"`, busy)
		l.want(labels+`"unmeasured"`, unmeasured)
	}
	l.Apply(store.Set{Kind: pyTorchKind, Object: bert}, store.Set{Kind: pyTorchKind, Object: gpt})
	together("sole", pod(bert, 0), pod(bert, 1))
	together("shared", pod(bert, 2), pod(gpt, 0))
	l.measureNameless("sole", 8)
	l.measureNameless("shared", 8)
	l.observe()
	want("bert", "ml", 8, 4)
	want("gpt", "llm", 0, 4)
	l.want(`traintop_gpus{state="busy"}`, 8)
	l.want(`traintop_gpus{state="unmeasured"}`, 8)
	l.pass(10*time.Second).want(`traintop_namespace_gpu_seconds_total{namespace="ml",state="busy"}`, 80)
}

// Findings of one cause and severity are one series, and there is a bound.
func TestFindingsAreCounted(t *testing.T) {
	j := jobSampler{tracked: newTrackedJob(jobName{"ml", "PyTorchJob", "bert"})}
	findings := []train.Finding{{Cause: "oom-killed", Severity: train.SeverityError}, {Cause: "oom-killed", Severity: train.SeverityWarning}, {Cause: "oom-killed", Severity: train.SeverityError}}
	for i := range 2 * mostFindings {
		findings = append(findings, train.Finding{Cause: train.Cause(fmt.Sprint(i)), Severity: train.SeverityInfo})
	}
	j.countFindings(findings)
	if len(j.all) != mostFindings || j.all[0].value != 2 || j.all[1].value != 1 {
		t.Errorf("%d series, of which the first are %+v", len(j.all), j.all[:2])
	}
}

// A job waits since its queue knows it, or else since it was created, and only
// while it is queued.
func TestWaitingInAQueue(t *testing.T) {
	l := newLab(t, Options{})
	l.now = began.Add(time.Hour)
	wait := func(job *train.Job) float64 {
		k := newTrackedJob(jobName{"ml", "Job", "bert"})
		j := jobSampler{tracked: k, job: job, snapshot: l.Snapshot()}
		j.objects()
		for _, s := range j.all {
			if s.id == jobQueueWait {
				return s.value
			}
		}
		return -1
	}
	waiting := &train.Job{Phase: train.Queued, Created: began, Queue: &train.Queue{Name: "research", Since: began.Add(20 * time.Minute)}}
	for _, want := range []float64{2400, 3600, -1} {
		if got := wait(waiting); got != want {
			t.Errorf("%+v has waited %g s, want %g", waiting.Queue, got, want)
		}
		if want == 3600 {
			waiting.Phase = train.Running
		}
		waiting.Queue.Since = time.Time{}
	}
}

// Names from files can be anything; a page is valid all the same.
func TestLabelsAreClean(t *testing.T) {
	l := newLab(t, Options{})
	odd := job("m\xffl", "be\"rt\n\\\x1b[31m"+strings.Repeat("ä", 400), 1)
	l.start(odd, 0)
	page := l.observe().page()
	if strings.Contains(page, "\x1b") || strings.IndexByte(page, 0xff) >= 0 || strings.Contains(page, strings.Repeat("ä", 254)) || !strings.Contains(page, "traintop_job_phase{") {
		t.Errorf("the page is\n%s", page)
	}
}

// Kinds that share a name differ by their group, whichever is there.
func TestVolcanosJobIsAnotherKind(t *testing.T) {
	for _, c := range []struct{ group, kind, want string }{
		{"batch", "Job", "Job"}, {"batch.volcano.sh", "Job", "Job.batch.volcano.sh"}, {"kubeflow.org", "PyTorchJob", "PyTorchJob"}, {"", "Job", "Job"},
	} {
		if got := kindOf(train.Ref{Group: c.group, Kind: c.kind}); got != c.want {
			t.Errorf("the kind of %s in %q is %q", c.kind, c.group, got)
		}
	}
}

// Before all sources have given their first answer nothing is reported about jobs.
func TestNothingIsSaidOfJobsBeforeAllIsRead(t *testing.T) {
	l := newLab(t, Options{})
	l.Apply(store.HealthChanged{Health: train.Health{Source: "kube/nodes", State: train.SourceListing}})
	l.start(job("ml", "bert", 1), 0)
	l.observe().want("traintop_ready", 0)
	l.want("traintop_job_phase", absent)
	l.want("traintop_jobs{", absent)
	l.want(`traintop_source_up{source="kube/nodes"}`, 0)
	l.Apply(live("kube/nodes"))
	l.observe().want("traintop_ready", 1)
	l.want("traintop_job_phase{", 1)
}

// Sources that may not be read, or are not there, are no failure; exporters of
// nodes are one source.
func TestSources(t *testing.T) {
	l := newLab(t, Options{})
	state := func(source string, state train.SourceState) {
		l.Apply(store.HealthChanged{Health: train.Health{Source: source, State: state}})
	}
	state("kube/secrets", train.SourceForbidden)
	state("kube/rayjobs.ray.io", train.SourceAbsent)
	state("kube/pods/all-namespaces", train.SourceForbidden)
	state("exporters", train.SourceLive)
	for i := range 99 {
		state(fmt.Sprintf("exporter/gpu-%d", i), train.SourceLive)
	}
	l.observe().want(`traintop_source_up{source="exporters"}`, 1)
	l.want(`traintop_source_up{source="kube/pods"}`, 1)
	l.want(`traintop_source_up{source="kube/secrets"}`, absent)
	l.want(`traintop_source_up{source="kube/rayjobs.ray.io"}`, absent)
	l.want(`traintop_sources{source="kube/secrets",state="forbidden"}`, 1)
	l.want(`traintop_sources{source="exporters",state="live"}`, 100)
	read := l.now
	state("exporter/gpu-7", train.SourceRetrying) // one node's
	l.observe().want(`traintop_source_up{source="exporters"}`, 1)
	l.want(`traintop_sources{source="exporters",state="retrying"}`, 1)
	state("exporters", train.SourceRetrying) // all of them
	l.pass(time.Minute)
	l.want(`traintop_source_up{source="exporters"}`, 0)
	l.want(`traintop_source_last_success_timestamp_seconds{source="exporters"}`, float64(read.Unix()))
	l.want(`traintop_source_last_success_timestamp_seconds{source="kube"}`, float64(l.now.Unix()))
	l.want(`traintop_snapshot_timestamp_seconds`, float64(l.now.Unix()))
}

// Namespaces come from pods that anybody may make.
func TestTheNumberOfNamespacesIsBounded(t *testing.T) {
	g := groups{id: namespaceGPUSeconds}
	for i := range 2 * mostGroups {
		g.of(fmt.Sprint(i)).add(busy, 1, began)
	}
	if len(g.all) != mostGroups+1 || g.of(otherGroups).now[busy] != mostGroups {
		t.Errorf("%d groups, %d GPUs in the others", len(g.all), g.of(otherGroups).now[busy])
	}
	if g.dropOld(began.Add(time.Second)); len(g.all) != 0 {
		t.Errorf("%d groups are left", len(g.all))
	}
}

// An older snapshot does not replace a newer one.
func TestAnOlderSnapshotIsIgnored(t *testing.T) {
	l, bert := small(t)
	old := l.Snapshot()
	l.now = l.now.Add(10 * time.Second)
	l.print(bert, 0, 130, metric(train.MetricLoss, 2.7))
	l.observe()
	l.exporter.Observe(old, l.report)
	l.want("traintop_job_step{", 130)
}

// GPUs that pods hold on nodes which no source measures count as unmeasured, beside
// measured nodes too, until the pods end; the list of all GPUs is not made.
func TestGPUsThatNobodyMeasuresCount(t *testing.T) {
	l := newLab(t, Options{})
	bert := l.start(job("ml", "bert", 2), 2)
	held := func(busy, unmeasured float64) {
		t.Helper()
		labels := `traintop_job_gpus{job_name="bert",kind="PyTorchJob",namespace="ml",queue="",state="`
		l.observe()
		l.want(labels+"busy", busy)
		l.want(labels+"unmeasured", unmeasured)
	}
	held(0, 16)
	held(0, 16) // nothing changed
	l.measure(bert, 0, 8)
	held(8, 8)
	over := pod(bert, 1)
	over.Status.Phase = corev1.PodSucceeded
	l.Apply(store.Set{Kind: podKind, Object: over})
	held(8, 0)
	l.pass(10*time.Second).want(`traintop_namespace_gpu_seconds_total{namespace="ml",state="busy"}`, 80)
}
