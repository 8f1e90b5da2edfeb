package e2e

import (
	"context"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/e2e/controlplane"
)

// cutNoticed bounds how long a break in the middle may stay unnoticed.
const cutNoticed = 10 * time.Second

// sleeper is a command that prints when it runs and does not end by itself.
var sleeper = []string{"sh", "-c", "echo begun; sleep 600"}

// begins runs the sleeper and returns when it runs.
func begins(t *testing.T, c actions.Executor, at actions.Container) *terminal {
	t.Helper()
	term := openTerminal(t, c.Execute, actions.Exec{Container: at, Command: sleeper})
	term.shows("begun")
	return term
}

// A connection that is cut in the middle is reported at once, over WebSocket
// and over SPDY, where only the missing end of the stream shows it.
func TestExecConnectionCut(t *testing.T) {
	t.Parallel()
	_, at := runningJob(t, "exec-cut", "cut")
	// Without the right to get pods/exec the API server accepts SPDY only.
	spdy := user(t, "exec-cut-spdy", controlplane.Grant{Namespace: at.Namespace, Rules: []rbacv1.PolicyRule{
		may("", "pods"), {APIGroups: []string{""}, Resources: []string{"pods/exec"}, Verbs: []string{"create"}},
	}})
	for name, kubeconfig := range map[string]string{"WebSocket": cluster.Kubeconfig, "SPDY": spdy} {
		t.Run(name, func(t *testing.T) {
			w, _ := newWire(t)
			term := begins(t, actor(t, through(t, w, kubeconfig)), at)
			w.cut()
			began := time.Now()
			failed(t, term.ends(cutNoticed), actions.Lost, "connection broke", "try again")
			t.Logf("noticed after %s", time.Since(began).Round(time.Millisecond))
		})
	}
}

// through is a kubeconfig whose requests go over a wire.
func through(t *testing.T, w *wire, kubeconfig string) string {
	t.Helper()
	config, err := clientcmd.LoadFromFile(kubeconfig)
	must(t, err)
	for _, server := range config.Clusters {
		server.Server = "https://" + w.address
	}
	path := filepath.Join(t.TempDir(), "kubeconfig")
	must(t, clientcmd.WriteToFile(*config, path))
	return path
}

// A pod that is deleted, or a container that ends, ends the command.
func TestExecPodGoneInTheMiddle(t *testing.T) {
	t.Parallel()
	plays, at := runningJob(t, "exec-gone", "goes")
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("ends", runsAnywhere)))
	other := at
	other.Pod = "ends-worker-0"
	podRuns(t, other)
	c := actor(t, cluster.Kubeconfig)
	goes, ends := begins(t, c, at), begins(t, c, other)
	must(t, cluster.Delete(t.Context(), named("v1", "Pod", at.Namespace, at.Pod)))
	must(t, plays.Annotate(t.Context(), other.Pod, "e2e/exit", "1"))
	failed(t, goes.ends(cutNoticed), actions.Gone, "exit code 137", "deleted")
	failed(t, ends.ends(cutNoticed), actions.NotRunning, "exit code 137", "ended with exit code 1")
}

// A command that never ends is abandoned at its deadline, or when it is
// canceled.
func TestExecNeverEnds(t *testing.T) {
	t.Parallel()
	_, at := runningJob(t, "exec-never", "never")
	c := actor(t, cluster.Kubeconfig)
	collector := actions.Collector{Executor: c, Now: time.Now, Limit: 1 << 20, Timeout: time.Second}
	a := collector.Collect(t.Context(), actions.Target{Container: at}, [][]string{sleeper})
	if a.Failure == nil || a.Failure.Kind != actions.TooLate || string(a.Stdout) != "begun\n" || a.Took > 3*time.Second {
		t.Errorf("after %s: %+v", a.Took, a)
	}
	ctx, cancel := context.WithCancel(t.Context())
	term := openTerminal(t, func(_ context.Context, e actions.Exec) error { return c.Execute(ctx, e) }, actions.Exec{Container: at, Command: sleeper})
	term.shows("begun")
	cancel()
	failed(t, term.ends(time.Second), actions.Cancelled, "may still run there")
}

// counter accepts everything and keeps nothing.
type counter struct{ n atomic.Int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return len(p), nil
}

// mostHeap samples the heap until stop is called, which returns how far it grew.
func mostHeap() (stop func() uint64) {
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	quit, most := make(chan struct{}), make(chan uint64)
	go func() {
		var highest uint64
		for {
			runtime.ReadMemStats(&now)
			highest = max(highest, now.HeapInuse)
			select {
			case <-quit:
				most <- highest - min(highest, before.HeapInuse)
				return
			case <-time.After(20 * time.Millisecond):
			}
		}
	}()
	return func() uint64 { close(quit); return <-most }
}

// An answer of 100 MB arrives whole where it is wanted, is cut at the limit
// where it is not, and takes little memory either way. The test is not
// parallel: it measures the heap.
func TestExecHundredMegabytes(t *testing.T) {
	const size, room = 100 << 20, 64 << 20
	_, at := runningJob(t, "exec-flood", "floods")
	c := actor(t, cluster.Kubeconfig)
	flood := []string{"head", "-c", "104857600", "/dev/zero"}
	var all counter
	heap := mostHeap()
	must(t, c.Execute(t.Context(), actions.Exec{Container: at, Command: flood, Stdout: &all}))
	grew := heap()
	if all.n.Load() != size || grew > room {
		t.Errorf("%d bytes came, and the heap grew by %d MiB", all.n.Load(), grew>>20)
	}
	t.Logf("100 MiB came, the heap grew by %d MiB (the played kubelet's included)", grew>>20)

	collector := actions.Collector{Executor: c, Now: time.Now, Limit: 1 << 20, Timeout: time.Minute}
	a := collector.Collect(t.Context(), actions.Target{Container: at}, [][]string{flood})
	if !a.Cut || a.Failure != nil || a.Exit != -1 || len(a.Stdout) != 1<<20 {
		t.Errorf("cut %t, failure %v, exit %d, %d bytes", a.Cut, a.Failure, a.Exit, len(a.Stdout))
	}
}

// The output of a container cannot pose as a runtime's failure, nor do hostile
// bytes reach a failure's text.
func TestExecHostileTexts(t *testing.T) {
	t.Parallel()
	_, at := runningJob(t, "exec-hostile", "hostile")
	c := actor(t, cluster.Kubeconfig)
	_, _, err := said(t.Context(), c, at, "evil\x1b[31m\nprogram")
	failure := failed(t, err, actions.NoProgram)
	if strings.ContainsRune(failure.Text, 0x1b) {
		t.Errorf("it says %q", failure.Text)
	}
	out, _, err := said(t.Context(), c, at, "sh", "-c", "echo 'training: executable file not found in $PATH'; exit 1")
	if out == "" || err == nil || err.Error() != "exit code 1" {
		t.Errorf("%q, %v, want exit code 1", out, err)
	}
}
