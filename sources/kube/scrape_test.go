package kube

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

func TestExportersAreFoundAndAsked(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		putExporters(s, 1)
		s.put(podsPath+"a", pod())
		b := proxies(s)
		b.answer("gpu-operator/dcgm-0", says(recorded(t, "dcgm-t4x2-pod-labels.prom")))
		_, m := measure(t, s, nil)
		got, found := m.of("exporter/gpu-operator/dcgm-0")
		if !found || got.Node != "gpu-0" || got.Every != 15*time.Second || len(got.Readings) != 2 {
			t.Fatalf("measured %+v, %v", got, found)
		}
		if want := operatorPods + "dcgm-0:9400/proxy/metrics"; b.asks()[0] != want {
			t.Errorf("asked for %s, want %s", b.asks()[0], want)
		}
		first := got.Readings[0]
		if clock, _ := first.Values.Get(train.GPUSMClock); clock != 585 || first.GPU.Node != "gpu-0" || first.GPU.Namespace != "runai-reservation" || !first.At.Equal(time.Now().Truncate(time.Millisecond)) && time.Since(first.At) > time.Second {
			t.Errorf("the first reading is %+v", first)
		}
		if h := wantHealth(t, m, "exporters", train.SourceLive); h.Text != "" {
			t.Errorf("well exporters say %q", h.Text)
		}
		wantHealth(t, m, "exporter/gpu-0", "")
		pass(15 * time.Minute)
		if asked := b.times("gpu-operator/dcgm-0"); asked < 60 || asked > 62 {
			t.Errorf("asked %d times in a quarter of an hour, want 60 and the first", asked)
		}
	})
}

// TestTheFirstRoundSettles checks what `traintop gpus` relies on.
func TestTheFirstRoundSettles(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		putExporters(s, 2)
		b := proxies(s)
		b.answer("gpu-operator/dcgm-0", says(recorded(t, "dcgm-t4x2-pod-labels.prom")))
		b.answer("gpu-operator/dcgm-1", hangs)
		_, m := measure(t, s, nil)
		if m.settled() {
			t.Fatal("settled before each exporter was asked")
		}
		wantHealth(t, m, "exporters", train.SourceListing, "did not answer yet: ", "gpu-operator/dcgm-1 on gpu-1")
		pass(firstDeadline)
		if !m.settled() {
			t.Errorf("not settled after the first deadline: %v", m.said())
		}
		if h := wantHealth(t, m, "exporter/gpu-1", train.SourceRetrying, "no answer within 5s", "gpu-operator/dcgm-1", "dcgm-exporter"); h.Retry.IsZero() {
			t.Error("no time of the next try")
		}
		wantHealth(t, m, "exporters", train.SourceLive, "1 of 2 exporters give no metrics")
		if m.count() != 1 {
			t.Errorf("%d exporters were read, want 1", m.count())
		}
	})
}

func TestExportersAreAskedSpreadOverTheInterval(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		const n = 150
		putExporters(s, n)
		b := proxies(s)
		page := says(recorded(t, "dcgm-2.4-a100-gpu-plus-mig-no-help.prom"))
		for i := range n {
			b.answer(fmt.Sprintf("gpu-operator/dcgm-%d", i), page)
		}
		_, m := measure(t, s, nil)
		pass(2 * time.Minute)
		if m.count() != n {
			t.Fatalf("%d exporters were read, want %d", m.count(), n)
		}
		begin := time.Now()
		pass(time.Minute)
		perSecond := map[int]int{}
		for _, at := range b.since(begin) {
			perSecond[int(at.Sub(begin).Seconds())]++
		}
		total := 0
		for second, asked := range perSecond {
			total += asked
			if asked > 30 {
				t.Errorf("%d exporters were asked in second %d; %d in 15 s are 10 a second", asked, second, n)
			}
		}
		if total < 4*n-2 || total > 4*n+2 {
			t.Errorf("asked %d times in a minute, want %d", total, 4*n)
		}
		if b.atMost() > scrapesAtOnce {
			t.Errorf("%d were asked at once, want at most %d", b.atMost(), scrapesAtOnce)
		}
	})
}

