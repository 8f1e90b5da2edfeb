package kinds

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Scale is a number in a job's spec that sets how large a role is, and may be
// changed while the job runs.
type Scale struct {
	// Role is the role that it scales, as Rank.Role names it; "" is the whole
	// job.
	Role string
	// Unit is what the number counts, in the singular: "worker", "group".
	Unit string
	// Paths are the JSON pointers of the fields that all hold the number.
	Paths []string
	// Named, when set, is a JSON pointer beside the path into a list, and Name
	// its required value, so that another entry is not changed by mistake.
	Named, Name string
	// Now is the number; it may be Least to Most.
	Now, Least, Most int
	// Pods is how many pods each one counts as.
	Pods int
	// Note is a warning before it is changed, "" for none.
	Note string
}

// MostScaled bounds the number where the job sets no bound.
const MostScaled = 9999

// Scales returns the roles of a job that can grow and shrink while it runs;
// refused is the reason when there are none.
func Scales(o *unstructured.Unstructured) (scales []Scale, refused string) {
	spec := fieldsOf(o).in("spec")
	switch kind := o.GroupVersionKind().GroupKind(); {
	case hasLayout(kind):
		return nil, "how a " + kind.Kind + " is scaled is not known"
	case kind == batchJobKind:
		return scaleBatchJob(spec)
	case kind == mpiJobKind:
		return scaleMPIJob(spec)
	case kind.Group == pyTorchJobKind.Group:
		return scaleElastic(kind.Kind, spec)
	case kind == volcanoJobKind:
		return scaleVolcano(spec)
	case kind == rayClusterKind:
		return scaleRayCluster(spec)
	case kind == appWrapperKind:
		return nil, "what an AppWrapper wraps is fixed once it is made"
	case kind == disaggregatedSetKind:
		return nil, "each role of a DisaggregatedSet has a size of its own: edit the object"
	case kind == leaderWorkerSetKind:
		size := max(1, spec.in("leaderWorkerTemplate").count("size", 1))
		return []Scale{{Unit: "group", Paths: []string{"/spec/replicas"}, Now: spec.count("replicas", 1), Most: MostScaled, Pods: size}}, ""
	default:
		return nil, "the size of a " + kind.Kind + " is fixed once it is made"
	}
}

// scaleBatchJob scales an Indexed Job: parallelism and completions change
// together (elastic indexed Jobs, stable since Kubernetes 1.31).
func scaleBatchJob(spec fields) ([]Scale, string) {
	now := spec.count("parallelism", 1)
	if spec.text("completionMode") != "Indexed" || spec.count("completions", -1) != now {
		return nil, "only an Indexed Job with as many completions as parallelism can be scaled"
	}
	return []Scale{{
		Unit: "rank", Paths: []string{"/spec/parallelism", "/spec/completions"}, Now: now, Least: 1, Most: MostScaled, Pods: 1,
		Note: "ranks that run keep the world size they began with; only a program that meets anew takes more or fewer",
	}}, ""
}

// scaleElastic scales workers within the bounds of spec.elasticPolicy, which
// count workers as the operator's own HorizontalPodAutoscaler does
// (training-operator v1.9, scale subresource
// .spec.pytorchReplicaSpecs.Worker.replicas).
func scaleElastic(kind string, spec fields) ([]Scale, string) {
	policy := spec.in("elasticPolicy")
	if policy == nil {
		return nil, "the " + kind + " is not elastic: it has no spec.elasticPolicy"
	}
	for _, list := range []string{"pytorchReplicaSpecs", "paddleReplicaSpecs"} {
		worker := spec.in(list, "Worker")
		if worker == nil {
			continue
		}
		now := worker.count("replicas", 1)
		least := policy.count("minReplicas", now)
		scale := Scale{
			Role: "Worker", Unit: "worker", Paths: []string{"/spec/" + list + "/Worker/replicas"},
			Now: now, Least: max(1, least), Most: max(least, policy.count("maxReplicas", now)), Pods: 1,
			Note: "all ranks meet anew and go on from the last checkpoint",
		}
		if len(policy.items("metrics")) > 0 {
			scale.Note += "; a HorizontalPodAutoscaler of the job may change it again"
		}
		return []Scale{scale}, ""
	}
	return nil, "the " + kind + " has no workers to scale"
}

func scaleMPIJob(spec fields) ([]Scale, string) {
	worker := spec.in("mpiReplicaSpecs", "Worker")
	if worker == nil {
		return nil, "the MPIJob has no workers that can be scaled"
	}
	return []Scale{{
		Role: "Worker", Unit: "worker", Paths: []string{"/spec/mpiReplicaSpecs/Worker/replicas"},
		Now: worker.count("replicas", 0), Least: 1, Most: MostScaled, Pods: 1,
		Note: "only a program that reads /etc/mpi/discover_hosts.sh (elastic Horovod) takes workers that come or go; plain mpirun fails when one goes",
	}}, ""
}

// scaleVolcano scales tasks: their replicas may change, but not below what the
// gang needs (volcano v1.10, pkg/webhooks/admission/jobs/validate).
func scaleVolcano(spec fields) (scales []Scale, refused string) {
	tasks, wanted := spec.items("tasks"), 0
	for _, task := range tasks {
		wanted += task.count("replicas", 1)
	}
	if _, fixed := spec.in("plugins")["mpi"]; fixed {
		return nil, "the plugin mpi gives the hosts once, when the job begins"
	}
	least := spec.count("minAvailable", wanted)
	for i, task := range tasks {
		now := task.count("replicas", 1)
		entry := "/spec/tasks/" + strconv.Itoa(i)
		scales = append(scales, Scale{
			Role: cmp.Or(task.text("name"), fmt.Sprintf("default%d", i)), Unit: "pod",
			Paths: []string{entry + "/replicas"}, Named: entry + "/name", Name: task.text("name"),
			Now: now, Least: min(now, max(task.count("minAvailable", 0), least-(wanted-now))), Most: MostScaled, Pods: 1,
			Note: "pods that run keep the world size they began with",
		})
	}
	if scales == nil {
		refused = "the Job has no tasks"
	}
	return scales, refused
}

func scaleRayCluster(spec fields) (scales []Scale, refused string) {
	for i, group := range spec.items("workerGroupSpecs") {
		entry := "/spec/workerGroupSpecs/" + strconv.Itoa(i)
		low := group.count("minReplicas", 0)
		scale := Scale{
			Role: group.text("groupName"), Unit: "worker", Paths: []string{entry + "/replicas"},
			Named: entry + "/groupName", Name: group.text("groupName"),
			Now: group.count("replicas", 0), Least: low, Most: max(low, min(MostScaled, group.count("maxReplicas", MostScaled))),
			Pods: max(1, group.count("numOfHosts", 1)),
		}
		if spec.flag("enableInTreeAutoscaling") {
			scale.Note = "Ray's autoscaler is on and may change it again"
		}
		scales = append(scales, scale)
	}
	if scales == nil {
		refused = "the RayCluster has no worker groups"
	}
	return scales, refused
}

// ScaleOf returns the scale of a role: the one of that name, or the only one.
func ScaleOf(scales []Scale, role string) (Scale, bool) {
	for _, scale := range scales {
		if role != "" && strings.EqualFold(scale.Role, role) || scale.Role == "" {
			return scale, true
		}
	}
	if role == "" && len(scales) == 1 {
		return scales[0], true
	}
	return Scale{}, false
}
