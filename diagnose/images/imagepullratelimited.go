package images

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var imagePullRateLimited = rule.Cause{
	ID: "image-pull-rate-limited", Stage: train.StageImage,
	Words: logfindings.Words{
		Title:   "The registry limits how often images are pulled",
		Meaning: "The registry, or the kubelet's own limit, allows no more pulls from this address or account at the moment. The kubelet tries again and often succeeds.",
		Fix:     "Pull with an account, use a mirror, or wait.",
	},
	Evidence: "`429 Too Many Requests`, `toomanyrequests`, `pull QPS exceeded`.",
	Hides:    []train.Cause{"init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		image, _ := match.Image()
		f.Title = fmt.Sprintf("Pulls of image %s are rate limited", image)
		f.Explanation = s.Current.Meaning
		f.Next = []train.Step{rule.Do("Log in to the registry with imagePullSecrets, or use a mirror of it; it is tried again by itself.")}
		f.Next = append(f.Next, s.ImageSteps(f, match)...)
	},
}
