package kube

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/rest"

	"github.com/traintop/traintop/sources/kube/client"
)

// apiServer implements as much of the Kubernetes API as a reader needs:
// version, discovery, paged lists, streamed lists and watches with resource
// versions. Clients reach it through pipes, so that tests run in a synctest
// bubble.
type apiServer struct {
	t      *testing.T
	server *http.Server
	conns  *pipes
	// ended closes when the server has left its listener alone, which it closes
	// at its end.
	ended chan struct{}

	mu       sync.Mutex
	minor    string
	revision int
	// compacted is the oldest revision that a watch may start from.
	compacted int
	served    map[string]bool // group/version/Kind/plural
	objects   map[string]map[string]any
	log       []change
	changed   chan struct{}
	// answer may answer a request itself, and then returns true.
	answer   func(w http.ResponseWriter, r *http.Request) bool
	requests []request
}

type change struct {
	revision int
	verb     string
	path     string // of the object
	object   map[string]any
}

type request struct {
	path, accept, query string
	watch               bool
}

func newAPIServer(t *testing.T) *apiServer {
	t.Helper()
	s := &apiServer{
		t: t, minor: "30", revision: 100, served: map[string]bool{},
		objects: map[string]map[string]any{}, changed: make(chan struct{}),
		conns: newPipes(),
	}
	s.start()
	t.Cleanup(func() { s.server.Close() })
	return s
}

func (s *apiServer) start() {
	s.conns.open()
	s.server = &http.Server{Handler: s}
	server, ended := s.server, make(chan struct{})
	s.ended = ended
	go func() {
		defer close(ended)
		server.Serve(s.conns)
	}()
}

// stop closes every connection and refuses new ones.
func (s *apiServer) stop() {
	s.conns.refuse()
	s.server.Close()
	<-s.ended // or it closes the listener of the next one
}

func (s *apiServer) flags() *genericclioptions.ConfigFlags {
	flags := genericclioptions.NewConfigFlags(false)
	address := "http://cluster.example:6443"
	flags.APIServer = &address
	namespace := "ml"
	flags.Namespace = &namespace
	empty := s.t.TempDir() + "/config"
	writeFile(s.t, empty, "apiVersion: v1\nkind: Config\n")
	flags.KubeConfig = &empty
	return flags.WithWrapConfigFn(func(c *rest.Config) *rest.Config {
		c.Dial = s.conns.dial
		return c
	})
}

// serve adds a kind to discovery, or removes it, as
// "kubeflow.org/v1/PyTorchJob/pytorchjobs".
func (s *apiServer) serve(kind string, served bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.served[kind] = served
}

// put creates or changes an object at its path, "/api/v1/namespaces/ml/pods/a".
func (s *apiServer) put(path string, object map[string]any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revision++
	verb := "ADDED"
	if _, exists := s.objects[path]; exists {
		verb = "MODIFIED"
	}
	metadata, _ := object["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
		object["metadata"] = metadata
	}
	metadata["resourceVersion"] = strconv.Itoa(s.revision)
	parts := strings.Split(path, "/")
	metadata["name"] = parts[len(parts)-1]
	if i := slices.Index(parts, "namespaces"); i >= 0 && i < len(parts)-3 {
		metadata["namespace"] = parts[i+1]
	}
	if metadata["uid"] == nil {
		metadata["uid"] = "uid-" + parts[len(parts)-1]
	}
	asCreated(object)
	s.objects[path] = object
	s.record(change{s.revision, verb, path, object})
}

// asCreated adds to a pod that a test does not describe what each pod has.
func asCreated(object map[string]any) {
	if object["kind"] != "Pod" {
		return
	}
	for part, least := range map[string]map[string]any{
		"spec": {"containers": []any{map[string]any{"name": "main", "image": "a"}}}, "status": {"phase": "Pending"},
	} {
		of, is := object[part].(map[string]any)
		if !is {
			of = map[string]any{}
			object[part] = of
		}
		for field, value := range least {
			if of[field] == nil {
				of[field] = value
			}
		}
	}
}

