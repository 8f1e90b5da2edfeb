package logs

import (
	"context"
	"github.com/traintop/traintop/views/screentest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
)

// A PyTorchJob of two workers as kubectl prints it (kubeflow trainer v1.9,
// trimmed): worker 1 was restarted once and has a sidecar.
const cluster = `
apiVersion: v1
kind: List
items:
- apiVersion: kubeflow.org/v1
  kind: PyTorchJob
  metadata: {name: bert, namespace: nlp, uid: job-1, creationTimestamp: "2026-11-20T09:00:00Z"}
  spec: {pytorchReplicaSpecs: {Worker: {replicas: 2, template: {spec: {containers: [{name: pytorch}]}}}}}
- apiVersion: v1
  kind: Pod
  metadata:
    name: bert-worker-0
    namespace: nlp
    uid: pod-0
    creationTimestamp: "2026-11-20T09:00:00Z"
    labels: {training.kubeflow.org/job-name: bert, training.kubeflow.org/replica-type: worker, training.kubeflow.org/replica-index: "0"}
    ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: bert, uid: job-1, controller: true}]
  spec: {containers: [{name: pytorch}]}
  status:
    phase: Pending
    conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: "0/2 nodes are available: 2 Insufficient nvidia.com/gpu."}]
- apiVersion: v1
  kind: Pod
  metadata:
    name: bert-worker-1
    namespace: nlp
    uid: pod-1
    creationTimestamp: "2026-11-20T09:00:00Z"
    labels: {training.kubeflow.org/job-name: bert, training.kubeflow.org/replica-type: worker, training.kubeflow.org/replica-index: "1"}
    ownerReferences: [{apiVersion: kubeflow.org/v1, kind: PyTorchJob, name: bert, uid: job-1, controller: true}]
  spec: {nodeName: gpu-1, containers: [{name: pytorch}, {name: proxy}], initContainers: [{name: fetch}]}
  status:
    phase: Running
    startTime: "2026-11-20T09:00:05Z"
    containerStatuses:
    - {name: pytorch, restartCount: 1, ready: true, started: true, state: {running: {startedAt: "2026-11-20T09:30:00Z"}}}
    - {name: proxy, restartCount: 0, ready: true, started: true, state: {running: {startedAt: "2026-11-20T09:00:10Z"}}}
`

// bert is the screen on that job; with live set a cluster could serve more
// logs.
func bert(t *testing.T, live bool) *world {
	t.Helper()
	path := filepath.Join(t.TempDir(), "cluster.yaml")
	if err := os.WriteFile(path, []byte(cluster), 0o600); err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, now: ten, next: map[int]int64{}, width: 160, height: 30}
	w.store = store.New(func() time.Time { return w.now })
	if err := dump.New([]string{path}, dump.Options{}).Run(context.Background(), w.store); err != nil {
		t.Fatal(err)
	}
	if live {
		w.store.Apply(store.HealthChanged{Health: train.Health{Source: "kube", State: train.SourceLive}})
	}
	jobs := w.store.Snapshot().Jobs()
	if len(jobs) != 1 || len(jobs[0].Ranks) != 2 {
		t.Fatalf("%d jobs", len(jobs))
	}
	w.view = New(views.LogsRoute{Job: jobs[0].ID})
	return w
}

func (w *world) printed(container string, restart int, texts ...string) {
	id := train.StreamID{Namespace: "nlp", Pod: "bert-worker-1", UID: "pod-1", Container: container, Restart: restart}
	w.store.Apply(store.StreamChanged{Stream: id, Status: train.StreamStatus{State: train.StreamLive, Since: ten}})
	for i, text := range texts {
		w.store.Apply(store.Logged{Stream: id, Lines: []train.LogLine{{Number: int64(i + 1), Time: ten, Text: text}}})
	}
}

func TestARankThatHasNotStartedSaysWhereItStands(t *testing.T) {
	w := bert(t, true)
	w.shows("not started yet: pending", "2 Insufficient nvidia.com/gpu", "rank 1")
}

