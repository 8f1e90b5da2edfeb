package client

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"golang.org/x/net/http/httpproxy"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"
)

// proxySchemes are those that net/http can ask through (Transport.Proxy, Go 1.26).
var proxySchemes = []string{"http", "https", "socks5", "socks5h"}

// ProxyURLError reports a variable that names a proxy and is no URL of one.
// net/http would ask the server without it, and say nothing.
type ProxyURLError struct {
	Variable, Value string
	Cause           error
}

// Error names the variable and its value without a password.
func (e *ProxyURLError) Error() string {
	return fmt.Sprintf("%s is no URL of a proxy: %q: %v; mend or unset it, or name the server in NO_PROXY", e.Variable, Printable(WithoutUser(e.Value)), e.Cause)
}

// Unwrap returns what is wrong with the URL.
func (e *ProxyURLError) Unwrap() error { return e.Cause }

// useProxy finds the proxy through which a server is asked, and says which and
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
	environment := httpproxy.FromEnvironment()
	value, names := environment.HTTPSProxy, []string{"HTTPS_PROXY", "https_proxy"}
	if server.Scheme == "http" {
		value, names = environment.HTTPProxy, []string{"HTTP_PROXY", "http_proxy"}
	}
	if value == "" || !goesThroughProxy(environment, server) {
		return "", nil
	}
	variable := names[max(0, slices.IndexFunc(names, func(name string) bool { return os.Getenv(name) != "" }))]
	proxy, err := proxyURL(value)
	if err != nil {
		return "", &ProxyURLError{variable, value, err}
	}
	find := environment.ProxyFunc()
	config.Proxy = func(r *http.Request) (*url.URL, error) { return find(r.URL) }
	return fmt.Sprintf("the proxy %s, which %s names", Printable(WithoutUser(proxy.String())), variable), nil
}

// goesThroughProxy reports whether NO_PROXY leaves a server to a proxy, whatever
// the proxy.
func goesThroughProxy(environment *httpproxy.Config, server *url.URL) bool {
	some := *environment
	some.HTTPProxy, some.HTTPSProxy, some.CGI = "http://proxy.invalid", "http://proxy.invalid", false
	proxy, err := some.ProxyFunc()(server)
	return err == nil && proxy != nil
}

// proxyURL parses the value of a variable as httpproxy does, a URL or a host with
// a port, but does not take http://[bad for a host that is called http.
func proxyURL(value string) (*url.URL, error) {
	proxy, err := url.Parse(value)
	if !strings.Contains(value, "://") && (err != nil || proxy.Scheme == "" || proxy.Host == "") {
		if bare, bareErr := url.Parse("http://" + value); bareErr == nil {
			proxy, err = bare, nil
		}
	}
	if wrong := (*url.Error)(nil); errors.As(err, &wrong) {
		err = wrong.Err // without the password
	}
	switch {
	case err != nil:
		return nil, err
	case proxy.Hostname() == "" && proxy.Port() == "":
		return nil, errors.New("it names no host")
	case !slices.Contains(proxySchemes, proxy.Scheme):
		return nil, fmt.Errorf("%s:// is no scheme of a proxy; http, https and socks5 are", Printable(proxy.Scheme))
	}
	return proxy, nil
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

// proxyHint is an addition to the message about such a request.
func proxyHint(err error) string {
	if through := proxyOf(err); through != "" {
		return "; it was asked through " + through
	}
	return ""
}
