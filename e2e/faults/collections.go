package faults

import (
	"encoding/json"
	"net/http"
	"path"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/train/kinds"
)

// discover lists the resources served beyond the core, as one aggregated
// answer.
func (c *cluster) discover(w http.ResponseWriter) {
	var groups []any
	for collection := range c.objects {
		t := targetOf(collection)
		part := strings.Split(t.root, "/")
		if part[1] != "apis" {
			continue
		}
		kind, clusterScoped := kindOf(part[2], t.plural)
		scope := "Namespaced"
		if clusterScoped {
			scope = "Cluster"
		}
		groups = append(groups, map[string]any{
			"metadata": map[string]any{"name": part[2]},
			"versions": []any{map[string]any{"version": part[3], "freshness": "Current", "resources": []any{
				map[string]any{"resource": t.plural, "scope": scope, "responseKind": map[string]any{"kind": kind}},
			}}},
		})
	}
	w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
	_ = json.NewEncoder(w).Encode(map[string]any{"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": groups})
}

func kindOf(group, plural string) (kind string, clusterScoped bool) {
	for _, list := range [][]kinds.Kind{kinds.Jobs(), kinds.Related()} {
		for _, k := range list {
			if k.Group == group && k.Resource == plural {
				return k.Kind, k.ClusterScoped
			}
		}
	}
	for kind, name := range core {
		if name == plural {
			return kind, false
		}
	}
	return map[string]string{"storageclasses": "StorageClass", "customresourcedefinitions": "CustomResourceDefinition"}[plural], true
}

func (c *cluster) get(w http.ResponseWriter, t target) {
	for _, item := range c.objects[t.collection()] {
		if field(item, "name") == t.name && field(item, "namespace") == t.namespace {
			answer(w, item)
			return
		}
	}
	refuse(w, http.StatusNotFound, "NotFound", t.plural+" \""+t.name+"\" not found")
}

func (c *cluster) list(w http.ResponseWriter, r *http.Request, t target) {
	items := c.chosen(r, t)
	if strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadataList") {
		writeMetadata(w, items)
		return
	}
	kind, _ := kindOf(path.Base(path.Dir(t.root)), t.plural)
	answer(w, map[string]any{
		"kind": kind + "List", "apiVersion": strings.TrimPrefix(strings.TrimPrefix(t.root, "/apis/"), "/api/"),
		"metadata": map[string]any{"resourceVersion": "1000"}, "items": items,
	})
}

// chosen are the objects of a namespace, with the requested labels.
func (c *cluster) chosen(r *http.Request, t target) []map[string]any {
	selector, err := labels.Parse(r.URL.Query().Get("labelSelector"))
	if err != nil {
		selector = labels.Nothing()
	}
	chosen := []map[string]any{}
	for _, item := range c.objects[t.collection()] {
		set := labels.Set{}
		have, _ := metadata(item)["labels"].(map[string]any)
		for name, value := range have {
			set[name], _ = value.(string)
		}
		if (t.namespace == "" || field(item, "namespace") == t.namespace) && selector.Matches(set) {
			chosen = append(chosen, item)
		}
	}
	return chosen
}

// writeMetadata answers in protobuf, the only format accepted for Secrets.
func writeMetadata(w http.ResponseWriter, items []map[string]any) {
	list := &metav1.PartialObjectMetadataList{TypeMeta: metav1.TypeMeta{APIVersion: "meta.k8s.io/v1", Kind: "PartialObjectMetadataList"}}
	list.ResourceVersion = "1000"
	for _, item := range items {
		list.Items = append(list.Items, metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Name: field(item, "name"), Namespace: field(item, "namespace"), UID: types.UID(field(item, "uid"))}})
	}
	scheme := runtime.NewScheme()
	w.Header().Set("Content-Type", "application/vnd.kubernetes.protobuf")
	_ = protobuf.NewSerializer(scheme, scheme).Encode(list, w) // the client may have left
}

// watch sends no events, until the client leaves.
func (c *cluster) watch(w http.ResponseWriter, r *http.Request, t target) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	if r.URL.Query().Get("sendInitialEvents") == "true" {
		kind, _ := kindOf(path.Base(path.Dir(t.root)), t.plural)
		for _, item := range c.chosen(r, t) {
			sendEvent(w, "ADDED", item)
		}
		sendEvent(w, "BOOKMARK", map[string]any{"kind": kind, "apiVersion": strings.TrimPrefix(strings.TrimPrefix(t.root, "/apis/"), "/api/"), "metadata": map[string]any{
			"resourceVersion": "1000", "annotations": map[string]any{metav1.InitialEventsAnnotationKey: "true"},
		}})
	}
	flush(w)
	<-r.Context().Done()
}

func sendEvent(w http.ResponseWriter, verb string, object any) {
	_ = json.NewEncoder(w).Encode(map[string]any{"type": verb, "object": object}) // the client may have left
}

func flush(w http.ResponseWriter) { _ = http.NewResponseController(w).Flush() }
