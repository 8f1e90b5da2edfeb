package kinds

import (
	"fmt"
	"testing"

	"github.com/traintop/traintop/train"
)

// TestOperatorCounts reads objects alone, without pods: only the operator's
// counts and names are available.
func TestOperatorCounts(t *testing.T) {
	for name, c := range map[string]struct{ top, want string }{
		"Arena's roles are small in the spec and large in the status": {
			`{apiVersion: kai.alibabacloud.com/v1alpha1, kind: TrainingJob, metadata: {name: j}, spec: {etReplicaSpecs: {launcher: {}, worker: {replicas: 2}}},
			  status: {phase: Running, replicaStatuses: {Launcher: {active: 1}, Worker: {active: 2}}}}`,
			"Running [{launcher 1 1 0} {worker 2 2 0}]"},
		"a job whose deadline is over counts its pods of before": {
			`{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: j}, spec: {runPolicy: {activeDeadlineSeconds: 15}, pytorchReplicaSpecs: {Master: {}, Worker: {replicas: 1}}},
			  status: {replicaStatuses: {Master: {active: 1}, Worker: {active: 1}}, conditions: [{type: Failed, status: 'True', message: Job j has failed because it was active longer than specified deadline}]}}`,
			"Failed [{Master 1 0 0} {Worker 1 0 0}]"},
		"a failed job whose pods are deleted": {
			`{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: j}, spec: {runPolicy: {cleanPodPolicy: Running}, pytorchReplicaSpecs: {Master: {}, Worker: {replicas: 1}}},
			  status: {replicaStatuses: {Master: {active: 1}, Worker: {failed: 1}}, conditions: [{type: Failed, status: 'True'}]}}`,
			"Failed [{Master 1 0 0} {Worker 1 0 0}]"},
		"a failed job that keeps its pods": {
			`{apiVersion: kubeflow.org/v1, kind: PyTorchJob, metadata: {name: j}, spec: {pytorchReplicaSpecs: {Master: {}, Worker: {replicas: 1}}},
			  status: {replicaStatuses: {Master: {active: 1}, Worker: {failed: 1}}, conditions: [{type: Failed, status: 'True'}]}}`,
			"Failed [{Master 1 1 0} {Worker 1 0 0}]"},
		"Volcano keeps only the count of the whole job": {
			`{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: j}, spec: {tasks: [{name: ps, replicas: 1}, {name: worker, replicas: 3}]},
			  status: {state: {phase: Running}, running: 3, pending: 1}}`,
			"Running [{ps 1 1 0} {worker 3 2 0}]"},
		"Volcano says Running and counts only pending pods": {
			`{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: j}, spec: {tasks: [{name: worker, replicas: 3}]}, status: {state: {phase: Running}, pending: 3}}`,
			"Pending [{worker 3 0 0}]"},
		"Volcano names tasks that have no name": {
			`{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: j}, spec: {tasks: [{replicas: 1}, {replicas: 2}]}}`,
			"Pending [{default0 1 0 0} {default1 2 0 0}]"},
		"a RayCluster that only conditions call ready": {
			`{apiVersion: ray.io/v1, kind: RayCluster, metadata: {name: j}, spec: {headGroupSpec: {}, workerGroupSpecs: [{groupName: g, replicas: 1}]},
			  status: {readyWorkerReplicas: 1, conditions: [{type: HeadPodReady, status: 'True'}, {type: RayClusterProvisioned, status: 'True'}]}}`,
			"Running [{head 1 1 0} {g 1 1 0}]"},
		"a RayCluster that was resumed and keeps its state": {
			`{apiVersion: ray.io/v1, kind: RayCluster, metadata: {name: j}, spec: {suspend: false, headGroupSpec: {}},
			  status: {state: suspended, conditions: [{type: RayClusterSuspended, status: 'False'}]}}`,
			"Pending [{head 1 0 0}]"},
		"a RayCluster of before conditions": {
			`{apiVersion: ray.io/v1, kind: RayCluster, metadata: {name: j}, spec: {headGroupSpec: {}}, status: {state: suspended}}`,
			"Suspended [{head 1 0 0}]"},
	} {
		t.Run(name, func(t *testing.T) {
			job := Assemble(familyOf(t, c.top))
			var roles []string
			for _, r := range job.Roles {
				roles = append(roles, fmt.Sprintf("{%s %d %d %d}", r.Name, r.Wanted, r.Ready, r.GPUs))
			}
			if got := fmt.Sprint(job.Phase, " ", roles); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestRayJobWaitsForRay: KubeRay 1.3.0 calls a RayJob Running once its cluster
// is up; the job itself runs when Ray reports it.
func TestRayJobWaitsForRay(t *testing.T) {
	for status, want := range map[string]train.Phase{
		"{jobDeploymentStatus: Initializing}":                  train.Pending,
		"{jobDeploymentStatus: Running}":                       train.Pending,
		"{jobDeploymentStatus: Running, jobStatus: PENDING}":   train.Pending,
		"{jobDeploymentStatus: Running, jobStatus: RUNNING}":   train.Running,
		"{jobDeploymentStatus: Running, jobStatus: SUCCEEDED}": train.Succeeded,
	} {
		f := familyOf(t, `{apiVersion: ray.io/v1, kind: RayJob, metadata: {name: j, namespace: ml}, spec: {rayClusterSpec: {headGroupSpec: {}}}, status: `+status+`}`)
		f.Pods = append(f.Pods, labelled("j-head", map[string]string{"ray.io/node-type": "head"}))
		if job := Assemble(f); job.Phase != want || want == train.Pending && job.Reason == "" {
			t.Errorf("%s: %s (%q), want %s", status, job.Phase, job.Reason, want)
		}
	}
}

func TestSuspendedJobSetHasNotStarted(t *testing.T) {
	job := Assemble(familyOf(t, `{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: j, creationTimestamp: '2026-11-20T09:00:00Z'},
	  spec: {suspend: true, replicatedJobs: [{name: a}]}, status: {conditions: [{type: Suspended, status: 'True', lastTransitionTime: '2026-11-20T09:00:00Z'}]}}`))
	if !job.Started.IsZero() {
		t.Errorf("started %v", job.Started)
	}
}
