package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/e2e/operator"
)

// waitLine is one line of `traintop wait -o json`, as far as tests read it.
type waitLine struct {
	Event, Job, Phase, Outcome, Condition, Why string
	Attempt, ExitCode                          int
	Step, Loss                                 float64
	Jobs                                       []struct{ Job, Outcome string }
	Diagnosis                                  struct{ Findings []struct{ Cause, Job string } }
}

// waiting is a `traintop wait` that runs.
type waiting struct {
	t        *testing.T
	command  *exec.Cmd
	complain bytes.Buffer

	mu    sync.Mutex
	lines []waitLine
	more  chan struct{}
	done  chan struct{}
}

// startWait starts `traintop wait -o json`.
func startWait(t *testing.T, kubeconfig string, args ...string) *waiting {
	t.Helper()
	w := &waiting{t: t, more: make(chan struct{}, 1), done: make(chan struct{})}
	w.command = exec.CommandContext(t.Context(), programs.traintop, append([]string{"wait", "-o", "json", "--kubeconfig=" + kubeconfig}, args...)...)
	w.command.Env, w.command.Stderr = environment(), &w.complain
	out, err := w.command.StdoutPipe()
	must(t, err)
	must(t, w.command.Start())
	go func() {
		defer close(w.done)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			var line waitLine
			if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
				t.Errorf("no JSON: %v: %s", err, lines.Bytes())
			}
			w.mu.Lock()
			w.lines = append(w.lines, line)
			w.mu.Unlock()
			select {
			case w.more <- struct{}{}:
			default:
			}
		}
	}()
	return w
}

// count counts lines of an event that contain a text.
func (w *waiting) count(event, text string) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, line := range w.lines {
		if line.Event == event && strings.Contains(line.Job+" "+line.Phase+" "+line.Outcome+" "+line.Why, text) {
			n++
		}
	}
	return n
}

// until waits for so many lines of an event that contain a text.
func (w *waiting) until(atMost time.Duration, n int, event, text string) {
	w.t.Helper()
	late := time.After(atMost)
	for w.count(event, text) < n {
		select {
		case <-w.more:
		case <-time.After(50 * time.Millisecond):
		case <-late:
			w.t.Fatalf("after %s there are %d lines %q with %q, want %d\n%+v", atMost, w.count(event, text), event, text, n, w.all())
		case <-w.done:
			if w.count(event, text) < n {
				w.t.Fatalf("it ended with %d lines %q with %q, want %d\n%+v\n%s", w.count(event, text), event, text, n, w.all(), w.end())
			}
		}
	}
}

func (w *waiting) all() []waitLine {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.lines)
}

// end waits for the end and returns what was printed on standard error.
func (w *waiting) end() string {
	<-w.done
	_ = w.command.Wait() // the exit code is checked
	return w.complain.String()
}

// ends checks the exit code, and that the last line has it too.
func (w *waiting) ends(code int) waitLine {
	w.t.Helper()
	complaints := w.end()
	lines := w.all()
	if got := w.command.ProcessState.ExitCode(); got != code || len(lines) == 0 {
		w.t.Fatalf("exit %d, want %d\n%+v\n%s", got, code, lines, complaints)
	}
	last := lines[len(lines)-1]
	if last.Event != "end" || last.ExitCode != code {
		w.t.Errorf("the last line is %+v, want the end with exit code %d", last, code)
	}
	return last
}

// fastJob is a PyTorchJob without pods.
func fastJob(name string) string {
	return strings.ReplaceAll(`
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: NAME}
spec:
  pytorchReplicaSpecs:
    Worker: {replicas: 1, restartPolicy: Never, template: {spec: {containers: [{name: pytorch, image: registry.example/train}]}}}
`, "NAME", name)
}

// fastPod is its pod, on no node, so that only the test writes its status.
func fastPod(name string) string {
	return strings.ReplaceAll(`
apiVersion: v1
kind: Pod
metadata:
  name: NAME-worker-0
  annotations: {e2e/owner: PyTorchJob/NAME}
  labels: {training.kubeflow.org/job-name: NAME, training.kubeflow.org/operator-name: pytorchjob-controller, training.kubeflow.org/replica-type: worker, training.kubeflow.org/replica-index: "0"}
spec: {schedulerName: nobody, containers: [{name: pytorch, image: registry.example/train}]}
`, "NAME", name)
}

