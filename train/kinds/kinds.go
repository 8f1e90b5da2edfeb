package kinds

import (
	"slices"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

// jobKinds are the kinds that are rows, in the order of the documentation. A
// TrainJob's parent (OptimizationJob) is no row: it is shown as a foreign
// owner.
var jobKinds = []Kind{
	{GroupKind: batchJobKind, Resource: "jobs", Versions: []string{"v1"}, read: readBatchJob},
	{GroupKind: pyTorchJobKind, Resource: "pytorchjobs", Versions: []string{"v1"},
		read: kubeflowKind{replicaSpecs: "pytorchReplicaSpecs", order: []string{"Master", "Worker"}, container: "pytorch"}.read},
	{GroupKind: schema.GroupKind{Group: "kubeflow.org", Kind: "TFJob"}, Resource: "tfjobs", Versions: []string{"v1"},
		read: kubeflowKind{replicaSpecs: "tfReplicaSpecs", order: []string{"Chief", "Master", "Worker", "PS", "Evaluator"}, container: "tensorflow", unordered: true}.read},
	// One CRD name with four forms, depending on what installed it: the
	// mpi-operator (v2beta1), the training-operator (v1), old releases
	// (v1alpha2), Arena (v1alpha1).
	{GroupKind: mpiJobKind, Resource: "mpijobs", Versions: []string{"v2beta1", "v1", "v1alpha2", "v1alpha1"}, read: readMPIJob},
	{GroupKind: schema.GroupKind{Group: "kubeflow.org", Kind: "XGBoostJob"}, Resource: "xgboostjobs", Versions: []string{"v1"},
		read: kubeflowKind{replicaSpecs: "xgbReplicaSpecs", order: []string{"Master", "Worker"}, container: "xgboost"}.read},
	{GroupKind: schema.GroupKind{Group: "kubeflow.org", Kind: "PaddleJob"}, Resource: "paddlejobs", Versions: []string{"v1"},
		read: kubeflowKind{replicaSpecs: "paddleReplicaSpecs", order: []string{"Master", "Worker"}, container: "paddle", unordered: true}.read},
	{GroupKind: schema.GroupKind{Group: "kubeflow.org", Kind: "JAXJob"}, Resource: "jaxjobs", Versions: []string{"v1"},
		read: kubeflowKind{replicaSpecs: "jaxReplicaSpecs", order: []string{"Worker"}, container: "jax"}.read},
	{GroupKind: trainJobKind, Resource: "trainjobs", Versions: []string{"v1alpha1"}, read: readTrainJob},
	{GroupKind: jobSetKind, Resource: "jobsets", Versions: []string{"v1alpha2"}, read: readJobSet},
	{GroupKind: volcanoJobKind, Resource: "jobs", Versions: []string{"v1alpha1"}, read: readVolcanoJob},
	{GroupKind: rayJobKind, Resource: "rayjobs", Versions: []string{"v1", "v1alpha1"}, read: readRayJob},
	{GroupKind: rayClusterKind, Resource: "rayclusters", Versions: []string{"v1", "v1alpha1"}, read: readRayCluster},
	{GroupKind: leaderWorkerSetKind, Resource: "leaderworkersets", Versions: []string{"v1"}, read: readLeaderWorkerSet},
	{GroupKind: disaggregatedSetKind, Resource: "disaggregatedsets", Versions: []string{"v1"}, read: readDisaggregatedSet},
	{GroupKind: schema.GroupKind{Group: "kai.alibabacloud.com", Kind: "TrainingJob"}, Resource: "trainingjobs", Versions: []string{"v1alpha1"}, read: readArenaTrainingJob},
	// specAndStatusOf calls its reader, which calls those of this list.
	{GroupKind: appWrapperKind, Resource: "appwrappers", Versions: []string{"v1beta2"}},
	hyperPodLayout.kind(),
	dlroverLayout.kind(),
}

// relatedKinds are no rows; they contain information about jobs: queues,
// gangs, runtimes, claims, classes of pods. Several share a name across
// groups, so the group is part of each.
var relatedKinds = []Kind{
	// Kueue stores v1beta2 and still serves v1beta1, which it calls
	// deprecated.
	{GroupKind: KueueWorkloadKind, Resource: "workloads", Versions: []string{"v1beta2", "v1beta1"}},
	{GroupKind: LocalQueueKind, Resource: "localqueues", Versions: []string{"v1beta2", "v1beta1"}},
	{GroupKind: ClusterQueueKind, Resource: "clusterqueues", Versions: []string{"v1beta2", "v1beta1"}, ClusterScoped: true},
	{GroupKind: schema.GroupKind{Group: "kueue.x-k8s.io", Kind: "Cohort"}, Resource: "cohorts", Versions: []string{"v1beta2", "v1beta1", "v1alpha1"}, ClusterScoped: true},
	{GroupKind: schema.GroupKind{Group: "kueue.x-k8s.io", Kind: "ResourceFlavor"}, Resource: "resourceflavors", Versions: []string{"v1beta2", "v1beta1"}, ClusterScoped: true},

	{GroupKind: volcanoPodGroupKind, Resource: "podgroups", Versions: []string{"v1beta1"}},
	{GroupKind: schema.GroupKind{Group: "scheduling.volcano.sh", Kind: "Queue"}, Resource: "queues", Versions: []string{"v1beta1"}, ClusterScoped: true},

	{GroupKind: HyperNodeKind, Resource: "hypernodes", Versions: []string{"v1alpha1"}, ClusterScoped: true},

	{GroupKind: coschedulingPodGroupKind, Resource: "podgroups", Versions: []string{"v1alpha1"}},

	{GroupKind: kaiPodGroupKind, Resource: "podgroups", Versions: []string{"v2alpha2"}},
	{GroupKind: schema.GroupKind{Group: "scheduling.run.ai", Kind: "Queue"}, Resource: "queues", Versions: []string{"v2"}, ClusterScoped: true},

	// The kube-scheduler's own gangs: v1beta1 since Kubernetes 1.37, which adds
	// groups of groups as v1alpha3.
	{GroupKind: schema.GroupKind{Group: "scheduling.k8s.io", Kind: "Workload"}, Resource: "workloads", Versions: []string{"v1beta1", "v1alpha3", "v1alpha2", "v1alpha1"}},
	{GroupKind: corePodGroupKind, Resource: "podgroups", Versions: []string{"v1beta1", "v1alpha3", "v1alpha2"}},
	{GroupKind: compositePodGroupKind, Resource: "compositepodgroups", Versions: []string{"v1beta1", "v1alpha3"}},
	{GroupKind: schema.GroupKind{Group: "scheduling.k8s.io", Kind: "PriorityClass"}, Resource: "priorityclasses", Versions: []string{"v1", "v1beta1"}, ClusterScoped: true},
	{GroupKind: schema.GroupKind{Group: "node.k8s.io", Kind: "RuntimeClass"}, Resource: "runtimeclasses", Versions: []string{"v1", "v1beta1"}, ClusterScoped: true},
	// The webhooks that must admit every new pod.
	{GroupKind: schema.GroupKind{Group: "admissionregistration.k8s.io", Kind: "MutatingWebhookConfiguration"}, Resource: "mutatingwebhookconfigurations", Versions: []string{"v1"}, ClusterScoped: true},
	{GroupKind: schema.GroupKind{Group: "admissionregistration.k8s.io", Kind: "ValidatingWebhookConfiguration"}, Resource: "validatingwebhookconfigurations", Versions: []string{"v1"}, ClusterScoped: true},

	{GroupKind: trainingRuntimeKind, Resource: "trainingruntimes", Versions: []string{"v1alpha1"}},
	{GroupKind: clusterTrainingRuntimeKind, Resource: "clustertrainingruntimes", Versions: []string{"v1alpha1"}, ClusterScoped: true},

	{GroupKind: resourceClaimKind, Resource: "resourceclaims", Versions: []string{"v1", "v1beta2", "v1beta1"}},
	{GroupKind: resourceClaimTemplateKind, Resource: "resourceclaimtemplates", Versions: []string{"v1", "v1beta2", "v1beta1"}},
	{GroupKind: schema.GroupKind{Group: "resource.k8s.io", Kind: "DeviceClass"}, Resource: "deviceclasses", Versions: []string{"v1", "v1beta2", "v1beta1"}, ClusterScoped: true},
}

// The kinds of Kueue that report who waits in which queue.
var (
	KueueWorkloadKind = schema.GroupKind{Group: "kueue.x-k8s.io", Kind: "Workload"}
	LocalQueueKind    = schema.GroupKind{Group: "kueue.x-k8s.io", Kind: "LocalQueue"}
	ClusterQueueKind  = schema.GroupKind{Group: "kueue.x-k8s.io", Kind: "ClusterQueue"}
)

// Kinds used outside the lists above.
var (
	batchJobKind         = schema.GroupKind{Group: "batch", Kind: "Job"}
	pyTorchJobKind       = schema.GroupKind{Group: "kubeflow.org", Kind: "PyTorchJob"}
	mpiJobKind           = schema.GroupKind{Group: "kubeflow.org", Kind: "MPIJob"}
	trainJobKind         = schema.GroupKind{Group: "trainer.kubeflow.org", Kind: "TrainJob"}
	rayJobKind           = schema.GroupKind{Group: "ray.io", Kind: "RayJob"}
	jobSetKind           = schema.GroupKind{Group: "jobset.x-k8s.io", Kind: "JobSet"}
	volcanoJobKind       = schema.GroupKind{Group: "batch.volcano.sh", Kind: "Job"}
	rayClusterKind       = schema.GroupKind{Group: "ray.io", Kind: "RayCluster"}
	leaderWorkerSetKind  = schema.GroupKind{Group: "leaderworkerset.x-k8s.io", Kind: "LeaderWorkerSet"}
	appWrapperKind       = schema.GroupKind{Group: "workload.codeflare.dev", Kind: "AppWrapper"}
	disaggregatedSetKind = schema.GroupKind{Group: "disaggregatedset.x-k8s.io", Kind: "DisaggregatedSet"}

	volcanoPodGroupKind      = schema.GroupKind{Group: "scheduling.volcano.sh", Kind: "PodGroup"}
	coschedulingPodGroupKind = schema.GroupKind{Group: "scheduling.x-k8s.io", Kind: "PodGroup"}
	kaiPodGroupKind          = schema.GroupKind{Group: "scheduling.run.ai", Kind: "PodGroup"}
	corePodGroupKind         = schema.GroupKind{Group: "scheduling.k8s.io", Kind: "PodGroup"}
	compositePodGroupKind    = schema.GroupKind{Group: "scheduling.k8s.io", Kind: "CompositePodGroup"}

	trainingRuntimeKind        = schema.GroupKind{Group: "trainer.kubeflow.org", Kind: "TrainingRuntime"}
	clusterTrainingRuntimeKind = schema.GroupKind{Group: "trainer.kubeflow.org", Kind: "ClusterTrainingRuntime"}

	resourceClaimKind         = schema.GroupKind{Group: "resource.k8s.io", Kind: "ResourceClaim"}
	resourceClaimTemplateKind = schema.GroupKind{Group: "resource.k8s.io", Kind: "ResourceClaimTemplate"}
)

// listed are jobKinds and those of the configuration, nil before UseLayouts.
var listed atomic.Pointer[[]Kind]

// UseLayouts makes jobs of the kinds of a configuration, in place of those of
// the call before. It is for the start of a program: what was read by then is
// not read again.
func UseLayouts(own []Layout) {
	all := slices.Clip(jobKinds)
	for i := range own {
		all = append(all, own[i].kind())
	}
	listed.Store(&all)
	train.NameKinds(sharedNames(all))
}

// sharedNames are the groups of the kinds that go by a name which several kinds
// of rows share: of each such name the first, so that a kind of a configuration
// does not rename one that is built in.
func sharedNames(all []Kind) map[string]string {
	groups, shared := map[string]string{}, map[string]string{}
	for _, row := range append([]schema.GroupKind{PodKind, PodGroupRow, {Kind: train.LogKind}}, groupKinds(all)...) {
		if group, known := groups[row.Kind]; known && group != row.Group {
			shared[row.Kind] = group
		} else {
			groups[row.Kind] = row.Group
		}
	}
	return shared
}

func groupKinds(all []Kind) []schema.GroupKind {
	names := make([]schema.GroupKind, len(all))
	for i := range all {
		names[i] = all[i].GroupKind
	}
	return names
}

// Jobs returns the kinds that are rows. The caller must not change it.
func Jobs() []Kind {
	if all := listed.Load(); all != nil {
		return *all
	}
	return jobKinds
}

// BuiltIn reports whether a kind is read without a configuration.
func BuiltIn(kind schema.GroupKind) bool {
	of := func(k Kind) bool { return k.GroupKind == kind }
	return slices.ContainsFunc(jobKinds, of) || slices.ContainsFunc(relatedKinds, of)
}

// hasLayout reports whether objects of a kind are read by their layout.
func hasLayout(kind schema.GroupKind) bool {
	k, known := jobKindOf(kind)
	return known && k.layout != nil
}

// Related returns the kinds that are read for information about jobs. The
// caller must not change it.
func Related() []Kind { return relatedKinds }

// IsJob reports whether objects of this kind can be a row.
func IsJob(kind schema.GroupKind) bool {
	_, is := jobKindOf(kind)
	return is
}

// jobKindOf finds a kind of the list. The list is short, and comparing the
// names is faster than hashing them.
func jobKindOf(kind schema.GroupKind) (*Kind, bool) {
	all := Jobs()
	for i := range all {
		if all[i].GroupKind == kind {
			return &all[i], true
		}
	}
	return nil, false
}
