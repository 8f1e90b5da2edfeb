package e2e

import (
	"context"
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// realMPIJob has two workers with GPUs and a launcher without, which may be tried
// twice.
func realMPIJob(name string) string {
	return strings.NewReplacer("NAME", name, "POD", withGPUs("mpi")).Replace(`
apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata: {name: NAME}
spec:
  slotsPerWorker: 2
  runPolicy: {backoffLimit: 1, cleanPodPolicy: Running}
  mpiReplicaSpecs:
    Launcher: {replicas: 1, restartPolicy: Never, template: {spec: {containers: [{name: mpi, image: registry.example/train}]}}}
    Worker: {replicas: 2, restartPolicy: Never, template: POD}
`)
}

// launcherOf is the launcher of an MPIJob that has not ended yet.
func (r *realOperator) launcherOf(job string) string {
	r.t.Helper()
	var name string
	r.until("the launcher of "+job, func(ctx context.Context) error {
		list, err := r.plane.Clients().CoreV1().Pods(operatorJobs).List(ctx, metav1.ListOptions{
			LabelSelector: "training.kubeflow.org/job-role=launcher,training.kubeflow.org/job-name=" + job,
		})
		if err != nil {
			return err
		}
		for i := range list.Items {
			if list.Items[i].Status.Phase == corev1.PodRunning {
				name = list.Items[i].Name
				return nil
			}
		}
		return fmt.Errorf("none of %d runs", len(list.Items))
	})
	return name
}

// An MPIJob waits for nodes and runs. Its launcher fails, is tried again and fails
// once more. Another one ends well.
func liveMPIOperator(r *realOperator) {
	r.apply(realMPIJob("bad"))
	r.shows("bad", in("Pending", 0, 3))
	r.nodes(1)
	r.shows("bad", in("Running", 3, 3), restarted(0))
	r.pods("bad", 2)

	r.ends("1", "", r.launcherOf("bad"))
	r.shows("bad", in("Running", 3, 3), restarted(1))
	r.ends("1", "", r.launcherOf("bad"))
	r.shows("bad", in("Failed", 0, 3), restarted(1))
	r.finds("MPIJob/bad", "application-error")

	r.apply(realMPIJob("good"))
	r.shows("good", in("Running", 3, 3))
	r.ends("0", "", r.launcherOf("good"))
	r.shows("good", in("Succeeded", 0, 3), restarted(0))
}
