package kube

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// picture is a sink that merges events as the store's contract requires, and
// nothing more: the objects, and the health of each source.
type picture struct {
	mu      sync.Mutex
	objects map[string]kinds.Object // "Kind namespace/name"
	health  map[string]train.Health
	history []train.Health
}

func newPicture() *picture {
	return &picture{objects: map[string]kinds.Object{}, health: map[string]train.Health{}}
}

func (p *picture) Apply(events ...store.Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, event := range events {
		switch e := event.(type) {
		case store.Set:
			p.objects[name(e.Kind, e.Object.GetNamespace(), e.Object.GetName())] = e.Object
		case store.Deleted:
			delete(p.objects, name(e.Kind, e.Namespace, e.Name))
		case store.Listed:
			p.forget(e.Kind, e.Namespace)
			for _, o := range e.Objects {
				p.objects[name(e.Kind, o.GetNamespace(), o.GetName())] = o
			}
		case store.Unwatched:
			p.forget(e.Kind, e.Namespace)
		case store.HealthChanged:
			p.history = append(p.history, e.Health)
			p.health[e.Health.Source] = e.Health
			if e.Health.State == "" {
				delete(p.health, e.Health.Source)
			}
		}
	}
}

func (p *picture) forget(kind schema.GroupKind, namespace string) {
	for key, o := range p.objects {
		if strings.HasPrefix(key, kind.String()+" ") && (namespace == "" || o.GetNamespace() == namespace) {
			delete(p.objects, key)
		}
	}
}

func name(kind schema.GroupKind, namespace, name string) string {
	return kind.String() + " " + client.JoinName(namespace, name)
}

// names lists the objects of a kind.
func (p *picture) names(kind string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	names := []string{}
	for key := range p.objects {
		if found, ok := strings.CutPrefix(key, kind+" "); ok {
			names = append(names, found)
		}
	}
	slices.Sort(names)
	return names
}

func (p *picture) state(source string) train.Health {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.health[source]
}

// said returns all health events so far.
func (p *picture) said() []train.Health {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.history)
}

func (p *picture) object(key string) kinds.Object {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.objects[key]
}

func (p *picture) settled() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, h := range p.health {
		if !h.State.Settled() {
			return false
		}
	}
	return len(p.health) > 0
}

var (
	pyTorchJob = kinds.Kind{GroupKind: schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}, Resource: "pytorchjobs", Versions: []string{"v1"}}
	mpiJob     = kinds.Kind{GroupKind: schema.GroupKind{Group: "kubeflow.org", Kind: "MPIJob"}, Resource: "mpijobs", Versions: []string{"v2beta1", "v1"}}
)

const (
	servePyTorch = "kubeflow.org/v1/PyTorchJob/pytorchjobs"
	podsPath     = "/api/v1/namespaces/ml/pods/"
	jobsPath     = "/apis/kubeflow.org/v1/namespaces/ml/pytorchjobs/"
)

// inBubble runs a test against a fresh API server, in virtual time.
func inBubble(t *testing.T, test func(t *testing.T, s *apiServer)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) { test(t, newAPIServer(t)) })
}

// run follows the cluster until the test ends, and waits for it: the bubble
// fails if a goroutine outlives Run.
func run(t *testing.T, s *apiServer, change func(*Options)) (*Cluster, *picture) {
	t.Helper()
	o := Options{Flags: s.flags(), Kinds: []kinds.Kind{pyTorchJob, mpiJob}}
	if change != nil {
		change(&o)
	}
	c, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	p := newPicture()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx, p) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; err != nil {
			t.Errorf("Run returned %v", err)
		}
		s.stop()
	})
	pass(0)
	return c, p
}

// pass advances time and lets everything that is due happen.
func pass(d time.Duration) {
	time.Sleep(d + time.Millisecond)
	synctest.Wait()
}

func pod(labels ...string) map[string]any {
	o := map[string]any{"kind": "Pod", "apiVersion": "v1", "metadata": map[string]any{}}
	for _, l := range labels {
		o["metadata"].(map[string]any)["labels"] = map[string]any{l: "x"}
	}
	return o
}

func job() map[string]any {
	return map[string]any{"kind": "PyTorchJob", "apiVersion": "kubeflow.org/v1"}
}
