package kube

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// printsPlain makes a kubelet answer with a text, unchanged.
func printsPlain(k *kubelet, text string) {
	k.refuse = func(w http.ResponseWriter, _ *http.Request) bool {
		_, _ = io.WriteString(w, text)
		return true
	}
}

// A kubelet or a proxy that omits the requested timestamps loses no line.
func TestLinesWithoutTimesAreKept(t *testing.T) {
	for name, text := range map[string]string{
		"none has one":  "one\ntwo\nthree\n",
		"no end":        "one\ntwo\nthree",
		"some have one": "2026-11-20T08:50:00.000000001Z one\ntwo\n2026-11-20T08:50:00.000000003Z three\n",
		"first without": "one\n2026-11-20T08:50:00.000000001Z two\n2026-11-20T08:50:00.000000003Z three\n",
	} {
		t.Run(name, func(t *testing.T) {
			inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
				defer s.stop()
				k.end()
				c, err := New(Options{Flags: s.flags(), Kinds: []kinds.Kind{}})
				if err != nil {
					t.Fatal(err)
				}
				printsPlain(k, text)
				p := newLogSink()
				if err := c.Read(t.Context(), p, planned(whole(first))); err != nil {
					t.Error(err)
				}
				wantLog(t, p, first, "one", "two", "three")
				wantStream(t, p, first, train.StreamEnded, "without the times that were asked for")
			})
		})
	}
}

// A web page in place of a log, of a proxy that asks to log in, is no log.
func TestAWebPageIsNoLog(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		defer s.stop()
		k.end()
		c, err := New(Options{Flags: s.flags(), Kinds: []kinds.Kind{}})
		if err != nil {
			t.Fatal(err)
		}
		printsPlain(k, "\n<!DOCTYPE html>\n<html><body>Sign in</body></html>\n")
		p := newLogSink()
		if err := c.Read(t.Context(), p, planned(whole(first))); err != nil {
			t.Error(err)
		}
		wantLog(t, p, first)
		wantStream(t, p, first, train.StreamFailed, "it sent a web page and no log")
	})
}

// Delivered lines without times are not delivered again when a followed log is
// resumed.
func TestLinesWithoutTimesAreReportedOnce(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		lines := []string{"one", "two"}
		k.refuse = func(w http.ResponseWriter, r *http.Request) bool {
			k.mu.Lock()
			text, closing := strings.Join(lines, "\n")+"\n", k.closing
			k.mu.Unlock()
			_, _ = io.WriteString(w, text)
			w.(http.Flusher).Flush()
			select {
			case <-closing:
			case <-r.Context().Done():
			}
			return true
		}
		_, p := streaming(t, s, planned(whole(first)))
		wantLog(t, p, first, "one", "two")
		k.mu.Lock()
		lines = slices.Concat(lines, []string{"three"})
		k.mu.Unlock()
		k.hangUp()
		pass(time.Minute)
		wantLog(t, p, first, "one", "two", "three")
	})
}
