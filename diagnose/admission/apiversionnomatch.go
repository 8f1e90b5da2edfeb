package admission

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var apiVersionNoMatch = rule.Cause{
	ID: "api-version-no-match", Stage: train.StageAdmission,
	Words: logfindings.Words{
		Title:   "The cluster does not serve this kind of object",
		Meaning: "The cluster does not serve this kind in this version: its operator is not installed, or serves another version.",
		Fix: "See which versions the cluster serves. $ kubectl api-resources\n" +
			"Install the operator, or use an apiVersion that the cluster serves.",
	},
	Evidence: "`no matches for kind \"PyTorchJob\" in version \"kubeflow.org/v1\"`, `the server could not find the requested resource`.",

	Hides: []train.Cause{"no-pods-operator-down"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("The cluster does not serve %s in version %s", cmp.Or(match.CaptureFrom(0), "this kind"), cmp.Or(match.CaptureFrom(1), "asked for"))
		f.Next = append([]train.Step{rule.Look("See what is served.", "kubectl", "api-resources", "--api-group", s.Job.Ref.Group)}, s.Current.Advice()...)
	},
	Find: unservedVersion,
}

// unservedVersion finds a job of a version that no release of its operator has
// ever served and that no controller has worked on. It comes from a manifest,
// or something else stored it: trainer.kubeflow.org/v2alpha1 exists only in
// proposals.
func unservedVersion(s *rule.JobContext) []train.Finding {
	if s.Top == nil || s.Job.Version == "" || len(s.Pods) > 0 || len(s.Earlier) > 0 || !untouched(s) {
		return nil
	}
	at := slices.IndexFunc(kinds.Jobs(), func(k kinds.Kind) bool { return k.GroupKind == rule.GroupKind(s.Job.Ref) })
	if at < 0 || slices.Contains(kinds.Jobs()[at].Versions, s.Job.Version) {
		return nil
	}
	served := kinds.Jobs()[at].Versions
	f := s.NewFinding(s.SeverityAfter(s.Job.Created, rule.StartGrace), s.Job.Created)
	f.Confidence = train.Likely
	f.Title = fmt.Sprintf("No known release serves %s in version %s/%s", s.Job.Ref.Kind, s.Job.Ref.Group, s.Job.Version)
	f.Explanation = fmt.Sprintf("Releases of its operator serve %s. Nobody has worked on the job.", rule.Names(served))
	f.Evidence = []train.Evidence{rule.FieldEvidence(s.Job.Ref, "apiVersion", s.Job.Ref.Group+"/"+s.Job.Version, s.Job.Created, -1)}
	f.Next = []train.Step{
		rule.Look("See what the cluster serves.", "kubectl", "api-resources", "--api-group", s.Job.Ref.Group),
		rule.Do(fmt.Sprintf("Write apiVersion: %s/%s and compare the fields with that version.", s.Job.Ref.Group, served[0])),
	}
	f.Verify = rule.VerifyOf(train.StageAdmission)
	return []train.Finding{f}
}