func TestAttemptsAndContainersAreSelectable(t *testing.T) {
	w := bert(t, true)
	w.printed("pytorch", 1, "second life")
	w.printed("proxy", 0, "proxy speaks")
	w.view = New(views.LogsRoute{Job: w.view.id, Ranks: []int{1}})
	w.shows("attempt 2 of 2", "second life")
	w.does(keymap.LogOlder)
	w.shows("attempt 1 of 2", "asking for the log of this attempt")
	if wants := w.view.Streams(w.frame()); !wants[0].Previous || !wants[0].Shown {
		t.Errorf("the attempt before is not wanted: %+v", wants)
	}
	w.printed("pytorch", 0, "first life")
	w.shows("first life")
	if e := w.does(keymap.LogOlder); !screentest.In[views.Notice](e).Failed {
		t.Error("there is a life before the first")
	}
	w.printed("pytorch", 1, "second life", "goes on")
	w.shows("first life") // the one chosen stays
	w.does(keymap.LogNewer)
	w.shows("second life", "attempt 2 of 2")
	w.does(keymap.LogContainer)
	w.shows("proxy speaks", "proxy")
	if wants := w.view.Streams(w.frame()); wants[0].Container != "proxy" {
		t.Errorf("the sidecar is not wanted: %+v", wants)
	}
	w.does(keymap.LogContainer)
	w.shows("fetch")
	w.does(keymap.LogContainer)
	w.shows("second life")
	w.view = New(views.LogsRoute{Job: w.view.id, Previous: true})
	w.shows("first life")
}

// A file beside a dump knows its pod, but neither container nor instance.
func TestALogFileOfAPodIsItsRanks(t *testing.T) {
	w := bert(t, false)
	id := train.StreamID{Namespace: "nlp", Pod: "bert-worker-1", File: "/dump/bert-worker-1.log"}
	w.store.Apply(store.StreamChanged{Stream: id, Status: train.StreamStatus{State: train.StreamEnded}})
	w.store.Apply(store.Logged{Stream: id, Lines: []train.LogLine{{Number: 1, Text: "from a file"}}})
	w.shows("from a file", "bert-worker-1.log")
	w.hides("attempt")
}

func TestMergedLinesFollowTheAttempt(t *testing.T) {
	w := bert(t, true)
	w.printed("pytorch", 0, "first life", "ends")
	w.printed("pytorch", 1, "second life", "goes on")
	w.view = New(views.LogsRoute{Job: w.view.id, Ranks: []int{1}})
	w.does(keymap.LogMerge, keymap.LogOlder, keymap.LineUp)
	w.shows("first life", "older attempt of rank 1")
	w.does(keymap.LogNewer)
	w.shows("second life", "goes on")
	w.hides("first life", "older attempt")
}

// The lines that a recorder was told to leave out are neither missing files nor none.
func TestLinesThatWereNotRecorded(t *testing.T) {
	w := bert(t, false)
	note := train.Health{Source: train.SkippedIn("recording a.ttrec", 1), State: train.SourceRead, Resource: train.LinesAlone, Text: "a.ttrec: it was recorded with --logs metrics"}
	w.store.Apply(store.HealthChanged{Health: note})
	w.view = New(views.LogsRoute{Job: w.view.id, Ranks: []int{1}})
	w.shows("no line of it was recorded", "--logs metrics")
	w.hides("--from 1=PATH")
	w.view = New(views.LogsRoute{Job: w.view.id})
	w.does(keymap.LogMerge)
	w.shows("no line of it was recorded")
}

// Without a cluster nothing more comes of a log that was not read: it is not called
// followed, and merged lines name no rank.
func TestFilesWithoutLogsAreNotFollowed(t *testing.T) {
	w := bert(t, false)
	w.view = New(views.LogsRoute{Job: w.view.id, Ranks: []int{1}})
	w.shows("no log of this rank was read", "--from 1=PATH")
	w.hides("follow", "paused")
	w.view = New(views.LogsRoute{Job: w.view.id})
	w.does(keymap.LogMerge)
	w.shows("no log of these ranks was read", "--from RANK=PATH")
	w.hides("follow", "paused", "this rank")
	w.printed("pytorch", 1, "second life")
	w.shows("second life", "follow")
}
