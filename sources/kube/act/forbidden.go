package act

import (
	"fmt"
	"regexp"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train/kinds"
)

// mayNot is what the API server prints about a missing right (k8s.io/apiserver
// 1.36: pkg/endpoints/handlers/responsewriters/errors.go).
var mayNot = regexp.MustCompile(`cannot \S+ resource "`)

// whyForbidden distinguishes a missing right from other refusals with the same
// reason.
func whyForbidden(tried attempt, s metav1.Status) (actions.FailureKind, string) {
	if !mayNot.MatchString(s.Message) {
		if _, why, cut := strings.Cut(s.Message, " is forbidden: "); cut {
			return actions.Invalid, "the API server refuses it: " + client.Printable(why)
		}
		return actions.Forbidden, "the API server refuses it: " + client.Printable(s.Message)
	}
	resource, group := kinds.Plural(schema.GroupKind{Group: tried.ref.Group, Kind: tried.ref.Kind}), tried.ref.Group
	if s.Details != nil && s.Details.Kind != "" {
		resource, group = s.Details.Kind, s.Details.Group
	}
	return actions.Forbidden, "you may not; " + ruleFor(tried.verb, group, resource, tried.subresource, tried.ref.Namespace)
}

// ruleFor names the RBAC rule that would allow something, and how to check it.
func ruleFor(verb, group, resource, subresource, namespace string) string {
	role, within, check := "ClusterRole", "", ""
	if namespace != "" {
		role, within, check = "Role", " in namespace "+namespace, " -n "+namespace
	}
	named, asked := resource, resource
	if group != "" {
		asked += "." + group
	}
	if subresource != "" {
		named += "/" + subresource
		check = " --subresource=" + subresource + check
	}
	if group != "" {
		named += " of API group " + group
	}
	return client.Printable(fmt.Sprintf("it needs a %s with verb %s on %s%s (check with `kubectl auth can-i %s %s%s`)",
		role, verb, named, within, verb, asked, check))
}

// whyDenied names the missing right and the RBAC rule that would grant it.
func whyDenied(access actions.Access, at client.Resource, status *authorizationv1.SubjectAccessReviewStatus) string {
	what := at.Gvr.Resource
	if access.Subresource != "" {
		what += "/" + access.Subresource
	}
	text := fmt.Sprintf("you may not %s %s", access.Verb, what)
	if access.Namespace != "" {
		text += " in namespace " + access.Namespace
	}
	if status.Reason != "" {
		text += " (" + client.Printable(status.Reason) + ")"
	}
	return client.Printable(text) + "; " + ruleFor(string(access.Verb), at.Gvr.Group, at.Gvr.Resource, access.Subresource, access.Namespace)
}
