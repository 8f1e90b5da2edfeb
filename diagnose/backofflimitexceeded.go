package diagnose

import (
	"cmp"
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

var backoffLimitExceeded = cause{
	id: "backoff-limit-exceeded", stage: train.StageProgress,
	meaning:  "The job failed as often as it may and was given up. This sums up: the pods' own ends are the cause.",
	evidence: "Condition Failed reason BackoffLimitExceeded, PodFailurePolicy, FailedIndexes, ReachedMaxRestarts.",
	fix:      "Find out why the pods ended; raise backoffLimit only when restarts help.",
	text: logs.Words{
		Title:   "The job has used up its attempts",
		Meaning: "Its pods failed too often; their own error is the cause.",
		Fix:     "Look at the last pods. $ kubectl get pods",
	},

	find: func(s *jobContext) []train.Finding {
		if s.job.Phase != train.Failed {
			return nil
		}
		for _, o := range append([]kinds.Object{s.top}, s.descendants()...) {
			u, is := o.(*unstructured.Unstructured)
			if !is || u == nil {
				continue
			}
			for _, c := range conditionsOf(u) {
				if c.holds && (c.kind == "Failed" || c.kind == "FailureTarget") && limitReason(c) {
					return []train.Finding{s.givenUp(u, c)}
				}
			}
		}
		return nil
	},
}

// limitReason reports a condition that sums failures up (Job controller 1.36,
// JobSet 0.10, training-operator 1.8).
func limitReason(c condition) bool {
	return hasAny(c.reason, "BackoffLimitExceeded", "PodFailurePolicy", "FailedIndexes", "ReachedMaxRestarts", "FailedJobs", "FailJobSetFailurePolicyAction") ||
		hasAny(c.message, "reached the specified backoff limit")
}

func (s *jobContext) givenUp(u *unstructured.Unstructured, c condition) train.Finding {
	f := s.newFinding(train.SeverityError, c.at)
	f.Confidence = train.Likely
	f.Title = fmt.Sprintf("%s was given up after too many failures: %s", s.job.Ref, cmp.Or(c.message, c.reason))
	f.Explanation = "This sums up what the pods did. Why they ended cannot be seen: they are gone, and no event or log tells."
	f.Evidence = []train.Evidence{statusEvidence(refOf(objectKind(u), u), "status.conditions["+c.kind+"]", c.reason+": "+c.message, c.at, -1)}
	f.Next = []train.Step{do("Look for the logs of the failed pods where logs are kept; set restartPolicy Never and a longer ttlSecondsAfterFinished to keep them next time."), look("See what is left.", kubectl("describe", s.job.Ref)...)}
	f.Verify = "The job runs through when started again."
	return f
}
