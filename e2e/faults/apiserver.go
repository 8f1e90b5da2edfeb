package faults

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
)

// token is what requests must carry.
const token = "token-of-the-recorded-cluster"

// cluster answers as the API server of the recorded cluster does, when all is
// well.
type cluster struct {
	objects objects
	logs    map[string][]byte
	exports []byte
}

// target is what the path of a request names.
type target struct{ root, namespace, plural, name, sub string }

func targetOf(path string) target {
	part := strings.Split(strings.Trim(path, "/"), "/")
	skip := 3
	if part[0] == "api" {
		skip = 2
	}
	if len(part) <= skip {
		return target{root: path}
	}
	t := target{root: "/" + strings.Join(part[:skip], "/")}
	part = part[skip:]
	if part[0] == "namespaces" && len(part) > 2 {
		t.namespace, part = part[1], part[2:]
	}
	t.plural = part[0]
	if len(part) > 1 {
		t.name, t.sub = part[1], strings.Join(part[2:], "/")
	}
	return t
}

// collection is where all objects beside the target are listed.
func (t target) collection() string { return t.root + "/" + t.plural }

// ServeHTTP implements http.Handler.
func (c *cluster) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	t := targetOf(r.URL.Path)
	_, served := c.objects[t.collection()]
	switch {
	case r.Header.Get("Authorization") != "Bearer "+token:
		refuse(w, http.StatusUnauthorized, "Unauthorized", "Unauthorized")
	case r.URL.Path == "/version":
		answer(w, map[string]any{"major": "1", "minor": "34", "gitVersion": "v1.34.1"})
	case r.URL.Path == "/apis":
		c.discover(w)
	case r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "accessreviews"):
		answer(w, map[string]any{"kind": "SelfSubjectAccessReview", "apiVersion": "authorization.k8s.io/v1", "status": map[string]any{"allowed": true}})
	case t.sub == "log":
		c.log(w, r, t)
	case t.sub == "exec" || t.sub == "attach":
		refuse(w, http.StatusForbidden, "Forbidden", fmt.Sprintf(`pods %q is forbidden: User "jane" cannot create resource "pods/%s" in API group "" in the namespace %q`, t.name, t.sub, t.namespace))
	case strings.HasPrefix(t.sub, "proxy/"):
		c.proxy(w, r, t)
	case !served:
		refuse(w, http.StatusNotFound, "NotFound", "the server could not find the requested resource")
	case r.URL.Query().Get("watch") == "true":
		c.watch(w, r, t)
	case t.name != "":
		c.get(w, t)
	default:
		c.list(w, r, t)
	}
}

func answer(w http.ResponseWriter, value any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(value) // the client may have left
}

// refuse answers with a Status, as the API server does.
func refuse(w http.ResponseWriter, code int, reason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = json.NewEncoder(w).Encode(status(code, reason, message)) // the client may have left
}

func status(code int, reason, message string) map[string]any {
	return map[string]any{"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code, "reason": reason, "message": message}
}
