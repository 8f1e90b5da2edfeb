package kinds

import (
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train"
)

// batchRole is the name of the only role of a plain batch Job.
const batchRole = "worker"

// readBatchJob reads a batch/v1 Job (kubernetes/api batch/v1).
func readBatchJob(f *Family) *specAndStatus {
	top := fieldsOf(f.Top)
	spec, status := top.in("spec"), top.in("status")
	indexed := spec.text("completionMode") == "Indexed"
	completed := status.text("completedIndexes")
	a := &specAndStatus{
		position:       batchPosition,
		operatorStatus: batchWord(status),
		suspended:      spec.flag("suspend") || heldBy(status),
		untouched:      len(status) == 0,
		alive:          status.count("active", 0), // pending ones included
		started:        status.when("startTime"),
		finished:       status.when("completionTime"),
		general:        true,
	}
	if f.Top == nil {
		return a
	}
	a.roles = []role{{
		name:     batchRole,
		wanted:   parallelPods(spec),
		ready:    status.count("ready", 0),
		template: spec.in("template"),
		assumed:  !indexed,
	}}
	if indexed && completed != "" {
		a.done = func(_ string, index int) bool { return inIndexes(completed, index) }
	}
	return a
}

// parallelPods returns how many pods a Job spec wants at the same time.
func parallelPods(spec fields) int {
	parallelism := spec.count("parallelism", 1)
	return min(parallelism, spec.count("completions", parallelism))
}

// batchWord reads the conditions. FailureTarget and SuccessCriteriaMet come
// first, while pods are still ending; the final ones follow.
func batchWord(status fields) operatorStatus {
	if c, failed := holding(status, "Failed", "FailureTarget"); failed {
		return operatorStatusOf(train.Failed, c)
	}
	if c, complete := holding(status, "Complete", "SuccessCriteriaMet"); complete {
		return operatorStatusOf(train.Succeeded, c)
	}
	if ended := status.when("completionTime"); !ended.IsZero() {
		return operatorStatus{phase: train.Succeeded, at: ended} // it is set for nothing else
	}
	if status.count("ready", 0) > 0 {
		return operatorStatus{phase: train.Running}
	}
	return operatorStatus{}
}

func batchPosition(pod *corev1.Pod) rankPosition {
	return rankPosition{role: batchRole, index: completionIndex(pod)}
}

// inIndexes reports whether a list like "1,3-5,7" has the index.
func inIndexes(list string, index int) bool {
	for part := range strings.SplitSeq(list, ",") {
		low, high, isRange := strings.Cut(part, "-")
		from, err := strconv.Atoi(low)
		if err != nil {
			continue
		}
		to := from
		if isRange {
			if to, err = strconv.Atoi(high); err != nil {
				continue
			}
		}
		if from <= index && index <= to {
			return true
		}
	}
	return false
}
