package kube

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/traintop/traintop/sources/kube/client"
)

// mostServices limits how many Services one label selector may find.
const mostServices = 1000

// Services lists the Services with certain labels in all namespaces. If that
// is refused, it returns a RefusedError; it does not try single namespaces.
func (c *Cluster) Services(ctx context.Context, selector string) ([]corev1.Service, error) {
	var found corev1.ServiceList
	err := c.connection.Ask(ctx, func(ctx context.Context) error {
		options := metav1.ListOptions{LabelSelector: selector, Limit: mostServices}
		return c.connection.Core.Get().AbsPath("/api/v1/services").VersionedParams(&options, client.Parameters).Do(ctx).Into(&found)
	})
	switch {
	case apierrors.IsForbidden(err):
		return nil, &RefusedError{Verb: "list", Resource: "services", Cause: err}
	case err != nil:
		return nil, fmt.Errorf("listing services with %s: %w", selector, err)
	}
	return found.Items, nil
}

// RefusedError reports a missing right.
type RefusedError struct {
	Verb, Resource string
	Cause          error
}

// Error names the refused verb and resource, with the server's text.
func (e *RefusedError) Error() string {
	return fmt.Sprintf("%s %s was refused: %s", e.Verb, e.Resource, client.Answer(e.Cause))
}

// Unwrap returns the server's answer.
func (e *RefusedError) Unwrap() error { return e.Cause }

// ServiceProxy returns access to a port of a Service: the API server forwards
// requests below the URL, sent through the transport with the credentials of
// the kubeconfig. Each needs the right to its verb (GET: get) on
// services/proxy in the namespace. The transport has its own connections, and
// must be used only for URLs of the API server.
func (c *Cluster) ServiceProxy(namespace, name string, port int32, https bool) (*url.URL, http.RoundTripper) {
	target := name + ":" + strconv.Itoa(int(port))
	if https {
		target = "https:" + target
	}
	at := c.connection.Proxied.Get().AbsPath("/api/v1/namespaces", namespace, "services", target, "proxy").URL()
	at.RawQuery = ""
	return at, c.connection.Proxied.Client.Transport
}
