package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/e2e/operator"
)

// sentNotice is what a webhook gets, as far as tests read it.
type sentNotice struct {
	ID, Change string
	Incident   struct {
		ID, Rule, Cause, Shared, Outcome string
		Jobs                             []struct{ Namespace, Name string }
	}
}

// sink is a webhook that keeps what it gets.
type sink struct {
	*httptest.Server
	mu  sync.Mutex
	got []sentNotice
	at  []time.Time
	// before is called before a notice is answered, nil for nothing.
	before func()
}

func newSink(t *testing.T) *sink {
	t.Helper()
	s := &sink{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		var n sentNotice
		if err := json.NewDecoder(r.Body).Decode(&n); err != nil {
			t.Errorf("what is sent is no JSON: %v", err)
		}
		s.mu.Lock()
		s.got, s.at = append(s.got, n), append(s.at, time.Now())
		before := s.before
		s.mu.Unlock()
		if before != nil {
			before()
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// of are the notices about a job or an object that jobs share, as "opened
// nan-loss".
func (s *sink) of(name string) (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, n := range s.got {
		if n.Incident.Shared == name || n.Incident.Shared == "" && len(n.Incident.Jobs) == 1 && n.Incident.Jobs[0].Name == name {
			all = append(all, n.Change+" "+n.Incident.Cause)
		}
	}
	return all
}

// until waits for so many notices about a name, and returns them.
func (s *sink) until(t *testing.T, atMost time.Duration, name string, n int, w *watching) []string {
	t.Helper()
	for began := time.Now(); len(s.of(name)) < n; time.Sleep(50 * time.Millisecond) {
		if time.Since(began) > atMost {
			t.Fatalf("after %s there are %q about %s, want %d; all are %+v\n%s", atMost, s.of(name), name, n, s.all(), w.text())
		}
	}
	return s.of(name)
}

func (s *sink) all() []sentNotice {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.got)
}

// watchHome is a home folder whose configuration names the sink and shortens
// what rules wait for.
func watchHome(t *testing.T, s *sink) string {
	t.Helper()
	home := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(home, "traintop"), 0o700))
	must(t, os.WriteFile(filepath.Join(home, "traintop", "config.yaml"), fmt.Appendf(nil, `
receivers:
  team: {type: webhook, url: %s}
alertRules:
- {name: node, for: 3s}
- {name: stuck, for: 2s}
`, s.URL), 0o600))
	return home
}

// watching is a `traintop watch` that runs.
type watching struct {
	command *exec.Cmd
	mu      sync.Mutex
	out     bytes.Buffer
}

// Write implements io.Writer.
func (w *watching) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.Write(p)
}

func (w *watching) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.out.String()
}

// startWatch starts a watcher that notifies the sink.
func startWatch(t *testing.T, home, kubeconfig string, args ...string) *watching {
	t.Helper()
	w := &watching{command: exec.CommandContext(t.Context(), programs.traintop, append([]string{"watch", "--notify", "team", "--prometheus=off", "--kubeconfig=" + kubeconfig}, args...)...)}
	w.command.Env, w.command.Stdout, w.command.Stderr = environmentIn(home), w, w
	must(t, w.command.Start())
	t.Cleanup(func() { _ = w.command.Process.Kill(); _ = w.command.Wait() })
	return w
}

// says waits for a text among what it prints.
func (w *watching) says(t *testing.T, atMost time.Duration, text string) {
	t.Helper()
	for began := time.Now(); !strings.Contains(w.text(), text); time.Sleep(50 * time.Millisecond) {
		if time.Since(began) > atMost {
			t.Fatalf("after %s it does not say %q:\n%s", atMost, text, w.text())
		}
	}
}

// kill ends it with SIGKILL.
func (w *watching) kill() {
	_ = w.command.Process.Kill()
	_ = w.command.Wait() // the signal is its result
}

// watchBegun waits until a watcher has looked at a cluster: what is broken
// already was listed.
func watchBegun(t *testing.T, w *watching, namespace string) {
	t.Helper()
	w.says(t, time.Minute, "in trouble before this watcher began")
	w.says(t, time.Minute, namespace+"/PyTorchJob/broken")
}

// broken is a job that failed before a watcher began.
func brokenJob(t *testing.T, plays operator.Operator) {
	t.Helper()
	must(t, plays.ApplyOwned(t.Context(), fastJob("broken")))
	must(t, setStatus(t.Context(), plays.Namespace, "broken", condition("Failed")))
}