// Dead exporters cost a whole deadline each; the others are scraped on time.
func TestDeadExportersHoldUpNoOther(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		const n, dead = 120, 40
		putExporters(s, n)
		b := proxies(s)
		page := says(recorded(t, "dcgm-2.4-a100-gpu-plus-mig-no-help.prom"))
		for i := range n {
			b.answer(fmt.Sprintf("gpu-operator/dcgm-%d", i), page)
			if i < dead {
				b.answer(fmt.Sprintf("gpu-operator/dcgm-%d", i), hangs)
			}
		}
		_, m := measure(t, s, nil)
		pass(time.Minute)
		if m.count() != n-dead {
			t.Errorf("%d exporters were read, want %d", m.count(), n-dead)
		}
		before := b.times("gpu-operator/dcgm-100")
		pass(5 * time.Minute)
		if asked := b.times("gpu-operator/dcgm-100") - before; asked < 19 {
			t.Errorf("a well exporter was asked %d times in five minutes, want 20", asked)
		}
		if asked := b.times("gpu-operator/dcgm-0"); asked > 7 {
			t.Errorf("a dead exporter was asked %d times in six minutes", asked)
		}
		if b.atMost() > scrapesAtOnce {
			t.Errorf("%d were asked at once, want at most %d", b.atMost(), scrapesAtOnce)
		}
		b.answer("gpu-operator/dcgm-0", page)
		pass(3 * time.Minute)
		wantHealth(t, m, "exporter/gpu-0", "")
		if _, found := m.of("exporter/gpu-operator/dcgm-0"); !found {
			t.Error("an exporter that came back is not read")
		}
	})
}

func TestManyExportersAreAskedLessOften(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		const n = 1000
		putExporters(s, n)
		b := proxies(s)
		page := says(recorded(t, "dcgm-shared-gpu-vgpu-label.prom"))
		for i := range n {
			b.answer(fmt.Sprintf("gpu-operator/dcgm-%d", i), page)
		}
		_, m := measure(t, s, nil)
		pass(2 * time.Minute)
		wantHealth(t, m, "exporters", train.SourceLive, "1000 exporters are more than", "each is asked every 1m15s", "Prometheus")
		if got, _ := m.of("exporter/gpu-operator/dcgm-7"); got.Every != 75*time.Second {
			t.Errorf("readings are said to come every %s", got.Every)
		}
		begin := time.Now()
		pass(75 * time.Second)
		if asked := len(b.since(begin)); asked < n-5 || asked > n+5 {
			t.Errorf("asked %d times in an interval, want %d", asked, n)
		}
	})
}

func TestRefusedPodsProxy(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		putExporters(s, 50)
		b := proxies(s)
		refuse := func(w http.ResponseWriter, _ *http.Request) {
			refuseWith(w, 403, "Forbidden", `pods "dcgm-0" is forbidden: User "ada" cannot get resource "pods/proxy" in API group "" in the namespace "gpu-operator"`)
		}
		for i := range 50 {
			b.answer(fmt.Sprintf("gpu-operator/dcgm-%d", i), refuse)
		}
		_, m := measure(t, s, nil)
		h := wantHealth(t, m, "exporters", train.SourceForbidden, `User "ada" cannot get resource "pods/proxy"`,
			`{apiGroups: [""], resources: [pods/proxy], verbs: [get]}`, "-n gpu-operator", "kubectl auth can-i get pods --subresource=proxy")
		if h.Verb != "get" || h.Resource != "pods/proxy" || h.Namespace != "gpu-operator" || h.Retry.IsZero() {
			t.Errorf("the refusal is %+v", h)
		}
		wantHealth(t, m, "exporter/gpu-0", "")
		if !m.settled() {
			t.Error("not settled")
		}
		first := len(b.since(time.Time{}))
		if first > scrapesAtOnce {
			t.Errorf("%d exporters were asked although the first was refused", first)
		}
		pass(time.Hour)
		if asked := len(b.since(time.Time{})) - first; asked < 11 || asked > 13 {
			t.Errorf("a standing refusal was tried %d times in an hour, want every five minutes", asked)
		}
		page := says(recorded(t, "dcgm-shared-gpu-vgpu-label.prom"))
		for i := range 50 {
			b.answer(fmt.Sprintf("gpu-operator/dcgm-%d", i), page)
		}
		pass(refusedInterval + 20*time.Second)
		wantHealth(t, m, "exporters", train.SourceLive)
		if m.count() != 50 {
			t.Errorf("%d exporters are read now, want 50", m.count())
		}
	})
}

