package runtime

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
	corev1 "k8s.io/api/core/v1"
)

var livenessProbeKill = rule.Cause{
	ID: "liveness-probe-kill", Stage: train.StageProgress,
	Words: logfindings.Words{
		Title:   "Restarted by its liveness probe",
		Meaning: "The kubelet killed and restarted the container because its liveness or startup probe failed. Training that blocks the probe's answer looks dead.",
		Fix:     "Use a startupProbe, longer timeouts and more failures, or no liveness probe for training.",
	},
	Evidence: "Event Unhealthy `Liveness probe failed` repeated, then Killing `failed liveness probe, will be restarted`; exit code 137 or 143. Of a container that runs, the first event at least ten times, the newest within ten minutes. One failed probe alone is nothing.",
	Hides:    []train.Cause{"sigterm-received", "sigkill-received", "application-error", "backoff-limit-exceeded", "restart-loop-waste"},

	Find: func(s *rule.JobContext) []train.Finding {
		if s.Job.Phase.Terminal() {
			return nil
		}
		var found []train.Finding
		for _, p := range s.Pods {
			if f, is := nearKill(s, p); is {
				found = append(found, f)
			}
		}
		return found
	},
	MatchesEnd: func(f *rule.Failure) bool { return killedByProbe(f) != nil },
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("%s was killed by the kubelet: its liveness or startup probe failed", s.RanksOf(f))
		if match.Failure == nil {
			return
		}
		if e := killedByProbe(match.Failure); e != nil {
			f.Title = fmt.Sprintf("%s was killed by the kubelet: its %s probe failed%s", s.RanksOf(f), probeOf(e), exitOf(match.Failure))
			f.Evidence = append([]train.Evidence{rule.EventEvidence(e, match.Failure.Rank.Index)}, f.Evidence...)
			f.Confidence = train.Certain
		}
		if e := rule.LastEvent(match.Failure.Events, "Unhealthy"); e != nil {
			f.Evidence = append(f.Evidence, rule.EventEvidence(e, match.Failure.Rank.Index))
		}
	},
}

// probeOf returns which probe an event blames.
func probeOf(e *corev1.Event) string {
	switch {
	case rule.HasAny(e.Message, "startup probe", "Startup probe"):
		return "startup"
	case rule.HasAny(e.Message, "liveness probe", "Liveness probe"):
		return "liveness"
	}
	return "liveness or startup"
}

// exitOf returns " (exit code 137)".
func exitOf(f *rule.Failure) string {
	if f.Code <= 0 {
		return ""
	}
	return fmt.Sprintf(" (exit code %d)", f.Code)
}

// killedByProbe returns the kubelet's event that a probe ended the container.
// A node that drains writes Killing too, without a probe.
func killedByProbe(f *rule.Failure) *corev1.Event {
	if f.Reason == "OOMKilled" {
		return nil
	}
	return f.Event(func(e *corev1.Event) bool {
		return e.Reason == "Killing" && (rule.HasAny(e.Message, "failed liveness probe", "failed startup probe", "it will be killed and re-created"))
	})
}
