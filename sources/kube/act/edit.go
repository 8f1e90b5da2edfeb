package act

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jsonutil "k8s.io/apimachinery/pkg/util/json"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train"
)

// An edit is sent as a JSON merge patch between the object that was read and
// the person's result, both without masks: only edited fields are written, and
// never a mask. It has the resourceVersion of the object that the diff was
// shown for. An object whose status changes by itself, such as that of a
// running job, is read again and patched as long as nothing else differs from
// what was shown.

// Fetch reads an object for editing.
func (c *Actor) Fetch(ctx context.Context, ref train.Ref) (actions.Draft, error) {
	object, err := c.fetchExact(ctx, ref)
	if err != nil {
		return actions.Draft{}, c.editFailure(ctx, "reading", ref, err)
	}
	ref.UID = textAt(object, "metadata", "uid")
	draft, err := DraftOf(ref, object)
	if err != nil {
		return actions.Draft{}, c.editFailure(ctx, "reading", ref, err)
	}
	return draft, nil
}

// DryRun returns the object that the server would make of the text.
func (c *Actor) DryRun(ctx context.Context, d actions.Draft, text []byte) (actions.Proposal, error) {
	proposal, err := c.dryRun(ctx, d, text)
	if err != nil {
		return actions.Proposal{}, c.editFailure(ctx, "checking the change of", d.Ref, err)
	}
	return proposal, nil
}

func (c *Actor) dryRun(ctx context.Context, d actions.Draft, text []byte) (actions.Proposal, error) {
	patch, err := PatchOf(d, text)
	if err != nil {
		return actions.Proposal{}, err
	}
	if len(patch) == 0 {
		return actions.Proposal{Unchanged: true}, nil
	}
	live, err := c.fetchExact(ctx, d.Ref)
	if err != nil {
		return actions.Proposal{}, err
	}
	if err := sameWhereEdited(d, live, patch); err != nil {
		return actions.Proposal{}, err
	}
	request, err := editRequest(d.Ref, patch, live)
	if err != nil {
		return actions.Proposal{}, err
	}
	request.DryRun = true
	answer, err := c.change(ctx, request)
	if err != nil {
		return actions.Proposal{}, err
	}
	request.DryRun = false
	return proposalOf(request, patch, live, answer)
}

func proposalOf(request actions.Request, patch, live map[string]any, answer []byte) (actions.Proposal, error) {
	var after map[string]any
	if err := jsonutil.Unmarshal(answer, &after); err != nil {
		return actions.Proposal{}, fmt.Errorf("reading what the server answers: %w", err)
	}
	diff, err := maskedDiff(live, after)
	if err != nil {
		return actions.Proposal{}, err
	}
	raw, err := jsonutil.Marshal(live)
	return actions.Proposal{Request: request, Changed: fieldsOf(patch), Diff: diff, Live: raw}, err
}

// applyTries limits how often an object that changes by itself is read again.
const applyTries = 5

// Apply sends the patch.
func (c *Actor) Apply(ctx context.Context, p actions.Proposal) error {
	if p.Unchanged {
		return nil
	}
	request := p.Request
	for try := 1; ; try++ {
		_, err := c.change(ctx, request)
		if err == nil {
			return nil
		}
		failed := c.editFailure(ctx, "changing", p.Request.Ref, err)
		if failed.Kind != actions.Conflict || try == applyTries {
			return failed
		}
		if request, err = c.rebound(ctx, p); err != nil {
			return c.editFailure(ctx, "changing", p.Request.Ref, err)
		}
	}
}

// rebound updates a proposal to the current object, if that is the one shown.
func (c *Actor) rebound(ctx context.Context, p actions.Proposal) (actions.Request, error) {
	live, err := c.fetchExact(ctx, p.Request.Ref)
	if err != nil {
		return actions.Request{}, err
	}
	var shown, patch map[string]any
	if err := jsonutil.Unmarshal(p.Live, &shown); err != nil {
		return actions.Request{}, err
	}
	if !equalJSON(editable(shown), editable(live)) {
		return actions.Request{}, &editedError{}
	}
	if err := jsonutil.Unmarshal(p.Request.Body, &patch); err != nil {
		return actions.Request{}, err
	}
	return editRequest(p.Request.Ref, patch, live)
}

// editedError reports that somebody else changed the edited fields.
type editedError struct{ fields []string }

