package kube

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

const definitionPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"

func TestKindAppearsAndDisappears(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.put(jobsPath+"bert", job())
		_, p := run(t, s, nil)
		wantState(t, p, "kube/pytorchjobs.kubeflow.org", train.SourceAbsent)
		pass(10 * time.Second)

		s.put(definitionPath+"pytorchjobs.kubeflow.org", map[string]any{"kind": "CustomResourceDefinition", "apiVersion": "apiextensions.k8s.io/v1"})
		pass(2 * time.Second) // the API server needs a moment to serve it
		s.serve(servePyTorch, true)
		pass(5 * time.Second)
		wantNames(t, p, "PyTorchJob.kubeflow.org", "ml/bert")
		wantState(t, p, "kube/pytorchjobs.kubeflow.org", train.SourceLive)

		s.serve(servePyTorch, false)
		pass(discoveryInterval + time.Second)
		wantNames(t, p, "PyTorchJob.kubeflow.org")
		wantState(t, p, "kube/pytorchjobs.kubeflow.org", train.SourceAbsent)
	})
}

func TestKindAppearsWithoutRightsToDefinitions(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.forbid(func(path string) bool { return strings.Contains(path, "customresourcedefinitions") })
		s.put(jobsPath+"bert", job())
		_, p := run(t, s, nil)
		s.serve(servePyTorch, true)
		pass(discoveryInterval + time.Second)
		wantNames(t, p, "PyTorchJob.kubeflow.org", "ml/bert")
		if p.state("kube/customresourcedefinitions.apiextensions.k8s.io").State != "" {
			t.Error("people were told about a list that only we need")
		}
	})
}

func TestPreferredServedVersion(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve("kubeflow.org/v1/MPIJob/mpijobs", true)
		s.put("/apis/kubeflow.org/v1/namespaces/ml/mpijobs/old", map[string]any{"kind": "MPIJob", "apiVersion": "kubeflow.org/v1"})
		s.put("/apis/kubeflow.org/v2beta1/namespaces/ml/mpijobs/new", map[string]any{"kind": "MPIJob", "apiVersion": "kubeflow.org/v2beta1"})
		_, p := run(t, s, nil)
		wantNames(t, p, "MPIJob.kubeflow.org", "ml/old")
		s.serve("kubeflow.org/v2beta1/MPIJob/mpijobs", true)
		pass(discoveryInterval + time.Second)
		wantNames(t, p, "MPIJob.kubeflow.org", "ml/new")
	})
}

// An operator of a later time serves its kind in a version that is not known
// here: its objects are not read, and that is reported.
func TestKindInAnUnknownVersion(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve("kubeflow.org/v3/PyTorchJob/pytorchjobs", true)
		_, p := run(t, s, nil)
		pass(time.Second)
		h := p.state("kube/pytorchjobs.kubeflow.org")
		if h.State != train.SourceFailed || !strings.Contains(h.Text, "are served as v3, and traintop reads v1") {
			t.Errorf("it is %s: %q", h.State, h.Text)
		}
		s.put(jobsPath+"bert", job())
		s.serve(servePyTorch, true)
		pass(discoveryInterval + time.Second)
		wantNames(t, p, "PyTorchJob.kubeflow.org", "ml/bert")
		wantState(t, p, "kube/pytorchjobs.kubeflow.org", train.SourceLive)
	})
}

