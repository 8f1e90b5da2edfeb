package jobname

import (
	"slices"
	"testing"

	"github.com/traintop/traintop/termtext"
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
			if Parse(name).Means(job) {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q means %v, want %v", name, got, want)
		}
	}
}

// The name that a job is printed by means that job alone; a kind that several share
// means the one that goes by its name alone, or else the others.
func TestPrintedNamesMeanOneJob(t *testing.T) {
	jobs := []*train.Job{
		jobRef("ml", "batch.volcano.sh", "Job", "x"), jobRef("ml", "batch", "Job", "x"), jobRef("ml", "batch", "Job", "y"),
		jobRef("lab", "batch.volcano.sh", "Job", "x"), jobRef("ml", "kubeflow.org", "PyTorchJob", "x"),
	}
	for i, job := range jobs {
		for j, other := range jobs {
			if name := job.Ref.String(); Parse(name).MeansAmong(jobs, other) != (i == j) {
				t.Errorf("%q and %v", name, other.Ref)
			}
		}
	}
	for typed, want := range map[string][]int{
		"x": {0, 1, 3, 4}, "job/x": {1, 3}, "Jobs/x": {1, 3}, "ml/Job/x": {1}, "lab/Job/x": {3}, "vcjob/x": {0, 3}, "ml/job.batch.volcano.sh/x": {0}, "ml/job.batch/x": {1},
	} {
		var got []int
		for i, job := range jobs {
			if Parse(typed).MeansAmong(jobs, job) {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q means %v, want %v", typed, got, want)
		}
	}
}

// A job of log files is named as answers print it, also where a path is its name.
func TestNamesOfLogJobsAreTakenAsPrinted(t *testing.T) {
	log := func(name string) *train.Job {
		return &train.Job{LogsOnly: true, Ref: train.Ref{Kind: train.LogKind, Name: name}}
	}
	jobs := []*train.Job{log("nm/a/rank*.log"), log("nm/b/rank*.log"), log("rank*.log"), log("odd\x1bname.log")}
	for typed, want := range map[string][]int{
		"Log/nm/a/rank*.log": {0}, "nm/a/rank*.log": {0}, "a/rank*.log": {0}, "Log/b/rank*.log": {1}, "rank*.log": {0, 1, 2}, "Log/": nil, "Log": nil, "Log/k*.log": nil,
	} {
		var got []int
		for i, job := range jobs {
			if Parse(typed).Means(job) {
				got = append(got, i)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q means %v, want %v", typed, got, want)
		}
	}
	for _, job := range jobs {
		if n := Parse(termtext.Line(job.Ref.String())); !n.Means(job) || n.Namespace != "" {
			t.Errorf("%q does not mean %q", n.Typed, job.Ref.Name)
		}
	}
}
