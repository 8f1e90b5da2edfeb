package kube

import (
	"context"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/traintop/traintop/sources/kube/client"
)

// namespacesLimit is how long listing all namespaces may take, since a person
// waits for it.
const namespacesLimit = 20 * time.Second

// Namespaces lists the names of all namespaces, sorted. With an error it
// returns those received.
func (c *Cluster) Namespaces(ctx context.Context) ([]string, error) {
	var names []string
	options := metav1.ListOptions{Limit: pageSize}
	for pages := newListPages(namespacesLimit); ; {
		found, err := pages.readPage(ctx, func(ctx context.Context) (runtime.Object, error) { return c.namespacesPage(ctx, options) })
		if page, ok := found.(*corev1.NamespaceList); ok {
			for i := range page.Items {
				names = append(names, page.Items[i].Name)
			}
			options.Continue = page.Continue
		}
		slices.Sort(names)
		if err != nil {
			return names, fmt.Errorf("listing namespaces: %w", err)
		}
		if options.Continue == "" {
			return names, nil
		}
	}
}

func (c *Cluster) namespacesPage(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	page := &corev1.NamespaceList{}
	err := c.connection.Ask(ctx, func(ctx context.Context) error {
		return c.connection.Core.Get().AbsPath("/api/v1/namespaces").VersionedParams(&options, client.Parameters).Do(ctx).Into(page)
	})
	return page, err
}

// CheckNamespace returns an *UnknownNamespaceError if the cluster has no such
// namespace, and nil if it has or if reading it is not allowed.
func (c *Cluster) CheckNamespace(ctx context.Context, name string) error {
	if err := client.CheckName(name); err != nil || name == "" {
		return err
	}
	err := c.connection.Ask(ctx, func(ctx context.Context) error {
		return c.connection.Core.Get().AbsPath("/api/v1/namespaces", name).Do(ctx).Error()
	})
	switch {
	case apierrors.IsForbidden(err):
		return nil
	case apierrors.IsNotFound(err):
		known, _ := c.Namespaces(ctx) // the error reports it if they may not be listed
		return &client.UnknownNamespaceError{Name: name, Known: known}
	case err != nil:
		return fmt.Errorf("looking for namespace %s: %w", name, err)
	}
	return nil
}
