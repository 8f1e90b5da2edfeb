package recording

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// life generates random events of a small cluster.
type life struct {
	random *rand.Rand
	now    time.Time // changed by advance, since the writer reads it too
	mu     sync.Mutex
	pods   map[string]*corev1.Pod
	lines  map[train.StreamID]int64
	made   int
}

func newLife(seed uint64) *life {
	return &life{random: rand.New(rand.NewPCG(seed, 7)), now: time.Unix(1.7e9, 0), pods: map[string]*corev1.Pod{}, lines: map[train.StreamID]int64{}}
}

func (l *life) clock() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.now
}

func (l *life) advance(by time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now = l.now.Add(by)
}

// recorded starts a recording of the events.
func (l *life) recorded(t *testing.T, snapshots time.Duration) (w *Writer, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "a.ttrec")
	w, err := Create(path, Options{Now: l.clock, Snapshots: snapshots, About: About{Logs: LogsAll}})
	if err != nil {
		t.Fatal(err)
	}
	return w, path
}

// atItsEnd closes a recording with the given number of snapshots, and returns
// the snapshot at its last instant.
func atItsEnd(t *testing.T, w *Writer, path string, snapshots int) *store.Snapshot {
	t.Helper()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if n := len(f.chunks[kindSnapshot]); n != snapshots {
		t.Fatalf("%d snapshots", n)
	}
	again := store.New(time.Now)
	if err := f.Load(context.Background(), again, f.To(), 0); err != nil {
		t.Fatal(err)
	}
	return again.Snapshot()
}

const ns = "ml"

var jobKind = schema.GroupKind{Group: "batch", Kind: "Job"}

func (l *life) job(t *testing.T) store.Event {
	t.Helper()
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "bert", UID: "job", CreationTimestamp: metav1.NewTime(l.now)}}
	completions := int32(4)
	mode := batchv1.IndexedCompletion
	job.Spec = batchv1.JobSpec{Completions: &completions, Parallelism: &completions, CompletionMode: &mode, Template: corev1.PodTemplateSpec{Spec: corev1.PodSpec{
		Containers: []corev1.Container{{Name: "pytorch", Command: []string{"torchrun", "train.py"}}},
	}}}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(job)
	if err != nil {
		t.Fatal(err)
	}
	fields["apiVersion"], fields["kind"] = "batch/v1", "Job"
	return store.Set{Kind: jobKind, Object: &unstructured.Unstructured{Object: fields}}
}

func (l *life) pod(index int) store.Event {
	l.made++
	yes := true
	name := fmt.Sprintf("bert-%d", index)
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: ns, Name: name, UID: types.UID(fmt.Sprint("pod-", l.made)), CreationTimestamp: metav1.NewTime(l.now.Truncate(time.Second)),
			Labels:          map[string]string{"batch.kubernetes.io/job-name": "bert", "batch.kubernetes.io/job-completion-index": fmt.Sprint(index)},
			Annotations:     map[string]string{"batch.kubernetes.io/job-completion-index": fmt.Sprint(index)},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: "bert", UID: "job", Controller: &yes}},
		},
		Spec:   corev1.PodSpec{NodeName: "n1", Containers: []corev1.Container{{Name: "pytorch", Command: []string{"torchrun", "train.py"}}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{{Name: "pytorch", Ready: true, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}}}},
	}
	l.pods[name] = pod
	return store.Set{Kind: kinds.PodKind, Object: pod}
}

func (l *life) names() []string {
	var names []string
	for i := range 4 {
		if name := fmt.Sprintf("bert-%d", i); l.pods[name] != nil {
			names = append(names, name)
		}
	}
	return names
}

func (l *life) listed() store.Event {
	list := store.Listed{Kind: kinds.PodKind}
	for _, name := range l.names() {
		list.Objects = append(list.Objects, l.pods[name])
	}
	return list
}

