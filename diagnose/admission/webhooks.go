package admission

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// toBeMade is an object that a controller has yet to create for the job, with
// the labels that it will certainly have.
type toBeMade struct {
	group, resource string
	labels          labels.Set
}

// childOf is what the controller of a kind creates before any pod.
var childOf = map[schema.GroupKind]struct {
	kind     schema.GroupKind
	resource string
}{
	{Group: "trainer.kubeflow.org", Kind: "TrainJob"}: {schema.GroupKind{Group: "jobset.x-k8s.io", Kind: "JobSet"}, "jobsets"},
	{Group: "jobset.x-k8s.io", Kind: "JobSet"}:        {schema.GroupKind{Group: "batch", Kind: "Job"}, "jobs"},
	{Group: "ray.io", Kind: "RayJob"}:                 {schema.GroupKind{Group: "ray.io", Kind: "RayCluster"}, "rayclusters"},
}

// brokenWebhooks finds webhooks that block everything the job still lacks and
// have no running backend: with failurePolicy Fail the API server rejects
// requests when such a webhook does not answer.
func brokenWebhooks(s *rule.JobContext) []train.Finding {
	wanted := wantedObjects(s)
	if len(wanted) == 0 {
		return nil
	}
	var found []train.Finding
	asked, unseen := 0, ""
	for _, w := range s.Webhooks() {
		if !watches(s, &w, wanted) {
			continue
		}
		asked++
		switch lack, evidence := behind(s, &w); {
		case evidence == nil:
		case lack == "":
			unseen = w.Name
		default:
			found = append(found, brokenWebhook(s, &w, lack, evidence))
		}
	}
	switch {
	case len(found) > 0:
	case unseen != "":
		s.CheckUnknown(fmt.Sprintf("who stands behind webhook %s cannot be seen: the right to list services and pods there is missing, or the files hold none", unseen))
	case asked > 0:
		s.CheckPassed(termtext.Count(asked, "webhook") + termtext.Agree(asked, " that has to agree to what is missing has", " that have to agree to what is missing have") + " a ready pod")
	}
	return found
}

// wantedObjects returns the objects that the job still lacks: its pods, or
// what its controller creates before them.
func wantedObjects(s *rule.JobContext) []toBeMade {
	if s.Top == nil {
		return nil
	}
	switch s.Job.Phase {
	case train.Succeeded, train.Failed, train.Queued, train.Suspended:
		return nil
	}
	if s.MissingPods() == 0 {
		return nil
	}
	if child, has := childOf[rule.ObjectKind(s.Top)]; has && s.NewestBelow(child.kind) == nil && len(s.Pods) == 0 {
		return []toBeMade{{group: child.kind.Group, resource: child.resource}}
	}
	var list []toBeMade
	for _, p := range s.Pods {
		return append(list, toBeMade{resource: "pods", labels: p.Labels})
	}
	for _, t := range s.Templates() {
		list = append(list, toBeMade{resource: "pods", labels: t.Labels})
	}
	return list
}

// watches reports whether the API server calls a webhook for one of the
// objects and rejects it without an answer. Unknown counts as no.
func watches(s *rule.JobContext, w *rule.Webhook, wanted []toBeMade) bool {
	if w.FailurePolicy != nil && *w.FailurePolicy == admissionv1.Ignore || len(w.MatchConditions) > 0 {
		return false
	}
	if w.ClientConfig.Service == nil || !inNamespaces(s, w.NamespaceSelector) {
		return false
	}
	return slices.ContainsFunc(wanted, func(o toBeMade) bool {
		return selects(w.ObjectSelector, o.labels) && slices.ContainsFunc(w.Rules, func(r admissionv1.RuleWithOperations) bool { return ruleMatches(&r, o) })
	})
}

func inNamespaces(s *rule.JobContext, selector *metav1.LabelSelector) bool {
	if selector == nil || len(selector.MatchLabels)+len(selector.MatchExpressions) == 0 {
		return true
	}
	o, presence := s.LookUp(rule.NamespaceKind, "", s.Job.Ref.Namespace)
	if presence != train.Present {
		return false
	}
	set := labels.Set{corev1.LabelMetadataName: s.Job.Ref.Namespace}
	for key, value := range o.GetLabels() {
		set[key] = value
	}
	return selects(selector, set)
}

func selects(selector *metav1.LabelSelector, set labels.Set) bool {
	if selector == nil {
		return true
	}
	parsed, err := metav1.LabelSelectorAsSelector(selector)
	return err == nil && parsed.Matches(set)
}

