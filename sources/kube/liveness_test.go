package kube

import (
	"net/http"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// A server that is stopped keeps its connections and sends nothing: 15 s later
// the screen reports it, with the age of what it shows.
func TestASilentServerIsNotLive(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.put(podsPath+"a", pod())
		_, p := run(t, s, nil)
		pass(time.Minute)
		wantState(t, p, "kube", train.SourceLive)
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			neverAnswers(w, r)
			return true
		})
		pass(15 * time.Second)
		wantState(t, p, "kube", train.SourceRetrying)
		if age := time.Since(p.state("kube").Since); age < 14*time.Second || age > 21*time.Second {
			t.Errorf("the data is called %s old, and the server was silent for 15 to 20 s", age)
		}
		s.intercept(nil)
		pass(time.Minute)
		wantState(t, p, "kube", train.SourceLive)
	})
}

// However the moment falls between two questions, a server that falls silent is
// not called live for longer than 15 s. Its answers take some time.
func TestASilentServerIsNotLiveWheneverItStops(t *testing.T) {
	for offset := range 12 {
		inBubble(t, func(t *testing.T, s *apiServer) {
			s.intercept(func(http.ResponseWriter, *http.Request) bool {
				time.Sleep(20 * time.Millisecond)
				return false
			})
			_, p := run(t, s, nil)
			pass(time.Minute + time.Duration(offset)*500*time.Millisecond)
			s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
				neverAnswers(w, r)
				return true
			})
			pass(15 * time.Second)
			wantState(t, p, "kube", train.SourceRetrying)
		})
	}
}

// A server that never answered is away since it was first asked.
func TestAServerThatNeverAnsweredIsAwaySinceItWasAsked(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		s.intercept(func(w http.ResponseWriter, r *http.Request) bool {
			neverAnswers(w, r)
			return true
		})
		begin := time.Now()
		_, p := run(t, s, nil)
		pass(30 * time.Second)
		wantState(t, p, "kube", train.SourceRetrying)
		if since := p.state("kube").Since.Sub(begin); since > time.Second {
			t.Errorf("it is called away since %s after it was first asked", since)
		}
	})
}

// A server that is slow to send its version, and sends what it watches, is live.
func TestAServerThatSendsIsLive(t *testing.T) {
	inBubble(t, func(t *testing.T, s *apiServer) {
		_, p := run(t, s, nil)
		pass(time.Minute)
		s.intercept(at("/version", neverAnswers))
		for range 30 {
			s.put(podsPath+"a", pod())
			pass(2 * time.Second)
		}
		wantState(t, p, "kube", train.SourceLive)
	})
}
