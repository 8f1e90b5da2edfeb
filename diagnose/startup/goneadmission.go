package startup

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/diagnose/scheduling"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// goneRejected finds pods of the job that no longer exist and that a kubelet did
// not admit for one of some reasons: controllers delete such pods, and only
// their events are left.
func goneRejected(s *rule.JobContext, why func(reason string) string) []train.Finding {
	if s.Job.Phase.Terminal() && s.Job.Phase != train.Failed || s.Job.Phase == train.Running && s.Job.Ready >= s.Job.Wanted {
		return nil
	}
	for _, name := range slices.Backward(scheduling.GoneMates(s)) {
		events := s.EventsFor(train.PodRef(s.Job.Ref.Namespace, name, ""))
		at := slices.IndexFunc(events, func(e *corev1.Event) bool { return e.Type != corev1.EventTypeNormal && why(e.Reason) != "" })
		if at >= 0 {
			return []train.Finding{goneFinding(s, name, events, events[at], why(events[at].Reason))}
		}
	}
	return nil
}

func goneFinding(s *rule.JobContext, name string, events []*corev1.Event, e *corev1.Event, why string) train.Finding {
	severity := train.SeverityWarning // another pod took its place
	if s.Job.Phase == train.Failed || slices.ContainsFunc(s.Job.Ranks, func(r train.Rank) bool { return r.State == train.RankMissing }) {
		severity = train.SeverityError
	}
	f := s.NewFinding(severity, kinds.EventTime(e))
	f.Evidence = []train.Evidence{rule.EventEvidence(e, -1)}
	node := "The node"
	if scheduled := rule.LastEvent(events, "Scheduled"); scheduled != nil {
		_, on, _ := strings.Cut(scheduled.Message, " to ")
		node = "Node " + rule.Plain(on)
		f.Evidence = append(f.Evidence, rule.EventEvidence(scheduled, -1))
		f.Next = append(f.Next, rule.Look("See what the node has and which pods hold it.", "kubectl", "describe", "node", on))
	}
	f.Title = fmt.Sprintf("%s rejected pod %s: %s", node, rule.Plain(name), why)
	f.Explanation = s.Current.Meaning + " The pod is gone since; its events are left."
	f.Next = append(f.Next, s.Current.Advice()...)
	if help := rejections[e.Reason].help; help != "" {
		f.Next = append([]train.Step{rule.Do(help)}, f.Next...)
	}
	f.Verify = rule.VerifyOf(f.Stage)
	return f
}
