package admission

import (
	"cmp"
	"fmt"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var suspended = rule.Cause{
	ID: "suspended", Stage: train.StageAdmission,
	Words: logfindings.Words{
		Title:   "The job is suspended",
		Meaning: "A person or a controller has suspended the job. It has no pods until it is resumed; pods that its operator has not deleted are counted, with the accelerators that they hold.",
		Fix:     "Resume it by setting suspend to false, if no controller holds it.",
	},
	Evidence: "spec.suspend or spec.runPolicy.suspend is true and no Kueue Workload stands behind it; or its Workload has been Admitted for minutes and nobody has resumed the job.",
	Hides:    []train.Cause{"no-pods-operator-down", "gang-not-ready"},

	Find: func(s *rule.JobContext) []train.Finding {
		if s.Job.Phase != train.Suspended {
			return admittedSuspended(s)
		}
		f := s.NewFinding(train.SeverityInfo, time.Time{})
		f.Title = "The job is suspended"
		path, object := suspendField(s)
		f.Evidence = []train.Evidence{suspendEvidence(s, path)}
		f.Since = suspendedAt(s)
		describePodsOfSuspended(s, &f)
		if object != "" {
			f.Next = append(f.Next, rule.Run("Resume it, if it should run.", rule.Kubectl("patch", s.Job.Ref, "--type=merge", "-p", object)...))
		} else {
			f.Next = append(f.Next, rule.Do("Resume it with the tool that stopped it."))
		}
		f.Verify = cmp.Or(f.Verify, "The job gets its pods.")
		return []train.Finding{f}
	},
}

// suspendGrace is how long an operator may take to delete the pods of a suspended
// job: their grace period is 30 seconds where nobody sets another.
const suspendGrace = 2 * time.Minute

// describePodsOfSuspended describes which pods of a suspended job still run: its
// operator deletes the pods, and may be down.
func describePodsOfSuspended(s *rule.JobContext, f *train.Finding) {
	f.Explanation = "Somebody or a controller has suspended the job: it has no pods and uses nothing until it is resumed."
	pods, ending, _, _ := s.Job.LivePods()
	if pods == 0 {
		if !s.Complete(kinds.PodKind, s.Job.Ref.Namespace) {
			f.Explanation = "Somebody or a controller has suspended the job. Its operator deletes the pods; whether it has is not known, since pods were not read."
		}
		return
	}
	f.Title += ", and " + kinds.LivePodsReason(s.Job)
	f.Verify = "The job has no pods."
	if ending == pods {
		f.Explanation = "Somebody or a controller has suspended the job, and its pods are being deleted."
		return
	}
	f.Explanation = "Somebody or a controller has suspended the job, and an operator deletes the pods of a suspended job. This one has not: it is down or behind, or does not suspend jobs of this kind."
	if s.OlderThan(f.Since, suspendGrace) {
		f.Severity = train.SeverityWarning
	}
	f.Next = append(f.Next, rule.Do("See whether the operator of this kind of job runs, and what its log says of the job."))
}

// resumeGrace is how long Kueue may take to resume a job that it has admitted.
const resumeGrace = 2 * time.Minute

// admittedSuspended finds a job that Kueue has admitted and that is still
// suspended: Kueue resumes it, so its controller has failed to.
func admittedSuspended(s *rule.JobContext) []train.Finding {
	path, _ := suspendField(s)
	workload := s.NewestBelow(rule.WorkloadKind)
	if s.Job.Phase != train.Pending || path == "status" || workload == nil || s.Job.Queue == nil || !s.Job.Queue.Admitted {
		return nil
	}
	if kinds.ManagerOf(s.Top) != "" || rule.SpecText(workload, "status", "clusterName") != "" {
		return nil // it runs in another cluster
	}
	admitted, found := rule.ConditionOf(workload, "Admitted")
	if !found || !admitted.Holds || !s.OlderThan(admitted.At, resumeGrace) {
		return nil
	}
	f := s.NewFinding(train.SeverityError, admitted.At)
	f.Title = fmt.Sprintf("Kueue admitted the job %s ago, and it is still suspended", termtext.Duration(s.Now.Sub(admitted.At)))
	f.Explanation = "Kueue resumes a job when it admits its Workload. The Workload is admitted and holds its quota, and the job does not run: Kueue's controller does not work on jobs of this kind, or cannot change the job."
	ref := kinds.RefOf(rule.WorkloadKind, workload)
	f.Evidence = []train.Evidence{
		rule.StatusEvidence(ref, "status.conditions[Admitted]", "True: "+admitted.Message, admitted.At, -1),
		suspendEvidence(s, path),
	}
	f.Next = []train.Step{
		rule.Look("See what Kueue says of the Workload and the job.", rule.Kubectl("describe", ref)...),
		rule.Do("Read the log of the kueue-controller-manager about this job: the integration of its kind may be switched off, or a webhook or missing rights keep Kueue from changing it."),
	}
	f.Verify = "The job gets its pods."
	return []train.Finding{f}
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
