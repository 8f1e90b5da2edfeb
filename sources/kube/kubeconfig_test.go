package kube

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/traintop/traintop/sources/kube/client"
)

const twoContexts = `apiVersion: v1
kind: Config
current-context: lab
clusters:
- {name: lab, cluster: {server: "https://lab.example:6443"}}
- {name: prod, cluster: {server: "https://prod.example:6443"}}
users:
- {name: ada, user: {token: "x"}}
contexts:
- {name: prod, context: {cluster: prod, user: ada, namespace: ml}}
- {name: lab, context: {cluster: lab, user: ada}}
`

func flagsFor(t *testing.T, kubeconfig string) *genericclioptions.ConfigFlags {
	t.Helper()
	// No files of this machine, and no cluster that the test may run in.
	t.Setenv("KUBERNETES_SERVICE_HOST", "")
	t.Setenv("KUBECONFIG", filepath.Join(t.TempDir(), "none"))
	flags := genericclioptions.NewConfigFlags(false)
	if kubeconfig != "" {
		file := filepath.Join(t.TempDir(), "config")
		writeFile(t, file, kubeconfig)
		flags.KubeConfig = &file
	}
	return flags
}

func TestContexts(t *testing.T) {
	flags := flagsFor(t, twoContexts)
	contexts, err := client.Contexts(flags)
	if err != nil {
		t.Fatal(err)
	}
	want := []client.Context{
		{Name: "lab", Cluster: "lab", User: "ada", Namespace: "default", Current: true},
		{Name: "prod", Cluster: "prod", User: "ada", Namespace: "ml"},
	}
	if diff := cmp.Diff(want, contexts); diff != "" {
		t.Error(diff)
	}
	*flags.Context = "prod"
	c, err := New(Options{Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	if c.Context() != "prod" || c.Namespace() != "ml" || c.Address() != "https://prod.example:6443" {
		t.Errorf("context %s, namespace %s, address %s", c.Context(), c.Namespace(), c.Address())
	}
}

func TestNothingToConnectTo(t *testing.T) {
	_, err := New(Options{Flags: flagsFor(t, "")})
	var none *client.NoKubeconfigError
	if !errors.As(err, &none) {
		t.Fatalf("got %v, want NoKubeconfigError", err)
	}
	for _, want := range []string{"traintop demo", "--from", none.Tried[0]} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not say %q", err, want)
		}
	}

	flags := flagsFor(t, "")
	missing := filepath.Join(t.TempDir(), "missing")
	flags.KubeConfig = &missing
	if _, err := New(Options{Flags: flags}); !errors.As(err, &none) || !strings.Contains(err.Error(), missing) {
		t.Errorf("got %v, want NoKubeconfigError that names the file", err)
	}
}

// The error for a missing kubeconfig names the flag or variable that named it.
func TestMissingKubeconfigSaysWhoNamedIt(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "missing")
	byFlag := flagsFor(t, "")
	byFlag.KubeConfig = &missing
	for name, test := range map[string]struct {
		flags *genericclioptions.ConfigFlags
		says  string
	}{
		"flag":     {byFlag, missing + ", named by --kubeconfig, does not exist; mend --kubeconfig"},
		"variable": {flagsFor(t, ""), ", named by KUBECONFIG, does not exist; mend KUBECONFIG"},
		"empty":    {flagsFor(t, "apiVersion: v1\nkind: Config\n"), ", named by --kubeconfig, tells of no cluster"},
	} {
		if _, err := New(Options{Flags: test.flags}); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: %v, want %q", name, err, test.says)
		}
	}
	usual := flagsFor(t, "")
	t.Setenv("KUBECONFIG", "")
	t.Setenv("HOME", t.TempDir())
	if got := client.NoKubeconfig(usual, nil).NamedBy; got != "" {
		t.Errorf("the usual place is named by %q", got)
	}
}

// A context with missing parts uses neither localhost nor missing credentials.
func TestContextsThatLeadNowhere(t *testing.T) {
	tests := []struct {
		name, old, by string
		says          []string
	}{
		{"cluster", "{cluster: lab, user: ada}", "{cluster: lob, user: ada}", []string{`context "lab" names the cluster "lob", which is not in the kubeconfig /`, "it has lab, prod", "--cluster"}},
		{"no cluster", "{cluster: lab, user: ada}", "{user: ada}", []string{`context "lab" names no cluster in the kubeconfig /`}},
		{"server", `cluster: {server: "https://lab.example:6443"}`, "cluster: {}", []string{`cluster "lab" of context "lab" has no server in the kubeconfig /`, "--server"}},
		{"user", "{cluster: lab, user: ada}", "{cluster: lab, user: eve}", []string{`context "lab" names the user "eve", which is not in the kubeconfig /`, "it has ada", "--user"}},
	}
	for _, test := range tests {
		flags := flagsFor(t, strings.Replace(twoContexts, test.old, test.by, 1))
		_, err := New(Options{Flags: flags})
		var missing *client.MissingPartError
		if !errors.As(err, &missing) {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		for _, want := range append(test.says, *flags.KubeConfig) {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", test.name, err, want)
			}
		}
	}
	server, token := "https://elsewhere.example", "x"
	flags := flagsFor(t, strings.Replace(twoContexts, "{cluster: lab, user: ada}", "{cluster: lob, user: eve}", 1))
	flags.APIServer, flags.BearerToken = &server, &token
	if _, err := New(Options{Flags: flags}); err != nil {
		t.Errorf("with --server and --token: %v", err)
	}
	if _, err := New(Options{Flags: flagsFor(t, strings.Replace(twoContexts, "{cluster: lab, user: ada}", "{cluster: lab}", 1))}); err != nil {
		t.Errorf("without a user: %v", err)
	}
}

