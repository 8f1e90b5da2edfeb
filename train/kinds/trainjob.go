package kinds

import (
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/train"
)

// Names that the Kubeflow Trainer uses (kubeflow/trainer pkg/constants).
const (
	trainerNode     = "node"
	trainerLauncher = "launcher"
	ancestorStep    = "trainer.kubeflow.org/trainjob-ancestor-step"
)

// readTrainJob reads a TrainJob with the JobSet it created; before there is
// one, with the runtime that it refers to.
func readTrainJob(f *Family) *specAndStatus {
	top := fieldsOf(f.Top)
	spec, status := top.in("spec"), top.in("status")
	set := newest(f, func(o *unstructured.Unstructured) bool { return o.GroupVersionKind().GroupKind() == jobSetKind })

	a := jobSetSpecAndStatus(set, f)
	if set == nil && f.Top != nil {
		a.roles = runtimeRoles(f, spec)
	}
	orderTrainerRoles(a.roles)
	if own := trainJobWord(status); own.phase.Terminal() || set == nil {
		a.operatorStatus = own
	}
	a.suspended = spec.flag("suspend") || heldBy(status)
	a.untouched = f.Top != nil && len(status) == 0 && set == nil
	a.progress = trainerProgress(status.in("trainerStatus"))
	return a
}

// trainJobWord reads the TrainJob's own conditions and counters. Created,
// Running and Restarting have no condition (kubeflow/trainer #2713).
func trainJobWord(status fields) operatorStatus {
	if c, failed := holding(status, "Failed"); failed {
		return operatorStatusOf(train.Failed, c)
	}
	if c, complete := holding(status, "Complete"); complete {
		return operatorStatusOf(train.Succeeded, c)
	}
	return operatorStatus{phase: childrenWord(status, "jobsStatus")}
}

// runtimeRoles returns the roles that the trainer would create from the
// runtime's template. A runtime that is not observed counts as one node role.
func runtimeRoles(f *Family, spec fields) []role {
	runtime := runtimeOf(f, spec.in("runtimeRef"))
	policy := runtime.in("spec", "mlPolicy")
	nodes := spec.in("trainer").count("numNodes", policy.count("numNodes", 1))
	perNode := spec.in("trainer", "resourcesPerNode")

	templates := runtime.in("spec", "template", "spec").items("replicatedJobs")
	if len(templates) == 0 {
		return []role{{name: trainerNode, wanted: nodes, container: trainerNode, template: withResources(nil, perNode)}}
	}
	launcherIsNode := policy.in("mpi").flag("runLauncherAsNode")
	var roles []role
	for _, template := range templates {
		r := role{name: template.text("name"), template: template.in("template", "spec", "template")}
		r.wanted = times(template.count("replicas", 1), parallelPods(template.in("template", "spec")))
		switch {
		case r.name == trainerNode && launcherIsNode:
			// the launcher is one of the nodes (trainer pkg/runtime/framework/plugins/mpi)
			r.wanted = max(1, nodes-1)
		case r.name == trainerNode:
			r.wanted = nodes
		}
		if isTrainerStep(template, r.name) && (r.name != trainerLauncher || launcherIsNode) {
			r.template = withResources(r.template, perNode)
		}
		roles = append(roles, r)
	}
	return roles
}

func isTrainerStep(template fields, name string) bool {
	step := template.in("template", "metadata", "labels").text(ancestorStep)
	return name == trainerNode || step == "trainer"
}

// runtimeOf looks up the runtime that a TrainJob names.
func runtimeOf(f *Family, ref fields) fields {
	if f.Find == nil || ref.text("name") == "" {
		return nil
	}
	kind, namespace := clusterTrainingRuntimeKind, ""
	if ref.text("kind") == trainingRuntimeKind.Kind {
		kind, namespace = trainingRuntimeKind, f.Ref.Namespace
	}
	found, _ := f.Find(kind, namespace, ref.text("name"))
	return fieldsOf(found)
}

// withResources returns a pod template whose training container requests what
// the TrainJob wants per node; the runtime's own object stays unchanged.
func withResources(template, perNode fields) fields {
	if len(perNode) == 0 {
		return template
	}
	spec := template.in("spec")
	containers := []any{map[string]any{"name": trainerNode, "resources": map[string]any(perNode)}}
	for _, container := range spec.items("containers") {
		if container.text("name") != trainerNode {
			containers = append(containers, map[string]any(container))
		}
	}
	return fields{
		"metadata": template["metadata"],
		"spec": map[string]any{
			"containers":     containers,
			"initContainers": spec["initContainers"],
			"resourceClaims": spec["resourceClaims"],
		},
	}
}

// orderTrainerRoles gives the nodes the first ranks (the launcher before them
// where there is one, as in the hostfile) and the initializers the last.
func orderTrainerRoles(roles []role) {
	next := 0
	for _, wanted := range []func(string) bool{
		func(name string) bool { return name == trainerLauncher },
		func(name string) bool { return name == trainerNode },
		func(name string) bool { return name != trainerLauncher && name != trainerNode },
	} {
		for i := range roles {
			if !wanted(roles[i].name) {
				continue
			}
			first := next
			roles[i].rank = func(index int) int { return first + index }
			roles[i].assumed = roles[i].name != trainerNode && roles[i].name != trainerLauncher
			roles[i].unranked = roles[i].assumed
			roles[i].prepares = strings.HasSuffix(roles[i].name, "-initializer")
			roles[i].container = trainerContainer(roles[i].name)
			next += roles[i].wanted
		}
	}
}

// trainerContainer returns the name of the container of a trainer role;
// initializers are named after themselves.
func trainerContainer(role string) string {
	if role == trainerLauncher {
		return trainerNode
	}
	return role
}

// trainerProgress reads status.trainerStatus (trainer v2.2, feature gate TrainJobStatus).
func trainerProgress(status fields) *train.Progress {
	if len(status) == 0 {
		return nil
	}
	progress := &train.Progress{
		Percent:   float64(status.count("progressPercentage", 0)),
		Remaining: time.Duration(status.count("estimatedRemainingSeconds", 0)) * time.Second,
		At:        status.when("lastUpdatedTime"),
	}
	for _, metric := range status.items("metrics") {
		if progress.Metrics == nil {
			progress.Metrics = map[string]string{}
		}
		progress.Metrics[metric.text("name")] = metric.text("value")
	}
	return progress
}