func TestOneNamespaceRefuses(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		putExporters(s, 1)
		s.put("/api/v1/namespaces/amd/pods/exporter", dcgmPod("gpu-9"))
		b := proxies(s)
		b.answer("gpu-operator/dcgm-0", says(recorded(t, "dcgm-shared-gpu-vgpu-label.prom")))
		b.answer("amd/exporter", func(w http.ResponseWriter, _ *http.Request) { refuseWith(w, 403, "Forbidden", "no") })
		_, m := measure(t, s, nil)
		wantHealth(t, m, "exporters", train.SourceLive, "1 may not be asked")
		if h := wantHealth(t, m, "exporters/amd", train.SourceForbidden, "namespace amd", "pods/proxy"); h.Namespace != "amd" || h.Verb != "get" {
			t.Errorf("the refusal is %+v", h)
		}
		s.remove("/api/v1/namespaces/amd/pods/exporter")
		b.answer("amd/exporter", nil)
		pass(refusedInterval)
		wantHealth(t, m, "exporters", train.SourceLive)
	})
}

func TestAnExporterThatGoesTakesItsReadingsAlong(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		putExporters(s, 2)
		b := proxies(s)
		page := says(recorded(t, "dcgm-t4x2-pod-labels.prom"))
		b.answer("gpu-operator/dcgm-0", page)
		_, m := measure(t, s, nil)
		wantHealth(t, m, "exporter/gpu-1", train.SourceRetrying, "connection refused")
		s.remove(operatorPods + "dcgm-0")
		s.remove(operatorPods + "dcgm-1")
		pass(0)
		if m.count() != 0 {
			t.Errorf("readings of %d exporters that are gone stay", m.count())
		}
		wantHealth(t, m, "exporter/gpu-1", "")
		wantHealth(t, m, "exporters", train.SourceAbsent, "no exporter of GPU metrics runs in the cluster")
		b.answer("gpu-operator/dcgm-new", page)
		s.put(operatorPods+"dcgm-new", dcgmPod("gpu-0"))
		pass(0)
		if got, found := m.of("exporter/gpu-operator/dcgm-new"); !found || got.Node != "gpu-0" {
			t.Errorf("a new exporter is not asked: %+v", got)
		}
	})
}

func TestAPodThatDoesNotRunIsNotAsked(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		waiting := dcgmPod("gpu-0")
		waiting["status"] = map[string]any{"phase": "Pending", "containerStatuses": []any{map[string]any{
			"name": "nvidia-dcgm-exporter", "state": map[string]any{"waiting": map[string]any{"reason": "ImagePullBackOff"}},
		}}}
		s.put(operatorPods+"dcgm-0", waiting)
		b := proxies(s)
		b.answer("gpu-operator/dcgm-0", says(recorded(t, "dcgm-t4x2-pod-labels.prom")))
		_, m := measure(t, s, nil)
		wantHealth(t, m, "exporter/gpu-0", train.SourceRetrying, "its pod does not run: ImagePullBackOff")
		wantHealth(t, m, "exporters", train.SourceRetrying, "1 exporter found, and none gives metrics")
		if b.times("gpu-operator/dcgm-0") != 0 {
			t.Error("a pod that does not run was asked")
		}
		s.put(operatorPods+"dcgm-0", dcgmPod("gpu-0"))
		pass(0)
		wantHealth(t, m, "exporters", train.SourceLive)
		wantHealth(t, m, "exporter/gpu-0", "")
	})
}

