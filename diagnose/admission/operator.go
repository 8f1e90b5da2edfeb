package admission

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// operator is the controller of jobs of a kind. Manifests, charts and
// distributions give its pods different labels and names, so it is recognised
// by names of which one must occur: in a label's value, the pod's or a
// container's name, the image, or the command.
type operator struct {
	name string
	// words are names of the program; the first is the one that users look
	// for.
	words []string
	// chart is the app.kubernetes.io/name of its chart where other pods have
	// that name too, "" elsewhere.
	chart string
	// roots are words in the pods of an operator under another name: a pod
	// that has one, and runs a controller, may be it.
	roots []string
	// hosted is true where a provider may run it outside the cluster.
	hosted bool
}

// OperatorOf returns the operator of a job (names: kubeflow/trainer v1.9 and
// v2.0, kubeflow/mpi-operator 0.6, kubernetes-sigs/jobset 0.8, volcano 1.11,
// kuberay 1.3, kubernetes-sigs/lws 0.6, appwrapper 1.2, their manifests and
// charts; Arena's charts).
func OperatorOf(job train.Ref) operator {
	switch job.Group {
	case "kubeflow.org":
		training := []string{"training-operator", "pytorch-operator", "tf-job-operator", "tf-operator", "xgboost-operator", "paddle-operator"}
		roots := []string{"training", "pytorch", "tensorflow", "kubedl", "arena"}
		if job.Kind == "MPIJob" {
			return operator{name: "the mpi-operator or the training-operator", words: append([]string{"mpi-operator"}, training...), roots: append(roots, "mpi")}
		}
		return operator{name: "the training-operator", words: training, roots: roots}
	case "trainer.kubeflow.org":
		return operator{name: "the Kubeflow Trainer", words: []string{"trainer-controller-manager", "kubeflow-trainer"}, chart: "trainer", roots: []string{"training"}}
	case "jobset.x-k8s.io":
		return operator{name: "the JobSet controller", words: []string{"jobset-controller", "jobset-controller-manager", "jobset"}}
	case "batch.volcano.sh":
		return operator{name: "Volcano's controller manager", words: []string{"volcano-controller", "volcano-controllers", "vc-controller-manager"}, roots: []string{"volcano"}}
	case "ray.io":
		return operator{name: "the KubeRay operator", words: []string{"kuberay-operator"}, roots: []string{"ray", "codeflare"}}
	case "leaderworkerset.x-k8s.io":
		return operator{name: "the LeaderWorkerSet controller", words: []string{"lws-controller-manager", "lws", "leaderworkerset"}}
	case "batch":
		return operator{name: "the kube-controller-manager", words: []string{"kube-controller-manager"}, hosted: true}
	case "workload.codeflare.dev":
		return operator{name: "the AppWrapper controller", words: []string{"appwrapper-controller-manager", "appwrapper"}, roots: []string{"codeflare"}}
	case "kai.alibabacloud.com":
		return operator{name: "Arena's et-operator", words: []string{"et-operator"}, roots: []string{"arena"}}
	}
	return operator{name: "its operator", words: []string{"operator"}, hosted: true}
}

// look returns the step that shows its pods.
func (o operator) look() train.Step {
	return rule.Look("See whether the operator runs: a deployment or pod with "+o.words[0]+" in its name, its labels or its image.", "kubectl", "get", "deployments,pods", "-A", "-o", "wide")
}

// namingLabels are the labels whose values name a program.
var namingLabels = []string{"app", "app.kubernetes.io/name", "app.kubernetes.io/instance", "app.kubernetes.io/component", "app.kubernetes.io/part-of", "control-plane", "component", "k8s-app", "name", "release"}

// namesOf returns the texts that name what a pod runs, as parted writes them.
func namesOf(name string, labels map[string]string, containers []corev1.Container) []string {
	names := []string{name}
	for _, label := range namingLabels {
		if value := labels[label]; value != "" {
			names = append(names, value)
		}
	}
	for i := range containers {
		c := &containers[i]
		names = append(names, c.Name, repository(c.Image))
		if len(c.Command) > 0 {
			names = append(names, path.Base(c.Command[0]))
		}
	}
	for i, name := range names {
		names[i] = parted(name)
	}
	return names
}

// repository returns an image without its registry, tag and digest.
func repository(image string) string {
	image, _, _ = strings.Cut(image, "@")
	if tag := strings.LastIndexByte(image, ':'); tag > strings.LastIndexByte(image, '/') {
		image = image[:tag]
	}
	if parts := strings.Split(image, "/"); len(parts) > 2 {
		image = strings.Join(parts[len(parts)-2:], "/")
	}
	return image
}

// parted writes a name with a dash before, between and behind its parts.
func parted(name string) string {
	parts := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("-_./:", r) })
	return "-" + strings.Join(parts, "-") + "-"
}

// hasName reports whether one of some parted texts contains a name, part by part:
// "kuberay-operator-7d9" contains "kuberay-operator", but "rayon" does not
// contain "ray".
func hasName(texts []string, name string) bool {
	name = parted(name)
	return slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, name) })
}

func hasOne(texts, names []string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return hasName(texts, name) })
}

// controllerWords are names of which every controller has one.
var controllerWords = []string{"operator", "operators", "controller", "controllers", "manager", "controller-manager"}

func (o operator) is(labels map[string]string, texts []string) bool {
	return o.chart != "" && labels["app.kubernetes.io/name"] == o.chart || hasOne(texts, o.words)
}