func (e *editedError) Error() string {
	where := ""
	if len(e.fields) > 0 {
		where = " (" + client.Printable(strings.Join(e.fields, ", ")) + ")"
	}
	return "somebody else changed it meanwhile" + where + "; edit it again as it is now"
}

func (c *Actor) editFailure(ctx context.Context, doing string, ref train.Ref, err error) *actions.Failure {
	tried := attempt{doing: doing + " " + ref.Kind + " " + client.JoinName(ref.Namespace, ref.Name), ref: ref, verb: "patch", changes: doing == "changing"}
	if doing == "reading" {
		tried.verb = "get"
	}
	if conflict, ok := err.(*editedError); ok { //nolint:errorlint // ours, never wrapped
		return &actions.Failure{Kind: actions.Conflict, Text: tried.doing + ": " + conflict.Error(), Cause: err}
	}
	return changeFailure(ctx, c.connection.Address, tried, err)
}

// fetchExact reads an object unchanged, with integers as integers.
func (c *Actor) fetchExact(ctx context.Context, ref train.Ref) (map[string]any, error) {
	if err := checkEdit(ref); err != nil {
		return nil, err
	}
	var object map[string]any
	err := c.connection.Ask(ctx, func(ctx context.Context) error {
		at, err := c.resourceFor(ctx, schema.GroupKind{Group: ref.Group, Kind: ref.Kind})
		if err != nil {
			return err
		}
		result := c.connection.Core.Get().AbsPath(at.Path(ref.Namespace, ref.Name)...).SetHeader("Accept", "application/json").Do(ctx)
		if err := result.Error(); err != nil {
			return err
		}
		body, _ := result.Raw()
		return jsonutil.Unmarshal(body, &object)
	})
	if err == nil && ref.UID != "" && textAt(object, "metadata", "uid") != ref.UID {
		err = &replacedError{}
	}
	return object, err
}

func checkEdit(ref train.Ref) error {
	if keepsSecrets(ref) {
		return &unaskedError{"traintop never asks for what is in a " + ref.Kind + "; use kubectl"}
	}
	if ref.Name == "" {
		return &unaskedError{"it has no name"}
	}
	for _, part := range []string{ref.Namespace, ref.Name} {
		if err := client.CheckName(part); err != nil {
			return &unaskedError{err.Error()}
		}
	}
	return nil
}

// editRequest returns the patch with the version of its object. The server
// refuses unknown fields rather than dropping them.
func editRequest(ref train.Ref, patch, live map[string]any) (actions.Request, error) {
	bound := map[string]any{}
	for key, value := range patch {
		bound[key] = value
	}
	metadata := map[string]any{}
	if given, ok := patch["metadata"].(map[string]any); ok {
		for key, value := range given {
			metadata[key] = value
		}
	}
	metadata["resourceVersion"] = textAt(live, "metadata", "resourceVersion")
	bound["metadata"] = metadata
	body, err := jsonutil.Marshal(bound)
	return actions.Request{
		Verb: actions.Patch, Ref: ref, PatchType: "application/merge-patch+json", Body: body, Strict: true,
	}, err
}

// mergePatch returns the JSON merge patch (RFC 7386) between two objects.
// Libraries for it parse integers as floats, which changes large ones.
func mergePatch(from, to map[string]any) map[string]any {
	patch := map[string]any{}
	for key := range from {
		if _, stays := to[key]; !stays {
			patch[key] = nil
		}
	}
	for key, after := range to {
		before, there := from[key]
		inner, isMap := after.(map[string]any)
		old, wasMap := before.(map[string]any)
		switch {
		case isMap && wasMap:
			if deeper := mergePatch(old, inner); len(deeper) > 0 {
				patch[key] = deeper
			}
		case !there || !equalJSON(before, after):
			patch[key] = after
		}
	}
	return patch
}

// maskedDiff returns the difference with secrets masked.
func maskedDiff(before, after map[string]any) (string, error) {
	from, err := shownYAML(editable(before))
	if err != nil {
		return "", err
	}
	to, err := shownYAML(editable(after))
	if err != nil {
		return "", err
	}
	return udiff.Unified("now", "after", string(from), string(to)), nil
}

func equalJSON(a, b any) bool {
	one, err := jsonutil.Marshal(a)
	if err != nil {
		return false
	}
	other, err := jsonutil.Marshal(b)
	return err == nil && bytes.Equal(one, other)
}
