package prometheus

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestSettings(t *testing.T) {
	file := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(file, []byte("s3cret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := func(s Settings, want func(*http.Request) bool) {
		t.Helper()
		asked := false
		there := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			asked = true
			if !want(r) {
				t.Errorf("asked for %s with %v", r.URL, r.Header)
			}
			_, _ = io.WriteString(w, `{"status":"success","data":[]}`)
		}))
		defer there.Close()
		s.URL = strings.ReplaceAll(s.URL, "SERVER", strings.TrimPrefix(there.URL, "http://"))
		e, err := s.Endpoint()
		if err != nil {
			t.Error(err)
			return
		}
		if err := e.get(t.Context(), time.Minute, "/api/v1/x", nil, func(in io.Reader) error { _, err := io.ReadAll(in); return err }); err != nil || !asked {
			t.Error(err)
		}
		if text := fmt.Sprintf("%v %+v %#v %s", s, s, s, e); strings.Contains(text, "s3cret") {
			t.Errorf("a secret is shown: %s", text)
		}
		if text, err := json.Marshal(s); err != nil || strings.Contains(string(text), `"s3cret`) {
			t.Errorf("a secret is shown: %s (%v)", text, err)
		}
	}
	basic := func(r *http.Request) bool {
		user, password, _ := r.BasicAuth()
		return user == "u" && password == "s3cret"
	}
	f(Settings{URL: "http://SERVER"}, func(r *http.Request) bool {
		return r.URL.Path == "/api/v1/x" && r.Header.Get("Authorization") == "" && r.Method == http.MethodGet
	})
	f(Settings{URL: "http://SERVER/prometheus/", BearerToken: "s3cret"}, func(r *http.Request) bool {
		return r.URL.Path == "/prometheus/api/v1/x" && r.Header.Get("Authorization") == "Bearer s3cret"
	})
	f(Settings{URL: "http://SERVER/select/0/prometheus/api/v1", BearerTokenFile: file}, func(r *http.Request) bool {
		return r.URL.Path == "/select/0/prometheus/api/v1/x" && r.Header.Get("Authorization") == "Bearer s3cret"
	})
	f(Settings{URL: "http://SERVER", Username: "u", PasswordFile: file}, basic)
	f(Settings{URL: "http://u:s3cret@SERVER"}, basic)
	f(Settings{URL: "http://SERVER", Headers: map[string]Secret{"x-scope-orgid": "s3cret"}}, func(r *http.Request) bool {
		return r.Header.Get("X-Scope-Orgid") == "s3cret"
	})
}

func TestWrongSettings(t *testing.T) {
	f := func(s Settings, want string) {
		t.Helper()
		_, err := s.Endpoint()
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "s3cret") {
			t.Errorf("%v, want %q", err, want)
		}
	}
	f(Settings{URL: "prometheus:9090"}, "look like https://")
	f(Settings{URL: "ftp://u:s3cret@host/"}, "look like https://")
	f(Settings{URL: "http://host/?token=s3cret"}, "may not have a query")
	f(Settings{URL: "ftp://host/?token=s3cret@more"}, "look like https://")
	f(Settings{URL: "https://u:s3cret@ho st/"}, "look like https://")
	f(Settings{URL: "https://u:s3cret@host/?x=1"}, "query")
	f(Settings{URL: "https://host", BearerToken: "s3cret", Username: "u"}, "one of them")
	f(Settings{URL: "https://host", PasswordFile: "/x"}, "without a username")
	f(Settings{URL: "https://host", CertFile: "/x"}, "belong together")
	f(Settings{URL: "https://host", CAFile: "/nowhere/ca.pem"}, "reading caFile")
	f(Settings{URL: "https://host", BearerTokenFile: "/nowhere/token"}, "reading bearerTokenFile")
}

// Credentials are not sent to the target of a redirect.
func TestRedirectsAreNotFollowed(t *testing.T) {
	elsewhere := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a redirect was followed") }))
	defer elsewhere.Close()
	there := httptest.NewServer(http.RedirectHandler(elsewhere.URL, http.StatusFound))
	defer there.Close()
	s := Settings{URL: there.URL, BearerToken: "s3cret"}
	e, err := s.Endpoint()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.get(t.Context(), time.Minute, "/api/v1/x", nil, func(io.Reader) error { return nil }); err == nil {
		t.Error("a redirect is taken for an answer")
	}
}

func TestTLS(t *testing.T) {
	there := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{}`) }))
	defer there.Close()
	ask := func(s Settings) error {
		s.URL = there.URL
		e, err := s.Endpoint()
		if err != nil {
			return err
		}
		return e.get(t.Context(), time.Minute, "/", nil, func(io.Reader) error { return nil })
	}
	if err := ask(Settings{}); err == nil || !strings.Contains(err.Error(), "certificate") {
		t.Errorf("a certificate that nobody knows: %v", err)
	}
	if err := ask(Settings{InsecureSkipVerify: true}); err != nil {
		t.Error(err)
	}
}

// A variable that names a proxy and is no URL of one fails the request, as with the
// API server and receivers: net/http would ask without it, and report nothing.
func TestWrongProxyIsSaid(t *testing.T) {
	t.Setenv("HTTP_PROXY", "htp://u:s3cret@proxy.example.com:3128")
	t.Setenv("NO_PROXY", "")
	e, err := (&Settings{URL: "http://prometheus.invalid"}).Endpoint()
	if err != nil {
		t.Fatal(err)
	}
	err = e.get(t.Context(), time.Minute, "/api/v1/x", nil, func(io.Reader) error { return nil })
	text := trouble("asking", e, err).Text
	if !strings.Contains(text, `HTTP_PROXY is no URL of a proxy: "htp://proxy.example.com:3128"`) || strings.Contains(text, "s3cret") {
		t.Error(text)
	}
}

// A proxy of the environment is asked.
func TestProxyIsAsked(t *testing.T) {
	asked := ""
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = r.URL.String()
		_, _ = io.WriteString(w, `{}`)
	}))
	defer proxy.Close()
	t.Setenv("HTTP_PROXY", proxy.URL)
	t.Setenv("NO_PROXY", "")
	e, err := (&Settings{URL: "http://prometheus.invalid"}).Endpoint()
	if err != nil {
		t.Fatal(err)
	}
	if err := e.get(t.Context(), time.Minute, "/api/v1/x", nil, func(io.Reader) error { return nil }); err != nil || asked != "http://prometheus.invalid/api/v1/x" {
		t.Errorf("the proxy was asked for %q: %v", asked, err)
	}
}
