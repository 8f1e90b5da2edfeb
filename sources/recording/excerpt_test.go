package recording_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// snapshotAt returns the snapshot of a recording at an instant.
func snapshotAt(t testing.TB, f *recording.File, at time.Time) *store.Snapshot {
	t.Helper()
	s := store.New(f.To)
	if err := f.Load(t.Context(), s, at, recording.Everything); err != nil {
		t.Fatal(err)
	}
	return s.Snapshot()
}

func excerptOf(t testing.TB, f *recording.File, o recording.Excerpt) *recording.File {
	t.Helper()
	o.Path = filepath.Join(t.TempDir(), "excerpt.ttrec")
	size, err := f.WriteExcerpt(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	made := openFile(t, o.Path)
	if info := made.Info(); len(info.Damage) > 0 || !info.Closed || info.Bytes != size {
		t.Errorf("%d bytes were written: %+v", size, info)
	}
	return made
}

// sameJob fails if an excerpt differs from its source in the job.
func sameJob(t *testing.T, id train.JobID, want, got *store.Snapshot) {
	t.Helper()
	was, is := want.Job(id), got.Job(id)
	if diff := cmp.Diff(was, is, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the job differs (-want +got):\n%s", diff)
		return
	}
	if !got.Now.Equal(want.Now) {
		t.Errorf("it is %s, want %s", got.Now, want.Now)
	}
	for rank := range was.Ranks {
		if diff := cmp.Diff(linesOf(want.RankLogs(was, rank)), linesOf(got.RankLogs(is, rank))); diff != "" {
			t.Errorf("the logs of rank %d differ (-want +got):\n%s", rank, diff)
		}
	}
	if diff := cmp.Diff(curvesOf(want, was), curvesOf(got, is), cmpopts.EquateNaNs()); diff != "" {
		t.Errorf("the curves differ (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(gpusOf(want, was), gpusOf(got, is)); diff != "" {
		t.Errorf("the GPUs differ (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want.EventsOf(was), got.EventsOf(is), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("the events differ (-want +got):\n%s", diff)
	}
}

func linesOf(logs []*store.Log) (all []string) {
	for _, log := range logs {
		all = append(all, log.ID.String())
		for i := range log.Lines.Len() {
			all = append(all, fmt.Sprintf("%+v", log.Lines.At(i)))
		}
	}
	return all
}

func curvesOf(s *store.Snapshot, job *train.Job) (all []string) {
	for _, track := range s.Run(job).Tracks(train.MetricLoss) {
		all = append(all, fmt.Sprintf("%+v", track))
	}
	return all
}

func gpusOf(s *store.Snapshot, job *train.Job) (all []string) {
	for _, g := range s.GPUsOf(job) {
		all = append(all, fmt.Sprintf("%+v %+v", g.GPU, g.Values))
	}
	return all
}

func TestAnExcerptTellsOfItsJobWhatTheRecordingDoes(t *testing.T) {
	f := openFile(t, write(t, recording.Options{}, demoEvents(t)))
	want := snapshotAt(t, f, f.To())
	for _, name := range []string{"llama-70b", "hubert-xl", "phi-4-dpo", "grpo-math"} {
		job := jobNamed(t, want, name)
		t.Run(name, func(t *testing.T) {
			made := excerptOf(t, f, recording.Excerpt{Job: job.ID, Created: job.Created})
			got := snapshotAt(t, made, made.To())
			sameJob(t, job.ID, want, got)
			for _, other := range want.Jobs() {
				sameOutline(t, other, got.Job(other.ID))
			}
			if diff := cmp.Diff(want.GPUs(), got.GPUs()); diff != "" {
				t.Errorf("the sum of all GPUs differs (-want +got):\n%s", diff)
			}
		})
	}
}

func jobNamed(t testing.TB, s *store.Snapshot, name string) *train.Job {
	t.Helper()
	for _, job := range s.Jobs() {
		if job.Ref.Name == name {
			return job
		}
	}
	t.Fatalf("there is no job %s", name)
	return nil
}

// sameOutline fails unless the resources that another job holds and waits for
// are the same.
func sameOutline(t *testing.T, was, is *train.Job) {
	t.Helper()
	if is == nil {
		t.Errorf("%s is gone", was.Ref)
		return
	}
	place := func(job *train.Job) string {
		if job.Queue == nil {
			return ""
		}
		return fmt.Sprintf("%s/%s %d", job.Queue.ClusterQueue, job.Queue.Name, job.Queue.Place)
	}
	if is.Phase != was.Phase || is.Wanted != was.Wanted || is.GPUs != was.GPUs || is.Training != was.Training || place(is) != place(was) {
		t.Errorf("%s is %s, %d ranks, %d GPUs, queue %q; want %s, %d, %d, %q", was.Ref, is.Phase, is.Wanted, is.GPUs, place(is), was.Phase, was.Wanted, was.GPUs, place(was))
	}
}

// TestNothingOfOtherJobsIsInAnExcerpt searches the whole file for the logs
// and free texts of other jobs.
func TestNothingOfOtherJobsIsInAnExcerpt(t *testing.T) {
	events := append(demoEvents(t), planted("mine", "visible-"), planted("theirs", "secretive-"))
	f := openFile(t, write(t, recording.Options{}, events, []store.Event{plantedPod("mine", "visible-"), plantedPod("theirs", "secretive-")}))
	all := snapshotAt(t, f, f.To())
	job := jobNamed(t, all, "mine")
	made := excerptOf(t, f, recording.Excerpt{Job: job.ID, Created: job.Created})
	text := everythingIn(t, made)
	for _, word := range []string{"label", "annotation", "env", "arg", "command", "image", "message"} {
		if !strings.Contains(text, "visible-"+word) {
			t.Errorf("the job's own %s is not there", word)
		}
		if strings.Contains(text, "secretive-"+word) {
			t.Errorf("the %s of another job is there", word)
		}
	}
	foreign := 0
	all.Logs(func(log *store.Log) bool {
		for i := range log.Lines.Len() {
			line := log.Lines.Plain(i)
			if owner, _, _ := all.RankOfLog(log.ID); owner == nil || owner.ID == job.ID || len(line) < 16 {
				continue
			}
			if foreign++; strings.Contains(text, asJSON(t, line)) {
				t.Errorf("%s printed %q, and that is there", log.ID, line)
			}
		}
		return true
	})
	if foreign < 1000 {
		t.Errorf("%d lines of others were looked for; that is too few to say anything", foreign)
	}
}

// planted returns a job in which every free text begins with the given text.
func planted(name, word string) store.Event {
	return store.Set{Kind: schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}, Object: &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob",
		"metadata": map[string]any{
			"namespace": "llm", "name": name, "uid": name, "creationTimestamp": "2026-11-20T07:00:00Z",
			"labels": map[string]any{"team": word + "label"}, "annotations": map[string]any{"note": word + "annotation"},
		},
		"spec": map[string]any{"pytorchReplicaSpecs": map[string]any{"Worker": map[string]any{"replicas": int64(1), "template": map[string]any{
			"metadata": map[string]any{"labels": map[string]any{"team": word + "label"}},
			"spec": map[string]any{"containers": []any{map[string]any{
				"name": "pytorch", "image": word + "image", "command": []any{word + "command"}, "args": []any{word + "arg"},
				"env":       []any{map[string]any{"name": "X", "value": word + "env"}},
				"resources": map[string]any{"limits": map[string]any{"nvidia.com/gpu": "8"}},
			}}},
		}}}},
		"status": map[string]any{"conditions": []any{map[string]any{"type": "Running", "status": "True", "message": word + "message"}}},
	}}}
}

