package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/traintop/traintop/diagnose"
	"github.com/traintop/traintop/e2e/operator"
	"github.com/traintop/traintop/sources/kube"
	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/sources/redact/eventmask"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// recorded is a live cluster that is followed and recorded.
type recorded struct {
	*spine
	writer *recording.Writer
}

// Apply implements sources.Sink: the recording first, so that events in a
// snapshot were written before.
func (r *recorded) Apply(all ...store.Event) {
	r.writer.Apply(all...)
	r.store.Apply(all...)
}

func record(t *testing.T, namespace, path string) *recorded {
	t.Helper()
	flags := genericclioptions.NewConfigFlags(false)
	flags.KubeConfig = &cluster.Kubeconfig
	source, err := kube.New(kube.Options{Flags: flags, Namespace: namespace})
	must(t, err)
	writer, err := recording.Create(path, recording.Options{
		Now: time.Now, Redact: eventmask.New(), Snapshots: 2 * time.Second, About: recording.About{Logs: recording.LogsAll, Redacted: true},
	})
	must(t, err)
	r := &recorded{spine: &spine{t: t, store: store.New(time.Now), source: source}, writer: writer}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := source.Run(ctx, r); err != nil {
			t.Errorf("the source ended by itself: %v", err)
		}
	})
	t.Cleanup(func() { cancel(); running.Wait() })
	return r
}

// seen is the visible state of a namespace at an instant: rows, curves, logs
// and findings.
type seen struct {
	at   time.Time
	text string

	jobs  []jobRow
	lines []string // of all logs of existing jobs
	cause string   // the title of the first finding
}

func see(snapshot *store.Snapshot) (is seen) {
	var text strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&text, format+"\n", args...) }
	report := diagnose.Run(snapshot, diagnose.Options{}, nil)
	for _, job := range snapshot.Jobs() {
		is.jobs = append(is.jobs, rowOf(job))
		say("%s %s %q %d/%d restarts %d age %s", job.Ref, job.Phase, job.Reason, job.Ready, job.Wanted, job.Restarts, snapshot.Now.Sub(job.Created).Truncate(time.Second))
		if run := snapshot.Run(job); run != nil {
			say("  step %v loss %v", run.Step, run.Loss)
		}
		for i := range job.Ranks {
			say("  rank %d %s %s %s", job.Ranks[i].Index, job.Ranks[i].State, job.Ranks[i].Pod, job.Ranks[i].Node)
			for _, log := range snapshot.RankLogs(job, i) {
				say("    %s %s, %d lines, %d samples, %d hits", log.ID, log.Status.State, log.Lines.Len(), log.Samples.Samples, len(log.Hits))
				for _, column := range log.Samples.Columns {
					say("      %s %v", column.Name, column.Values)
				}
				for n := range log.Lines.Len() {
					line := log.Lines.At(n)
					is.lines = append(is.lines, line.Text)
					say("      %d %s %s", line.Number, line.Time.UTC().Format(time.RFC3339Nano), line.Text)
				}
			}
		}
		if answer := report.Job(job.ID); answer != nil {
			for i, finding := range answer.Findings {
				if i == 0 {
					is.cause = finding.Title
				}
				say("  %s %s: %s %v", finding.Severity, finding.Cause, finding.Title, finding.Hides)
			}
		}
	}
	say("%d events", snapshot.Count(kinds.EventKind))
	is.at, is.text = snapshot.Now, text.String()
	return is
}

// rowOf is a job as `traintop jobs -o json` has it.
func rowOf(job *train.Job) jobRow {
	row := jobRow{
		Namespace: job.Ref.Namespace, Group: job.Ref.Group, Kind: job.Ref.Kind, Name: job.Ref.Name, Phase: string(job.Phase),
		Training: job.Training, Reason: job.Reason, GPUs: job.GPUs, Restarts: job.Restarts,
	}
	row.Ranks.Wanted, row.Ranks.Ready = job.Wanted, job.Ready
	return row
}

// still waits until the snapshot stays the same for a moment, and returns it.
func (r *recorded) still() seen {
	r.t.Helper()
	before := see(r.store.Snapshot())
	for range 100 {
		time.Sleep(400 * time.Millisecond)
		now := r.store.Snapshot()
		if next := see(now); withoutAges(next.text) == withoutAges(before.text) {
			return next
		} else {
			before = next
		}
	}
	r.t.Fatal("the screen never stands still")
	return seen{}
}

