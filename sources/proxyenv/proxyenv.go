// Package proxyenv finds the proxy that the environment names for a server
// (HTTPS_PROXY, HTTP_PROXY, NO_PROXY, as net/http reads them), and reports a variable that names no proxy:
// net/http would ask the server without it, and
// report nothing.
package proxyenv

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"

	"golang.org/x/net/http/httpproxy"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/termtext"
)

// schemes are those that net/http can ask through (Transport.Proxy, Go 1.26).
var schemes = []string{"http", "https", "socks5", "socks5h"}

// longest is how much of a variable an error quotes, in characters.
const longest = 500

// URLError reports a variable that names a proxy and is no URL of one.
type URLError struct {
	Variable, Value string
	Cause           error
}

// Error names the variable and its value without a password.
func (e *URLError) Error() string {
	cause := redact.HideAddress(e.Cause.Error(), e.Value)
	return fmt.Sprintf("%s is no URL of a proxy: %q: %s; mend or unset it, or name the server in NO_PROXY", e.Variable, termtext.Short(WithoutUser(e.Value), longest), cause)
}

// Unwrap returns what is wrong with the URL.
func (e *URLError) Unwrap() error { return e.Cause }

// Proxy is a proxy and the variable that names it.
type Proxy struct {
	URL      *url.URL
	Variable string
}

// For returns the proxy of a server, nil for none, or a *URLError. It reads the
// environment each time.
func For(server *url.URL) (*Proxy, error) {
	environment := httpproxy.FromEnvironment()
	value, names := environment.HTTPSProxy, []string{"HTTPS_PROXY", "https_proxy"}
	if server.Scheme == "http" {
		value, names = environment.HTTPProxy, []string{"HTTP_PROXY", "http_proxy"}
	}
	if value == "" || !goesThroughProxy(environment, server) {
		return nil, nil
	}
	variable := names[max(0, slices.IndexFunc(names, func(name string) bool { return os.Getenv(name) != "" }))]
	proxy, err := proxyURL(value)
	if err != nil {
		return nil, &URLError{variable, value, err}
	}
	return &Proxy{proxy, variable}, nil
}

// OfRequest is For as the Proxy of an http.Transport: nil means none, and a
// *URLError ends the request.
func OfRequest(r *http.Request) (*url.URL, error) {
	proxy, err := For(r.URL)
	if err != nil || proxy == nil {
		return nil, err
	}
	return proxy.URL, nil
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
	case !slices.Contains(schemes, proxy.Scheme):
		return nil, fmt.Errorf("%s:// is no scheme of a proxy; http, https and socks5 are", termtext.Short(proxy.Scheme, longest))
	}
	return proxy, nil
}

// WithoutUser returns an address without the user and the password that it may
// contain. In what is no URL they are hidden.
func WithoutUser(address string) string {
	if at, err := url.Parse(address); err == nil && at.Host != "" {
		at.User = nil
		address = at.String()
	}
	return redact.HideAddress(address, address)
}
