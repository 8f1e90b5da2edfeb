package diagnose

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// unmade returns a job of two workers that the operator has processed and that
// has no pods, without any message about it. spec is the pod's, in YAML's flow
// style.
func unmade(spec string) func(*cluster) {
	return func(c *cluster) {
		c.node("gpu-0", 8)
		c.object(kinds.Jobs()[1].GroupKind, fmt.Sprintf(`
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {name: bert, namespace: ml, uid: job-1, creationTimestamp: "2026-11-20T11:50:00Z"}
spec: {pytorchReplicaSpecs: {Worker: {replicas: 2, template: {spec: {%s}}}}}
%s`, spec, indent(created)))
	}
}

// sized returns a container with limits and requests, in YAML's flow style.
func sized(limits, requests string) string {
	return "containers: [{name: pytorch, image: i, resources: {limits: {" + limits + "}, requests: {" + requests + "}}}]"
}

func amounts(pairs ...string) corev1.ResourceList {
	list := corev1.ResourceList{}
	for i := 0; i < len(pairs); i += 2 {
		list[corev1.ResourceName(pairs[i])] = resource.MustParse(pairs[i+1])
	}
	return list
}

func quotaOf(hard, used corev1.ResourceList, change ...func(*corev1.ResourceQuota)) func(*cluster) {
	return func(c *cluster) {
		q := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "team", Namespace: ns}, Status: corev1.ResourceQuotaStatus{Hard: hard, Used: used}}
		for _, f := range change {
			f(q)
		}
		c.add(rule.QuotaKind, q)
	}
}

func scoped(scopes ...corev1.ResourceQuotaScope) func(*corev1.ResourceQuota) {
	return func(q *corev1.ResourceQuota) { q.Spec.Scopes = scopes }
}

func forPriority(operator corev1.ScopeSelectorOperator, classes ...string) func(*corev1.ResourceQuota) {
	return func(q *corev1.ResourceQuota) {
		q.Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{{ScopeName: corev1.ResourceQuotaScopePriorityClass, Operator: operator, Values: classes}}}
	}
}

// A quota's arithmetic needs no event: used + asked > hard, for each resource
// and by the quota's scopes.
func TestQuotasAreComputed(t *testing.T) {
	gpus := unmade(sized("nvidia.com/gpu: 8", ""))
	exceeded := train.Cause("resource-quota-exceeded")
	never := []train.Cause{exceeded, "quota-requests-missing"}
	full := func(change ...func(*corev1.ResourceQuota)) func(*cluster) {
		return quotaOf(amounts("requests.nvidia.com/gpu", "12"), amounts("requests.nvidia.com/gpu", "8"), change...)
	}
	runScenarios(t, []scenario{
		{name: "GPUs", want: exceeded, severity: train.SeverityError, title: "asked 8 + used 8 > limit 12 of requests.nvidia.com/gpu", build: both(gpus, full())},
		{name: "near miss: just enough", want: "", never: never, build: both(gpus, quotaOf(amounts("requests.nvidia.com/gpu", "16"), amounts("requests.nvidia.com/gpu", "8")))},
		{name: "near miss: of another resource", want: "", never: never, build: both(gpus, quotaOf(amounts("requests.amd.com/gpu", "1"), amounts("requests.amd.com/gpu", "1")))},
		{name: "near miss: nothing is held yet of a quota that nobody computed", want: "", never: never, build: both(gpus, quotaOf(nil, nil))},
		{name: "pods", want: exceeded, title: "of pods", build: both(gpus, quotaOf(amounts("pods", "2"), amounts("pods", "2")))},
		{name: "pods, by count", want: exceeded, title: "count/pods", build: both(gpus, quotaOf(amounts("count/pods", "0"), nil))},
		{name: "memory by its short name", want: exceeded, title: "asked 64Gi + used 200Gi > limit 256Gi of memory", build: both(unmade(sized("", "memory: 64Gi, cpu: 1")), quotaOf(amounts("memory", "256Gi"), amounts("memory", "200Gi")))},
		{name: "limits", want: exceeded, title: "limits.cpu", build: both(unmade(sized("cpu: 8", "cpu: 1")), quotaOf(amounts("limits.cpu", "4"), nil))},
		{name: "near miss: limits above, requests below", want: "", never: never, build: both(unmade(sized("cpu: 8", "cpu: 1")), quotaOf(amounts("requests.cpu", "4"), nil))},
		{name: "a scope that takes the pod in", want: exceeded, build: both(gpus, full(scoped(corev1.ResourceQuotaScopeNotTerminating)))},
		{name: "near miss: a scope that does not", want: "", never: never, build: both(gpus, full(scoped(corev1.ResourceQuotaScopeTerminating)))},
		{name: "best effort", want: exceeded, build: both(gpus, quotaOf(amounts("pods", "0"), nil, scoped(corev1.ResourceQuotaScopeBestEffort)))},
		{name: "near miss: not best effort", want: "", never: never, build: both(unmade(sized("cpu: 1", "")), quotaOf(amounts("pods", "0"), nil, scoped(corev1.ResourceQuotaScopeBestEffort)))},
		{name: "a priority class", want: exceeded, build: both(unmade("priorityClassName: low, "+sized("nvidia.com/gpu: 8", "")), full(forPriority(corev1.ScopeSelectorOpIn, "low")), priorityClass("low"))},
		{name: "near miss: another priority class", want: "", never: never, build: both(unmade("priorityClassName: high, "+sized("nvidia.com/gpu: 8", "")), full(forPriority(corev1.ScopeSelectorOpIn, "low")), priorityClass("high"))},
		{name: "quotas cannot be read", want: "", never: never, build: both(gpus, full(), func(c *cluster) { c.events = c.events[:len(c.events)-1]; c.unreadable(rule.QuotaKind) })},
		{name: "requests are demanded", want: "quota-requests-missing", title: "requests.cpu", build: both(gpus, quotaOf(amounts("requests.cpu", "64"), nil))},
		{name: "near miss: limits stand for requests", want: "", never: never, build: both(unmade(sized("cpu: 4", "")), quotaOf(amounts("requests.cpu", "64"), nil))},
		{name: "near miss: a LimitRange gives them", want: "", never: never, build: both(gpus, quotaOf(amounts("requests.cpu", "64"), nil), limitsOf(corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, DefaultRequest: amounts("cpu", "1")}))},
		{name: "what a LimitRange gives counts", want: exceeded, title: "requests.cpu", build: both(gpus, quotaOf(amounts("requests.cpu", "64"), amounts("requests.cpu", "60")), limitsOf(corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, DefaultRequest: amounts("cpu", "8")}))},
	})
}

