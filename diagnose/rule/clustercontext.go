package rule

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/capacity"
	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

// Kinds that rules look things up in.
var (
	ClaimKind          = schema.GroupKind{Kind: "PersistentVolumeClaim"}
	VolumeKind         = schema.GroupKind{Kind: "PersistentVolume"}
	StorageClassKind   = schema.GroupKind{Group: "storage.k8s.io", Kind: "StorageClass"}
	ConfigMapKind      = schema.GroupKind{Kind: "ConfigMap"}
	SecretKind         = schema.GroupKind{Kind: "Secret"}
	ServiceKind        = schema.GroupKind{Kind: "Service"}
	ServiceAccountKind = schema.GroupKind{Kind: "ServiceAccount"}
	QuotaKind          = schema.GroupKind{Kind: "ResourceQuota"}
	WorkloadKind       = schema.GroupKind{Group: "kueue.x-k8s.io", Kind: "Workload"}
	LocalQueueKind     = schema.GroupKind{Group: "kueue.x-k8s.io", Kind: "LocalQueue"}
	ClusterQueueKind   = schema.GroupKind{Group: "kueue.x-k8s.io", Kind: "ClusterQueue"}
	VolcanoGroupKind   = schema.GroupKind{Group: "scheduling.volcano.sh", Kind: "PodGroup"}
	CoschedulingKind   = schema.GroupKind{Group: "scheduling.x-k8s.io", Kind: "PodGroup"}
	KaiGroupKind       = schema.GroupKind{Group: "scheduling.run.ai", Kind: "PodGroup"}
	ResourceClaimKind  = schema.GroupKind{Group: "resource.k8s.io", Kind: "ResourceClaim"}
	RuntimeKind        = schema.GroupKind{Group: "trainer.kubeflow.org", Kind: "TrainingRuntime"}
	ClusterRuntimeKind = schema.GroupKind{Group: "trainer.kubeflow.org", Kind: "ClusterTrainingRuntime"}
)

// ClusterContext is what all jobs of one snapshot share.
type ClusterContext struct {
	*store.Snapshot
	Now     time.Time
	Signals *signals.Report
	Nodes   *capacity.ClusterCapacity
	Causes  CauseTable
	// Pressed are the nodes that are short of memory or disk (pressure.go), and
	// those whose events report what harms running ranks.
	Pressed map[string]string
	// runningPods are the pods that occupy a node, in order of node; built on
	// first request.
	runningPods []*corev1.Pod
	// allWebhooks are the webhooks of all configurations, built on first
	// request.
	allWebhooks *[]Webhook
	// shared has what Shared derived, by its key.
	shared map[string]any
}

// Shared returns what derive makes of the snapshot alone, and calls it once for a
// key: what each of a thousand jobs asks for in the same words costs it once.
func Shared[T any](w *ClusterContext, key string, derive func() T) T {
	if known, is := w.shared[key].(T); is {
		return known
	}
	if w.shared == nil {
		w.shared = map[string]any{}
	}
	made := derive()
	w.shared[key] = made
	return made
}

// PodsOnNodes returns the pods that occupy a node.
func (w *ClusterContext) PodsOnNodes() []*corev1.Pod {
	if w.runningPods == nil {
		w.runningPods = []*corev1.Pod{}
		for _, r := range w.Nodes.All() {
			w.PodsOn(r.Node.Name, func(pod *corev1.Pod) bool {
				if pod.Status.Phase != corev1.PodSucceeded && pod.Status.Phase != corev1.PodFailed {
					w.runningPods = append(w.runningPods, pod)
				}
				return true
			})
		}
	}
	return w.runningPods
}

// partsOf returns the name of a kind on screens and in the names of rights.
func partsOf(kind schema.GroupKind) string {
	name := kinds.Plural(kind)
	if kind.Group != "" {
		name += "." + kind.Group
	}
	return name
}

var NamespaceKind = corev1.SchemeGroupVersion.WithKind("Namespace").GroupKind()

var LimitRangeKind = schema.GroupKind{Kind: "LimitRange"}
