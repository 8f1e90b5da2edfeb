package kinds

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/train"
)

// readJobSet reads a JobSet (kubernetes-sigs/jobset, api/jobset/v1alpha2).
func readJobSet(f *Family) *specAndStatus {
	a := jobSetSpecAndStatus(f.Top, f)
	a.general = true
	return a
}

// jobSetSpecAndStatus reads one JobSet of a family, at its top or below a TrainJob.
func jobSetSpecAndStatus(set *unstructured.Unstructured, f *Family) *specAndStatus {
	top := fieldsOf(set)
	spec, status := top.in("spec"), top.in("status")
	children := childJobs(f.Below)
	a := &specAndStatus{
		operatorStatus: jobSetStatus(status),
		suspended:      spec.flag("suspend") || heldBy(status),
		untouched:      len(status) == 0,
		restarts:       clamp(int64(status.count("restarts", 0)) + int64(jobRestarts(status))),
	}
	sizes := map[string]int{} // pods of one child Job, by replicated job
	finished := map[string]bool{}
	for _, wants := range spec.items("replicatedJobs") {
		name := wants.text("name")
		jobSpec := wants.in("template", "spec")
		replicas := wants.count("replicas", 1)
		sizes[name] = parallelPods(jobSpec)
		counts := countsOf(status, "replicatedJobsStatus", name)
		finished[name] = replicas > 0 && counts.count("succeeded", 0) >= replicas
		a.roles = append(a.roles, role{
			name:     name,
			wanted:   times(replicas, sizes[name]),
			ready:    childrenReady(children, name, times(counts.count("ready", 0), sizes[name])),
			template: jobSpec.in("template"),
		})
	}
	setDependencies(a.roles, spec.items("replicatedJobs"), status, children)
	for _, child := range children {
		a.alive += child.status.count("active", 0)
	}
	a.position = jobSetPosition(sizes, jobSetPods(set, f))
	a.done = func(role string, index int) bool {
		return finished[role] || childDone(children, role, index, sizes[role])
	}
	if resumed, found := conditionOf(status, "Suspended"); found && !resumed.holds {
		a.started = resumed.at
	}
	if a.started.IsZero() && set != nil && !a.suspended {
		a.started = set.GetCreationTimestamp().Time
	}
	return a
}

// setDependencies sets the roles whose child Jobs are not made yet because one before has
// to be Complete or Ready (JobSet 0.12, DependsOn; its names are of jobs before in the
// list). Before the controller has counted that one, nothing is known.
func setDependencies(roles []role, wants []fields, status fields, children []childJob) {
	for i := range roles {
		if slices.ContainsFunc(children, func(c childJob) bool { return c.role == roles[i].name }) {
			continue
		}
		for _, dependency := range wants[i].items("dependsOn") {
			name := dependency.text("name")
			on := slices.IndexFunc(roles[:i], func(r role) bool { return r.name == name })
			counts := countsOf(status, "replicatedJobsStatus", name)
			if on < 0 || counts == nil {
				continue
			}
			reached := counts.count("succeeded", 0)
			if dependency.text("status") == "Ready" {
				reached += counts.count("ready", 0)
			}
			if reached < wants[on].count("replicas", 1) {
				roles[i].dependsOn = name
				break
			}
		}
	}
}

// jobRestarts counts the restarts of single child Jobs, which restarts does not
// (JobSet 0.12, failure policy actions RestartJob and
// RestartJobAndIgnoreMaxRestarts: one number for each child Job). In-place
// restarts are those of containers, which the pods count.
func jobRestarts(status fields) int {
	sum := int64(0)
	for _, counts := range status.items("replicatedJobsStatus") {
		list, _ := counts["jobRestarts"].([]any)
		for _, n := range list {
			sum += int64(fields{"n": n}.count("n", 0))
		}
	}
	return clamp(sum)
}

