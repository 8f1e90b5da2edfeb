package kinds

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/train"
)

// wordFromEvents reads the newest event about the job itself that contains a
// phase: a child Job may fail and the JobSet restart it.
func wordFromEvents(f *Family) operatorStatus {
	var reported operatorStatus
	for _, e := range f.Events {
		if about := e.InvolvedObject.Kind; about != "" && about != f.Ref.Kind {
			continue
		}
		if phase := phaseAfterEvent(e.Reason); phase != "" {
			reported = operatorStatus{phase: phase, reason: e.Reason, message: e.Message, at: EventTime(e)}
		}
	}
	return reported
}

// phaseAfterEvent parses event reasons: those of kubeflow v1 are kind and state
// (PyTorchJobSucceeded, before 1.6 JobSucceeded); the others are the Job
// controller's, JobSet's, the mpi-operator's and KubeRay's.
func phaseAfterEvent(reason string) train.Phase {
	switch reason {
	case "Completed", "AllJobsCompleted", "SuccessCriteriaMet":
		return train.Succeeded
	case "BackoffLimitExceeded", "DeadlineExceeded", "PodFailurePolicy", "FailedIndexes", "MaxFailedIndexesExceeded",
		"FailedJobs", "ReachedMaxRestarts", "FailJobSetFailurePolicyAction", "MPIJobEvicted":
		return train.Failed
	}
	_, state, found := strings.Cut(reason, "Job")
	if !found {
		return ""
	}
	switch state {
	case "Succeeded":
		return train.Succeeded
	case "Failed":
		return train.Failed
	case "Suspended":
		return train.Suspended
	case "Restarting":
		return train.Restarting
	case "Running", "Resumed":
		return train.Running
	}
	return ""
}

// rolesFromEvents builds roles from the pods that were created.
func rolesFromEvents(f *Family, a *specAndStatus) {
	if knowsRoles(a) {
		return
	}
	made := createdPods(f)
	for _, pod := range made {
		at := a.position(pod)
		r := &a.roles[roleNamed(a, at.role)]
		switch {
		case at.index >= 0:
			r.wanted = max(r.wanted, at.index+1)
		case r.wanted == 0 || pod.CreationTimestamp.Sub(made[0].CreationTimestamp.Time) < firstPods:
			r.wanted++
		}
	}
	nameRoles(f, a)
}

// firstPods is how long a controller takes to create a job's pods; later pods
// without numbers replace one of them. A guess.
const firstPods = 5 * time.Second

// kubeflowRoles are the role names of kubeflow.org kinds, in rank order; pods'
// labels and names have them in lower case.
var kubeflowRoles = []string{"Launcher", "Chief", "Master", "Worker", "PS", "Evaluator"}

// nameRoles gives roles that were read from pods the names and order of the
// spec.
func nameRoles(f *Family, a *specAndStatus) {
	if f.Ref.Group != "kubeflow.org" {
		return
	}
	order := func(r role) int {
		return slices.IndexFunc(kubeflowRoles, func(known string) bool { return strings.EqualFold(known, r.name) })
	}
	for i := range a.roles {
		if at := order(a.roles[i]); at >= 0 {
			a.roles[i].name = kubeflowRoles[at]
		}
	}
	slices.SortStableFunc(a.roles, func(x, y role) int { return cmp.Compare(uint(order(x)), uint(order(y))) })
}
