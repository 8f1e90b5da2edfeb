package act

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
)

// reviewsAtOnce limits concurrent reviews: kube-apiserver answers one in about
// a millisecond, a webhook behind it may take longer.
const reviewsAtOnce = 8

// Allowed checks rights with SelfSubjectAccessReviews, which anybody may
// create. Rights to several objects of one kind and namespace are first
// reviewed for all of its objects, and one by one only if that is refused.
func (c *Actor) Allowed(ctx context.Context, wanted []actions.Access) []actions.Verdict {
	r := &reviews{actor: c, ctx: client.WithoutLogs(ctx), slots: make(chan struct{}, reviewsAtOnce), asked: map[actions.Access]*review{}}
	verdicts := make([]actions.Verdict, len(wanted))
	var running sync.WaitGroup
	for i, access := range wanted {
		running.Go(func() { verdicts[i] = r.verdict(access) })
	}
	running.Wait()
	return verdicts
}

// reviews are the reviews of one call; each question is asked once.
type reviews struct {
	actor *Actor
	ctx   context.Context
	slots chan struct{}

	mu    sync.Mutex
	asked map[actions.Access]*review
}

type review struct {
	once    sync.Once
	verdict actions.Verdict
}

func (r *reviews) verdict(access actions.Access) actions.Verdict {
	forAll := access
	forAll.Name = ""
	verdict := r.ask(forAll)
	if verdict.Allowed || verdict.Unknown || access.Name == "" {
		return verdict
	}
	return r.ask(access)
}

func (r *reviews) ask(access actions.Access) actions.Verdict {
	r.mu.Lock()
	one := r.asked[access]
	if one == nil {
		one = &review{}
		r.asked[access] = one
	}
	r.mu.Unlock()
	one.once.Do(func() {
		select {
		case r.slots <- struct{}{}:
			defer func() { <-r.slots }()
			one.verdict = r.actor.review(r.ctx, access)
		case <-r.ctx.Done():
			one.verdict = actions.Verdict{Unknown: true, Reason: "the right was not reviewed: " + client.Cause(r.ctx.Err())}
		}
	})
	return one.verdict
}

// review makes one review request.
func (c *Actor) review(ctx context.Context, access actions.Access) actions.Verdict {
	at, err := c.reviewed(ctx, access)
	if err != nil {
		return unreviewed(err)
	}
	if at.ClusterScoped {
		access.Namespace = ""
	}
	status, err := reviewOnce(ctx, c.connection, access, at)
	switch {
	case err != nil:
		return unreviewed(err)
	case status.Allowed:
		return actions.Verdict{Allowed: true}
	case status.EvaluationError != "" && !status.Denied:
		return actions.Verdict{Unknown: true, Reason: "the API server could not review the right: " + client.Printable(status.EvaluationError)}
	}
	return actions.Verdict{Reason: whyDenied(access, at, status)}
}

func unreviewed(err error) actions.Verdict {
	said := client.Answer(err)
	var away *client.ConnectionError
	if errors.As(err, &away) {
		said = away.Error()
	}
	return actions.Verdict{Unknown: true, Reason: "the right was not reviewed: " + said}
}

// reviewed finds the resource of a kind, without a request for core kinds.
func (c *Actor) reviewed(ctx context.Context, access actions.Access) (client.Resource, error) {
	kind := schema.GroupKind{Group: access.Group, Kind: access.Kind}
	for _, r := range client.CoreResources {
		if r.Kind == kind {
			return r, nil
		}
	}
	var found client.Resource
	err := c.connection.Ask(ctx, func(ctx context.Context) (err error) {
		found, err = c.served.ResourceOf(ctx, c.connection, kind)
		return err
	})
	return found, err
}

func reviewOnce(ctx context.Context, c *client.Connection, access actions.Access, at client.Resource) (*authorizationv1.SubjectAccessReviewStatus, error) {
	question, err := json.Marshal(authorizationv1.SelfSubjectAccessReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "authorization.k8s.io/v1", Kind: "SelfSubjectAccessReview"},
		Spec: authorizationv1.SelfSubjectAccessReviewSpec{ResourceAttributes: &authorizationv1.ResourceAttributes{
			Namespace: access.Namespace, Verb: string(access.Verb), Group: at.Gvr.Group, Version: at.Gvr.Version,
			Resource: at.Gvr.Resource, Subresource: access.Subresource, Name: access.Name,
		}},
	})
	if err != nil {
		return nil, err
	}
	var answered authorizationv1.SelfSubjectAccessReview
	err = c.Ask(ctx, func(ctx context.Context) error {
		result := c.Core.Post().AbsPath("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews").
			SetHeader("Content-Type", "application/json").SetHeader("Accept", "application/json").Body(question).Do(ctx)
		if err := result.Error(); err != nil {
			return err // unlike Raw's error, it has the server's text
		}
		body, err := result.Raw()
		if err != nil {
			return err
		}
		return json.Unmarshal(body, &answered)
	})
	return &answered.Status, err
}
