package tables

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
)

// TestVersionsWhoseAnswerIsNoListAreNamed: a version of which the server names no
// resource, with or without aggregated discovery, did not answer, as the job list's
// discovery has it.
func TestVersionsWhoseAnswerIsNoListAreNamed(t *testing.T) {
	const jobs = `{"kind":"APIResourceList","groupVersion":"batch/v1","resources":[{"name":"jobs","kind":"Job","namespaced":true,"verbs":["list"]}]}`
	const pods = `{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"pods","kind":"Pod","namespaced":true,"verbs":["list"]}]}`
	const group = `{"name":"kubeflow.org","versions":[{"groupVersion":"kubeflow.org/v1","version":"v1"}],"preferredVersion":{"groupVersion":"kubeflow.org/v1","version":"v1"}}`
	groupless := `{"name":"kubeflow.org","versions":[]}`
	for name, c := range map[string]struct{ api, core, group, list, failed string }{
		"an empty object":       {"", "", "", `{}`, "kubeflow.org/v1"},
		"a Status":              {"", "", "", `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"etcd is down","code":500}`, "kubeflow.org/v1"},
		"another version":       {"", "", "", jobs, "kubeflow.org/v1"},
		"no resource":           {"", "", "", `{"kind":"APIResourceList","groupVersion":"kubeflow.org/v1","resources":[]}`, "kubeflow.org/v1"},
		"a group of no version": {"", "", groupless, "", "kubeflow.org"},
		"an empty core":         {"", `{}`, "", `{"kind":"APIResourceList","groupVersion":"kubeflow.org/v1","resources":[{"name":"pytorchjobs","kind":"PyTorchJob","verbs":["list"]}]}`, "v1"},
		"no core":               {`{}`, "", "", `{"kind":"APIResourceList","groupVersion":"kubeflow.org/v1","resources":[{"name":"pytorchjobs","kind":"PyTorchJob","verbs":["list"]}]}`, "v1"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newServer(t)
			answers := map[string]string{
				"/api":                  `{"kind":"APIVersions","versions":["v1"]}`,
				"/api/v1":               pods,
				"/apis":                 fmt.Sprintf(`{"kind":"APIGroupList","groups":[{"name":"batch","versions":[{"groupVersion":"batch/v1","version":"v1"}],"preferredVersion":{"groupVersion":"batch/v1","version":"v1"}},%s]}`, either(c.group, group)),
				"/apis/batch/v1":        jobs,
				"/apis/kubeflow.org/v1": c.list,
			}
			answers["/api"], answers["/api/v1"] = either(c.api, answers["/api"]), either(c.core, pods)
			s.list = func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, answers[r.URL.Path]) }
			catalog, err := Discover(t.Context(), connect(t, s))
			if err != nil || !slices.Equal(catalog.Failed, []string{c.failed}) {
				t.Fatalf("%v: %+v, want %s named", err, catalog, c.failed)
			}
		})
	}
}

func either(this, that string) string {
	if this != "" {
		return this
	}
	return that
}
