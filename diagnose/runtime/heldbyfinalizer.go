package runtime

import (
	"fmt"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

var heldByFinalizer = rule.Cause{
	ID: "held-by-finalizer", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "A finalizer holds what was deleted",
		Meaning: "The object was deleted long ago and is still there: it goes only when the controllers that its finalizers name have cleaned up, and one of them does not answer. Until then its name is taken, so that no successor can be created.",
		Fix: "See which finalizers are left. $ kubectl describe pods\n" +
			"Look at the controller that the finalizer names: does it run, and what does its log say?\n" +
			"Only where that controller is gone for good, take its finalizer off; what it would have cleaned up stays behind.",
	},
	Hides:    []train.Cause{"sigterm-received", "sigkill-received"},
	Evidence: "metadata.deletionTimestamp older than five minutes with metadata.finalizers left, while no container of the pod runs.",

	Find: func(s *rule.JobContext) []train.Finding {
		var found []train.Finding
		if s.Top != nil && heldLong(s, s.Top) && !podsLeave(s) {
			found = append(found, heldFinding(s, s.Job.Ref, rule.WholeJob, s.Top))
		}
		for _, p := range s.Pods {
			if heldLong(s, p.Pod) && !stillRuns(p.Pod) && p.Rank.State != train.RankLost {
				found = append(found, heldFinding(s, s.Ref(p), rule.RankName(p.Rank), p.Pod, p))
			}
		}
		return found
	},
}

// finalizersTake is how long controllers may take to clean up.
const finalizersTake = 5 * time.Minute

// heldLong reports whether an object was deleted long ago and has finalizers.
func heldLong(s *rule.JobContext, o metav1.Object) bool {
	deleted := o.GetDeletionTimestamp()
	return deleted != nil && len(o.GetFinalizers()) > 0 && s.OlderThan(deleted.Time, finalizersTake)
}

// podsLeave reports whether pods of the job are being deleted, for which its own
// deletion waits.
func podsLeave(s *rule.JobContext) bool {
	return slices.ContainsFunc(s.Pods, func(p *rule.Pod) bool { return p.DeletionTimestamp != nil })
}

func heldFinding(s *rule.JobContext, ref train.Ref, name string, o metav1.Object, pods ...*rule.Pod) train.Finding {
	severity, deleted, left := train.SeverityError, o.GetDeletionTimestamp().Time, o.GetFinalizers()
	if s.Job.Phase.Terminal() || len(pods) == 0 {
		severity = train.SeverityWarning
	}
	f := s.NewFinding(severity, deleted, pods...)
	if len(pods) > 0 {
		name += ": its pod " + ref.Name
	}
	f.Title = fmt.Sprintf("%s was deleted %s ago and is held by %s %s", name, termtext.Duration(s.Now.Sub(deleted)), termtext.Agree(len(left), "finalizer", "finalizers"), strings.Join(left, ", "))
	f.Explanation = s.Current.Meaning
	f.Evidence = []train.Evidence{
		rule.FieldEvidence(ref, "metadata.deletionTimestamp", "deleted, and still there", deleted, -1),
		rule.FieldEvidence(ref, "metadata.finalizers", strings.Join(left, ", "), time.Time{}, -1),
	}
	f.Next = append([]train.Step{rule.Look("See which finalizers are left.", rule.Kubectl("describe", ref)...)}, s.Current.Advice()...)
	f.Verify = "The object is gone, and its successor is created."
	return f
}
