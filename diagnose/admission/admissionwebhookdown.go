package admission

import (
	"fmt"
	"strings"
	"time"

	"github.com/traintop/traintop/diagnose/logfindings"
	"github.com/traintop/traintop/diagnose/rule"
	"github.com/traintop/traintop/train"
)

var admissionWebhookDown = rule.Cause{
	ID: "admission-webhook-down", Stage: train.StageAdmission,
	Words: logfindings.Words{
		Title:   "An admission webhook does not answer",
		Meaning: "The API server asks a webhook before it creates objects, and this webhook does not answer, so nothing that it checks can be created. The webhook is broken, not the job.",
		Fix: "Look at the webhooks, and at the Services and pods behind them. $ kubectl get validatingwebhookconfigurations,mutatingwebhookconfigurations\n" +
			"Restart the webhook's pods: often those of the training operator or of Kueue.",
	},
	Evidence: "`failed calling webhook \"w\": ... connection refused / no endpoints available for service / context deadline exceeded / x509`. Before anybody has asked: a webhook with failurePolicy Fail that watches over what the job still lacks, and a Service behind it that does not exist or has no ready pod.",
	Hides:    []train.Cause{"no-pods-operator-down"},

	FromMessages: true,
	Find:         brokenWebhooks,
	Explain: func(s *rule.JobContext, f *train.Finding, match *rule.Match) {
		f.Title = fmt.Sprintf("The webhook %s does not answer, so the pods cannot be created", match.CaptureFrom(0))
		f.Evidence = append(f.Evidence, brokenService(s, match.Text())...)
		f.Next = []train.Step{
			rule.Do("Restart the pods behind the webhook, or repair its certificate; its name says whose it is."),
			rule.Look("See the webhooks and their services.", "kubectl", "get", "validatingwebhookconfigurations,mutatingwebhookconfigurations"),
		}
	},
}

// brokenService returns evidence about the service in a webhook's address, if
// it is known.
func brokenService(s *rule.JobContext, text string) []train.Evidence {
	host := rule.Between(text, "https://", ".svc")
	name, namespace, found := strings.Cut(host, ".")
	if !found {
		return nil
	}
	ref := rule.CoreRef("Service", namespace, name)
	if _, presence := s.LookUp(rule.ServiceKind, namespace, name); presence == train.Absent {
		return []train.Evidence{rule.FieldEvidence(ref, "", "the service does not exist", time.Time{}, -1)}
	}
	return []train.Evidence{rule.FieldEvidence(ref, "", "the service that the webhook is called through", time.Time{}, -1)}
}
