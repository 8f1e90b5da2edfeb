package client

import (
	"crypto/tls"
	"net/http"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
)

// sessionsKept limits the cached TLS sessions; there is one server.
const sessionsKept = 8

// Resuming lets the connections of a configuration resume earlier TLS
// sessions: a command in a container needs its own connection, and a full
// handshake is most of its computation, here and on the server (with RSA keys
// of 2,048 bits, a signature on each side).
//
// A session keeps its client's identity. If a plugin provides the
// certificates, the next one may be somebody else's, so each connection does a
// full handshake.
func Resuming(config *rest.Config) {
	if config.ExecProvider != nil || config.AuthProvider != nil {
		return
	}
	sessions := tls.NewLRUClientSessionCache(sessionsKept)
	config.Wrap(func(transport http.RoundTripper) http.RoundTripper {
		// Nobody has used it yet: with tuned's dialer client-go makes a new
		// transport for each call.
		if settings, err := utilnet.TLSClientConfig(transport); err == nil && settings != nil {
			settings.ClientSessionCache = sessions
		}
		return transport
	})
}
