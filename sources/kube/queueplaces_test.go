package kube

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

const (
	placesBelow = "/apis/visibility.kueue.x-k8s.io/v1beta2/"
	ofTeam      = "namespaces/ml/localqueues/team/pendingworkloads"
	ofGPUs      = "clusterqueues/gpus/pendingworkloads"
	servesQueue = "kueue.x-k8s.io/v1beta2/LocalQueue/localqueues"
	servesCQ    = "kueue.x-k8s.io/v1beta2/ClusterQueue/clusterqueues/Cluster"
	servesPlace = "visibility.kueue.x-k8s.io/v1beta2/ClusterQueue/clusterqueues/Cluster"
)

// kueue answers for the visibility API of Kueue, with an answer of a real one, and
// everything else as before.
type kueue struct {
	s      *apiServer
	answer string

	mu      sync.Mutex
	answers map[string]http.HandlerFunc // by path below placesBelow
	asked   map[string]int
}

// visible makes a cluster with the LocalQueue team, whose ClusterQueue is gpus;
// so many Workloads wait there.
func visible(t *testing.T, s *apiServer, pending int) *kueue {
	t.Helper()
	answer, err := os.ReadFile("testdata/pendingworkloads.json")
	if err != nil {
		t.Fatal(err)
	}
	k := &kueue{s: s, answer: string(answer), answers: map[string]http.HandlerFunc{}, asked: map[string]int{}}
	for _, kind := range []string{servesQueue, servesCQ, servesPlace} {
		s.serve(kind, true)
	}
	k.waits("team", "gpus", pending)
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		path, isPlaces := strings.CutPrefix(r.URL.Path, placesBelow)
		if !isPlaces {
			return false
		}
		k.mu.Lock()
		k.asked[path]++
		answer := k.answers[path]
		k.mu.Unlock()
		switch {
		case answer != nil:
			answer(w, r)
		case path == ofGPUs || path == ofTeam:
			w.Header().Set("Content-Type", "application/json")
			fmt.Fprint(w, k.answer)
		default:
			w.WriteHeader(404)
			fmt.Fprint(w, noQueue)
		}
		return true
	})
	return k
}

// noQueue is what Kueue 0.19 reports about a queue that it does not know.
const noQueue = `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"localqueue.visibility.kueue.x-k8s.io \"none\" not found","reason":"NotFound","details":{"name":"none","group":"visibility.kueue.x-k8s.io","kind":"localqueue"},"code":404}`

// waits sets how many Workloads wait in a LocalQueue of ml and its ClusterQueue.
func (k *kueue) waits(local, cluster string, pending int) {
	status := map[string]any{"pendingWorkloads": pending}
	k.s.put("/apis/kueue.x-k8s.io/v1beta2/namespaces/ml/localqueues/"+local, map[string]any{"kind": "LocalQueue", "apiVersion": "kueue.x-k8s.io/v1beta2", "spec": map[string]any{"clusterQueue": cluster}, "status": status})
	k.s.put("/apis/kueue.x-k8s.io/v1beta2/clusterqueues/"+cluster, map[string]any{"kind": "ClusterQueue", "apiVersion": "kueue.x-k8s.io/v1beta2", "status": status})
}

func (k *kueue) set(path string, answer http.HandlerFunc) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.answers[path] = answer
}

func (k *kueue) times(path string) int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.asked[path]
}

func refuses(w http.ResponseWriter, _ *http.Request) {
	refuseWith(w, 403, "Forbidden", `clusterqueues.visibility.kueue.x-k8s.io "gpus" is forbidden: User "ada" cannot get resource "clusterqueues/pendingworkloads"`)
}

func withQueues(o *Options) {
	o.Exporters, o.Kinds = 0, kinds.Related()
}

func (m *measurements) placed() []store.Placed {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.places
}

// newestPlaces is the last that was reported about a queue.
func newestPlaces(m *measurements, namespace, queue string) (last store.Placed, said bool) {
	for _, p := range m.placed() {
		if p.Namespace == namespace && p.Queue == queue {
			last, said = p, true
		}
	}
	return last, said
}

// realPlaces are those of testdata/pendingworkloads.json, an answer of Kueue 0.19.2
// (e2e, TestSlowOperators/kueue).
var realPlaces = []store.WaitingPlace{
	{Namespace: "train", Workload: "by-hand", Place: 1},
	{Namespace: "train", Workload: "job-first-d87a0", Owner: "e9655b3b-2aaa-4499-a440-0afec289d8e2", Place: 2},
	{Namespace: "train", Workload: "job-second-79fea", Owner: "8198e6ad-20dd-485e-897e-f532b7fb090b", Place: 3},
}

