package kube

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train"
)

// Over a slow connection the lines of the last ten minutes take half a minute: silence
// of the log means nothing before they are here, and does ten seconds later.
func TestALogThatCatchesUpIsNotSilent(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		k.refuse = func(w http.ResponseWriter, r *http.Request) bool {
			drip(w, r, 60, func(i int) time.Time { return time.Now().Add(-time.Duration(60-i) * 10 * time.Second) })
			return true
		}
		_, p := streaming(t, s, planned(whole(first)))
		pass(25 * time.Second)
		if status := p.state(first); status.State != train.StreamLive || status.Settled(time.Now()) {
			t.Errorf("after 25 s the log is %s since %s, and its silence means something", status.State, time.Since(status.Since))
		}
		pass(20 * time.Second)
		if status := p.state(first); !status.Settled(time.Now()) {
			t.Errorf("after 45 s the log counts as catching up still: since %s", time.Since(status.Since))
		}
	})
}

// A node whose clock is ten minutes behind prints no old lines.
func TestALogOfAnotherClockDoesNotCatchUp(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		k.refuse = func(w http.ResponseWriter, r *http.Request) bool {
			drip(w, r, 60, func(int) time.Time { return time.Now().Add(-10 * time.Minute) })
			return true
		}
		_, p := streaming(t, s, planned(whole(first)))
		pass(20 * time.Second)
		if status := p.state(first); !status.Settled(time.Now()) {
			t.Errorf("after 20 s the log counts as catching up: since %s", time.Since(status.Since))
		}
		if status := p.state(first); status.Behind != 10*time.Minute {
			t.Errorf("its clock counts as %s behind", status.Behind)
		}
	})
}

// That the newest lines of a backlog came one after another is no difference of clocks: a
// log that has printed nothing for an hour is silent.
func TestABacklogIsNoOtherClock(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		k.refuse = func(w http.ResponseWriter, r *http.Request) bool {
			drip(w, r, 60, func(i int) time.Time { return time.Now().Add(-time.Hour - time.Duration(60-i)*400*time.Millisecond) })
			return true
		}
		_, p := streaming(t, s, planned(whole(first)))
		pass(50 * time.Second)
		if status := p.state(first); status.Behind != 0 {
			t.Errorf("its clock counts as %s behind", status.Behind)
		}
	})
}

// drip answers with lines, one each half second, and stays open.
func drip(w http.ResponseWriter, r *http.Request, lines int, at func(line int) time.Time) {
	for i := range lines {
		fmt.Fprintf(w, "%s step %d\n", at(i).UTC().Format(time.RFC3339Nano), i)
		w.(http.Flusher).Flush()
		if !client.Sleep(r.Context(), 500*time.Millisecond) {
			return
		}
	}
	<-r.Context().Done()
}