// Kinds that an operator of jobs serves beside them are named: who looks for them among
// jobs sees that they are there, and where.
func TestKindsThatAreNotShownAreNamed(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		_, p := run(t, s, nil)
		pass(time.Second)
		if h := p.state("kube/unshown"); h.State != "" {
			t.Errorf("of a cluster without them: %q", h.Text)
		}
		s.serve("ray.io/v1/RayJob/rayjobs", true)
		s.serve("ray.io/v1/RayService/rayservices", true)
		s.serve("batch.volcano.sh/v1alpha1/CronJob/cronjobs", true)
		s.serve("example.com/v1/Work/works", true)
		s.serve("trainer.kubeflow.org/v1alpha1/ClusterTrainingRuntime/clustertrainingruntimes/Cluster", true)
		pass(discoveryInterval + time.Second)
		const want = "served, not shown among jobs: cronjobs.batch.volcano.sh, rayservices.ray.io; each has a table, :cronjobs.batch.volcano.sh"
		if h := p.state("kube/unshown"); h.State != train.SourceLive || h.Text != want {
			t.Errorf("%s: %q", h.State, h.Text)
		}
		s.serve("ray.io/v1/RayService/rayservices", false)
		s.serve("batch.volcano.sh/v1alpha1/CronJob/cronjobs", false)
		pass(discoveryInterval + time.Second)
		if h := p.state("kube/unshown"); h.State != "" {
			t.Errorf("they are gone: %q", h.Text)
		}
	})
}

// A kind of the configuration may be served under another plural, or outside of
// namespaces: it is not read then, and what to write is reported.
func TestKindInAnotherForm(t *testing.T) {
	for served, want := range map[string]string{
		"example.com/v1/Work/workloads":     "is served as workloads, not as works: it was not read; write resource: workloads",
		"example.com/v1/Work/works/Cluster": "works of example.com are in no namespace: they were not read",
	} {
		inBubble(t, func(t *testing.T, s *apiServer) {
			s.serve(served, true)
			kind := kinds.Kind{GroupKind: schema.GroupKind{Group: "example.com", Kind: "Work"}, Resource: "works", Versions: []string{"v1"}}
			_, p := run(t, s, func(o *Options) { o.Kinds = append(o.Kinds, kind) })
			pass(time.Second)
			if h := p.state("kube/works.example.com"); h.State != train.SourceFailed || !strings.Contains(h.Text, want) {
				t.Errorf("%s is %s: %q", served, h.State, h.Text)
			}
		})
	}
}

// An answer of discovery without a group that every cluster has is not complete.
func TestDiscoveryOfNothing(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.put(podsPath+"a", pod())
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != "/apis" {
				return false
			}
			fmt.Fprint(w, `{"kind":"APIGroupDiscoveryList","items":[]}`)
			return true
		})
		_, p := run(t, s, nil)
		pass(time.Second)
		if h := p.state("kube/apis"); h.State != train.SourceRetrying || !strings.Contains(h.Text, "it names no group batch") {
			t.Errorf("it is %s: %q", h.State, h.Text)
		}
	})
}

// TestBrokenAggregatedAPI has one API group whose server does not answer.
func TestBrokenAggregatedAPI(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.put(podsPath+"a", pod())
		s.put(jobsPath+"bert", job())
		answer := func(freshness string) {
			s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path != "/apis" {
					return false
				}
				fmt.Fprintf(w, `{"kind":"APIGroupDiscoveryList","items":[
					{"metadata":{"name":"batch"},"versions":[{"version":"v1","freshness":"Current"}]},
					{"metadata":{"name":"custom.metrics.k8s.io"},"versions":[{"version":"v1beta1","freshness":"Stale"}]},
					{"metadata":{"name":"kubeflow.org"},"versions":[{"version":"v1","freshness":%q,"resources":[
						{"resource":"pytorchjobs","scope":"Namespaced","responseKind":{"kind":"PyTorchJob"}}]}]}]}`, freshness)
				return true
			})
		}
		answer("Current")
		_, p := run(t, s, nil)
		wantNames(t, p, "PyTorchJob.kubeflow.org", "ml/bert")
		answer("Stale")
		pass(3 * discoveryInterval)
		wantNames(t, p, "PyTorchJob.kubeflow.org", "ml/bert") // unknown is not absent
		wantState(t, p, "kube", train.SourceLive)
	})
}

