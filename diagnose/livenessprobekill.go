package diagnose

import (
	"fmt"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
	corev1 "k8s.io/api/core/v1"
)

var livenessProbeKill = cause{
	id: "liveness-probe-kill", stage: train.StageProgress,
	meaning:  "The kubelet restarted the container because its liveness or startup probe failed: training that blocks the probe's answer looks dead.",
	evidence: "Event Unhealthy `Liveness probe failed` repeated, then Killing `failed liveness probe, will be restarted`; exit code 137 or 143. One failed probe alone is nothing.",
	fix:      "Use a startupProbe, longer timeouts and more failures, or no liveness probe for training.",
	text: logs.Words{
		Title:   "Restarted by its liveness probe",
		Meaning: "The probe failed, and the kubelet killed the container.",
		Fix:     "Use a startup probe, or give it longer.",
	},
	hides: []train.Cause{"sigterm-received", "sigkill-received", "application-error", "backoff-limit-exceeded", "restart-loop-waste"},

	matchesEnd: func(f *failure) bool { return f.killedByProbe() != nil },
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("%s is restarted by the kubelet: its probe fails", s.ranksOf(f))
		if by.failure == nil {
			return
		}
		if e := by.failure.killedByProbe(); e != nil {
			f.Evidence = append([]train.Evidence{eventEvidence(e, by.failure.rank.Index)}, f.Evidence...)
			f.Confidence = train.Certain
		}
		if e := lastEvent(by.failure.events, "Unhealthy"); e != nil {
			f.Evidence = append(f.Evidence, eventEvidence(e, by.failure.rank.Index))
		}
	},
}

// killedByProbe is the kubelet's word that a probe ended the container. A node
// that drains says Killing too, without a probe.
func (f *failure) killedByProbe() *corev1.Event {
	if f.reason == "OOMKilled" {
		return nil
	}
	return f.event(func(e *corev1.Event) bool {
		return e.Reason == "Killing" && (hasAny(e.Message, "failed liveness probe", "failed startup probe", "it will be killed and re-created"))
	})
}
