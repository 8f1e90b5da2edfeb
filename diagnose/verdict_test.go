package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// verdictOf returns the conclusion on the job of a scenario with the given
// logs and sources.
func verdictOf(t *testing.T, build func(*cluster), further ...store.Event) *Conclusion {
	t.Helper()
	c := newCluster(t)
	build(c)
	c.events = append(c.events, further...)
	s := c.snapshot()
	return Run(s, Options{}, nil).Job(s.Jobs()[0].ID).Conclusion
}

func stateOfLog(state train.StreamState, text string) store.Event {
	stream := train.StreamID{Namespace: ns, Pod: "bert-worker-0", Container: "pytorch"}
	return store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: state, Text: text}}
}

// logBroken returns a log of which a line came before it broke off, with the
// cause that the line matches, "" for none.
func logBroken(line string, cause train.Cause) []store.Event {
	opened := stateOfLog(train.StreamLive, "")
	came := store.Logged{Stream: opened.(store.StreamChanged).Stream, Lines: []train.LogLine{{Number: 1, Text: line}}}
	if cause != "" {
		came.Hits = []train.LogHit{{Signature: string(cause), Cause: cause, Line: 1, Text: line, Rank: -1}}
	}
	return []store.Event{opened, came, stateOfLog(train.StreamFailed, "stream error")}
}

// stepsFor returns a log with a step a minute for so long, until now.
func stepsFor(minutes int) []store.Event {
	opened := stateOfLog(train.StreamLive, "")
	logged := store.Logged{Stream: opened.(store.StreamChanged).Stream}
	for i := 1; i <= minutes; i++ {
		at := noon.Add(time.Duration(i-minutes) * time.Minute)
		logged.Lines = append(logged.Lines, train.LogLine{Number: int64(i), Text: "a step", Time: at})
		logged.Samples = append(logged.Samples, train.Sample{Line: int64(i), Time: at, Rank: -1, Step: float64(i), HasStep: true, Metrics: []train.Metric{{Name: "loss", Value: 2.5}}})
	}
	return []store.Event{opened, logged}
}

// logLacking returns a log in a file that says on its second line that lines are missing there,
// and goes on with a step or without one.
func logLacking(steps bool) []store.Event {
	stream := train.StreamID{Namespace: ns, Pod: "bert-worker-0", Container: "pytorch", File: "a.log"}
	logged := store.Logged{Stream: stream, Lines: []train.LogLine{{Number: 1, Text: "step 1"}, {Number: 2, Text: "[...truncated 3 MB...]"}, {Number: 3, Text: "step 9"}}}
	if steps {
		logged.Samples = []train.Sample{{Line: 3, Rank: -1, Step: 9, HasStep: true, Metrics: []train.Metric{{Name: "loss", Value: 2.5}}}}
	}
	status := train.StreamStatus{State: train.StreamEnded, Text: "lines are missing in it: line 2", LacksAt: 2}
	return []store.Event{store.StreamChanged{Stream: stream, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}}, logged, store.StreamChanged{Stream: stream, Rank: -1, Status: status}}
}

func health(source string, state train.SourceState, resource, text string) store.Event {
	return store.HealthChanged{Health: train.Health{Source: source, State: state, Resource: resource, Text: text, Since: noon}}
}

