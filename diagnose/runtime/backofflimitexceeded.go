package runtime

import (
	"cmp"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var backoffLimitExceeded = rule.Cause{
	ID: "backoff-limit-exceeded", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "The job has used up its attempts",
		Meaning: "The job failed as often as it may, and its controller gave up. This is only the result: the errors of its pods are the cause.",
		Fix: "Look at the last pods. $ kubectl get pods\n" +
			"Find out why the pods ended; raise backoffLimit only when restarts help.",
	},
	Evidence: "Condition Failed reason BackoffLimitExceeded, FailedIndexes, MaxFailedIndexesExceeded, ReachedMaxRestarts.",

	Find: func(s *rule.JobContext) []train.Finding {
		if s.Job.Phase != train.Failed {
			return nil
		}
		if u, c := endingCondition(s, limitReason); u != nil {
			return []train.Finding{givenUp(s, u, c)}
		}
		return nil
	},
}

// limitReason reports whether a condition sums failures up (Job controller
// 1.36, JobSet 0.10, training-operator 1.8).
func limitReason(c rule.Condition) bool {
	return rule.HasAny(c.Reason, "BackoffLimitExceeded", "FailedIndexes", "ReachedMaxRestarts", "FailedJobs", "FailJobSetFailurePolicyAction") ||
		rule.HasAny(c.Message, "reached the specified backoff limit")
}

func givenUp(s *rule.JobContext, u *unstructured.Unstructured, c rule.Condition) train.Finding {
	f := s.NewFinding(train.SeverityError, c.At)
	f.Confidence = train.Likely
	f.Title = fmt.Sprintf("%s was given up after too many failures: %s", s.Job.Ref, cmp.Or(c.Message, c.Reason))
	if c.Reason == "FailedIndexes" { // each index has a limit of its own
		f.Title = fmt.Sprintf("%s ended with failed indexes: %s", s.Job.Ref, cmp.Or(c.Message, c.Reason))
	}
	f.Explanation = "This sums up what the pods did. Why they ended cannot be seen: they are gone, and no event or log tells."
	f.Evidence = []train.Evidence{rule.StatusEvidence(kinds.RefOf(rule.ObjectKind(u), u), "status.conditions["+c.Kind+"]", c.Reason+": "+c.Message, c.At, -1)}
	f.Next = []train.Step{rule.Do("Look for the logs of the failed pods where logs are kept; set restartPolicy Never and a longer ttlSecondsAfterFinished to keep them next time."), rule.Look("See what is left.", rule.Kubectl("describe", s.Job.Ref)...)}
	f.Verify = "The job runs through when started again."
	return f
}
