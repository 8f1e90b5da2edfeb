package store

import (
	"fmt"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// logOf is the log of one container instance of a pod's training container.
func logOf(pod *corev1.Pod, restart int) train.StreamID {
	return train.StreamID{Namespace: pod.Namespace, Pod: pod.Name, UID: string(pod.UID), Container: "pytorch", Restart: restart}
}

// printed returns n lines from a number on, a second apart, each with a step
// and a loss.
func printed(id train.StreamID, from, n int) Logged {
	e := Logged{Stream: id}
	for i := from; i < from+n; i++ {
		at := instant.Add(time.Duration(i) * time.Second)
		e.Lines = append(e.Lines, train.LogLine{Number: int64(i), Time: at, Text: fmt.Sprintf("step %d loss %g", i, 1/float64(i))})
		e.Samples = append(e.Samples, train.Sample{
			Line: int64(i), Time: at, Rank: -1, Step: float64(i), HasStep: true,
			Metrics: []train.Metric{{Name: train.MetricLoss, Value: 1 / float64(i)}},
		})
	}
	return e
}

func status(id train.StreamID, state train.StreamState) StreamChanged {
	return StreamChanged{Stream: id, Status: train.StreamStatus{State: state}, Rank: -1}
}

func streamsOf(logs []*Log) (all []train.StreamID) {
	for _, log := range logs {
		all = append(all, log.ID)
	}
	return all
}

func wantLogs(t *testing.T, s *Snapshot, job *train.Job, rank int, want ...train.StreamID) {
	t.Helper()
	if got := streamsOf(s.RankLogs(job, rank)); !slices.Equal(got, want) {
		t.Errorf("logs of rank %d are %v, want %v", rank, got, want)
	}
	for _, id := range want {
		if of, at, _ := s.RankOfLog(id); of == nil || of.ID != job.ID || at != rank {
			t.Errorf("%s belongs to %v rank %d, want rank %d", id, of, at, rank)
		}
	}
}

func TestLogsAreJoinedToRanks(t *testing.T) {
	for _, logsFirst := range []bool{false, true} {
		s := newStore()
		job := pyTorchJob("ml", "bert", "u1", 1)
		master, other := worker(job, -1, "n0"), worker(job, 0, "n1")
		objects := []Event{setJob(job), setPod(master), setPod(other)}
		sidecar := logOf(other, 0)
		sidecar.Container = "istio-proxy"
		logs := []Event{printed(logOf(master, 0), 1, 3), printed(logOf(other, 0), 1, 2), printed(sidecar, 1, 1)}
		if logsFirst {
			s.Apply(logs...)
			s.Snapshot()
			s.Apply(objects...)
		} else {
			s.Apply(objects...)
			s.Snapshot()
			s.Apply(logs...)
		}
		snapshot := s.Snapshot()
		got := snapshot.Jobs()[0]
		wantLogs(t, snapshot, got, 0, logOf(master, 0))
		wantLogs(t, snapshot, got, 1, logOf(other, 0), sidecar)
		if log := snapshot.RankLog(got, 1); log == nil || log.ID != logOf(other, 0) || log.Lines.Len() != 2 {
			t.Errorf("the training log of rank 1 is %v", log)
		}
		if run := snapshot.Run(got); run == nil || run.Step != 3 {
			t.Errorf("the run is %+v", run)
		}
		if first, second := snapshot.Run(got), snapshot.Run(got); first != second {
			t.Error("the run is made at each call")
		}
		if len(snapshot.LogJobs()) != 0 {
			t.Errorf("pods' logs made jobs of their own: %v", snapshot.LogJobs())
		}
	}
}

func TestLogsOfAPodThatIsGoneStayAtItsRank(t *testing.T) {
	s := newStore()
	job := pyTorchJob("ml", "bert", "u1", 1)
	first := worker(job, 0, "n1")
	s.Apply(setJob(job), setPod(worker(job, -1, "n0")), setPod(first), printed(logOf(first, 0), 1, 5))
	s.Snapshot()
	s.Apply(Deleted{Kind: kinds.PodKind, Namespace: "ml", Name: first.Name, UID: string(first.UID)})
	snapshot := s.Snapshot()
	wantLogs(t, snapshot, snapshot.Jobs()[0], 1, logOf(first, 0))

	second := worker(job, 0, "n2")
	second.UID = "later"
	second.Status.ContainerStatuses[0].RestartCount = 1
	s.Apply(setPod(second), printed(logOf(second, 1), 4, 3), printed(logOf(second, 0), 2, 2))
	snapshot = s.Snapshot()
	got := snapshot.Jobs()[0]
	wantLogs(t, snapshot, got, 1, logOf(first, 0), logOf(second, 0), logOf(second, 1))
	for i, id := range streamsOf(snapshot.RankLogs(got, 1)) {
		if _, _, attempt := snapshot.RankOfLog(id); attempt != i {
			t.Errorf("%s is attempt %d, want %d", id, attempt, i)
		}
	}
	if tracks := snapshot.Run(got).Tracks(train.MetricLoss); len(tracks) != 3 || tracks[2].Attempt != 2 || tracks[2].Rank != 1 {
		t.Errorf("tracks are %+v", tracks)
	}
}

// A batch Job gives its replacement pod another name.
func TestLogsOfAPodOfAnotherNameStayToo(t *testing.T) {
	s := newStore()
	job := object(batchKind, "v1", "ml", "tune", "u1", nil)
	job.Object["spec"] = map[string]any{"completions": int64(1), "completionMode": "Indexed"}
	pod := func(name string) *corev1.Pod {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{
			Namespace: "ml", Name: name, UID: types.UID(name), Annotations: map[string]string{"batch.kubernetes.io/job-completion-index": "0"},
			OwnerReferences: []metav1.OwnerReference{*ownedBy(batchKind, "v1", "tune", "u1")},
		}}
		p.Spec.Containers = []corev1.Container{{Name: "pytorch"}}
		return p
	}
	first, second := pod("tune-0-abcde"), pod("tune-0-fghij")
	s.Apply(Set{batchKind, job}, setPod(first), printed(logOf(first, 0), 1, 2))
	s.Snapshot()
	s.Apply(Deleted{Kind: kinds.PodKind, Namespace: "ml", Name: first.Name}, setPod(second), printed(logOf(second, 0), 1, 2))
	snapshot := s.Snapshot()
	wantLogs(t, snapshot, snapshot.Jobs()[0], 0, logOf(first, 0), logOf(second, 0))
}

