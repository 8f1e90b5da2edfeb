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
	"k8s.io/apimachinery/pkg/api/resource"
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

// The logs of a job that was deleted are printed by its name, also what its pods printed
// in their grace period.
func TestLogsOfDeletedJobsAreThere(t *testing.T) {
	now := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "a.ttrec")
	w, err := recording.Create(path, recording.Options{Now: func() time.Time { return now }, Flush: time.Hour, About: recording.About{Logs: recording.LogsAll}})
	if err != nil {
		t.Fatal(err)
	}
	yes, kind := true, schema.GroupKind{Group: "batch", Kind: "Job"}
	job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "bert", UID: "job-1", CreationTimestamp: metav1.NewTime(now)}}
	gpus := corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("1")}
	pod := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "bert-0", UID: "pod-1", CreationTimestamp: metav1.NewTime(now),
			OwnerReferences: []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: "bert", UID: "job-1", Controller: &yes}}},
		Spec:   corev1.PodSpec{NodeName: "n1", Containers: []corev1.Container{{Name: "main", Image: "pytorch", Resources: corev1.ResourceRequirements{Limits: gpus}}}},
		Status: corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{{Name: "main", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(now)}}}}},
	}
	id := train.StreamID{Namespace: "ml", Pod: "bert-0", UID: "pod-1", Container: "main"}
	lines := int64(0)
	logged := func(text string) {
		now, lines = now.Add(time.Second), lines+1
		w.Apply(store.Logged{Stream: id, Lines: []train.LogLine{{Number: lines, Time: now, Text: text}}})
		now = now.Add(10 * time.Second)
	}
	w.Apply(store.HealthChanged{Health: train.Health{Source: "lists", State: train.SourceLive}})
	w.Apply(store.Listed{Kind: kind}, store.Listed{Kind: kinds.PodKind})
	w.Apply(store.Set{Kind: kind, Object: job}, store.Set{Kind: kinds.PodKind, Object: pod})
	w.Apply(store.StreamChanged{Stream: id, Status: train.StreamStatus{State: train.StreamLive}})
	logged("step 1")
	w.Apply(store.Deleted{Kind: kind, Namespace: "ml", Name: "bert", UID: "job-1"})
	logged("SIGTERM")
	logged("checkpoint saved")
	w.Apply(store.StreamChanged{Stream: id, Status: train.StreamStatus{State: train.StreamEnded}})
	w.Apply(store.Deleted{Kind: kinds.PodKind, Namespace: "ml", Name: "bert-0", UID: "pod-1"})
	now = now.Add(10 * time.Second)
	w.Apply(store.Clock{Now: now})
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args, want string
		deleted    bool
	}{
		{"bert --at -35s", "step 1", false}, {"bert --at -15s", "step 1 SIGTERM checkpoint saved", true}, {"--at -15s", "step 1 SIGTERM checkpoint saved", true},
		{"bert", "step 1 SIGTERM checkpoint saved", true}, {"ml/job/bert --ranks 0", "step 1 SIGTERM checkpoint saved", true},
	} {
		out, messages, code := command(t, "", append(strings.Fields("logs --no-prefix "+c.args), "--from", path)...)
		if got := strings.ReplaceAll(strings.TrimSpace(out), "\n", " "); code != exitDone || got != c.want {
			t.Errorf("%s: exit %d: %q, want %q; %s", c.args, code, got, c.want, messages)
		}
		if said := strings.Contains(messages, "ml/Job/bert is deleted"); said != c.deleted {
			t.Errorf("%s: said %q", c.args, messages)
		}
	}
	for _, args := range []string{"diagnose bert", "curves bert"} {
		if _, messages, code := command(t, "", append(strings.Fields(args), "--from", path)...); code == exitDone || !strings.Contains(messages, "traintop logs ml/Job/bert") {
			t.Errorf("%s: exit %d: %s", args, code, messages)
		}
	}
	for _, args := range []string{"jobs", "jobs -o json", "jobs -o yaml"} {
		out, messages, _ := command(t, "", append(strings.Fields(args), "--from", path)...)
		if all := strings.Join(strings.Fields(out+messages), " "); strings.Count(all, "deleted is ml/Job/bert, whose logs traintop logs prints") != 1 {
			t.Errorf("%s does not name the deleted job: %s", args, all)
		}
	}
	if _, messages, _ := command(t, "", "logs", "nosuch", "--from", path); !strings.Contains(messages, `there is no job "nosuch"`) {
		t.Error(messages)
	}
}

