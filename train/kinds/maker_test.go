package kinds

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/train"
)

func TestMakers(t *testing.T) {
	f := func(kind, group, name string, want ...string) {
		t.Helper()
		var got []string
		for _, maker := range Creators(train.Ref{Group: group, Kind: kind, Namespace: "ml", Name: name}) {
			got = append(got, maker.String())
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("makers of %s %s (-want +got):\n%s", kind, name, diff)
		}
	}
	f("Job", "batch", "a-b-0", "ml/RayJob/a-b-0", "ml/JobSet/a", "ml/TrainJob/a")
	f("Job", "batch", "a-2-b-0", "ml/RayJob/a-2-b-0", "ml/JobSet/a-2", "ml/TrainJob/a-2", "ml/JobSet/a", "ml/TrainJob/a")
	f("Job", "batch", "nightly-29919588", "ml/RayJob/nightly-29919588")
	f("Job", "batch", "bert-launcher", "ml/RayJob/bert-launcher", "ml/MPIJob/bert")
	f("JobSet", "jobset.x-k8s.io", "sft", "ml/TrainJob/sft")
	f("RayCluster", "ray.io", "ppo-x7k2p", "ml/RayJob/ppo")
	f("RayCluster", "ray.io", "ppo-raycluster-x7k2p", "ml/RayJob/ppo")
	f("RayCluster", "ray.io", "shared")
	f("PyTorchJob", "kubeflow.org", "a-b-0")
	f("Job", "batch.volcano.sh", "a-b-0")
}

func TestJobSetMadeOnlyWhatItNames(t *testing.T) {
	set := object(t, `{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: exp, namespace: ml}, spec: {replicatedJobs: [{name: gpu-workers}]}}`)
	for name, want := range map[string]bool{"exp-gpu-workers-3": true, "exp-workers-3": false, "exp-gpu-workers-x": false} {
		if got := MayHaveCreated(set, train.Ref{Group: "batch", Kind: "Job", Namespace: "ml", Name: name}); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
