package client

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"

	"golang.org/x/net/http/httpproxy"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"

	"github.com/traintop/traintop/sources/proxyenv"
)

// useProxy finds the proxy through which a server is asked, and reports which and
// who names it; "" for none. It reads the environment as net/http does, but each
// time.
func useProxy(config *rest.Config) (through string, err error) {
	server, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return "", fmt.Errorf("reading the address of the server: %w", err)
	}
	if config.Proxy != nil {
		if proxy, err := config.Proxy(&http.Request{URL: server}); err == nil && proxy != nil {
			return fmt.Sprintf("the proxy %s, which proxy-url in the kubeconfig names", Printable(WithoutUser(proxy.String()))), nil
		}
		return "", nil
	}
	proxy, err := proxyenv.For(server)
	if err != nil || proxy == nil {
		return "", err
	}
	find := httpproxy.FromEnvironment().ProxyFunc()
	config.Proxy = func(r *http.Request) (*url.URL, error) { return find(r.URL) }
	return fmt.Sprintf("the proxy %s, which %s names", Printable(WithoutUser(proxy.URL.String())), proxy.Variable), nil
}

// proxiedError is the error of a request that was sent through a proxy and
// brought no answer.
type proxiedError struct {
	error
	through string
}

// Unwrap returns the error.
func (e *proxiedError) Unwrap() error { return e.error }

// Timeout implements that part of net.Error which net/http looks for.
func (e *proxiedError) Timeout() bool {
	late, is := errors.AsType[interface {
		error
		Timeout() bool
	}](e.error)
	return is && late.Timeout()
}

// ThroughProxy adds the proxy of the connection, if there is one, to the error of a
// request that brought no answer.
func (c *Connection) ThroughProxy(err error) error {
	if status := apierrors.APIStatus(nil); errors.As(err, &status) || proxyOf(err) != "" {
		return err
	}
	return throughProxy(err, c.through)
}

// throughProxy adds the proxy to an error; through is "" for none.
func throughProxy(err error, through string) error {
	if err == nil || through == "" {
		return err
	}
	return &proxiedError{err, through}
}

// proxyOf returns the proxy of a request that brought no answer, "" for none.
func proxyOf(err error) string {
	if proxied := (*proxiedError)(nil); errors.As(err, &proxied) {
		return proxied.through
	}
	return ""
}

// ProxyHint is an addition to the message about a request that brought no answer: the
// proxy that it was sent through, "" for none.
func ProxyHint(err error) string {
	if through := proxyOf(err); through != "" {
		return "; it was asked through " + through
	}
	return ""
}
