package e2e

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"sync"
	"testing"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// requests is a proxy to the API server, for an administrator, that records the
// requests.
type requests struct {
	mu   sync.Mutex
	read int
	// other are those that are not a get, list or watch, as "POST /api/...".
	other []string
}

// newRequests makes one, and a kubeconfig with contexts of these names that all
// go through it; the first is the current one.
func newRequests(t *testing.T, namespace string, contexts ...string) (*requests, string) {
	t.Helper()
	to, err := url.Parse(cluster.URL())
	must(t, err)
	transport, err := rest.TransportFor(cluster.RESTConfig())
	must(t, err)
	r := &requests{}
	forward := &httputil.ReverseProxy{Rewrite: func(p *httputil.ProxyRequest) { p.SetURL(to) }, Transport: transport, FlushInterval: -1}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, asked *http.Request) {
		r.note(asked)
		forward.ServeHTTP(w, asked)
	}))
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })

	config := api.NewConfig()
	config.Clusters["counted"], config.AuthInfos["me"] = &api.Cluster{Server: server.URL}, &api.AuthInfo{}
	for _, name := range contexts {
		config.Contexts[name] = &api.Context{Cluster: "counted", AuthInfo: "me", Namespace: namespace}
	}
	config.CurrentContext = contexts[0]
	path := filepath.Join(t.TempDir(), "kubeconfig")
	must(t, clientcmd.WriteToFile(*config, path))
	return r, path
}

// entering are the requests that are a GET and yet go into a container.
var entering = regexp.MustCompile(`/pods/[^/]+/(exec|attach|portforward)$`)

func (r *requests) note(asked *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if asked.Method == http.MethodGet && !entering.MatchString(asked.URL.Path) {
		r.read++
		return
	}
	r.other = append(r.other, asked.Method+" "+asked.URL.Path)
}

// taken are the requests that only read, and the others, since the last call.
func (r *requests) taken() (read int, other []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	read, other = r.read, slices.Clone(r.other)
	r.read, r.other = 0, nil
	return read, other
}