func TestTwoExportersOfOneNodeAreBothRead(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		putExporters(s, 1)
		s.put("/api/v1/namespaces/monitoring/pods/smi", map[string]any{
			"kind": "Pod", "apiVersion": "v1",
			"spec": map[string]any{"nodeName": "gpu-0", "containers": []any{map[string]any{
				"name": "exporter", "image": "docker.io/utkuozdemir/nvidia_gpu_exporter:1.3.1", "ports": []any{map[string]any{"name": "http", "containerPort": 9835}},
			}}},
			"status": map[string]any{"phase": "Running", "podIP": "10.0.0.10"},
		})
		b := proxies(s)
		b.answer("gpu-operator/dcgm-0", says(recorded(t, "dcgm-t4x2-pod-labels.prom")))
		b.answer("monitoring/smi", says(recorded(t, "nvidia_gpu_exporter-h100-80gb-hbm3-load.prom")))
		_, m := measure(t, s, nil)
		smi, found := m.of("exporter/monitoring/smi")
		if !found || smi.Node != "gpu-0" || smi.Readings[0].Source != train.FromSMIExporter {
			t.Errorf("the second exporter gave %+v", smi)
		}
		if _, found := m.of("exporter/gpu-operator/dcgm-0"); !found {
			t.Error("the first exporter is not read")
		}
	})
}

func TestNodesThatPrometheusCoversAreLeftAlone(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		putExporters(s, 2)
		b := proxies(s)
		b.answer("gpu-operator/dcgm-0", says(recorded(t, "dcgm-t4x2-pod-labels.prom")))
		b.answer("gpu-operator/dcgm-1", says(recorded(t, "dcgm-t4x2-pod-labels.prom")))
		c, m := measure(t, s, nil)
		c.SetCovered(func(node string) bool { return node == "gpu-0" })
		pass(time.Minute)
		asked := b.times("gpu-operator/dcgm-0")
		pass(time.Minute)
		if again := b.times("gpu-operator/dcgm-0"); again != asked {
			t.Errorf("a covered node's exporter was asked %d times", again-asked)
		}
		if _, found := m.of("exporter/gpu-operator/dcgm-0"); found {
			t.Error("what a covered node's exporter said stays")
		}
		wantHealth(t, m, "exporters", train.SourceLive, "1 are left to Prometheus")
		c.SetCovered(func(string) bool { return true })
		pass(time.Minute)
		wantHealth(t, m, "exporters", train.SourceLive, "2 exporters are left alone")
		c.SetCovered(nil)
		pass(time.Minute)
		if m.count() != 2 {
			t.Errorf("%d exporters are read, want 2", m.count())
		}
	})
}

func TestWithoutTheRightToListPods(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.forbid(func(path string) bool { return strings.HasSuffix(path, "/pods") })
		_, m := measure(t, s, nil)
		if !m.settled() {
			t.Errorf("not settled: %v", m.said())
		}
		if h := wantHealth(t, m, "exporters", train.SourceForbidden, "found among pods, which may not be listed"); h.Verb != "list" || h.Resource != "pods" {
			t.Errorf("the refusal is %+v", h)
		}
	})
}

func TestExportersOutsideTheNamespaceInUse(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.put(podsPath+"a", pod())
		s.forbid(onlyIn("ml"))
		_, m := measure(t, s, nil)
		wantHealth(t, m, "exporters", train.SourceAbsent, "in namespace ml", "may not be listed")
		if !m.settled() {
			t.Errorf("not settled: %v", m.said())
		}
	})
}

