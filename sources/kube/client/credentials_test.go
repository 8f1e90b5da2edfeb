package client

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"k8s.io/cli-runtime/pkg/genericclioptions"
)

// TestErrorsHoldNoCredentials: whatever the kubeconfig names as credentials, in
// whatever way a server quotes them.
func TestErrorsHoldNoCredentials(t *testing.T) {
	const secret = "kubetok/Zx93kQpLw8"
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	answers := map[string]func(http.ResponseWriter, string){
		"refused": func(w http.ResponseWriter, sent string) {
			http.Error(w, "request GET header "+sent+" refused", http.StatusForbidden)
		},
		"status": func(w http.ResponseWriter, sent string) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusForbidden)
			fmt.Fprintf(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","code":403,"message":"header %s %s refused"}`, sent, url.QueryEscape(secret))
		},
		"malformed header": func(w http.ResponseWriter, sent string) {
			connection, _, err := http.NewResponseController(w).Hijack()
			if err == nil {
				fmt.Fprintf(connection, "HTTP/1.1 200 OK\r\n\x01 %s refused\r\n\r\n", sent)
				_ = connection.Close()
			}
		},
		"redirect": func(w http.ResponseWriter, sent string) {
			w.Header().Set("Location", "https://login.example/refused/"+sent)
			w.WriteHeader(http.StatusFound)
		},
	}
	users := map[string]string{
		"token": "{token: " + secret + "}", "tokenFile": "{tokenFile: " + file + "}", "password": "{username: ada, password: " + secret + "}",
		"plugin": `{exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: printf, args: ['{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"` + secret + `"}}']}}`,
	}
	for answer, write := range answers {
		for user, fields := range users {
			t.Run(answer+" "+user, func(t *testing.T) {
				sent := ""
				server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					sent = r.Header.Get("Authorization")
					_, sent, _ = strings.Cut(sent, " ")
					if _, password, basic := r.BasicAuth(); basic {
						sent += " " + password
					}
					write(w, sent)
				}))
				defer server.Close()
				err := requestAs(t, server.URL, fields)
				if err == nil || sent == "" {
					t.Fatalf("%q was sent, and the error is %v", sent, err)
				}
				text := Cause(err) + " " + Answer(err) + " " + err.Error()
				for _, form := range []string{secret, url.QueryEscape(secret), base64.StdEncoding.EncodeToString([]byte("ada:" + secret))} {
					if strings.Contains(text, form) {
						t.Errorf("the error is %s", text)
					}
				}
				if !strings.Contains(text, "refused") || !strings.Contains(text, hiddenCredential) {
					t.Errorf("the error is %s", text)
				}
			})
		}
	}
}

// TestErrorsWithoutTLSHoldNoCredentials: client-go sends none without TLS, and a
// proxy may know them.
func TestErrorsWithoutTLSHoldNoCredentials(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "request GET header kubetok-Zx93kQpLw8 refused", http.StatusForbidden)
	}))
	defer server.Close()
	if text := requestAs(t, server.URL, "{token: kubetok-Zx93kQpLw8}").Error(); text != "request GET header "+hiddenCredential+" refused" {
		t.Errorf("the error is %s", text)
	}
}

// requestAs asks a server as a user of a kubeconfig.
func requestAs(t *testing.T, address, user string) error {
	t.Helper()
	kubeconfig := filepath.Join(t.TempDir(), "config")
	text := "clusters: [{name: c, cluster: {server: '" + address + "', insecure-skip-tls-verify: true}}]\nusers: [{name: u, user: " + user + "}]\ncontexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n"
	if err := os.WriteFile(kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	flags := genericclioptions.NewConfigFlags(false)
	flags.KubeConfig = &kubeconfig
	c, err := Connect(flags, Timeouts{})
	if err != nil {
		t.Fatal(err)
	}
	err = c.Core.Get().AbsPath("/api/v1/pods").MaxRetries(0).Do(t.Context()).Error()
	var asked *url.Error
	if errors.As(err, &asked) && asked.Timeout() {
		t.Fatal(err)
	}
	return err
}

// An address that cannot be used is named without what may be a name and a password,
// and a line of a plugin without the secrets that the plugin was given.
func TestAddressesAndPluginsHoldNoSecret(t *testing.T) {
	const secret = "PromPw88z"
	flags := func(cluster, user string) *genericclioptions.ConfigFlags {
		file := filepath.Join(t.TempDir(), "config")
		text := fmt.Sprintf("apiVersion: v1\nkind: Config\nclusters: [{name: c, cluster: {%s}}]\nusers: [{name: u, user: {%s}}]\ncontexts: [{name: x, context: {cluster: c, user: u}}]\ncurrent-context: x\n", cluster, user)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		f := genericclioptions.NewConfigFlags(false)
		f.KubeConfig = &file
		return f
	}
	for _, address := range []string{"ada:" + secret + "@127.0.0.1:1", "//ada:" + secret + "@127.0.0.1:1", "http://ada:" + secret} {
		for _, cluster := range []string{"server: 'https://127.0.0.1:1', proxy-url: '" + address + "'", "server: '" + address + "'"} {
			c, err := Connect(flags(cluster, "token: t"), Timeouts{})
			if err == nil {
				err = c.Core.Get().AbsPath("/api").MaxRetries(0).Do(t.Context()).Error()
			}
			if err == nil || strings.Contains(err.Error(), secret) {
				t.Errorf("%s: %v", cluster, err)
			}
		}
	}
	plugin := `exec: {apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never, command: sh, args: [--oidc-client-secret=` + secret + `, --client-secret, two` + secret + `], env: [{name: OIDC_CLIENT_SECRET, value: env` + secret + `}]}`
	if _, err := Connect(flags("server: 'https://127.0.0.1:1'", plugin), Timeouts{}); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"login failed for " + secret, "login failed for two" + secret, "login failed for env" + secret} {
		if got := PluginMessages.masked(line); strings.Contains(got, secret) {
			t.Errorf("%q: %q", line, got)
		}
	}
}