// TestServerWithoutAggregatedDiscovery is Kubernetes before 1.26.
func TestServerWithoutAggregatedDiscovery(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.put(jobsPath+"bert", job())
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			switch r.URL.Path {
			case "/apis":
				fmt.Fprint(w, `{"kind":"APIGroupList","groups":[{"name":"kubeflow.org","versions":[{"version":"v1"}]},
					{"name":"batch","versions":[{"version":"v1"}]},{"name":"apps","versions":[{"version":"v1"}]}]}`)
			case "/apis/kubeflow.org/v1":
				fmt.Fprint(w, `{"kind":"APIResourceList","groupVersion":"kubeflow.org/v1","resources":[{"name":"pytorchjobs","kind":"PyTorchJob","namespaced":true},
					{"name":"pytorchjobs/status","kind":"PyTorchJob","namespaced":true}]}`)
			case "/apis/apps/v1":
				t.Error("a group that nobody reads was asked for")
			default:
				return false
			}
			return true
		})
		_, p := run(t, s, nil)
		wantNames(t, p, "PyTorchJob.kubeflow.org", "ml/bert")
		wantState(t, p, "kube/mpijobs.kubeflow.org", train.SourceAbsent)
	})
}

func TestGarbage(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.serve(servePyTorch, true)
		s.put(podsPath+"a", pod())
		s.put(jobsPath+"bert", job())
		bodies := map[string]string{
			"/api/v1/nodes":                     "\x00\xff\x1b]0;gotcha\a{",
			"/api/v1/services":                  `{"kind":"ServiceList","apiVersion":"v1","metadata":{"resourceVersion":"7"},"items":[{"spec":{"ports":"many"}}]}`,
			"/apis/kubeflow.org/v1/pytorchjobs": `{"kind":"PyTorchJobList","apiVersion":"kubeflow.org/v1","items":[7,null,"x"]}`,
			"/api/v1/events":                    `<html>504 Gateway Time-out</html>`,
		}
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			body, broken := bodies[r.URL.Path]
			if broken {
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprint(w, body)
			}
			return broken
		})
		_, p := run(t, s, nil)
		pass(time.Minute)
		wantNames(t, p, "Pod", "ml/a")
		for _, source := range []string{"kube/nodes", "kube/services", "kube/pytorchjobs.kubeflow.org", "kube/events"} {
			h := p.state(source)
			if h.State != train.SourceRetrying || h.Text == "" || h.Retry.IsZero() || strings.ContainsAny(h.Text, "\x1b\a\x00") {
				t.Errorf("%s is %+v", source, h)
			}
		}
		s.intercept(nil)
		pass(time.Minute)
		wantNames(t, p, "PyTorchJob.kubeflow.org", "ml/bert")
		for source := range bodies {
			source = "kube/" + strings.TrimPrefix(source, "/api/v1/")
			if h := p.state(source); strings.Count(source, "/") == 1 && h.State != train.SourceLive {
				t.Errorf("%s is %+v after the garbage ended", source, h)
			}
		}
	})
}

// TestGarbageInAWatch has a stream that turns into invalid data.
func TestGarbageInAWatch(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.put(podsPath+"a", pod())
		var broken atomic.Bool
		broken.Store(true)
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			if !broken.Load() || r.URL.Path != "/api/v1/pods" || r.URL.Query().Get("watch") != "true" {
				return false
			}
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, `{"type":"MODIFIED","object":{"kind":"Pod","apiVersion":"v1","metadata":"none"}}`+"\n\xff\xfe")
			return true
		})
		_, p := run(t, s, nil)
		pass(10 * time.Minute)
		wantNames(t, p, "Pod", "ml/a")
		wantState(t, p, "kube/pods", train.SourceRetrying)
		tries := 0
		for _, r := range s.seen() {
			if r.path == "/api/v1/pods" && !r.watch && !strings.Contains(r.query, "limit=1") { // not the check which cluster answers
				tries++
			}
		}
		if tries > 60 {
			t.Errorf("the pods were listed %d times in ten minutes", tries)
		}
		broken.Store(false)
		s.put(podsPath+"b", pod())
		pass(2 * time.Minute)
		wantNames(t, p, "Pod", "ml/a", "ml/b")
		wantState(t, p, "kube/pods", train.SourceLive)
	})
}