func withoutAges(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		before, _, _ := strings.Cut(line, " age ")
		kept = append(kept, before)
	}
	return strings.Join(kept, "\n")
}

// A job runs, fails and is deleted; the state at ten instants is the same in
// the recording of it, by the same program and by the command.
func TestARecordedLifeIsAsItWasSeen(t *testing.T) {
	t.Parallel()
	const namespace = "recorded"
	namespaces(t, namespace)
	path := filepath.Join(t.TempDir(), "life.ttrec")
	live := record(t, namespace, path)
	live.settled()
	var all []seen
	look := func() { t.Helper(); all = append(all, live.still()) }
	look() // nothing yet

	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("bert", runsAnywhere)))
	log := newContainerLog(t, "bert")
	serveLogs(t, plays, "bert-worker-0", log, nil)
	live.followLogs("bert", true)
	look() // it starts
	for part := range 4 {
		for step := range 50 {
			log.print(fmt.Sprintf("step: %d/2000 loss: %.4f lr: 0.001", part*50+step+1, 2+8/float64(part*50+step+1)))
		}
		live.untilLogged(soon, "bert", 0, log.printed)
		look()
	}
	log.print("export API_TOKEN=hf_abcdefghijklmnopqrstuvwxyzABCDEFGH", "Traceback (most recent call last):", `  File "/workspace/train.py", line 88, in <module>`, "    loss.backward()",
		"torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.50 GiB. GPU 0 has a total capacity of 79.11 GiB of which 1.21 GiB is free.")
	live.untilLogged(soon, "bert", 0, log.printed)
	look()
	must(t, plays.Annotate(t.Context(), "bert-worker-0", "e2e/exit", "1"))
	live.until(time.Minute, func(snapshot *store.Snapshot) error {
		if job := jobNamed(snapshot, "bert"); len(job.Ranks) == 0 || job.Ranks[0].State != train.RankFailed {
			return errors.New("the rank has not failed")
		}
		return nil
	})
	look()
	must(t, cluster.Delete(t.Context(), named("v1", "Pod", namespace, "bert-worker-0")))
	look()
	must(t, cluster.Delete(t.Context(), named("kubeflow.org/v1", "PyTorchJob", namespace, "bert")))
	live.until(time.Minute, func(snapshot *store.Snapshot) error {
		if job := jobNamed(snapshot, "bert"); job.ID != "" {
			return errors.New("the job is still there")
		}
		return nil
	})
	look()
	must(t, live.writer.Close())

	file, err := recording.Open(path)
	must(t, err)
	defer func() { must(t, file.Close()) }()
	if info := file.Info(); len(info.Damage)+len(info.Gaps) > 0 || info.Redacted["hugging-face-token"]+len(info.Redacted) == 0 {
		t.Errorf("info %+v", info)
	}
	if len(all) < 10 {
		t.Fatalf("only %d instants were looked at", len(all))
	}
	for i, at := range all {
		for _, backlog := range []int64{recording.Backlog, 0} { // from the beginning, and from the snapshot before it
			again := store.New(func() time.Time { return time.Unix(0, 0) })
			must(t, file.Load(t.Context(), again, at.at, backlog))
			if got := see(again.Snapshot()); withoutSecret(got.text) != withoutSecret(at.text) {
				t.Errorf("instant %d, %s, backlog %d: live it was\n%s\nand the recording has\n%s", i, at.at.Format(time.TimeOnly), backlog, at.text, got.text)
			}
		}
		sameByCommand(t, path, at)
	}
}

// sameByCommand compares the live state with the output of the commands for the
// recording at that instant: rows, lines of logs and findings.
func sameByCommand(t *testing.T, path string, at seen) {
	t.Helper()
	printed := func(args ...string) string {
		t.Helper()
		out, complaints, err := run(t.Context(), cluster.Kubeconfig, append(args, "--from", path, "--at", at.at.UTC().Format(time.RFC3339Nano))...)
		if err != nil && out == "" {
			t.Errorf("traintop %v at %s: %v\n%s", args, at.at.Format(time.TimeOnly), err, complaints)
		}
		return out
	}
	var rows answer
	must(t, json.Unmarshal([]byte(printed("jobs", "-o", "json")), &rows))
	live := at.jobs
	if len(rows.Jobs) != len(live) {
		t.Errorf("at %s there were %d jobs, and the command has %+v", at.at.Format(time.TimeOnly), len(live), rows.Jobs)
		return
	}
	for i, row := range rows.Jobs {
		if row != live[i] {
			t.Errorf("at %s the row was %+v, and the command has %+v", at.at.Format(time.TimeOnly), live[i], row)
		}
	}
	if len(at.lines) == 0 {
		return
	}
	out := printed("logs", "bert")
	for _, line := range at.lines {
		if !strings.Contains(line, "API_TOKEN=") && !strings.Contains(out, line) {
			t.Errorf("at %s the log had %q, and the command prints\n%s", at.at.Format(time.TimeOnly), line, out)
			return
		}
	}
	if found := printed("diagnose", "bert"); at.cause != "" && !strings.Contains(found, at.cause) {
		t.Errorf("at %s it was %q, and the command finds\n%s", at.at.Format(time.TimeOnly), at.cause, found)
	}
}

