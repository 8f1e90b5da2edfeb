package controlplane

import (
	"context"
	"fmt"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Grant is what a user may do: in one namespace, or with Namespace "" in the
// whole cluster.
type Grant struct {
	Namespace string
	Rules     []rbacv1.PolicyRule
}

// UserKubeconfig makes a user who may do what the grants allow and nothing
// else, and returns the path of a kubeconfig. Its context is in the namespace
// of the first grant that has one. It returns when the API server honours the
// grants.
func (c *ControlPlane) UserKubeconfig(ctx context.Context, user string, grants ...Grant) (string, error) {
	pair, err := c.ca.issue(user, "")
	if err != nil {
		return "", err
	}
	namespace := ""
	for i, grant := range grants {
		if namespace == "" {
			namespace = grant.Namespace
		}
		if err := c.Grant(ctx, user, fmt.Sprintf("%s-%d", user, i), grant); err != nil {
			return "", err
		}
	}
	return c.writeKubeconfig(user, pair, namespace)
}

// Grant gives a user further rights, in a role of the given name, and returns
// when the API server honours them.
func (c *ControlPlane) Grant(ctx context.Context, user, role string, grant Grant) error {
	if err := c.bind(ctx, user, role, grant); err != nil {
		return fmt.Errorf("grant rights to %s: %w", user, err)
	}
	return nil
}

func (c *ControlPlane) bind(ctx context.Context, user, name string, grant Grant) error {
	meta := metav1.ObjectMeta{Name: name, Namespace: grant.Namespace}
	subjects := []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: user}}
	rbac := c.clients.RbacV1()
	if grant.Namespace == "" {
		if _, err := rbac.ClusterRoles().Create(ctx, &rbacv1.ClusterRole{ObjectMeta: meta, Rules: grant.Rules}, metav1.CreateOptions{}); err != nil {
			return err
		}
		role := rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: name}
		if _, err := rbac.ClusterRoleBindings().Create(ctx, &rbacv1.ClusterRoleBinding{ObjectMeta: meta, Subjects: subjects, RoleRef: role}, metav1.CreateOptions{}); err != nil {
			return err
		}
	} else {
		if _, err := rbac.Roles(grant.Namespace).Create(ctx, &rbacv1.Role{ObjectMeta: meta, Rules: grant.Rules}, metav1.CreateOptions{}); err != nil {
			return err
		}
		role := rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: name}
		if _, err := rbac.RoleBindings(grant.Namespace).Create(ctx, &rbacv1.RoleBinding{ObjectMeta: meta, Subjects: subjects, RoleRef: role}, metav1.CreateOptions{}); err != nil {
			return err
		}
	}
	return c.honoured(ctx, user, grant)
}

// honoured waits for the authorizer, which follows roles by a watch.
func (c *ControlPlane) honoured(ctx context.Context, user string, grant Grant) error {
	for _, rule := range grant.Rules {
		if len(rule.Resources) == 0 {
			continue
		}
		name := ""
		if len(rule.ResourceNames) > 0 {
			name = rule.ResourceNames[0]
		}
		review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
			User: user,
			ResourceAttributes: &authorizationv1.ResourceAttributes{
				Namespace: grant.Namespace, Verb: rule.Verbs[0], Group: rule.APIGroups[0], Resource: rule.Resources[0], Name: name,
			},
		}}
		if err := c.poll(ctx, func(ctx context.Context) error {
			answer, err := c.clients.AuthorizationV1().SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
			if err == nil && !answer.Status.Allowed {
				err = fmt.Errorf("%s may not %s %s yet", user, rule.Verbs[0], rule.Resources[0])
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}