func TestVerdicts(t *testing.T) {
	well := func(c *cluster) {
		c.node("gpu-0", 8)
		c.job(1, runs)
		c.worker(0, running("gpu-0", 9))
	}
	crashes := func(c *cluster) {
		c.node("gpu-0", 8)
		c.job(1, runs)
		c.worker(0, crashing("gpu-0", 1, "Error", "", 1))
	}
	kills := func(c *cluster) {
		c.node("gpu-0", 8)
		c.job(1, failed)
		c.worker(0, ended("gpu-0", 137, "Error", "", 1))
	}
	noPods := func(c *cluster) { c.job(1, failed) }
	two := func(c *cluster) {
		c.node("gpu-0", 8)
		c.job(2, runs)
		c.worker(0, running("gpu-0", 9))
		c.worker(1, running("gpu-0", 9))
	}
	vanished := func(c *cluster) { c.job(1, runs) }
	known := func(c *cluster) {
		well(c)
		c.events = slices.DeleteFunc(c.events, func(e store.Event) bool {
			set, is := e.(store.Set)
			return is && set.Kind.Kind == "PyTorchJob"
		})
	}
	lists := func(state train.SourceState, text string) []store.Event {
		return []store.Event{store.HealthChanged{Health: train.Health{Source: "kube/pytorchjobs.kubeflow.org", State: state, Group: "kubeflow.org", Resource: "pytorchjobs", Text: text}}}
	}
	vanishing := func(c *cluster) {
		c.node("gpu-0", 8)
		c.job(2, runs+"\nreplicaStatuses: {Worker: {active: 2}}")
		c.worker(0, running("gpu-0", 9))
	}
	waiting := func(hours time.Duration, change ...func(*corev1.Pod)) func(*cluster) {
		return func(c *cluster) {
			c.node("gpu-0", 8)
			c.job(1, "conditions: [{type: Created, status: \"True\"}]")
			c.worker(0, append(change, func(p *corev1.Pod) {
				p.CreationTimestamp = metav1.NewTime(noon.Add(-hours * time.Hour))
				for i := range p.Status.Conditions {
					p.Status.Conditions[i].LastTransitionTime = p.CreationTimestamp
				}
			})...)
		}
	}
	frobs := []func(*corev1.Pod){on("gpu-0"), waits("FrobnicationFailed", "cannot frob")}
	phaseUnknown := func(p *corev1.Pod) { running("gpu-0", 9)(p); p.Status.Phase = corev1.PodUnknown }
	untouched := func(kind schema.GroupKind) func(*cluster) {
		return func(c *cluster) { c.node("gpu-0", 8); c.unreadable(kind); c.job(1, "") }
	}
	unlisted := []store.Event{health("kube/pods", train.SourceRetrying, "pods", "500")}
	for _, k := range kinds.Jobs() {
		unlisted = append(unlisted, store.HealthChanged{Health: train.Health{Source: "kube/" + k.Resource + "." + k.Group, State: train.SourceRetrying, Group: k.Group, Resource: k.Resource, Text: "500"}})
	}
	otherLog := store.StreamChanged{Stream: train.StreamID{Namespace: ns, Pod: "bert-worker-1", Container: "pytorch"}, Rank: -1, Status: train.StreamStatus{State: train.StreamLive}}
	onNode := func(change ...func(*corev1.Node)) func(*cluster) {
		return func(c *cluster) {
			c.node("gpu-0", 8, change...)
			c.job(1, runs)
			c.worker(0, running("gpu-0", 90))
		}
	}
	lostFor := func(minutes float64, status corev1.ConditionStatus) func(*corev1.Node) {
		return func(n *corev1.Node) {
			n.Status.Conditions[0] = corev1.NodeCondition{Type: corev1.NodeReady, Status: status, Reason: "NodeStatusUnknown", Message: "Kubelet stopped posting node status.", LastTransitionTime: before(minutes)}
		}
	}
	nodeGone := func(c *cluster) { c.node("gpu-1", 8); c.job(1, runs); c.worker(0, running("gpu-0", 90)) }
	nodesUnread := func(c *cluster) { nodeGone(c); c.unreadable(kinds.NodeKind) }
	phaseUnknownAlone := func(c *cluster) { c.job(1, runs); c.worker(0, phaseUnknown); c.unreadable(kinds.NodeKind) }
	countsFailed := func(counts string) func(*cluster) {
		return func(c *cluster) {
			c.node("gpu-0", 8)
			c.object(kinds.Jobs()[0].GroupKind, `{apiVersion: batch/v1, kind: Job, metadata: {name: bert, namespace: ml, uid: job-1, creationTimestamp: "2026-11-20T11:50:00Z"}, spec: {completions: 1, parallelism: 1, template: {spec: {containers: [{name: main, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]}}}, status: {`+counts+`}}`)
		}
	}
	replaced := func(unread bool) func(*cluster) {
		return func(c *cluster) {
			c.node("gpu-0", 8)
			c.job(1, runs+"\nreplicaStatuses: {Worker: {active: 1, failed: 5}}")
			c.worker(0, running("gpu-0", 90))
			if unread {
				c.unreadable(kinds.PodKind)
			}
		}
	}
	whole := func(c *cluster) {
		c.node("gpu-0", 8)
		c.job(1, runs+"\nreplicaStatuses: {Worker: {active: 1, failed: 0}}")
		c.worker(0, running("gpu-0", 90))
	}
	// launched counts the launchers that failed, as mpi-operator 0.6 does.
	launched := func(c *cluster) {
		c.node("gpu-0", 8)
		c.job(1, runs+"\nreplicaStatuses: {Launcher: {active: 1, failed: 3}, Worker: {active: 1}}")
		c.worker(0, running("gpu-0", 90))
	}
	// readOnce returns a log that a command read to its present end, printed
	// hours ago.
	readOnce := func(minutes, since float64) []store.Event {
		stopped := stateOfLog(train.StreamStopped, "").(store.StreamChanged)
		stopped.Status.Since = before(since).Time
		return []store.Event{store.Logged{Stream: stopped.Stream, Lines: []train.LogLine{{Number: 1, Text: "step 1 loss 2.5", Time: before(minutes).Time}}}, stopped}
	}
	noPodsRead := func(c *cluster) { c.unreadable(kinds.PodKind); c.job(1, failed) }
	for name, f := range map[string]struct {
		build   func(*cluster)
		events  []store.Event
		want    Verdict
		says    string // a part of the sentence
		missing string // a part of what is missing
	}{
		"runs, logs not asked for":        {well, nil, NothingWrong, "it is running, and none of its logs was read", "its logs were not read: nobody asked"},
		"runs, log read":                  {well, []store.Event{stateOfLog(train.StreamLive, "")}, NothingWrong, "it is running", "GPU"},
		"runs, log refused":               {well, []store.Event{stateOfLog(train.StreamForbidden, "pods/log is forbidden")}, NotEnoughRead, "the log of rank 0 was refused: pods/log is forbidden", "deploy/rbac.yaml"},
		"runs, log fails":                 {well, []store.Event{stateOfLog(train.StreamRetrying, "500")}, NotEnoughRead, "could not be read: 500", "ask again"},
		"runs, log never came":            {well, []store.Event{stateOfLog(train.StreamOpening, "")}, NotEnoughRead, "did not come in time", "--request-timeout"},
		"runs, pods cannot be listed":     {well, []store.Event{health("kube/pods", train.SourceRetrying, "pods", "500")}, NotEnoughRead, "kube/pods cannot be read since 12:00:00Z: 500", "kube/pods"},
		"runs, exporters fail":            {well, []store.Event{health("exporters", train.SourceRetrying, "pods/proxy", "500")}, NothingWrong, "it is running", "GPU readings"},
		"runs, a file is cut":             {well, []store.Event{health("file a.yaml", train.SourceFailed, "", "a.yaml: ends in the middle")}, NotEnoughRead, "ends in the middle", "file a.yaml"},
		"runs, one log refused":           {two, []store.Event{otherLog, stateOfLog(train.StreamForbidden, "no")}, NotEnoughRead, "the log of rank 0 was refused", "pods/log"},
		"runs, one log waits":             {two, []store.Event{otherLog, stateOfLog(train.StreamWaiting, "")}, NothingWrong, "it is running", ""},
		"runs, no pods":                   {vanished, nil, NotEnoughRead, "its status says that it runs, and it has no pods", "operator"},
		"runs, object refused":            {known, lists(train.SourceForbidden, "pytorchjobs may not be listed"), NotEnoughRead, "bert cannot be read", rightsHelp},
		"runs, object not answered":       {known, lists(train.SourceRetrying, "500"), NotEnoughRead, "cannot be read", "ask again"},
		"runs, kinds not answered":        {known, []store.Event{health("kube/apis", train.SourceRetrying, "", "boom")}, NotEnoughRead, "boom", "ask again"},
		"runs, pods of its status gone":   {vanishing, nil, NotEnoughRead, "its status counts pods that do not exist: pods of rank 1 are gone", "operator"},
		"runs, many lists fail":           {well, unlisted, NotEnoughRead, "because kube/pytorchjobs.kubeflow.org cannot be read: 500, and kube/pods cannot be read", "kube/rayjobs.ray.io"},
		"crashes, log refused":            {crashes, []store.Event{stateOfLog(train.StreamForbidden, "")}, NotEnoughRead, "rank 0 crashes again and again, and why is not known because the log of rank 0 was refused", "log of rank 0"},
		"runs, log broke off":             {well, logBroken("step 1 loss 2.5", ""), NothingWrong, "it is running", "the rest of the log of rank 0: only 1 line of the log of rank 0 came before it broke off: stream error"},
		"runs, log lacks lines":           {well, logLacking(true), NothingWrong, "it is running", "lines within the log of rank 0: the log of rank 0 is read, but lines are missing in it: line 2"},
		"runs, log lacks its last steps":  {well, logLacking(false), NotEnoughRead, "lines are missing in it", "lines within the log of rank 0"},
		"crashes, log lacks lines":        {crashes, logLacking(true), NotEnoughRead, "why is not known because", "lines within the log of rank 0"},
		"crashes, log broke off":          {crashes, logBroken("step 1 loss 2.5", ""), NotEnoughRead, "why is not known because only 1 line of the log of rank 0 came before it broke off", "the rest of the log of rank 0"},
		"crashes, cause in the part":      {crashes, logBroken("torch.OutOfMemoryError: CUDA out of memory.", "cuda-out-of-memory"), CauseFound, "", "the rest of the log of rank 0"},
		"failed, pods gone":               {noPods, nil, NotEnoughRead, "it failed, and why is not known because its pods are gone", "--from RANK=FILE"},
		"failed, pods not read":           {noPodsRead, nil, NotEnoughRead, "it failed, and why is not known because its pods were not read", "pods"},
		"failed, files without pods":      {noPodsRead, []store.Event{health("file job.yaml", train.SourceRead, "", "1 object")}, NotEnoughRead, "what was given holds none of them", "kubectl get pods -n ml -o yaml"},
		"waits long, reason unknown":      {waiting(5, frobs...), nil, NotEnoughRead, "rank 0 has waited for 5h, and no rule knows why: FrobnicationFailed", "kubectl describe"},
		"waits since a moment":            {waiting(0, frobs...), nil, NothingWrong, "it is pending", ""},
		"unschedulable, words unknown":    {waiting(5, unschedulable("0/1 nodes are available: 1 node(s) rejected by plugin FooBar.")), nil, CauseFound, "scheduler default-scheduler says \"node(s) rejected by plugin FooBar\" of 1 node", ""},
		"phase Unknown, node is ready":    {waiting(5, phaseUnknown), nil, NotEnoughRead, "", ""},
		"runs on a lost node":             {onNode(lostFor(60, corev1.ConditionUnknown)), nil, CauseFound, "Node gpu-0 does not answer, and worker-0 runs on it", ""},
		"runs on a node not ready":        {onNode(lostFor(60, corev1.ConditionFalse)), nil, CauseFound, "Node gpu-0 is not ready, and worker-0 runs on it", ""},
		"its node was lost just now":      {onNode(lostFor(0.2, corev1.ConditionUnknown)), nil, NothingWrong, "it is running", ""},
		"runs on a node that is gone":     {nodeGone, nil, CauseFound, "Node gpu-0 is no longer in the cluster", ""},
		"phase Unknown, nodes not read":   {phaseUnknownAlone, nil, CauseFound, "Node gpu-0 does not answer, and worker-0 runs on it", ""},
		"runs, nodes not read":            {nodesUnread, nil, NothingWrong, "it is running", ""},
		"runs, silent for hours":          {onNode(), readOnce(80, 0), NotEnoughRead, "possible is: No rank has printed anything since 10:40:00", "what proves the cause"},
		"runs, read long ago":             {onNode(), readOnce(80, 30), NothingWrong, "it is running", ""},
		"runs, printed just now":          {onNode(), readOnce(1, 0), NothingWrong, "it is running", ""},
		"pods failed and are gone":        {countsFailed("failed: 5"), nil, NotEnoughRead, "its status counts 5 pods that failed, of which nothing can be seen", "kubectl describe"},
		"runs, counts pods not given":     {replaced(true), nil, NotEnoughRead, "its status counts 5 pods that failed, of which nothing can be seen", "log collectors"},
		"runs, its pods were replaced":    {replaced(false), nil, NotEnoughRead, "its status counts 5 pods that failed, of which nothing can be seen", "log collectors"},
		"runs, its successor makes steps": {replaced(false), stepsFor(25), NothingWrong, "it is running", "its status counts 5 pods that failed"},
		"runs, its successor is new":      {replaced(false), stepsFor(5), NotEnoughRead, "its status counts 5 pods that failed", ""},
		"runs, its launcher was":          {launched, nil, NotEnoughRead, "its status counts 3 pods that failed, of which nothing can be seen", "log collectors"},
		"runs, none was replaced":         {whole, nil, NothingWrong, "it is running", ""},
		"no pod failed":                   {countsFailed("active: 0"), nil, NothingWrong, "it is pending", ""},
		"untouched, no events read":       {untouched(kinds.EventKind), nil, NotEnoughRead, "events of the namespace were not listed", "rbac"},
		"failed, pods fail with 500":      {noPodsRead, []store.Event{health("kube/pods", train.SourceRetrying, "pods", "500 Internal Server Error: etcdserver: request timed out")}, NotEnoughRead, "500", "were not read: they could not be listed; ask again when it answers"},
		"failed, pods do not answer":      {noPodsRead, []store.Event{health("kube/pods", train.SourceRetrying, "pods", "dial tcp: i/o timeout")}, NotEnoughRead, "timeout", "were not read: they could not be listed; see whether the network"},
		"failed, pods refused":            {noPodsRead, []store.Event{health("kube/pods", train.SourceForbidden, "pods", "403")}, NotEnoughRead, "", "were not read: they could not be listed; deploy/rbac.yaml"},
		"runs, pods left out":             {well, []store.Event{health("kube/pods/left-out", train.SourceFailed, "pods", "1 objects of pods cannot be used and are left out: its spec has no containers")}, NotEnoughRead, "no containers", "see what the API server sends"},
		"killed, no log":                  {kills, nil, NotEnoughRead, "why is not known because the log of rank 0", "log of rank 0"},
		"killed, log refused":             {kills, []store.Event{stateOfLog(train.StreamForbidden, "")}, NotEnoughRead, "the log of rank 0 was refused", "log of rank 0"},
		"killed, log read":                {kills, readOnce(1, 0), CauseFound, "by whom is not known", ""},
		"untouched, no pods read":         {untouched(kinds.PodKind), nil, NotEnoughRead, "pods", ""},
		"out of memory": {func(c *cluster) {
			c.node("gpu-0", 8)
			c.job(1, runs)
			c.worker(0, crashing("gpu-0", 137, "OOMKilled", "", 1))
		}, nil, CauseFound, "memory", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := verdictOf(t, f.build, f.events...)
			var missing strings.Builder
			for _, m := range got.Missing {
				missing.WriteString(m.What + ": " + m.Why + "; " + m.Help + "\n")
				if m.What == "" || m.Why == "" || m.Help == "" {
					t.Errorf("says too little: %+v", m)
				}
			}
			if got.Verdict != f.want || !strings.Contains(got.Sentence, f.says) || !strings.Contains(missing.String(), f.missing) {
				t.Errorf("%s: %s\nlooked at %q, missing\n%s", got.Verdict, got.Sentence, got.LookedAt, missing.String())
			}
		})
	}
}

