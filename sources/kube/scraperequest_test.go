package kube

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/metrics"
	"github.com/traintop/traintop/train"
)

// openMetrics is an answer of the format that ends with a line of its own.
func openMetrics(page string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/openmetrics-text; version=1.0.0; charset=utf-8")
		fmt.Fprint(w, page)
	}
}

// TestBadAnswers: one of two exporters answers badly. The error is reported
// with the next try, the valid part is used, and the other exporter is read as
// before.
func TestBadAnswers(t *testing.T) {
	sound := recorded(t, "dcgm-t4x2-pod-labels.prom")
	for name, c := range map[string]struct {
		answer   http.HandlerFunc
		state    train.SourceState
		says     []string
		readings int
	}{
		"nobody listens": {answer: func(w http.ResponseWriter, _ *http.Request) {
			refuseWith(w, 503, "ServiceUnavailable", "error trying to reach service: dial tcp 10.0.0.9:9400: connect: connection refused")
		}, says: []string{"could not reach it", "connection refused"}},
		"no such page": {answer: http.NotFound, says: []string{"answered 404", "/metrics at port 9400", "prometheus.io/path"}},
		"wants a password": {answer: func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "Unauthorized", 401) },
			says: []string{"401", "wants credentials", "does not pass ours on"}},
		"its own refusal": {answer: func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "Forbidden", 403) },
			says: []string{"403", "wants credentials"}},
		"points elsewhere": {answer: func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://elsewhere.example/metrics", http.StatusFound)
		}, says: []string{"302", "elsewhere.example", "not followed"}},
		"a web page": {answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, "<html><body>Log in</body></html>")
		}, says: []string{"text/html", "instead of metrics"}},
		"garbage": {answer: says("\x00\x01\x02 \x1b[2J\nwhat is this\n"), says: []string{"none of an exporter", "line 1"}},
		"empty":   {answer: says(""), says: []string{"before its first collection"}},
		"no GPUs": {answer: says("go_goroutines 7\n"), says: []string{"no GPU metrics"}},
		"an error of its own": {answer: func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "collector \x1b[31mfailed", 500) },
			says: []string{"500", "collector"}},
		"too busy": {answer: func(w http.ResponseWriter, _ *http.Request) {
			refuseWith(w, 429, "TooManyRequests", "please try again later")
		},
			says: []string{"please try again later"}},
		"slow": {answer: hangs, says: []string{"no answer within 5s"}},
		"half an answer": {answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(len(sound)))
			fmt.Fprint(w, sound[:len(sound)/2])
		}, says: []string{"broke off", "was used"}, readings: 2},
		"stops in the middle": {answer: func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, sound[:len(sound)/2])
			w.(http.Flusher).Flush()
			hangs(w, r)
		}, says: []string{"not complete after 5s", "was used"}, readings: 2},
		"one bad line": {answer: says(sound + "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\" 7\n"), state: train.SourceLive, says: []string{"1 things", "could not be read"}, readings: 2},
		"another type with metrics in it": {answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/octet-stream")
			fmt.Fprint(w, sound)
		}, state: "-", readings: 2},
		"an OpenMetrics page":                           {answer: openMetrics(sound + "# EOF\n"), state: "-", readings: 2},
		"an OpenMetrics page without its last line end": {answer: openMetrics(sound + "# EOF"), state: "-", readings: 2},
		"an OpenMetrics page cut between lines":         {answer: openMetrics(sound), says: []string{"broke off", "# EOF", "was used"}, readings: 2},
		"an empty OpenMetrics page":                     {answer: openMetrics("# EOF\n"), says: []string{"before its first collection"}},
		"no content":                                    {answer: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }, says: []string{"answered 204", "no answer"}},
		"no type": {answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			fmt.Fprint(w, sound)
		}, state: "-", readings: 2},
		"compressed": {answer: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			w.Header().Set("Content-Type", "text/plain")
			z := gzip.NewWriter(w)
			fmt.Fprint(z, sound)
			z.Close()
		}, state: "-", readings: 2},
		"from the past":     {answer: stamped(-3 * time.Hour), state: train.SourceLive, says: []string{"3h0m0s old", "clock"}, readings: 1},
		"from the future":   {answer: stamped(26 * time.Hour), state: train.SourceLive, says: []string{"26h0m0s ahead"}, readings: 1},
		"from a far future": {answer: stampedAt("9223372036854775"), state: train.SourceLive, says: []string{"more than a year ahead of this machine's clock", "count as of when they were read"}, readings: 1},
		"from 1970":         {answer: stampedAt("0"), state: train.SourceLive, says: []string{"more than a year old", "clock"}, readings: 1},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T, s *apiServer) {
				putExporters(s, 2)
				b := proxies(s)
				b.answer("gpu-operator/dcgm-0", c.answer)
				b.answer("gpu-operator/dcgm-1", says(sound))
				_, m := measure(t, s, nil)
				pass(firstDeadline)
				got, _ := m.of("exporter/gpu-operator/dcgm-0")
				if len(got.Readings) != c.readings {
					t.Errorf("%d readings, want %d", len(got.Readings), c.readings)
				}
				for _, r := range got.Readings {
					if r.At.After(time.Now()) {
						t.Errorf("a reading is of %s, which is to come", r.At)
					}
				}
				want := c.state
				switch want {
				case "":
					want = train.SourceRetrying
				case "-":
					want = ""
				}
				h := wantHealth(t, m, "exporter/gpu-0", want, c.says...)
				if strings.ContainsAny(h.Text, "\x1b\x00") {
					t.Errorf("what an exporter wrote reached the text as it is: %q", h.Text)
				}
				if want == train.SourceRetrying && !h.Retry.After(time.Now().Add(-time.Second)) {
					t.Errorf("the next try is at %s", h.Retry)
				}
				wantHealth(t, m, "exporter/gpu-1", "")
				if _, found := m.of("exporter/gpu-operator/dcgm-1"); !found {
					t.Error("the sound exporter is not read")
				}
				wantState(t, m.picture, "kube", train.SourceLive)
			})
		})
	}
}

