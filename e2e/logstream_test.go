package e2e

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/operator"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
)

// soon bounds how long a line may take from the file to the store when
// nothing is in its way; the machine of the tests may be busy.
const soon = 20 * time.Second

// followLogs follows the logs of all ranks of one job, as a screen does: it
// plans again whenever the snapshot changes.
func (s *spine) followLogs(job string, previous bool) {
	s.t.Helper()
	s.until(time.Minute, func(snapshot *store.Snapshot) error {
		if id := jobNamed(snapshot, job).ID; id == "" {
			return fmt.Errorf("there is no job %s yet", job)
		}
		return nil
	})
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			snapshot := s.store.Snapshot()
			found := jobNamed(snapshot, job)
			s.source.Stream(streams.Choose(snapshot, []streams.Want{
				{Job: found.ID, Ranks: placesOf(found), Previous: previous, Whole: true, Shown: true},
			}, streams.DefaultMost))
			select {
			case <-ctx.Done():
			case <-time.After(200 * time.Millisecond):
			}
		}
	}()
	s.t.Cleanup(func() { cancel(); <-done })
}

func placesOf(job *train.Job) []int {
	var places []int
	for i := range job.Ranks {
		places = append(places, i)
	}
	return places
}

// untilLogged waits until a log of the job's only rank holds these lines and
// no others: the attempt counts from the newest, 0, backwards.
func (s *spine) untilLogged(atMost time.Duration, job string, back int, want func() []string) *store.Log {
	s.t.Helper()
	var log *store.Log
	s.until(atMost, func(snapshot *store.Snapshot) error {
		logs := snapshot.RankLogs(jobNamed(snapshot, job), 0)
		if len(logs) <= back {
			return fmt.Errorf("%d logs of %s are known", len(logs), job)
		}
		log = logs[len(logs)-1-back]
		return sameLines(log, want())
	})
	return log
}

func sameLines(log *store.Log, want []string) error {
	var have []string
	for i := range log.Lines.Len() {
		have = append(have, log.Lines.At(i).Text)
	}
	if slices.Equal(have, want) {
		return nil
	}
	at := 0
	for at < min(len(have), len(want)) && have[at] == want[at] {
		at++
	}
	return fmt.Errorf("%s (%s %s) has %d lines, %d were printed; they differ from line %d on: %q, want %q",
		log.ID, log.Status.State, log.Status.Text, len(have), len(want), at+1, nth(have, at), nth(want, at))
}

func nth(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(none)"
}

// Lines are printed all the time, while the network is cut, the API server is
// killed and started again, and the log is rotated.
func TestLogStreamSurvivesOutages(t *testing.T) {
	const namespace = "log-outage"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("talks", runsAnywhere)))
	printed := newContainerLog(t, "talks")
	serveLogs(t, plays, "talks-worker-0", printed, nil)
	wire, kubeconfig := newWire(t)
	watched := follow(t, kubeconfig, namespace)
	watched.followLogs("talks", false)
	stop := printed.chatter(5 * time.Millisecond)
	time.Sleep(2 * time.Second)

	wire.cut()
	watched.until(soon, func(snapshot *store.Snapshot) error {
		log := snapshot.RankLog(jobNamed(snapshot, "talks"), 0)
		if log == nil || log.Status.State != train.StreamRetrying || log.Status.Text == "" {
			return fmt.Errorf("the log does not say that it is cut off: %+v", log)
		}
		return nil
	})
	time.Sleep(2 * time.Second)
	wire.mend()
	time.Sleep(3 * time.Second)
	cluster.StopAPIServer()
	must(t, cluster.StartAPIServer(t.Context()))
	// A rotation that nobody follows loses lines: the kubelet starts anew with the server.
	before := len(printed.printed())
	watched.until(recovered, func(snapshot *store.Snapshot) error {
		if log := snapshot.RankLog(jobNamed(snapshot, "talks"), 0); log == nil || log.Lines.Len() <= before {
			return fmt.Errorf("the log is not followed again: %+v", log)
		}
		return nil
	})
	printed.rotate()
	time.Sleep(time.Second)
	stop()
	log := watched.untilLogged(recovered, "talks", 0, printed.printed)
	if log.Status.State != train.StreamLive || log.Samples.Samples == 0 {
		t.Errorf("the log is %+v with %d samples", log.Status, log.Samples.Samples)
	}
	t.Logf("%d lines came through two outages and a rotation, each once", log.Lines.Len())
}

