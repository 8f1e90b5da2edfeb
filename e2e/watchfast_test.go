package e2e

import (
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/e2e/operator"
)

// A job that is deleted in the second in which it fails, as ttlSecondsAfterFinished: 0
// does it, is sent like any other.
func TestWatchSendsAJobDeletedAsItFails(t *testing.T) {
	t.Parallel()
	const namespace = "watch-fast"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	brokenJob(t, plays)
	s := newSink(t)
	w := startWatch(t, watchHome(t, s), cluster.Kubeconfig, "-n", namespace)
	watchBegun(t, w, namespace)
	for _, name := range []string{"flash-0", "flash-1", "flash-2"} {
		must(t, plays.ApplyOwned(t.Context(), fastJob(name)))
		must(t, setStatus(t.Context(), namespace, name, condition("Running")))
		time.Sleep(2 * time.Second)
		must(t, setStatus(t.Context(), namespace, name, condition("Failed")))
		resource, err := cluster.Resource(named("kubeflow.org/v1", "PyTorchJob", namespace, name))
		must(t, err)
		must(t, resource.Delete(t.Context(), name, metav1.DeleteOptions{}))
		s.until(t, 30*time.Second, name, 1, w)
	}
}