// A conclusion follows what is read: it is never that of an earlier snapshot.
func TestVerdictFollowsTheSources(t *testing.T) {
	c := newCluster(t)
	c.node("gpu-0", 8)
	c.job(1, runs)
	c.worker(0, running("gpu-0", 9))
	st := store.New(func() time.Time { return noon })
	st.Apply(c.events...)
	var report *Report
	for _, step := range []struct {
		event store.Event
		want  Verdict
	}{
		{health("kube", train.SourceLive, "", ""), NothingWrong},
		{health("kube", train.SourceRetrying, "", "connection refused"), NotEnoughRead},
		{health("kube", train.SourceLive, "", ""), NothingWrong},
		{stateOfLog(train.StreamForbidden, ""), NotEnoughRead},
		{stateOfLog(train.StreamLive, ""), NothingWrong},
	} {
		st.Apply(step.event)
		s := st.Snapshot()
		report = Run(s, Options{}, report)
		if got := report.Job(s.Jobs()[0].ID).Verdict(); got != step.want {
			t.Errorf("%+v: %s, want %s", step.event, got, step.want)
		}
	}
}

// Without a job there is nothing to look at only where everything was read.
func TestVerdictWithoutJobs(t *testing.T) {
	for _, f := range []struct {
		events []store.Event
		ns     string
		want   Verdict
	}{
		{[]store.Event{health("kube", train.SourceLive, "", "")}, "", NothingToLookAt},
		{[]store.Event{health("kube", train.SourceRetrying, "", "no route")}, "", NotEnoughRead},
		{[]store.Event{health("kube/pods", train.SourceListing, "pods", "")}, "", NotEnoughRead},
		{[]store.Event{health("kube/pods", train.SourceForbidden, "pods", "forbidden")}, "ml", NotEnoughRead},
		{[]store.Event{health("kube/apis", train.SourceRetrying, "", "boom")}, "", NotEnoughRead},
		{[]store.Event{health("kube/secrets", train.SourceForbidden, "secrets", "forbidden")}, "", NothingToLookAt},
		{[]store.Event{health("file a.png", train.SourceFailed, "", "binary data")}, "", NotEnoughRead},
	} {
		st := store.New(func() time.Time { return noon })
		st.Apply(f.events...)
		if got := Run(st.Snapshot(), Options{}, nil).Verdict(f.ns, nil); got != f.want {
			t.Errorf("%+v: %s, want %s", f.events, got, f.want)
		}
	}
}