// Forty jobs run on a node that is lost: that is one notice, which lists them,
// and one when the node is back. A failed job is sent within two seconds, and
// what was broken before is not sent.
func TestWatchSendsOneNoticeForALostNode(t *testing.T) {
	t.Parallel()
	const namespace, node, jobs = "watch-node", "watch-node-0", 40
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	addWatchedNode(t, node)
	for n := range jobs {
		must(t, plays.ApplyOwned(t.Context(), pytorchJob(fmt.Sprintf("many-%02d", n), "{nodeName: "+node+", tolerations: [{operator: Exists}], containers: [{name: pytorch, image: registry.example/train}]}")))
	}
	brokenJob(t, plays)
	must(t, cluster.Wait(t.Context(), time.Minute, func(ctx context.Context) error { return allRun(ctx, namespace, jobs) }))
	s := newSink(t)
	w := startWatch(t, watchHome(t, s), cluster.Kubeconfig, "-n", namespace)
	watchBegun(t, w, namespace)

	must(t, plays.ApplyOwned(t.Context(), fastJob("dies")))
	must(t, setStatus(t.Context(), namespace, "dies", condition("Running")))
	time.Sleep(2 * time.Second)
	must(t, setStatus(t.Context(), namespace, "dies", condition("Failed")))
	failed := time.Now()
	s.until(t, 30*time.Second, "dies", 1, w)
	took := s.at[len(s.at)-1].Sub(failed)
	t.Logf("from the failure to the receiver: %s", took)
	if limit := 2 * time.Second; took > 5*limit { // unit tests run beside it, with what is left of two cores
		t.Errorf("it took %s, want %s", took, limit)
	}

	setNodeReady(t, node, namespace, "Unknown")
	s.until(t, time.Minute, "Node/"+node, 1, w)
	time.Sleep(5 * time.Second)
	for _, n := range s.all() {
		if n.Incident.Shared == "Node/"+node && len(n.Incident.Jobs) != jobs {
			t.Errorf("the notice lists %d jobs, want %d", len(n.Incident.Jobs), jobs)
		}
	}
	if got := s.all(); len(got) != 2 {
		t.Errorf("there are %d notices, want that of the job and that of the node: %+v", len(got), got)
	}
	setNodeReady(t, node, namespace, "True")
	if got := s.until(t, 90*time.Second, "Node/"+node, 2, w); !strings.HasPrefix(got[1], "resolved") {
		t.Errorf("about the node it sends %q", got)
	}
	if got := s.of("broken"); len(got) > 0 {
		t.Errorf("it sends %q about a job that was broken before", got)
	}
}

// addWatchedNode adds a node that keeps the conditions it is given.
func addWatchedNode(t *testing.T, name string) {
	t.Helper()
	room := corev1.ResourceList{"nvidia.com/gpu": resource.MustParse("8"), "cpu": resource.MustParse("64"), "memory": resource.MustParse("512Gi"), "pods": resource.MustParse("110")}
	_, err := cluster.Clients().CoreV1().Nodes().Create(t.Context(), &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: name, Annotations: map[string]string{"kwok.x-k8s.io/node": "fake"}, Labels: map[string]string{"kubernetes.io/hostname": name}},
		Spec:       corev1.NodeSpec{Taints: []corev1.Taint{{Key: "e2e/watch", Value: name, Effect: corev1.TaintEffectNoSchedule}}},
		Status:     corev1.NodeStatus{Allocatable: room, Capacity: room},
	}, metav1.CreateOptions{})
	must(t, err)
	t.Cleanup(func() {
		_ = cluster.Clients().CoreV1().Nodes().Delete(context.Background(), name, metav1.DeleteOptions{})
	})
}

// setNodeReady sets whether a node is ready, and the pods on it with it, as the node
// lifecycle controller does.
func setNodeReady(t *testing.T, node, namespace, ready string) {
	t.Helper()
	annotation := `"true"`
	if ready == "True" {
		annotation = "null"
	}
	_, err := cluster.Clients().CoreV1().Nodes().Patch(t.Context(), node, types.MergePatchType, fmt.Appendf(nil, `{"metadata":{"annotations":{"e2e/not-ready":%s}}}`, annotation), metav1.PatchOptions{})
	must(t, err)
	now := time.Now().UTC().Format(time.RFC3339)
	body := fmt.Appendf(nil, `{"status":{"conditions":[{"type":"Ready","status":%q,"reason":"NodeStatusUnknown","message":"Kubelet stopped posting node status.","lastHeartbeatTime":%q,"lastTransitionTime":%q}]}}`, ready, now, now)
	_, err = cluster.Clients().CoreV1().Nodes().Patch(t.Context(), node, types.StrategicMergePatchType, body, metav1.PatchOptions{}, "status")
	must(t, err)
	pods, err := cluster.Clients().CoreV1().Pods(namespace).List(t.Context(), metav1.ListOptions{FieldSelector: "spec.nodeName=" + node})
	must(t, err)
	isReady := map[bool]string{true: "True", false: "False"}[ready == "True"]
	for i := range pods.Items {
		body := fmt.Appendf(nil, `{"status":{"conditions":[{"type":"Ready","status":%q,"lastTransitionTime":%q}]}}`, isReady, now)
		_, err := cluster.Clients().CoreV1().Pods(namespace).Patch(t.Context(), pods.Items[i].Name, types.StrategicMergePatchType, body, metav1.PatchOptions{}, "status")
		must(t, err)
	}
}

