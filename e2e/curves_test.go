package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/traintop/traintop/e2e/operator"
)

// curvesAnswer is the output of `traintop curves -o json`, as far as tests read
// it.
type curvesAnswer struct {
	Series []struct {
		Job        string
		Rank       *int
		TotalSteps float64
		Points     []struct {
			Line    int64
			Time    time.Time
			Step    float64
			Metrics map[string]float64
		}
	}
	Problems []struct{ Source, Text string }
}

// The command reads a job's log through the API server to its present end,
// from the beginning, and answers.
func TestCurvesOfAJob(t *testing.T) {
	t.Parallel()
	const namespace = "curves"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("learns", runsAnywhere)))
	printed := newContainerLog(t, "learns")
	printed.print("Total optimization steps = 2000")
	for step := range 1500 { // more than a screen requests at first
		printed.print(fmt.Sprintf("step: %d/2000 loss: %.4f lr: 0.001", step+1, 2+8/float64(step+1)))
	}
	serveLogs(t, plays, "learns-worker-0", printed, nil)

	var got curvesAnswer
	err := cluster.Wait(t.Context(), time.Minute, func(ctx context.Context) error {
		out, complaints, err := run(ctx, cluster.Kubeconfig, "curves", "-o", "json", "-n", namespace, "learns")
		if err != nil {
			return fmt.Errorf("traintop curves: %w\n%s", err, complaints)
		}
		got = curvesAnswer{}
		if err := json.Unmarshal([]byte(out), &got); err != nil {
			return fmt.Errorf("read the answer of traintop curves: %w\n%.1000s", err, out)
		}
		if len(got.Series) != 1 || len(got.Series[0].Points) != 1500 {
			return fmt.Errorf("%d series, problems %+v", len(got.Series), got.Problems)
		}
		return nil
	})
	must(t, err)
	s := got.Series[0]
	if s.Job != namespace+"/PyTorchJob/learns" || s.Rank == nil || *s.Rank != 0 || s.TotalSteps != 2000 || len(got.Problems) > 0 {
		t.Errorf("job %s, rank %v, %g steps, problems %+v", s.Job, s.Rank, s.TotalSteps, got.Problems)
	}
	if p := s.Points[0]; p.Line != 2 || p.Step != 1 || p.Metrics["loss"] != 10 || p.Time.IsZero() {
		t.Errorf("the first point is %+v", p)
	}
	if p := s.Points[1499]; p.Line != 1501 || p.Step != 1500 {
		t.Errorf("the last point is %+v", p)
	}
}
