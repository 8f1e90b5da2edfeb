package admission

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var podNameTaken = rule.Cause{
	ID: "pod-name-taken", Stage: train.StageAdmission,
	Words: logfindings.Words{
		Title:   "Pods of an earlier object have the names",
		Meaning: "The job was created again while pods of the object before it, which had the same name, are still there. They keep their names and their GPUs, and the operator can create no pods of the same names until they are gone.",
		Fix: "Look at the pods that have the names: are they being deleted, and on which nodes? $ kubectl get pods -o wide\n" +
			"Delete them if nobody needs them. Where their node is gone for good, delete them with --force --grace-period=0; where a finalizer holds them, look at the controller that it names.",
	},
	Hides:    []train.Cause{"admission-webhook-denied", "no-pods-operator-down"},
	Evidence: "An event with `pods \"NAME\" already exists`, or a job without pods, and a pod of such a name that another object owns: metadata.ownerReferences has another UID.",

	Find: func(s *rule.JobContext) []train.Finding {
		if s.Top == nil || s.Job.Phase.Terminal() || len(s.Pods) >= s.Job.Wanted || !s.OlderThan(s.Job.Created, rule.StartGrace) {
			return nil
		}
		event, first := takenName(s)
		switch {
		case first != nil:
			return []train.Finding{takenFinding(s, event, first)}
		case event != nil:
			return []train.Finding{unseenFinding(s, event)}
		}
		return nil
	},
}

// alreadyExists is the API server's answer to the creation of a pod whose name is taken
// (k8s.io/apimachinery 1.36 pkg/api/errors NewAlreadyExists).
var alreadyExists = regexp.MustCompile(`pods "([a-z0-9.-]{1,253})" already exists`)

// takenName returns the pod that has the name of one of the job's, and the event that
// reports it: the event alone where pods were not read. Operators that number the pods of
// a role name them JOB-ROLE-0. Both are nil where no pod of another object has such a
// name.
func takenName(s *rule.JobContext) (*corev1.Event, *corev1.Pod) {
	for _, e := range slices.Backward(s.OwnerEvents()) {
		if m := alreadyExists.FindStringSubmatch(e.Message); m != nil {
			if pod := foreign(s, m[1]); pod != nil {
				return e, pod
			}
			if _, presence := s.LookUp(kinds.PodKind, s.Job.Ref.Namespace, m[1]); presence == train.Unknown {
				return e, nil
			}
		}
	}
	if len(s.Pods) > 0 {
		return nil, nil
	}
	for i := range s.Job.Roles {
		if pod := foreign(s, strings.ToLower(s.Job.Ref.Name+"-"+s.Job.Roles[i].Name+"-0")); pod != nil && ofNamesake(s, pod) {
			return nil, pod
		}
	}
	return nil, nil
}

// ofNamesake reports whether a pod is of an earlier object of the job's kind and name.
// Without an event another pod may have such a name by chance: pods of many kinds have
// others.
func ofNamesake(s *rule.JobContext, pod *corev1.Pod) bool {
	owner := metav1.GetControllerOf(pod)
	return owner != nil && owner.Kind == s.Job.Ref.Kind && owner.Name == s.Job.Ref.Name
}

// foreign returns a pod of a name that belongs neither to the job nor to what it made.
func foreign(s *rule.JobContext, name string) *corev1.Pod {
	o, _ := s.LookUp(kinds.PodKind, s.Job.Ref.Namespace, name)
	pod, _ := o.(*corev1.Pod)
	if pod == nil || metav1.IsControlledBy(pod, s.Top) ||
		slices.ContainsFunc(s.Descendants(), func(below kinds.Object) bool { return metav1.IsControlledBy(pod, below) }) {
		return nil
	}
	return pod
}

func takenFinding(s *rule.JobContext, event *corev1.Event, first *corev1.Pod) train.Finding {
	taken := siblings(s, first)
	since := s.Job.Created
	if event != nil {
		since = kinds.EventTime(event)
	}
	f := s.NewFinding(train.SeverityError, since)
	gpus := 0
	for _, pod := range taken {
		for _, hold := range kinds.HeldGPUs(pod) {
			gpus += hold.GPUs
		}
	}
	f.Title = fmt.Sprintf("%s of an earlier object %s the names of the job's pods", termtext.Count(len(taken), "pod"), termtext.Agree(len(taken), "has", "have"))
	if gpus > 0 {
		f.Title += fmt.Sprintf(", and %s", termtext.Count(gpus, "GPU"))
	}
	f.Title += ": " + podNames(taken) + stateOfAll(s, taken)
	f.Explanation = s.Current.Meaning
	if event != nil {
		f.Evidence = append(f.Evidence, rule.EventEvidence(event, -1))
	}
	for _, pod := range taken[:min(len(taken), mostTaken)] {
		f.Evidence = append(f.Evidence, rule.FieldEvidence(kinds.PodRef(pod), "metadata.ownerReferences", ownerWords(pod)+" on node "+pod.Spec.NodeName, pod.CreationTimestamp.Time, -1))
	}
	f.Next = []train.Step{rule.Look("See who holds the pod, and why it is still there.", rule.Kubectl("describe", kinds.PodRef(first))...)}
	return endTaken(s, f, taken)
}

