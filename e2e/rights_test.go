package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/traintop/traintop/e2e/controlplane"
	"github.com/traintop/traintop/e2e/operator"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// rightsNoticed bounds how long new rights may stay unused: a refused resource
// is requested again every minute.
const rightsNoticed = 90 * time.Second

// may is a rule to read resources of a group.
func may(group string, resources ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{APIGroups: []string{group}, Resources: resources, Verbs: []string{"list", "watch", "get"}}
}

// A user with rights to one namespace sees the jobs of that one, and what is
// missing: which resource, in which place.
func TestUserOfOneNamespace(t *testing.T) {
	t.Parallel()
	namespaces(t, "mine", "theirs")
	for _, namespace := range []string{"mine", "theirs"} {
		plays := operator.Operator{Cluster: cluster, Namespace: namespace}
		must(t, plays.ApplyOwned(t.Context(), pytorchJob("job-of-"+namespace, runsAnywhere)))
	}
	kubeconfig := user(t, "one-namespace", controlplane.Grant{
		Namespace: "mine", Rules: []rbacv1.PolicyRule{may("", "pods", "events"), may("kubeflow.org", "*")},
	})
	for _, args := range [][]string{nil, {"-A"}} {
		a := eventually(t, kubeconfig, args, func(a answer) error {
			row, err := a.job("job-of-mine")
			if err == nil && row.Phase != "Running" {
				err = fmt.Errorf("job-of-mine is %s", row.Phase)
			}
			return err
		})
		if len(a.Jobs) != 1 {
			t.Errorf("traintop jobs %v lists %d jobs, want the one of the namespace", args, len(a.Jobs))
		}
		for _, refused := range []string{"nodes", "jobs.batch"} {
			if text := a.problemAbout(refused); !strings.Contains(text, "forbidden") || !strings.Contains(text, "list") {
				t.Errorf("traintop jobs %v says about %s: %q; want who may not list it, and where", args, refused, text)
			}
		}
	}
	watched := follow(t, kubeconfig, "")
	snapshot := watched.settled()
	for _, health := range snapshot.Health() {
		if health.Resource == "nodes" && (health.State != train.SourceForbidden || health.Verb != "list") {
			t.Errorf("nodes are %s for %q, want forbidden for list", health.State, health.Verb)
		}
	}
	if len(snapshot.Jobs()) != 1 {
		t.Errorf("the store holds %d jobs, want 1", len(snapshot.Jobs()))
	}
}

// A user who may list namespaces and has rights in two of three sees the jobs
// of both with -A, and how many namespaces were read and refused.
func TestUserOfSomeNamespaces(t *testing.T) {
	t.Parallel()
	all := []string{"some-a", "some-b", "some-c"}
	namespaces(t, all...)
	for _, namespace := range all {
		plays := operator.Operator{Cluster: cluster, Namespace: namespace}
		must(t, plays.ApplyOwned(t.Context(), pytorchJob("job-in-"+namespace, runsAnywhere)))
	}
	rules := []rbacv1.PolicyRule{may("", "pods", "events"), may("kubeflow.org", "*")}
	kubeconfig := user(t, "some-namespaces",
		controlplane.Grant{Namespace: "some-a", Rules: rules}, controlplane.Grant{Namespace: "some-b", Rules: rules},
		controlplane.Grant{Rules: []rbacv1.PolicyRule{may("", "namespaces")}},
	)
	a := eventually(t, kubeconfig, []string{"-A"}, func(a answer) error {
		for _, name := range []string{"job-in-some-a", "job-in-some-b"} {
			if row, err := a.job(name); err != nil || row.Phase != "Running" {
				return fmt.Errorf("%s is %s: %w", name, row.Phase, err)
			}
		}
		return nil
	})
	if _, err := a.job("job-in-some-c"); err == nil {
		t.Error("the answer has a job of the namespace that may not be read")
	}
	if text := a.problemAbout("pods"); !strings.Contains(text, "forbidden") || !strings.Contains(text, "some-b") || !strings.Contains(text, "refused") {
		t.Errorf("the answer says about pods: %q; want that they were read in two namespaces, and how many refused", text)
	}
}

// A user who may not list nodes gets the whole job list all the same.
func TestUserWithoutNodes(t *testing.T) {
	t.Parallel()
	namespaces(t, "no-nodes-a", "no-nodes-b")
	for _, namespace := range []string{"no-nodes-a", "no-nodes-b"} {
		plays := operator.Operator{Cluster: cluster, Namespace: namespace}
		must(t, plays.ApplyOwned(t.Context(), pytorchJob("job-in-"+namespace, runsAnywhere)))
	}
	kubeconfig := user(t, "no-nodes", controlplane.Grant{
		Rules: []rbacv1.PolicyRule{may("", "pods", "events", "namespaces"), may("kubeflow.org", "*"), may("batch", "jobs")},
	})
	a := eventually(t, kubeconfig, []string{"-A"}, func(a answer) error {
		for _, name := range []string{"job-in-no-nodes-a", "job-in-no-nodes-b"} {
			row, err := a.job(name)
			if err != nil {
				return err
			}
			if row.Phase != "Running" || row.Ranks.Ready != 1 {
				return fmt.Errorf("%s is %s with %d ready", name, row.Phase, row.Ranks.Ready)
			}
		}
		return nil
	})
	if text := a.problemAbout("nodes"); !strings.Contains(text, "forbidden") {
		t.Errorf("the answer says about nodes: %q; want that they may not be listed", text)
	}
	if text := a.problemAbout("pods"); text != "" {
		t.Errorf("the answer complains about pods: %q", text)
	}
}

// Rights that are granted while running are used without a restart.
func TestRightsThatComeLate(t *testing.T) {
	t.Parallel()
	namespaces(t, "late-rights")
	plays := operator.Operator{Cluster: cluster, Namespace: "late-rights"}
	must(t, plays.ApplyOwned(t.Context(), pytorchJob("hidden-at-first", runsAnywhere)))
	kubeconfig := user(t, "late", controlplane.Grant{Namespace: "late-rights", Rules: []rbacv1.PolicyRule{may("", "pods")}})
	watched := follow(t, kubeconfig, "")
	watched.settled()
	// The same user under another name of the role: grants add up.
	must(t, cluster.Grant(t.Context(), "late", "late-more", controlplane.Grant{
		Namespace: "late-rights", Rules: []rbacv1.PolicyRule{may("kubeflow.org", "*")},
	}))
	watched.until(rightsNoticed, func(snapshot *store.Snapshot) error {
		for _, job := range snapshot.Jobs() {
			if job.Ref.Name == "hidden-at-first" && !job.Gone {
				return nil
			}
		}
		return fmt.Errorf("hidden-at-first does not show")
	})
}
