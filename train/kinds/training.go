package kinds

import (
	"strings"

	"github.com/traintop/traintop/train"
)

// isTraining distinguishes training jobs from the other workloads of general
// kinds (batch Job, JobSet, RayCluster, LeaderWorkerSet): a sign of training
// is an accelerator, a queue, Arena's labels, or ranks that know their index.
func isTraining(f *Family, a *specAndStatus, job *train.Job) bool {
	if !a.general || job.GPUs > 0 || job.Queue != nil || fromArena(job.Labels) {
		return true
	}
	if familyLabel(f, "runai/queue") != "" || podGroupOfPods(f) != "" {
		return true
	}
	return manyIndexes(f)
}

// fromArena reports whether labels are those of Arena's charts, which name the
// chart's kind and the tool that rendered it (kubeflow/arena v0.15.5, charts).
// Plain Helm labels alone are no sign.
func fromArena(labels map[string]string) bool {
	if labels["arena.kubeflow.org/uid"] != "" {
		return true
	}
	if labels["heritage"] != "Helm" || labels["release"] == "" {
		return false
	}
	made := strings.ToLower(labels["createdBy"])
	switch made {
	case "tfjob", "mpijob", "pytorchjob", "rayjob", "volcanojob", "cron", "etjob", "deepspeedjob", "sparkjob":
		return true
	}
	return false
}

// manyIndexes reports whether the job, or a template below it, is an Indexed
// Job of more than one completion.
func manyIndexes(f *Family) bool {
	spec := fieldsOf(f.Top).in("spec")
	if indexedMany(spec) {
		return true
	}
	for _, replicated := range spec.items("replicatedJobs") {
		jobSpec := replicated.in("template", "spec")
		// JobSet creates Indexed Jobs unless set otherwise
		if jobSpec.text("completionMode") != "NonIndexed" && (jobSpec.count("completions", jobSpec.count("parallelism", 1)) > 1 || replicated.count("replicas", 1) > 1) {
			return true
		}
	}
	return false
}

func indexedMany(spec fields) bool {
	return spec.text("completionMode") == "Indexed" && spec.count("completions", 1) > 1
}

func podGroupOfPods(f *Family) string {
	if len(f.Pods) == 0 {
		return ""
	}
	return podGroupName(f.Pods[0])
}