func (s *apiServer) remove(path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revision++
	object := maps.Clone(s.objects[path])
	delete(s.objects, path)
	s.record(change{s.revision, "DELETED", path, object})
}

// skip counts so many revisions of objects that nobody here asks for.
func (s *apiServer) skip(revisions int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revision += revisions
}

func (s *apiServer) record(c change) {
	s.log = append(s.log, c)
	close(s.changed)
	s.changed = make(chan struct{})
}

// compact drops history, so that watches from before it expire.
func (s *apiServer) compact() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.compacted = s.revision
	s.log = nil
}

func (s *apiServer) intercept(answer func(http.ResponseWriter, *http.Request) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
}

func (s *apiServer) seen() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

func (s *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, request{r.URL.Path, r.Header.Get("Accept"), r.URL.RawQuery, r.URL.Query().Get("watch") == "true"})
	answer, minor := s.answer, s.minor
	s.mu.Unlock()
	switch {
	case answer != nil && answer(w, r):
	case r.URL.Path == "/version":
		fmt.Fprintf(w, `{"major":"1","minor":%q}`, minor)
	case r.URL.Path == "/apis":
		s.discovery(w)
	case r.URL.Query().Get("watch") == "true":
		s.watch(w, r)
	default:
		s.read(w, r)
	}
}

func (s *apiServer) discovery(w http.ResponseWriter) {
	s.mu.Lock()
	defer s.mu.Unlock()
	items := []any{map[string]any{"metadata": map[string]any{"name": "batch"}, "versions": []any{map[string]any{"version": "v1", "freshness": "Current"}}}}
	for entry, served := range s.served {
		if !served {
			continue
		}
		part := append(strings.Split(entry, "/"), "Namespaced") // or the scope as the fifth
		items = append(items, map[string]any{
			"metadata": map[string]any{"name": part[0]},
			"versions": []any{map[string]any{"version": part[1], "freshness": "Current", "resources": []any{
				map[string]any{"resource": part[3], "scope": part[4], "responseKind": map[string]any{"kind": part[2]}},
			}}},
		})
	}
	w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
	json.NewEncoder(w).Encode(map[string]any{"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "items": items})
}

func (s *apiServer) read(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if object, ok := s.objects[r.URL.Path]; ok {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(object)
		return
	}
	items := s.under(r.URL.Path)
	offset, _ := strconv.Atoi(r.URL.Query().Get("continue"))
	limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
	metadata := map[string]any{"resourceVersion": strconv.Itoa(s.revision)}
	items = items[min(offset, len(items)):]
	if limit > 0 && len(items) > limit && r.URL.Query().Get("resourceVersion") != "0" {
		items = items[:limit]
		metadata["continue"] = strconv.Itoa(offset + limit)
	}
	if strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadataList") {
		writeMetadata(w, items, metadata)
		return
	}
	kind, apiVersion := typeOf(r.URL.Path)
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"kind": kind + "List", "apiVersion": apiVersion, "metadata": metadata, "items": items})
}

