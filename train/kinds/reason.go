package kinds

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// reasonOf returns one sentence about the phase, as short as helps: which
// rank, and its own reason.
func reasonOf(job *train.Job, f *Family, a *specAndStatus, s queueState) string {
	if job.Gone && len(f.Pods) == 0 && len(f.Below) == 0 && !job.Phase.Terminal() {
		return unreadReason(f) + "; its phase is not known"
	}
	text := phaseReason(job, f, a, s)
	if text == "" && job.Gone && len(f.Pods) == 0 {
		return unreadReason(f)
	}
	if text != "" && job.CountsCut != "" {
		text += "; "
	}
	return oneLine(text + job.CountsCut)
}

// unreadReason describes a job of which only events were read. It is not known
// to be deleted: its kind was refused or not asked for, since a job that is
// missing from a complete list has no family.
func unreadReason(f *Family) string {
	if f.PodsListed {
		return "the job could not be read, and it has no pods"
	}
	return "neither the job nor its pods could be read"
}

func phaseReason(job *train.Job, f *Family, a *specAndStatus, s queueState) string {
	switch job.Phase {
	case train.Failed:
		return failedReason(job, a)
	case train.Queued:
		return queuedReason(s, a)
	case train.Suspended:
		if s.stopped {
			return "its Kueue Workload is deactivated (spec.active is false)"
		}
		return LivePodsReason(job)
	case train.Pending:
		return pendingReason(job, f, a, s)
	case train.Restarting:
		return cmp.Or(troubleReason(job), oneLine(cmp.Or(a.operatorStatus.message, a.operatorStatus.reason)))
	case train.Running:
		return cmp.Or(troubleReason(job), missingReason(job, f), oneLine(a.unread), statedReason(job))
	}
	return ""
}

// LivePodsReason names the pods and GPUs that a suspended or ended job still has, "" for none.
func LivePodsReason(job *train.Job) string {
	pods, ending, gpus, slices := job.LivePods()
	if pods == 0 {
		return ""
	}
	text := fmt.Sprintf("%d of its pods still ", pods) + termtext.Agree(pods, "exists", "exist")
	if ending == pods {
		text = fmt.Sprintf("%d of its pods ", pods) + termtext.Agree(pods, "is", "are") + " being deleted"
	}
	if gpus > 0 {
		text += termtext.Agree(pods, " and holds ", " and hold ") + termtext.GPUs(gpus, slices)
	}
	return text
}

// failedReason names the rank that failed first, or else returns the
// operator's message.
func failedReason(job *train.Job, a *specAndStatus) string {
	var first *train.Rank
	for i := range job.Ranks {
		r := &job.Ranks[i]
		if r.State == train.RankFailed && (first == nil || r.Since.Before(first.Since)) {
			first = r
		}
	}
	operator := oneLine(cmp.Or(a.operatorStatus.message, a.operatorStatus.reason))
	if first == nil {
		return operator
	}
	text := first.ShortName() + ": " + cmp.Or(first.Reason, "failed")
	switch limit, _, _ := strings.Cut(a.operatorStatus.reason, "/"); limit {
	case "BackoffLimitExceeded", "DeadlineExceeded", "ReachedMaxRestarts", "PodFailurePolicy":
		text += " (" + limit + ")"
	}
	return oneLine(text)
}

func queuedReason(s queueState, a *specAndStatus) string {
	switch {
	case s.queue != nil && s.queue.Reason != "":
		return s.queue.Reason
	case s.queue != nil && s.queue.Name != "":
		return oneLine("waits in queue " + s.queue.Name)
	}
	return oneLine(cmp.Or(a.operatorStatus.message, "waits in a queue"))
}

// pendingReason looks for what keeps ranks from running, the most informative
// first: what cannot start, what cannot be placed, what was never created.
func pendingReason(job *train.Job, f *Family, a *specAndStatus, s queueState) string {
	if text := troubleReason(job); text != "" {
		return text
	}
	if text := cmp.Or(missingReason(job, f), a.unread); text != "" {
		return oneLine(text)
	}
	if s.gang != "" {
		return s.gang
	}
	if text := stateReason(job, train.RankStarting); text != "" {
		return text
	}
	switch {
	case a.suspended && s.admitted:
		return "admitted by its queue, not resumed yet"
	case a.operatorStatus.message != "" && a.operatorStatus.phase == "":
		return oneLine(a.operatorStatus.message)
	case a.untouched && len(f.Pods) == 0 && isWritten(f.Top):
		return "as somebody wrote it; what a cluster made of it was not read"
	case a.untouched && len(f.Pods) == 0:
		return "its operator has not picked it up yet"
	}
	return ""
}

// isWritten reports whether no API server has stored an object: a manifest, or
// the output of helm template.
func isWritten(o *unstructured.Unstructured) bool {
	return o != nil && o.GetUID() == "" && o.GetCreationTimestamp().Time.IsZero() && o.GetResourceVersion() == ""
}

// statedReason reports that the running pods are known only from the operator.
func statedReason(job *train.Job) string {
	if !job.ReadyStated {
		return ""
	}
	return "ready by its status; not all of its pods were read"
}

// troubleReason returns the worst reason of a rank, "" when none is in
// trouble. Ranks that wait only for their gang have no reason of their own.
func troubleReason(job *train.Job) string {
	if !slices.ContainsFunc(job.Ranks, func(r train.Rank) bool { return r.Reason != "" }) {
		return ""
	}
	for _, state := range []train.RankState{
		train.RankCrashing, train.RankWaiting, train.RankLost, train.RankPending, train.RankFailed, train.RankGated, train.RankMissing,
	} {
		if text := stateReason(job, state); text != "" {
			return text
		}
	}
	return ""
}

// stateReason returns the reason of the first rank in a state, and how many
// others are in it too.
func stateReason(job *train.Job, state train.RankState) string {
	var first *train.Rank
	others := 0
	for i := range job.Ranks {
		r := &job.Ranks[i]
		switch {
		case r.State != state || r.Reason == "" || r.Reason == gangMate:
		case first == nil:
			first = r
		default:
			others++
		}
	}
	if first == nil {
		return ""
	}
	return oneLine(first.ShortName() + termtext.AndMore(others, "") + ": " + first.Reason)
}

// missingReason returns why pods were never created: the newest event about
// it.
func missingReason(job *train.Job, f *Family) string {
	missing := 0
	for i := range job.Ranks {
		if job.Ranks[i].State == train.RankMissing {
			missing++
		}
	}
	if missing == 0 {
		return ""
	}
	text := creationFailure(f.Events)
	if text == "" {
		return ""
	}
	return oneLine(fmt.Sprintf("%d of %d pods not created: %s", missing, job.Wanted, text))
}

// creationFailure returns the newest event with the reason why an object could
// not be created. The training-operator, KubeRay and the Job controller each
// have reasons of their own.
func creationFailure(events []*corev1.Event) string {
	for i := len(events) - 1; i >= 0; i-- {
		switch events[i].Reason {
		case "FailedCreate", "FailedCreatePod", "FailedToCreateHeadPod", "FailedToCreateWorkerPod", "FailedCreateHeadPod",
			"FailedCreateWorkerPod", "TrainJobResourcesCreationFailed", "JobCreationFailed":
			return creationText(events[i].Message)
		}
	}
	return ""
}

// creationText omits what the sentence around it already contains: `Error
// creating: pods "x-worker-1" is forbidden: exceeded quota: ...`.
func creationText(message string) string {
	message = strings.TrimPrefix(message, "Error creating: ")
	if _, rest, found := strings.Cut(message, " is forbidden: "); found {
		return rest
	}
	return message
}