func TestPlacesAreAskedOfKueue(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		k := visible(t, s, 2)
		_, m := measure(t, s, withQueues)
		pass(time.Second)
		got, _ := newestPlaces(m, "", "gpus")
		if diff := cmp.Diff(realPlaces, got.Waiting); diff != "" || got.Every != placesInterval || got.At.IsZero() {
			t.Errorf("%+v (-want +got):\n%s", got, diff)
		}
		wantHealth(t, m, placesSource, train.SourceLive)
		pass(10 * time.Minute)
		if n := k.times(ofGPUs); n < 28 || n > 33 || k.times(ofTeam) > 0 {
			t.Errorf("asked %d times in ten minutes, and %d times of the LocalQueue", n, k.times(ofTeam))
		}
		before := k.times(ofGPUs)
		for i := range 20 { // many changes are not many questions
			k.waits("team", "gpus", 3+i)
			pass(100 * time.Millisecond)
		}
		pass(10 * time.Second)
		if n := k.times(ofGPUs) - before; n < 1 || n > 4 {
			t.Errorf("asked %d times in 12 s with changes", n)
		}
		k.waits("team", "gpus", 0)
		pass(10 * time.Second)
		wantHealth(t, m, placesSource, "")
		if got, _ := newestPlaces(m, "", "gpus"); got.Every != 0 || len(got.Waiting) > 0 {
			t.Errorf("nothing waits, and the last is %+v", got)
		}
		before = k.times(ofGPUs) + k.times(ofTeam)
		pass(10 * time.Minute)
		if n := k.times(ofGPUs) + k.times(ofTeam) - before; n > 0 {
			t.Errorf("asked %d times while nothing waits", n)
		}
		k.waits("team", "gpus", 1)
		pass(time.Second)
		if k.times(ofGPUs)+k.times(ofTeam) == before {
			t.Error("not asked when one waits again")
		}
	})
}

func TestPlacesOfOneNamespace(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		k := visible(t, s, 2)
		_, m := measure(t, s, func(o *Options) { withQueues(o); o.Namespace = "ml" })
		pass(time.Second)
		if got, _ := newestPlaces(m, "ml", "team"); len(got.Waiting) != len(realPlaces) || k.times(ofGPUs) > 0 {
			t.Errorf("%+v, the ClusterQueue was asked %d times", got, k.times(ofGPUs))
		}
	})
}

func TestPlacesWhereClusterQueuesAreRefused(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		k := visible(t, s, 2)
		k.set(ofGPUs, refuses)
		_, m := measure(t, s, withQueues)
		pass(time.Second)
		if got, _ := newestPlaces(m, "ml", "team"); len(got.Waiting) != len(realPlaces) {
			t.Errorf("%+v", got)
		}
		wantHealth(t, m, placesSource, train.SourceLive)
		pass(30 * time.Minute)
		if n := k.times(ofGPUs); n < 5 || n > 8 {
			t.Errorf("a refusal was tried %d times in half an hour", n)
		}
		k.set(ofTeam, refuses)
		pass(time.Minute)
		h := wantHealth(t, m, placesSource, train.SourceForbidden, `User "ada"`, "[visibility.kueue.x-k8s.io]", "[get]", "deploy/rbac.yaml")
		if h.Verb != "get" || h.Group != placesSource || h.Resource == "" || h.Retry.IsZero() {
			t.Errorf("the refusal is %+v", h)
		}
		if got, _ := newestPlaces(m, "ml", "team"); got.Every != 0 {
			t.Errorf("what was said before still holds: %+v", got)
		}
		before := k.times(ofTeam)
		pass(30 * time.Minute)
		if n := k.times(ofTeam) - before; n < 4 || n > 8 {
			t.Errorf("a refusal was tried %d times in half an hour", n)
		}
		wantHealth(t, m, placesSource, train.SourceForbidden, `User "ada"`)
		k.set(ofTeam, nil)
		pass(refusedInterval + time.Second)
		wantHealth(t, m, placesSource, train.SourceLive)
	})
}

func TestPlacesWhereKueueDoesNotServeThem(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		k := visible(t, s, 2)
		s.serve(servesPlace, false)
		_, m := measure(t, s, func(o *Options) { withQueues(o); o.Once = true })
		pass(time.Second)
		wantHealth(t, m, placesSource, train.SourceAbsent, "Kueue 0.9")
		if !m.settled() || k.times(ofGPUs)+k.times(ofTeam) > 0 || len(m.placed()) > 0 {
			t.Errorf("settled %v, asked %d times", m.settled(), k.times(ofGPUs))
		}
		s.serve(servesPlace, true)
		pass(discoveryInterval + time.Second)
		wantHealth(t, m, placesSource, train.SourceLive)
		s.serve(servesPlace, false)
		pass(discoveryInterval + leastPlaces + time.Second)
		wantHealth(t, m, placesSource, train.SourceAbsent)
	})
}

