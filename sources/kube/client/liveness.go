package client

import (
	"net/http"
	"sync/atomic"
	"time"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
)

// A connection of HTTP/2 that was silent for silentFor is pinged, and dropped
// when no answer comes within pingTimeout. client-go's own limits (30 s and
// 15 s, apimachinery 0.35) would leave requests on a dead connection for 45 s.
const (
	silentFor   = 10 * time.Second
	pingTimeout = 5 * time.Second
)

// dropSilent makes connections of a configuration end when they are dead.
func dropSilent(config *rest.Config) {
	config.Wrap(func(wrapped http.RoundTripper) http.RoundTripper {
		// Nobody has used it yet: with tuned's dialer client-go makes a new
		// transport for each call.
		if transport := innermost(wrapped); transport != nil {
			transport.HTTP2 = &http.HTTP2Config{SendPingTimeout: silentFor, PingTimeout: pingTimeout}
		}
		return wrapped
	})
}

// innermost is the transport of net/http inside of others, nil for another.
func innermost(wrapped http.RoundTripper) *http.Transport {
	for {
		switch t := wrapped.(type) {
		case *http.Transport:
			return t
		case utilnet.RoundTripperWrapper:
			wrapped = t.WrappedRoundTripper()
		default:
			return nil
		}
	}
}

// lastHeard is when a server last sent anything.
type lastHeard struct{ at atomic.Pointer[time.Time] }

func (h *lastHeard) now() {
	now := time.Now() //nolint:forbidigo // a stopwatch, no time of day
	h.at.Store(&now)
}

// Silence is how long the server has sent nothing, false when it never did.
func (c *Connection) Silence() (time.Duration, bool) {
	at := c.heard.at.Load()
	if at == nil {
		return 0, false
	}
	return time.Since(*at), true //nolint:forbidigo // a stopwatch, no time of day
}
