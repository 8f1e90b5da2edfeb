package kube

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train"
)

// TestLateLogs: a kubelet that accepts the request and never answers costs a
// command one deadline, and a partial answer is kept.
func TestLateLogs(t *testing.T) {
	line := func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte("2026-11-20T08:00:00.000000000Z one\n"))
		hangsAfterHeaders(w, r)
	}
	const what = "reading the log of pod ml/w, container c from the kubelet of node gpu-7: "
	tests := []struct {
		name, timeout string
		how           misbehaviour
		took          time.Duration
		text          string
		lines         int
	}{
		{"hangs", "", neverAnswers, client.LogLimit, "no answer in 10s", 0},
		{"hangs after headers", "", hangsAfterHeaders, client.LogLimit, "the answer stopped before its end: nothing more in 10s", 0},
		{"hangs after a line", "", line, client.LogLimit, "the answer stopped before its end: nothing more in 10s", 1},
		{"drips", "", drips, client.LogLimit, "the answer stopped before its end: nothing more in 10s", 0},
		{"hangs, 5 s", "5s", neverAnswers, 5 * time.Second, "no answer in 5s", 0},
		{"hangs after a line, 5 s", "5s", line, 5 * time.Second, "no complete answer in 5s", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
				defer s.stop()
				k.refuse = func(w http.ResponseWriter, r *http.Request) bool { test.how(w, r); return true }
				flags := s.flags()
				flags.Timeout = &test.timeout
				c, err := New(Options{Flags: flags})
				if err != nil {
					t.Fatal(err)
				}
				p, began := newLogSink(), time.Now()
				if err := c.Read(t.Context(), p, planned(whole(first))); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(began); took < test.took || took > test.took+2*time.Second {
					t.Errorf("it took %s", took)
				}
				status := p.state(first)
				if status.State != train.StreamFailed || status.Text != what+test.text {
					t.Errorf("the log is %s, %q, want %q", status.State, status.Text, what+test.text)
				}
				if got := p.count(first); got != test.lines {
					t.Errorf("%d lines were told, want %d", got, test.lines)
				}
			})
		})
	}
}

// TestSilentLogStaysOpen: a kubelet answers a followed log with its first
// line, however late that is.
func TestSilentLogStaysOpen(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		k.exact = true
		_, p := streaming(t, s, planned(whole(first)))
		pass(time.Hour)
		asked := k.questions()
		for i, query := range asked {
			if strings.Contains(query, "follow") != (i == 0) {
				t.Errorf("asked were %q, want the log once, and then whether there is an answer", asked)
			}
		}
		if len(asked) > 30 {
			t.Errorf("a silent log was asked for %d times in an hour", len(asked))
		}
		k.print(time.Now(), "first\n")
		pass(time.Second)
		wantLog(t, p, first, "first")
	})
}

// TestHungFollow distinguishes a kubelet that never answers from a silent log.
func TestHungFollow(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		k.refuse = func(w http.ResponseWriter, r *http.Request) bool { neverAnswers(w, r); return true }
		_, p := streaming(t, s, planned(whole(first)))
		pass(2*client.LogLimit + time.Second)
		if status := p.state(first); status.State != train.StreamRetrying || !strings.Contains(status.Text, "no answer in 10s") {
			t.Errorf("the log is %s, %q", status.State, status.Text)
		}
		k.refuse = nil
		k.print(time.Now(), "first\n")
		pass(3 * time.Minute)
		wantLog(t, p, first, "first")
	})
}