// unseenFinding rests on the event alone.
func unseenFinding(s *rule.JobContext, event *corev1.Event) train.Finding {
	name := alreadyExists.FindStringSubmatch(event.Message)[1]
	f := s.NewFinding(train.SeverityError, kinds.EventTime(event))
	f.Confidence = train.Likely
	f.Title = fmt.Sprintf("Another object's pod has the name %s, so that the job's own cannot be created", rule.Plain(name))
	f.Explanation = s.Current.Meaning
	f.Evidence = []train.Evidence{rule.EventEvidence(event, -1)}
	f.Next = []train.Step{rule.Look("See whose pod it is, and why it is still there.", rule.Kubectl("describe", train.PodRef(s.Job.Ref.Namespace, name, ""))...)}
	f.Verify = "It is gone, and the job's own pods are created."
	return f
}

// endTaken adds how to be rid of the pods.
func endTaken(s *rule.JobContext, f train.Finding, taken []*corev1.Pod) train.Finding {
	first, deletion := taken[0], []string{"kubectl", "delete", "pod", "-n", s.Job.Ref.Namespace}
	for _, pod := range taken[:min(len(taken), mostTaken)] {
		deletion = append(deletion, pod.Name)
	}
	switch {
	case len(first.Finalizers) > 0:
		f.Next = append(f.Next, rule.Do("Look at the controller that the finalizer "+rule.Plain(first.Finalizers[0])+" names: it has to take it off, or it is gone for good and somebody else does."))
	case first.DeletionTimestamp != nil:
		f.Next = append(f.Next, rule.Run("Where the node is gone for good, delete them without waiting for its kubelet.", append(deletion, "--force", "--grace-period=0")...))
	default:
		f.Next = append(f.Next, rule.Run("If nobody needs them, delete them.", deletion...))
	}
	f.Verify = "They are gone, and the job's own pods are created."
	return f
}

// mostTaken is how many pods are named.
const mostTaken = 8

// siblings returns the pods that the owner of a pod made, that one first.
func siblings(s *rule.JobContext, first *corev1.Pod) []*corev1.Pod {
	all := []*corev1.Pod{first}
	owner := metav1.GetControllerOf(first)
	if owner == nil || owner.Name != s.Job.Ref.Name {
		return all
	}
	for _, o := range s.ListObjects(kinds.PodKind, first.Namespace) {
		pod, _ := o.(*corev1.Pod)
		if pod == nil || pod == first {
			continue
		}
		if of := metav1.GetControllerOf(pod); of != nil && of.UID == owner.UID {
			all = append(all, pod)
		}
	}
	return all
}

func podNames(pods []*corev1.Pod) string {
	return termtext.FewOf(pods, 3, func(pod *corev1.Pod) string { return rule.Plain(pod.Name) })
}

// stateOfAll reports what keeps the pods, as the first of them shows it.
func stateOfAll(s *rule.JobContext, pods []*corev1.Pod) string {
	pod := pods[0]
	if pod.DeletionTimestamp == nil {
		return ""
	}
	text := fmt.Sprintf(", being deleted for %s", termtext.Duration(s.Now.Sub(pod.DeletionTimestamp.Time)))
	if len(pod.Finalizers) > 0 {
		return text + ", held by the finalizer " + rule.Plain(pod.Finalizers[0])
	}
	if node := s.Node(pod.Spec.NodeName); node != nil && !node.Ready {
		return text + fmt.Sprintf(", on node %s, which is not ready", rule.Plain(pod.Spec.NodeName))
	}
	return text
}

func ownerWords(pod *corev1.Pod) string {
	owner := metav1.GetControllerOf(pod)
	if owner == nil {
		return "no object owns it,"
	}
	return fmt.Sprintf("an earlier %s %s (UID %s) owns it,", owner.Kind, owner.Name, owner.UID)
}
