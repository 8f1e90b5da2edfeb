package client

import (
	"crypto/tls"
	"net/http"

	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"
)

// sessionsKept bounds the TLS sessions that are kept; there is one server.
const sessionsKept = 8

// Resuming lets the connections of a configuration go on with a TLS session of
// the ones before: a command in a container needs a connection of its own, and
// a handshake from the start is most of what it computes, here and at the
// server (with RSA keys of 2,048 bits a signature of each side).
//
// A session keeps who opened it. Where a plugin gives the certificates, the
// next one may be somebody else's, so each connection begins anew.
func Resuming(config *rest.Config) {
	if config.ExecProvider != nil || config.AuthProvider != nil {
		return
	}
	sessions := tls.NewLRUClientSessionCache(sessionsKept)
	config.Wrap(func(transport http.RoundTripper) http.RoundTripper {
		// Nobody has used it yet: with tuned's dialer client-go makes a
		// transport of its own for each call.
		if settings, err := utilnet.TLSClientConfig(transport); err == nil && settings != nil {
			settings.ClientSessionCache = sessions
		}
		return transport
	})
}