// A server that answers, but fails discovery like a broken connection: that is
// reported, and the rest is read.
func TestDiscoveryAloneFailsLikeTheConnection(t *testing.T) {
	for name, fail := range map[string]func(http.ResponseWriter, *http.Request){
		"401": func(w http.ResponseWriter, _ *http.Request) {
			refuseWith(w, http.StatusUnauthorized, "Unauthorized", "Unauthorized")
		},
		"redirect loop": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, r.URL.Path, http.StatusFound) },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *apiServer) {
				s.put(podsPath+"a", pod())
				s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
					if r.URL.Path != "/apis" {
						return false
					}
					fail(w, r)
					return true
				})
				_, p := run(t, s, nil)
				pass(20 * time.Second)
				wantNames(t, p, "Pod", "ml/a")
				wantState(t, p, discoverySource, train.SourceRetrying)
			})
		})
	}
}

// A group that discovery names in part is not reported as absent.
func TestDiscoveryInPart(t *testing.T) {
	group := func(resources ...any) map[string]any {
		return map[string]any{"metadata": map[string]any{"name": "kubeflow.org"}, "versions": []any{map[string]any{"version": "v1", "freshness": "Current", "resources": resources}}}
	}
	for name, c := range map[string]struct {
		meta   map[string]any
		groups []any
		source string
		says   string
	}{
		"a page of it":          {map[string]any{"continue": "more"}, nil, discoverySource, "only a part"},
		"items left":            {map[string]any{"remainingItemCount": 3}, nil, discoverySource, "only a part"},
		"a version of nothing":  {nil, []any{group()}, "kube/pytorchjobs.kubeflow.org", "names no resource of kubeflow.org/v1"},
		"a group of nothing":    {nil, []any{map[string]any{"metadata": map[string]any{"name": "kubeflow.org"}, "versions": []any{}}}, "kube/pytorchjobs.kubeflow.org", "names no version of kubeflow.org"},
		"a resource of no kind": {nil, []any{group(map[string]any{"resource": "pytorchjobs", "scope": "Namespaced"})}, "kube/pytorchjobs.kubeflow.org", "pytorchjobs of kubeflow.org/v1 without its kind"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *apiServer) {
				s.intercept(at("/apis", func(w http.ResponseWriter, _ *http.Request) {
					batch := map[string]any{"metadata": map[string]any{"name": "batch"}, "versions": []any{map[string]any{"version": "v1", "freshness": "Current"}}}
					writeJSON(w, map[string]any{"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": c.meta, "items": append([]any{batch}, c.groups...)})
				}))
				_, p := run(t, s, nil)
				pass(10 * time.Second)
				if h := p.state(c.source); h.State != train.SourceRetrying || !strings.Contains(h.Text, c.says) {
					t.Errorf("%s, %q", h.State, h.Text)
				}
			})
		})
	}
}

// A resource that discovery names without verbs is in health once tables are made.
func TestResourcesWithoutVerbs(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		verbs := []any{}
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != "/apis" && r.URL.Path != "/api" {
				return false
			}
			resource := map[string]any{"resource": "widgets", "scope": "Namespaced", "verbs": verbs, "responseKind": map[string]any{"group": "example.com", "version": "v1", "kind": "Widget"}}
			w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
			var items []any
			for name, resources := range map[string][]any{"batch": {}, "example.com": {resource}} {
				if r.URL.Path == "/api" {
					continue
				}
				items = append(items, map[string]any{"metadata": map[string]any{"name": name}, "versions": []any{map[string]any{"version": "v1", "freshness": "Current", "resources": resources}}})
			}
			json.NewEncoder(w).Encode(map[string]any{"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": map[string]any{}, "items": items})
			return true
		})
		c, p := run(t, s, nil)
		if _, err := c.Resources(t.Context()); err != nil {
			t.Fatal(err)
		}
		if h := p.state(tablesSource); h.State != train.SourceFailed || !strings.Contains(h.Text, "names widgets.example.com without verbs") {
			t.Errorf("%s, %q", h.State, h.Text)
		}
		verbs = []any{"list"}
		if _, err := c.Resources(t.Context()); err != nil {
			t.Fatal(err)
		}
		if h := p.state(tablesSource); h.State != "" {
			t.Errorf("it is still said: %q", h.Text)
		}
	})
}

