package kube

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/traintop/traintop/sources/kube/client"
)

// jsonList decodes a JSON list object by object as it arrives, from a server
// or proxy without protobuf.
type jsonList struct {
	*listItems
	in   *json.Decoder
	part *partReader
	// version and kind are those of the answer.
	version, kind string
	// itemsCame is true once the field with the objects began.
	itemsCame bool
	// status is the server's Status, if it sent one instead of the list.
	status metav1.Status
}

// Answers of which a part would be lost without a word: Kubernetes always sends the
// field items (it has no omitempty in any list), once, and nothing behind a list.
var (
	errNoItems  = errors.New("the answer is no list: it has no items")
	errTwoItems = errors.New("the answer has items twice, and only the first were read")
	errTwoLists = errors.New("the answer has items twice, and none were read")
)

func readJSONList(in io.Reader, items *listItems) error {
	part := &partReader{in: in, most: maxObject}
	d := &jsonList{in: json.NewDecoder(part), part: part, listItems: items}
	err := d.fields()
	switch {
	case err == nil && d.kind == statusKind:
		err = failureOf(&d.status)
	case err == nil:
		if err = checkListKind(d.resource, d.version, d.kind); err == nil && !d.itemsCame {
			err = errNoItems
		}
	}
	if checkListKind(d.resource, d.version, d.kind) != nil {
		d.list.Items = nil // their kind is unknown
	}
	return d.why(err)
}

// why distinguishes text that is not a list from a failed read.
func (d *jsonList) why(err error) error {
	syntax, kind := (*json.SyntaxError)(nil), (*json.UnmarshalTypeError)(nil)
	if errors.As(err, &syntax) || errors.As(err, &kind) {
		return fmt.Errorf("the answer is no list: %w", err)
	}
	return cut(err)
}

// fields visits the fields of the answer's object.
func (d *jsonList) fields() error {
	if err := d.begins('{'); err != nil {
		return err
	}
	for d.in.More() {
		key, err := d.in.Token()
		if err != nil {
			return err
		}
		if err := d.field(key); err != nil {
			return err
		}
		d.part.read = 0
	}
	if _, err := d.in.Token(); err != nil {
		return err
	}
	return client.EndOfList(d.in)
}

func (d *jsonList) begins(with json.Delim) error {
	token, err := d.in.Token()
	if err == nil && token != with {
		err = fmt.Errorf("the answer is no list: there is no %s where it should be", with)
	}
	return err
}

func (d *jsonList) field(key json.Token) error {
	switch key {
	case "kind":
		return d.in.Decode(&d.kind)
	case "apiVersion":
		return d.in.Decode(&d.version)
	case "metadata":
		return d.in.Decode(&d.list.ListMeta)
	case "items":
		if d.itemsCame {
			return errTwoItems
		}
		d.itemsCame = true
		return d.items()
	case "message":
		return d.in.Decode(&d.status.Message)
	case "reason":
		return d.in.Decode(&d.status.Reason)
	case "code":
		return d.in.Decode(&d.status.Code)
	}
	var skipped json.RawMessage
	return d.in.Decode(&skipped)
}

func (d *jsonList) items() error {
	if d.resource.Form == client.MetadataForm && d.kind != "" && d.kind != metadataKind+"List" {
		return errWhole
	}
	token, err := d.in.Token()
	if err != nil || token == nil { // null is an empty list
		return err
	}
	if token != json.Delim('[') {
		return errors.New("the answer is no list: its items are none")
	}
	for d.in.More() {
		if err := d.item(); err != nil {
			return err
		}
		d.part.read = 0
	}
	_, err = d.in.Token()
	return err
}

func (d *jsonList) item() error {
	var text json.RawMessage
	if err := d.in.Decode(&text); err != nil {
		return err
	}
	if d.resource.Form == client.MetadataForm && d.kind == "" && !isMetadata(text) {
		return errWhole // the kind of the list comes later
	}
	return d.add(text, func(object client.ListItem) error { return utiljson.Unmarshal(text, object) })
}

// metadataKind is the kind of an object without all but its metadata.
const metadataKind = "PartialObjectMetadata"

// isMetadata reports whether an object states that it is nothing but metadata.
func isMetadata(text []byte) bool {
	var object struct{ Kind string }
	return json.Unmarshal(text, &object) == nil && object.Kind == metadataKind
}

// partReader limits how much is read until read is reset to 0: the largest
// size of one object.
type partReader struct {
	in         io.Reader
	most, read int64
}

// Read implements io.Reader.
func (r *partReader) Read(p []byte) (int, error) {
	if r.read > r.most {
		return 0, client.ObjectTooLong(r.most)
	}
	n, err := r.in.Read(p)
	r.read += int64(n)
	return n, err
}
