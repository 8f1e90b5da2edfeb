package e2e

import (
	"context"
	"fmt"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/e2e/crds"
	"github.com/traintop/traintop/e2e/operator"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// noticed bounds how long a resource definition that comes or goes may stay
// unnoticed by a program that runs.
const noticed = 20 * time.Second

// A resource definition that is installed, removed and installed again while
// traintop runs: its jobs appear, leave, and appear, without a restart. It is
// not parallel, since other tests use the definition.
func TestDefinitionInstalledWhileRunning(t *testing.T) {
	const namespace = "late-kind"
	namespaces(t, namespace)
	definition := lateDefinition(t)
	kind := schema.GroupKind{Group: definition.Group, Kind: definition.Kind}
	watched := follow(t, cluster.Kubeconfig, namespace)
	if snapshot := watched.settled(); snapshot.Count(kind) != 0 {
		t.Fatalf("there are %ss before there is a definition", kind.Kind)
	}
	for round := range 2 {
		_, err := cluster.ApplyObjects(t.Context(), crds.Objects(definition)...)
		must(t, err)
		name := fmt.Sprintf("deepspeed-%d", round)
		must(t, createArena(t, namespace, name))
		watched.until(noticed, func(snapshot *store.Snapshot) error {
			if jobs := snapshot.Jobs(); len(jobs) != 1 || jobs[0].Ref.Name != name || jobs[0].Phase != train.Running {
				return fmt.Errorf("%d jobs, want %s running", len(jobs), name)
			}
			return nil
		})
		must(t, uninstall(t, definition))
		watched.until(noticed, func(snapshot *store.Snapshot) error {
			if n := snapshot.Count(kind); n != 0 {
				return fmt.Errorf("%d %ss of a definition that is gone", n, kind.Kind)
			}
			return nil
		})
		must(t, deletePods(t, namespace))
		watched.until(noticed, func(snapshot *store.Snapshot) error {
			if n := len(snapshot.Jobs()); n != 0 {
				return fmt.Errorf("%d jobs are left", n)
			}
			return nil
		})
	}
}

// uninstall removes a resource definition and waits until it is gone; objects
// cannot be made while it goes.
func uninstall(t *testing.T, definition crds.Definition) error {
	object := definition.Object()
	if err := cluster.Delete(t.Context(), object); err != nil {
		return err
	}
	resource, err := cluster.Resource(object)
	if err != nil {
		return err
	}
	return cluster.Wait(t.Context(), 30*time.Second, func(ctx context.Context) error {
		_, err := resource.Get(ctx, object.GetName(), metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return nil
		}
		return fmt.Errorf("%s is still there (%w)", object.GetName(), err)
	})
}

func createArena(t *testing.T, namespace, name string) error {
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	for _, kind := range operator.Kinds() {
		if kind.Kind != lateKind {
			continue
		}
		life, err := kind.Life(name)
		must(t, err)
		must(t, plays.Create(t.Context(), life))
		return plays.Run(t.Context(), life)
	}
	return fmt.Errorf("nobody plays %s", lateKind)
}
