package diagnose

import (
	"fmt"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose/logs"
	"github.com/traintop/traintop/train"
)

var admissionWebhookDown = cause{
	id: "admission-webhook-down", stage: train.StageAdmission,
	meaning:  "A webhook that the API server has to ask does not answer, so nothing that it watches over can be created. The webhook is broken, not the job.",
	evidence: "`failed calling webhook \"w\": ... connection refused / no endpoints available for service / context deadline exceeded / x509`. Before anybody has asked: a webhook with failurePolicy Fail that watches over what the job still lacks, and a Service behind it that does not exist or has no ready pod.",
	fix:      "Restart the webhook's pods: often the training operator's or Kueue's own.",
	text: logs.Words{
		Title:   "An admission webhook does not answer",
		Meaning: "The webhook that has to agree is down; the job is not at fault.",
		Fix:     "Look at the webhook's service and pods. $ kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations",
	},
	hides: []train.Cause{"no-pods-operator-down"},

	hasMessages: true,
	find:        (*jobContext).brokenWebhooks,
	explain: func(s *jobContext, f *train.Finding, by *match) {
		f.Title = fmt.Sprintf("The webhook %s does not answer, so the pods cannot be created", by.captured(0))
		f.Evidence = append(f.Evidence, s.brokenService(by.text())...)
		f.Next = []train.Step{
			do("Restart the pods behind the webhook, or repair its certificate; its name says whose it is."),
			look("See the webhooks and their services.", "kubectl", "get", "validatingwebhookconfigurations,mutatingwebhookconfigurations"),
		}
	},
}

// brokenService is the service that a webhook's address names, if it is known.
func (s *jobContext) brokenService(text string) []train.Evidence {
	host := between(text, "https://", ".svc")
	name, namespace, found := strings.Cut(host, ".")
	if !found {
		return nil
	}
	ref := coreRef("Service", namespace, name)
	if _, presence := s.lookUp(serviceKind, namespace, name); presence == train.Absent {
		return []train.Evidence{fieldEvidence(ref, "", "the service does not exist", time.Time{}, -1)}
	}
	return []train.Evidence{fieldEvidence(ref, "", "the service that the webhook is called through", time.Time{}, -1)}
}