// A container restarts, then its pod is replaced: each container instance keeps
// its own log.
func TestLogsOfLives(t *testing.T) {
	t.Parallel()
	const namespace = "log-lives"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("phoenix", runsAnywhere)))
	first, second, third := newContainerLog(t, "first"), newContainerLog(t, "second"), newContainerLog(t, "third")
	serveLogs(t, plays, "phoenix-worker-0", first, nil)
	watched := follow(t, cluster.Kubeconfig, namespace)
	watched.followLogs("phoenix", true)
	first.print("first life", "RuntimeError: CUDA error")
	watched.untilLogged(soon, "phoenix", 0, first.printed)

	second.print("second life")
	serveLogs(t, plays, "phoenix-worker-0", second, first)
	must(t, plays.Annotate(t.Context(), "phoenix-worker-0", "e2e/restarted", "1"))
	watched.untilLogged(soon, "phoenix", 0, second.printed)
	old := watched.untilLogged(soon, "phoenix", 1, first.printed)
	watched.until(soon, func(snapshot *store.Snapshot) error {
		if state := snapshot.Log(old.ID).Status.State; state != train.StreamEnded {
			return fmt.Errorf("the log of the first life is %s", state)
		}
		return nil
	})

	must(t, cluster.Delete(t.Context(), named("v1", "Pod", namespace, "phoenix-worker-0")))
	serveLogs(t, plays, "phoenix-worker-0", third, nil)
	third.print("another pod")
	must(t, cluster.Wait(t.Context(), soon, func(ctx context.Context) error {
		return plays.ApplyOwned(ctx, pytorchJob("phoenix", runsAnywhere))
	}))
	watched.untilLogged(2*soon, "phoenix", 0, third.printed)
	watched.untilLogged(soon, "phoenix", 1, second.printed)
	watched.untilLogged(soon, "phoenix", 2, first.printed)
}

// A user who may read pods and not their logs is shown which right is missing,
// and sees all else; once the right is there, the log arrives.
func TestLogsRefused(t *testing.T) {
	t.Parallel()
	const namespace, reader = "log-refused", "log-refused-reader"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("secretive", runsAnywhere)))
	printed := newContainerLog(t, "secretive")
	printed.print("one")
	serveLogs(t, plays, "secretive-worker-0", printed, nil)
	kubeconfig := user(t, reader, controlplane.Grant{Namespace: namespace, Rules: []rbacv1.PolicyRule{may("", "pods", "events"), may("kubeflow.org", "*")}})
	watched := follow(t, kubeconfig, namespace)
	watched.followLogs("secretive", false)
	watched.until(soon, func(snapshot *store.Snapshot) error {
		log := snapshot.RankLog(jobNamed(snapshot, "secretive"), 0)
		if log == nil || log.Status.State != train.StreamForbidden {
			return fmt.Errorf("the log is %+v", log)
		}
		for _, word := range []string{reader, "pods/log", "verb get", namespace} {
			if !strings.Contains(log.Status.Text, word) {
				t.Errorf("it says %q, want %q in it", log.Status.Text, word)
			}
		}
		return nil
	})
	out, complaints, err := run(t.Context(), kubeconfig, "logs", "secretive", "-n", namespace)
	if err == nil || out != "" || !strings.Contains(complaints, "pods/log") {
		t.Errorf("traintop logs: %v, %q, %q", err, out, complaints)
	}
}

// A container that has not started has no log; the plan gives the reason.
func TestLogsOfContainerThatHasNotStarted(t *testing.T) {
	t.Parallel()
	const namespace = "log-waiting"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("pulls", runsAnywhere, "e2e/waiting: ImagePullBackOff", "e2e/message: no such image")))
	watched := follow(t, cluster.Kubeconfig, namespace)
	watched.until(time.Minute, func(snapshot *store.Snapshot) error {
		job := jobNamed(snapshot, "pulls")
		if len(job.Ranks) == 0 || job.Ranks[0].State != train.RankWaiting {
			return fmt.Errorf("the rank does not wait yet")
		}
		plan := streams.Choose(snapshot, []streams.Want{{Job: job.ID, Ranks: []int{0}, Shown: true}}, streams.DefaultMost)
		if why := plan.Why(job.ID, 0); len(plan.Chosen) != 0 || !strings.Contains(why, "ImagePullBackOff") {
			return fmt.Errorf("%d logs are chosen, and the rank says %q", len(plan.Chosen), why)
		}
		return nil
	})
	out, complaints, err := run(t.Context(), cluster.Kubeconfig, "logs", "pulls", "-n", namespace)
	if err == nil || out != "" || !strings.Contains(complaints, "ImagePullBackOff") {
		t.Errorf("traintop logs: %v, %q, %q", err, out, complaints)
	}
}

// The server's own message, for the record: kwok's answer for a log that does
// not exist.
func TestLogThatIsNowhere(t *testing.T) {
	t.Parallel()
	const namespace = "log-nowhere"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("mute", runsAnywhere)))
	watched := follow(t, cluster.Kubeconfig, namespace)
	watched.followLogs("mute", false)
	watched.until(time.Minute, func(snapshot *store.Snapshot) error {
		log := snapshot.RankLog(jobNamed(snapshot, "mute"), 0)
		if log == nil || log.Status.State != train.StreamFailed || log.Status.Retry.IsZero() || !strings.Contains(log.Status.Text, "no logs found") {
			return fmt.Errorf("the log is %+v", log)
		}
		return nil
	})
	printed := newContainerLog(t, "mute")
	printed.print("speaks at last")
	serveLogs(t, plays, "mute-worker-0", printed, nil)
	watched.untilLogged(time.Minute, "mute", 0, printed.printed)
}
