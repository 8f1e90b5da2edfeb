package diagnose

import (
	"github.com/traintop/traintop/sources/kinds"
	"github.com/traintop/traintop/train"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// webhook is one webhook of a configuration. Both kinds have what is read here
// under the same names.
type webhook struct {
	admissionv1.ValidatingWebhook
	configuration train.Ref
}

// webhooks are those of all configurations; the answer rests on these objects.
func (s *jobContext) webhooks() []webhook {
	mutating, validating := s.listObjects(mutatingWebhooksKind, ""), s.listObjects(validatingWebhooksKind, "")
	if s.allWebhooks == nil {
		all := append(webhooksIn(mutatingWebhooksKind, mutating), webhooksIn(validatingWebhooksKind, validating)...)
		s.allWebhooks = &all
	}
	return *s.allWebhooks
}

func webhooksIn(kind schema.GroupKind, configurations []kinds.Object) []webhook {
	var list []webhook
	for _, o := range configurations {
		var read struct {
			Webhooks []admissionv1.ValidatingWebhook `json:"webhooks"`
		}
		u, is := o.(*unstructured.Unstructured)
		if !is || runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, &read) != nil {
			continue // of a shape that nobody vouches for
		}
		for _, w := range read.Webhooks {
			list = append(list, webhook{w, refOf(kind, o)})
		}
	}
	return list
}

var mutatingWebhooksKind = schema.GroupKind{Group: admissionv1.GroupName, Kind: "MutatingWebhookConfiguration"}

var (
	validatingWebhooksKind = schema.GroupKind{Group: admissionv1.GroupName, Kind: "ValidatingWebhookConfiguration"}
)
