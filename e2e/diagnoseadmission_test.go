package e2e

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// admissionProvocations keep pods from being created: the real admission
// plugins refuse them, and the real Job controller reports it.
func admissionProvocations(t *testing.T) []provocation {
	policy := httptest.NewTLSServer(http.HandlerFunc(denyAll))
	t.Cleanup(policy.Close)
	ca := base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: policy.Certificate().Raw}))
	quota := func(hard string) string {
		return "{apiVersion: v1, kind: ResourceQuota, metadata: {name: team}, spec: {hard: {" + hard + "}}}"
	}
	mostMemory := func(most string) string {
		return "{apiVersion: v1, kind: LimitRange, metadata: {name: sizes}, spec: {limits: [{type: Container, max: {memory: " + most + "}}]}}"
	}
	return []provocation{
		{
			name: "quota", cause: "resource-quota-exceeded", evidence: []string{"exceeded quota: team", "requests.nvidia.com/gpu"}, says: []string{"team", "asked 4", "limit 6", "kubectl describe"},
			make: func(p *place) error {
				return p.afterQuota(quota("requests.nvidia.com/gpu: 6"), batchJob{pods: 2, container: asksGPUs(4)})
			},
			heal: func(p *place) error { return both(p.apply(quota("requests.nvidia.com/gpu: 8")), p.retry) },
		},
		{
			name: "quota-requests", cause: "quota-requests-missing", evidence: []string{"must specify", "requests.cpu"}, says: []string{"requests.cpu"},
			make: func(p *place) error { return p.afterQuota(quota("requests.cpu: 64"), batchJob{}) },
			heal: func(p *place) error {
				return both(p.apply("{apiVersion: v1, kind: LimitRange, metadata: {name: defaults}, spec: {limits: [{type: Container, defaultRequest: {cpu: 4}}]}}"), p.retry)
			},
		},
		{
			name: "limit-range", cause: "limit-range", evidence: []string{"maximum memory usage per Container is 1Gi"}, says: []string{"1Gi", "LimitRange"},
			make: func(p *place) error {
				return p.apply(mostMemory("1Gi"), batchJob{container: asks("memory: 64Gi")}.String())
			},
			heal: func(p *place) error { return both(p.apply(mostMemory("64Gi")), p.retry) },
		},
		{
			name: "pod-security", cause: "pod-security-denied", evidence: []string{`violates PodSecurity "baseline:latest"`}, says: []string{"host", "pod-security.kubernetes.io/enforce"},
			make: func(p *place) error {
				return both(p.patch("v1", "Namespace", p.namespace(), "metadata: {labels: {pod-security.kubernetes.io/enforce: baseline}}"), func() error {
					return p.apply(batchJob{pod: "hostIPC: true,"}.String())
				})
			},
			heal: func(p *place) error {
				return both(p.patch("v1", "Namespace", p.namespace(), "metadata: {labels: {pod-security.kubernetes.io/enforce: privileged}}"), p.retry)
			},
		},
		{
			name: "service-account", cause: "service-account-missing", evidence: []string{`serviceaccount "trainer" not found`}, says: []string{"trainer", "kubectl create serviceaccount trainer -n diag-service-account"},
			make: func(p *place) error { return p.apply(batchJob{pod: "serviceAccountName: trainer,"}.String()) },
			heal: func(p *place) error {
				return both(p.apply("{apiVersion: v1, kind: ServiceAccount, metadata: {name: trainer}}"), p.retry)
			},
		},
		{
			name: "webhook-denies", cause: "admission-webhook-denied", evidence: []string{"team label is missing"}, says: []string{"policy.example.com", "team label is missing"},
			make: func(p *place) error { return p.afterHook(policy.URL, ca) },
			heal: (*place).withoutHook,
		},
		{
			name: "webhook-down", cause: "admission-webhook-down", evidence: []string{"failed calling webhook", "connection refused"}, says: []string{"policy.example.com", "does not answer"},
			make: func(p *place) error { return p.afterHook("https://127.0.0.1:1", ca) },
			heal: (*place).withoutHook,
		},
		{
			name: "policy-denies", cause: "admission-webhook-denied", evidence: []string{"jobs need a cost centre"}, says: []string{"jobs need a cost centre"},
			make: func(p *place) error { return p.afterPolicy() },
			heal: func(p *place) error {
				return both(p.remove("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicyBinding", "diag-cost"), p.retryUntilMade)
			},
		},
		{
			name: "suspended", cause: "suspended", mild: true, evidence: []string{"spec.suspend"}, says: []string{"is suspended", "kubectl patch"},
			make: func(p *place) error { return p.apply(batchJob{job: "suspend: true,"}.String()) },
			heal: func(p *place) error { return p.patch("batch/v1", "Job", "train", "spec: {suspend: false}") },
		},
	}
}

