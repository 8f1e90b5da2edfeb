package targets

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/dump"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

func snapshotOf(t *testing.T) *store.Snapshot {
	t.Helper()
	s := store.New(func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) })
	if err := dump.New([]string{"testdata/cluster.yaml"}, dump.Options{}).Run(context.Background(), s); err != nil {
		t.Fatal(err)
	}
	return s.Snapshot()
}

func labels(all []actions.Target) []string {
	var names []string
	for _, t := range all {
		names = append(names, t.Label+" "+t.Pod+"/"+t.Name+" on "+t.Node)
	}
	return names
}

func TestTargets(t *testing.T) {
	s := snapshotOf(t)
	job := s.JobOf(podKind, "ml", "bert-worker-0")
	if job == nil {
		t.Fatal("the pod belongs to no job")
	}
	worker := train.PodRef("ml", "bert-worker-0", "")
	for name, c := range map[string]struct {
		refs []train.Ref
		want []string
	}{
		"a job is all its ranks":         {[]train.Ref{job.Ref}, []string{"0 bert-master-0/pytorch on gpu-0", "1 bert-worker-0/pytorch on gpu-1"}},
		"a pod is its rank":              {[]train.Ref{worker}, []string{"1 bert-worker-0/pytorch on gpu-1"}},
		"each once":                      {[]train.Ref{worker, job.Ref}, []string{"1 bert-worker-0/pytorch on gpu-1", "0 bert-master-0/pytorch on gpu-0"}},
		"a pod of no job":                {[]train.Ref{{Kind: "Pod", Namespace: "ml", Name: "notebook"}}, []string{"notebook notebook/ on gpu-0"}},
		"a node's pods that hold GPUs":   {[]train.Ref{{Kind: "Node", Name: "gpu-0"}}, []string{"0 bert-master-0/pytorch on gpu-0"}},
		"what is not there, or no place": {[]train.Ref{{Kind: "Pod", Namespace: "ml", Name: "gone"}, {Kind: "Service", Namespace: "ml", Name: "bert"}}, nil},
	} {
		if diff := cmp.Diff(c.want, labels(Of(s, c.refs))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	running, others := Running(s, Of(s, []train.Ref{job.Ref}))
	if diff := cmp.Diff([]string{"0 bert-master-0/pytorch on gpu-0"}, labels(running)); diff != "" || others != 1 {
		t.Errorf("running: %d others, %s", others, diff)
	}
}