// withoutSecret leaves out the line whose secret is not in the recording.
func withoutSecret(text string) string {
	var kept []string
	for line := range strings.Lines(text) {
		if !strings.Contains(line, "API_TOKEN=") {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "")
}

// The command is killed, and its file opens; the file is continued and ended
// with SIGTERM, and opens without an error.
func TestRecordCommandKilledAndContinued(t *testing.T) {
	t.Parallel()
	const namespace = "record-killed"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("bert", runsAnywhere)))
	log := newContainerLog(t, "bert")
	serveLogs(t, plays, "bert-worker-0", log, nil)
	path := filepath.Join(t.TempDir(), "a.ttrec")

	first := startRecorder(t, namespace, path)
	log.print("step: 1/2000 loss: 9.5 lr: 0.001", "step: 2/2000 loss: 9.1 lr: 0.001")
	untilRecorded(t, path, "bert", "step: 2/2000")
	must(t, first.Process.Kill())
	_ = first.Wait() // it was killed
	if rows := replayed(t, path); len(rows.Jobs) != 1 || rows.Jobs[0].Phase != "Running" {
		t.Errorf("after kill -9: %+v", rows)
	}

	second := startRecorder(t, namespace, path)
	log.print("step: 3/2000 loss: 8.5 lr: 0.001")
	untilRecorded(t, path, "bert", "step: 3/2000")
	must(t, second.Process.Signal(syscall.SIGTERM))
	if err := second.Wait(); err != nil {
		t.Errorf("after SIGTERM: %v\n%s", err, second.Stderr)
	}
	if said := second.Stderr.(*bytes.Buffer).String(); !strings.Contains(said, "recorded") {
		t.Errorf("it ends with %q", said)
	}
	rows := replayed(t, path)
	if len(rows.Jobs) != 1 || len(rows.Problems) != 1 || !strings.Contains(rows.Problems[0].Text, "the recorder was not running") {
		t.Errorf("after SIGTERM: %+v", rows)
	}
}

func startRecorder(t *testing.T, namespace, path string) *exec.Cmd {
	t.Helper()
	return startRecorderOf(t, cluster.Kubeconfig, path, "-n", namespace)
}

func startRecorderOf(t *testing.T, kubeconfig, path string, args ...string) *exec.Cmd {
	t.Helper()
	command := exec.Command(programs.traintop, append([]string{"record", "-o", path, "--prometheus=off", "--kubeconfig=" + kubeconfig}, args...)...)
	command.Env, command.Stderr = environment(), &bytes.Buffer{}
	must(t, command.Start())
	t.Cleanup(func() { _ = command.Process.Kill() })
	return command
}

// untilRecorded waits until a recording that is being written holds a line of a job.
func untilRecorded(t *testing.T, path, job, line string) {
	t.Helper()
	must(t, cluster.Wait(t.Context(), time.Minute, func(ctx context.Context) error {
		out, complaints, err := run(ctx, cluster.Kubeconfig, "logs", job, "--from", path)
		if err == nil && !strings.Contains(out, line) {
			err = errors.New("the line is not in it")
		}
		if err != nil {
			return fmt.Errorf("%w: %s%s", err, out, complaints)
		}
		return nil
	}))
}

func replayed(t *testing.T, path string) (rows answer) {
	t.Helper()
	out, complaints, err := run(t.Context(), cluster.Kubeconfig, "jobs", "-o", "json", "--from", path)
	if err != nil {
		t.Fatalf("traintop jobs --from: %v\n%s", err, complaints)
	}
	must(t, json.Unmarshal([]byte(out), &rows))
	return rows
}
