package client

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"

	"golang.org/x/net/http/httpproxy"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/traintop/traintop/sources/localfile"
	"github.com/traintop/traintop/sources/redact"
)

const (
	// hiddenCredential takes the place of a credential.
	hiddenCredential = "<redacted:credentials>"
	// mostCredentials bounds how many are hidden, the newest: a token file and a
	// plugin give a new one now and then.
	mostCredentials = 8
	// shortestCredential is the shortest that is hidden: the letters of a shorter one
	// are in other words too.
	shortestCredential = 4
	// mostRefusal is how much of a refusal is read.
	mostRefusal = 1 << 20
)

// credentials are what the requests of a connection sent to prove who asks: tokens
// and passwords, wherever they came from. Servers and proxies quote them in
// answers, without a shape that shows what they are. Many goroutines may use it.
type credentials struct {
	mu    sync.Mutex
	named []string // by the kubeconfig or by flags
	sent  []string // newest last
	forms []string // as servers write them, longest first
}

// name remembers the credentials of a kubeconfig and of flags, which client-go does
// not send to a server without TLS; one that knows them from elsewhere may quote
// them. A plugin may quote the secrets that it is given, and errors quote addresses.
func (c *credentials) name(flags *genericclioptions.ConfigFlags, raw clientcmdapi.Config) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.named = []string{value(flags.BearerToken), value(flags.Password)}
	for _, user := range raw.AuthInfos {
		c.named = append(c.named, user.Token, user.Password)
		c.named = append(c.named, givenToPlugin(user.Exec)...)
		if user.TokenFile == "" {
			continue
		}
		if token, err := localfile.Read(user.TokenFile, mostRefusal); err == nil { // using it will report the error
			c.named = append(c.named, strings.TrimSpace(string(token)))
		}
	}
	for _, address := range addresses(flags, raw) {
		c.named = append(c.named, redact.AddressSecrets(address)...)
	}
	c.collect()
}

// givenToPlugin are the values of secret names among the variables and the flags of a
// credential plugin.
func givenToPlugin(plugin *clientcmdapi.ExecConfig) (secrets []string) {
	if plugin == nil {
		return nil
	}
	for _, variable := range plugin.Env {
		if redact.Secret(variable.Name, variable.Value) {
			secrets = append(secrets, variable.Value)
		}
	}
	for i, arg := range plugin.Args {
		flag, value, given := strings.Cut(arg, "=")
		if !given && i+1 < len(plugin.Args) {
			value = plugin.Args[i+1]
		}
		if name := strings.TrimLeft(flag, "-"); name != flag && redact.Secret(name, value) {
			secrets = append(secrets, value)
		}
	}
	return secrets
}

// addresses are those that a kubeconfig, flags and the environment name.
func addresses(flags *genericclioptions.ConfigFlags, raw clientcmdapi.Config) []string {
	all := []string{value(flags.APIServer)}
	for _, cluster := range raw.Clusters {
		all = append(all, cluster.Server, cluster.ProxyURL)
	}
	environment := httpproxy.FromEnvironment()
	return append(all, environment.HTTPSProxy, environment.HTTPProxy)
}

