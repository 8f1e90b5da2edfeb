package logfindings_test

import (
	"context"
	"testing"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// A container that runs again is not judged by the log of its previous
// instance, even where that is the only one followed.
func TestALifeThatIsOver(t *testing.T) {
	s := store.New(nil)
	if err := dump.New([]string{"../testdata/clusters/pytorch-running.yaml"}, dump.Options{}).Run(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	rank := s.Snapshot().Jobs()[0].Ranks[0]
	pod := s.Snapshot().Pod(rank.Namespace, rank.Pod).DeepCopy()
	for i := range pod.Status.ContainerStatuses {
		pod.Status.ContainerStatuses[i].RestartCount = 1
	}
	s.Apply(store.Set{Object: pod, Kind: kinds.PodKind})
	printed := func(life int) []train.Finding {
		id := train.StreamID{Namespace: pod.Namespace, Pod: pod.Name, UID: string(pod.UID), Container: rank.Container, Restart: life}
		s.Apply(store.Logged{Stream: id, Hits: []train.LogHit{{
			Signature: "cuda-oom", Cause: "cuda-out-of-memory", Line: 94, Rank: -1, Text: "torch.OutOfMemoryError: CUDA out of memory.",
		}}})
		return logfindings.Find(s.Snapshot(), s.Snapshot().Jobs()[0], noWords)
	}
	if found := printed(0); len(found) > 0 {
		t.Errorf("of the life before: %+v", found)
	}
	if found := printed(1); len(found) != 1 || found[0].Severity != train.SeverityError {
		t.Errorf("of this life: %+v", found)
	}
}
