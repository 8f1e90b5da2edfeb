package client

import (
	"net/http"
	"strings"
	"sync"
	"time"
)

const (
	// harmlessOffset is by how much two clocks may differ before it counts: the header
	// Date has whole seconds, and what is reported about a job differs by minutes.
	harmlessOffset = 30 * time.Second
	// promptAnswer is how long an answer may take that contains the server's time.
	promptAnswer = 5 * time.Second
	// offsetMoves is by how much an offset must differ from the one before.
	offsetMoves = 5 * time.Second
)

// serverClock measures by how much the clock of the API server is ahead of this
// machine's, by the header Date of its answers. The zero value reports to nobody.
type serverClock struct {
	mu      sync.Mutex
	offset  time.Duration
	changed func(offset time.Duration)
}

// OnOffset makes f be called whenever the clock of the API server turns out to be
// ahead of this machine's (above 0) or behind it by another time than before. Less than
// half a minute counts as 0.
func (c *Connection) OnOffset(f func(offset time.Duration)) {
	c.clock.mu.Lock()
	defer c.clock.mu.Unlock()
	c.clock.changed = f
}

// Offset returns by how much the clock of the API server is ahead of this machine's, below
// 0 behind; 0 for less than half a minute.
func (c *Connection) Offset() time.Duration {
	c.clock.mu.Lock()
	defer c.clock.mu.Unlock()
	return c.clock.offset
}

// note takes the time of an answer. Others than the API server answer behind its proxies
// and for aggregated APIs.
func (s *serverClock) note(request *http.Request, response *http.Response, sent, received time.Time) {
	path := request.URL.Path
	if isProxied(path) || !strings.Contains(path, "/api/v1") && !strings.HasSuffix(path, "/version") || received.Sub(sent) > promptAnswer {
		return
	}
	at, err := http.ParseTime(response.Header.Get("Date"))
	if err != nil {
		return
	}
	offset := at.Add(time.Second / 2).Sub(sent.Add(received.Sub(sent) / 2))
	if offset.Abs() < harmlessOffset {
		offset = 0
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if (offset - s.offset).Abs() < offsetMoves {
		return
	}
	s.offset = offset.Round(time.Second)
	if s.changed != nil {
		s.changed(s.offset)
	}
}
