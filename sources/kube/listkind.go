package kube

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	kjson "sigs.k8s.io/json"

	"github.com/traintop/traintop/sources/kube/client"
)

// A server, or a proxy before it, may answer 200 with something other than the
// list. Parsed as a list it would be empty, and its objects would look
// deleted.

// listKind returns the kind of a list of the resource.
func listKind(r client.Resource) string {
	if r.Form == client.MetadataForm {
		return metadataKind + "List"
	}
	return r.Kind.Kind + "List"
}

// checkListKind returns an error for a list of other objects.
func checkListKind(r client.Resource, version, kind string) error {
	switch {
	case kind == listKind(r) && (version == listVersion(r) || r.Form == client.MetadataForm):
		return nil
	case r.Form == client.MetadataForm && kind != statusKind:
		return errWhole
	}
	return wrongList(version, kind, r)
}

func listVersion(r client.Resource) string { return r.Gvr.GroupVersion().String() }

const statusKind = "Status"

func wrongList(version, kind string, r client.Resource) error {
	got, want := shownKind(kind), listKind(r)
	if kind == want {
		got, want = got+" of "+shownKind(version), want+" of "+listVersion(r)
	}
	return fmt.Errorf("the answer is no list: it is %s where %s was asked for; kubectl get --raw shows what it sends", got, want)
}

// checkPage is checkListKind for a resource defined by a CRD. The CRD may name
// its list freely, but its objects have one kind.
func checkPage(r client.Resource, page *unstructured.UnstructuredList) error {
	if page.GetKind() == statusKind {
		return saidBy(page.Object)
	}
	other := func(o unstructured.Unstructured) bool { return !has(r, o.GroupVersionKind()) }
	if i := slices.IndexFunc(page.Items, other); i >= 0 && !isList(r, page) {
		return wrongList(page.GetAPIVersion(), page.GetKind()+" of "+page.Items[i].GetKind(), r)
	}
	if !isList(r, page) && (len(page.Items) == 0 || !strings.HasSuffix(page.GetKind(), "List")) {
		return wrongList(page.GetAPIVersion(), page.GetKind(), r)
	}
	return nil
}

// checkItems returns an error for a JSON object that does not have the field items,
// whose case counts, exactly once.
func checkItems(text []byte) error {
	var list struct {
		Items json.RawMessage `json:"items"`
	}
	twice, err := kjson.UnmarshalStrict(text, &list, kjson.DisallowDuplicateFields)
	switch {
	case len(twice) > 0:
		return errTwoLists
	case err != nil || list.Items == nil:
		return errNoItems
	}
	return nil
}

func isList(r client.Resource, page *unstructured.UnstructuredList) bool {
	return page.GetKind() == listKind(r) && page.GetAPIVersion() == listVersion(r)
}

// saidBy returns the failure in an answer of code 200.
func saidBy(object map[string]any) error {
	status := metav1.Status{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, &status); err != nil {
		return fmt.Errorf("the server answered with a Status that cannot be read: %w", err)
	}
	return failureOf(&status)
}

// failureOf returns the error in a Status, whatever code the answer had.
func failureOf(status *metav1.Status) error {
	if status.Message == "" {
		status.Message = "the answer is no list: it is a Status that says nothing"
	}
	return &apierrors.StatusError{ErrStatus: *status}
}

func shownKind(kind string) string {
	if kind == "" {
		return "text without a kind"
	}
	return client.Printable(kind)
}
