package kube

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

// form is how a resource travels and arrives.
type form uint8

const (
	dynamicForm  form = iota // JSON, as *unstructured.Unstructured
	typedForm                // protobuf, as the type of k8s.io/api
	metadataForm             // protobuf, as *metav1.PartialObjectMetadata
)

// resource is one thing to list and watch.
type resource struct {
	kind          schema.GroupKind
	gvr           schema.GroupVersionResource
	clusterScoped bool
	form          form
}

// source names the resource in health events.
func (r resource) source() string { return SourceName + "/" + r.gvr.GroupResource().String() }

func (r resource) everywhereSource() string { return r.source() + "/all-namespaces" }

// expected is what a metadata reflector takes; anything else, a whole
// Secret say, is dropped by it unseen. Other reflectors take what comes.
func (r resource) expected() any {
	if r.form == metadataForm {
		return &metav1.PartialObjectMetadata{}
	}
	return nil
}

// empty is an object of the resource to decode into.
func (r resource) empty() listItem {
	if r.form == metadataForm {
		return &metav1.PartialObjectMetadata{}
	}
	o, err := scheme.New(r.gvr.GroupVersion().WithKind(r.kind.Kind))
	utilruntime.Must(err) // every typed resource is in the scheme
	return o.(listItem)
}

// path is where the resource, or one object of it, is served.
func (r resource) path(namespace, name string) []string {
	path := []string{"/apis", r.gvr.Group, r.gvr.Version}
	if r.gvr.Group == "" {
		path = []string{"/api", r.gvr.Version}
	}
	if namespace != "" && !r.clusterScoped {
		path = append(path, "namespaces", namespace)
	}
	path = append(path, r.gvr.Resource)
	if name != "" {
		path = append(path, name)
	}
	return path
}

// coreResources are served by every cluster, so nobody waits for discovery to
// read them. Pods come first: they are the most.
var coreResources = []resource{
	core("Pod", "pods", typedForm),
	coreCluster("Node", "nodes", typedForm),
	core("Event", "events", typedForm),
	core("PersistentVolumeClaim", "persistentvolumeclaims", typedForm),
	coreCluster("PersistentVolume", "persistentvolumes", typedForm),
	core("ResourceQuota", "resourcequotas", typedForm),
	core("LimitRange", "limitranges", typedForm),
	core("Service", "services", typedForm),
	core("ServiceAccount", "serviceaccounts", typedForm),
	coreCluster("Namespace", "namespaces", typedForm),
	core("Secret", "secrets", metadataForm),
	core("ConfigMap", "configmaps", metadataForm),
	{
		kind:          schema.GroupKind{Group: storagev1.GroupName, Kind: "StorageClass"},
		gvr:           storagev1.SchemeGroupVersion.WithResource("storageclasses"),
		clusterScoped: true, form: typedForm,
	},
}

// definitions are the CRDs. They are watched as a bell for the planner and
// never reach the sink.
var definitions = resource{
	kind:          schema.GroupKind{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"},
	gvr:           schema.GroupVersionResource{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"},
	clusterScoped: true, form: metadataForm,
}

func core(kind, plural string, f form) resource {
	return resource{
		kind: schema.GroupKind{Kind: kind},
		gvr:  corev1.SchemeGroupVersion.WithResource(plural), form: f,
	}
}

func coreCluster(kind, plural string, f form) resource {
	r := core(kind, plural, f)
	r.clusterScoped = true
	return r
}

// dynamicResource is one of our kinds in a version that the cluster serves.
func dynamicResource(k kinds.Kind, version string) resource {
	return resource{
		kind: k.GroupKind,
		gvr:  schema.GroupVersionResource{Group: k.Group, Version: version, Resource: k.Resource}, clusterScoped: k.ClusterScoped,
		form: dynamicForm,
	}
}

// scheme knows the few typed kinds above and nothing else: registering all of
// Kubernetes' APIs would cost megabytes.
var scheme = func() *runtime.Scheme {
	s := runtime.NewScheme()
	utilruntime.Must(corev1.AddToScheme(s))
	utilruntime.Must(storagev1.AddToScheme(s))
	utilruntime.Must(metricsv1beta1.AddToScheme(s))
	utilruntime.Must(metav1.AddMetaToScheme(s))
	return s
}()

var codecs = serializer.NewCodecFactory(scheme)

var parameters = runtime.NewParameterCodec(scheme)

const protobuf = "application/vnd.kubernetes.protobuf"

// metadataOnly has no plain media type after it, unlike what client-go's
// metadata client sends: a server that cannot leave the data out answers 406.
const metadataOnly = protobuf + ";as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"

// metadataOnlyWatch asks for the same of every object of a stream.
const metadataOnlyWatch = protobuf + ";as=PartialObjectMetadata;g=meta.k8s.io;v=v1"

func coreConfig(config *rest.Config) *rest.Config {
	config = rest.CopyConfig(config)
	config.APIPath = "/api"
	config.GroupVersion = &corev1.SchemeGroupVersion
	config.NegotiatedSerializer = codecs.WithoutConversion()
	config.ContentType = protobuf
	config.AcceptContentTypes = protobuf + ",application/json"
	return config
}

// SourceName names the connection itself among the sources of health.
const SourceName = "kube"

// listItem is an object that knows its protobuf form.
type listItem interface {
	kinds.Object
	Unmarshal([]byte) error
}
