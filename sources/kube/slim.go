package kube

import (
	"sync"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/redact/declared"
)

// maxAnnotation is the longest annotation value kept. Longer ones are copies
// of configuration or attachments of network plug-ins; the key stays, to show
// that it existed.
const maxAnnotation = 4 << 10

// slimmer returns a function that drops all unread fields from a freshly
// decoded object of a resource. It changes the object, so it must run before
// anything else sees the object; running it twice is harmless. Several
// namespaces of one resource may be listed at once and share their parts, so
// calls take turns. The values of variables that are secret are dropped; secrets
// remembers them, so that logs are read without them.
func slimmer(r client.Resource, secrets *declared.Values) func(runtime.Object) {
	shared := newShared()
	var turn sync.Mutex
	return func(o runtime.Object) {
		turn.Lock()
		defer turn.Unlock()
		if object, ok := o.(metav1.Object); ok {
			shared.secrets = secrets.In(object.GetNamespace())
			slimMetadata(object, shared)
		}
		switch object := o.(type) {
		case *corev1.Pod:
			slimPod(object, shared)
		case *corev1.Node:
			slimNode(object)
		case *corev1.Event:
			slimEvent(object, shared)
		case *metav1.PartialObjectMetadata:
			slimPartial(object)
		case *unstructured.Unstructured:
			slimUnstructured(object, shared)
		}
	}
}

func slimMetadata(o metav1.Object, s *shared) {
	if _, dynamic := o.(*unstructured.Unstructured); dynamic {
		return // its accessors copy; slimUnstructured works on the tree
	}
	o.SetManagedFields(nil)
	annotations := o.GetAnnotations()
	delete(annotations, corev1.LastAppliedConfigAnnotation)
	for key, value := range annotations {
		if len(value) > maxAnnotation {
			annotations[key] = ""
		}
	}
	o.SetAnnotations(s.stringMap(annotations))
	o.SetLabels(s.stringMap(o.GetLabels()))
	o.SetNamespace(s.string(o.GetNamespace()))
	o.SetOwnerReferences(s.owners(o.GetOwnerReferences()))
}

// slimPartial keeps the fields that show that an object exists. It drops
// annotations, since last-applied contains a Secret's data and other tools do
// the like.
func slimPartial(o *metav1.PartialObjectMetadata) {
	o.Annotations = nil
	o.OwnerReferences = nil
	o.Finalizers = nil
}

func slimEvent(event *corev1.Event, s *shared) {
	event.Reason = s.string(event.Reason)
	event.Message = s.string(s.secrets.Text(event.Message))
	event.Type = s.string(event.Type)
	event.Source.Component = s.string(event.Source.Component)
	event.Source.Host = s.string(event.Source.Host)
	event.ReportingController = s.string(event.ReportingController)
	event.ReportingInstance = s.string(event.ReportingInstance)
	event.InvolvedObject.Kind = s.string(event.InvolvedObject.Kind)
	event.InvolvedObject.Namespace = s.string(event.InvolvedObject.Namespace)
	event.InvolvedObject.APIVersion = s.string(event.InvolvedObject.APIVersion)
	event.InvolvedObject.ResourceVersion = ""
}
