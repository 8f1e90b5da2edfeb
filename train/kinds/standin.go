package kinds

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

// inferFromPods completes the spec and status of a job whose object cannot be read: from the
// pods that name it or, when these are gone too, from the events about it.
func inferFromPods(f *Family, a *specAndStatus) *specAndStatus {
	if len(f.Pods) > 0 && (!knowsRoles(a) || f.groupKind() == PodGroupRow) {
		rolesFromPods(f, a)
	}
	if len(f.Pods) == 0 {
		rolesFromWorkload(f, a)
	}
	if a.operatorStatus.phase == "" {
		a.operatorStatus = wordFromPods(f.Pods)
	}
	if len(f.Pods) == 0 {
		rolesFromEvents(f, a)
		if reported := wordFromEvents(f); reported.phase != "" {
			a.operatorStatus = reported
		}
	}
	return a
}

// knowsRoles reports whether any ranks are known.
func knowsRoles(a *specAndStatus) bool {
	return slices.ContainsFunc(a.roles, func(r role) bool { return !r.aside })
}

// rolesFromPods builds roles from pods: observed indices, and the world size
// in their environment.
func rolesFromPods(f *Family, a *specAndStatus) {
	highest := map[int]int{}
	for _, s := range assignPods(a, f.Pods) {
		highest[s.role] = max(highest[s.role], s.index+1)
		r := &a.roles[s.role]
		r.wanted = max(r.wanted, highest[s.role])
		if r.template == nil {
			r.template = podTemplate(s.pod)
		}
	}
	addMaster(f, a)
	nameRoles(f, a)
	widest, world := widestRole(a.roles), worldSize(f.Pods)
	seen := 0
	for i := range a.roles {
		if !a.roles[i].aside {
			seen += a.roles[i].wanted
		}
	}
	if widest >= 0 && world > seen {
		a.roles[widest].wanted += world - seen
	}
}

// addMaster adds the master of a PyTorchJob of which only workers are
// observed: the operator gives workers the init container init-pytorch only
// when there is a master to wait for (kubeflow/trainer v1.9.4,
// pytorch/initcontainer.go).
func addMaster(f *Family, a *specAndStatus) {
	if f.groupKind() != pyTorchJobKind || slices.ContainsFunc(a.roles, func(r role) bool { return strings.EqualFold(r.name, "master") }) {
		return
	}
	for _, pod := range f.Pods {
		if namedContainer(pod.Spec.InitContainers, "init-pytorch") != nil {
			a.roles = append(a.roles, role{name: "Master", wanted: 1})
			for i := range a.roles {
				a.roles[i].assumed = false
			}
			return
		}
	}
}

// widestRole returns the role whose ranks are missing when more are wanted
// than observed: masters, launchers and heads exist once per job.
func widestRole(roles []role) int {
	widest := -1
	for i := range roles {
		switch strings.ToLower(roles[i].name) {
		case "master", "chief", "launcher", rayHead:
			if len(roles) > 1 {
				continue
			}
		}
		if !roles[i].aside && (widest < 0 || roles[i].wanted > roles[widest].wanted) {
			widest = i
		}
	}
	return widest
}

// podTemplate returns a pod's requests for accelerators in the form of a
// template.
func podTemplate(pod *corev1.Pod) fields {
	a := podAccelerators(&pod.Spec, pod.Annotations, claimFinder{})
	limits := map[string]any{}
	for _, entry := range a.own {
		limits[entry.resource] = int64(entry.n)
	}
	for _, odd := range a.odd {
		if limits[odd.resource] == nil && !odd.one {
			limits[odd.resource] = odd.value
		}
	}
	var claims []any
	for _, claim := range pod.Spec.ResourceClaims {
		named := map[string]any{}
		if claim.ResourceClaimName != nil {
			named["resourceClaimName"] = *claim.ResourceClaimName
		}
		if claim.ResourceClaimTemplateName != nil {
			named["resourceClaimTemplateName"] = *claim.ResourceClaimTemplateName
		}
		claims = append(claims, named)
	}
	container := map[string]any{"resources": map[string]any{"limits": limits}}
	return fields{"spec": map[string]any{"containers": []any{container}, "resourceClaims": claims}}
}

// worldSize returns the number of pods in environments. WORLD_SIZE counts
// pods, or processes when nproc-per-node is a number.
func worldSize(pods []*corev1.Pod) int {
	size := 0
	for _, pod := range pods {
		for i := range pod.Spec.Containers {
			size = max(size, containerWorld(pod.Spec.Containers[i].Env))
		}
	}
	return min(size, maxCount)
}

func containerWorld(env []corev1.EnvVar) int {
	world, nodes, perNode, cluster := 0, 0, 1, 0
	for i := range env {
		switch value := env[i].Value; env[i].Name {
		case "WORLD_SIZE":
			world, _ = strconv.Atoi(value)
		case "PET_NNODES":
			least, _, _ := strings.Cut(value, ":") // min:max when elastic
			nodes, _ = strconv.Atoi(least)
		case "PET_NPROC_PER_NODE":
			if n, err := strconv.Atoi(value); err == nil && n > 0 {
				perNode = n
			}
		case "TF_CONFIG":
			cluster = tfClusterSize(value)
		}
	}
	if nodes == 0 {
		nodes = world / perNode
	}
	return max(nodes, cluster)
}

// tfClusterSize counts the hosts in TF_CONFIG.
func tfClusterSize(text string) int {
	var config struct {
		Cluster map[string][]string `json:"cluster"`
	}
	if json.Unmarshal([]byte(text), &config) != nil {
		return 0
	}
	size := 0
	for _, hosts := range config.Cluster {
		size += len(hosts)
	}
	return size
}

// wordFromPods returns how a job ended when all its pods have; "" otherwise.
func wordFromPods(pods []*corev1.Pod) operatorStatus {
	failed, succeeded := 0, 0
	for _, pod := range pods {
		switch pod.Status.Phase {
		case corev1.PodFailed:
			failed++
		case corev1.PodSucceeded:
			succeeded++
		}
	}
	switch {
	case len(pods) == 0 || failed+succeeded < len(pods):
		return operatorStatus{}
	case failed > 0:
		return operatorStatus{phase: train.Failed}
	}
	return operatorStatus{phase: train.Succeeded}
}

// rolesFromWorkload reads the pod sets of a Kueue Workload whose job cannot
// be read. Kueue calls the only pod set of a Job "main".
func rolesFromWorkload(f *Family, a *specAndStatus) {
	if knowsRoles(a) {
		return
	}
	for _, set := range fieldsOf(kueueWorkload(f)).in("spec").items("podSets") {
		name := set.text("name")
		if name == "main" {
			name = batchRole
		}
		a.roles = append(a.roles, role{name: name, wanted: set.count("count", 1), template: set.in("template")})
	}
	nameRoles(f, a)
}
