package dump

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources/dump/document"
	"github.com/traintop/traintop/train/kinds"
)

// errNoObject reports a valid document that is no Kubernetes object.
var errNoObject = errors.New("no apiVersion and kind, so it is no Kubernetes object")

// errBegun reports a document that ends before its kind.
var errBegun = errors.New("an object ends before its kind; the file is cut off")

// errMetadata reports an object of which an API server was asked for its metadata
// alone.
var errMetadata = errors.New("only the metadata of an object is there, and not of which kind it is, what it asks for and how it stands; give whole objects, as kubectl get -o yaml prints them")

// isBegun reports whether a document has nothing but an apiVersion.
func isBegun(raw map[string]any) bool {
	version, _ := raw["apiVersion"].(string)
	return version != "" && len(raw) == 1
}

// typed creates the Go value for the core kinds that readers expect typed.
var typed = map[schema.GroupKind]func() kinds.Object{
	kinds.PodKind:                                   func() kinds.Object { return &corev1.Pod{} },
	kinds.NodeKind:                                  func() kinds.Object { return &corev1.Node{} },
	kinds.EventKind:                                 func() kinds.Object { return &corev1.Event{} },
	{Kind: "PersistentVolumeClaim"}:                 func() kinds.Object { return &corev1.PersistentVolumeClaim{} },
	{Kind: "PersistentVolume"}:                      func() kinds.Object { return &corev1.PersistentVolume{} },
	{Kind: "ResourceQuota"}:                         func() kinds.Object { return &corev1.ResourceQuota{} },
	{Kind: "LimitRange"}:                            func() kinds.Object { return &corev1.LimitRange{} },
	{Kind: "Service"}:                               func() kinds.Object { return &corev1.Service{} },
	{Kind: "ServiceAccount"}:                        func() kinds.Object { return &corev1.ServiceAccount{} },
	{Kind: "Namespace"}:                             func() kinds.Object { return &corev1.Namespace{} },
	{Group: "storage.k8s.io", Kind: "StorageClass"}: func() kinds.Object { return &storagev1.StorageClass{} },
}

// metadataOnly are the kinds whose content is or may be secret.
var metadataOnly = map[schema.GroupKind]bool{
	{Kind: "Secret"}:    true,
	{Kind: "ConfigMap"}: true,
}

// known reports whether anything in the program reads objects of a kind.
func known(kind schema.GroupKind) bool {
	if _, isTyped := typed[kind]; isTyped || metadataOnly[kind] {
		return true
	}
	for _, list := range [][]kinds.Kind{kinds.Jobs(), kinds.Related()} {
		for _, k := range list {
			if k.GroupKind == kind {
				return true
			}
		}
	}
	return false
}

// build converts a parsed object to the type that the store keeps. It changes
// raw.
func build(raw map[string]any) (schema.GroupKind, kinds.Object, error) {
	apiVersion, _ := raw["apiVersion"].(string)
	kindName, _ := raw["kind"].(string)
	if isBegun(raw) {
		return schema.GroupKind{}, nil, errBegun
	}
	if apiVersion == "" || kindName == "" {
		return schema.GroupKind{}, nil, errNoObject
	}
	version, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return schema.GroupKind{}, nil, fmt.Errorf("apiVersion: %w", err)
	}
	kind := version.WithKind(kindName).GroupKind()
	metadata, ok := raw["metadata"].(map[string]any)
	if !ok && raw["metadata"] != nil {
		return kind, nil, fmt.Errorf("%s cannot be used and is left out: its metadata is %s, not an object", kindName, document.Describe(raw["metadata"]))
	}
	if !ok {
		return kind, nil, fmt.Errorf("%s without metadata", kindName)
	}
	if kind.Group == "" && kind.Kind == "Status" {
		return kind, nil, fmt.Errorf("an answer of the API server instead of objects: %v", raw["message"])
	}
	if kind.Group == metav1.GroupName && kind.Kind == "PartialObjectMetadata" {
		return kind, nil, fmt.Errorf("%s: %w", objectWords(kindName, metadata), errMetadata)
	}
	if !named(metadata) {
		return kind, nil, fmt.Errorf("%s without metadata.name", kindName)
	}
	if kind.Group == "events.k8s.io" && kind.Kind == "Event" {
		raw, kind = coreEvent(raw), kinds.EventKind
	}
	if kind == kinds.EventKind {
		forgetOddTimes(raw)
	}
	strip(raw, metadata)

	if metadataOnly[kind] {
		meta := &metav1.PartialObjectMetadata{}
		return kind, meta, convert(map[string]any{"apiVersion": apiVersion, "kind": kindName, "metadata": metadata}, meta)
	}
	if empty, isTyped := typed[kind]; isTyped {
		object := empty()
		if kind == kinds.PodKind {
			boundRestarts(raw)
		}
		if err := convert(raw, object); err != nil {
			return kind, nil, fmt.Errorf("%s cannot be used and is left out: %w", objectWords(kindName, metadata), err)
		}
		return kind, object, nil
	}
	if why := kinds.Unusable(kind, raw); why != "" {
		return kind, nil, fmt.Errorf("%s cannot be used and is left out: %s", objectWords(kindName, metadata), why)
	}
	return kind, &unstructured.Unstructured{Object: raw}, nil
}

