package kube

import (
	"errors"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/traintop/traintop/sources/kube/client"
)

// TestMetadataBeforeTheKindOfItsList: JSON objects have no order, and a proxy that
// sorts their fields sends the objects before it names what they are.
func TestMetadataBeforeTheKindOfItsList(t *testing.T) {
	var secrets client.Resource
	for _, r := range client.CoreResources {
		if r.Form == client.MetadataForm {
			secrets = r
		}
	}
	read := func(text string) (int, error) {
		list, err := readList(strings.NewReader(text), secrets, func(runtime.Object) {})
		return len(list.Items), err
	}
	const item = `{"apiVersion":"meta.k8s.io/v1","kind":"PartialObjectMetadata","metadata":{"name":"a","namespace":"ml"}}`
	if n, err := read(`{"apiVersion":"meta.k8s.io/v1","items":[` + item + `],"kind":"PartialObjectMetadataList","metadata":{"resourceVersion":"1"}}`); n != 1 || err != nil {
		t.Errorf("%d objects, %v", n, err)
	}
	for _, whole := range []string{
		`{"apiVersion":"v1","items":[{"metadata":{"name":"a"},"data":{"k":"c2VjcmV0"}}],"kind":"SecretList"}`, `{"apiVersion":"v1","items":[` + item + `],"kind":"SecretList"}`,
		`{"apiVersion":"v1","kind":"SecretList","items":[` + item + `]}`,
	} {
		if n, err := read(whole); n != 0 || !errors.Is(err, errWhole) {
			t.Errorf("%s: %d objects, %v", whole, n, err)
		}
	}
}
