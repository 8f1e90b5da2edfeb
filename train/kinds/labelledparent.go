package kinds

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

// labelledParent returns the object that the labels of controllers name as the
// parent of an object without a UID and any owner reference: dumps are cleaned
// of those (kubectl neat), and labels remain. An object with a UID and without
// an owner has none.
func labelledParent(kind schema.GroupKind, o Object) (ParentRef, bool) {
	labels := o.GetLabels()
	if len(labels) == 0 || o.GetUID() != "" || len(o.GetOwnerReferences()) > 0 {
		return ParentRef{}, false
	}
	var parent schema.GroupKind
	var name string
	switch kind {
	case PodKind:
		pod, _ := o.(*corev1.Pod)
		parent, name = podParentByLabels(labels, pod)
	case batchJobKind:
		parent, name = jobParentByLabels(labels)
	case rayClusterKind:
		parent, name = rayJobKind, originOf(labels)
	}
	if name == "" && labels[appWrapperLabel] != "" {
		parent, name = appWrapperKind, labels[appWrapperLabel]
	}
	if name == "" {
		return ParentRef{}, false
	}
	return ParentRef{train.Ref{Group: parent.Group, Kind: parent.Kind, Namespace: o.GetNamespace(), Name: name}}, true
}

// podParentByLabels reads the labels that operators put on pods, those of the
// outer object first: a pod of a JobSet has the labels of its Job too.
func podParentByLabels(labels map[string]string, pod *corev1.Pod) (schema.GroupKind, string) {
	if name := labels["jobset.sigs.k8s.io/jobset-name"]; name != "" {
		return jobSetKind, name
	}
	if name := labels["volcano.sh/job-name"]; name != "" {
		return volcanoJobKind, name
	}
	if name := labels["ray.io/cluster"]; name != "" {
		return rayClusterKind, name
	}
	if kind, name := kubeflowParent(labels, pod); name != "" {
		return kind, name
	}
	for _, key := range []string{"batch.kubernetes.io/job-name", "job-name"} {
		if name := labels[key]; name != "" {
			return batchJobKind, name
		}
	}
	return schema.GroupKind{}, ""
}

// jobParentByLabels reads the labels of a batch Job that another controller
// made: a JobSet, an MPIJob for its launcher, a RayJob for its submitter.
func jobParentByLabels(labels map[string]string) (schema.GroupKind, string) {
	if name := labels["jobset.sigs.k8s.io/jobset-name"]; name != "" {
		return jobSetKind, name
	}
	if name := originOf(labels); name != "" {
		return rayJobKind, name
	}
	return kubeflowParent(labels, nil)
}

// originOf returns the RayJob that an object was made for (KubeRay 1.1 to 1.4).
func originOf(labels map[string]string) string {
	if labels["ray.io/originated-from-crd"] != rayJobKind.Kind {
		return ""
	}
	return labels["ray.io/originated-from-cr-name"]
}

// olderJobNames are labels of the operators before the training-operator; each
// names its kind.
var olderJobNames = []struct {
	label string
	kind  string
}{{"pytorch-job-name", "PyTorchJob"}, {"tf-job-name", "TFJob"}, {"mpi-job-name", "MPIJob"}, {"mpi_job_name", "MPIJob"}}

// kubeflowParent reads the labels of the training-operator and the MPI
// operator.
func kubeflowParent(labels map[string]string, pod *corev1.Pod) (schema.GroupKind, string) {
	for _, older := range olderJobNames {
		if name := labels[older.label]; name != "" {
			return schema.GroupKind{Group: pyTorchJobKind.Group, Kind: older.kind}, name
		}
	}
	name := labels["training.kubeflow.org/job-name"]
	if name == "" && labels["group-name"] == pyTorchJobKind.Group {
		name = labels["job-name"]
	}
	kind := kubeflowKindOf(labels, pod)
	if name == "" || kind == "" {
		return schema.GroupKind{}, ""
	}
	return schema.GroupKind{Group: pyTorchJobKind.Group, Kind: kind}, name
}

// kubeflowContainers are the containers that train in pods of the kinds, which
// the training-operator demands to have these names.
var kubeflowContainers = map[string]string{"pytorch": "PyTorchJob", "tensorflow": "TFJob", "mpi": "MPIJob", "xgboost": "XGBoostJob", "paddle": "PaddleJob", "jax": "JAXJob"}

// kubeflowKindOf returns the kind of the job that a pod of the kubeflow
// operators belongs to, "" where neither the name of the controller nor that of
// a container shows it.
func kubeflowKindOf(labels map[string]string, pod *corev1.Pod) string {
	operator := labels["training.kubeflow.org/operator-name"] // pytorchjob-controller, mpi-operator
	for container, kind := range kubeflowContainers {
		if strings.HasPrefix(operator, strings.ToLower(kind)+"-") || strings.HasPrefix(operator, container+"-operator") {
			return kind
		}
	}
	if pod == nil {
		return ""
	}
	for i := range pod.Spec.Containers {
		if kind := kubeflowContainers[pod.Spec.Containers[i].Name]; kind != "" {
			return kind
		}
	}
	return ""
}
