package kinds

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

func TestPodsWithoutOwnersNameTheirJobByLabels(t *testing.T) {
	unknown := func(schema.GroupKind, string, string) (Object, train.Presence) { return nil, train.Unknown }
	list := []struct {
		labels    map[string]string
		container string
		want      string
	}{
		{map[string]string{"training.kubeflow.org/job-name": "bert", "training.kubeflow.org/operator-name": "tfjob-controller"}, "main", "ml/TFJob/bert"},
		{map[string]string{"training.kubeflow.org/job-name": "bert"}, "pytorch", "ml/PyTorchJob/bert"},
		{map[string]string{"training.kubeflow.org/job-name": "bert", "training.kubeflow.org/operator-name": "mpi-operator", "job-name": "bert-launcher"}, "main", "ml/MPIJob/bert"},
		{map[string]string{"group-name": "kubeflow.org", "job-name": "bert"}, "jax", "ml/JAXJob/bert"},
		{map[string]string{"pytorch-job-name": "bert", "job-name": "bert"}, "main", "ml/PyTorchJob/bert"},
		{map[string]string{"batch.kubernetes.io/job-name": "train"}, "main", "ml/Job/train"},
		{map[string]string{"job-name": "train"}, "main", "ml/Job/train"},
		{map[string]string{"job-name": "llm-workers-0", "jobset.sigs.k8s.io/jobset-name": "llm"}, "main", "ml/JobSet/llm"},
		{map[string]string{"volcano.sh/job-name": "v"}, "main", "ml/Job.batch.volcano.sh/v"},
		{map[string]string{"ray.io/cluster": "r"}, "main", "ml/RayCluster/r"},
		{map[string]string{"app": "web"}, "pytorch", ""},
	}
	for _, c := range list {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "ml", Labels: c.labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: c.container}}}}
		if top, ok := Top(PodKind, pod, unknown); ok != (c.want != "") || ok && top.String() != c.want {
			t.Errorf("%v: %s, want %s", c.labels, top, c.want)
		}
		pod.UID = "p-1"
		if top, ok := Top(PodKind, pod, unknown); ok {
			t.Errorf("%v, as the API server gives it: %s", c.labels, top)
		}
		pod.UID = ""
		pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "x"}}
		if top, ok := Top(PodKind, pod, unknown); ok {
			t.Errorf("%v, with an owner: %s", c.labels, top)
		}
	}
}

func TestJobsWithoutOwnersNameTheirMakerByLabels(t *testing.T) {
	unknown := func(schema.GroupKind, string, string) (Object, train.Presence) { return nil, train.Unknown }
	job := object(t, "{apiVersion: batch/v1, kind: Job, metadata: {name: llm-workers-0, namespace: ml, labels: {jobset.sigs.k8s.io/jobset-name: llm}}}")
	if top, _ := Top(batchJobKind, job, unknown); top.String() != "ml/JobSet/llm" {
		t.Errorf("the Job of a JobSet belongs to %s", top)
	}
	cluster := object(t, "{apiVersion: ray.io/v1, kind: RayCluster, metadata: {name: tune-x, namespace: ml, labels: {ray.io/originated-from-crd: RayJob, ray.io/originated-from-cr-name: tune}}}")
	if top, _ := Top(rayClusterKind, cluster, unknown); top.String() != "ml/RayJob/tune" {
		t.Errorf("the cluster of a RayJob belongs to %s", top)
	}
}
