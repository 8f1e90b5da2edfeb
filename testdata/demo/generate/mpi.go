package generate

import (
	"fmt"
	"time"
)

// mpiJob is an MPIJob of the mpi-operator (kubeflow.org/v2beta1): the launcher
// is a batch Job, the workers are pods of their own.
type mpiJob struct {
	namespace, name, image string
	command                []any
	asks, launcherAsks     map[string]string
	slots                  int
	launcher               placed
	workers                []placed
	age                    time.Duration
}

func (c *cluster) mpiJob(j mpiJob) {
	own := owner{"kubeflow.org/v2beta1", "MPIJob", j.name, uid("MPIJob", j.namespace, j.name)}
	m := meta(j.namespace, j.name, j.age)
	m["uid"] = own.uid
	replica := func(count int, command []any, asks map[string]string) object {
		template := (&pod{container: "mpi", image: j.image, command: command, asks: asks}).template()
		return object{
			"replicas": int64(count), "restartPolicy": "Never",
			"template": object{"metadata": object{}, "spec": object{"containers": []any{template}}},
		}
	}
	sshd := []any{"/usr/sbin/sshd", "-De"}
	stated := func(kind, message string, age time.Duration) object {
		cond := condition(kind, "True", "MPIJob"+kind, fmt.Sprintf("MPIJob %s/%s %s", j.namespace, j.name, message), age)
		cond["lastUpdateTime"] = cond["lastTransitionTime"]
		return cond
	}
	c.add(object{
		"apiVersion": own.apiVersion, "kind": own.kind, "metadata": m,
		"spec": object{
			"launcherCreationPolicy": "AtStartup", "mpiImplementation": "OpenMPI", "runLauncherAsWorker": false,
			"runPolicy": object{"cleanPodPolicy": "Running", "suspend": false}, "slotsPerWorker": int64(j.slots), "sshAuthMountPath": "/root/.ssh",
			"mpiReplicaSpecs": object{"Launcher": replica(1, j.command, j.launcherAsks), "Worker": replica(len(j.workers), sshd, j.asks)},
		},
		"status": object{
			"startTime":       ago(j.age),
			"conditions":      []any{stated("Created", "is created.", j.age), stated("Running", "is running.", j.age-30*time.Second)},
			"replicaStatuses": object{"Launcher": object{"active": int64(1)}, "Worker": object{"active": int64(len(j.workers))}},
		},
	})
	role := func(name string) map[string]string {
		return map[string]string{
			"training.kubeflow.org/job-name": j.name, "training.kubeflow.org/job-role": name, "training.kubeflow.org/operator-name": "mpi-operator",
		}
	}
	c.batchJob(batchJob{
		namespace: j.namespace, name: j.name + "-launcher", owner: &own, container: "mpi", image: j.image, command: j.command,
		asks: j.launcherAsks, restart: "Never", completions: 1, pods: []placed{j.launcher}, extra: role("launcher"), age: j.age,
		env: []any{
			object{"name": "K_MPI_JOB_ROLE", "value": "launcher"},
			object{"name": "OMPI_MCA_orte_keep_fqdn_hostnames", "value": "true"},
			object{"name": "OMPI_MCA_orte_default_hostfile", "value": "/etc/mpi/hostfile"},
			object{"name": "OMPI_MCA_orte_set_default_slots", "value": fmt.Sprint(j.slots)},
		},
	})
	for i, at := range j.workers {
		c.pod(pod{
			namespace: j.namespace, name: fmt.Sprintf("%s-worker-%d", j.name, i), owner: own,
			labels: merged(role("worker"), map[string]string{"training.kubeflow.org/replica-index": fmt.Sprint(i)}),
			image:  j.image, container: "mpi", command: sshd, env: []any{object{"name": "K_MPI_JOB_ROLE", "value": "worker"}},
			asks: j.asks, restart: "Never", node: at.node, state: at.state, age: j.age - time.Second,
		})
	}
	c.service(j.namespace, j.name, map[string]string{"training.kubeflow.org/job-name": j.name, "training.kubeflow.org/operator-name": "mpi-operator"}, own, j.age)
}