// condition is a status of one condition, as the training-operator writes it.
func condition(kind string) map[string]any {
	now := time.Now().UTC().Format(time.RFC3339)
	return map[string]any{"conditions": []any{map[string]any{
		"type": kind, "status": "True", "reason": "PyTorchJob" + kind, "message": "it is", "lastUpdateTime": now, "lastTransitionTime": now,
	}}}
}

func setStatus(ctx context.Context, namespace, name string, status map[string]any) error {
	job := named("kubeflow.org/v1", "PyTorchJob", namespace, name)
	resource, err := cluster.Resource(job)
	if err != nil {
		return err
	}
	patch, err := json.Marshal(map[string]any{"status": status})
	if err != nil {
		return err
	}
	_, err = resource.Patch(ctx, name, types.MergePatchType, patch, metav1.PatchOptions{}, "status")
	return err
}

// fastTime is how long a fast job runs.
const fastTime = 50 * time.Millisecond

// runFast lets a job pass Running and leaves nothing that shows it: the status
// that reported it is replaced, or the pod that ran is gone. It returns how long
// the server had the job running.
func runFast(ctx context.Context, plays operator.Operator, name string, withPod bool) (time.Duration, error) {
	if !withPod {
		if err := plays.ApplyOwned(ctx, fastJob(name)); err != nil {
			return 0, err
		}
		if err := setStatus(ctx, plays.Namespace, name, condition("Running")); err != nil {
			return 0, err
		}
		began := time.Now()
		time.Sleep(fastTime)
		return time.Since(began), setStatus(ctx, plays.Namespace, name, condition("Created"))
	}
	if err := plays.ApplyOwned(ctx, fastJob(name)+"---"+fastPod(name)); err != nil {
		return 0, err
	}
	pods := cluster.Clients().CoreV1().Pods(plays.Namespace)
	pod, err := pods.Get(ctx, name+"-worker-0", metav1.GetOptions{})
	if err != nil {
		return 0, err
	}
	pod.Status = corev1.PodStatus{Phase: corev1.PodRunning, ContainerStatuses: []corev1.ContainerStatus{{
		Name: "pytorch", Ready: true, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}},
	}}}
	if _, err := pods.UpdateStatus(ctx, pod, metav1.UpdateOptions{}); err != nil {
		return 0, err
	}
	began := time.Now()
	time.Sleep(fastTime)
	atOnce := int64(0)
	return time.Since(began), pods.Delete(ctx, pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &atOnce})
}

