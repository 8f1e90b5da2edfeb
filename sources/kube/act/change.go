package act

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train"
)

// Change executes a request and returns the changed object as JSON, unmasked
// and not to be shown; nil for Delete. Its errors are *actions.Failure. The
// server checks a UID in the reference: a new object of the same name is left
// unchanged. The object must be named, so that no request ever concerns all
// objects of a kind.
func (c *Actor) Change(ctx context.Context, r actions.Request) ([]byte, error) {
	body, err := c.change(ctx, r)
	if err != nil {
		return nil, changeFailure(ctx, c.connection.Address, changeOf(r), err)
	}
	return body, nil
}

func (c *Actor) change(ctx context.Context, r actions.Request) ([]byte, error) {
	if err := checkChange(r); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(client.WithoutLogs(ctx), cmp.Or(c.connection.Timeout, client.ChangeLimit))
	defer cancel()
	at, err := c.servedForChange(ctx, r)
	if err != nil {
		return nil, err
	}
	r, err = c.bound(ctx, at, r)
	if err != nil {
		return nil, err
	}
	request, err := c.changeRequest(at, r)
	if err != nil {
		return nil, err
	}
	result := request.Do(ctx)
	if err := result.Error(); err != nil { // unlike Raw's error, it has the server's text
		return nil, c.orReplaced(ctx, at, r, err)
	}
	if r.Verb == actions.Delete {
		return nil, nil
	}
	return result.Raw()
}

// unaskedError is the reason why a request is not sent.
type unaskedError struct{ why string }

func (e *unaskedError) Error() string { return e.why }

func checkChange(r actions.Request) error {
	if keepsSecrets(r.Ref) && r.Verb != actions.Delete {
		return &unaskedError{"traintop changes no " + r.Ref.Kind + "; use kubectl"}
	}
	if r.Ref.Name == "" && (r.Verb != actions.Create || r.Subresource != "") {
		return &unaskedError{"it has no name"}
	}
	for _, part := range []string{r.Ref.Namespace, r.Ref.Name, r.Subresource} {
		if err := client.CheckName(part); err != nil {
			return &unaskedError{err.Error()}
		}
	}
	if r.Verb != actions.Delete && !json.Valid(r.Body) {
		return &unaskedError{"what is to be sent is no JSON"}
	}
	return nil
}

func keepsSecrets(ref train.Ref) bool {
	return ref.Group == "" && ref.Kind == "Secret"
}

// servedForChange finds the resource for the request: a body with a whole
// object is sent to the version that it is written in.
func (c *Actor) servedForChange(ctx context.Context, r actions.Request) (client.Resource, error) {
	at, err := c.resourceFor(ctx, schema.GroupKind{Group: r.Ref.Group, Kind: r.Ref.Kind})
	if err != nil {
		return client.Resource{}, err
	}
	if r.Ref.Namespace == "" && !at.ClusterScoped {
		return client.Resource{}, &unaskedError{"no namespace is given"}
	}
	if r.Subresource == "" && (r.Verb == actions.Create || r.Verb == actions.Update) {
		var body struct {
			APIVersion string `json:"apiVersion"`
		}
		gv := schema.GroupVersion{}
		if err := json.Unmarshal(r.Body, &body); err == nil {
			gv, _ = schema.ParseGroupVersion(body.APIVersion)
		}
		if gv.Group == at.Gvr.Group && gv.Version != "" {
			at.Gvr.Version = gv.Version
		}
	}
	return at, nil
}

// resourceFor is ResourceOf without a request for core kinds.
func (c *Actor) resourceFor(ctx context.Context, kind schema.GroupKind) (client.Resource, error) {
	i := slices.IndexFunc(client.CoreResources, func(r client.Resource) bool { return r.Kind == kind })
	if i >= 0 {
		return client.CoreResources[i], nil
	}
	return c.served.ResourceOf(ctx, c.connection, kind)
}

func (c *Actor) changeRequest(at client.Resource, r actions.Request) (*rest.Request, error) {
	client, name := c.connection.Core, r.Ref.Name
	var request *rest.Request
	switch r.Verb {
	case actions.Delete:
		request = client.Delete()
	case actions.Patch:
		request = client.Patch(types.PatchType(r.PatchType))
	case actions.Update:
		request = client.Put().SetHeader("Content-Type", "application/json")
	case actions.Create:
		request = client.Post().SetHeader("Content-Type", "application/json")
		if r.Subresource == "" {
			name = ""
		}
	default:
		return nil, &unaskedError{fmt.Sprintf("%q is no change", r.Verb)}
	}
	path := at.Path(r.Ref.Namespace, name)
	if r.Subresource != "" {
		path = append(path, r.Subresource)
	}
	request = request.AbsPath(path...).SetHeader("Accept", "application/json").MaxRetries(retriesOf(r))
	if r.Verb == actions.Delete {
		body, err := json.Marshal(deleteOptions(r))
		return request.SetHeader("Content-Type", "application/json").Body(body), err
	}
	if r.DryRun {
		request.Param("dryRun", "All")
	}
	if r.Subresource == "" {
		request.Param("fieldManager", "traintop")
	}
	if r.Strict {
		request.Param("fieldValidation", "Strict")
	}
	return request.Body(r.Body), nil
}

// retriesOf returns how often to retry if the server is overloaded. A refused
// eviction has the same status code but is not overload.
func retriesOf(r actions.Request) int {
	if r.Subresource == "eviction" {
		return 0
	}
	return 3
}

// deleteOptions returns meta/v1 DeleteOptions without unset fields: a zero
// grace period has a meaning of its own.
func deleteOptions(r actions.Request) map[string]any {
	options := map[string]any{
		"apiVersion": "v1", "kind": "DeleteOptions",
		"propagationPolicy": cmp.Or(r.Propagation, actions.Background),
	}
	if r.Ref.UID != "" {
		options["preconditions"] = map[string]any{"uid": r.Ref.UID}
	}
	if r.Grace != nil {
		options["gracePeriodSeconds"] = *r.Grace
	}
	if r.DryRun {
		options["dryRun"] = []string{"All"}
	}
	return options
}

// changeOf describes a change for messages.
func changeOf(r actions.Request) attempt {
	doing := map[actions.Verb]string{actions.Delete: "deleting", actions.Patch: "changing", actions.Update: "changing", actions.Create: "creating"}[r.Verb]
	switch r.Subresource {
	case "eviction":
		doing = "evicting"
	case "scale":
		doing = "scaling"
	case "ephemeralcontainers":
		doing = "adding a debug container to"
	}
	return attempt{
		doing: cmp.Or(doing, string(r.Verb)) + " " + r.Ref.Kind + " " + client.JoinName(r.Ref.Namespace, r.Ref.Name), ref: r.Ref,
		verb: string(r.Verb), subresource: r.Subresource, changes: true,
	}
}

// attempt describes what was tried, and the right that it needs.
type attempt struct {
	doing             string // "deleting Job ml/bert"
	ref               train.Ref
	verb, subresource string
	// changes is true if a request without an answer may have been executed.
	changes bool
}
