package act

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train"
)

// bound puts the UID of the reference into the body, where the server compares
// it with the object that has the name now. If a body has no field for it,
// bound reads the object's UID just before the request.
func (c *Actor) bound(ctx context.Context, at client.Resource, r actions.Request) (actions.Request, error) {
	if r.Ref.UID == "" || r.Verb == actions.Delete {
		return r, nil // deletion has its own precondition
	}
	var err error
	switch {
	case r.Subresource == "eviction":
		r.Body, err = inserted(r.Body, r.Ref.UID, "deleteOptions", "preconditions", "uid")
	case r.Verb == actions.Create && r.Subresource == "":
		// a new object has no UID yet
	case r.Verb == actions.Create, r.Subresource == "scale":
		// The server does not compare a Scale's UID (kube-apiserver 1.36).
		err = c.sameUID(ctx, at, r.Ref)
	case r.Verb == actions.Patch && r.PatchType == string(types.JSONPatchType):
		r.Body, err = tested(r.Body, r.Ref.UID)
	default:
		r.Body, err = inserted(r.Body, r.Ref.UID, "metadata", "uid")
	}
	return r, err
}

// inserted sets a string in a JSON object if it is not set.
func inserted(body []byte, value string, path ...string) ([]byte, error) {
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(body, &fields); err != nil || fields == nil {
		return nil, &unaskedError{"what is to be sent is no JSON object"}
	}
	key, rest := path[0], path[1:]
	if len(rest) == 0 {
		if _, there := fields[key]; there {
			return body, nil
		}
		fields[key], _ = json.Marshal(value) //nolint:errchkjson // a string
		return json.Marshal(fields)
	}
	inner := fields[key]
	if inner == nil {
		inner = json.RawMessage("{}")
	}
	inner, err := inserted(inner, value, rest...)
	if err != nil {
		return nil, err
	}
	fields[key] = inner
	return json.Marshal(fields)
}

// tested puts a test of the UID before a JSON patch.
func tested(body []byte, uid string) ([]byte, error) {
	var steps []json.RawMessage
	if err := json.Unmarshal(body, &steps); err != nil {
		return nil, &unaskedError{"what is to be sent is no JSON patch"}
	}
	test, err := json.Marshal(map[string]string{"op": "test", "path": "/metadata/uid", "value": uid})
	if err != nil {
		return nil, err
	}
	return json.Marshal(append([]json.RawMessage{test}, steps...))
}

// sameUID checks the UID of the object that has the name now.
func (c *Actor) sameUID(ctx context.Context, at client.Resource, ref train.Ref) error {
	result := c.connection.Core.Get().AbsPath(at.Path(ref.Namespace, ref.Name)...).
		SetHeader("Accept", "application/json").Do(ctx)
	if err := result.Error(); err != nil {
		return err
	}
	body, _ := result.Raw()
	var object struct {
		Metadata struct {
			UID string `json:"uid"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(body, &object); err != nil {
		return fmt.Errorf("reading what the server answers: %w", err)
	}
	if object.Metadata.UID != ref.UID {
		return &replacedError{}
	}
	return nil
}

// orReplaced checks whether a JSON patch was refused because of its UID test:
// the server's text does not name which operation of a patch failed
// (kube-apiserver 1.36).
func (c *Actor) orReplaced(ctx context.Context, at client.Resource, r actions.Request, refused error) error {
	if r.PatchType != string(types.JSONPatchType) || r.Ref.UID == "" || !apierrors.IsInvalid(refused) {
		return refused
	}
	var replaced *replacedError
	if err := c.sameUID(ctx, at, r.Ref); errors.As(err, &replaced) {
		return replaced
	}
	return refused
}

// replacedError reports that another object now has the name.
type replacedError struct{}

func (*replacedError) Error() string { return "another object has its name by now" }
