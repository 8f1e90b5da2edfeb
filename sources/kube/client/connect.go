package client

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
)

// dialTimeout limits a connection attempt to an address that drops packets. A
// running server answers in a fraction of it, even over a slow VPN.
const dialTimeout = 10 * time.Second

// Connection carries every request. It has one HTTP client, so that all
// watches share one HTTP/2 connection. A connection that is silent is pinged and
// dropped (liveness.go), which detects a watch that died while a laptop slept.
type Connection struct {
	flags     *genericclioptions.ConfigFlags
	Address   string // URL of the server
	Context   string
	Namespace string
	// Timeout is --request-timeout, and Patience the limits derived from it
	// for each sort of request.
	Timeout  time.Duration
	Patience Timeouts
	// Room bounds the lists of a printed answer, nil for those of a screen.
	Room *ListRoom
	// Plugin provides the credentials, nil if none is configured (plugin.go).
	Plugin *credentialPlugin
	// sent are the credentials of its requests (credentials.go).
	sent credentials
	// large holds the turns of large answers (answerturn.go).
	large chan struct{}
	// heard is when the server last sent anything (liveness.go).
	heard lastHeard
	// clock compares the server's time with this machine's (serverclock.go).
	clock serverClock
	// through names the proxy in front of the server, "" for none (proxy.go).
	through string

	http      *http.Client
	transport *renewable
	Core      *rest.RESTClient // typed and metadata reads, by absolute path
	Dynamic   *dynamic.DynamicClient

	// Logs uses connections of its own: a flood of lines must not delay a
	// watch. A server accepts 100 concurrent requests on one connection
	// (kube-apiserver 1.36), so hundreds of followed logs open more.
	Logs          *rest.RESTClient
	logsTransport *renewable

	// Proxied is for servers behind the API server's proxies (exporters,
	// Prometheus). It also has its own connections, so that a slow one delays
	// no watch. It follows no redirect, which could lead anywhere.
	Proxied          *rest.RESTClient
	proxiedTransport *renewable

	// Upgraded is the configuration for connections that become streams
	// (commands, terminals, ports): one connection each, over HTTP/1.1, which
	// WebSocket and SPDY need. Do not write to it.
	Upgraded atomic.Pointer[rest.Config]
}

// Connect follows kubectl's rules: its flags, KUBECONFIG, ~/.kube/config,
// in-cluster credentials, exec plugins, proxies and impersonation.
//
// waits sets the limits besides --request-timeout, which is in the flags.
func Connect(flags *genericclioptions.ConfigFlags, waits Timeouts) (*Connection, error) {
	c := &Connection{flags: flags, large: make(chan struct{}, 1)}
	if raw, err := rawConfig(flags); err == nil { // else readConfig reports why
		c.sent.name(flags, raw)
	}
	PluginMessages.hiding(c.sent.hide)
	return c, c.sent.hideIn(c.connect(waits))
}

func (c *Connection) connect(waits Timeouts) error {
	flags := c.flags
	config, err := readConfig(flags)
	if err != nil {
		return err
	}
	waits.Timeout = config.Timeout
	c.Address, c.Timeout, c.Patience, c.Room = config.Host, config.Timeout, waits, newListRoom(waits)
	if c.Namespace, _, err = flags.ToRawKubeConfigLoader().Namespace(); err != nil {
		return fmt.Errorf("reading the namespace from the kubeconfig: %w", err)
	}
	if c.Context, err = currentContext(flags); err != nil {
		return err
	}
	config = tuned(config, &c.sent)
	if c.through, err = useProxy(config); err != nil {
		return err
	}
	c.through = c.sent.hide(c.through)
	c.Plugin = pluginOf(config)
	c.Plugin.watch(config)
	return c.Plugin.prepare(func() error { return c.dialers(config) })
}

// tuned adapts config to a reader of everything: no client-side rate limit
// (the server has its own), no warnings on the terminal, no timeout on
// watches, and no credentials in errors: sent are those of all requests.
func tuned(config *rest.Config, sent *credentials) *rest.Config {
	config = rest.CopyConfig(config)
	config.QPS = -1
	config.WarningHandler = rest.NoWarnings{}
	if config.UserAgent == "" {
		config.UserAgent = "traintop"
	}
	if config.Dial == nil {
		timeout := dialTimeout
		if config.Timeout > 0 && config.Timeout < timeout {
			timeout = config.Timeout
		}
		config.Dial = (&net.Dialer{Timeout: timeout, KeepAlive: 30 * time.Second}).DialContext
	}
	config.Timeout = 0
	Resuming(config)
	dropSilent(config)
	config.Wrap(func(next http.RoundTripper) http.RoundTripper { return &hidesCredentials{next, sent} })
	return config
}

