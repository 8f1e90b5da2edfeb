package prometheus

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strings"

	"k8s.io/client-go/transport"

	"github.com/traintop/traintop/sources/localfile"
	"github.com/traintop/traintop/sources/proxyenv"
	"github.com/traintop/traintop/sources/redact"
)

// Off is the URL that disables the source.
const Off = "off"

// Settings configure the server; intervals.go sets how often it is queried. The zero value searches
// for one in the cluster.
type Settings struct {
	// URL is the root of the API, with the prefix before /api/v1 if any; ""
	// searches for a server in the cluster, "off" disables the source.
	URL string `json:"url"`

	BearerToken     Secret `json:"bearerToken"`
	BearerTokenFile string `json:"bearerTokenFile"`
	Username        string `json:"username"`
	PasswordFile    string `json:"passwordFile"`

	CAFile             string `json:"caFile"`
	CertFile           string `json:"certFile"`
	KeyFile            string `json:"keyFile"`
	InsecureSkipVerify bool   `json:"insecureSkipVerify"`

	// Headers are added to each request: X-Scope-OrgID, for instance. No message
	// contains their values.
	Headers map[string]Secret `json:"headers"`
	// Match is added to each selector: `cluster="prod"` for a server with several
	// clusters.
	Match string `json:"match"`
}

// Secret is a text that no message and no print of the settings shows.
type Secret string

const hidden = "(hidden)"

// String hides the secret.
func (Secret) String() string { return hidden }

// GoString hides it from %#v.
func (Secret) GoString() string { return hidden }

// MarshalText hides it from JSON and YAML.
func (Secret) MarshalText() ([]byte, error) { return []byte(hidden), nil }

// String returns the server's address and no credentials.
func (s Settings) String() string { return shown(s.URL) }

// GoString is String.
func (s Settings) GoString() string { return s.String() }

// Endpoint prepares the connection to the server in URL. It reads files and sends
// no request. Its errors name the setting that is wrong.
func (s *Settings) Endpoint() (*Endpoint, error) {
	at, user, password, err := s.address()
	if err != nil {
		return nil, err
	}
	config := &transport.Config{
		BearerToken: string(s.BearerToken), BearerTokenFile: s.BearerTokenFile,
		Username: cmp.Or(s.Username, user), Password: password,
		TLS: transport.TLSConfig{
			Insecure: s.InsecureSkipVerify, CAFile: s.CAFile, CertFile: s.CertFile, KeyFile: s.KeyFile,
			ReloadTLSFiles: true,
		},
		Proxy:              proxyenv.OfRequest,
		DisableCompression: true, // endpoint.go decompresses, with a limit
	}
	if err := s.complete(config); err != nil {
		return nil, err
	}
	through, err := transport.New(config)
	if err != nil {
		return nil, fmt.Errorf("preparing the connection to Prometheus at %s: %w", at, err)
	}
	endpoint := &Endpoint{URL: at, Transport: through}
	if len(s.Headers) > 0 {
		endpoint.Transport = &withHeaders{s.headers(), through}
	}
	for _, value := range s.Headers {
		if len(value) >= shortestSecret {
			endpoint.secrets = append(endpoint.secrets, string(value))
		}
	}
	return endpoint, nil
}

// shortestSecret is the length of the shortest value of a header that is looked for in
// messages: a shorter one, as of X-Scope-OrgID, may be a part of any word.
const shortestSecret = 8

// address parses the URL; a user and a password in it are removed from it.
func (s *Settings) address() (at *url.URL, user, password string, err error) {
	at, err = url.Parse(s.URL)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return nil, "", "", fmt.Errorf("the URL of Prometheus is %q; it has to look like https://prometheus.example.com/prefix, or be off", shown(s.URL))
	}
	if at.RawQuery != "" || at.Fragment != "" {
		return nil, "", "", fmt.Errorf("the URL of Prometheus is %q; it may not have a query or a fragment", shown(s.URL))
	}
	if at.User != nil {
		user = at.User.Username()
		password, _ = at.User.Password()
		at.User = nil
	}
	at.Path = strings.TrimSuffix(strings.TrimSuffix(at.Path, "/"), "/api/v1")
	return at, user, password, nil
}

// shown returns a URL that cannot be used, without what may be a password or a
// token.
func shown(text string) string {
	if before, _, found := strings.Cut(text, "?"); found {
		text = before + "?" + hidden
	}
	return oneLine(redact.HideAddress(text, text))
}

// complete checks settings that depend on each other, and reads the password.
func (s *Settings) complete(config *transport.Config) error {
	bearer := config.BearerToken != "" || config.BearerTokenFile != ""
	switch {
	case bearer && config.Username != "":
		return errors.New("prometheus: a bearer token and a username are both set; a server takes one of them")
	case s.PasswordFile != "" && config.Username == "":
		return errors.New("prometheus: passwordFile is set without a username")
	case (s.CertFile == "") != (s.KeyFile == ""):
		return errors.New("prometheus: certFile and keyFile belong together; one of them is missing")
	case s.CAFile != "" && s.InsecureSkipVerify:
		return errors.New("prometheus: caFile says whom to trust and insecureSkipVerify to trust everyone; give one of the two")
	}
	for _, file := range []struct{ setting, path string }{
		{"bearerTokenFile", s.BearerTokenFile}, {"passwordFile", s.PasswordFile}, {"caFile", s.CAFile}, {"certFile", s.CertFile}, {"keyFile", s.KeyFile},
	} {
		if file.path == "" {
			continue
		}
		text, err := localfile.Read(file.path, localfile.Settings)
		if err != nil {
			return fmt.Errorf("prometheus: reading %s: %w", file.setting, err)
		}
		if file.setting == "passwordFile" {
			config.Password = strings.TrimRight(string(text), "\r\n")
		}
	}
	return nil
}

func (s *Settings) headers() http.Header {
	headers := http.Header{}
	for _, name := range slices.Sorted(maps.Keys(s.Headers)) {
		headers.Set(textproto.CanonicalMIMEHeaderKey(name), string(s.Headers[name]))
	}
	return headers
}

// withHeaders adds headers to each request.
type withHeaders struct {
	headers http.Header
	next    http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (w *withHeaders) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	for name, values := range w.headers {
		request.Header[name] = values
	}
	return w.next.RoundTrip(request)
}