func TestUnknownContext(t *testing.T) {
	flags := flagsFor(t, twoContexts)
	*flags.Context = "staging"
	_, err := New(Options{Flags: flags})
	var unknown *client.UnknownContextError
	if !errors.As(err, &unknown) || !strings.Contains(err.Error(), `"staging"`) || !strings.Contains(err.Error(), "lab, prod") {
		t.Errorf("got %v, want the contexts that exist", err)
	}

	_, err = New(Options{Flags: flagsFor(t, strings.Replace(twoContexts, "current-context: lab\n", "", 1))})
	if !errors.As(err, &unknown) || unknown.Name != "" || !strings.Contains(err.Error(), "--context") {
		t.Errorf("got %v, want to be asked for a context", err)
	}
}

func TestBrokenKubeconfig(t *testing.T) {
	for _, text := range []string{"\x00\xff", "contexts: 7", "apiVersion: v9\nkind: Config\n", "["} {
		if _, err := New(Options{Flags: flagsFor(t, text)}); err == nil {
			t.Errorf("%q was taken for a kubeconfig", text)
		}
	}
}

func TestNamespaces(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		for _, name := range []string{"ml", "default"} {
			s.put("/api/v1/namespaces/"+name, map[string]any{"kind": "Namespace", "apiVersion": "v1"})
		}
		c, err := New(Options{Flags: s.flags()})
		if err != nil {
			t.Fatal(err)
		}
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasSuffix(r.URL.Path, "/nope") {
				return false
			}
			refuseWith(w, 404, "NotFound", `namespaces "nope" not found`)
			return true
		})
		ctx := context.Background()
		names, err := c.Namespaces(ctx)
		if diff := cmp.Diff([]string{"default", "ml"}, names); err != nil || diff != "" {
			t.Errorf("%v %s", err, diff)
		}
		if err := c.CheckNamespace(ctx, "ml"); err != nil {
			t.Error(err)
		}
		var unknown *client.UnknownNamespaceError
		if err := c.CheckNamespace(ctx, "nope"); !errors.As(err, &unknown) || !strings.Contains(err.Error(), "default, ml") {
			t.Errorf("got %v, want the namespaces that exist", err)
		}
		if err := c.CheckNamespace(ctx, "../../nodes"); err == nil {
			t.Error("a path was taken for a namespace")
		}
		s.forbid(func(string) bool { return true })
		if err := c.CheckNamespace(ctx, "nope"); err != nil {
			t.Errorf("got %v where nobody may look", err)
		}
		s.stop()
		var lost *client.ConnectionError
		if _, err := c.Namespaces(ctx); !errors.As(err, &lost) || !strings.Contains(err.Error(), "http://cluster.example:6443") {
			t.Errorf("got %v, want the address that does not answer", err)
		}
	})
}

func TestFilesOfCredentialsThatNeverEndAreRefused(t *testing.T) {
	endless := func(cluster, user string) string {
		return "apiVersion: v1\nkind: Config\ncurrent-context: lab\nclusters: [{name: lab, cluster: {server: \"https://lab.example:6443\"" + cluster + "}}]\n" +
			"users: [{name: ada, user: {" + user + "}}]\ncontexts: [{name: lab, context: {cluster: lab, user: ada}}]\n"
	}
	for setting, kubeconfig := range map[string]string{
		"certificate-authority": endless(", certificate-authority: /dev/zero", "token: x"),
		"client-certificate":    endless("", "client-certificate: /dev/zero, client-key: /dev/null"),
		"client-key":            endless("", "client-certificate: /dev/null, client-key: /dev/zero"),
		"tokenFile":             endless("", "tokenFile: /dev/zero"),
	} {
		_, err := New(Options{Flags: flagsFor(t, kubeconfig)})
		if err == nil || !strings.Contains(err.Error(), setting) || !strings.Contains(err.Error(), "it is a device and no plain file") {
			t.Errorf("%s is a device that never ends: %v", setting, err)
		}
	}
	flags, zero := flagsFor(t, twoContexts), "/dev/zero"
	flags.CAFile = &zero
	if _, err := New(Options{Flags: flags}); err == nil || !strings.Contains(err.Error(), "no plain file") {
		t.Errorf("--certificate-authority is a device that never ends: %v", err)
	}
}
