package cli

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// recreated records a job whose only pod was deleted and created anew under its name.
func recreated(t *testing.T) string {
	t.Helper()
	now := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "a.ttrec")
	w, err := recording.Create(path, recording.Options{Now: func() time.Time { return now }, Flush: time.Hour, About: recording.About{Logs: recording.LogsAll}})
	if err != nil {
		t.Fatal(err)
	}
	yes := true
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "bert", UID: "job-1", CreationTimestamp: metav1.NewTime(now)}}
	pod := func(uid string, phase corev1.PodPhase, restarts int32) *corev1.Pod {
		return &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "bert-0", UID: types.UID(uid), CreationTimestamp: metav1.NewTime(now),
				Labels:          map[string]string{"batch.kubernetes.io/job-name": "bert"},
				OwnerReferences: []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: "bert", UID: "job-1", Controller: &yes}}},
			Spec:   corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "pytorch"}}},
			Status: corev1.PodStatus{Phase: phase, ContainerStatuses: []corev1.ContainerStatus{{Name: "main", RestartCount: restarts, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(now)}}}}},
		}
	}
	logged := func(uid string, restart int, first int64, loss float64) {
		id := train.StreamID{Namespace: "ml", Pod: "bert-0", UID: uid, Container: "main", Restart: restart}
		e := store.Logged{Stream: id}
		for i := range int64(3) {
			now = now.Add(time.Second)
			text := fmt.Sprintf("step: %d loss: %g", first+i, loss)
			e.Lines = append(e.Lines, train.LogLine{Number: i + 1, Time: now, Text: text})
			e.Samples = append(e.Samples, train.Sample{Line: i + 1, Time: now, Rank: -1, Epoch: math.NaN(), Step: math.NaN(), Metrics: []train.Metric{{Name: "loss", Value: loss}}})
		}
		w.Apply(store.StreamChanged{Stream: id, Status: train.StreamStatus{State: train.StreamEnded}}, e)
	}
	for _, kind := range []schema.GroupKind{{Group: "batch", Kind: "Job"}, kinds.PodKind} {
		w.Apply(store.Listed{Kind: kind})
	}
	w.Apply(store.Set{Kind: schema.GroupKind{Group: "batch", Kind: "Job"}, Object: job})
	w.Apply(store.Set{Kind: kinds.PodKind, Object: pod("pod-1", corev1.PodRunning, 0)})
	logged("pod-1", 0, 1, 9)
	w.Apply(store.Set{Kind: kinds.PodKind, Object: pod("pod-1", corev1.PodRunning, 1)})
	logged("pod-1", 1, 1, 8)
	now = now.Add(time.Minute)
	w.Apply(store.Deleted{Kind: kinds.PodKind, Namespace: "ml", Name: "bert-0", UID: "pod-1"})
	now = now.Add(time.Minute)
	w.Apply(store.Set{Kind: kinds.PodKind, Object: pod("pod-2", corev1.PodRunning, 0)})
	logged("pod-2", 0, 4, 2)
	now = now.Add(time.Minute)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// A rank whose pod was deleted and created anew under its name keeps what both
// printed, as attempts of their own.
func TestRecreatedRanksKeepTheirAttempts(t *testing.T) {
	path := recreated(t)
	out, messages, code := command(t, "", "curves", "-o", "csv", "--from", path)
	var got []string
	for _, row := range strings.Split(strings.TrimSpace(out), "\n")[1:] {
		cells := strings.Split(row, ",")
		got = append(got, strings.Join([]string{cells[2], cells[3], cells[len(cells)-1]}, "/"))
	}
	want := "0/0/9 0/0/9 0/0/9 0/1/8 0/1/8 0/1/8 0/2/2 0/2/2 0/2/2" // rank, attempt, loss
	if code != exitDone || strings.Join(got, " ") != want {
		t.Errorf("exit %d: %v, want %v\n%s", code, got, want, messages)
	}
	for previous, want := range map[string]string{"": "[0] step: 4 loss: 2", "--previous": "[0#1] step: 1 loss: 8"} {
		args := []string{"logs", "bert", "--from", path}
		if previous != "" {
			args = append(args, previous)
		}
		if out, messages, code := command(t, "", args...); code != exitDone || !strings.HasPrefix(out, want+"\n") {
			t.Errorf("%v: exit %d\n%s%s", args, code, out, messages)
		}
	}
}