// Two hundred jobs run for 50 ms each, many at the same time, and nothing shows
// afterwards that they ran. None is missed.
func TestWaitMissesNoFastJob(t *testing.T) {
	const namespace, jobs = "wait-fast", 200
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	args := []string{"-n", namespace, "--for", "running", "--timeout", "4m"}
	for i := range jobs {
		args = append(args, fmt.Sprintf("fast-%03d", i))
	}
	w := startWait(t, cluster.Kubeconfig, args...)
	w.until(time.Minute, jobs, "waiting", "yet")

	work, took := make(chan int), make([]time.Duration, jobs)
	var running sync.WaitGroup
	for range 16 {
		running.Go(func() {
			for i := range work {
				var err error
				if took[i], err = runFast(t.Context(), plays, fmt.Sprintf("fast-%03d", i), i%2 == 0); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for i := range jobs {
		work <- i
	}
	close(work)
	running.Wait()
	slices.Sort(took)
	t.Logf("jobs ran for %s (median), %s at most", took[jobs/2], took[jobs-1])
	if last := w.ends(0); len(last.Jobs) != jobs || w.count("outcome", "reached") != jobs {
		t.Errorf("%d jobs, %d reached, want %d", len(last.Jobs), w.count("outcome", "reached"), jobs)
	}
}

// A job that Kueue holds back runs once it is admitted.
func TestWaitOnSuspendedJob(t *testing.T) {
	t.Parallel()
	const namespace = "wait-kueue"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), strings.ReplaceAll(kueueQueue, "e2e-queued", "e2e-wait")))
	must(t, plays.ApplyOwned(t.Context(), kueueJob("held", true, waitsForQuota)))
	w := startWait(t, cluster.Kubeconfig, "-n", namespace, "held", "--for", "running", "--timeout", "2m")
	w.until(time.Minute, 1, "state", "Queued")
	must(t, plays.ApplyOwned(t.Context(), kueueJob("held", false, admitted)))
	w.until(time.Minute, 1, "state", "Pending")
	for rank := range 2 {
		pod := strings.NewReplacer("NAME-worker-0", fmt.Sprintf("held-worker-%d", rank), "NAME", "held", `replica-index: "0"`, fmt.Sprintf(`replica-index: "%d"`, rank), "schedulerName: nobody, ", "").Replace(fastPodOf)
		must(t, plays.ApplyOwned(t.Context(), kueueJob("held", false, admitted)+"---"+pod))
	}
	w.ends(0)
}

// fastPodOf is the text of fastPod before the name is set.
var fastPodOf = fastPod("NAME")

// A job that is deleted and created again is waited for on; one that stays away
// is gone.
func TestWaitOnRecreatedJob(t *testing.T) {
	t.Parallel()
	const namespace = "wait-again"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	for _, name := range []string{"again", "goes"} {
		must(t, plays.ApplyOwned(t.Context(), pytorchJob(name, runsAnywhere)))
	}
	again := startWait(t, cluster.Kubeconfig, "-n", namespace, "pytorchjob/again", "--timeout", "3m")
	goes := startWait(t, cluster.Kubeconfig, "goes", "-n", namespace, "--timeout", "3m")
	again.until(time.Minute, 1, "state", "Running")
	goes.until(time.Minute, 1, "state", "Running")
	must(t, deleteJob(t, namespace, "again"))
	must(t, deleteJob(t, namespace, "goes"))
	goes.until(20*time.Second, 1, "deleted", "")
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("again", runsAnywhere)))
	again.until(20*time.Second, 1, "recreated", "attempt 2")
	must(t, setStatus(t.Context(), namespace, "again", condition("Succeeded")))
	again.ends(0)
	if lines := again.all(); lines[len(lines)-2].Attempt != 2 || lines[len(lines)-2].Condition != "done" {
		t.Errorf("the outcome is %+v, want done in attempt 2", lines[len(lines)-2])
	}
	goes.ends(5)
}

// The API server is killed while a job is waited for. The job ends meanwhile.
func TestWaitThroughOutage(t *testing.T) {
	const namespace = "wait-outage"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("endures", runsAnywhere)))
	wire, kubeconfig := newWire(t)
	w := startWait(t, kubeconfig, "-n", namespace, "endures", "--timeout", "5m")
	w.until(time.Minute, 1, "state", "Running")
	wire.cut()
	cluster.StopAPIServer()
	w.until(recovered, 1, "unreachable", "cannot be reached")
	must(t, cluster.StartAPIServer(t.Context()))
	must(t, setStatus(t.Context(), namespace, "endures", condition("Succeeded")))
	wire.mend()
	w.until(recovered, 1, "reachable", "")
	w.ends(0)
}

// A job that fails: the cause is printed, and the exit code reports it.
func TestWaitOnFailedJob(t *testing.T) {
	t.Parallel()
	const namespace = "wait-failed"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("dies", runsAnywhere, `e2e/exit: "137"`, "e2e/reason: OOMKilled", "e2e/after: 2s")))
	w := startWait(t, cluster.Kubeconfig, "-n", namespace, "dies", "--timeout", "2m")
	w.until(time.Minute, 1, "state", "dies")
	must(t, cluster.Wait(t.Context(), time.Minute, func(ctx context.Context) error {
		pod, err := cluster.Clients().CoreV1().Pods(namespace).Get(ctx, "dies-worker-0", metav1.GetOptions{})
		if err == nil && pod.Status.Phase != corev1.PodFailed {
			err = fmt.Errorf("the pod is %s", pod.Status.Phase)
		}
		return err
	}))
	must(t, setStatus(t.Context(), namespace, "dies", condition("Failed")))
	last := w.ends(3)
	if findings := last.Diagnosis.Findings; len(findings) == 0 || !strings.HasPrefix(findings[0].Cause, "oom") {
		t.Errorf("the diagnosis finds %+v, want that it ran out of memory", findings)
	}
	out, complaints, err := run(t.Context(), cluster.Kubeconfig, "wait", "-n", namespace, "dies")
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 3 || !strings.Contains(out, "oom") || strings.Contains(out, "\x1b") {
		t.Errorf("as text: %v\n%s%s", err, out, complaints)
	}
	if out, complaints, err := run(t.Context(), cluster.Kubeconfig, "wait", "-n", namespace, "dies", "--for", "failed"); err != nil {
		t.Errorf("waiting for its failure: %v\n%s%s", err, out, complaints)
	}
}