// maybe reports whether a pod may be the operator under another name: it runs
// a controller, and has a name of the operator's or none of its own.
func (o operator) maybe(pod *corev1.Pod, texts []string) bool {
	if !hasOne(texts, controllerWords) {
		return false
	}
	return hasOne(append(texts, parted(pod.Namespace)), o.roots) || isNameless(pod)
}

// namelessPod matches the name of a controller's pod that names nothing else.
var namelessPod = regexp.MustCompile(`^(?:(?:operator|controller|manager)s?-)+(?:[a-z0-9]{5,10}-)?[a-z0-9]{1,10}$`)

func isNameless(pod *corev1.Pod) bool { return namelessPod.MatchString(pod.Name) }

// operatorPods are the observed pods of an operator.
type operatorPods struct {
	pods        []*corev1.Pod
	deployments []train.Ref
	// maybe is a pod that may be the operator's, nil for none.
	maybe *corev1.Pod
	// known is true where all pods of the cluster were read, and the operator
	// runs in the cluster.
	known bool
}

var deploymentKind = schema.GroupKind{Group: "apps", Kind: "Deployment"}

// findOperator looks once in a snapshot for the operator of each kind: where one is
// down, all jobs of its kinds ask for it.
func findOperator(s *rule.JobContext, o operator) operatorPods {
	return rule.Shared(s.ClusterContext, "operator "+o.name, func() operatorPods { return lookForOperator(s, o) })
}

func lookForOperator(s *rule.JobContext, o operator) (found operatorPods) {
	found.known = s.Complete(kinds.PodKind, "") && !o.hosted
	s.Objects(kinds.PodKind, "", func(object kinds.Object) bool {
		pod, is := object.(*corev1.Pod)
		if !is || s.JobOf(kinds.PodKind, pod.Namespace, pod.Name) != nil {
			return true
		}
		switch texts := namesOf(pod.Name, pod.Labels, pod.Spec.Containers); {
		case o.is(pod.Labels, texts):
			found.pods = append(found.pods, pod)
		case found.maybe == nil && o.maybe(pod, texts):
			found.maybe = pod
		}
		return true
	})
	s.Objects(deploymentKind, "", func(object kinds.Object) bool {
		if tree, is := object.(*unstructured.Unstructured); is && o.is(tree.GetLabels(), namesOf(tree.GetName(), tree.GetLabels(), nil)) {
			found.deployments = append(found.deployments, train.Ref{Group: "apps", Kind: "Deployment", Namespace: tree.GetNamespace(), Name: tree.GetName()})
		}
		return true
	})
	return found
}

// gone reports whether the operator is known to be missing.
func (f *operatorPods) gone() bool { return f.known && len(f.pods) == 0 && f.maybe == nil }

// down reports whether the operator has pods and none of them is ready.
func (f *operatorPods) down() bool {
	return len(f.pods) > 0 && !slices.ContainsFunc(f.pods, isReadyPod)
}

func isReadyPod(pod *corev1.Pod) bool {
	ready := rule.PodCondition(pod, corev1.PodReady)
	return ready != nil && ready.Status == corev1.ConditionTrue
}

// podState returns what a pod does in a few words: what its first waiting
// container waits for, else its phase.
func podState(pod *corev1.Pod) string {
	for i := range pod.Status.ContainerStatuses {
		if c := &pod.Status.ContainerStatuses[i]; c.State.Waiting != nil && c.State.Waiting.Reason != "" {
			return fmt.Sprintf("%s, container %s: %s", pod.Status.Phase, c.Name, c.State.Waiting.Reason)
		}
	}
	return string(pod.Status.Phase)
}

// words returns whether the operator runs, as far as known.
func (f *operatorPods) words(namespace string) string {
	switch {
	case f.down():
		return fmt.Sprintf("Its pod %s is not ready (%s).", f.pods[0].Name, rule.Plain(podState(f.pods[0])))
	case len(f.pods) > 0:
		return fmt.Sprintf("It has a pod, and has not touched this job: it is down or behind, or does not watch namespace %s.", namespace)
	case f.gone():
		return fmt.Sprintf("It does not run, or does not watch namespace %s.", namespace)
	}
	return fmt.Sprintf("Whether it runs is not known; it does not, or does not watch namespace %s.", namespace)
}

// evidence returns what is observed of the operator: its pods, its deployment,
// a pod that may be its, or that there is none.
func (f *operatorPods) evidence(o operator) (evidence []train.Evidence) {
	for _, pod := range f.pods[:min(len(f.pods), 2)] {
		evidence = append(evidence, rule.StatusEvidence(kinds.PodRef(pod), "status.phase", rule.Plain(podState(pod)), time.Time{}, -1))
	}
	switch {
	case len(f.pods) > 0:
	case f.maybe != nil:
		evidence = append(evidence, rule.FieldEvidence(kinds.PodRef(f.maybe), "metadata", "may be "+o.name+" under another name: it runs a controller, and its name, labels and image do not say of what", time.Time{}, -1))
	case f.gone():
		evidence = append(evidence, rule.FieldEvidence(rule.CoreRef("Pod", "", o.words[0]), "", "no pod of "+o.name+" in the cluster: none has "+o.words[0]+" or another of its names in its name, labels or image", time.Time{}, -1))
	}
	if len(f.deployments) > 0 && len(f.pods) == 0 {
		evidence = append(evidence, rule.FieldEvidence(f.deployments[0], "", "its deployment is there and has no pod that was read", time.Time{}, -1))
	}
	return evidence
}

// OperatorPods returns what is observed of the operator.
func OperatorPods(s *rule.JobContext, o operator) []train.Evidence {
	found := findOperator(s, o)
	return found.evidence(o)
}