func plantedPod(job, word string) store.Event {
	yes := true
	return store.Set{Kind: kinds.PodKind, Object: &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "llm", Name: job + "-worker-0", UID: types.UID(job + "-0"),
			Labels:          map[string]string{"training.kubeflow.org/replica-type": "worker", "training.kubeflow.org/replica-index": "0", "app": word + "label"},
			Annotations:     map[string]string{"note": word + "annotation"},
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "kubeflow.org/v1", Kind: "PyTorchJob", Name: job, UID: types.UID(job), Controller: &yes}},
		},
		Spec: corev1.PodSpec{NodeName: "gpu-a-0", Containers: []corev1.Container{{
			Name: "pytorch", Image: word + "image", Command: []string{word + "command"}, Args: []string{word + "arg"}, Env: []corev1.EnvVar{{Name: "X", Value: word + "env"}},
		}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, Message: word + "message", ContainerStatuses: []corev1.ContainerStatus{{
			Name: "pytorch", Image: word + "image", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: word + "message"}},
			LastTerminationState: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, Message: word + "message"}},
		}}},
	}}
}

// everythingIn returns everything in a recording, as text.
func everythingIn(t *testing.T, f *recording.File) string {
	t.Helper()
	var events collect
	if err := f.Load(t.Context(), &events, f.To(), recording.Everything); err != nil {
		t.Fatal(err)
	}
	marks, err := f.Marks(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, event := range events.events {
		b.WriteString(asJSON(t, event))
	}
	return b.String() + asJSON(t, marks) + asJSON(t, f.Info())
}

func asJSON(t *testing.T, what any) string {
	t.Helper()
	text, err := json.Marshal(what)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Trim(string(text), `"`)
}

func TestAnExcerptIsWrittenBesideWhatIsThere(t *testing.T) {
	f := openFile(t, write(t, recording.Options{}, demoEvents(t)))
	job := jobNamed(t, snapshotAt(t, f, f.To()), "hubert-xl")
	path := filepath.Join(t.TempDir(), "a.ttrec")
	if err := os.WriteFile(path, []byte("notes"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteExcerpt(t.Context(), recording.Excerpt{Job: job.ID, Path: path}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("a file that is there already: %v", err)
	}
	if kept, _ := os.ReadFile(path); string(kept) != "notes" {
		t.Errorf("it was changed to %q", kept)
	}
	other := path + "2"
	if _, err := f.WriteExcerpt(t.Context(), recording.Excerpt{Job: "nobody", Path: other}); err == nil {
		t.Error("a job that is not there has an excerpt")
	}
	if _, err := os.Stat(other); err == nil {
		t.Error("a file was left behind")
	}
}