func TestAnOutageOfTheAPIServerIsNoExportersFault(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		putExporters(s, 3)
		b := proxies(s)
		for i := range 3 {
			b.answer(fmt.Sprintf("gpu-operator/dcgm-%d", i), says(recorded(t, "dcgm-t4x2-pod-labels.prom")))
		}
		_, m := measure(t, s, nil)
		s.stop()
		pass(5 * time.Minute)
		wantState(t, m.picture, "kube", train.SourceRetrying)
		for _, h := range m.said() {
			if strings.HasPrefix(h.Source, "exporter/") && h.State != "" {
				t.Fatalf("an outage was laid at an exporter's door: %+v", h)
			}
		}
		s.start()
		pass(time.Minute)
		if got, _ := m.of("exporter/gpu-operator/dcgm-0"); time.Since(got.Readings[0].At) > 20*time.Second {
			t.Errorf("after the outage the newest reading is of %s ago", time.Since(got.Readings[0].At))
		}
	})
}

func TestAPodThatOnlyListensOnDCGMsPort(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		stranger := dcgmPod("gpu-0")
		stranger["metadata"] = map[string]any{"labels": map[string]any{"app": "web"}}
		stranger["spec"].(map[string]any)["containers"].([]any)[0].(map[string]any)["image"] = "registry.example/web:1"
		s.put(podsPath+"web", stranger)
		b := proxies(s)
		b.answer("ml/web", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "what?", http.StatusTeapot) })
		_, m := measure(t, s, nil)
		pass(time.Minute)
		wantHealth(t, m, "exporters", train.SourceAbsent)
		wantHealth(t, m, "exporter/gpu-0", "")
		if asked := b.times("ml/web"); asked != 1 {
			t.Errorf("a pod that is no exporter was asked %d times", asked)
		}
		b.answer("ml/web", says(recorded(t, "dcgm-t4x2-pod-labels.prom")))
		pass(guessInterval)
		if _, found := m.of("exporter/ml/web"); !found {
			t.Error("an exporter found by its port alone is not read")
		}
		wantHealth(t, m, "exporters", train.SourceLive)
	})
}

func TestTroubleOfManyExportersIsBounded(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		putExporters(s, 100) // nobody answers
		proxies(s)
		_, m := measure(t, s, nil)
		pass(time.Minute)
		named := map[string]bool{}
		for _, h := range m.said() {
			if strings.HasPrefix(h.Source, "exporter/") {
				named[h.Source] = true
			}
		}
		if len(named) != mostSpoken {
			t.Errorf("%d exporters are named, want %d", len(named), mostSpoken)
		}
		wantHealth(t, m, "exporters", train.SourceRetrying, "100 exporters found, and none gives metrics", "connection refused")
	})
}

func TestSlots(t *testing.T) {
	now := time.Date(2026, 11, 20, 12, 0, 7, 0, time.UTC)
	slots := map[time.Duration]int{}
	for i := range 1000 {
		at := nextSlot(now, 15*time.Second, slotOf(fmt.Sprintf("gpu-operator/dcgm-%d", i)))
		if !at.After(now) || at.Sub(now) > 15*time.Second {
			t.Fatalf("the next place after %s is %s", now, at)
		}
		if again := nextSlot(at, 15*time.Second, slotOf(fmt.Sprintf("gpu-operator/dcgm-%d", i))); again.Sub(at) != 15*time.Second {
			t.Fatalf("the place after %s is %s", at, again)
		}
		slots[at.Sub(now)/time.Second]++
	}
	counts := []int{}
	for _, n := range slots {
		counts = append(counts, n)
	}
	slices.Sort(counts)
	if len(counts) != 15 || counts[len(counts)-1] > 120 {
		t.Errorf("a thousand exporters lie in the interval as %v", counts)
	}
}
