package store

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// A cache keyed by a store's version is invalid once another store replaces
// that store, and again when a third one replaces the second.
func TestAStoreThatTakesAPlaceHasOtherVersions(t *testing.T) {
	log := train.StreamID{Namespace: "a", Pod: "x", Container: "c"}
	fill := func(s *Store) *Snapshot {
		s.Apply(
			Set{Kind: kinds.PodKind, Object: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "a", Name: "x"}}},
			HealthChanged{Health: train.Health{Source: "kube", State: train.SourceLive}},
			Logged{Stream: log, Lines: []train.LogLine{{Number: 1, Text: "step 1"}}},
		)
		return s.Snapshot()
	}
	before := fill(New(time.Now))
	for range 3 {
		versions := versionsIn(before, log)
		next := fill(NewAfter(time.Now, before))
		for of, version := range versionsIn(next, log) {
			if version <= versions[of] {
				t.Errorf("the version of %s goes from %d to %d", of, versions[of], version)
			}
		}
		before = next
	}
}

func versionsIn(s *Snapshot, log train.StreamID) map[string]uint64 {
	return map[string]uint64{
		"jobs": s.JobsVersion, "nodes": s.NodesVersion, "events": s.EventsVersion, "health": s.HealthVersion, "objects": s.ObjectsVersion,
		"logs": s.LogsVersion, "GPUs": s.GPUsVersion, "usage": s.UsageVersion, "log": s.Log(log).Version, "picture": s.Sequence,
	}
}