// next returns the next random events.
func (l *life) next() []store.Event {
	names := l.names()
	switch l.random.IntN(12) {
	case 0: // a pod is created, or replaces one of the same name
		return []store.Event{l.pod(l.random.IntN(4))}
	case 1:
		if len(names) > 0 {
			gone := l.pods[names[l.random.IntN(len(names))]]
			delete(l.pods, gone.Name)
			return []store.Event{store.Deleted{Kind: kinds.PodKind, Namespace: ns, Name: gone.Name, UID: string(gone.UID)}}
		}
	case 2: // a list without one pod, as after an outage
		if len(names) > 1 {
			delete(l.pods, names[0])
		}
		return []store.Event{l.listed()}
	case 3:
		if l.random.IntN(4) == 0 { // the right to read pods is lost for a while
			return []store.Event{store.Unwatched{Kind: kinds.PodKind}, l.listed()}
		}
	case 4, 5:
		event := &corev1.Event{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: fmt.Sprint("e", l.random.IntN(50)), UID: "e"}, Reason: fmt.Sprint("r", l.random.IntN(9)), InvolvedObject: corev1.ObjectReference{Kind: "Pod", Namespace: ns, Name: "bert-0"}}
		return []store.Event{store.Set{Kind: kinds.EventKind, Object: event}}
	case 6:
		return []store.Event{store.HealthChanged{Health: train.Health{Source: "kube", State: train.SourceRead, Text: fmt.Sprint(l.made), Since: l.now}}}
	default:
		if len(names) > 0 {
			return []store.Event{l.logs(l.pods[names[l.random.IntN(len(names))]])}
		}
	}
	return nil
}

func (l *life) logs(pod *corev1.Pod) store.Event {
	id := train.StreamID{Namespace: ns, Pod: pod.Name, UID: string(pod.UID), Container: "pytorch"}
	e := store.Logged{Stream: id}
	for range 1 + l.random.IntN(3) {
		l.lines[id]++
		line := train.LogLine{Number: l.lines[id], Time: l.now, Text: fmt.Sprintf("step %d loss %d.5", l.lines[id], l.random.IntN(9))}
		e.Lines = append(e.Lines, line)
		e.Samples = append(e.Samples, train.Sample{Line: line.Number, Time: line.Time, Rank: -1, Step: float64(line.Number), HasStep: true, Metrics: []train.Metric{{Name: "loss", Value: float64(l.random.IntN(9)) + 0.5}}})
	}
	return e
}

// printed prints jobs, ranks, their logs and curves, objects and sources of a
// snapshot.
func printed(s *store.Snapshot) string {
	var b strings.Builder
	for _, job := range s.Jobs() {
		fmt.Fprintf(&b, "%s %s %d/%d gone %v\n", job.Ref, job.Phase, job.Ready, job.Wanted, job.Gone)
		for i := range job.Ranks {
			fmt.Fprintf(&b, " rank %d %s %s\n", i, job.Ranks[i].Pod, job.Ranks[i].State)
			for _, log := range s.RankLogs(job, i) {
				fmt.Fprintf(&b, "  %s %d lines", log.ID, log.Lines.Len())
				for _, column := range log.Samples.Columns {
					fmt.Fprintf(&b, " %s %v", column.Name, column.Values)
				}
				b.WriteByte('\n')
			}
		}
		if run := s.Run(job); run != nil {
			fmt.Fprintf(&b, " run: step %v loss %v\n", run.Step, run.Loss)
		}
	}
	for _, kind := range []schema.GroupKind{kinds.PodKind, kinds.EventKind} {
		s.Objects(kind, "", func(o kinds.Object) bool { fmt.Fprintln(&b, kind.Kind, o.GetName(), o.GetUID()); return true })
	}
	for _, h := range s.Health() {
		fmt.Fprintln(&b, h.Source, h.State, h.Text, h.Since.UnixNano())
	}
	return b.String()
}