func limitsOf(items ...corev1.LimitRangeItem) func(*cluster) {
	return func(c *cluster) {
		c.add(rule.LimitRangeKind, &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Name: "sizes", Namespace: ns}, Spec: corev1.LimitRangeSpec{Limits: items}})
	}
}

func TestLimitRangesAreComputed(t *testing.T) {
	big := unmade(sized("memory: 64Gi, cpu: 8", "memory: 32Gi, cpu: 1"))
	container := func(item corev1.LimitRangeItem) func(*cluster) {
		item.Type = corev1.LimitTypeContainer
		return limitsOf(item)
	}
	never := []train.Cause{"limit-range"}
	runScenarios(t, []scenario{
		{name: "too large", want: "limit-range", severity: train.SeverityError, title: "maximum memory usage per Container is 32Gi, but limit is 64Gi", build: both(big, container(corev1.LimitRangeItem{Max: amounts("memory", "32Gi")}))},
		{name: "near miss: just as large", want: "", never: never, build: both(big, container(corev1.LimitRangeItem{Max: amounts("memory", "64Gi")}))},
		{name: "no limit where one is needed", want: "limit-range", title: "No limit is specified", build: both(unmade(sized("", "memory: 1Gi")), container(corev1.LimitRangeItem{Max: amounts("memory", "32Gi")}))},
		{name: "near miss: the default is the limit", want: "", never: never, build: both(unmade(sized("", "memory: 1Gi")), container(corev1.LimitRangeItem{Max: amounts("memory", "32Gi"), Default: amounts("memory", "32Gi")}))},
		{name: "too small", want: "limit-range", title: "minimum cpu usage per Container is 2, but request is 1", build: both(big, container(corev1.LimitRangeItem{Min: amounts("cpu", "2")}))},
		{name: "too far apart", want: "limit-range", title: "ratio", build: both(big, container(corev1.LimitRangeItem{MaxLimitRequestRatio: amounts("cpu", "4")}))},
		{name: "near miss: just as far apart", want: "", never: never, build: both(big, container(corev1.LimitRangeItem{MaxLimitRequestRatio: amounts("cpu", "8")}))},
		{name: "of the whole pod", want: "limit-range", title: "per Pod", build: both(big, limitsOf(corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: amounts("cpu", "4")}))},
		{name: "near miss: of claims", want: "", never: never, build: both(big, limitsOf(corev1.LimitRangeItem{Type: corev1.LimitTypePersistentVolumeClaim, Max: amounts("storage", "1Gi")}))},
	})
}

func priorityClass(name string) func(*cluster) {
	return func(c *cluster) {
		c.object(rule.PriorityClassKind, `{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: `+name+`}, value: 1000}`)
	}
}