// ruleMatches works as k8s.io/apiserver 1.36
// pkg/admission/plugin/webhook/predicates/rules.
func ruleMatches(r *admissionv1.RuleWithOperations, o toBeMade) bool {
	has := func(list []string, values ...string) bool {
		return slices.ContainsFunc(list, func(v string) bool { return slices.Contains(values, v) })
	}
	creates := slices.Contains(r.Operations, admissionv1.Create) || slices.Contains(r.Operations, admissionv1.OperationAll)
	scoped := r.Scope == nil || *r.Scope != admissionv1.ClusterScope
	return creates && scoped && has(r.APIGroups, "*", o.group) && has(r.Resources, "*", "*/*", o.resource)
}

// behind looks for the backend of a webhook: evidence is nil when one runs,
// lack is "" when that is unknown.
func behind(s *rule.JobContext, w *rule.Webhook) (lack string, evidence []train.Evidence) {
	at := w.ClientConfig.Service
	ref := rule.CoreRef("Service", at.Namespace, at.Name)
	o, presence := s.LookUp(rule.ServiceKind, at.Namespace, at.Name)
	service, is := o.(*corev1.Service)
	switch {
	case presence == train.Absent:
		return "the Service " + at.Namespace + "/" + at.Name + " does not exist", []train.Evidence{rule.FieldEvidence(ref, "", "does not exist", time.Time{}, -1)}
	case presence == train.Unknown || !is:
		return "", []train.Evidence{}
	case len(service.Spec.Selector) == 0:
		return "", nil // its endpoints are managed by hand
	}
	evidence = []train.Evidence{rule.FieldEvidence(kinds.RefOf(rule.ServiceKind, service), "spec.selector", labels.Set(service.Spec.Selector).String(), time.Time{}, -1)}
	for _, o := range s.ListObjects(kinds.PodKind, at.Namespace) {
		pod, is := o.(*corev1.Pod)
		if !is || !labels.SelectorFromSet(service.Spec.Selector).Matches(labels.Set(pod.Labels)) {
			continue
		}
		if ready := rule.PodCondition(pod, corev1.PodReady); ready != nil && ready.Status == corev1.ConditionTrue && pod.DeletionTimestamp == nil {
			return "", nil
		}
		if len(evidence) < 3 {
			evidence = append(evidence, rule.StatusEvidence(kinds.PodRef(pod), "status.phase", string(pod.Status.Phase)+", not ready", time.Time{}, -1))
		}
	}
	if !s.Complete(kinds.PodKind, at.Namespace) {
		return "", []train.Evidence{}
	}
	if len(evidence) == 1 {
		return "no pod stands behind the Service " + at.Namespace + "/" + at.Name, evidence
	}
	return "no pod behind the Service " + at.Namespace + "/" + at.Name + " is ready", evidence
}

func brokenWebhook(s *rule.JobContext, w *rule.Webhook, lack string, evidence []train.Evidence) train.Finding {
	severity := s.MissingSeverity()
	if operatorGone(s) {
		severity = train.SeverityWarning // no pods were requested yet
	}
	f := s.NewFinding(severity, s.Job.Created)
	f.Confidence = train.Likely
	f.Title = fmt.Sprintf("The webhook %s has to agree to what the job still lacks, and %s", w.Name, lack)
	f.Explanation = "The API server refuses what a webhook with failurePolicy Fail cannot be asked about. The webhook is broken, not the job."
	f.Evidence = append([]train.Evidence{rule.FieldEvidence(w.Configuration, "webhooks["+w.Name+"].failurePolicy", string(cmp.Or(deref(w.FailurePolicy), admissionv1.Fail)), time.Time{}, -1)}, evidence...)
	f.Next = []train.Step{
		rule.Do("Bring the pods behind the webhook back; its name says whose it is. If what it belonged to was uninstalled, its owner may delete the configuration that is left."),
		rule.Look("See the pods behind it.", "kubectl", "get", "pods", "-n", w.ClientConfig.Service.Namespace),
		rule.Look("See whom the webhook watches over.", rule.Kubectl("describe", w.Configuration)...),
	}
	f.Verify = "A pod behind the Service is ready, and the job gets its pods."
	return f
}

func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// operatorGone reports whether the operator of such jobs is known to be
// missing.
func operatorGone(s *rule.JobContext) bool {
	if !untouched(s) || !s.Complete(kinds.PodKind, "") {
		return false
	}
	found := findOperator(s, OperatorOf(s.Job.Ref))
	return found.gone()
}