// A job that runs and prints nothing any more is stuck; before that its steps and
// losses were seen.
func TestWaitOnStuckJob(t *testing.T) {
	t.Parallel()
	const namespace = "wait-stuck"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("hangs", runsAnywhere)))
	printed := newContainerLog(t, "hangs")
	serveLogs(t, plays, "hangs-worker-0", printed, nil)
	first := startWait(t, cluster.Kubeconfig, "-n", namespace, "hangs", "--for", "first-step", "--timeout", "2m")
	loss := startWait(t, cluster.Kubeconfig, "-n", namespace, "hangs", "--for", "loss<1,step=400", "--timeout", "3m")
	first.until(time.Minute, 1, "state", "Running")
	stop := printed.chatter(50 * time.Millisecond)
	first.ends(0)
	loss.ends(0)
	stop()
	w := startWait(t, cluster.Kubeconfig, "-n", namespace, "hangs", "--no-progress", "20s", "--timeout", "3m")
	began := time.Now()
	w.ends(4)
	t.Logf("stuck after %s", time.Since(began))
}

// The diagnosis decides: a job that no node has room for. Jobs are chosen by a
// label, and one that comes later counts too.
func TestWaitForFinding(t *testing.T) {
	t.Parallel()
	const namespace = "wait-trouble"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	tooLarge := func(name string) string {
		text := pytorchJob(name, `{containers: [{name: pytorch, image: registry.example/train, resources: {limits: {nvidia.com/gpu: 99}}}]}`)
		return strings.Replace(text, "metadata: {name: "+name+"}", "metadata: {name: "+name+", labels: {sweep: a}}", 1)
	}
	cause := startWait(t, cluster.Kubeconfig, "-n", namespace, "-l", "sweep=a", "--for", "done,finding=insufficient-gpu,trouble", "--timeout", "3m")
	cause.until(time.Minute, 1, "waiting", "yet")
	must(t, plays.ApplyOwned(t.Context(), tooLarge("large")))
	last := cause.ends(0)
	if len(last.Jobs) != 1 {
		t.Errorf("the jobs are %+v", last.Jobs)
	}
}

// An interrupted wait reports what was reached so far.
func TestWaitInterrupted(t *testing.T) {
	t.Parallel()
	const namespace = "wait-interrupted"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("runs", runsAnywhere)))
	w := startWait(t, cluster.Kubeconfig, "-n", namespace, "runs", "comes", "--for", "running")
	w.until(time.Minute, 1, "outcome", "reached")
	must(t, w.command.Process.Signal(syscall.SIGINT))
	last := w.ends(130)
	if said := w.complain.String(); len(last.Jobs) != 2 || !strings.Contains(said, "1 of 2 jobs") || !strings.Contains(said, "comes") {
		t.Errorf("it says %q, and %+v", said, last.Jobs)
	}
}

// A job that does not come is waited for until the time is over.
func TestWaitForJobThatDoesNotCome(t *testing.T) {
	t.Parallel()
	const namespace = "wait-none"
	namespaces(t, namespace)
	w := startWait(t, cluster.Kubeconfig, "-n", namespace, "nobody", "--timeout", "5s")
	w.ends(124)
	if w.count("waiting", "nobody") != 1 {
		t.Errorf("that it waits is said %d times", w.count("waiting", "nobody"))
	}
}

// Without the right to list jobs it fails at once and names which right is
// missing; without a server it does too.
func TestWaitWithoutRights(t *testing.T) {
	t.Parallel()
	const namespace = "wait-refused"
	namespaces(t, namespace)
	w := startWait(t, user(t, "wait-nobody"), "-n", namespace, "pytorchjob/x", "--timeout", "1m")
	if said := w.end(); w.command.ProcessState.ExitCode() != 1 || !strings.Contains(said, "pytorchjobs") {
		t.Errorf("exit %d: %s", w.command.ProcessState.ExitCode(), said)
	}
	wire, kubeconfig := newWire(t)
	wire.cut()
	w = startWait(t, kubeconfig, "-n", namespace, "x", "--timeout", "1m")
	if said := w.end(); w.command.ProcessState.ExitCode() != 1 || !strings.Contains(said, wire.address) {
		t.Errorf("exit %d: %s", w.command.ProcessState.ExitCode(), said)
	}
}
