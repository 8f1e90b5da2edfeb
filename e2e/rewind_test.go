package e2e

import (
	"testing"
	"time"

	"github.com/traintop/traintop/e2e/operator"
)

// A job fails and is deleted. A person with an open screen goes back and sees
// it as it was: its row, its log, why it failed; one key is now again.
func TestALiveScreenGoesBackInTime(t *testing.T) {
	t.Parallel()
	const namespace, error = "rewind", "RuntimeError: shape mismatch in attention"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("bert", runsAnywhere)))
	log := newContainerLog(t, "bert")
	serveLogs(t, plays, "bert-worker-0", log, nil)
	log.print("step: 1/2000 loss: 9.5 lr: 0.001", "Traceback (most recent call last):", `  File "/workspace/train.py", line 88, in <module>`, error)
	must(t, plays.Annotate(t.Context(), "bert-worker-0", "e2e/exit", "1"))

	screen := openEmulated(t, t.TempDir(), cluster.Kubeconfig, nil, "-n", namespace)
	screen.shows("1 job needs you", "shape mismatch")
	// the keys go back by ten seconds and more
	time.Sleep(12 * time.Second)
	must(t, cluster.Delete(t.Context(), named("v1", "Pod", namespace, "bert-worker-0")))
	must(t, cluster.Delete(t.Context(), named("kubeflow.org/v1", "PyTorchJob", namespace, "bert")))
	screen.shows("Jobs 0")
	screen.loses("shape mismatch")

	screen.press("{")
	screen.shows("ctrl-l now", "Jobs 1", "1 job needs you", "shape mismatch")
	screen.press("D")
	screen.shows("python-exception")
	screen.press("\x1b")
	screen.shows("Jobs 1")
	screen.press("l")
	screen.shows("loss: 9.5", error)
	screen.press("\x1b")
	screen.shows("Jobs 1")
	screen.press("\x04") // ctrl-d deletes, in the present
	screen.shows("where things can be done")
	screen.press("\x0c")
	screen.shows("Jobs 0")
	screen.loses("ctrl-l now")
}
