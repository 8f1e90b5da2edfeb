package prometheus

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/traintop/traintop/train"
)

// fleet is a fake cluster: its Services, and their responses.
type fleet struct {
	mu       sync.Mutex
	services []Service
	refused  bool
	behind   map[string]func(*http.Request) *http.Response // by "namespace/name"
}

func (f *fleet) Services(_ context.Context, selector string) ([]Service, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.refused {
		return nil, &Refused{errors.New(`services is forbidden: User "u" cannot list resource "services"`)}
	}
	key, values, _ := strings.Cut(strings.TrimSuffix(selector, ")"), " in (")
	var found []Service
	for _, service := range f.services {
		if slices.Contains(strings.Split(values, ","), service.Labels[key]) {
			found = append(found, service)
		}
	}
	return found, nil
}

func (f *fleet) Proxied(namespace, name string, port int32, https bool) (*url.URL, http.RoundTripper) {
	scheme := ""
	if https {
		scheme = "https:"
	}
	at := &url.URL{Scheme: "https", Host: "api.example.com", Path: "/api/v1/namespaces/" + namespace + "/services/" + scheme + name + ":" + itoa(port) + "/proxy"}
	return at, f
}

func itoa(n int32) string {
	if n == 0 {
		return ""
	}
	return itoa(n/10) + string(rune('0'+n%10))
}

func (f *fleet) RoundTrip(request *http.Request) (*http.Response, error) {
	parts := strings.Split(request.URL.Path, "/") // "", api, v1, namespaces, NS, services, NAME, proxy, ...
	name, _, _ := strings.Cut(strings.TrimPrefix(parts[6], "https:"), ":")
	f.mu.Lock()
	answer := f.behind[parts[4]+"/"+name]
	f.mu.Unlock()
	if answer != nil {
		return answer(request), nil
	}
	return says(404, `{"kind":"Status","status":"Failure","message":"services \"`+name+`\" not found","reason":"NotFound","code":404}`), nil
}

// prometheusAt answers below a path and refuses connections elsewhere.
func prometheusAt(s *server, port, prefix string) func(*http.Request) *http.Response {
	return func(request *http.Request) *http.Response {
		if !strings.Contains(request.URL.Path, port+"/proxy"+prefix+"/api/v1/") {
			return says(503, `{"kind":"Status","status":"Failure","message":"error trying to reach service: dial tcp 10.0.0.1:1: connect: connection refused","code":503}`)
		}
		response, _ := s.RoundTrip(request)
		return response
	}
}

func without(metrics string) func(*http.Request) *http.Response {
	return func(request *http.Request) *http.Response {
		if strings.Contains(request.URL.Path, "label") {
			return says(200, `{"status":"success","data":["up"]}`)
		}
		return nil
	}
}

func service(namespace, name, labelPairs string, ports ...Port) Service {
	return Service{Namespace: namespace, Name: name, Labels: labels(strings.Split(labelPairs, ",")...), Ports: ports}
}

func TestFind(t *testing.T) {
	f := func(want string, cluster *fleet) {
		t.Helper()
		synctest.Test(t, func(t *testing.T) {
			at, err := find(t.Context(), cluster, time.Now)
			if err != nil {
				t.Errorf("%s: %v", want, err)
			} else if at.endpoint.URL.Path != want {
				t.Errorf("found %s, want %s", at.endpoint.URL.Path, want)
			}
		})
	}
	stackPrometheus := service("monitoring", "kps-prometheus", "app=kube-prometheus-stack-prometheus,release=kps", Port{"http-web", 9090, false}, Port{"reloader-web", 8080, false})
	operated := service("monitoring", "prometheus-operated", "operated-prometheus=true", Port{"http-web", 9090, false})
	vmselect := service("vm", "vmselect-x", "app.kubernetes.io/name=vmselect", Port{"http", 8481, false})
	f("/api/v1/namespaces/monitoring/services/kps-prometheus:9090/proxy", &fleet{
		services: []Service{operated, stackPrometheus, service("shop", "web", "app=web", Port{"http", 80, false})},
		behind: map[string]func(*http.Request) *http.Response{
			"monitoring/kps-prometheus": prometheusAt(&server{}, "9090", ""), "monitoring/prometheus-operated": prometheusAt(&server{}, "9090", ""),
		},
	})
	// The one with GPUs is preferred to the first that answers.
	f("/api/v1/namespaces/vm/services/vmselect-x:8481/proxy/select/0/prometheus", &fleet{
		services: []Service{vmselect, service("istio-system", "prometheus", "app=prometheus", Port{"http", 9090, false}), service("thanos", "q", "app.kubernetes.io/name=thanos-query", Port{"grpc", 10901, false}, Port{"http", 10902, false})},
		behind: map[string]func(*http.Request) *http.Response{
			"vm/vmselect-x": prometheusAt(&server{}, "8481", "/select/0/prometheus"), "istio-system/prometheus": prometheusAt(&server{instead: without("GPU")}, "9090", ""),
			"thanos/q": prometheusAt(&server{instead: without("GPU")}, "10902", ""),
		},
	})
	// https, as in OpenShift, and a Service without running pods.
	f("/api/v1/namespaces/openshift-monitoring/services/https:thanos-querier:9091/proxy", &fleet{
		services: []Service{
			stackPrometheus,
			service("openshift-monitoring", "thanos-querier", "app.kubernetes.io/name=thanos-query,app.kubernetes.io/part-of=openshift-monitoring", Port{"tenancy", 9092, false}, Port{"web", 9091, false}),
		},
		behind: map[string]func(*http.Request) *http.Response{
			"openshift-monitoring/thanos-querier": prometheusAt(&server{}, "https:thanos-querier:9091", ""),
		},
	})
	// Listing Services is forbidden: the usual names are tried.
	f("/api/v1/namespaces/monitoring/services/prometheus-k8s:9090/proxy", &fleet{
		refused: true, behind: map[string]func(*http.Request) *http.Response{"monitoring/prometheus-k8s": prometheusAt(&server{}, "9090", "")},
	})
}

