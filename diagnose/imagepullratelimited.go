package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var imagePullRateLimited = cause{
	id: "image-pull-rate-limited", stage: train.StageImage,
	meaning:  "The registry, or the kubelet's own limit, allows no more pulls at the moment. It is tried again and often heals.",
	evidence: "`429 Too Many Requests`, `toomanyrequests`, `pull QPS exceeded`.",
	fix:      "Log in to the registry, use a mirror, or wait.",
	text: logs.Words{
		Title:   "The registry limits how often images are pulled",
		Meaning: "Too many pulls from this address or account; it is tried again.",
		Fix:     "Pull with an account, or from a mirror.",
	},
	hides: []train.Cause{"init-container-failing"},

	hasMessages: true,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		image, _ := by.image()
		f.Title = fmt.Sprintf("Pulls of image %s are rate limited", image)
		f.Explanation = s.current.meaning
		f.Next = []train.Step{do("Log in to the registry with imagePullSecrets, or use a mirror of it; it is tried again by itself.")}
		f.Next = append(f.Next, s.imageSteps(f, by)...)
	},
}