func TestALaterJobOfTheNameDoesNotGetTheOldLogs(t *testing.T) {
	s := newStore()
	job := pyTorchJob("ml", "bert", "u1", 0)
	old := worker(job, -1, "n0")
	s.Apply(setJob(job), setPod(old), printed(logOf(old, 0), 1, 2))
	s.Snapshot()
	again := pyTorchJob("ml", "bert", "u2", 0)
	fresh := worker(again, -1, "n0")
	s.Apply(setJob(again), setPod(fresh), printed(logOf(fresh, 0), 1, 1))
	snapshot := s.Snapshot()
	wantLogs(t, snapshot, snapshot.Jobs()[0], 0, logOf(fresh, 0))
	if of, _, _ := snapshot.RankOfLog(logOf(old, 0)); of != nil {
		t.Errorf("the old log belongs to %v", of.Ref)
	}
}

func TestAFileThatIsKnownAsAPodsLog(t *testing.T) {
	s := newStore()
	job := pyTorchJob("ml", "bert", "u1", 0)
	master := worker(job, -1, "n0")
	file := train.StreamID{Namespace: "ml", Pod: master.Name, File: "logs/bert-master-0.log"}
	s.Apply(HealthChanged{train.Health{Source: "files", State: train.SourceListing}}, printed(file, 1, 3), status(file, train.StreamEnded))
	if jobs := s.Snapshot().LogJobs(); len(jobs) != 0 {
		t.Errorf("while the pod may come, the file makes jobs: %v", jobs)
	}
	s.Apply(setJob(job), setPod(master), HealthChanged{train.Health{Source: "files", State: train.SourceRead}})
	snapshot := s.Snapshot()
	wantLogs(t, snapshot, snapshot.Jobs()[0], 0, file)
	if log := snapshot.RankLog(snapshot.Jobs()[0], 0); log == nil {
		t.Error("a file without a container's name is not taken for the training log")
	}
}

