package diagnose

import (
	"cmp"

	"github.com/traintop/traintop/train"
)

var limitRange = cause{
	id: "limit-range", stage: train.StageAdmission,
	meaning:  "A LimitRange of the namespace forbids the sizes that the pods ask for.",
	evidence: "Event FailedCreate `maximum memory usage per Container is X, but limit is Y`, `minimum ... usage per`, `max limit to request ratio`.",
	fix:      "Change requests and limits to what the LimitRange allows, or have it changed.",
	hides:    []train.Cause{"no-pods-operator-down"},

	told: true,
	explain: func(s *subject, f *train.Finding, by *sign) {
		f.Title = "A LimitRange of namespace " + s.job.Ref.Namespace + " forbids the pods: " + cmp.Or(by.captured(0), plain(by.text()))
		f.Next = []train.Step{do(s.current.fix), look("See what the LimitRange allows.", "kubectl", "describe", "limitranges", "-n", s.job.Ref.Namespace)}
	},
}
