package client

import (
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/rest"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/traintop/traintop/train/kinds"
)

// form is how a resource is encoded and decoded.
type form uint8

const (
	DynamicForm  form = iota // JSON, as *unstructured.Unstructured
	TypedForm                // protobuf, as the type of k8s.io/api
	MetadataForm             // protobuf, as *metav1.PartialObjectMetadata
)

// Resource is one resource to list and watch.
type Resource struct {
	Kind          schema.GroupKind
	Gvr           schema.GroupVersionResource
	ClusterScoped bool
	Form          form
	// Beside is the namespace it is read in besides the one in use, "" for
	// that one and for all namespaces.
	Beside string
}

// Source names the resource in health events.
func (r Resource) Source() string {
	if r.Beside != "" {
		return r.list() + "/" + r.Beside
	}
	return r.list()
}

func (r Resource) list() string { return SourceName + "/" + r.Gvr.GroupResource().String() }

func (r Resource) EverywhereSource() string { return r.list() + "/all-namespaces" }

// Expected is the type that a metadata reflector accepts; it drops anything
// else, such as a whole Secret, unread. Other reflectors accept everything.
func (r Resource) Expected() any {
	if r.Form == MetadataForm {
		return &metav1.PartialObjectMetadata{}
	}
	return nil
}

// Empty returns an object of the resource to decode into.
func (r Resource) Empty() ListItem {
	if r.Form == MetadataForm {
		return &metav1.PartialObjectMetadata{}
	}
	o, err := Scheme.New(r.Gvr.GroupVersion().WithKind(r.Kind.Kind))
	utilruntime.Must(err) // every typed resource is in the scheme
	return o.(ListItem)
}

// Path returns the URL path of the resource, or of one object of it.
func (r Resource) Path(namespace, name string) []string {
	path := []string{"/apis", r.Gvr.Group, r.Gvr.Version}
	if r.Gvr.Group == "" {
		path = []string{"/api", r.Gvr.Version}
	}
	if namespace != "" && !r.ClusterScoped {
		path = append(path, "namespaces", namespace)
	}
	path = append(path, r.Gvr.Resource)
	if name != "" {
		path = append(path, name)
	}
	return path
}

// CoreResources are served by every cluster, so reading them does not wait for
// discovery. Pods come first, since they are the most.
var CoreResources = []Resource{
	Core("Pod", "pods", TypedForm),
	CoreCluster("Node", "nodes", TypedForm),
	Core("Event", "events", TypedForm),
	Core("PersistentVolumeClaim", "persistentvolumeclaims", TypedForm),
	CoreCluster("PersistentVolume", "persistentvolumes", TypedForm),
	Core("ResourceQuota", "resourcequotas", TypedForm),
	Core("LimitRange", "limitranges", TypedForm),
	Core("Service", "services", TypedForm),
	Core("ServiceAccount", "serviceaccounts", TypedForm),
	CoreCluster("Namespace", "namespaces", TypedForm),
	Core("Secret", "secrets", MetadataForm),
	Core("ConfigMap", "configmaps", MetadataForm),
	{
		Kind:          schema.GroupKind{Group: storagev1.GroupName, Kind: "StorageClass"},
		Gvr:           storagev1.SchemeGroupVersion.WithResource("storageclasses"),
		ClusterScoped: true, Form: TypedForm,
	},
}

// Definitions are the CRDs. Their watch only triggers discovery; they never
// reach the sink.
var Definitions = Resource{
	Kind:          schema.GroupKind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"},
	Gvr:           schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"},
	ClusterScoped: true, Form: MetadataForm,
}

func Core(kind, plural string, f form) Resource {
	return Resource{
		Kind: schema.GroupKind{Kind: kind},
		Gvr:  corev1.SchemeGroupVersion.WithResource(plural), Form: f,
	}
}

func CoreCluster(kind, plural string, f form) Resource {
	r := Core(kind, plural, f)
	r.ClusterScoped = true
	return r
}

// DynamicResource returns one of our kinds in a version that the cluster
// serves.
func DynamicResource(k kinds.Kind, version string) Resource {
	return Resource{
		Kind: k.GroupKind,
		Gvr:  schema.GroupVersionResource{Group: k.Group, Version: version, Resource: k.Resource}, ClusterScoped: k.ClusterScoped,
		Form: DynamicForm,
	}
}

// Scheme contains only the few typed kinds above: registering all Kubernetes
// APIs would cost megabytes.
var Scheme = func() *runtime.Scheme {
	s := runtime.NewScheme()
	utilruntime.Must(corev1.AddToScheme(s))
	utilruntime.Must(storagev1.AddToScheme(s))
	utilruntime.Must(metricsv1beta1.AddToScheme(s))
	utilruntime.Must(metav1.AddMetaToScheme(s))
	return s
}()

var Codecs = serializer.NewCodecFactory(Scheme)

var Parameters = runtime.NewParameterCodec(Scheme)

const Protobuf = "application/vnd.kubernetes.protobuf"

// MetadataOnly has no fallback media type, unlike the header of client-go's
// metadata client: a server that cannot leave the data out answers 406.
const MetadataOnly = Protobuf + ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"

// MetadataOnlyWatch requests the same for every object of a watch.
const MetadataOnlyWatch = Protobuf + ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1"

func coreConfig(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	config.APIPath = "/api"
	config.GroupVersion = &corev1.SchemeGroupVersion
	config.NegotiatedSerializer = Codecs.WithoutConversion()
	config.ContentType = Protobuf
	config.AcceptContentTypes = Protobuf + ",application/json"
	return config
}

// SourceName is the name of the connection in health.
const SourceName = "kube"

// ListItem is an object with a protobuf encoding.
type ListItem interface {
	kinds.Object
	Unmarshal([]byte) error
}