func TestAPodsFileWithoutItsPodIsAJobOfItsOwn(t *testing.T) {
	s := newStore()
	file := train.StreamID{Namespace: "ml", Pod: "bert-master-0", Container: "pytorch", File: "/var/log/pods/0.log"}
	s.Apply(printed(file, 1, 3), status(file, train.StreamEnded))
	snapshot := s.Snapshot()
	if jobs := snapshot.LogJobs(); len(jobs) != 1 || jobs[0].Ref.Name != "bert-master-0" || len(jobs[0].Ranks) != 1 {
		t.Fatalf("jobs of files are %v", jobs)
	}
	wantLogs(t, snapshot, snapshot.LogJobs()[0], 0, file)

	job := pyTorchJob("ml", "bert", "u1", 0)
	s.Apply(setJob(job), setPod(worker(job, -1, "n0")))
	snapshot = s.Snapshot()
	wantLogs(t, snapshot, snapshot.Jobs()[0], 0, file)
	if jobs := snapshot.LogJobs(); len(jobs) != 0 {
		t.Errorf("the file still makes %v", jobs)
	}
}

// While a source still reads, the pod of a file may come: only then the file makes a
// job.
func TestAPodsFileWaitsForItsPod(t *testing.T) {
	s := newStore()
	reads := func(state train.SourceState) HealthChanged {
		return HealthChanged{Health: train.Health{Source: "dump", State: state}}
	}
	file := train.StreamID{Namespace: "ml", Pod: "bert-master-0", Container: "pytorch", File: "/var/log/pods/0.log"}
	s.Apply(reads(train.SourceListing), printed(file, 1, 3), status(file, train.StreamEnded))
	if jobs := s.Snapshot().LogJobs(); len(jobs) != 0 {
		t.Errorf("while pods come the file makes %v", jobs)
	}
	s.Apply(reads(train.SourceRead))
	jobs := s.Snapshot().LogJobs()
	if len(jobs) != 1 || jobs[0].Ref.Name != "bert-master-0" {
		t.Fatalf("after all was read the file makes %v", jobs)
	}
	wantLogs(t, s.Snapshot(), jobs[0], 0, file)
}

func fileLog(path, job string, rank int) StreamChanged {
	return StreamChanged{Stream: train.StreamID{File: path}, Status: train.StreamStatus{State: train.StreamLive}, Job: job, Rank: rank}
}

func TestFilesMakeJobs(t *testing.T) {
	s := newStore()
	single := train.StreamID{File: "/tmp/train.log"}
	s.Apply(printed(single, 1, 2), fileLog(single.File, "", -1),
		fileLog("/run/a/3.log", "run", 3), fileLog("/run/a/0.log", "run", 0), fileLog("/run/b/3.log", "run", 3), fileLog("/run/extra.log", "run", -1))
	snapshot := s.Snapshot()
	var got []string
	for _, job := range snapshot.LogJobs() {
		text := fmt.Sprintf("%s/%s %q wanted %d:", job.Ref.Kind, job.Ref.Name, job.Phase, job.Wanted)
		for rank := range job.Ranks {
			text += fmt.Sprintf(" %d=%v", job.Ranks[rank].Index, streamsOf(snapshot.RankLogs(job, rank)))
		}
		got = append(got, text)
		if snapshot.Job(job.ID) != job || !job.LogsOnly {
			t.Errorf("%s is not found by its ID", job.ID)
		}
	}
	want := []string{
		`Log/train.log "" wanted 1: 0=[/tmp/train.log]`,
		`Log/run "" wanted 3: 0=[/run/a/0.log] 3=[/run/a/3.log /run/b/3.log] 4=[/run/extra.log]`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("jobs of files are\n%q, want\n%q", got, want)
	}
	if len(snapshot.Jobs()) != 0 {
		t.Errorf("Jobs lists %v", snapshot.Jobs())
	}
	if run := snapshot.Run(snapshot.LogJobs()[0]); run == nil || run.Step != 2 {
		t.Errorf("the run is %+v", run)
	}

	version := snapshot.JobsVersion
	s.Apply(fileLog(single.File, "run", 7), StreamChanged{Stream: train.StreamID{File: "/run/extra.log"}})
	snapshot = s.Snapshot()
	if jobs := snapshot.LogJobs(); len(jobs) != 1 || len(jobs[0].Ranks) != 3 || jobs[0].Ranks[2].Index != 7 || snapshot.JobsVersion == version {
		t.Errorf("after a change: %+v", jobs)
	}
}

