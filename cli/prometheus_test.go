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

	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/sources/prometheus"
	"github.com/traintop/traintop/store"
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

// Files have nothing to do with Prometheus.
func TestFilesDoNotAskPrometheus(t *testing.T) {
	asked := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("Prometheus was asked") }))
	defer asked.Close()
	page := filepath.Join(t.TempDir(), "n1.prom")
	if err := os.WriteFile(page, []byte("DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-0011aabb\"} 5\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, complaints, code := command(t, "", "gpus", "--from", page, "--prometheus", asked.URL, "-o", "json")
	if code != exitDone || !strings.Contains(out, `"utilization": 5`) {
		t.Errorf("exit code %d: %s%s", code, out, complaints)
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
		var told bytes.Buffer
		for told.Len() == 0 && ctx.Err() == nil {
			<-s.Changed()
			(&app{err: &told}).tell(s.Snapshot().Health(), "ml")
		}
		stop()
		server.Close()
		for _, want := range []string{server.URL, strconv.Itoa(code), "this Prometheus", "bearerTokenFile", "under prometheus in the configuration"} {
			if !strings.Contains(told.String(), want) {
				t.Errorf("%d is told as %q, want %q in it", code, &told, want)
			}
		}
		if strings.Contains(told.String(), "rbac.yaml") {
			t.Errorf("%d is told as %q", code, &told)
		}
	}
}
