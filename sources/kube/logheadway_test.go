package kube

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// flood prints lines while they are read, each with the time that at returns.
func flood(every time.Duration, at func(line int) time.Time) func(w http.ResponseWriter, r *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		for line := 0; r.Context().Err() == nil; line++ {
			_, _ = fmt.Fprintf(w, "%s line %d %01000d\n", at(line).UTC().Format(time.RFC3339Nano), line, 0)
			w.(http.Flusher).Flush()
			time.Sleep(every)
		}
		return true
	}
}

// readAll reads one log to its present end and returns how long it took.
func readAll(t *testing.T, s *apiServer, k *kubelet, answer func(w http.ResponseWriter, r *http.Request) bool) (*logSink, time.Duration) {
	t.Helper()
	c := logsAnswering(t, s, k, nil)
	k.refuse = answer
	p, began := newLogSink(), time.Now()
	if err := c.Read(t.Context(), p, planned(whole(first))); err != nil {
		t.Error(err)
	}
	pass(time.Second)
	return p, time.Since(began)
}

// Reading ends if a kubelet sends lines endlessly although the log is not
// followed, whatever their times.
func TestAnEndlessLogIsGivenUp(t *testing.T) {
	for name, at := range map[string]func(int) time.Time{
		"as they are printed": func(int) time.Time { return time.Now() },
		"one time":            func(int) time.Time { return time.Date(2026, 11, 20, 8, 0, 0, 0, time.UTC) },
		"round and round":     func(i int) time.Time { return time.Date(2026, 11, 20, 8, i%60, 0, 0, time.UTC) },
	} {
		t.Run(name, func(t *testing.T) {
			inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
				defer s.stop()
				p, took := readAll(t, s, k, flood(20*time.Millisecond, at))
				if took > endlessLimit+10*time.Second {
					t.Errorf("it took %s", took)
				}
				wantStream(t, p, first, train.StreamFailed, "pod ml/w, container c", "it does not end", "KiB) were read")
				if p.count(first) == 0 {
					t.Error("nothing that came of it is kept")
				}
			})
		})
	}
}

// A slow log whose lines become newer is read to its end.
func TestALongLogIsReadToItsEnd(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		defer s.stop()
		k.end()
		const lines = 6000
		old := time.Now().Add(-24 * time.Hour)
		p, took := readAll(t, s, k, func(w http.ResponseWriter, r *http.Request) bool {
			if r.URL.Query().Get("sinceTime") != "" {
				_, _ = fmt.Fprintf(w, "%s line\n", old.Add(lines*time.Second).UTC().Format(time.RFC3339Nano))
				return true
			}
			for line := 1; line <= lines; line++ {
				_, _ = fmt.Fprintf(w, "%s line %01000d\n", old.Add(time.Duration(line)*time.Second).UTC().Format(time.RFC3339Nano), 0)
				w.(http.Flusher).Flush()
				time.Sleep(10 * time.Millisecond)
			}
			return true
		})
		if took < 2*endlessLimit {
			t.Fatalf("it took %s, which is no long time", took)
		}
		wantStream(t, p, first, train.StreamEnded)
		if got := p.count(first); got != lines {
			t.Errorf("%d lines were told, not %d", got, lines)
		}
	})
}
