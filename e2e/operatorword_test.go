package e2e

import (
	"fmt"
	"testing"

	"github.com/traintop/traintop/e2e/operator"
)

// A status of an operator stays when the operator is down or slow. The pods win
// over it.
func TestPodsAreBelievedBeforeTheOperator(t *testing.T) {
	t.Parallel()
	const namespace = "stale-status"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	for _, kind := range operator.Kinds() {
		if kind.Group != "kubeflow.org" && kind.Group != "ray.io" && kind.Group != "batch.volcano.sh" {
			continue
		}
		life, err := kind.Life(kind.SampleName())
		must(t, err)
		must(t, plays.Create(t.Context(), life))
		must(t, plays.Run(t.Context(), life))
		pods, err := plays.Pods(t.Context(), life)
		must(t, err)
		// The pod ends; the status still claims that all run.
		must(t, plays.Annotate(t.Context(), pods[len(pods)-1], "e2e/exit", "1"))
		eventually(t, cluster.Kubeconfig, []string{"-n", namespace}, func(a answer) error {
			row, err := a.job(life.Name)
			if err == nil && row.Ranks.Ready != life.Ranks-1 {
				err = fmt.Errorf("%s shows %d ready ranks, want %d: one of its pods has ended", kind.Kind, row.Ranks.Ready, life.Ranks-1)
			}
			return err
		})
	}
}
