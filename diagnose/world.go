package diagnose

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Kinds that rules look things up in.
var (
	claimKind          = schema.GroupKind{Kind: "PersistentVolumeClaim"}
	volumeKind         = schema.GroupKind{Kind: "PersistentVolume"}
	storageClassKind   = schema.GroupKind{Group: "storage.k8s.io", Kind: "StorageClass"}
	configMapKind      = schema.GroupKind{Kind: "ConfigMap"}
	secretKind         = schema.GroupKind{Kind: "Secret"}
	serviceKind        = schema.GroupKind{Kind: "Service"}
	serviceAccountKind = schema.GroupKind{Kind: "ServiceAccount"}
	quotaKind          = schema.GroupKind{Kind: "ResourceQuota"}
	workloadKind       = schema.GroupKind{Group: "kueue.x-k8s.io", Kind: "Workload"}
	localQueueKind     = schema.GroupKind{Group: "kueue.x-k8s.io", Kind: "LocalQueue"}
	clusterQueueKind   = schema.GroupKind{Group: "kueue.x-k8s.io", Kind: "ClusterQueue"}
	volcanoGroupKind   = schema.GroupKind{Group: "scheduling.volcano.sh", Kind: "PodGroup"}
	coschedulingKind   = schema.GroupKind{Group: "scheduling.x-k8s.io", Kind: "PodGroup"}
	kaiGroupKind       = schema.GroupKind{Group: "scheduling.run.ai", Kind: "PodGroup"}
	resourceClaimKind  = schema.GroupKind{Group: "resource.k8s.io", Kind: "ResourceClaim"}
	runtimeKind        = schema.GroupKind{Group: "trainer.kubeflow.org", Kind: "TrainingRuntime"}
	clusterRuntimeKind = schema.GroupKind{Group: "trainer.kubeflow.org", Kind: "ClusterTrainingRuntime"}
)

// clusterContext is what all jobs of one picture share.
type clusterContext struct {
	*store.Snapshot
	now     time.Time
	signals *signals.Report
	nodes   *clusterCapacity
	causes  causeTable
	// pressed are the nodes that are short of memory or disk (pressure.go).
	pressed map[string]string
	// runningPods are the pods that hold a place on a node, in order of node;
	// made when first asked for.
	runningPods []*corev1.Pod
	// allWebhooks are the webhooks of all configurations, made when first asked for.
	allWebhooks *[]webhook
}

// podsOnNodes are the pods that hold a place on a node.
func (w *clusterContext) podsOnNodes() []*corev1.Pod {
	if w.runningPods == nil {
		w.runningPods = []*corev1.Pod{}
		for _, r := range w.nodes.all() {
			w.PodsOn(r.node.Name, func(pod *corev1.Pod) bool {
				if pod.Status.Phase != corev1.PodSucceeded && pod.Status.Phase != corev1.PodFailed {
					w.runningPods = append(w.runningPods, pod)
				}
				return true
			})
		}
	}
	return w.runningPods
}

// partsOf is what stands for a kind on screens and in the names of rights.
func partsOf(kind schema.GroupKind) string {
	switch kind {
	case kinds.PodKind:
		return "pods"
	case kinds.NodeKind:
		return "nodes"
	case kinds.EventKind:
		return "events"
	}
	plural := map[schema.GroupKind]string{
		storageClassKind: "storageclasses.storage.k8s.io", quotaKind: "resourcequotas",
		localQueueKind: "localqueues.kueue.x-k8s.io", clusterQueueKind: "clusterqueues.kueue.x-k8s.io",
		workloadKind: "workloads.kueue.x-k8s.io", priorityClassKind: "priorityclasses.scheduling.k8s.io", runtimeClassKind: "runtimeclasses.node.k8s.io",
	}[kind]
	if plural != "" {
		return plural
	}
	name := lower(kind.Kind) + "s"
	if kind.Group != "" {
		name += "." + kind.Group
	}
	return name
}

// refOf names an object of a kind.
func refOf(kind schema.GroupKind, o kinds.Object) train.Ref {
	return train.Ref{Group: kind.Group, Kind: kind.Kind, Namespace: o.GetNamespace(), Name: o.GetName(), UID: string(o.GetUID())}
}

func podRef(p *corev1.Pod) train.Ref { return refOf(kinds.PodKind, p) }

var namespaceKind = corev1.SchemeGroupVersion.WithKind("Namespace").GroupKind()

var limitRangeKind = schema.GroupKind{Kind: "LimitRange"}
