package e2e

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/e2e/operator"
)

const (
	// slowerToPrompt is how much longer a shell may take than kubectl's.
	slowerToPrompt = 1.5
	// manyRanks at once may take slowerTogether times what one takes.
	manyRanks, slowerTogether = 32, 3.0
	rounds                    = 9
)

// From the key press to the prompt, against a bare program that sends the
// requests of kubectl, from its start on: it is smaller than kubectl and so
// sooner there. Ours has a connection for reading already, as it has while the
// screen is open, and starts two programs where the other starts one: sh checks
// whether there is a bash.
func TestExecSpeedToPrompt(t *testing.T) {
	_, at := runningJob(t, "exec-speed", "quick")
	c := actor(t, cluster.Kubeconfig)
	shell := "bash" // what people type who know that it exists
	if _, err := exec.LookPath(shell); err != nil {
		shell = "sh"
	}
	var ours, bare []time.Duration
	for range rounds {
		ours = append(ours, toPrompt(t, c, at))
		bare = append(bare, bareToPrompt(t, at, shell))
	}
	ratio := float64(median(ours)) / float64(median(bare))
	t.Logf("to the prompt: %s, a bare client %s (ratio %.2f)", median(ours), median(bare), ratio)
	if ratio > slowerToPrompt {
		t.Errorf("the ratio is %.2f, want at most %.1f", ratio, slowerToPrompt)
	}
	logKubectl(t, at)
}

func toPrompt(t *testing.T, c actions.Executor, at actions.Container) time.Duration {
	t.Helper()
	began := time.Now()
	term := openTerminal(t, func(ctx context.Context, e actions.Exec) error { return actions.OpenShell(ctx, c, e) }, actions.Exec{Container: at})
	for term.text() == "" {
		if time.Since(began) > soon {
			t.Fatal("there is no prompt")
		}
		time.Sleep(200 * time.Microsecond)
	}
	took := time.Since(began)
	term.types("exit\n")
	must(t, term.ends(soon))
	return took
}

func bareToPrompt(t *testing.T, at actions.Container, shell string) time.Duration {
	t.Helper()
	began := time.Now()
	out, err := exec.CommandContext(t.Context(), programs.bareexec, cluster.Kubeconfig, at.Namespace, at.Pod, at.Name, shell).Output()
	must(t, err)
	prompt, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	must(t, err)
	return time.Unix(0, prompt).Sub(began)
}

// logKubectl logs how long the real kubectl takes for a whole command, where
// this machine has one.
func logKubectl(t *testing.T, at actions.Container) {
	t.Helper()
	kubectl, err := exec.LookPath("kubectl")
	if err != nil {
		return
	}
	var took []time.Duration
	for range rounds {
		began := time.Now()
		must(t, exec.CommandContext(t.Context(), kubectl, "--kubeconfig="+cluster.Kubeconfig, "-n", at.Namespace, "exec", at.Pod, "-c", at.Name, "--", "true").Run())
		took = append(took, time.Since(began))
	}
	t.Logf("kubectl exec -- true takes %s in all", median(took))
}

func median(of []time.Duration) time.Duration {
	slices.Sort(of)
	return of[len(of)/2]
}

// A command on 32 ranks at once, against one. The command takes a moment, as
// every tool that queries a driver does (nvidia-smi: half a second). Instant
// ones are nothing but connections, made by one machine that is the API server
// too: they are compared with what a person would start once, a client of its
// own.
func TestExecOnManyRanks(t *testing.T) {
	const namespace = "exec-many"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	var targets []actions.Target
	for i := range manyRanks {
		name := fmt.Sprintf("rank%d", i)
		must(t, plays.ApplyOwned(t.Context(), pytorchJob(name, runsAnywhere)))
		targets = append(targets, actions.Target{Rank: i, Container: actions.Container{Namespace: namespace, Pod: name + "-worker-0", Name: "pytorch"}})
	}
	for _, target := range targets {
		podRuns(t, target.Container)
	}
	c := actor(t, cluster.Kubeconfig)
	collector := actions.Collector{Executor: c, Now: time.Now, Limit: 1 << 20, Timeout: time.Minute, Parallel: manyRanks}
	for _, command := range [][]string{{"hostname"}, {"sh", "-c", "sleep 0.5; hostname"}} {
		one, many := measureMany(t, collector, targets, command)
		ratio := float64(many) / float64(one)
		t.Logf("%v: one rank %s, %d at once %s (ratio %.2f)", command, one, manyRanks, many, ratio)
		if len(command) == 1 {
			var bare []time.Duration
			for range rounds {
				bare = append(bare, bareToPrompt(t, targets[0].Container, "sh"))
			}
			t.Logf("a bare client in one rank, from its start on: %s (ratio %.2f)", median(bare), float64(many)/float64(median(bare)))
		}
		if len(command) > 1 && ratio > slowerTogether {
			t.Errorf("the ratio is %.2f, want at most %.1f", ratio, slowerTogether)
		}
	}
}

// measureMany is the fastest of five rounds each, or of more where the ratio is too high
// after them: other work on the machine only ever adds.
func measureMany(t *testing.T, collector actions.Collector, targets []actions.Target, command []string) (one, many time.Duration) {
	t.Helper()
	const least, most = 5, 20
	var ones, manys []time.Duration
	for round := 0; round < least || round < most && float64(slices.Min(manys)) > slowerTogether*float64(slices.Min(ones)); round++ {
		for _, some := range [][]actions.Target{targets[:1], targets} {
			began := time.Now()
			answered := 0
			collector.CollectAll(t.Context(), some, func(actions.Target) [][]string { return [][]string{command} }, func(a actions.Answer) {
				answered++
				if a.Failure != nil || a.Exit != 0 || len(a.Stdout) == 0 {
					t.Errorf("rank %d answered %+v", a.Target.Rank, a)
				}
			})
			took := time.Since(began)
			if answered != len(some) {
				t.Errorf("%d of %d answered", answered, len(some))
			}
			if len(some) == 1 {
				ones = append(ones, took)
			} else {
				manys = append(manys, took)
			}
		}
	}
	return slices.Min(ones), slices.Min(manys)
}