// The list that contains jobs is the reason, not another source that needed
// it.
func TestTheClusterIsTheReasonBeforeExporters(t *testing.T) {
	st := store.New(func() time.Time { return noon })
	st.Apply(health("exporters", train.SourceForbidden, "pods", "no exporters without pods"), health("kube/pods", train.SourceForbidden, "pods", "no pods"))
	missing := Run(st.Snapshot(), Options{}, nil).Missing("", 0)
	if len(missing) != 1 || missing[0].Why != "no pods" {
		t.Errorf("%+v", missing)
	}
}

// Jobs that just run share their conclusion: there are thousands of them.
func TestCalmJobsShareTheirConclusion(t *testing.T) {
	st := store.New(func() time.Time { return noon })
	c := newCluster(t)
	for j := range 3 {
		c.fleetJob(t, j+1)
	}
	st.Apply(c.events...)
	s := st.Snapshot()
	r := Run(s, Options{}, nil)
	first := r.Job(s.Jobs()[0].ID).Conclusion
	for _, job := range s.Jobs() {
		if got := r.Job(job.ID); got.Conclusion != first || got.Verdict() != NothingWrong {
			t.Errorf("%s: %+v", job.Ref, got.Conclusion)
		}
	}
}

// A job whose status counts pods that failed has a conclusion of its own.
func TestAJobOfWhichPodsFailedSharesNoConclusion(t *testing.T) {
	c := newCluster(t)
	c.node("gpu-0", 8)
	c.job(1, runs+"\nreplicaStatuses: {Worker: {active: 1, failed: 5}}")
	c.worker(0, running("gpu-0", 90))
	c.fleetJob(t, 2)
	s := c.snapshot()
	r := Run(s, Options{}, nil)
	for _, job := range s.Jobs() {
		if got, failed := r.Job(job.ID), job.Ref.Name == "bert"; (got.Verdict() == NotEnoughRead) != failed {
			t.Errorf("%s: %+v", job.Ref, got.Conclusion)
		}
	}
}