func (c *Connection) dialers(config *rest.Config) error {
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return fmt.Errorf("preparing the connection to %s: %w", config.Host, err)
	}
	if client.Transport == nil {
		client.Transport = http.DefaultTransport
	}
	c.transport = c.renewable(client.Transport)
	c.http = &http.Client{Transport: c.transport, Timeout: client.Timeout, CheckRedirect: staysWithServer}
	if c.Core, err = rest.RESTClientForConfigAndClient(coreConfig(config), c.http); err != nil {
		return fmt.Errorf("preparing the client for %s: %w", config.Host, err)
	}
	if c.Dynamic, err = dynamic.NewForConfigAndClient(config, c.http); err != nil {
		return fmt.Errorf("preparing the client for %s: %w", config.Host, err)
	}
	if c.Logs, c.logsTransport, err = c.apartFrom(config); err != nil {
		return err
	}
	if c.Proxied, c.proxiedTransport, err = c.apartFrom(config); err != nil {
		return err
	}
	c.Proxied.Client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.Upgraded.Store(config)
	return nil
}

// apartFrom makes a client with its own connections. It relies on client-go
// making a new transport for each call if the configuration has a dialer,
// which tuned sets.
func (c *Connection) apartFrom(config *rest.Config) (*rest.RESTClient, *renewable, error) {
	made, err := transportFor(config)
	if err != nil {
		return nil, nil, err
	}
	transport := c.renewable(made)
	requests, err := rest.RESTClientForConfigAndClient(coreConfig(config), &http.Client{Transport: transport, CheckRedirect: staysWithServer})
	if err != nil {
		return nil, nil, fmt.Errorf("preparing the client for %s: %w", config.Host, err)
	}
	return requests, transport, nil
}

func transportFor(config *rest.Config) (http.RoundTripper, error) {
	transport, err := rest.TransportFor(config)
	if err != nil {
		return nil, fmt.Errorf("preparing the connection to %s: %w", config.Host, err)
	}
	return transport, nil
}

// Renew reads the kubeconfig again, for a login that was renewed in the file
// meanwhile. Requests under way keep the old credentials.
func (c *Connection) Renew() error {
	config, err := readConfig(freshFlags(c.flags))
	if err != nil {
		return err
	}
	if config.Host != c.Address {
		return fmt.Errorf("the kubeconfig now names the server %s; start again to follow it there", config.Host)
	}
	config = tuned(config, &c.sent)
	if _, err := useProxy(config); err != nil {
		return err
	}
	c.Plugin.watch(config)
	if err := c.Plugin.prepare(func() error { return c.renewTransports(config) }); err != nil {
		return err
	}
	c.Upgraded.Store(config)
	return nil
}

func (c *Connection) renewTransports(config *rest.Config) error {
	for _, one := range []*renewable{c.transport, c.logsTransport, c.proxiedTransport} {
		transport, err := transportFor(config)
		if err != nil {
			return err
		}
		one.set(c.punctual(transport))
	}
	return nil
}

// Hide returns a text of the server without the credentials that were sent to it.
func (c *Connection) Hide(text string) string { return c.sent.hide(text) }

// renewable is a transport with replaceable credentials.
type renewable struct {
	current atomic.Pointer[http.RoundTripper]
}

// renewable makes one whose requests fail when their answer is late.
func (c *Connection) renewable(t http.RoundTripper) *renewable {
	r := &renewable{}
	r.set(c.punctual(t))
	return r
}

func (c *Connection) punctual(t http.RoundTripper) *TimedTransport {
	return &TimedTransport{Next: c.Plugin.before(t), Patience: c.Patience, Large: c.large, Heard: c.heard.now, Dated: c.clock.note, Through: c.through}
}

func (r *renewable) set(t http.RoundTripper) { r.current.Store(&t) }

// RoundTrip implements http.RoundTripper.
func (r *renewable) RoundTrip(request *http.Request) (*http.Response, error) {
	return (*r.current.Load()).RoundTrip(request)
}

// WrappedRoundTripper lets client-go find the inner transport, to close its
// idle connections after an outage.
func (r *renewable) WrappedRoundTripper() http.RoundTripper { return *r.current.Load() }

// Ask makes one request within Patience.Question. If no server answers, the
// error names the server.
func (c *Connection) Ask(ctx context.Context, request func(context.Context) error) error {
	limit := c.Patience.Question()
	err := c.ThroughProxy(Within(WithoutLogs(ctx), limit, request))
	if lost := AsConnectionError(c.Address, err); lost != nil {
		return lost
	}
	if IsLate(err) {
		return &ConnectionError{Address: c.Address, Plugin: c.Plugin.Words(limit), Cause: err}
	}
	return err
}

// Within makes requests that together may take the given time.
func Within(ctx context.Context, limit time.Duration, request func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := request(limited)
	if err != nil && ctx.Err() == nil && limited.Err() != nil && !IsLate(err) {
		return &LateError{limit, NotBegun}
	}
	return err
}
