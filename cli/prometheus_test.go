package cli

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/sources/prometheus"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

func TestPrometheusConfiguration(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(`
prometheus: {url: "https://a.example.com", bearerToken: s3cret, tokenFile: x}
contexts:
  here: {prometheus: {url: "off", pasword: y}}
`), 0o600); err != nil {
		t.Fatal(err)
	}
	c, warnings, err := config.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if text := strings.Join(warnings.Lines(), "\n"); !strings.Contains(text, `"prometheus.tokenFile"`) || !strings.Contains(text, `"contexts.here.prometheus.pasword"`) || strings.Contains(text, "s3cret") {
		t.Errorf("warnings: %s", text)
	}
	f := func(context, flag, url string, token bool) {
		t.Helper()
		o := &opening{prometheus: flag, loaded: &loaded{config: c}}
		got := o.prometheusOf(&session{context: context})
		if got.URL != url || (got.BearerToken == "s3cret") != token {
			t.Errorf("in context %q with %q: %s with a token %v", context, flag, got, got.BearerToken != "")
		}
	}
	f("", "", "https://a.example.com", true)
	f("here", "", prometheus.Off, false)
	f("", prometheus.Off, prometheus.Off, true)
	f("", "https://a.example.com/other", "https://a.example.com/other", true)
	// A token is not sent to a server that it is not for.
	f("", "https://b.example.com", "https://b.example.com", false)
	f("", "http://a.example.com", "http://a.example.com", false)
	f("here", "https://b.example.com", "https://b.example.com", false)
}

// Files have nothing to do with Prometheus, nor with any server: flags that choose one
// are refused.
func TestFilesDoNotAskPrometheus(t *testing.T) {
	asked := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("Prometheus was asked") }))
	defer asked.Close()
	page := filepath.Join(t.TempDir(), "n1.prom")
	if err := os.WriteFile(page, []byte("DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-0011aabb\"} 5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, complaints, code := command(t, "", "gpus", "--from", page, "--prometheus", "off", "--kubeconfig", "/none", "-o", "json")
	if code != exitDone || !strings.Contains(out, `"utilization": 5`) {
		t.Errorf("exit code %d: %s%s", code, out, complaints)
	}
	for _, flags := range [][]string{{"--prometheus", asked.URL}, {"--context", "prod"}, {"--server", asked.URL}, {"--as", "bob"}, {"--token=t"}, {"--insecure-skip-tls-verify"}} {
		for _, name := range []string{"gpus", "jobs", "diagnose", "watch"} {
			name := append([]string{name, "--from", page}, flags...)
			flag, _, _ := strings.Cut(flags[0], "=")
			if out, complaints, code := command(t, "", name...); code != exitUsage || out != "" || !strings.Contains(complaints, "cannot follow "+flag) {
				t.Errorf("%v: exit code %d: %s%s", name, code, out, complaints)
			}
		}
	}
}

// TestOutsidePrometheusRefuses: a refusal of an outside Prometheus is not a
// missing right in the cluster.
func TestOutsidePrometheusRefuses(t *testing.T) {
	for _, code := range []int{http.StatusUnauthorized, http.StatusForbidden} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }))
		settings := prometheus.Settings{URL: server.URL}
		endpoint, err := settings.Endpoint()
		if err != nil {
			t.Fatal(err)
		}
		s := store.New(time.Now)
		ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
		go prometheus.New(prometheus.Options{Endpoint: endpoint, Now: time.Now}).Run(ctx, s)
		var messages bytes.Buffer
		for messages.Len() == 0 && ctx.Err() == nil {
			<-s.Changed()
			(&app{err: &messages}).report(s.Snapshot().Health(), "ml")
		}
		stop()
		server.Close()
		for _, want := range []string{server.URL, strconv.Itoa(code), "this Prometheus", "bearerTokenFile", "under prometheus in the configuration"} {
			if !strings.Contains(messages.String(), want) {
				t.Errorf("%d is told as %q, want %q in it", code, &messages, want)
			}
		}
		if strings.Contains(messages.String(), "rbac.yaml") {
			t.Errorf("%d is told as %q", code, &messages)
		}
	}
}

// TestMachinesOfThisCluster: GPUs are judged to be of another cluster only once the
// nodes are known completely, and by all names that exporters write.
func TestMachinesOfThisCluster(t *testing.T) {
	s := store.New(time.Now)
	list := func(kind schema.GroupKind, state train.SourceState) store.Event {
		resource := kinds.Plural(kind)
		return store.HealthChanged{Health: train.Health{Source: "kube/" + resource, Resource: resource, State: state}}
	}
	machines := func(events ...store.Event) (func(string) bool, bool) {
		s.Apply(events...)
		return inventory{s.Snapshot()}.Machines()
	}
	if has, pending := machines(); has != nil || !pending {
		t.Error("before anything is read")
	}
	if has, pending := machines(list(kinds.NodeKind, train.SourceForbidden)); has != nil || pending {
		t.Error("where nodes may not be listed")
	}
	if has, pending := machines(list(kinds.NodeKind, train.SourceListing), list(kinds.PodKind, train.SourceListing)); has != nil || !pending {
		t.Error("while nodes are listed")
	}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "gpu-0.example.com", Labels: map[string]string{corev1.LabelHostname: "rack-7"}}, Status: corev1.NodeStatus{Addresses: []corev1.NodeAddress{{Type: corev1.NodeInternalDNS, Address: "ip-10-0-0-9.internal"}}}}
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "gpu", Name: "stats-0"}}
	has, _ := machines(list(kinds.NodeKind, train.SourceLive), list(kinds.PodKind, train.SourceForbidden), store.Listed{Kind: kinds.NodeKind, Objects: []kinds.Object{node}})
	for name, want := range map[string]bool{"gpu-0.example.com": true, "gpu-0": true, "rack-7": true, "ip-10-0-0-9": true, "gpu-1": false, "": false, "nvidia-dcgm-exporter": true, "dcgm-x7k2p": true} {
		if has == nil || has(name) != want {
			t.Errorf("without pods, %q: want %v", name, want)
		}
	}
	has, _ = machines(list(kinds.PodKind, train.SourceLive), store.Listed{Kind: kinds.PodKind, Objects: []kinds.Object{pod}})
	for name, want := range map[string]bool{"gpu-0": true, "stats-0": true, "stats-1": false, "dcgm-x7k2p": false} {
		if has == nil || has(name) != want {
			t.Errorf("with all pods, %q: want %v", name, want)
		}
	}
}