// A guess is no cause: the verdict names it, and what would prove it.
func TestAGuessIsNoCause(t *testing.T) {
	guess := func(c *cluster) {
		c.node("gpu-0", 8)
		c.job(1, runs)
		c.worker(0, func(p *corev1.Pod) { p.CreationTimestamp = before(90) }, running("gpu-0", 80))
		c.event("Node", "gpu-0", "Warning", "SystemOOM", "System OOM encountered, victim process: python, pid: 4711", 5)
	}
	sure := func(c *cluster) {
		c.node("gpu-0", 8)
		c.job(1, failed)
		c.worker(0, ended("gpu-0", 137, "OOMKilled", "", 1))
	}
	got := verdictOf(t, guess)
	if got.Verdict != NotEnoughRead || !strings.Contains(got.Sentence, "possible is: Node gpu-0 ran out of memory") || !strings.Contains(got.Sentence, "only hints at it") {
		t.Errorf("%s: %s", got.Verdict, got.Sentence)
	}
	if got := verdictOf(t, sure); got.Verdict != CauseFound {
		t.Errorf("%s: %s", got.Verdict, got.Sentence)
	}
}

// A pod that the status counts was there: since when it is gone is not known,
// and it has not waited since the job was made.
func TestPodsThatAreGoneHaveNotWaited(t *testing.T) {
	answer := answerOf(t, func(c *cluster) {
		c.node("gpu-0", 8)
		c.object(kinds.Jobs()[1].GroupKind, `{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: bert, namespace: ml, uid: job-1, creationTimestamp: "2026-11-20T10:00:00Z"}, spec: {pytorchReplicaSpecs: {Worker: {replicas: 2, template: {spec: {containers: [{name: pytorch, image: a, resources: {limits: {nvidia.com/gpu: 1}}}]}}}}}, status: {conditions: [{type: Running, status: "True"}], replicaStatuses: {Worker: {active: 2}}, startTime: "2026-11-20T10:00:00Z"}}`)
		c.worker(0, running("gpu-0", 119))
	})
	for _, missing := range answer.Conclusion.Missing {
		if strings.Contains(missing.Why, "has waited") {
			t.Errorf("missing: %s", missing.Why)
		}
	}
	if !strings.Contains(fmt.Sprint(answer.Conclusion.Missing), "do not exist") {
		t.Errorf("missing: %+v", answer.Conclusion.Missing)
	}
}
