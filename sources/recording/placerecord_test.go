package recording_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

func treeOf(t *testing.T, kind schema.GroupKind, text string) store.Event {
	t.Helper()
	o := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(text), &o.Object); err != nil {
		t.Fatal(err)
	}
	return store.Set{Kind: kind, Object: o}
}

// The places that Kueue gave come back as they were, at every instant, also from
// a snapshot in the middle.
func TestPlacesComeBack(t *testing.T) {
	clock := &ticking{now: began}
	answer := func(at time.Duration, first int) store.Placed {
		p := store.Placed{Namespace: "ml", Queue: "team", At: began.Add(at), Every: 20 * time.Second}
		for i := range 200 {
			p.Waiting = append(p.Waiting, store.WaitingPlace{Namespace: "ml", Workload: fmt.Sprintf("job-llama-%03d-4f2c1", i), Owner: fmt.Sprintf("0b7f4f3e-6a4d-4d0e-9f83-%012d", i), Place: first + i})
		}
		return p
	}
	job := treeOf(t, kinds.Jobs()[0].GroupKind, `{apiVersion: batch/v1, kind: Job, metadata: {name: llama, namespace: ml, uid: 0b7f4f3e-6a4d-4d0e-9f83-000000000007, labels: {kueue.x-k8s.io/queue-name: team}}, spec: {suspend: true, template: {}}}`)
	var written []store.Event
	path := t.TempDir() + "/places.ttrec"
	w, err := recording.Create(path, recording.Options{Now: clock.Now, About: recording.About{Logs: recording.LogsAll}})
	if err != nil {
		t.Fatal(err)
	}
	w.Apply(job)
	for n := range 180 { // an hour, with a snapshot every ten minutes
		at := time.Duration(n) * 20 * time.Second
		e := answer(at, 1+n/60)
		clock.add(20 * time.Second)
		w.Apply(e)
		written = append(written, e)
	}
	back := store.Placed{Namespace: "ml", Queue: "team"}
	clock.add(time.Minute)
	w.Apply(back)
	written = append(written, back)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f := openFile(t, path)
	var all collect
	if err := f.Load(t.Context(), &all, f.To(), recording.Everything); err != nil {
		t.Fatal(err)
	}
	var came []store.Event
	for _, e := range all.events {
		if _, is := e.(store.Placed); is {
			came = append(came, e)
		}
	}
	compareByKind(t, written, came)
	for _, c := range []struct {
		at    time.Duration
		place int
	}{{10 * time.Minute, 8}, {30 * time.Minute, 9}, {59 * time.Minute, 10}, {2 * time.Hour, 1}} {
		at := began.Add(c.at)
		if at.After(f.To()) {
			at = f.To()
		}
		s := store.New(func() time.Time { return at })
		if err := f.Load(t.Context(), s, at, 0); err != nil {
			t.Fatal(err)
		}
		if job := jobNamed(t, s.Snapshot(), "llama"); job.Queue.Place != c.place {
			t.Errorf("after %s: place %d, want %d", c.at, job.Queue.Place, c.place)
		}
	}
	// 180 answers of 200 places: those that repeat cost next to nothing.
	if info, err := os.Stat(path); err != nil || info.Size() > 100<<10 {
		t.Errorf("the file has %d bytes (%v)", info.Size(), err)
	}
}

// An excerpt has the places of the Workloads that are in it.
func TestAnExcerptHasThePlacesOfItsWorkloads(t *testing.T) {
	events := []store.Event{
		treeOf(t, kinds.Jobs()[0].GroupKind, `{apiVersion: batch/v1, kind: Job, metadata: {name: mine, namespace: ml, uid: mine, labels: {kueue.x-k8s.io/queue-name: team}}, spec: {suspend: true, template: {}}}`),
		treeOf(t, kinds.KueueWorkloadKind, `{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: w-mine, namespace: ml, uid: w-mine, ownerReferences: [{apiVersion: batch/v1, kind: Job, name: mine, uid: mine, controller: true}]}, spec: {queueName: team}}`),
		store.Placed{Queue: "gpus", At: began, Every: time.Hour, Waiting: []store.WaitingPlace{{Namespace: "secret", Workload: "w-theirs", Owner: "theirs", Place: 1}, {Namespace: "ml", Workload: "w-mine", Owner: "mine", Place: 2}}},
	}
	f := openFile(t, write(t, recording.Options{}, events))
	made := excerptOf(t, f, recording.Excerpt{Job: jobNamed(t, snapshotAt(t, f, f.To()), "mine").ID})
	var back collect
	if err := made.Load(t.Context(), &back, made.To(), recording.Everything); err != nil {
		t.Fatal(err)
	}
	var got []store.WaitingPlace
	for _, e := range back.events {
		if p, is := e.(store.Placed); is {
			got = append(got, p.Waiting...)
		}
	}
	if diff := cmp.Diff([]store.WaitingPlace{{Namespace: "ml", Workload: "w-mine", Owner: "mine", Place: 2}}, got); diff != "" {
		t.Errorf("the places (-want +got):\n%s", diff)
	}
}
