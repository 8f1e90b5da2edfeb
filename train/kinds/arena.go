package kinds

import (
	"github.com/traintop/traintop/train"
)

// readArenaTrainingJob reads Arena's elastic training and DeepSpeed jobs
// (kai.alibabacloud.com/v1alpha1 TrainingJob).
func readArenaTrainingJob(f *Family) *specAndStatus {
	top := fieldsOf(f.Top)
	spec, status := top.in("spec"), top.in("status")
	kind := kubeflowKind{replicaSpecs: "etReplicaSpecs", order: []string{"launcher", "worker"}}
	a := kind.read(f)
	if a.operatorStatus.phase == "" {
		a.operatorStatus = arenaWord(status)
	}
	a.elastic = arenaElastic(spec.in("etReplicaSpecs"))
	rankWorkersFirst(a.roles, false)
	a.position = mpiPosition
	return a
}

// arenaElastic bounds all ranks: the workers' bounds, and the launcher besides.
func arenaElastic(replicas fields) *train.Elastic {
	workers, launchers := replicas.in("worker"), replicas.in("launcher").count("replicas", 1)
	if workers["minReplicas"] == nil && workers["maxReplicas"] == nil {
		return nil
	}
	wanted := workers.count("replicas", 1)
	least := workers.count("minReplicas", wanted)
	return &train.Elastic{Min: launchers + least, Max: launchers + max(least, workers.count("maxReplicas", wanted))}
}

// arenaWord reads status.phase, which older operators write without conditions.
func arenaWord(status fields) operatorStatus {
	switch status.text("phase") {
	case "Failed":
		return operatorStatus{phase: train.Failed}
	case "Succeeded":
		return operatorStatus{phase: train.Succeeded}
	case "Running", "Scaling":
		return operatorStatus{phase: train.Running}
	case "Restarting":
		return operatorStatus{phase: train.Restarting}
	}
	return operatorStatus{}
}
