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

// dialTimeout bounds how long an address that swallows packets holds up a
// connection attempt. A server that is there answers in a fraction of it even
// over a slow VPN.
const dialTimeout = 10 * time.Second

// Connection is what every request goes through: one HTTP client, so that
// all watches share one HTTP/2 connection. client-go pings that connection
// when it is silent for 30 s and drops it 15 s later, which is how a watch that
// died in a laptop's sleep is noticed.
type Connection struct {
	flags     *genericclioptions.ConfigFlags
	Address   string // the server's URL
	Context   string
	Namespace string
	// timeout is --request-timeout, and patience what follows from it for
	// requests of every sort.
	Timeout  time.Duration
	Patience Patience
	// plugin gives the credentials, nil where none is needed (plugin.go).
	Plugin *credentialPlugin
	// large are the turns of large answers (answerturn.go).
	large chan struct{}

	http      *http.Client
	transport *renewable
	Core      *rest.RESTClient // typed and metadata reads, by absolute path
	Dynamic   *dynamic.DynamicClient

	// logs goes through connections of its own: a flood of lines must not
	// hold up a watch, and where a server takes 100 requests at once on one
	// connection (kube-apiserver 1.36), hundreds of followed logs open more.
	Logs          *rest.RESTClient
	logsTransport *renewable

	// proxied is for what answers behind the API server's proxies (exporters,
	// Prometheus), over connections of its own as well: what is slow there
	// holds up no watch. It follows no redirect, which could lead anywhere.
	Proxied          *rest.RESTClient
	proxiedTransport *renewable

	// upgraded is what connections are made from that become a stream of their
	// own (commands, terminals, ports): one each, over HTTP/1.1, which WebSocket
	// and SPDY need. It is not to be written to.
	Upgraded atomic.Pointer[rest.Config]
}

// Connect follows kubectl's rules: its flags, KUBECONFIG, ~/.kube/config,
// in-cluster credentials, exec plugins, proxies and impersonation.
//
// waits says how long beside --request-timeout, which the flags hold.
func Connect(flags *genericclioptions.ConfigFlags, waits Patience) (*Connection, error) {
	config, err := readConfig(flags)
	if err != nil {
		return nil, err
	}
	waits.Timeout = config.Timeout
	c := &Connection{flags: flags, Address: config.Host, Timeout: config.Timeout, Patience: waits, large: make(chan struct{}, 1)}
	loader := flags.ToRawKubeConfigLoader()
	if c.Namespace, _, err = loader.Namespace(); err != nil {
		return nil, fmt.Errorf("reading the namespace from the kubeconfig: %w", err)
	}
	c.Context, err = currentContext(flags)
	if err != nil {
		return nil, err
	}
	config = tuned(config)
	c.Plugin = pluginOf(config)
	c.Plugin.watch(config)
	return c, c.Plugin.prepare(func() error { return c.dialers(config) })
}

// tuned is config for a reader of everything: no client-side rate limit (the
// server has its own), no warnings on the terminal, no timeout on watches.
func tuned(config *rest.Config) *rest.Config {
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

// apartFrom makes a client with connections of its own. It relies on client-go
// making a transport of its own for each call where the configuration has a
// dialer, which tuned sees to.
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
// while we ran. Requests already under way keep what they have.
func (c *Connection) Renew() error {
	config, err := readConfig(freshFlags(c.flags))
	if err != nil {
		return err
	}
	if config.Host != c.Address {
		return fmt.Errorf("the kubeconfig now names the server %s; start again to follow it there", config.Host)
	}
	config = tuned(config)
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

// renewable is a transport whose credentials can be replaced.
type renewable struct {
	current atomic.Pointer[http.RoundTripper]
}

// renewable makes one whose requests end when their answer is late.
func (c *Connection) renewable(t http.RoundTripper) *renewable {
	r := &renewable{}
	r.set(c.punctual(t))
	return r
}

func (c *Connection) punctual(t http.RoundTripper) *Punctual {
	return &Punctual{c.Plugin.before(t), c.Patience, c.large}
}

func (r *renewable) set(t http.RoundTripper) { r.current.Store(&t) }

// RoundTrip implements http.RoundTripper.
func (r *renewable) RoundTrip(request *http.Request) (*http.Response, error) {
	return (*r.current.Load()).RoundTrip(request)
}

// WrappedRoundTripper lets client-go find the transport below, to close its
// idle connections after an outage.
func (r *renewable) WrappedRoundTripper() http.RoundTripper { return *r.current.Load() }

// Ask makes one request within the time of a question and says which server did not answer when none did.
func (c *Connection) Ask(ctx context.Context, request func(context.Context) error) error {
	limit := c.Patience.Question()
	err := Within(WithoutLogs(ctx), limit, request)
	if lost := AsConnectionError(c.Address, err); lost != nil {
		return lost
	}
	if IsLate(err) {
		return &ConnectionError{Address: c.Address, Plugin: c.Plugin.Words(limit), Cause: err}
	}
	return err
}

// Within makes requests that have so long together.
func Within(ctx context.Context, limit time.Duration, request func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := request(limited)
	if err != nil && ctx.Err() == nil && limited.Err() != nil && !IsLate(err) {
		return &LateError{limit, NotBegun}
	}
	return err
}

// ProbeTimeout bounds one question whether the server answers.
const ProbeTimeout = 10 * time.Second
