package diagnose

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
	corev1 "k8s.io/api/core/v1"
)

var slowImagePull = cause{
	id: "slow-image-pull", stage: train.StageImage,
	meaning:  "A large image is still being pulled. That is no failure, only slow.",
	evidence: "Event Pulling and nothing after it for minutes; `Successfully pulled image \"X\" in 6m3s` when it is done.",
	fix:      "Use a smaller image, or pull it onto the nodes beforehand.",
	text: logs.Words{
		Title:   "The image takes long to pull",
		Meaning: "A large image; not a failure.",
		Fix:     "Pull it in advance, or make it smaller.",
	},

	find: func(s *jobContext) []train.Finding {
		slow, pulling := s.slowPulls()
		if len(slow) == 0 {
			return nil
		}
		since := kinds.EventTime(pulling)
		severity := train.SeverityInfo
		if s.olderThan(since, 5*slowPull) {
			severity = train.SeverityWarning
		}
		f := s.newFinding(severity, since, slow...)
		f.Title = fmt.Sprintf("Image %s is still being pulled", between(pulling.Message, `"`, `"`))
		f.Explanation = "Nothing failed: the image is large or the way to the registry slow. Nodes pull one image after another by preset."
		f.Evidence = []train.Evidence{eventEvidence(pulling, rankOf(slow[0]))}
		f.Next = []train.Step{do("Wait; if it takes long each time, use a smaller image or pull it onto the nodes beforehand."), look("See how far the pod is.", kubectl("describe", s.ref(slow[0]))...)}
		f.Verify = verifyOf(train.StageImage)
		return []train.Finding{f}
	},
}

// slowPull is how long a pull may take before anybody is told: images of
// 10 to 20 GB take one to two minutes from a registry nearby.
const slowPull = 2 * time.Minute

// slowPulls are the pods whose image has been on its way for long, and the
// earliest event of it.
func (s *jobContext) slowPulls() (slow []*pod, first *corev1.Event) {
	for _, p := range s.pods {
		if p.rank.State != train.RankStarting || s.job.Phase.Terminal() {
			continue
		}
		e := lastEvent(s.podEvents(p), "Pulling", "Pulled", "Failed", "Created", "Started")
		if e == nil || e.Reason != "Pulling" || !s.olderThan(kinds.EventTime(e), slowPull) {
			continue
		}
		slow = append(slow, p)
		if first == nil || kinds.EventTime(e).Before(kinds.EventTime(first)) {
			first = e
		}
	}
	return slow, first
}
