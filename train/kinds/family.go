package kinds

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

// Object is any Kubernetes object, typed or unstructured.
type Object interface {
	metav1.Object
	runtime.Object
}

// Kind describes one resource that jobs are read from.
type Kind struct {
	schema.GroupKind
	// Resource is the plural that the API serves.
	Resource string
	// Versions are the readable versions, the preferred first. Forms that
	// differ between versions are distinguished when the object is read.
	Versions []string
	// ClusterScoped is true for kinds without a namespace.
	ClusterScoped bool

	// read returns what the spec wants and the operator reports; nil for kinds
	// that are no rows themselves but contain information about one (queues,
	// pod groups, runtimes), and for AppWrapper. It must cope with a family whose
	// Top is nil.
	read func(*Family) *specAndStatus
	// layout is what read reads with, nil for a reader of its own.
	layout *Layout
}

// Family is one job with all objects that belong to it.
type Family struct {
	// Ref names the object at the top of the chain.
	Ref train.Ref
	// Top is that object; nil when it could not be read and only the
	// references of those below it, or events about it, are known.
	Top *unstructured.Unstructured
	// Below are the owned objects under Top other than pods (child Jobs,
	// JobSets, RayClusters, Workloads, PodGroups), nearest first.
	Below []*unstructured.Unstructured
	// Pods are all pods under Top, in order of namespace and name.
	Pods []*corev1.Pod
	// Gone are pods of Top and Below that a source saw go.
	Gone []GonePods
	// PodsListed is true when a source lists all pods of the namespace, so
	// that a pod missing from Pods does not exist.
	PodsListed bool
	// Events are those about Top and Below (not about pods), oldest first.
	Events []*corev1.Event
	// Find looks up an object that the family refers to by name without owning
	// it: a runtime, a queue, a claim template. The caller records each lookup
	// and reads the family again when the object changes.
	Find func(kind schema.GroupKind, namespace, name string) (*unstructured.Unstructured, train.Presence)
	// EventsAbout returns the events about one pod, oldest first; those about
	// every pod that has had the name when the pod has no UID. nil when events
	// cannot be read.
	EventsAbout func(pod *corev1.Pod) []*corev1.Event
	// NodeReady reports whether the named node is Ready; Unknown (as Presence)
	// when nodes cannot be read.
	NodeReady func(name string) (ready bool, known train.Presence)
}

// GonePods are the pods of one name that one object controlled and that no
// longer exist, oldest first. Dropped is how many older ones are known no more.
type GonePods struct {
	Pods    []*corev1.Pod
	Dropped int
}

func (f *Family) groupKind() schema.GroupKind {
	return schema.GroupKind{Group: f.Ref.Group, Kind: f.Ref.Kind}
}

// created returns when the job was created: its own time, or that of its
// oldest remaining pod or event.
func (f *Family) created() time.Time {
	if f.Top != nil {
		return f.Top.GetCreationTimestamp().Time
	}
	var oldest time.Time
	earlier := func(at time.Time) {
		if oldest.IsZero() || !at.IsZero() && at.Before(oldest) {
			oldest = at
		}
	}
	for _, pod := range f.Pods {
		earlier(pod.CreationTimestamp.Time)
	}
	if oldest.IsZero() {
		for _, event := range f.Events {
			earlier(EventTime(event))
		}
	}
	return oldest
}
