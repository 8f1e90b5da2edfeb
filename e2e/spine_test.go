package e2e

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/traintop/traintop/sources/kube"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// spine is a live cluster followed in this process: the source and the store
// that the screen uses.
type spine struct {
	t      *testing.T
	store  *store.Store
	source *kube.Cluster
}

// follow follows the cluster of a kubeconfig until the test ends.
func follow(t *testing.T, kubeconfig, namespace string) *spine {
	t.Helper()
	return followWith(t, kubeconfig, kube.Options{Namespace: namespace})
}

// followWith is follow with options of the source.
func followWith(t *testing.T, kubeconfig string, options kube.Options) *spine {
	t.Helper()
	options.Flags = genericclioptions.NewConfigFlags(false)
	options.Flags.KubeConfig = &kubeconfig
	source, err := kube.New(options)
	must(t, err)
	s := &spine{t: t, store: store.New(time.Now), source: source}
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() {
		if err := source.Run(ctx, s.store); err != nil {
			t.Errorf("the source ended by itself: %v", err)
		}
	})
	t.Cleanup(func() { cancel(); running.Wait() })
	return s
}

// until waits for the right snapshot, and returns it.
func (s *spine) until(atMost time.Duration, isRight func(*store.Snapshot) error) *store.Snapshot {
	s.t.Helper()
	late := time.After(atMost)
	for {
		snapshot := s.store.Snapshot()
		err := isRight(snapshot)
		if err == nil {
			return snapshot
		}
		select {
		case <-s.store.Changed():
		case <-late:
			s.t.Fatalf("after %s: %v\n%s", atMost, err, describe(snapshot))
		}
	}
}

// settled waits until every source has given its first answer.
func (s *spine) settled() *store.Snapshot {
	s.t.Helper()
	return s.until(30*time.Second, func(snapshot *store.Snapshot) error {
		if !snapshot.Settled() {
			return errors.New("not every source has answered")
		}
		return nil
	})
}

func describe(snapshot *store.Snapshot) string {
	text := ""
	for _, job := range snapshot.Jobs() {
		text += job.Ref.String() + " " + string(job.Phase) + " " + job.Reason + "\n"
	}
	for _, health := range snapshot.Health() {
		if health.State != train.SourceLive && health.State != train.SourceAbsent {
			text += health.Source + " " + string(health.State) + " " + health.Text + "\n"
		}
	}
	return text
}
