package admission

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

var noPodsOperatorDown = rule.Cause{
	ID: "no-pods-operator-down", Stage: train.StageAdmission,
	Meaning:  "Nobody works on the job: it has no pods, no status and no events. Its operator does not run, or does not watch this namespace.",
	Evidence: "The object exists for minutes without status, events and pods.",
	Fix:      "Look at the operator's pod and its log.",

	Find: func(s *rule.JobContext) []train.Finding {
		if s.Top == nil || s.Job.Phase != train.Pending || len(s.Pods) > 0 || len(s.Earlier) > 0 || !untouched(s) {
			return nil
		}
		if managed := kinds.ManagerOf(s.Top); managed != "" {
			s.CheckSkipped("another controller manages it: " + managed)
			return nil
		}
		for _, kind := range []schema.GroupKind{kinds.PodKind, kinds.EventKind} {
			if !s.Complete(kind, s.Job.Ref.Namespace) {
				s.CheckUnknown(rule.Lower(kind.Kind) + "s of the namespace were not listed, so that there are none is not known: " + s.WhyUnlisted(kind, s.Job.Ref.Namespace))
				return nil
			}
		}
		severity := train.SeverityWarning
		if s.OlderThan(s.Job.Created, operatorGrace) {
			severity = train.SeverityError
		} else if !s.OlderThan(s.Job.Created, rule.StartGrace) {
			return nil // just created
		}
		f := s.NewFinding(severity, s.Job.Created)
		f.Confidence = train.Likely
		operator := OperatorOf(s.Job.Ref)
		f.Title = "Nobody has worked on the job: it has no pods, no status and no events"
		f.Explanation = fmt.Sprintf("%s of this kind are worked on by %s. It does not run, or does not watch namespace %s.", "Jobs", operator.name, s.Job.Ref.Namespace)
		f.Evidence = []train.Evidence{rule.FieldEvidence(s.Job.Ref, "status", "empty since the job was made", s.Job.Created, -1)}
		f.Evidence = append(f.Evidence, OperatorPods(s, operator)...)
		f.Next = []train.Step{
			operator.look(),
			rule.Do("Read the operator's log; restart it, or install it."),
		}
		f.Verify = "The job gets a status and its pods."
		return []train.Finding{f}
	},
}

// operatorGrace is how long an operator may take: a busy one needs seconds.
const operatorGrace = 2 * time.Minute

// untouched reports that no controller has left a trace on the job.
func untouched(s *rule.JobContext) bool {
	if len(rule.MapAt(s.Top.Object, "status")) > 0 || len(s.Descendants()) > 0 || len(s.OwnerEvents()) > 0 {
		return false
	}
	_, told := rule.ConditionOf(s.Top, "Created")
	return !told
}

// operator is who works on jobs of a kind, and by what its pods are known: a
// label, or where kubebuilder's general one is all they have
// (control-plane=controller-manager, which many operators share), the name of
// their deployment.
type operator struct{ name, label, value, deployment string }

// look is how a person sees its pods.
func (o operator) look() train.Step {
	if o.deployment != "" {
		return rule.Look("See whether the deployment "+o.deployment+"… is there and ready.", "kubectl", "get", "deployments", "-A")
	}
	return rule.Look("See whether the operator's pod runs.", "kubectl", "get", "pods", "-A", "-l", o.label+"="+o.value)
}

func (o operator) runs(pod *corev1.Pod) bool {
	if o.deployment != "" {
		return strings.HasPrefix(pod.Name, o.deployment+"-")
	}
	return pod.Labels[o.label] == o.value
}

func OperatorOf(job train.Ref) operator {
	named := func(name, label, value string) operator { return operator{name: name, label: label, value: value} }
	switch job.Group {
	case "kubeflow.org":
		if job.Kind == "MPIJob" {
			return named("the mpi-operator or the training-operator", "app", "mpi-operator")
		}
		return named("the training-operator", "control-plane", "kubeflow-training-operator")
	case "trainer.kubeflow.org":
		return named("the Kubeflow Trainer", "app.kubernetes.io/name", "trainer")
	case "jobset.x-k8s.io":
		// jobset-controller-manager of its manifests, jobset-controller of its chart (0.8)
		return operator{name: "the JobSet controller", deployment: "jobset-controller"}
	case "batch.volcano.sh":
		return named("Volcano's controller manager", "app", "volcano-controller")
	case "ray.io":
		return named("the KubeRay operator", "app.kubernetes.io/name", "kuberay-operator")
	case "leaderworkerset.x-k8s.io":
		// of its manifests and its chart (0.6 to 0.9)
		return operator{name: "the LeaderWorkerSet controller", deployment: "lws-controller-manager"}
	case "batch":
		return named("the kube-controller-manager", "component", "kube-controller-manager")
	}
	return named("its operator", "app.kubernetes.io/component", "operator")
}

// OperatorPods is what can be seen of the operator: its pods, or that there is none.
func OperatorPods(s *rule.JobContext, o operator) []train.Evidence {
	var evidence []train.Evidence
	s.Objects(kinds.PodKind, "", func(object kinds.Object) bool {
		pod, is := object.(*corev1.Pod)
		if is && o.runs(pod) && len(evidence) < 2 {
			evidence = append(evidence, rule.StatusEvidence(rule.PodRef(pod), "status.phase", string(pod.Status.Phase), time.Time{}, -1))
		}
		return true
	})
	if len(evidence) == 0 && s.Complete(kinds.PodKind, "") {
		evidence = append(evidence, rule.FieldEvidence(rule.CoreRef("Pod", "", cmp.Or(o.deployment, o.label+"="+o.value)), "", "no pod of "+o.name+" in the cluster", time.Time{}, -1))
	}
	return evidence
}