func TestALogIsReadAgain(t *testing.T) {
	s := newStore()
	id := train.StreamID{File: "train.log"}
	s.Apply(printed(id, 1, 9), fileLog(id.File, "", -1))
	before := s.Snapshot()
	s.Apply(StreamChanged{Stream: id, Status: train.StreamStatus{State: train.StreamLive}, Restart: true, Rank: -1}, printed(id, 1, 2))
	after := s.Snapshot()
	if n := before.Log(id).Lines.Len(); n != 9 {
		t.Errorf("the earlier snapshot has %d lines", n)
	}
	if log := after.Log(id); log.Lines.Len() != 2 || log.Samples.Samples != 2 || log.Version == before.Log(id).Version {
		t.Errorf("the log has %d lines and %d samples", log.Lines.Len(), log.Samples.Samples)
	}
	if run := after.Run(after.LogJobs()[0]); run.Step != 2 {
		t.Errorf("the run stands at step %g", run.Step)
	}
	s.Apply(StreamChanged{Stream: id})
	if gone := s.Snapshot(); gone.Log(id) != nil || len(gone.LogJobs()) != 0 || gone.LogsVersion == after.LogsVersion {
		t.Error("a log that was taken out is still there")
	}
}

// The end of a log may not contain the total; the command line does. The total that
// the log prints takes precedence.
func TestTheCommandLineTellsTheTotal(t *testing.T) {
	s := newStore()
	job := pyTorchJob("ml", "bert", "u1", 0)
	master := worker(job, -1, "n0")
	master.Spec.Containers[0].Args = []string{"train.py", "--max_steps", "500"}
	s.Apply(setJob(job), setPod(master), printed(logOf(master, 0), 1, 20))
	wants := func(total float64) {
		t.Helper()
		snapshot := s.Snapshot()
		if run := snapshot.Run(snapshot.Jobs()[0]); run.TotalSteps != total {
			t.Errorf("the total is %v, want %v", run.TotalSteps, total)
		}
	}
	wants(500)
	s.Apply(Logged{Stream: logOf(master, 0), Hints: &train.ProgressHints{TotalSteps: 300}})
	wants(300)
}

func TestARunIsMadeAnewOnlyForAChange(t *testing.T) {
	s := newStore()
	a, b := pyTorchJob("ml", "a", "ua", 0), pyTorchJob("ml", "b", "ub", 0)
	podA, podB := worker(a, -1, "n0"), worker(b, -1, "n0")
	s.Apply(setJob(a), setJob(b), setPod(podA), setPod(podB), printed(logOf(podA, 0), 1, 2), printed(logOf(podB, 0), 1, 2))
	before := s.Snapshot()
	runA, runB := before.Run(before.Jobs()[0]), before.Run(before.Jobs()[1])
	s.Apply(printed(logOf(podA, 0), 3, 1))
	after := s.Snapshot()
	if after.Run(after.Jobs()[1]) != runB {
		t.Error("the run of a job without news is made anew")
	}
	if run := after.Run(after.Jobs()[0]); run == runA || run.Step != 3 {
		t.Errorf("the run stands at step %g", run.Step)
	}
	if run := before.Run(before.Jobs()[0]); run.Step != 2 {
		t.Errorf("the earlier snapshot's run stands at step %g", run.Step)
	}
}