// objectWords describes an object by its kind, namespace and name.
func objectWords(kind string, metadata map[string]any) string {
	name, _ := metadata["name"].(string)
	if namespace, _ := metadata["namespace"].(string); namespace != "" {
		name = namespace + "/" + name
	}
	return kind + " " + name
}

// named reports whether an object has a name. An object for "kubectl create"
// may only have a generateName, which then replaces it.
func named(metadata map[string]any) bool {
	if name, _ := metadata["name"].(string); name != "" {
		return true
	}
	start, _ := metadata["generateName"].(string)
	metadata["name"] = start
	return start != ""
}

// convert fills a typed object. The converter's own errors do not locate the
// wrong value, so on failure it decodes the JSON again.
func convert(raw map[string]any, into any) error {
	err := runtime.DefaultUnstructuredConverter.FromUnstructured(raw, into)
	if err == nil {
		return nil
	}
	text, marshalErr := json.Marshal(raw)
	if marshalErr == nil {
		if clearer := json.Unmarshal(text, into); clearer != nil {
			err = clearer
		}
	}
	if field := kinds.UnreadableQuantity(raw); field != "" {
		return fmt.Errorf("a field has the wrong type: %s: %w", field, err)
	}
	return fmt.Errorf("a field has the wrong type: %w", err)
}

// boundRestarts keeps the restart counts of a pod within what their field holds: the
// converter drops the upper bits of a greater number, and any small number may be
// left (FromUnstructured in apimachinery 0.36).
func boundRestarts(pod map[string]any) {
	status, _ := pod["status"].(map[string]any)
	for _, field := range []string{"containerStatuses", "initContainerStatuses", "ephemeralContainerStatuses"} {
		list, _ := status[field].([]any)
		for _, entry := range list {
			one, _ := entry.(map[string]any)
			switch n := one["restartCount"].(type) {
			case int64:
				one["restartCount"] = max(math.MinInt32, min(math.MaxInt32, n))
			case float64:
				if n == math.Trunc(n) {
					one["restartCount"] = int64(max(math.MinInt32, min(math.MaxInt32, n)))
				}
			}
		}
	}
}

// coreEvent renames the fields of an events.k8s.io/v1 event to those of the
// core API, which has the same object with another schema (k8s.io/api
// events/v1, conversion in kubernetes pkg/apis/core).
func coreEvent(raw map[string]any) map[string]any {
	core := map[string]any{"apiVersion": "v1", "kind": "Event"}
	renamed := map[string]string{
		"regarding": "involvedObject", "note": "message",
		"reportingController": "reportingComponent", "deprecatedSource": "source",
		"deprecatedFirstTimestamp": "firstTimestamp", "deprecatedLastTimestamp": "lastTimestamp",
		"deprecatedCount": "count",
	}
	for field, value := range raw {
		if field == "apiVersion" || field == "kind" {
			continue
		}
		if name, isRenamed := renamed[field]; isRenamed {
			field = name
		}
		core[field] = value
	}
	return core
}
