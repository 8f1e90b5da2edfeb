package diagnose

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/sources/signatures"
	"github.com/traintop/traintop/train"
)

// deadlineReasons are reasons in the status of a RayJob that exceeded its time
// (KubeRay 1.3 apis/ray/v1 JobFailedReason).
var deadlineReasons = map[string]bool{"DeadlineExceeded": true, "PreRunningDeadlineExceeded": true}

// fromRayJobStatus reads why a RayJob failed from its own status, which
// contains the reason and the last lines of the driver's log: its pods may be
// gone, or run on without it.
func fromRayJobStatus(s *rule.JobContext) []train.Finding {
	if s.Job.Phase != train.Failed && s.Job.Phase != train.Restarting || s.Job.Ref.Kind != "RayJob" || s.Top == nil {
		return nil
	}
	reason, text := rule.SpecText(s.Top, "status", "reason"), rule.SpecText(s.Top, "status", "message")
	if reason == "" && text == "" {
		return nil
	}
	cause, hit := train.Cause("application-error"), train.LogHit{Text: lastLine(text), Rank: -1}
	if deadlineReasons[reason] {
		cause = "active-deadline-exceeded"
	} else if own := rayCauseOf(s, reason, text); own != "" {
		cause = own
	} else if matches := signatures.Find(signatures.InLog, text); len(matches) > 0 && s.Causes.Of(matches[0].Cause) != nil {
		cause = matches[0].Cause
		hit = train.LogHit{Cause: cause, Signature: matches[0].Signature, Captures: matches[0].Captures, Text: lineOf(text, matches[0].Signature), Rank: -1}
	} else if code, known := entrypointCode(text); known {
		cause = rule.CauseOfCode(s, code)
	}
	s.Current = s.Causes.Of(cause)
	f := s.NewFinding(train.SeverityError, s.Job.Finished)
	f.Confidence = train.Likely
	f.Evidence = []train.Evidence{rule.StatusEvidence(s.Job.Ref, "status.message", cmp.Or(hit.Text, reason), s.Job.Finished, -1)}
	if reason != "" {
		f.Evidence = append(f.Evidence, rule.StatusEvidence(s.Job.Ref, "status.reason", reason, s.Job.Finished, -1))
	}
	f.Title = fmt.Sprintf("The Ray job failed (%s): %s", cmp.Or(reason, "no reason is given"), cmp.Or(hit.Text, "its status says no more"))
	if s.Job.Phase == train.Restarting {
		f.Severity = train.SeverityWarning // KubeRay tries it again
		f.Title = fmt.Sprintf("An attempt of the Ray job failed (%s), and it is tried again: %s", cmp.Or(reason, "no reason is given"), cmp.Or(hit.Text, "its status says no more"))
	}
	if rayCauses[cause] {
		f.Title = fmt.Sprintf("%s: %s", s.Current.Title, cmp.Or(hit.Text, reason))
		f.Confidence = train.Certain
	}
	if hit.Cause != "" {
		f.Title = logfindings.Title(&hit, cause, s.Current.Words)
	}
	f.Explanation = s.Current.Meaning
	f.Next = append(s.Current.Advice(), rule.Look("Read the whole status of the Ray job.", rule.Kubectl("describe", s.Job.Ref)...))
	f.Verify = rule.VerifyOf(f.Stage)
	return []train.Finding{f}
}

// endedWith matches the code with which the program of a Ray job ended (Ray 2.x
// dashboard/modules/job/job_supervisor.py).
var endedWith = regexp.MustCompile(`entrypoint command failed with exit code (-?\d{1,3})\b`)

func entrypointCode(text string) (code int, known bool) {
	m := endedWith.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	code, err := strconv.Atoi(m[1])
	return code, err == nil
}

// rayCauses are the causes that only the status of a RayJob contains.
var rayCauses = map[train.Cause]bool{"ray-job-stopped": true, "ray-job-invalid": true, "ray-job-not-started": true}

// rayCauseOf returns the cause that the states and reasons of KubeRay and Ray
// name, "" for an end of the program itself (KubeRay 1.3 apis/ray/v1
// JobFailedReason, JobStatus; Ray 2.x dashboard/modules/job/job_manager.py).
func rayCauseOf(s *rule.JobContext, reason, text string) train.Cause {
	switch {
	case rule.SpecText(s.Top, "status", "jobStatus") == "STOPPED":
		return "ray-job-stopped"
	case reason == "ValidationFailed":
		return "ray-job-invalid"
	case reason == "JobStatusCheckTimeoutExceeded", reason == "SubmissionFailed", strings.HasSuffix(reason, "TransitionGracePeriodExceeded"),
		rule.HasAny(text, "Job supervisor actor could not be scheduled", "Job supervisor actor failed to start"):
		return "ray-job-not-started"
	}
	return ""
}

// lineOf returns the line of a text that a signature matches, the last line
// where it needs several.
func lineOf(text, signature string) string {
	for line := range strings.Lines(text) {
		for _, match := range signatures.Find(signatures.InLog, line) {
			if match.Signature == signature {
				return rule.Plain(strings.TrimSpace(line))
			}
		}
	}
	return lastLine(text)
}

func lastLine(text string) string {
	text = strings.TrimSpace(text)
	return rule.Plain(strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:]))
}
