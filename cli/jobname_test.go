package cli

import (
	"slices"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/traintop/traintop/train"
)

func jobRef(namespace, group, kind, name string) *train.Job {
	return &train.Job{Ref: train.Ref{Namespace: namespace, Group: group, Kind: kind, Name: name}}
}

// Jobs are named as kubectl names objects.
func TestNamesOfJobs(t *testing.T) {
	jobs := []*train.Job{
		jobRef("ml", "batch", "Job", "x"), jobRef("ml", "batch.volcano.sh", "Job", "x"), jobRef("ml", "kubeflow.org", "PyTorchJob", "x"),
		jobRef("ml", "leaderworkerset.x-k8s.io", "LeaderWorkerSet", "x"), jobRef("lab", "batch", "Job", "x"), jobRef("ml", "batch", "Job", "y"),
	}
	for name, want := range map[string][]int{
		"x": {0, 1, 2, 3, 4}, "job/x": {0, 1, 4}, "Jobs/x": {0, 1, 4}, "jobs.batch/x": {0, 4}, "job.batch/x": {0, 4},
		"job.v1.batch/x": {0, 4}, "jobs.v1alpha1.batch.volcano.sh/x": {1}, "job.batch.volcano.sh/x": {1}, "Job.batch.volcano.sh/x": {1},
		"vcjob/x": {1}, "vj/x": {1}, "vj.batch.volcano.sh/x": {1}, "vj.batch/x": nil, "lws/x": {3}, "ml/job.batch/x": {0}, "lab/jobs/x": {4},
		"pytorchjobs/x": {2}, "pytorchjobs.kubeflow.org/x": {2}, "pytorchjobs.v1.kubeflow.org/x": {2}, "pytorchjobs.example.com/x": nil,
		"jobs./x": nil, "/x": {0, 1, 2, 3, 4}, "job/": nil, "a/ml/job/x": nil, "ml/x": {0, 1, 2, 3}, "lab/x": {4}, "prod/x": nil, "foos.example.com/x": nil, "": nil,
	} {
		var got []int
		for i, job := range jobs {
			if parseJobName(name).means(job) {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q means %v, want %v", name, got, want)
		}
	}
}

// The name of a job in an answer names that job alone.
func TestSpellingsTellJobsApart(t *testing.T) {
	jobs := []*train.Job{jobRef("ml", "batch", "Job", "x"), jobRef("ml", "batch.volcano.sh", "Job", "x"), jobRef("ml", "batch", "Job", "y")}
	names := spelled(jobs)
	if got := strings.Join(names, " "); got != "ml/Job.batch/x ml/Job.batch.volcano.sh/x ml/Job/y" {
		t.Errorf("they are %s", got)
	}
	for i, name := range names {
		for j, job := range jobs {
			if parseJobName(name).means(job) != (i == j) {
				t.Errorf("%q and %v", name, job.Ref)
			}
		}
	}
}

// The namespace of a name is read.
func TestNamespacesOfNamesAreRead(t *testing.T) {
	for _, test := range []struct {
		given, names, want string
		all, fails         bool
	}{
		{"", "x", "", false, false}, {"", "ml/job/x", "ml", false, false}, {"", "ml/job/x ml/job/y", "ml", false, false},
		{"", "ml/job/x lab/job/y", "", true, false}, {"", "ml/job/x y", "", true, false}, {"ml", "ml/job/x y", "ml", false, false},
		{"ml", "lab/job/x", "ml", false, true}, {"", "", "", false, false},
		{"", "ads/x", "ads", false, false}, {"", "vcjob/x", "", false, false},
	} {
		o := &opening{cluster: genericclioptions.NewConfigFlags(true)}
		*o.cluster.Namespace = test.given
		err := o.readNamespacesOf(strings.Fields(test.names))
		if *o.cluster.Namespace != test.want || o.all != test.all || (err != nil) != test.fails {
			t.Errorf("%+v: namespace %q, all %v, %v", test, *o.cluster.Namespace, o.all, err)
		}
	}
}

// A namespace in a job's name is read beside others where not all may be read.
func TestNamespacesOfNamesAreKnown(t *testing.T) {
	o := &opening{cluster: genericclioptions.NewConfigFlags(true), all: true}
	if err := o.readNamespacesOf([]string{"x", "ml/job/x", "lab/job/y", "ml/job/z"}); err != nil || !slices.Equal(o.named, []string{"ml", "lab"}) {
		t.Errorf("they are %q, %v", o.named, err)
	}
}