// jobSetStatus reads conditions and counters: there is no Running condition,
// and Restarting has one only since JobSet 0.12. Counters count child Jobs.
func jobSetStatus(status fields) operatorStatus {
	if c, failed := holding(status, "Failed"); failed || status.text("terminalState") == "Failed" {
		return operatorStatusOf(train.Failed, c)
	}
	if c, completed := holding(status, "Completed"); completed || status.text("terminalState") == "Completed" {
		return operatorStatusOf(train.Succeeded, c)
	}
	restarting, known := conditionOf(status, "RestartingJobSet")
	if known && restarting.holds {
		return operatorStatusOf(train.Restarting, restarting)
	}
	ready := childrenWord(status, "replicatedJobsStatus")
	if !known && status.count("restarts", 0) > 0 && ready == "" {
		return operatorStatus{phase: train.Restarting, reason: "RestartingJobSet"}
	}
	return operatorStatus{phase: ready}
}

// childrenWord returns Running when any child Job is ready, "" otherwise.
func childrenWord(status fields, list string) train.Phase {
	for _, counts := range status.items(list) {
		if counts.count("ready", 0) > 0 {
			return train.Running
		}
	}
	return ""
}

func countsOf(status fields, list, name string) fields {
	for _, counts := range status.items(list) {
		if counts.text("name") == name {
			return counts
		}
	}
	return nil
}

// childJob is a batch Job below a JobSet.
type childJob struct {
	role   string
	index  int
	status fields
}

func childJobs(below []*unstructured.Unstructured) []childJob {
	var children []childJob
	for _, o := range below {
		if o.GroupVersionKind().GroupKind() != batchJobKind {
			continue
		}
		labels := o.GetLabels()
		index, _ := parseIndex(labels["jobset.sigs.k8s.io/job-index"])
		children = append(children, childJob{
			role:   labels["jobset.sigs.k8s.io/replicatedjob-name"],
			index:  index,
			status: fieldsOf(o).in("status"),
		})
	}
	return children
}

// childrenReady counts pods that are ready according to the child Jobs;
// without the child Jobs it returns reported.
func childrenReady(children []childJob, role string, reported int) int {
	ready, seen := 0, false
	for _, child := range children {
		if child.role == role {
			ready, seen = ready+child.status.count("ready", 0), true
		}
	}
	if seen {
		return ready
	}
	return reported
}

func childDone(children []childJob, role string, index, size int) bool {
	if size == 0 {
		return false
	}
	for _, child := range children {
		if child.role == role && child.index == index/size {
			return inIndexes(child.status.text("completedIndexes"), index%size)
		}
	}
	return false
}

// jobSetPods returns the pods that show how large child Jobs are where the
// spec cannot: observed ones, else those in events.
func jobSetPods(set *unstructured.Unstructured, f *Family) []*corev1.Pod {
	if set == nil && len(f.Pods) == 0 {
		return createdPods(f)
	}
	return f.Pods
}

// jobSetPosition numbers the pods of a replicated job through its child Jobs.
// Without the spec the size of a child Job comes from its pods' indices.
func jobSetPosition(sizes map[string]int, pods []*corev1.Pod) func(*corev1.Pod) rankPosition {
	if len(sizes) == 0 {
		for _, pod := range pods {
			name := pod.Labels["jobset.sigs.k8s.io/replicatedjob-name"]
			sizes[name] = max(sizes[name], completionIndex(pod)+1)
		}
	}
	return func(pod *corev1.Pod) rankPosition {
		name := pod.Labels["jobset.sigs.k8s.io/replicatedjob-name"]
		job, known := parseIndex(pod.Labels["jobset.sigs.k8s.io/job-index"])
		completion := completionIndex(pod)
		size := sizes[name]
		switch {
		case !known && completion < 0:
			return rankPosition{name, -1}
		case completion >= 0:
			return rankPosition{name, times(job, size) + completion}
		case size <= 1:
			return rankPosition{name, job}
		}
		return rankPosition{name, -1}
	}
}

// newest returns the youngest object of a kind below the top, nil without one.
func newest(f *Family, match func(*unstructured.Unstructured) bool) *unstructured.Unstructured {
	var found *unstructured.Unstructured
	for o := range slices.Values(f.Below) {
		if match(o) && (found == nil || found.GetCreationTimestamp().Time.Before(o.GetCreationTimestamp().Time)) {
			found = o
		}
	}
	return found
}