// under returns the objects of a collection, in order.
func (s *apiServer) under(collection string) []any {
	var paths []string
	for path := range s.objects {
		if inCollection(collection, path) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	items := []any{}
	for _, path := range paths {
		items = append(items, s.objects[path])
	}
	return items
}

// inCollection reports whether a path is in a collection: /api/v1/pods
// contains /api/v1/namespaces/ml/pods/a.
func inCollection(collection, path string) bool {
	if rest, ok := strings.CutPrefix(path, collection+"/"); ok {
		return !strings.Contains(rest, "/")
	}
	base, plural := collection[:strings.LastIndex(collection, "/")], collection[strings.LastIndex(collection, "/")+1:]
	rest, ok := strings.CutPrefix(path, base+"/namespaces/")
	part := strings.Split(rest, "/")
	return ok && len(part) == 3 && part[1] == plural
}

func (s *apiServer) watch(w http.ResponseWriter, r *http.Request) {
	from, _ := strconv.Atoi(r.URL.Query().Get("resourceVersion"))
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	w.(http.Flusher).Flush()
	partial := strings.Contains(r.Header.Get("Accept"), "as=PartialObjectMetadata")
	send := func(verb string, object any) {
		if o, ok := object.(map[string]any); ok && partial && verb != "ERROR" {
			object = map[string]any{"kind": "PartialObjectMetadata", "apiVersion": "meta.k8s.io/v1", "metadata": o["metadata"]}
		}
		json.NewEncoder(w).Encode(map[string]any{"type": verb, "object": object})
		w.(http.Flusher).Flush()
	}
	kind, apiVersion := typeOf(r.URL.Path)
	if r.URL.Query().Get("sendInitialEvents") == "true" {
		s.mu.Lock()
		items, at := s.under(r.URL.Path), s.revision
		s.mu.Unlock()
		for _, item := range items {
			send("ADDED", item)
		}
		send("BOOKMARK", map[string]any{"kind": kind, "apiVersion": apiVersion, "metadata": map[string]any{
			"resourceVersion": strconv.Itoa(at), "annotations": map[string]any{metav1.InitialEventsAnnotationKey: "true"},
		}})
		from = at
	}
	for {
		s.mu.Lock()
		changed, expired := s.changed, from < s.compacted
		var changes []change
		for _, c := range s.log {
			if c.revision > from && inCollection(r.URL.Path, c.path) {
				changes = append(changes, c)
			}
		}
		from = max(from, s.revision)
		s.mu.Unlock()
		if expired {
			send("ERROR", status(http.StatusGone, "Expired", "too old resource version"))
			return
		}
		for _, c := range changes {
			send(c.verb, c.object)
		}
		select {
		case <-changed:
		case <-r.Context().Done():
			return
		}
	}
}

func typeOf(path string) (kind, apiVersion string) {
	part := strings.Split(strings.TrimPrefix(path, "/"), "/")
	apiVersion, plural := part[1], part[len(part)-1]
	if part[0] == "apis" {
		apiVersion = part[1] + "/" + part[2]
	}
	known := map[string]string{"pytorchjobs": "PyTorchJob", "mpijobs": "MPIJob", "storageclasses": "StorageClass", "localqueues": "LocalQueue", "clusterqueues": "ClusterQueue"}
	for _, r := range client.CoreResources {
		known[r.Gvr.Resource] = r.Kind.Kind
	}
	return known[plural], apiVersion
}

func status(code int, reason, message string) map[string]any {
	return map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason, "message": message}
}

func refuseWith(w http.ResponseWriter, code int, reason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	json.NewEncoder(w).Encode(status(code, reason, message))
}

// writeMetadata answers in protobuf, the only format that the client accepts.
func writeMetadata(w http.ResponseWriter, items []any, listMeta map[string]any) {
	list := &metav1.PartialObjectMetadataList{}
	list.APIVersion, list.Kind = "meta.k8s.io/v1", "PartialObjectMetadataList"
	list.ResourceVersion = listMeta["resourceVersion"].(string)
	for _, item := range items {
		text, _ := json.Marshal(item)
		var partial metav1.PartialObjectMetadata
		json.Unmarshal(text, &partial)
		list.Items = append(list.Items, partial)
	}
	w.Header().Set("Content-Type", client.Protobuf)
	for _, info := range serializer.NewCodecFactory(client.Scheme).SupportedMediaTypes() {
		if info.MediaType == client.Protobuf {
			info.Serializer.Encode(list, w)
		}
	}
}

// pipes is a listener in memory.
type pipes struct {
	mu       sync.Mutex
	accepted chan net.Conn
	closed   chan struct{}
}

func newPipes() *pipes { return &pipes{} }

func (p *pipes) open() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.accepted, p.closed = make(chan net.Conn), make(chan struct{})
}

func (p *pipes) refuse() { p.Close() }

func (p *pipes) channels() (chan net.Conn, chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.accepted, p.closed
}