func allRun(ctx context.Context, namespace string, want int) error {
	pods, err := cluster.Clients().CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return err
	}
	running := 0
	for i := range pods.Items {
		if pods.Items[i].Status.Phase == corev1.PodRunning {
			running++
		}
	}
	if running != want {
		return fmt.Errorf("%d of %d pods run", running, want)
	}
	return nil
}

// A watcher is killed while a receiver has its notice and has not answered. The
// next one sends it once more, with the same id, and reports it; the one after
// that sends nothing.
func TestWatchKilledWhileItSends(t *testing.T) {
	t.Parallel()
	const namespace = "watch-kill"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	brokenJob(t, plays)
	must(t, plays.ApplyOwned(t.Context(), fastJob("dies")))
	s := newSink(t)
	home := watchHome(t, s)
	first := startWatch(t, home, cluster.Kubeconfig, "-n", namespace)
	watchBegun(t, first, namespace)
	arrived, answer := make(chan struct{}, 8), make(chan struct{})
	s.mu.Lock()
	s.before = func() { arrived <- struct{}{}; <-answer }
	s.mu.Unlock()
	must(t, setStatus(t.Context(), namespace, "dies", condition("Failed")))
	select {
	case <-arrived:
	case <-time.After(30 * time.Second):
		t.Fatalf("nothing is sent:\n%s", first.text())
	}
	first.kill()
	s.mu.Lock()
	s.before = nil
	s.mu.Unlock()
	close(answer)

	second := startWatch(t, home, cluster.Kubeconfig, "-n", namespace)
	second.says(t, time.Minute, "may have arrived; it is sent once more")
	s.until(t, time.Minute, "dies", 2, second)
	if got := s.all(); got[0].ID != got[1].ID {
		t.Errorf("the notice has the ids %s and %s", got[0].ID, got[1].ID)
	}
	time.Sleep(2 * time.Second) // its result is kept
	second.kill()
	third := startWatch(t, home, cluster.Kubeconfig, "-n", namespace)
	must(t, plays.ApplyOwned(t.Context(), fastJob("later")))
	must(t, setStatus(t.Context(), namespace, "later", condition("Failed")))
	s.until(t, time.Minute, "later", 1, third)
	if got := s.of("dies"); len(got) != 2 {
		t.Errorf("about the job it sends %q", got)
	}
}

// leaseHolds is how long a Lease holds without a sign of life of its holder
// (sources/kube).
const leaseHolds = 15 * time.Second

// Of two watchers one sends. When it is killed the other one goes on.
func TestTwoWatchersAgree(t *testing.T) {
	t.Parallel()
	const namespace = "watch-lease"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	brokenJob(t, plays)
	s := newSink(t)
	start := func() *watching {
		w := startWatch(t, watchHome(t, s), cluster.Kubeconfig, "-n", namespace, "--lease", namespace+"/watch")
		watchBegun(t, w, namespace)
		return w
	}
	first := start()
	first.says(t, time.Minute, "this watcher holds the Lease")
	second := start()
	second.says(t, time.Minute, "another watcher holds the Lease")
	for _, name := range []string{"one", "two"} {
		must(t, plays.ApplyOwned(t.Context(), fastJob(name)))
	}
	must(t, setStatus(t.Context(), namespace, "one", condition("Failed")))
	s.until(t, time.Minute, "one", 1, first)
	// The other one sends again what it saw after the newest sign of life of the
	// first, and on a busy machine it sees things seconds later.
	time.Sleep(leaseHolds)
	if got := s.of("one"); len(got) != 1 {
		t.Errorf("both send: %q", got)
	}
	first.kill()
	must(t, setStatus(t.Context(), namespace, "two", condition("Failed"))) // while nobody holds the Lease
	second.says(t, time.Minute, "this watcher holds the Lease")
	s.until(t, time.Minute, "two", 1, second)
	if got := s.of("one"); len(got) != 1 {
		t.Errorf("it is sent again: %q", got)
	}
}

// The API server is away for a while, and a job fails meanwhile. Afterwards that
// job is sent and nothing else.
func TestWatchThroughOutage(t *testing.T) {
	const namespace = "watch-outage"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	brokenJob(t, plays)
	for _, name := range []string{"stays", "dies"} {
		must(t, plays.ApplyOwned(t.Context(), pytorchJob(name, runsAnywhere)))
	}
	s := newSink(t)
	wire, kubeconfig := newWire(t)
	w := startWatch(t, watchHome(t, s), kubeconfig, "-n", namespace)
	watchBegun(t, w, namespace)
	wire.cut()
	cluster.StopAPIServer()
	time.Sleep(20 * time.Second)
	must(t, cluster.StartAPIServer(t.Context()))
	must(t, setStatus(t.Context(), namespace, "dies", condition("Failed")))
	wire.mend()
	s.until(t, 90*time.Second, "dies", 1, w)
	time.Sleep(5 * time.Second)
	if got := s.all(); len(got) != 1 {
		t.Errorf("there are %d notices, want one: %+v\n%s", len(got), got, w.text())
	}
}
