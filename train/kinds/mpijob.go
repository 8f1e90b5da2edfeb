package kinds

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/train"
)

// mpiKind is what MPIJobs of v1, v1alpha2 and v2beta1 share with the other
// kubeflow kinds. The launcher prints the training's output, the workers are
// the ranks.
func mpiKind() kubeflowKind {
	return kubeflowKind{replicaSpecs: "mpiReplicaSpecs", order: []string{"Launcher", "Worker"}, container: "mpi"}
}

// readMPIJob reads an MPIJob of any of its four versions, distinguished by
// their form: kubeflow/trainer v1.9.4 (v1), kubeflow/mpi-operator caa3c47
// (v2beta1), older ones (v1alpha2), Arena (v1alpha1).
func readMPIJob(f *Family) *specAndStatus {
	spec := fieldsOf(f.Top).in("spec")
	launcherWorks := spec.flag("runLauncherAsWorker") || gpuLauncher(f.Top)
	var a *specAndStatus
	if f.Top != nil && spec.in("mpiReplicaSpecs") == nil {
		a = readOldMPIJob(f)
	} else {
		a = mpiKind().read(f)
		if main := spec.text("mainContainer"); main != "" {
			for i := range a.roles {
				a.roles[i].container = main
			}
		}
	}
	rankWorkersFirst(a.roles, launcherWorks)
	a.position, a.slots = mpiPosition, spec.count("slotsPerWorker", 0)
	return a
}

// gpuLauncher reports whether the launcher of a v1 MPIJob is the first host of the
// hostfile, which it is when its limits name a resource with "gpu" in it
// (training-operator 1.9, pkg/controller.v1/mpi/mpijob.go isGPULauncher). For v2beta1
// the spec states it.
func gpuLauncher(top *unstructured.Unstructured) bool {
	if top == nil || top.GroupVersionKind().Version != "v1" {
		return false
	}
	template := fieldsOf(top).in("spec", "mpiReplicaSpecs", "Launcher", "template", "spec")
	for _, container := range template.items("containers") {
		for resource := range container.in("resources", "limits") {
			if strings.Contains(resource, "gpu") {
				return true
			}
		}
	}
	return false
}

// rankWorkersFirst numbers workers by their line in the hostfile. The launcher
// has a line, the first one, only if it works itself; else it comes last.
func rankWorkersFirst(roles []role, launcherWorks bool) {
	workers, launchers := 0, 0
	for _, r := range roles {
		if isLauncher(r.name) {
			launchers += r.wanted
		} else {
			workers += r.wanted
		}
	}
	firstWorker, firstLauncher := 0, workers
	if launcherWorks {
		firstWorker, firstLauncher = launchers, 0
	}
	for i := range roles {
		if isLauncher(roles[i].name) {
			roles[i].rank = func(index int) int { return firstLauncher + index }
			roles[i].assumed, roles[i].unranked = !launcherWorks, !launcherWorks
		} else {
			first := firstWorker
			roles[i].rank = func(index int) int { return first + index }
			firstWorker += roles[i].wanted
		}
	}
}

func isLauncher(role string) bool { return strings.EqualFold(role, "launcher") }

// mpiPosition returns a pod's role and index. Launchers have no index, because a
// Job creates them one after the other. Workers are numbered by their names,
// <job>-worker-<i>: with a working launcher the label counts from zero in
// mpi-operator 0.6 and from one later.
func mpiPosition(pod *corev1.Pod) rankPosition {
	at := kubeflowPosition(pod)
	if isLauncher(at.role) {
		return rankPosition{role: at.role, index: -1}
	}
	if named := nameIndex(pod.Name); named >= 0 {
		at.index = named
	}
	return at
}

// readOldMPIJob reads v1alpha1, as Arena installs it: one template, workers
// counted directly or through their GPUs, one launcher implied.
func readOldMPIJob(f *Family) *specAndStatus {
	top := fieldsOf(f.Top)
	spec, status := top.in("spec"), top.in("status")
	template, workers := oldMPIWorkers(spec)
	running := 0
	if status.text("launcherStatus") == "Active" {
		running = 1
	}
	return &specAndStatus{
		operatorStatus: oldMPIWord(status),
		untouched:      len(status) == 0,
		alive:          status.count("workerReplicas", 0),
		started:        status.when("startTime"),
		finished:       status.when("completionTime"),
		roles: []role{
			{name: "Launcher", wanted: 1, ready: running, container: "mpi"},
			{name: "Worker", wanted: workers, ready: status.count("workerReplicas", 0), template: template, container: "mpi"},
		},
	}
}

// oldMPIWorkers counts workers: stated, or all GPUs (processing units) in
// shares of one node's. The operator adds the share to each worker itself.
func oldMPIWorkers(spec fields) (template fields, workers int) {
	template = spec.in("template")
	if replicas, stated := spec.number("replicas"); stated {
		return template, max(0, replicas)
	}
	for _, name := range []string{"gpus", "processingUnits"} {
		total := spec.count(name, 0)
		if total == 0 {
			continue
		}
		// eight is what the operator assumes (mpi-operator v0.1, --gpus-per-node)
		perNode := min(total, max(1, spec.count(name+"PerNode", 8)))
		resource := "nvidia.com/gpu"
		if kind := spec.text("processingResourceType"); kind == "cpu" {
			return template, (total + perNode - 1) / perNode
		}
		share := fields{"limits": map[string]any{resource: int64(perNode)}}
		return withShare(template, share), (total + perNode - 1) / perNode
	}
	return template, 0
}

// withShare returns a template whose first container requests the share
// instead.
func withShare(template, share fields) fields {
	return fields{
		"metadata": template["metadata"],
		"spec":     map[string]any{"containers": []any{map[string]any{"resources": map[string]any(share)}}},
	}
}

func oldMPIWord(status fields) operatorStatus {
	switch status.text("launcherStatus") {
	case "Succeeded":
		return operatorStatus{phase: train.Succeeded, at: status.when("completionTime")}
	case "Failed":
		return operatorStatus{phase: train.Failed, reason: "launcher failed", at: status.when("completionTime")}
	case "Active":
		return operatorStatus{phase: train.Running}
	}
	return operatorStatus{}
}
