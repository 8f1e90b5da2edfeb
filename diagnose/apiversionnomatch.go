package diagnose

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
)

var apiVersionNoMatch = cause{
	id: "api-version-no-match", stage: train.StageAdmission,
	meaning:  "The cluster does not serve this kind in this version: the operator is not installed, or serves another version.",
	evidence: "`no matches for kind \"PyTorchJob\" in version \"kubeflow.org/v1\"`, `the server could not find the requested resource`.",
	fix:      "Install the operator, or use the apiVersion that the cluster serves.",
	text: logs.Words{
		Title:   "The cluster does not know this kind of object",
		Meaning: "Its operator is not installed, or serves another version.",
		Fix:     "See which versions are served. $ kubectl api-resources",
	},

	hides: []train.Cause{"no-pods-operator-down"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("The cluster does not serve %s in version %s", cmp.Or(by.captured(0), "this kind"), cmp.Or(by.captured(1), "asked for"))
		f.Next = []train.Step{look("See what is served.", "kubectl", "api-resources", "--api-group", s.job.Ref.Group), do(s.current.fix)}
	},
	find: (*jobContext).unservedVersion,
}

// unservedVersion: a job of a version that no release of its operator has ever
// served, on which nobody has worked. It is a manifest, or was stored by
// something else: trainer.kubeflow.org/v2alpha1 stands in proposals only.
func (s *jobContext) unservedVersion() []train.Finding {
	if s.top == nil || s.job.Version == "" || len(s.pods) > 0 || len(s.earlier) > 0 || !s.untouched() {
		return nil
	}
	at := slices.IndexFunc(kinds.Jobs(), func(k kinds.Kind) bool { return k.GroupKind == groupKind(s.job.Ref) })
	if at < 0 || slices.Contains(kinds.Jobs()[at].Versions, s.job.Version) {
		return nil
	}
	served := kinds.Jobs()[at].Versions
	f := s.newFinding(s.severityAfter(s.job.Created, startGrace), s.job.Created)
	f.Confidence = train.Likely
	f.Title = fmt.Sprintf("No known release serves %s in version %s/%s", s.job.Ref.Kind, s.job.Ref.Group, s.job.Version)
	f.Explanation = fmt.Sprintf("Releases of its operator serve %s. Nobody has worked on the job.", names(served))
	f.Evidence = []train.Evidence{fieldEvidence(s.job.Ref, "apiVersion", s.job.Ref.Group+"/"+s.job.Version, s.job.Created, -1)}
	f.Next = []train.Step{
		look("See what the cluster serves.", "kubectl", "api-resources", "--api-group", s.job.Ref.Group),
		do(fmt.Sprintf("Write apiVersion: %s/%s and compare the fields with that version.", s.job.Ref.Group, served[0])),
	}
	f.Verify = verifyOf(train.StageAdmission)
	return []train.Finding{f}
}
