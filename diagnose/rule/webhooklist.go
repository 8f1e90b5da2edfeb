package rule

import (
	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// Webhook is one webhook of a configuration. Both kinds have the fields read
// here under the same names.
type Webhook struct {
	admissionv1.ValidatingWebhook
	Configuration train.Ref
}

// Webhooks returns those of all configurations; the answer depends on these
// objects.
func (s *JobContext) Webhooks() []Webhook {
	mutating, validating := s.ListObjects(MutatingWebhooksKind, ""), s.ListObjects(ValidatingWebhooksKind, "")
	if s.allWebhooks == nil {
		all := append(webhooksIn(MutatingWebhooksKind, mutating), webhooksIn(ValidatingWebhooksKind, validating)...)
		s.allWebhooks = &all
	}
	return *s.allWebhooks
}

func webhooksIn(kind schema.GroupKind, configurations []kinds.Object) []Webhook {
	var list []Webhook
	for _, o := range configurations {
		var read struct {
			Webhooks []admissionv1.ValidatingWebhook `json:"webhooks"`
		}
		u, is := o.(*unstructured.Unstructured)
		if !is || runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, &read) != nil {
			continue // of unverified structure
		}
		for _, w := range read.Webhooks {
			list = append(list, Webhook{w, kinds.RefOf(kind, o)})
		}
	}
	return list
}

var MutatingWebhooksKind = schema.GroupKind{Group: admissionv1.GroupName, Kind: "MutatingWebhookConfiguration"}

var (
	ValidatingWebhooksKind = schema.GroupKind{Group: admissionv1.GroupName, Kind: "ValidatingWebhookConfiguration"}
)
