package tables

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/traintop/traintop/sources/kube/client"
)

// server answers as an API server of one resource: what lists and watches answer is set
// by each test.
type server struct {
	*httptest.Server
	mu       sync.Mutex
	list     func(w http.ResponseWriter, r *http.Request)
	watch    func(w http.ResponseWriter, r *http.Request)
	requests []string
}

func newServer(t testing.TB) *server {
	s := &server{}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, r.URL.Path+"?"+r.URL.RawQuery)
	list, watch := s.list, s.watch
	s.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if r.URL.Query().Get("watch") == "true" {
		watch(w, r)
		return
	}
	list(w, r)
}

func (s *server) asked(part string) (times int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, request := range s.requests {
		if strings.Contains(request, part) {
			times++
		}
	}
	return times
}

func connect(t testing.TB, s *server) *client.Connection {
	t.Helper()
	flags := genericclioptions.NewConfigFlags(false)
	config := filepath.Join(t.TempDir(), "config")
	if err := os.WriteFile(config, []byte("apiVersion: v1\nkind: Config\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	flags.APIServer, flags.KubeConfig = &s.URL, &config
	c, err := client.Connect(flags, client.Timeouts{})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const columnDefinitions = `[{"name":"Name","type":"string","format":"name","description":"the name","priority":0},` +
	`{"name":"Status","type":"string","format":"","description":"","priority":0},` +
	`{"name":"Restarts","type":"integer","format":"","description":"","priority":0},` +
	`{"name":"Node","type":"string","format":"","description":"","priority":1}]`

// tableRow is a row as kube-apiserver 1.36 writes it, trimmed.
func tableRow(namespace, name, status string, version int) string {
	return fmt.Sprintf(`{"cells":[%q,%q,3,null],"object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{`+
		`"name":%[1]q,"namespace":%[3]q,"uid":"uid-%[1]s","resourceVersion":"%[4]d","creationTimestamp":"2026-11-20T08:50:00Z",`+
		`"labels":{"app":"web"},"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{\"data\":{\"password\":\"hunter2\"}}"},`+
		`"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web-5d","uid":"u1","controller":true}],`+
		`"managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","fieldsV1":{"f:status":{"f:phase":{}}}}]}}}`,
		name, status, namespace, version)
}

func tableOf(version int, rows ...string) string {
	return fmt.Sprintf(`{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"%d"},"columnDefinitions":%s,"rows":[%s]}`,
		version, columnDefinitions, strings.Join(rows, ","))
}

func eventOf(verb, object string) string {
	return fmt.Sprintf(`{"type":%q,"object":%s}`, verb, object) + "\n"
}

func refuse(w http.ResponseWriter, code int, reason, message string) {
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(map[string]any{
		"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason, "message": message,
	})
}