func TestNothingFound(t *testing.T) {
	forbiddenProxy := func(*http.Request) *http.Response {
		return says(403, `{"kind":"Status","status":"Failure","message":"services \"prometheus-k8s:9090\" is forbidden: User \"u\" cannot get resource \"services/proxy\" in API group \"\" in the namespace \"monitoring\"","reason":"Forbidden","code":403}`)
	}
	k8s := service("monitoring", "prometheus-k8s", "app.kubernetes.io/name=prometheus,app.kubernetes.io/component=prometheus", Port{"web", 9090, false})
	f := func(cluster *fleet, state train.SourceState, text ...string) train.Health {
		t.Helper()
		var h train.Health
		play(t, &server{}, Options{Cluster: cluster}, func(into *sink, _ *Source) {
			h, _ = into.look()
			if h.State != state {
				t.Errorf("health is %+v, want %s", h, state)
			}
			for _, part := range text {
				if !strings.Contains(h.Text, part) {
					t.Errorf("%q is not in %q", part, h.Text)
				}
			}
		})
		return h
	}
	f(&fleet{}, train.SourceAbsent, "no Service of Prometheus", "--prometheus URL")
	f(&fleet{refused: true}, train.SourceAbsent, "may not be listed", "--prometheus URL")
	h := f(&fleet{services: []Service{k8s}, behind: map[string]func(*http.Request) *http.Response{"monitoring/prometheus-k8s": forbiddenProxy}},
		train.SourceForbidden, "cannot get resource", "verb get on services/proxy", "kubectl auth can-i get services/prometheus-k8s --subresource=proxy -n monitoring")
	if h.Verb != "get" || h.Resource != "services/proxy" || h.Namespace != "monitoring" {
		t.Errorf("health is %+v", h)
	}
	f(&fleet{refused: true, behind: map[string]func(*http.Request) *http.Response{"monitoring/prometheus-k8s": forbiddenProxy}}, train.SourceForbidden, "services/proxy")
	f(&fleet{services: []Service{k8s}, behind: map[string]func(*http.Request) *http.Response{"monitoring/prometheus-k8s": func(*http.Request) *http.Response {
		return says(401, "Unauthorized")
	}}}, train.SourceForbidden, "does not pass our credentials on")
}

// A server that moves is found again.
func TestServerMoves(t *testing.T) {
	k8s := service("monitoring", "prometheus-k8s", "app.kubernetes.io/name=prometheus,app.kubernetes.io/component=prometheus", Port{"web", 9090, false})
	other := service("thanos", "q", "app.kubernetes.io/name=thanos-query", Port{"http", 9090, false})
	s := &server{}
	cluster := &fleet{services: []Service{k8s}, behind: map[string]func(*http.Request) *http.Response{"monitoring/prometheus-k8s": prometheusAt(s, "9090", "")}}
	play(t, s, Options{Cluster: cluster}, func(into *sink, _ *Source) {
		if h, m := into.look(); h.State != train.SourceLive || len(m.Readings) != 16 {
			t.Fatalf("health is %+v", h)
		}
		cluster.mu.Lock()
		cluster.services = []Service{other}
		cluster.behind = map[string]func(*http.Request) *http.Response{"thanos/q": prometheusAt(s, "9090", "")}
		cluster.mu.Unlock()
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if h, m := into.look(); h.State != train.SourceLive || time.Since(m.Readings[0].At) > time.Minute {
			t.Errorf("health is %+v", h)
		}
		if s.count("services/q:9090/proxy/api/v1/query") == 0 {
			t.Error("the other server was not asked")
		}
	})
}

func TestStacks(t *testing.T) {
	for i, s := range stacks {
		if chiefLabel(s.labels) == "" {
			t.Errorf("stack %d (%s) has no label that selectors look for", i, s.name)
		}
		if len(s.ports) == 0 || s.number == 0 {
			t.Errorf("stack %d (%s) has no port", i, s.name)
		}
	}
	if n := len(selectors()); n != 3 {
		t.Errorf("%d lists of Services are made: %q", n, selectors())
	}
}
