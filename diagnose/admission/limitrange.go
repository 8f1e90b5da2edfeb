package admission

import (
	"cmp"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var limitRange = rule.Cause{
	ID: "limit-range", Stage: train.StageAdmission,
	Words: logfindings.Words{
		Title:   "The request is outside the namespace's limits",
		Meaning: "A LimitRange of the namespace bounds the requests and limits of each container, and the pods ask for more or less than it allows.",
		Fix: "See the bounds. $ kubectl describe limitrange\n" +
			"Change requests and limits to what the LimitRange allows, or have it changed.",
	},
	Evidence: "Event FailedCreate `maximum memory usage per Container is X, but limit is Y`, `minimum ... usage per`, `max limit to request ratio`; the sizes in the job's pod templates against the LimitRanges of the namespace.",
	Hides:    []train.Cause{"no-pods-operator-down"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		explainLimitRange(s, f, cmp.Or(match.CaptureFrom(0), rule.Plain(match.Text())))
	},
	Find: limitFindings,
}

func explainLimitRange(s *rule.JobContext, f *train.Finding, why string) {
	f.Title = "A LimitRange of namespace " + s.Job.Ref.Namespace + " forbids the pods: " + why
	f.Explanation = s.Current.Meaning
	f.Next = append(s.Current.Advice(), rule.Look("See what the LimitRange allows.", "kubectl", "describe", "limitranges", "-n", s.Job.Ref.Namespace))
	f.Verify = rule.VerifyOf(train.StageAdmission)
}