// An instant loaded from an earlier snapshot equals the state of a store that
// got all events.
func TestAnInstantBehindASnapshotIsAsItWas(t *testing.T) {
	for seed := range uint64(6) {
		l := newLife(seed)
		w, path := l.recorded(t, 20*time.Second)
		live := store.New(l.clock)
		tell := func(events ...store.Event) {
			w.Apply(events...)
			live.Apply(events...)
		}
		tell(store.Listed{Kind: jobKind}, store.Listed{Kind: kinds.PodKind}, store.Listed{Kind: kinds.EventKind}, l.job(t))
		seen := map[time.Time]string{}
		var instants []time.Time
		for i := range 300 {
			l.advance(time.Second)
			tell(l.next()...)
			text := printed(live.Snapshot())
			if i%23 == 0 || i == 299 {
				seen[l.now] = text
				instants = append(instants, l.now)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		f, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(f.chunks[kindSnapshot]); n < 5 {
			t.Fatalf("%d snapshots", n)
		}
		for _, at := range instants {
			for _, backlog := range []int64{0, Everything} {
				again := store.New(time.Now)
				if err := f.Load(context.Background(), again, at, backlog); err != nil {
					t.Fatal(err)
				}
				if got := printed(again.Snapshot()); got != seen[at] {
					t.Fatalf("seed %d, %s, backlog %d: it was\n%s\nand the recording has\n%s", seed, at.Format(time.TimeOnly), backlog, seen[at], got)
				}
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// A pod deleted right after a snapshot was in that snapshot.
func TestAPodThatGoesAtOnceBehindASnapshotLeavesItsLog(t *testing.T) {
	l := newLife(1)
	w, path := l.recorded(t, time.Minute)
	w.Apply(store.Listed{Kind: jobKind}, store.Listed{Kind: kinds.PodKind}, l.job(t), l.pod(0))
	l.advance(2 * time.Minute)
	pod := l.pods["bert-0"]
	w.Apply(l.logs(pod)) // the snapshot comes after it
	l.advance(50 * time.Millisecond)
	w.Apply(store.Deleted{Kind: kinds.PodKind, Namespace: ns, Name: pod.Name, UID: string(pod.UID)})
	if s := atItsEnd(t, w, path, 1); len(s.RankLogs(s.Jobs()[0], 0)) != 1 {
		t.Errorf("the log of the pod is not at its rank:\n%s", printed(s))
	}
}

// Logs of several pods of one name stay at its rank, even of pods that a
// snapshot omits.
func TestLogsOfManyPodsOfANameKeepTheirRank(t *testing.T) {
	l := newLife(1)
	w, path := l.recorded(t, time.Minute)
	w.Apply(store.Listed{Kind: jobKind}, store.Listed{Kind: kinds.PodKind}, l.job(t))
	const replaced = maxDepartures + 3
	for range replaced {
		l.advance(time.Second)
		w.Apply(l.pod(0))
		w.Apply(l.logs(l.pods["bert-0"]))
	}
	l.advance(2 * time.Minute)
	last := l.pods["bert-0"]
	w.Apply(store.Deleted{Kind: kinds.PodKind, Namespace: ns, Name: last.Name, UID: string(last.UID)}) // the snapshot comes after it
	l.advance(time.Second)
	w.Apply(l.pod(1))
	s := atItsEnd(t, w, path, 1)
	var got, want []string
	for _, log := range s.RankLogs(s.Jobs()[0], 0) {
		got = append(got, log.ID.UID)
	}
	for made := 1; made <= replaced; made++ {
		want = append(want, fmt.Sprint("pod-", made))
	}
	if !slices.Equal(got, want) {
		t.Errorf("at rank 0 are the logs of %v, want %v", got, want)
	}
}

func TestUsageHasItsPastAfterAJump(t *testing.T) {
	begin := time.Unix(1.7e9, 0)
	now := begin
	path := filepath.Join(t.TempDir(), "a.ttrec")
	w, err := Create(path, Options{Now: func() time.Time { return now }, Flush: time.Hour, Snapshots: 5 * time.Minute, About: About{Logs: LogsAll}})
	if err != nil {
		t.Fatal(err)
	}
	live := store.New(func() time.Time { return now })
	for i := range 160 { // 80 minutes
		now = now.Add(30 * time.Second)
		whole, part := store.Used{Source: "metrics", Complete: true, Every: 30 * time.Second}, store.Used{Source: "kubelet", Every: 30 * time.Second}
		for node, of := range map[string]*store.Used{"a": &whole, "b": &part} {
			u := train.Usage{Node: node, At: now, Every: 30 * time.Second}
			u.Values.Set(train.UsedCPU, float64(i))
			of.Usage = append(of.Usage, u)
		}
		w.Apply(whole, part)
		live.Apply(whole, part)
		live.Snapshot()
	}
	again := atItsEnd(t, w, path, 16)
	for _, node := range []string{"a", "b"} {
		of := store.UsageOf{Node: node}
		want, got := live.Snapshot().UsagePast(of, train.UsedCPU), again.UsagePast(of, train.UsedCPU)
		if len(want) < 50 || len(got) < len(want)-2 {
			t.Errorf("node %s: it had a past of %d points, and in the recording of %d", node, len(want), len(got))
		}
		for _, point := range got {
			if i := point.At.Sub(begin)/(30*time.Second) - 1; point.Value != float64(i) {
				t.Errorf("node %s at %s: %v, it was %d", node, point.At.Format(time.TimeOnly), point.Value, i)
			}
		}
		if u := again.NodeUsage(node); u == nil || !u.At.Equal(now) {
			t.Errorf("node %s is used %+v", node, u)
		}
	}
}

// TestAnHourOfManyGPUsIsReadFromSomeOfIt: from a large hour of measurements it
// replays the newest round in full, and a selection of the others from all
// over the hour.
func TestAnHourOfManyGPUsIsReadFromSomeOfIt(t *testing.T) {
	const nodes, boards, rounds, every = 128, 8, 240, 15 * time.Second
	f, end := manyGPUs(t, nodes, boards, rounds, every)
	for _, backlog := range []int64{0, Backlog} { // from a snapshot, and from the beginning
		var printed tellTimes
		if err := f.Load(t.Context(), &printed, f.To(), backlog); err != nil {
			t.Fatal(err)
		}
		newest, oldest := 0, end
		for _, at := range printed {
			if at.Equal(end) {
				newest++
			}
			if at.Before(oldest) {
				oldest = at
			}
		}
		if newest != nodes {
			t.Errorf("backlog %d: %d of %d nodes have the newest round", backlog, newest, nodes)
		}
		if n := len(printed) / nodes; n < 5 || n > rounds/2 {
			t.Errorf("backlog %d: %d rounds of %d are told", backlog, n, rounds)
		}
		if end.Sub(oldest) < 50*time.Minute {
			t.Errorf("backlog %d: the oldest that is told is from %s before the end", backlog, end.Sub(oldest))
		}
	}
}

// TestGPUsHaveTheirPastAfterAJump: the history contains readings that are too
// old to be shown as current, and changes of counters; a source that stopped
// reporting is not shown.
func TestGPUsHaveTheirPastAfterAJump(t *testing.T) {
	const every = 15 * time.Second
	for _, c := range []struct{ nodes, points int }{{4, 235}, {128, 5}} { // all of them, and some
		f, end := manyGPUs(t, c.nodes, 8, 240, every)
		for _, backlog := range []int64{0, Backlog} {
			s := store.New(time.Now)
			if err := f.Load(t.Context(), s, f.To(), backlog); err != nil {
				t.Fatal(err)
			}
			shown := s.Snapshot()
			gpus := shown.GPUsOn("gpu-1")
			if len(gpus) != 8 || !gpus[0].At.Equal(end) || gpus[0].Every != every {
				t.Fatalf("%d nodes, backlog %d: gpu-1 has %d boards", c.nodes, backlog, len(gpus))
			}
			past := shown.GPUPast(gpus[0].GPU.ID(), train.GPUUtilization)
			if len(past) < c.points || end.Sub(past[0].At) < 50*time.Minute {
				t.Errorf("%d nodes, backlog %d: a past of %d points", c.nodes, backlog, len(past))
			}
			if silent := shown.GPUsOn("silent"); len(silent) > 0 {
				t.Errorf("%d nodes, backlog %d: %d boards of a node that is silent are shown", c.nodes, backlog, len(silent))
			}
		}
	}
}

// manyGPUs records rounds of measurements; the last one is at the end.
func manyGPUs(t *testing.T, nodes, boards, rounds int, every time.Duration) (f *File, end time.Time) {
	t.Helper()
	now := &clock{now: time.Unix(1.7e9, 0)}
	path := filepath.Join(t.TempDir(), "a.ttrec")
	w, err := Create(path, Options{Now: now.Now, About: About{Logs: LogsAll}})
	if err != nil {
		t.Fatal(err)
	}
	for round := range rounds {
		end = now.add(every)
		for node := range nodes {
			m := store.Measured{Source: "dcgm", Node: fmt.Sprint("gpu-", node), Every: every}
			for i := range boards {
				r := train.GPUReading{At: end, GPU: train.GPU{Node: m.Node, Index: fmt.Sprint(i), UUID: fmt.Sprintf("GPU-%d-%d", node, i)}}
				for q := range train.Quantity(8) {
					r.Values.Set(q, float64(round*node+i)*1.000123)
				}
				m.Readings = append(m.Readings, r)
			}
			w.Apply(m)
			if m.Node = "silent"; node == 0 && round < rounds/2 {
				m.Readings = slices.Clone(m.Readings)
				for i := range m.Readings {
					m.Readings[i].GPU.Node, m.Readings[i].GPU.UUID = m.Node, fmt.Sprintf("GPU-99-%d", i)
				}
				w.Apply(m)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if f, err = Open(path); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f, end
}

// tellTimes collects the measurement times of nodes.
type tellTimes []time.Time

func (all *tellTimes) Apply(events ...store.Event) {
	for _, event := range events {
		if m, is := event.(store.Measured); is {
			*all = append(*all, m.Readings[0].At)
		}
	}
}
