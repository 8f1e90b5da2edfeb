package kube

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/traintop/traintop/train"
)

// Where this machine's clock differs from the API server's, it is moved to that, reported,
// and moved back once they agree. Seconds do not count, nor the time of servers behind the
// API server.
func TestTheClockIsTheServers(t *testing.T) {
	for ahead, want := range map[time.Duration]string{
		time.Hour:         "the clock of this machine is 1h0m0s behind that of the API server; times and ages are by the server's",
		-30 * time.Minute: "the clock of this machine is 30m0s ahead of that of the API server; times and ages are by the server's",
		10 * time.Second:  "",
	} {
		inBubble(t, func(t *testing.T, s *apiServer) {
			var off atomic.Int64
			off.Store(int64(ahead))
			dated := func(w http.ResponseWriter, r *http.Request) bool {
				date := time.Now().Add(time.Duration(off.Load()))
				if strings.Contains(r.URL.Path, "/proxy/") {
					date = date.Add(24 * time.Hour)
				}
				w.Header().Set("Date", date.UTC().Format(http.TimeFormat))
				return false
			}
			s.intercept(dated)
			var mu sync.Mutex
			var all []time.Duration
			_, p := run(t, s, func(o *Options) {
				o.SetOffset = func(offset time.Duration) {
					mu.Lock()
					defer mu.Unlock()
					all = append(all, offset)
				}
			})
			set := func() []time.Duration {
				mu.Lock()
				defer mu.Unlock()
				return slices.Clone(all)
			}
			pass(time.Minute)
			if text := p.state(train.ClockSource).Text; text != want {
				t.Errorf("%s: it says %q, want %q", ahead, text, want)
			}
			offsets := set()
			near := func(offset time.Duration) bool { return (offset - ahead).Abs() <= time.Second }
			if want != "" && (len(offsets) != 1 || !near(offsets[0])) || want == "" && len(offsets) > 0 {
				t.Errorf("%s: the offsets are %v", ahead, offsets)
			}
			off.Store(0)
			pass(time.Hour)
			offsets = set()
			if want != "" && (len(offsets) != 2 || offsets[1] != 0 || p.state(train.ClockSource).State != "") {
				t.Errorf("%s: later the offsets are %v, and it says %q", ahead, offsets, p.state(train.ClockSource).Text)
			}
		})
	}
}
