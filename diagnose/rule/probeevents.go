package rule

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// probeRepeats is how many failures of a probe are more than a start or a hiccup: at
// the default period of ten seconds they take over a minute and a half.
const probeRepeats = 10

// ProbeFailsAgain reports whether an event says that a probe of a container failed
// again and again (kubelet 1.36 pkg/kubelet/prober).
func ProbeFailsAgain(e *corev1.Event) bool {
	return e.Reason == "Unhealthy" && EventCount(e) >= probeRepeats && strings.Contains(e.Message, " probe ")
}

// EventCount returns how often what an event says was seen, at least 1.
func EventCount(e *corev1.Event) int {
	if e.Series != nil {
		return max(int(e.Series.Count), int(e.Count), 1)
	}
	return max(int(e.Count), 1)
}