// A resource that is only the path of its subresources has no verbs of its own
// (what kube-apiserver 1.37 reports about Kueue 0.19.2, of one resource).
func TestResourcesOfSubresourcesAlone(t *testing.T) {
	const answer = `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[` +
		`{"metadata":{"name":"batch"},"versions":[{"version":"v1","freshness":"Current","resources":[]}]},` +
		`{"metadata": {"name": "visibility.kueue.x-k8s.io"}, "versions": [{"version": "v1beta2", "resources": [{"resource": "clusterqueues", "responseKind": {"group": "", "version": "", "kind": "PendingWorkloadsSummary"}, "scope": "Cluster", "singularResource": "clusterqueue", "verbs": [], "subresources": [{"subresource": "pendingworkloads", "responseKind": {"group": "", "version": "", "kind": "PendingWorkloadsSummary"}, "verbs": ["get"]}]}], "freshness": "Current"}]}]}`
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Path != "/apis" && r.URL.Path != "/api" {
				return false
			}
			w.Header().Set("Content-Type", "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList")
			if r.URL.Path == "/apis" {
				fmt.Fprint(w, answer)
			} else {
				fmt.Fprint(w, `{"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2","metadata":{},"items":[]}`)
			}
			return true
		})
		c, p := run(t, s, nil)
		if _, err := c.Resources(t.Context()); err != nil {
			t.Fatal(err)
		}
		if h := p.state(tablesSource); h.State != "" {
			t.Errorf("%s, %q", h.State, h.Text)
		}
	})
}

// TestVersionAnswersWithNoResourceList: without aggregated discovery, a version whose
// answer is no list of its resources is not known, and reported as that.
func TestVersionAnswersWithNoResourceList(t *testing.T) {
	const groups = `{"kind":"APIGroupList","groups":[{"name":"batch","versions":[{"version":"v1"}]},{"name":"kubeflow.org","versions":[%s]}]}`
	const resource = `"resources":[{"name":"pytorchjobs","kind":"PyTorchJob","namespaced":true}]`
	for answer, says := range map[string]string{
		`{}`: "no APIResourceList of kubeflow.org/v1",
		`{"kind":"Status","apiVersion":"v1","status":"Failure","message":"etcd is down","code":500}`:       "a Status: etcd is down",
		`{"kind":"APIResourceList",` + resource + `}`:                                                      "no APIResourceList of kubeflow.org/v1",
		`{"groupVersion":"kubeflow.org/v1",` + resource + `}`:                                              "no APIResourceList of kubeflow.org/v1",
		`{"kind":"APIResourceList","groupVersion":"batch/v1",` + resource + `}`:                            "of batch/v1",
		`{"kind":"APIResourceList","groupVersion":"kubeflow.org/v1","resources":[]}`:                       "names no resource of kubeflow.org/v1",
		`{"kind":"APIResourceList","groupVersion":"kubeflow.org/v1","resources":[{"name":"pytorchjobs"}]}`: "pytorchjobs of kubeflow.org/v1 without its kind",
		``: "names no version of kubeflow.org", // the group is of no version
	} {
		t.Run(says, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *apiServer) {
				s.put(jobsPath+"bert", job())
				s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
					switch {
					case r.URL.Path == "/apis" && answer == "":
						fmt.Fprintf(w, groups, "")
					case r.URL.Path == "/apis":
						fmt.Fprintf(w, groups, `{"version":"v1"}`)
					case r.URL.Path == "/apis/kubeflow.org/v1":
						fmt.Fprint(w, answer)
					default:
						return false
					}
					return true
				})
				_, p := run(t, s, nil)
				pass(10 * time.Second)
				if h := p.state("kube/pytorchjobs.kubeflow.org"); h.State != train.SourceRetrying || !strings.Contains(h.Text, says) {
					t.Errorf("%s: %s, %q", answer, h.State, h.Text)
				}
			})
		})
	}
}
