package images

import (
	"fmt"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	corev1 "k8s.io/api/core/v1"
)

var slowImagePull = rule.Cause{
	ID: "slow-image-pull", Stage: train.StageImage,
	Words: logfindings.Words{
		Title:   "The image takes long to pull",
		Meaning: "The node is still pulling a large image. That is not a failure, only slow.",
		Fix:     "Pull the image onto the nodes beforehand, or use a smaller one.",
	},
	Evidence: "Event Pulling and nothing after it for minutes; `Successfully pulled image \"X\" in 6m3s` when it is done.",

	Find: func(s *rule.JobContext) []train.Finding {
		slow, pulling := slowPulls(s)
		if len(slow) == 0 {
			return nil
		}
		since := kinds.EventTime(pulling)
		severity := train.SeverityInfo
		if s.OlderThan(since, 5*slowPull) {
			severity = train.SeverityWarning
		}
		f := s.NewFinding(severity, since, slow...)
		f.Title = fmt.Sprintf("Image %s is still being pulled", rule.Between(pulling.Message, `"`, `"`))
		f.Explanation = "Nothing failed: the image is large or the way to the registry slow. Nodes pull one image after another by preset."
		f.Evidence = []train.Evidence{rule.EventEvidence(pulling, rule.RankOf(slow[0]))}
		f.Next = []train.Step{rule.Do("Wait; if it takes long each time, use a smaller image or pull it onto the nodes beforehand."), rule.Look("See how far the pod is.", rule.Kubectl("describe", s.Ref(slow[0]))...)}
		f.Verify = rule.VerifyOf(train.StageImage)
		return []train.Finding{f}
	},
}

// slowPull is how long a pull may take without a finding: images of 10 to 20
// GB take one to two minutes from a registry nearby.
const slowPull = 2 * time.Minute

// slowPulls returns the pods whose image has been pulled for long, and its
// earliest event.
func slowPulls(s *rule.JobContext) (slow []*rule.Pod, first *corev1.Event) {
	for _, p := range s.Pods {
		if p.Rank.State != train.RankStarting || s.Job.Phase.Terminal() {
			continue
		}
		e := rule.LastEvent(s.PodEvents(p), "Pulling", "Pulled", "Failed", "Created", "Started")
		if e == nil || e.Reason != "Pulling" || !s.OlderThan(kinds.EventTime(e), slowPull) {
			continue
		}
		slow = append(slow, p)
		if first == nil || kinds.EventTime(e).Before(kinds.EventTime(first)) {
			first = e
		}
	}
	return slow, first
}