// stamped writes samples with timestamps, as on a pushed or cached page.
func stamped(off time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		says(fmt.Sprintf("DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU-1111aaaa\"} 7 %d\n", time.Now().Add(off).UnixMilli()))(w, r)
	}
}

// stampedAt answers with a sample of a time in milliseconds since 1970.
func stampedAt(ms string) http.HandlerFunc {
	return says(`DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-1111aaaa"} 7 ` + ms + "\n")
}

// A truncated answer removes no GPU that is missing from it.
func TestHalfAnAnswerMakesNoGPUMissing(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		putExporters(s, 1)
		b := proxies(s)
		page := "DCGM_FI_DEV_GPU_TEMP{gpu=\"0\",UUID=\"GPU-aaaa1111\"} 61\nDCGM_FI_DEV_GPU_TEMP{gpu=\"1\",UUID=\"GPU-bbbb2222\"} 62\n"
		b.answer("gpu-operator/dcgm-0", says(page))
		_, m := measure(t, s, nil)
		whole, _ := m.of("exporter/gpu-operator/dcgm-0")
		b.answer("gpu-operator/dcgm-0", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(len(page)))
			fmt.Fprint(w, page[:len(page)/2+3])
		})
		pass(30 * time.Second)
		got, _ := m.of("exporter/gpu-operator/dcgm-0")
		if len(got.Readings) != 2 {
			t.Fatalf("%d GPUs are left of 2", len(got.Readings))
		}
		if !got.Readings[0].At.After(whole.Readings[0].At) || !got.Readings[1].At.Equal(whole.Readings[1].At) {
			t.Errorf("readings are of %s and %s", got.Readings[0].At, got.Readings[1].At)
		}
	})
}

func TestAnExporterThatSpeaksHTTPS(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		putExporters(s, 1)
		b := proxies(s)
		page := says(recorded(t, "dcgm-t4x2-pod-labels.prom"))
		b.answer("gpu-operator/dcgm-0", func(w http.ResponseWriter, r *http.Request) {
			if !strings.Contains(r.URL.Path, "/pods/https:dcgm-0:9400/") {
				http.Error(w, "Client sent an HTTP request to an HTTPS server.", http.StatusBadRequest) // Go 1.25, net/http
				return
			}
			page(w, r)
		})
		_, m := measure(t, s, nil)
		wantHealth(t, m, "exporter/gpu-0", "")
		if _, found := m.of("exporter/gpu-operator/dcgm-0"); !found {
			t.Fatal("it is not read")
		}
		s.put(operatorPods+"other", dcgmPod("gpu-1")) // reading the pods again changes nothing
		pass(time.Minute)
		for _, path := range b.asks()[1:] {
			if strings.Contains(path, "dcgm-0") && !strings.Contains(path, "https:") {
				t.Errorf("it was asked in http again: %s", path)
			}
		}
	})
}

// TestAnEndlessPage: reading a page is limited in time, in bytes and in
// memory.
func TestAnEndlessPage(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		putExporters(s, 3)
		b := proxies(s)
		line := []byte("some_metric{a=\"" + strings.Repeat("x", 4000) + "\"} 1\n")
		block := bytes.Repeat(line, 256)
		for i := range 3 {
			b.answer(fmt.Sprintf("gpu-operator/dcgm-%d", i), func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprint(w, "DCGM_FI_DEV_GPU_TEMP{gpu=\"0\",UUID=\"GPU-aaaa1111\"} 61\n")
				for range 100 { // 100 MB
					if _, err := w.Write(block); err != nil {
						return
					}
				}
			})
		}
		var before runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		_, m := measure(t, s, nil)
		pass(time.Second)
		var after runtime.MemStats
		runtime.ReadMemStats(&after)
		if grown := int64(after.Sys) - int64(before.Sys); grown > 300<<20 {
			t.Errorf("reading three endless pages took %d MiB from the system", grown>>20)
		}
		wantHealth(t, m, "exporter/gpu-2", train.SourceRetrying, fmt.Sprintf("longer than %d MiB", metrics.MaxText>>20), "was used")
		if got, _ := m.of("exporter/gpu-operator/dcgm-2"); len(got.Readings) != 1 {
			t.Errorf("what came before was dropped: %+v", got)
		}
	})
}
