package diagnose

import (
	"cmp"
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var quotaRequestsMissing = cause{
	id: "quota-requests-missing", stage: train.StageAdmission,
	meaning:  "The namespace's quota demands that every pod states its requests or limits, and the job's pods do not.",
	evidence: "Event FailedCreate `failed quota: Q: must specify requests.cpu,...`. The quota is not full. Fields that the quota counts and a container of the pod template leaves out.",
	fix:      "Add the requests and limits, or have a LimitRange give defaults.",
	text: logs.Words{
		Title:   "The quota demands requests that the pod does not state",
		Meaning: "The namespace has a quota on resources that the pod neither requests nor limits.",
		Fix:     "Add the requests and limits that the message names.",
	},
	hides: []train.Cause{"no-pods-operator-down"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		s.explainUnstated(f, by.captured(0), cmp.Or(by.captured(1), "their requests"))
	},
	find: (*jobContext).unstatedFindings,
}

func (s *jobContext) explainUnstated(f *train.Finding, quota, fields string) {
	f.Title = fmt.Sprintf("Quota %s demands that pods state %s", quota, fields)
	f.Explanation = "The quota is not full: the API server refuses pods that leave these fields out, since it could not count them."
	f.Next = []train.Step{
		do(fmt.Sprintf("Add %s to every container of the job's pod template, or have a LimitRange give defaults.", fields)),
		look("See the quota.", kubectl("describe", coreRef("ResourceQuota", s.job.Ref.Namespace, quota))...),
	}
	f.Verify = verifyOf(train.StageAdmission)
}
