package cli

import (
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// A waiting command names what it waits for, every ten seconds, and no longer
// once it has the answer.
func TestASlowAnswerSaysWhatItWaitsFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var said []string
		s := &session{store: store.New(time.Now), say: func(text string) {
			mu.Lock()
			defer mu.Unlock()
			said = append(said, text)
		}}
		s.store.Apply(
			store.HealthChanged{Health: train.Health{Source: "kube/pods", Resource: "pods", State: train.SourceListing}},
			store.HealthChanged{Health: train.Health{Source: "kube/nodes", Resource: "nodes", State: train.SourceLive}},
			store.HealthChanged{Health: train.Health{Source: "prometheus", State: train.SourceConnecting}},
		)
		stop := s.sayWhenSlow(func() string { return waitedFor(s.store.Snapshot()) })
		time.Sleep(quietFor - time.Second)
		synctest.Wait()
		mu.Lock()
		if len(said) != 0 {
			t.Errorf("it said %q before its time", said)
		}
		mu.Unlock()
		time.Sleep(quietFor + 2*time.Second)
		stop()
		time.Sleep(time.Minute)
		synctest.Wait()
		mu.Lock()
		defer mu.Unlock()
		if len(said) != 2 || !strings.HasPrefix(said[0], "still waiting after 10s for pods, prometheus;") || !strings.HasPrefix(said[1], "still waiting after 20s") {
			t.Errorf("it said %q", said)
		}
	})
}

func TestManySourcesThatAreWaitedForAreCounted(t *testing.T) {
	s := store.New(time.Now)
	if got := waitedFor(s.Snapshot()); got != "the cluster" {
		t.Errorf("of nothing: %q", got)
	}
	for _, name := range strings.Split("abcdefgh", "") {
		s.Apply(store.HealthChanged{Health: train.Health{Source: name, State: train.SourceListing}})
	}
	if got := waitedFor(s.Snapshot()); !strings.HasSuffix(got, " and 2 more") {
		t.Error(got)
	}
}