// Jobs that had one name one after another are told apart by their UIDs.
func TestLogsOfAJobBeforeItWasRemade(t *testing.T) {
	now := time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC)
	path := filepath.Join(t.TempDir(), "a.ttrec")
	w, err := recording.Create(path, recording.Options{Now: func() time.Time { return now }, Flush: time.Hour, About: recording.About{Logs: recording.LogsAll}})
	if err != nil {
		t.Fatal(err)
	}
	yes, kind := true, schema.GroupKind{Group: "batch", Kind: "Job"}
	w.Apply(store.HealthChanged{Health: train.Health{Source: "lists", State: train.SourceLive}})
	w.Apply(store.Listed{Kind: kind}, store.Listed{Kind: kinds.PodKind})
	for _, life := range []string{"1", "2"} {
		job := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "bert", UID: types.UID("job-" + life), CreationTimestamp: metav1.NewTime(now)}}
		pod := &corev1.Pod{
			ObjectMeta: metav1.ObjectMeta{Namespace: "ml", Name: "bert-0", UID: types.UID("pod-" + life), CreationTimestamp: metav1.NewTime(now),
				OwnerReferences: []metav1.OwnerReference{{APIVersion: "batch/v1", Kind: "Job", Name: "bert", UID: job.UID, Controller: &yes}}},
			Spec:   corev1.PodSpec{NodeName: "n1", Containers: []corev1.Container{{Name: "main", Image: "pytorch"}}},
			Status: corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{{Name: "main", State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(now)}}}}},
		}
		id := train.StreamID{Namespace: "ml", Pod: "bert-0", UID: "pod-" + life, Container: "main"}
		w.Apply(store.Set{Kind: kind, Object: job}, store.Set{Kind: kinds.PodKind, Object: pod})
		w.Apply(store.StreamChanged{Stream: id, Status: train.StreamStatus{State: train.StreamEnded}})
		now = now.Add(time.Second)
		w.Apply(store.Logged{Stream: id, Lines: []train.LogLine{{Number: 1, Time: now, Text: "life " + life}}})
		now = now.Add(10 * time.Second)
		if life == "1" {
			w.Apply(store.Deleted{Kind: kind, Namespace: "ml", Name: "bert", UID: "job-1"})
			w.Apply(store.Deleted{Kind: kinds.PodKind, Namespace: "ml", Name: "bert-0", UID: "pod-1"})
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for args, want := range map[string][2]string{"bert": {"life 2", "1 other job of this name was deleted; by UID: logs job-1"}, "job-1": {"life 1", "is deleted"}, "job-2": {"life 2", "logs job-1"}} {
		out, messages, code := command(t, "", append(strings.Fields("logs --no-prefix "+args), "--from", path)...)
		if code != exitDone || strings.TrimSpace(out) != want[0] || !strings.Contains(messages, want[1]) {
			t.Errorf("%s: exit %d: %q, %s", args, code, out, messages)
		}
		excerpt := filepath.Join(t.TempDir(), "x.ttrec")
		if _, messages, code := command(t, "", "record", "--job", args, "--from", path, "-o", excerpt); code != exitDone || !strings.Contains(messages, want[1]) {
			t.Errorf("record --job %s: exit %d: %s", args, code, messages)
		}
		if out, messages, _ := command(t, "", "logs", "--no-prefix", args, "--from", excerpt); strings.TrimSpace(out) != want[0] {
			t.Errorf("record --job %s: its logs are %q; %s", args, out, messages)
		}
	}
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
