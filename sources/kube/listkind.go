package kube

import (
	"fmt"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// A server, or a proxy before it, may answer 200 and send something else than
// the list. Taken for a list it would be an empty one, and what it hides would
// pass for deleted.

// listKind is the kind of a list of the resource.
func (r resource) listKind() string {
	if r.form == metadataForm {
		return "PartialObjectMetadataList"
	}
	return r.kind.Kind + "List"
}

// checkListKind is an error where a list is one of other objects. A list of
// type "List" names none.
func (r resource) checkListKind(kind string) error {
	switch {
	case kind == r.listKind(), kind == "List" && r.form != metadataForm:
		return nil
	case r.form == metadataForm && kind != statusKind:
		return errWhole
	}
	return wrongList(kind, r)
}

const statusKind = "Status"

func wrongList(kind string, r resource) error {
	return fmt.Errorf("the answer is no list: it is %s where %s was asked for; kubectl get --raw shows what it sends", shownKind(kind), r.listKind())
}

// checkPage is checkListKind for a resource that a CRD defines. The CRD may call
// its list as it likes, but its objects have one kind.
func (r resource) checkPage(page *unstructured.UnstructuredList) error {
	if page.GetKind() == statusKind {
		return saidBy(page.Object)
	}
	if !strings.HasSuffix(page.GetKind(), "List") {
		return wrongList(page.GetKind(), r)
	}
	for i := range page.Items {
		if kind := page.Items[i].GetKind(); kind != r.kind.Kind {
			return wrongList(page.GetKind()+" of "+kind, r)
		}
	}
	return nil
}

// saidBy is the failure that a server described in an answer of code 200.
func saidBy(object map[string]any) error {
	status := metav1.Status{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object, &status); err != nil {
		return fmt.Errorf("the server answered with a Status that cannot be read: %w", err)
	}
	return failureOf(&status)
}

// failureOf is what a Status says, whatever code the answer had.
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
	return printable(kind)
}
