package kube

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/validate/content"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Namespaces lists the names of all namespaces, in order.
func (c *Cluster) Namespaces(ctx context.Context) ([]string, error) {
	var names []string
	options := metav1.ListOptions{Limit: pageSize}
	for {
		var found corev1.NamespaceList
		err := c.connection.ask(ctx, func(ctx context.Context) error {
			return c.connection.core.Get().AbsPath("/api/v1/namespaces").VersionedParams(&options, parameters).Do(ctx).Into(&found)
		})
		if err != nil {
			return nil, fmt.Errorf("listing namespaces: %w", err)
		}
		for i := range found.Items {
			names = append(names, found.Items[i].Name)
		}
		if options.Continue = found.Continue; options.Continue == "" {
			slices.Sort(names)
			return names, nil
		}
	}
}

// CheckNamespace returns an *UnknownNamespaceError when the cluster has no
// such namespace, and nil when it has, or when one may not look.
func (c *Cluster) CheckNamespace(ctx context.Context, name string) error {
	if err := checkName(name); err != nil || name == "" {
		return err
	}
	err := c.connection.ask(ctx, func(ctx context.Context) error {
		return c.connection.core.Get().AbsPath("/api/v1/namespaces", name).Do(ctx).Error()
	})
	switch {
	case apierrors.IsForbidden(err):
		return nil
	case apierrors.IsNotFound(err):
		known, _ := c.Namespaces(ctx) // the error says so when they may not be listed
		return &UnknownNamespaceError{Name: name, Known: known}
	case err != nil:
		return fmt.Errorf("looking for namespace %s: %w", name, err)
	}
	return nil
}

// checkName refuses what would be another path when put into a URL.
func checkName(name string) error {
	if bad := content.IsPathSegmentName(name); len(bad) > 0 {
		return fmt.Errorf("%q is no name of a namespace or an object: %s", printable(name), strings.Join(bad, ", "))
	}
	return nil
}