// Objects that pods name and that do not exist, before the API server has
// rejected the pods.
func TestNamesOfObjectsAreLookedUp(t *testing.T) {
	named := func(field string) func(*cluster) { return unmade(field + ", " + sized("nvidia.com/gpu: 8", "")) }
	account := named("serviceAccountName: trainer")
	runtimeClass, priority := named("runtimeClassName: nvidia"), named("priorityClassName: urgent")
	never := []train.Cause{"service-account-missing", "runtime-class-missing", "admission-webhook-denied"}
	runScenarios(t, []scenario{
		{name: "a service account", want: "service-account-missing", severity: train.SeverityError, title: "trainer", build: account},
		{name: "near miss: it exists", want: "", never: never, build: both(account, func(c *cluster) {
			c.add(rule.ServiceAccountKind, &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "trainer", Namespace: ns}})
		})},
		{name: "near miss: the namespace's own", want: "", never: never, build: named("serviceAccountName: default")},
		{name: "near miss: service accounts cannot be read", want: "", never: never, build: both(account, func(c *cluster) { c.unreadable(rule.ServiceAccountKind) })},
		{name: "a runtime class", want: "runtime-class-missing", title: "nvidia", build: runtimeClass},
		{name: "near miss: the runtime class exists", want: "", never: never, build: both(runtimeClass, func(c *cluster) {
			c.object(rule.RuntimeClassKind, `{apiVersion: node.k8s.io/v1, kind: RuntimeClass, metadata: {name: nvidia}, handler: nvidia}`)
		})},
		{name: "near miss: runtime classes cannot be read", want: "", never: never, build: both(runtimeClass, func(c *cluster) { c.unreadable(rule.RuntimeClassKind) })},
		{name: "a priority class", want: "admission-webhook-denied", title: "Priority class urgent", build: priority},
		{name: "near miss: the priority class exists", want: "", never: never, build: both(priority, priorityClass("urgent"))},
		{name: "near miss: priority classes cannot be read", want: "", never: never, build: both(priority, func(c *cluster) { c.unreadable(rule.PriorityClassKind) })},
	})
}

// Templates are found in every kind of job, each for its role.
func TestTemplatesAreFoundByRole(t *testing.T) {
	for name, object := range map[string]struct {
		kind int
		text string
	}{
		"Job":        {0, `{apiVersion: batch/v1, kind: Job, metadata: {name: bert, namespace: ml, uid: job-1, creationTimestamp: "2026-11-20T11:50:00Z"}, spec: {parallelism: 2, completions: 2, completionMode: Indexed, template: {spec: {serviceAccountName: trainer, containers: [{name: c, image: i}]}}}, status: {startTime: "2026-11-20T11:50:01Z"}}`},
		"JobSet":     {8, `{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, metadata: {name: bert, namespace: ml, uid: job-1, creationTimestamp: "2026-11-20T11:50:00Z"}, spec: {replicatedJobs: [{name: workers, replicas: 2, template: {spec: {parallelism: 1, template: {spec: {serviceAccountName: trainer, containers: [{name: c, image: i}]}}}}}]}, status: {restarts: 0}}`},
		"VolcanoJob": {9, `{apiVersion: batch.volcano.sh/v1alpha1, kind: Job, metadata: {name: bert, namespace: ml, uid: job-1, creationTimestamp: "2026-11-20T11:50:00Z"}, spec: {minAvailable: 2, tasks: [{name: ps, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}, {name: worker, replicas: 1, template: {spec: {serviceAccountName: trainer, containers: [{name: c, image: i}]}}}]}, status: {state: {phase: Pending}}}`},
		"RayCluster": {11, `{apiVersion: ray.io/v1, kind: RayCluster, metadata: {name: bert, namespace: ml, uid: job-1, creationTimestamp: "2026-11-20T11:50:00Z"}, spec: {headGroupSpec: {template: {spec: {serviceAccountName: trainer, containers: [{name: c, image: i}]}}}, workerGroupSpecs: [{groupName: gpu, replicas: 1, template: {spec: {containers: [{name: c, image: i}]}}}]}, status: {desiredWorkerReplicas: 1}}`},
		"LWS":        {12, `{apiVersion: leaderworkerset.x-k8s.io/v1, kind: LeaderWorkerSet, metadata: {name: bert, namespace: ml, uid: job-1, creationTimestamp: "2026-11-20T11:50:00Z"}, spec: {replicas: 1, leaderWorkerTemplate: {size: 2, leaderTemplate: {spec: {serviceAccountName: trainer, containers: [{name: c, image: i}]}}, workerTemplate: {spec: {containers: [{name: c, image: i}]}}}}, status: {replicas: 1}}`},
	} {
		t.Run(name, func(t *testing.T) {
			sc := scenario{want: "service-account-missing", title: "trainer", build: func(c *cluster) { c.object(kinds.Jobs()[object.kind].GroupKind, object.text) }}
			sc.check(t)
		})
	}
}
