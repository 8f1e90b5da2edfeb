package kinds

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

// kubeflowKind is what distinguishes the kubeflow.org/v1 kinds; the rest they
// share (kubeflow/trainer v1.9.4, pkg/apis/kubeflow.org/v1).
type kubeflowKind struct {
	replicaSpecs string   // field under spec
	order        []string // roles in rank order
	container    string   // default name of the training container
	// unordered is true where the framework itself assigns the ranks.
	unordered bool
}

// read reads one kubeflow.org/v1 kind.
func (k kubeflowKind) read(f *Family) *specAndStatus {
	top := fieldsOf(f.Top)
	spec, status := top.in("spec"), top.in("status")
	a := &specAndStatus{
		position:       kubeflowPosition,
		operatorStatus: kubeflowWord(status),
		suspended:      spec.in("runPolicy").flag("suspend") || heldBy(status),
		untouched:      len(status) == 0,
		started:        status.when("startTime"),
		finished:       status.when("completionTime"),
		volcanoQueue:   spec.in("runPolicy", "schedulingPolicy").text("queue"),
	}
	a.roles, a.alive = k.roles(spec, status)
	if a.operatorStatus.phase.Terminal() && deletesPods(spec, a.operatorStatus) {
		a.alive = 0
		for i := range a.roles {
			a.roles[i].ready = 0
		}
	}
	if policy := spec.in("elasticPolicy"); policy != nil {
		a.elastic = elasticBounds(policy, a.roles)
		for i := range a.roles {
			a.roles[i].assumed = len(a.roles) == 1
		}
	}
	return a
}

// deletesPods reports whether a job's running pods are deleted at its end: by
// its policy, and regardless of it when it ran too long or failed too often.
// The counts of a failed job's status stay as they were before
// (training-operator 1.8 pkg/controller.v1/common/job.go). Old copies have the
// policy at the top.
func deletesPods(spec fields, end operatorStatus) bool {
	if strings.Contains(end.message, "active longer than specified deadline") || strings.Contains(end.message, "reached the specified backoff limit") {
		return true
	}
	switch cmp.Or(spec.in("runPolicy").text("cleanPodPolicy"), spec.text("cleanPodPolicy")) {
	case "All", "Running":
		return true
	}
	return false
}

// roles reads the replica specs in rank order, and the operator's count of
// running pods.
func (k kubeflowKind) roles(spec, status fields) (roles []role, alive int) {
	replicas := spec.in(k.replicaSpecs)
	for _, name := range k.names(replicas) {
		wants := replicas.in(name)
		if wants == nil {
			continue
		}
		// active counts running pods only (kubeflow v1)
		active := anyCase(status.in("replicaStatuses"), name).count("active", 0)
		alive += active
		roles = append(roles, role{
			name:      name,
			wanted:    wants.count("replicas", 1),
			ready:     active,
			template:  wants.in("template"),
			container: k.container,
			assumed:   k.unordered,
		})
	}
	return roles, alive
}

// anyCase finds a role's map whatever the case of its name: Arena's elastic
// jobs write the roles in lower case in the spec and capitalized in the
// status.
func anyCase(byRole fields, name string) fields {
	if exact := byRole.in(name); exact != nil {
		return exact
	}
	for key := range byRole {
		if strings.EqualFold(key, name) {
			return byRole.in(key)
		}
	}
	return nil
}

// names returns the roles that the spec has, known ones first and in order.
func (k kubeflowKind) names(replicas fields) []string {
	var names []string
	left := slices.Sorted(maps.Keys(replicas))
	for _, known := range k.order {
		if at := slices.IndexFunc(left, func(name string) bool { return strings.EqualFold(name, known) }); at >= 0 {
			names, left = append(names, left[at]), slices.Delete(left, at, at+1)
		}
	}
	return append(names, left...)
}

func elasticBounds(policy fields, roles []role) *train.Elastic {
	wanted := 0
	for _, r := range roles {
		wanted += r.wanted
	}
	bounds := &train.Elastic{Min: policy.count("minReplicas", wanted), Max: policy.count("maxReplicas", wanted)}
	bounds.Max = max(bounds.Max, bounds.Min)
	return bounds
}

// kubeflowWord reads the conditions. Alibaba's kube-queue adds Queuing.
func kubeflowWord(status fields) operatorStatus {
	for _, known := range []struct {
		condition string
		phase     train.Phase
	}{
		{"Failed", train.Failed},
		{"Succeeded", train.Succeeded},
		{"Queuing", train.Queued},
		{"Restarting", train.Restarting},
		{"Running", train.Running},
	} {
		if c, holds := holding(status, known.condition); holds {
			return operatorStatusOf(known.phase, c)
		}
	}
	return endedWord(status)
}

// endedWord reads the end of a job without conditions about it: the operator
// sets completionTime when it is over, and counts how its pods ended.
func endedWord(status fields) operatorStatus {
	ended := status.when("completionTime")
	if ended.IsZero() {
		return operatorStatus{}
	}
	succeeded, failed := 0, 0
	for role := range status.in("replicaStatuses") {
		counts := status.in("replicaStatuses", role)
		succeeded, failed = succeeded+counts.count("succeeded", 0), failed+counts.count("failed", 0)
	}
	switch {
	case failed > 0:
		return operatorStatus{phase: train.Failed, at: ended}
	case succeeded > 0:
		return operatorStatus{phase: train.Succeeded, at: ended}
	}
	return operatorStatus{}
}

func heldBy(status fields) bool {
	_, suspended := holding(status, "Suspended")
	return suspended
}

// kubeflowPosition reads the labels that the training-operator sets, and the
// older ones of the operators before it.
func kubeflowPosition(pod *corev1.Pod) rankPosition {
	return rankPosition{
		role: firstLabel(pod, "training.kubeflow.org/replica-type", "training.kubeflow.org/job-role", "replica-type",
			"pytorch-replica-type", "tf-replica-type", "mpi-job-role", "mpi_role_type", "training-job-role", "job-role"),
		index: labelIndex(pod, "training.kubeflow.org/replica-index", "replica-index", "pytorch-replica-index", "tf-replica-index"),
	}
}
