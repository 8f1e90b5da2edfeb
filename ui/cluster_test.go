package ui

import (
	"context"
	"errors"
	"testing"

	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
)

// fakeCluster answers as a kubeconfig with two contexts would.
type fakeCluster struct {
	t        *testing.T
	used     []string
	manifest string // of every object, "" for a short one
}

func (c *fakeCluster) Contexts(context.Context) ([]Context, error) {
	return []Context{{Name: "prod-gpu", Cluster: "prod", User: "me", Current: true}, {Name: "staging", Cluster: "stage", User: "me", Namespace: "llm"}}, nil
}

func (c *fakeCluster) Namespaces(context.Context) ([]string, error) {
	return []string{"empty-one", "llm"}, nil
}

func (c *fakeCluster) Manifest(_ context.Context, ref train.Ref) (string, error) {
	if ref.Name == "ctr-daily" {
		return "", errors.New("connection refused")
	}
	if c.manifest != "" {
		return c.manifest, nil
	}
	return "kind: " + ref.Kind + "\nlive: true\n", nil
}

func (c *fakeCluster) FullManifest(_ context.Context, ref train.Ref) (string, error) {
	return "kind: " + ref.Kind + "\nmanagedFields: []\n", nil
}

func (c *fakeCluster) UseNamespace(namespace string) { c.used = append(c.used, namespace) }

func (c *fakeCluster) Stream(*streams.Plan) {}

func (c *fakeCluster) SwitchContext(_ context.Context, name string) (Session, error) {
	if name != "staging" {
		return Session{}, errors.New("switch to context " + name + ": there is none of that name; there are prod-gpu, staging")
	}
	return Session{Store: fixture(c.t), Context: "staging", Namespace: "llm"}, nil
}

func TestContextsAreListedAndChanged(t *testing.T) {
	cluster := &fakeCluster{t: t}
	d := drive(t, Options{Cluster: cluster}, 120, 30).command("ctx")
	d.shows("Contexts 2", "staging", "stage")
	d.keys("/").types("staging").keys("enter", "enter")
	d.shows("staging · llm", "Jobs 4", "context staging")
	d.command("ctx nonsense").shows("there are prod-gpu, staging")
	d.shows("staging · llm")
}

func TestNamespacesOfTheClusterAreOffered(t *testing.T) {
	cluster := &fakeCluster{t: t}
	d := drive(t, Options{Cluster: cluster}, 120, 30)
	d.keys(":").types("ns em").keys("tab", "enter")
	d.shows("prod-gpu · empty-one", "no training jobs in namespace empty-one")
	if len(cluster.used) != 1 || cluster.used[0] != "empty-one" {
		t.Errorf("the sources were told %q", cluster.used)
	}
	d.command("ns").shows("empty-one")
}

func TestManifestsComeFromTheCluster(t *testing.T) {
	d := drive(t, Options{Cluster: &fakeCluster{t: t}}, 120, 30)
	d.keys("y").shows("live: true")
	d.keys("m").shows("managedFields")
	d.keys("m").shows("live: true")
	d.keys("esc", "G", "y").shows("as last seen: connection refused", "TFJob")
}
