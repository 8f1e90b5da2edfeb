package act

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"

	"k8s.io/apimachinery/pkg/util/httpstream"
	spdystream "k8s.io/apimachinery/pkg/util/httpstream/spdy"
	tunneled "k8s.io/apimachinery/pkg/util/portforward"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/transport/spdy"
	"k8s.io/client-go/transport/websocket"
	streamhttp "k8s.io/streaming/pkg/httpstream"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/kube/client"
)

// TunnelSilence is how long a tunnel may be silent. Pings are sent every
// portforward.PingPeriod and answered, so a silent tunnel is dead: a laptop
// slept, or a proxy forgot the connection.
const TunnelSilence = 3 * portforward.PingPeriod

// tunnel is one connection to a pod, which carries many forwarded connections.
type tunnel struct{ httpstream.Connection }

// lost is closed with the tunnel.
func (t *tunnel) lost() <-chan bool { return t.CloseChan() }

// dialForward connects to a pod as kubectl does: SPDY inside a WebSocket, and
// SPDY alone if the server or a proxy does not support that.
func (c *Actor) dialForward(ctx context.Context, f actions.Forward) (*tunnel, error) {
	config := c.connection.Upgraded.Load()
	ctx, cancel := context.WithTimeout(ctx, client.ForwardLimit)
	defer cancel()
	at := c.connection.Core.Get().AbsPath("/api/v1/namespaces", f.Namespace, "pods", f.Pod, "portforward").URL()
	made, err := dialWebSocket(ctx, config, at)
	if notUpgraded(err) != nil || httpstream.IsHTTPSProxyError(err) {
		made, err = dialSPDY(ctx, config, at)
	}
	if answer := notUpgraded(err); answer != nil {
		return nil, answer
	}
	if err != nil {
		return nil, c.connection.ThroughProxy(err)
	}
	return &tunnel{made}, nil
}

func dialWebSocket(ctx context.Context, config *rest.Config, at *url.URL) (httpstream.Connection, error) {
	transport, holder, err := websocket.RoundTripperFor(config)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), http.NoBody)
	if err != nil {
		return nil, err
	}
	made, err := websocket.Negotiate(transport, holder, request, tunneled.WebsocketsSPDYTunnelingPrefix+portforward.PortForwardProtocolV1Name)
	if err != nil {
		return nil, err
	}
	heard := &IdleTimeoutConn{Conn: portforward.NewTunnelingConnection("client", made)}
	heard.Silent = time.AfterFunc(TunnelSilence, func() { _ = heard.Close() })
	return spdystream.NewClientConnectionWithPings(heard, portforward.PingPeriod)
}

func dialSPDY(ctx context.Context, config *rest.Config, at *url.URL) (httpstream.Connection, error) {
	transport, upgrader, err := spdy.RoundTripperFor(config)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, at.String(), http.NoBody)
	if err != nil {
		return nil, err
	}
	made, protocol, err := spdy.Negotiate(upgrader, &http.Client{Transport: transport}, request, portforward.PortForwardProtocolV1Name)
	if err != nil {
		return nil, err
	}
	if protocol != portforward.PortForwardProtocolV1Name {
		_ = made.Close()
		return nil, fmt.Errorf("the server forwards ports in a way that is not known here (%q)", protocol)
	}
	return made, nil
}

// notUpgraded returns the answer of a server or proxy that refuses to upgrade
// a request to a stream; nil for any other error. client-go 0.36 has the error
// type twice.
func notUpgraded(err error) error {
	var failed *httpstream.UpgradeFailureError
	if errors.As(err, &failed) {
		return failed.Cause
	}
	var streaming *streamhttp.UpgradeFailureError
	if errors.As(err, &streaming) {
		return streaming.Cause
	}
	return nil
}

// IdleTimeoutConn closes itself when a read waits longer than TunnelSilence. Time
// without a read, while received data is not consumed, does not count.
type IdleTimeoutConn struct {
	net.Conn
	Silent *time.Timer
}

func (h *IdleTimeoutConn) Read(p []byte) (int, error) {
	h.Silent.Reset(TunnelSilence)
	defer h.Silent.Stop()
	return h.Conn.Read(p)
}

func (h *IdleTimeoutConn) Close() error {
	h.Silent.Stop()
	return h.Conn.Close()
}
