package images

import (
	"fmt"
	"strings"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var imageNotFound = rule.Cause{
	ID: "image-not-found", Stage: train.StageImage,
	Words: logfindings.Words{
		Title:   "The image does not exist",
		Meaning: "The registry answers, but has no image of this name, tag or digest.",
		Fix:     "Correct the image's name, tag or digest, or push the image.",
	},
	Evidence: "`manifest unknown`, `failed to resolve reference ...: not found`. ErrImagePull or ImagePullBackOff alone says only that the pull failed: possible.",
	Hides:    []train.Cause{"init-container-failing"},

	FromMessages: true,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		image, _ := match.Image()
		if !saysAbsent(s, match) {
			explainUnknownPull(s, f, match, image)
			return
		}
		f.Title = fmt.Sprintf("Image %s does not exist", image)
		f.Explanation = s.Current.Meaning
		f.Next = []train.Step{rule.Do(fmt.Sprintf("Correct the image or its tag in the job, or push %s.", image))}
		f.Next = append(f.Next, s.ImageSteps(f, match)...)
	},
}

// saysAbsent reports whether a registry or runtime answers that the image does not
// exist: in this message, or in another one of the job.
func saysAbsent(s *rule.JobContext, match *rule.Match) bool {
	if match == nil || match.Message == nil || namesAbsence(match.Message) {
		return true
	}
	messages := s.StartMessages()
	for i := range messages {
		if namesAbsence(&messages[i]) {
			return true
		}
	}
	return false
}

func namesAbsence(m *rule.Message) bool {
	found := m.Classify()
	return found != nil && found.Cause == "image-not-found" && !found.Symptom
}

// explainUnknownPull completes the finding of a pull that failed for a reason
// that no message names.
func explainUnknownPull(s *rule.JobContext, f *train.Finding, match *rule.Match, image string) {
	f.Confidence = train.Possible
	if why := pullError(match.Message); why != "" {
		f.Title = fmt.Sprintf("Image %s cannot be pulled: %s", image, rule.Plain(why))
		f.Explanation = "The kubelet cannot pull the image or read what it pulled. The message does not say that the image is missing."
	} else {
		f.Title = fmt.Sprintf("Image %s cannot be pulled; why is not known", image)
		f.Explanation = "The kubelet waits before it pulls again, and no event with the registry's answer was read. The image may be missing, credentials may be wrong, or the registry may be out of reach."
	}
	f.Next = []train.Step{rule.Do("Read the pod's newest event Failed: it quotes the registry's answer, and each attempt writes it again.")}
	f.Next = append(f.Next, s.ImageSteps(f, match)...)
}

// pullError returns what a message reports about a failed pull beyond the fact
// that it failed, "" for nothing.
func pullError(m *rule.Message) string {
	text := strings.TrimPrefix(m.Text, "Error: ")
	if rest, is := strings.CutPrefix(text, `Back-off pulling image "`); is {
		_, text, _ = strings.Cut(rest, `"`)
	}
	text = strings.TrimPrefix(strings.TrimPrefix(text, ": "), "ErrImagePull: ")
	switch {
	case text == "ErrImagePull", text == "ImagePullBackOff":
		text = ""
	case m.Reason == "SignatureValidationFailed":
		text = strings.TrimSuffix(m.Reason+": "+text, ": ")
	}
	return text
}
