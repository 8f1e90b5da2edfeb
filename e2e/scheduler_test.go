package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/traintop/traintop/e2e/operator"
)

// Pods that the real scheduler cannot place: its own message is the reason of
// the job.
func TestSchedulerMessageIsTheReason(t *testing.T) {
	t.Parallel()
	const namespace = "unschedulable"
	namespaces(t, namespace)
	wants := map[string]struct{ spec, says string }{
		"too-many-gpus": {`{containers: [{name: pytorch, image: i, resources: {limits: {nvidia.com/gpu: 64}}}]}`, "Insufficient nvidia.com/gpu"},
		"no-such-claim": {`{containers: [{name: pytorch, image: i}], volumes: [{name: d, persistentVolumeClaim: {claimName: dataset}}]}`, `persistentvolumeclaim "dataset" not found`},
		"no-such-node":  {`{containers: [{name: pytorch, image: i}], nodeSelector: {accelerator: b300}}`, "node affinity/selector"},
		"gated":         {`{containers: [{name: pytorch, image: i}], schedulingGates: [{name: kueue.x-k8s.io/admission}]}`, "gate"},
	}
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	for name, want := range wants {
		must(t, plays.ApplyOwned(t.Context(), pytorchJob(name, want.spec)))
	}
	eventually(t, cluster.Kubeconfig, []string{"-n", namespace}, func(a answer) error {
		for name, want := range wants {
			row, err := a.job(name)
			if err != nil {
				return err
			}
			if row.Phase != "Pending" || !strings.Contains(row.Reason, want.says) {
				return fmt.Errorf("%s shows as %s because %q, want Pending because ...%s...", name, row.Phase, row.Reason, want.says)
			}
		}
		return nil
	})
}
