package admission

import (
	"cmp"
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var quotaRequestsMissing = rule.Cause{
	ID: "quota-requests-missing", Stage: train.StageAdmission,
	Words: logfindings.Words{
		Title:   "The quota demands requests that the pod does not state",
		Meaning: "The namespace has a quota on resources for which the job's pods state neither requests nor limits, so they are not created.",
		Fix:     "Add the requests and limits that the message names, or have a LimitRange set defaults.",
	},
	Evidence: "Event FailedCreate `failed quota: Q: must specify requests.cpu,...`. The quota is not full. Fields that the quota counts and a container of the pod template leaves out.",
	Hides:    []train.Cause{"no-pods-operator-down"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		explainUnstated(s, f, match.CaptureFrom(0), cmp.Or(match.CaptureFrom(1), "their requests"))
	},
	Find: unstatedFindings,
}

func explainUnstated(s *rule.JobContext, f *train.Finding, quota, fields string) {
	f.Title = fmt.Sprintf("Quota %s demands that pods state %s", quota, fields)
	f.Explanation = "The quota is not full: the API server refuses pods that leave these fields out, since it could not count them."
	f.Next = []train.Step{
		rule.Do(fmt.Sprintf("Add %s to every container of the job's pod template, or have a LimitRange give defaults.", fields)),
		rule.Look("See the quota.", rule.Kubectl("describe", rule.CoreRef("ResourceQuota", s.Job.Ref.Namespace, quota))...),
	}
	f.Verify = rule.VerifyOf(train.StageAdmission)
}
