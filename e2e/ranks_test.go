package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/traintop/traintop/e2e/operator"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// A rank's state follows its pod's, in every state of the pod.
func TestRankStates(t *testing.T) {
	t.Parallel()
	const namespace = "ranks"
	namespaces(t, namespace)
	want := map[string]struct {
		annotations []string
		state       train.RankState
		ready       bool
		restarts    int
		// attempts are the container instances in the pod's status; a crash
		// loop has no running instance at the moment, only the last one.
		attempts int
	}{
		"runs":         {nil, train.RankRunning, true, 0, 1},
		"creates":      {[]string{"e2e/waiting: ContainerCreating"}, train.RankStarting, false, 0, 0},
		"pulls":        {[]string{"e2e/waiting: ImagePullBackOff"}, train.RankWaiting, false, 0, 0},
		"misses-map":   {[]string{"e2e/waiting: CreateContainerConfigError"}, train.RankWaiting, false, 0, 0},
		"crashes":      {[]string{`e2e/crashloop: "5"`}, train.RankCrashing, false, 5, 1},
		"came-back":    {[]string{`e2e/restarted: "2"`, `e2e/exit: "137"`, "e2e/reason: OOMKilled"}, train.RankRunning, true, 2, 2},
		"ends-well":    {[]string{`e2e/exit: "0"`}, train.RankSucceeded, false, 0, 1},
		"ends-badly":   {[]string{`e2e/exit: "1"`}, train.RankFailed, false, 0, 1},
		"killed-later": {[]string{`e2e/exit: "137"`, "e2e/reason: OOMKilled", "e2e/after: 1s"}, train.RankFailed, false, 0, 1},
	}
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	for name, w := range want {
		must(t, plays.ApplyOwned(t.Context(), pytorchJob(name, runsAnywhere, w.annotations...)))
	}
	watched := follow(t, cluster.Kubeconfig, namespace)
	watched.until(time.Minute, func(snapshot *store.Snapshot) error {
		for name, w := range want {
			job := jobNamed(snapshot, name)
			if len(job.Ranks) != 1 {
				return fmt.Errorf("%s has %d ranks, want 1", name, len(job.Ranks))
			}
			rank := job.Ranks[0]
			if rank.State != w.state || rank.Ready != w.ready || rank.Restarts != w.restarts {
				return fmt.Errorf("the rank of %s is %s, ready %v, with %d restarts; want %s, %v, %d",
					name, rank.State, rank.Ready, rank.Restarts, w.state, w.ready, w.restarts)
			}
			if w.attempts > 0 && len(rank.Attempts) != w.attempts {
				return fmt.Errorf("the rank of %s knows %d attempts, want %d", name, len(rank.Attempts), w.attempts)
			}
		}
		return nil
	})
}
