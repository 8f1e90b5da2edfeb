package diagnose

import (
	"cmp"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var limitRange = cause{
	id: "limit-range", stage: train.StageAdmission,
	meaning:  limitRangeMeaning,
	evidence: "Event FailedCreate `maximum memory usage per Container is X, but limit is Y`, `minimum ... usage per`, `max limit to request ratio`; the sizes in the job's pod templates against the LimitRanges of the namespace.",
	fix:      limitRangeFix,
	text: logs.Words{
		Title:   "The request is outside the namespace's limits",
		Meaning: "A LimitRange bounds requests and limits of each container.",
		Fix:     "See the bounds. $ kubectl describe limitrange",
	},
	hides: []train.Cause{"no-pods-operator-down"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		s.explainLimitRange(f, cmp.Or(by.captured(0), plain(by.text())))
	},
	find: (*jobContext).limitFindings,
}

func (s *jobContext) explainLimitRange(f *train.Finding, why string) {
	f.Title = "A LimitRange of namespace " + s.job.Ref.Namespace + " forbids the pods: " + why
	f.Explanation = limitRangeMeaning
	f.Next = []train.Step{do(limitRangeFix), look("See what the LimitRange allows.", "kubectl", "describe", "limitranges", "-n", s.job.Ref.Namespace)}
	f.Verify = verifyOf(train.StageAdmission)
}

const (
	limitRangeMeaning = "A LimitRange of the namespace forbids the sizes that the pods ask for."
	limitRangeFix     = "Change requests and limits to what the LimitRange allows, or have it changed."
)