// note remembers the credential of an Authorization header.
func (c *credentials) note(header string) {
	scheme, value, _ := strings.Cut(header, " ")
	value = strings.TrimSpace(value)
	if len(value) < shortestCredential {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if slices.Contains(c.sent, value) {
		return
	}
	if user, err := base64.StdEncoding.DecodeString(value); err == nil && strings.EqualFold(scheme, "Basic") {
		_, password, _ := strings.Cut(string(user), ":")
		c.sent = append(c.sent, password)
	}
	c.sent = append(c.sent, value)
	c.sent = c.sent[max(0, len(c.sent)-mostCredentials):]
	c.collect()
}

// collect finds the forms of all credentials. mu is held.
func (c *credentials) collect() {
	c.forms = nil
	for _, value := range slices.Concat(c.named, c.sent) {
		c.add(value)
	}
	slices.SortFunc(c.forms, func(a, b string) int { return len(b) - len(a) })
}

// add adds the forms of a value: as it is, in JSON and in a URL. mu is held.
func (c *credentials) add(value string) {
	if len(value) < shortestCredential {
		return
	}
	quoted, _ := json.Marshal(value) // a string always can be
	c.forms = append(c.forms, value, strings.Trim(string(quoted), `"`), url.QueryEscape(value), url.PathEscape(value))
}

// hide replaces the credentials in a text.
func (c *credentials) hide(text string) string { return c.replace(text, nil) }

// hideIn returns an error, nil for none, whose text holds no credential.
func (c *credentials) hideIn(err error) error {
	if err == nil {
		return nil
	}
	if text := c.hide(err.Error()); text != err.Error() {
		return &hidingError{text, err}
	}
	return err
}

// hideEqual does so without changing the length of a text, for formats that write
// lengths.
func (c *credentials) hideEqual(text string) string {
	return c.replace(text, func(form string) string {
		return (hiddenCredential + strings.Repeat(" ", len(form)))[:len(form)]
	})
}

func (c *credentials) replace(text string, by func(form string) string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, form := range c.forms {
		hidden := hiddenCredential
		if by != nil {
			hidden = by(form)
		}
		text = strings.ReplaceAll(text, form, hidden)
	}
	return text
}

// hidesCredentials is a transport whose errors and refusals hold no credentials of
// the requests. It is next to the network, where requests have their credentials.
type hidesCredentials struct {
	next http.RoundTripper
	sent *credentials
}

// RoundTrip implements http.RoundTripper.
func (h *hidesCredentials) RoundTrip(request *http.Request) (*http.Response, error) {
	h.sent.note(request.Header.Get("Authorization"))
	response, err := h.next.RoundTrip(request)
	if err != nil {
		return response, h.sent.hideIn(err)
	}
	if response.StatusCode >= http.StatusMultipleChoices {
		h.clean(response)
	}
	return response, nil
}

// WrappedRoundTripper lets client-go find the inner transport.
func (h *hidesCredentials) WrappedRoundTripper() http.RoundTripper { return h.next }

// clean hides credentials in the header and the text of an answer that is none to
// what was asked.
func (h *hidesCredentials) clean(response *http.Response) {
	for _, values := range response.Header {
		for i := range values {
			values[i] = h.sent.hide(values[i])
		}
	}
	if response.Body == nil || response.Header.Get("Content-Encoding") != "" {
		return
	}
	hide := h.sent.hide
	if strings.Contains(response.Header.Get("Content-Type"), "protobuf") {
		hide = h.sent.hideEqual
	}
	response.Header.Del("Content-Length")
	response.ContentLength = -1
	response.Body = &cleanBody{ReadCloser: response.Body, hide: hide}
}

// cleanBody reads the text of a refusal as a whole, since a credential may be cut
// between two reads.
type cleanBody struct {
	io.ReadCloser
	hide func(string) string
	text *bytes.Reader // nil before the first read
	err  error         // after the text
}

// Read implements io.Reader.
func (b *cleanBody) Read(p []byte) (int, error) {
	if b.text == nil {
		text, err := io.ReadAll(io.LimitReader(b.ReadCloser, mostRefusal))
		b.text, b.err = bytes.NewReader([]byte(b.hide(string(text)))), err
	}
	n, err := b.text.Read(p)
	if err != nil && b.err != nil {
		err = b.err
	}
	return n, err
}

// hidingError is an error whose text held a credential. net/url asks for Timeout
// without unwrapping.
type hidingError struct {
	text string
	err  error
}

// Error returns the text without the credential.
func (e *hidingError) Error() string { return e.text }

// Unwrap returns the error with it, to be recognised and not to be printed.
func (e *hidingError) Unwrap() error { return e.err }

// Timeout reports whether the error is one of time.
func (e *hidingError) Timeout() bool {
	late, is := e.err.(interface{ Timeout() bool }) //nolint:errorlint // as net/url does
	return is && late.Timeout()
}
