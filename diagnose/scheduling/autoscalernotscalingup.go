package scheduling

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

var autoscalerNotScalingUp = rule.Cause{
	ID: "autoscaler-not-scaling-up", Stage: train.StageSchedule,
	Words: logfindings.Words{
		Title:   "The autoscaler adds no node",
		Meaning: "The cluster's autoscaler sees the waiting pods and adds no node: no node group may grow, no node type would fit, or the cloud refused.",
		Fix:     "Raise the maximum of the node group, give its template the labels and GPUs, or ask the cloud for quota.",
	},
	Evidence: "Event NotTriggerScaleUp `pod didn't trigger scale-up: ... max node group size reached`; Karpenter's FailedScheduling `no instance type satisfied resources`. A later TriggeredScaleUp heals it.",

	Find: func(s *rule.JobContext) []train.Finding {
		for i := range Unplaced(s) {
			g := &Unplaced(s)[i]
			for _, p := range g.Pods[:min(3, len(g.Pods))] {
				e := rule.LastEvent(s.PodEvents(p), "NotTriggerScaleUp", "TriggeredScaleUp", "Nominated", "NoCompatibleInstanceTypes")
				if e == nil {
					e = karpenterRefusal(s.PodEvents(p))
				}
				if e == nil || e.Reason == "TriggeredScaleUp" || e.Reason == "Nominated" || isOutdated(s, e, p) {
					continue
				}
				severity := s.SeverityAfter(g.Since, 5*time.Minute)
				if g.Cause != "" { // why no node takes the pod comes first; more nodes would be one way out
					severity = train.SeverityWarning
				}
				f := s.NewFinding(severity, g.Since, g.Pods...)
				f.Title = fmt.Sprintf("The autoscaler adds no node for %s: %s", rule.RankNames(g.Pods), afterColon(e.Message))
				f.Explanation = s.Current.Meaning
				f.Evidence = []train.Evidence{rule.EventEvidence(e, rule.RankOf(p))}
				f.Next = append(s.Current.Advice(), rule.Look("See what the autoscaler says.", rule.Kubectl("describe", s.Ref(p))...))
				f.Verify = "An event TriggeredScaleUp follows, and a new node appears."
				return []train.Finding{f}
			}
		}
		return nil
	},
}

// repeatsWithin is how long an autoscaler's message is valid without being
// repeated: it checks every ten seconds (cluster-autoscaler --scan-interval),
// and its events are counted up for as long as they hold.
const repeatsWithin = 10 * time.Minute

// provisionTime is how long the autoscaler waits for a node that it asked for
// (cluster-autoscaler --max-node-provision-time).
const provisionTime = 15 * time.Minute

// explainComingNode explains that an autoscaler adds a node for the pods, which
// then wait for it and not for others to end.
func explainComingNode(s *rule.JobContext, g *rule.Placement, f *train.Finding) {
	if !nodeComes(s, g) {
		return
	}
	e := rule.LastEvent(s.PodEvents(g.Pods[0]), "TriggeredScaleUp", "Nominated")
	at := kinds.EventTime(e)
	if s.OlderThan(at, provisionTime) {
		return
	}
	f.Severity = train.SeverityWarning
	f.Title = fmt.Sprintf("%s (%s) %s for a node that the autoscaler began to add at %s (UTC): %s", termtext.Count(len(g.Pods), "pod"), rule.RankNames(g.Pods),
		termtext.Agree(len(g.Pods), "waits", "wait"), at.UTC().Format("15:04:05"), rule.Plain(afterColon(e.Message)))
	f.Explanation = "No node that is there takes the pod now. A new one takes minutes until it is ready; where the cloud has none, the autoscaler gives up after a quarter of an hour."
	f.Evidence = append(f.Evidence, rule.EventEvidence(e, rule.RankOf(g.Pods[0])))
	f.Next = []train.Step{
		rule.Look("See what the autoscaler and the scheduler say of the pod.", "kubectl", "events", "-n", g.Pods[0].Namespace, "--for", "pod/"+g.Pods[0].Name),
		rule.Look("See whether the node comes.", "kubectl", "get", "nodes", "--sort-by", ".metadata.creationTimestamp"),
	}
}

// isOutdated reports whether the scheduler's newest message is later than an
// autoscaler's message.
func isOutdated(s *rule.JobContext, e *corev1.Event, p *rule.Pod) bool {
	newest := rule.LastEvent(s.PodEvents(p), "FailedScheduling")
	return newest != nil && newest != e && kinds.EventTime(newest).Sub(kinds.EventTime(e)) > repeatsWithin
}

// karpenterRefusal returns Karpenter's event that no node type fits; it uses
// the scheduler's reason (karpenter 0.3x, 1.x).
func karpenterRefusal(events []*corev1.Event) *corev1.Event {
	for i := len(events) - 1; i >= 0; i-- {
		if e := events[i]; e.Reason == "FailedScheduling" && (e.Source.Component == "karpenter" || e.ReportingController == "karpenter") {
			return e
		}
	}
	return nil
}

func afterColon(text string) string {
	if _, rest, found := strings.Cut(text, ": "); found {
		return rest
	}
	return text
}
