package admission

import (
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var suspended = rule.Cause{
	ID: "suspended", Stage: train.StageAdmission,
	Words: logfindings.Words{
		Title:   "The job is suspended",
		Meaning: "A person or a controller has suspended the job. It has no pods until it is resumed.",
		Fix:     "Resume it by setting suspend to false, if no controller holds it.",
	},
	Evidence: "spec.suspend or spec.runPolicy.suspend is true and no Kueue Workload stands behind it.",
	Hides:    []train.Cause{"no-pods-operator-down", "gang-not-ready"},

	Find: func(s *rule.JobContext) []train.Finding {
		if s.Job.Phase != train.Suspended {
			return nil
		}
		f := s.NewFinding(train.SeverityInfo, time.Time{})
		f.Title = "The job is suspended"
		f.Explanation = "Somebody or a controller has suspended the job: it has no pods and uses nothing until it is resumed."
		path, object := suspendField(s)
		f.Evidence = []train.Evidence{suspendEvidence(s, path)}
		f.Since = suspendedAt(s)
		if object != "" {
			f.Next = []train.Step{rule.Run("Resume it, if it should run.", rule.Kubectl("patch", s.Job.Ref, "--type=merge", "-p", object)...)}
		} else {
			f.Next = []train.Step{rule.Do("Resume it with the tool that stopped it.")}
		}
		f.Verify = "The job gets its pods."
		return []train.Finding{f}
	},
}

// suspendField returns the field that suspends the job, and the patch that
// resumes it; "" where no patch does.
func suspendField(s *rule.JobContext) (path, patch string) {
	switch {
	case rule.SpecFlag(s.Top, "spec", "runPolicy", "suspend"):
		return "spec.runPolicy.suspend", `{"spec":{"runPolicy":{"suspend":false}}}`
	case rule.SpecFlag(s.Top, "spec", "suspend"):
		return "spec.suspend", `{"spec":{"suspend":false}}`
	}
	return "status", ""
}

// suspendEvidence returns the field that suspends the job, or the state that
// its controller reports.
func suspendEvidence(s *rule.JobContext, path string) train.Evidence {
	if phase := rule.SpecText(s.Top, "status", "state", "phase"); path == "status" && phase != "" {
		return rule.StatusEvidence(s.Job.Ref, "status.state.phase", phase, s.Job.Created, -1)
	}
	return rule.FieldEvidence(s.Job.Ref, path, "true", s.Job.Created, -1)
}

func suspendedAt(s *rule.JobContext) time.Time {
	if c, found := rule.ConditionOf(s.Top, "Suspended"); found && c.Holds {
		return c.At
	}
	return time.Time{}
}
