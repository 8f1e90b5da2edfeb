package kube

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

// lastTime keeps the time of the newest line.
type lastTime struct {
	*logSink
	at time.Time
}

func (l *lastTime) Apply(events ...store.Event) {
	l.logSink.Apply(events...)
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, event := range events {
		if e, is := event.(store.Logged); is && len(e.Lines) > 0 {
			l.at = e.Lines[len(e.Lines)-1].Time
		}
	}
}

func (l *lastTime) age() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return time.Since(l.at)
}

// drawBar answers with a bar that began at a time and is drawn each second until
// another, as a kubelet does: with the time of its beginning alone. The last entry, asked
// for apart, has its own.
func drawBar(w http.ResponseWriter, r *http.Request, began, until time.Time) {
	stamp := func(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }
	piece := func(at time.Time) string {
		n := int(at.Sub(began) / time.Second)
		return fmt.Sprintf("\r%d/36000 [loss=%.4f]", n, 3-float64(n)/36000)
	}
	newest := time.Now()
	if newest.After(until) {
		newest = until
	}
	if r.URL.Query().Get("tailLines") == "1" {
		fmt.Fprint(w, stamp(newest), " ", piece(newest))
		return
	}
	fmt.Fprint(w, stamp(began), " ")
	at := began
	for ; !at.After(newest); at = at.Add(time.Second) {
		fmt.Fprint(w, piece(at))
	}
	w.(http.Flusher).Flush()
	for r.URL.Query().Get("follow") == "true" && client.Sleep(r.Context(), time.Second) {
		if at = time.Now(); !at.After(until) {
			fmt.Fprint(w, piece(at))
			w.(http.Flusher).Flush()
		}
	}
}

// A bar that began fifty minutes ago and goes on is no silence of fifty minutes, in a
// log that is followed and in one that is read once; one that stopped is silent since
// then.
func TestALineThatGoesOnIsAsOldAsItsNewestPart(t *testing.T) {
	for name, stopped := range map[string]time.Duration{"it goes on": 0, "it stopped": 20 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
				began, until := time.Now().Add(-50*time.Minute), time.Now().Add(time.Hour)
				if stopped > 0 {
					until = time.Now().Add(-stopped)
				}
				draws := func(w http.ResponseWriter, r *http.Request) bool {
					drawBar(w, r, began, until)
					return true
				}
				ageIs := func(p *lastTime) {
					t.Helper()
					want := max(0, time.Since(until))
					if got := p.age(); (got - want).Abs() > 2*time.Second {
						t.Errorf("the newest line is %s old, want %s", got, want)
					}
				}
				c := logsAnswering(t, s, k, nil)
				k.refuse = draws
				once := &lastTime{logSink: newLogSink()}
				if err := c.Read(t.Context(), once, planned(whole(first))); err != nil {
					t.Fatal(err)
				}
				ageIs(once)

				p := &lastTime{logSink: newLogSink()}
				streamingTo(t, s, planned(whole(first)), p)
				pass(15 * time.Second)
				ageIs(p)
				if status := p.state(first); !status.Settled(time.Now()) {
					t.Error("after 15 s older lines are expected still")
				}
				pass(30 * time.Second)
				ageIs(p)
			})
		})
	}
}

// Where lines alone are wanted, as they are printed, none is delivered again with another
// time.
func TestLinesAloneKeepTheTimesOfTheKubelet(t *testing.T) {
	inLogBubble(t, func(t *testing.T, s *apiServer, k *kubelet) {
		began := time.Now().Add(-50 * time.Minute)
		k.refuse = func(w http.ResponseWriter, r *http.Request) bool {
			fmt.Fprintf(w, "%s \r1/2 [loss=3]\r2/2 [loss=2]\n", began.UTC().Format(time.RFC3339Nano))
			w.(http.Flusher).Flush()
			<-r.Context().Done()
			return true
		}
		c, err := New(Options{Flags: s.flags(), Kinds: []kinds.Kind{pyTorchJob}, LinesOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		p := &lastTime{logSink: newLogSink()}
		followed(t, s, c, p, planned(whole(first)))
		pass(time.Minute)
		if p.applied != 1 || !p.at.Equal(began) {
			t.Errorf("told %d times, the line is of %s, want once and %s", p.applied, p.at, began)
		}
	})
}
