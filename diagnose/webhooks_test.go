package diagnose

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// hook adds a configuration with one webhook, in YAML's flow style.
func hook(webhook string) func(*cluster) {
	return func(c *cluster) {
		c.object(rule.ValidatingWebhooksKind, `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: gatekeeper, uid: hook-1}
webhooks: [{name: validation.gatekeeper.sh, clientConfig: {service: {namespace: gatekeeper-system, name: gatekeeper-webhook, path: /v1/admit}}, `+webhook+`}]`)
	}
}

const everyPod = `failurePolicy: Fail, rules: [{operations: [CREATE, UPDATE], apiGroups: [""], apiVersions: ["*"], resources: [pods], scope: "*"}]`

func hookService(c *cluster) {
	c.add(rule.ServiceKind, &corev1.Service{ObjectMeta: metav1.ObjectMeta{Name: "gatekeeper-webhook", Namespace: "gatekeeper-system"}, Spec: corev1.ServiceSpec{Selector: map[string]string{"app": "gatekeeper"}}})
}

func hookPod(ready corev1.ConditionStatus) func(*cluster) {
	return func(c *cluster) {
		p := podOf("gatekeeper-0", 0)
		p.Namespace, p.Labels = "gatekeeper-system", map[string]string{"app": "gatekeeper"}
		p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady, Status: ready}}
		c.add(kinds.PodKind, p)
	}
}

// Which webhook is called, and what happens without an answer:
// k8s.io/apiserver 1.36 pkg/admission/plugin/webhook.
func TestAWebhookWithoutEndpointsIsReportedBeforeItRefuses(t *testing.T) {
	const down = train.Cause("admission-webhook-down")
	pods := unmade("containers: [{name: pytorch}]")
	quiet := func(name string, build ...func(*cluster)) scenario {
		return scenario{name: "near miss: " + name, want: "", never: []train.Cause{down}, build: both(append([]func(*cluster){pods}, build...)...)}
	}
	labelled := func(c *cluster) {
		c.add(rule.NamespaceKind, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: ns, Labels: map[string]string{"team": "ml"}}})
	}
	runScenarios(t, []scenario{
		{name: "no service", want: down, severity: train.SeverityError, title: "the Service gatekeeper-system/gatekeeper-webhook does not exist", build: both(pods, hook(everyPod))},
		{name: "no pod", want: down, title: "no pod stands behind", build: both(pods, hook(everyPod), hookService)},
		{name: "a pod that is not ready", want: down, title: "is ready", build: both(pods, hook(everyPod), hookService, hookPod(corev1.ConditionFalse))},
		{name: "a namespace that it watches", want: down, build: both(pods, labelled, hook(everyPod+", namespaceSelector: {matchLabels: {team: ml}}"))},
		{name: "what comes before pods", want: down, title: "mjobset.kb.io", build: func(c *cluster) {
			c.object(kinds.Jobs()[7].GroupKind, `
apiVersion: trainer.kubeflow.org/v1alpha1
kind: TrainJob
metadata: {name: bert, namespace: ml, uid: tj-1, creationTimestamp: "2026-11-20T11:50:00Z"}
spec: {runtimeRef: {name: torch, kind: ClusterTrainingRuntime}, trainer: {numNodes: 2}}`)
			c.object(rule.MutatingWebhooksKind, `
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: jobset-mutating, uid: hook-2}
webhooks: [{name: mjobset.kb.io, failurePolicy: Fail, clientConfig: {service: {namespace: jobset-system, name: jobset-webhook-service}}, rules: [{operations: [CREATE], apiGroups: [jobset.x-k8s.io], resources: [jobsets]}]}]`)
			p := podOf("trainer-0", 0)
			p.Namespace, p.Labels = "kubeflow-system", map[string]string{"app.kubernetes.io/name": "trainer"}
			c.add(kinds.PodKind, p)
			c.object(rule.ClusterRuntimeKind, `
apiVersion: trainer.kubeflow.org/v1alpha1
kind: ClusterTrainingRuntime
metadata: {name: torch, uid: rt-1}`)
		}},
		quiet("a pod is ready", hook(everyPod), hookService, hookPod(corev1.ConditionTrue)),
		quiet("what fails is let through", hook(strings.Replace(everyPod, "Fail", "Ignore", 1))),
		quiet("other objects", hook(strings.Replace(everyPod, "[pods]", "[pods/status]", 1))),
		quiet("other groups", hook(strings.Replace(everyPod, `[""]`, "[apps]", 1))),
		quiet("changes only", hook(strings.Replace(everyPod, "[CREATE, UPDATE]", "[UPDATE]", 1))),
		quiet("other namespaces", labelled, hook(everyPod+", namespaceSelector: {matchLabels: {team: web}}")),
		quiet("other pods", hook(everyPod+", objectSelector: {matchLabels: {app: web}}")),
		quiet("only under conditions", hook(everyPod+", matchConditions: [{name: a, expression: 'object.metadata.name.startsWith(\"x\")'}]")),
		{name: "near miss: the pods are there", want: "", never: []train.Cause{down}, build: func(c *cluster) {
			hook(everyPod)(c)
			c.job(1, runs)
			c.node("gpu-0", 8)
			c.worker(0, running("gpu-0", 9))
		}},
	})
	if check := checkOf(t, down, both(pods, hook(everyPod), hookService, hookPod(corev1.ConditionTrue))); check.Result != train.CheckPass || !strings.Contains(check.Why, "has a ready pod") {
		t.Errorf("the check says %s: %s", check.Result, check.Why)
	}
	unseen := func(c *cluster) { c.unreadable(rule.ServiceKind) }
	if check := checkOf(t, down, both(pods, hook(everyPod), unseen)); check.Result != train.CheckUnknown {
		t.Errorf("without a right to services the check says %s: %s", check.Result, check.Why)
	}
}

// Where the operator is known to be absent, its absence is the cause: the
// webhook has not been called yet.
func TestAnAbsentOperatorComesBeforeAWebhook(t *testing.T) {
	runScenarios(t, []scenario{{name: "both", want: "no-pods-operator-down", build: func(c *cluster) {
		c.job(2, "")
		hook(everyPod)(c)
	}}})
}