// A printed answer waits for the places, and not where there are none.
func TestPlacesOfAPrintedAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		pending int
		change  func(*kueue)
		after   time.Duration
	}{
		"nothing waits":     {0, func(*kueue) {}, 0},
		"no queues":         {1, func(k *kueue) { k.s.serve(servesQueue, false); k.s.serve(servesCQ, false) }, 0},
		"refused":           {1, func(k *kueue) { k.set(ofGPUs, refuses); k.set(ofTeam, refuses) }, 0},
		"answered":          {1, func(*kueue) {}, 0},
		"slow":              {1, func(k *kueue) { k.set(ofGPUs, hangs) }, placesOnce},
		"discovery refused": {1, func(k *kueue) { refuseDiscovery(k.s) }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *apiServer) {
				k := visible(t, s, c.pending)
				c.change(k)
				_, m := measure(t, s, func(o *Options) { withQueues(o); o.Once = true })
				if c.after > 0 {
					if pass(c.after - time.Second); m.settled() {
						t.Error("settled before it answered")
					}
					pass(2 * time.Second)
				}
				if !m.settled() {
					t.Errorf("not settled: %v", m.said())
				}
			})
		})
	}
}

func refuseDiscovery(s *apiServer) {
	before := s.answer
	s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/apis" {
			refuseWith(w, 403, "Forbidden", "refused")
			return true
		}
		return before(w, r)
	})
}

// An answer that cannot be read takes nothing back, and is requested more and more
// seldom.
func TestPlacesThatAreNone(t *testing.T) {
	text := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) }
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		says   string
	}{
		"a web page":     {text("<html>"), "a web page came"},
		"cut":            {text(`{"kind":"PendingWorkloadsSummary","items":[{"metadata":{"name":"a`), "unexpected end"},
		"a Status":       {text(`{"kind":"Status","message":"x"}`), `"Status"`},
		"too long":       {text(`{"kind":"PendingWorkloadsSummary","apiVersion":"` + strings.Repeat("x", mostPlaces) + `"}`), "4 MiB"},
		"not ready":      {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "service unavailable", 503) }, "not ready"},
		"slow":           {hangs, "no complete answer within 10s"},
		"wrong position": {text(`{"kind":"PendingWorkloadsSummary","items":[{"positionInClusterQueue":"first"}]}`), "positionInClusterQueue"},
		"group is gone":  {http.NotFound, "404"},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *apiServer) {
				k := visible(t, s, 2)
				_, m := measure(t, s, withQueues)
				pass(time.Second)
				good, _ := newestPlaces(m, "", "gpus")
				k.set(ofGPUs, c.answer)
				pass(placesInterval + placesDeadline + time.Second)
				h := wantHealth(t, m, placesSource, train.SourceRetrying, c.says)
				if h.Retry.IsZero() {
					t.Error("no time of the next try")
				}
				if got, _ := newestPlaces(m, "", "gpus"); !got.At.Equal(good.At) || len(got.Waiting) != len(good.Waiting) {
					t.Errorf("what was known is replaced by %+v", got)
				}
				before := k.times(ofGPUs)
				for i := range 60 {
					k.waits("team", "gpus", 3+i)
					pass(10 * time.Second)
				}
				if n := k.times(ofGPUs) - before; n < 3 || n > 12 {
					t.Errorf("asked %d times in ten minutes", n)
				}
				k.set(ofGPUs, nil)
				pass(longestRetry + time.Second)
				wantHealth(t, m, placesSource, train.SourceLive)
			})
		})
	}
}

// A queue that is gone, or that Kueue does not know yet, is no trouble; places
// that make no sense are left out.
func TestPlacesOfQueuesThatAreGone(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		k := visible(t, s, 2)
		k.waits("odd", "none", 1)
		k.set(ofGPUs, func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, `{"kind":"PendingWorkloadsSummary","items":[{"metadata":{"name":"a"},"positionInClusterQueue":-1},{"metadata":{"name":"b"}},{"metadata":{"name":"c","namespace":"ml"},"positionInClusterQueue":1999}]}`)
		})
		_, m := measure(t, s, withQueues)
		pass(time.Second)
		wantHealth(t, m, placesSource, train.SourceLive)
		if got, _ := newestPlaces(m, "", "gpus"); len(got.Waiting) != 1 || got.Waiting[0].Place != 2000 {
			t.Errorf("%+v", got)
		}
		if _, said := newestPlaces(m, "", "none"); said || k.times("clusterqueues/none/pendingworkloads") == 0 {
			t.Error("a queue that Kueue does not know has places")
		}
	})
}

func TestTheOlderVersionOfPlaces(t *testing.T) {
	p := &placesReader{tap: newQueueTap(sinkFunc(func(...store.Event) {}))}
	p.found(nil)
	if p.version != "" || !p.discovered {
		t.Errorf("%+v", p)
	}
	for _, version := range placesVersions {
		inBubble(t, func(t *testing.T, s *apiServer) {
			s.serve(placesSource+"/"+version+"/ClusterQueue/clusterqueues/Cluster", true)
			c, _ := run(t, s, nil)
			apis, err := client.Discover(t.Context(), c.connection, (&planner{cluster: c}).wanted)
			if err != nil {
				t.Fatal(err)
			}
			if p.found(apis); p.version != version {
				t.Errorf("%q is read, want %q", p.version, version)
			}
		})
	}
}