// both does a second thing when the first went well.
func both(err error, next func() error) error {
	if err != nil {
		return err
	}
	return next()
}

// denyAll is a webhook of a policy that refuses everything.
func denyAll(w http.ResponseWriter, r *http.Request) {
	var review struct {
		Request struct {
			UID string `json:"uid"`
		} `json:"request"`
	}
	body, _ := io.ReadAll(r.Body)
	if err := json.Unmarshal(body, &review); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprintf(w, `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":%q,"allowed":false,"status":{"message":"the team label is missing"}}}`, review.Request.UID)
}

// afterQuota makes the job once the quota controller has processed the quota.
func (p *place) afterQuota(quota string, job batchJob) error {
	if err := p.apply(quota); err != nil {
		return err
	}
	return both(p.eventually("the quota holds", p.quotaHolds), func() error { return p.apply(job.String()) })
}

// afterHook makes the job once a webhook is active in the place.
func (p *place) afterHook(url, ca string) error {
	return p.onceRefused(p.hook(fmt.Sprintf("{url: %q, caBundle: %s}", url, ca)))
}

// hook is a webhook for the place's pods, with its client configuration.
func (p *place) hook(client string) string {
	return fmt.Sprintf(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: %s}
webhooks:
- name: policy.example.com
  clientConfig: %s
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}
  sideEffects: None
  admissionReviewVersions: [v1]
  failurePolicy: Fail
`, p.namespace(), client, p.namespace())
}

func (p *place) withoutHook() error {
	return both(p.remove("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", p.namespace()), p.retryUntilMade)
}

func (p *place) afterPolicy() error {
	return p.onceRefused(fmt.Sprintf(`
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: diag-cost}
spec:
  failurePolicy: Fail
  matchConstraints: {resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]}
  validations: [{expression: "has(object.metadata.labels.cost)", message: "jobs need a cost centre"}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: diag-cost}
spec: {policyName: diag-cost, validationActions: [Deny], matchResources: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: %s}}}}
`, p.namespace()))
}

// onceRefused applies objects that make pods be refused, waits until that
// works, and makes the job.
func (p *place) onceRefused(refuses string) error {
	if err := p.apply(refuses); err != nil {
		return err
	}
	if err := p.eventually("pods are refused", p.refusesPods); err != nil {
		return err
	}
	return p.apply(batchJob{}.String())
}

func probePod() *corev1.Pod {
	return &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "probe"}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "c", Image: "i"}}}}
}

var onTrial = metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}}

func (p *place) refusesPods(ctx context.Context) error {
	if _, err := cluster.Clients().CoreV1().Pods(p.namespace()).Create(ctx, probePod(), onTrial); err == nil {
		return errors.New("a pod may be created")
	}
	return nil
}

// retryUntilMade lets the job controller try again once pods may be created.
func (p *place) retryUntilMade() error {
	err := p.eventually("pods may be created", func(ctx context.Context) error {
		_, err := cluster.Clients().CoreV1().Pods(p.namespace()).Create(ctx, probePod(), onTrial)
		return err
	})
	return both(err, p.retry)
}

func (p *place) quotaHolds(ctx context.Context) error {
	quota, err := cluster.Clients().CoreV1().ResourceQuotas(p.namespace()).Get(ctx, "team", metav1.GetOptions{})
	if err == nil && len(quota.Status.Hard) == 0 {
		err = errors.New("the quota's use is not known yet")
	}
	return err
}
