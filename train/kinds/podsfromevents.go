package kinds

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// createdPods returns a pod for each pod that was created according to events,
// oldest first, with the labels that follow from its name. Most of them may be
// gone.
func createdPods(f *Family) []*corev1.Pod {
	var pods []*corev1.Pod
	for _, e := range f.Events {
		var pod *corev1.Pod
		switch e.Reason {
		case "SuccessfulCreatePod", "SuccessfulCreate":
			if name, ok := createdPod(e.Message); ok {
				pod = podNamed(f, name)
			}
		case "CreatedHeadPod", "CreatedWorkerPod":
			pod = rayPodNamed(f, e)
		}
		if pod != nil {
			pod.CreationTimestamp = metav1.NewTime(EventTime(e))
			pods = append(pods, pod)
		}
	}
	return pods
}

// rayPodNamed reads "Created worker Pod <namespace>/<cluster>-<group>-worker-<random>"
// (KubeRay 1.3.0), an event about the RayCluster.
func rayPodNamed(f *Family, e *corev1.Event) *corev1.Pod {
	_, name, _ := strings.Cut(e.Message, "/")
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: f.Ref.Namespace, Name: name}}
	if e.Reason == "CreatedHeadPod" {
		pod.Labels = map[string]string{"ray.io/node-type": "head"}
		return pod
	}
	group := strings.TrimPrefix(name, e.InvolvedObject.Name+"-")
	if at := strings.LastIndex(group, "-worker-"); at > 0 {
		group = group[:at]
	}
	pod.Labels = map[string]string{"ray.io/node-type": "worker", "ray.io/group": group}
	return pod
}

// podNamed returns a pod of which only the name is known, with the labels that
// a pod of this name has: <job>-<role>-<index> (kubeflow v1, Volcano),
// <job>-launcher-<random> (MPIJob), <job>-<index>-<random> (Indexed Job),
// <jobset>-<replicated job>-<job>-<index>-<random> (JobSet).
func podNamed(f *Family, name string) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: f.Ref.Namespace, Name: name}}
	rest, ours := strings.CutPrefix(name, f.Ref.Name+"-")
	if !ours {
		return pod
	}
	parts := strings.Split(rest, "-")
	switch f.Ref.Group {
	case batchJobKind.Group:
		pod.Labels = indexedLabels(parts)
	case jobSetKind.Group, trainJobKind.Group:
		pod.Labels = jobSetLabels(parts)
	case volcanoJobKind.Group:
		pod.Labels = roleLabels(parts, "volcano.sh/task-spec", "volcano.sh/task-index")
	default:
		pod.Labels = roleLabels(parts, "training.kubeflow.org/replica-type", "training.kubeflow.org/replica-index")
	}
	return pod
}

// roleLabels reads <role>-<index>, or <role>-<random> where nothing numbers the pods.
func roleLabels(parts []string, role, index string) map[string]string {
	last := len(parts) - 1
	if last < 1 {
		return nil
	}
	labels := map[string]string{role: strings.Join(parts[:last], "-")}
	if _, numbered := parseIndex(parts[last]); numbered {
		labels[index] = parts[last]
	}
	return labels
}

// indexedLabels reads <index>-<random>; a Job without indices has only the latter.
func indexedLabels(parts []string) map[string]string {
	if len(parts) != 2 {
		return nil
	}
	return map[string]string{"batch.kubernetes.io/job-completion-index": parts[0]}
}

// jobSetLabels reads <replicated job>-<job>-<index>-<random>, or without the
// index where the Jobs are not Indexed.
func jobSetLabels(parts []string) map[string]string {
	last := len(parts) - 1
	if last < 2 {
		return nil
	}
	labels := map[string]string{}
	job := last - 1
	if _, numbered := parseIndex(parts[last-2]); numbered && last > 2 {
		labels["batch.kubernetes.io/job-completion-index"] = parts[last-1]
		job = last - 2
	}
	labels["jobset.sigs.k8s.io/replicatedjob-name"] = strings.Join(parts[:job], "-")
	labels["jobset.sigs.k8s.io/job-index"] = parts[job]
	return labels
}
