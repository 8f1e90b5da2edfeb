package diagnose

import (
	"time"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var suspended = cause{
	id: "suspended", stage: train.StageAdmission,
	meaning:  "Somebody or a controller has suspended the job. It has no pods until it is resumed.",
	evidence: "spec.suspend or spec.runPolicy.suspend is true and no Kueue Workload stands behind it.",
	fix:      "Resume it.",
	text: logs.Words{
		Title:   "The job is suspended",
		Meaning: "A person or a controller paused it; no pods are made.",
		Fix:     "Resume it by setting suspend to false, if nothing else holds it.",
	},
	hides: []train.Cause{"no-pods-operator-down", "gang-not-ready"},

	find: func(s *jobContext) []train.Finding {
		if s.job.Phase != train.Suspended {
			return nil
		}
		f := s.newFinding(train.SeverityInfo, time.Time{})
		f.Title = "The job is suspended"
		f.Explanation = "Somebody or a controller has suspended the job: it has no pods and uses nothing until it is resumed."
		path, object := s.suspendField()
		f.Evidence = []train.Evidence{fieldEvidence(s.job.Ref, path, "true", s.job.Created, -1)}
		f.Since = s.suspendedAt()
		if object != "" {
			f.Next = []train.Step{run("Resume it, if it should run.", kubectl("patch", s.job.Ref, "--type=merge", "-p", object)...)}
		} else {
			f.Next = []train.Step{do("Resume it with the tool that stopped it.")}
		}
		f.Verify = "The job gets its pods."
		return []train.Finding{f}
	},
}

// suspendField is where the job says that it is suspended, and the patch that
// resumes it; "" where no patch does.
func (s *jobContext) suspendField() (path, patch string) {
	switch {
	case specFlag(s.top, "spec", "runPolicy", "suspend"):
		return "spec.runPolicy.suspend", `{"spec":{"runPolicy":{"suspend":false}}}`
	case specFlag(s.top, "spec", "suspend"):
		return "spec.suspend", `{"spec":{"suspend":false}}`
	}
	return "status", ""
}

func (s *jobContext) suspendedAt() time.Time {
	if c, found := conditionOf(s.top, "Suspended"); found && c.holds {
		return c.at
	}
	return time.Time{}
}
