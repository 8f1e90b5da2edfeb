package e2e

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/e2e/operator"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// recovered bounds how long after the server is back the snapshot may be old.
const recovered = 45 * time.Second

// The API server is killed in the middle of every watch. While traintop cannot
// reach it, jobs are deleted, created, and replaced under the same name.
// Afterwards the snapshot equals the cluster: nothing lost, nothing doubled, no
// phantom rows. None of it is parallel to other tests.
func TestServerKilledAndRestarted(t *testing.T) {
	const namespace = "outage"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	for _, name := range []string{"stays", "goes", "replaced"} {
		must(t, plays.ApplyOwned(t.Context(), pytorchJob(name, runsAnywhere)))
	}
	wire, kubeconfig := newWire(t)
	watched := follow(t, kubeconfig, namespace)
	before := watched.until(30*time.Second, func(snapshot *store.Snapshot) error {
		return runs(snapshot, "goes", "replaced", "stays")
	})
	replacedID := jobNamed(before, "replaced").ID

	wire.cut()
	cluster.StopAPIServer()
	watched.until(recovered, func(snapshot *store.Snapshot) error { return connectionIs(snapshot, train.SourceRetrying) })
	if during := watched.store.Snapshot(); runs(during, "goes", "replaced", "stays") != nil {
		t.Errorf("rows changed while nobody could look:\n%s", describe(during))
	}
	must(t, cluster.StartAPIServer(t.Context()))
	must(t, deleteJob(t, namespace, "goes"))
	must(t, deleteJob(t, namespace, "replaced"))
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("replaced", runsAnywhere)))
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("comes", runsAnywhere)))
	wire.mend()

	after := watched.until(recovered, func(snapshot *store.Snapshot) error {
		return cmp.Or(runs(snapshot, "comes", "replaced", "stays"), connectionIs(snapshot, train.SourceLive))
	})
	if jobNamed(after, "replaced").ID == replacedID {
		t.Error("a job that was deleted and made again keeps its old identity")
	}
	watched.until(recovered, func(snapshot *store.Snapshot) error { return sameAsCluster(t, snapshot, namespace) })

	// Events from now on are seen again.
	must(t, deleteJob(t, namespace, "stays"))
	watched.until(recovered, func(snapshot *store.Snapshot) error { return runs(snapshot, "comes", "replaced") })
}

// A server that is killed and comes back at once, without any break for the
// client but the broken connections.
func TestServerBlinks(t *testing.T) {
	const namespace = "blink"
	namespaces(t, namespace)
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("one", runsAnywhere)))
	watched := follow(t, cluster.Kubeconfig, namespace)
	watched.until(30*time.Second, func(snapshot *store.Snapshot) error { return runs(snapshot, "one") })
	for round := range 2 {
		cluster.StopAPIServer()
		must(t, cluster.StartAPIServer(t.Context()))
		name := fmt.Sprintf("two-%d", round)
		must(t, plays.ApplyOwned(t.Context(), pytorchJob(name, runsAnywhere)))
		watched.until(recovered, func(snapshot *store.Snapshot) error { return runs(snapshot, "one", name) })
		must(t, deleteJob(t, namespace, name))
		watched.until(recovered, func(snapshot *store.Snapshot) error {
			return cmp.Or(runs(snapshot, "one"), sameAsCluster(t, snapshot, namespace))
		})
	}
}

// While the server is down, the list fails soon and names the address it tried.
func TestListWithoutServer(t *testing.T) {
	wire, kubeconfig := newWire(t)
	wire.cut()
	started := time.Now()
	out, complaints, err := run(t.Context(), kubeconfig, "jobs", "--request-timeout=3s")
	if err == nil || out != "" {
		t.Errorf("traintop jobs succeeds without a server: %q", out)
	}
	if !strings.Contains(complaints, wire.address) {
		t.Errorf("the complaint does not name %s: %q", wire.address, complaints)
	}
	if took := time.Since(started); took > 10*time.Second {
		t.Errorf("it took %s to fail, with --request-timeout=3s", took)
	}
}

// runs reports how the jobs differ from these, each of one rank that runs.
func runs(snapshot *store.Snapshot, names ...string) error {
	var have []string
	for _, job := range snapshot.Jobs() {
		have = append(have, job.Ref.Name)
		if job.Phase != train.Running || len(job.Ranks) != 1 {
			return fmt.Errorf("%s is %s with %d ranks", job.Ref.Name, job.Phase, len(job.Ranks))
		}
	}
	if !slices.Equal(have, names) {
		return fmt.Errorf("jobs are %v, want %v", have, names)
	}
	return nil
}

func jobNamed(snapshot *store.Snapshot, name string) *train.Job {
	for _, job := range snapshot.Jobs() {
		if job.Ref.Name == name {
			return job
		}
	}
	return &train.Job{}
}

func connectionIs(snapshot *store.Snapshot, state train.SourceState) error {
	for _, health := range snapshot.Health() {
		if health.Source == "kube" {
			if health.State != state {
				return fmt.Errorf("the connection is %s, want %s", health.State, state)
			}
			if state.Trouble() && (health.Text == "" || health.Since.IsZero()) {
				return fmt.Errorf("the connection is %s without a reason and a time: %+v", state, health)
			}
			return nil
		}
	}
	return fmt.Errorf("the connection is not among the sources")
}

// sameAsCluster compares pods and jobs with what the server itself lists.
func sameAsCluster(t *testing.T, snapshot *store.Snapshot, namespace string) error {
	for kind, sample := range map[schema.GroupKind]*unstructured.Unstructured{
		kinds.PodKind: named("v1", "Pod", namespace, ""),
		{Group: "kubeflow.org", Kind: "PyTorchJob"}: named("kubeflow.org/v1", "PyTorchJob", namespace, ""),
	} {
		want, err := listed(t, sample)
		if err != nil {
			return err
		}
		var have []string
		snapshot.Objects(kind, namespace, func(object kinds.Object) bool {
			have = append(have, object.GetName()+" "+string(object.GetUID()))
			return true
		})
		slices.Sort(have)
		if !slices.Equal(have, want) {
			return fmt.Errorf("%ss in the store: %v, in the cluster: %v", kind.Kind, have, want)
		}
	}
	return nil
}
