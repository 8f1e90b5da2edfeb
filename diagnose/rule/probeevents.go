package rule

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/train/kinds"
)

// probeRepeats is how many failures of a probe are more than a start or a hiccup: at
// the default period of ten seconds they take over a minute and a half.
const probeRepeats = 10

// ProbeFailsAgain reports whether an event states that a probe of a container
// failed again and again (kubelet 1.36 pkg/kubelet/prober).
func ProbeFailsAgain(e *corev1.Event) bool {
	return e.Reason == "Unhealthy" && kinds.EventCount(e) >= probeRepeats && strings.Contains(e.Message, " probe ")
}
