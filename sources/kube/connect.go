package kube

import (
	"cmp"
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

// connection is what every request goes through: one HTTP client, so that
// all watches share one HTTP/2 connection. client-go pings that connection
// when it is silent for 30 s and drops it 15 s later, which is how a watch that
// died in a laptop's sleep is noticed.
type connection struct {
	flags     *genericclioptions.ConfigFlags
	address   string // the server's URL
	context   string
	namespace string
	// timeout is --request-timeout, and patience what follows from it for
	// requests of every sort.
	timeout  time.Duration
	patience patience
	// plugin gives the credentials, nil where none is needed (plugin.go).
	plugin *credentialPlugin
	// large are the turns of large answers (answerturn.go).
	large chan struct{}

	http      *http.Client
	transport *renewable
	core      *rest.RESTClient // typed and metadata reads, by absolute path
	dynamic   *dynamic.DynamicClient

	// logs goes through connections of its own: a flood of lines must not
	// hold up a watch, and where a server takes 100 requests at once on one
	// connection (kube-apiserver 1.36), hundreds of followed logs open more.
	logs          *rest.RESTClient
	logsTransport *renewable

	// proxied is for what answers behind the API server's proxies (exporters,
	// Prometheus), over connections of its own as well: what is slow there
	// holds up no watch. It follows no redirect, which could lead anywhere.
	proxied          *rest.RESTClient
	proxiedTransport *renewable

	// upgraded is what connections are made from that become a stream of their
	// own (commands, terminals, ports): one each, over HTTP/1.1, which WebSocket
	// and SPDY need. It is not to be written to.
	upgraded atomic.Pointer[rest.Config]
}

// connect follows kubectl's rules: its flags, KUBECONFIG, ~/.kube/config,
// in-cluster credentials, exec plugins, proxies and impersonation.
//
// waits says how long beside --request-timeout, which the flags hold.
func connect(flags *genericclioptions.ConfigFlags, waits patience) (*connection, error) {
	config, err := readConfig(flags)
	if err != nil {
		return nil, err
	}
	waits.timeout = config.Timeout
	c := &connection{flags: flags, address: config.Host, timeout: config.Timeout, patience: waits, large: make(chan struct{}, 1)}
	loader := flags.ToRawKubeConfigLoader()
	if c.namespace, _, err = loader.Namespace(); err != nil {
		return nil, fmt.Errorf("reading the namespace from the kubeconfig: %w", err)
	}
	c.context, err = currentContext(flags)
	if err != nil {
		return nil, err
	}
	config = tuned(config)
	c.plugin = pluginOf(config)
	c.plugin.watch(config)
	return c, c.plugin.prepare(func() error { return c.dialers(config) })
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
	resuming(config)
	return config
}

func (c *connection) dialers(config *rest.Config) error {
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return fmt.Errorf("preparing the connection to %s: %w", config.Host, err)
	}
	if client.Transport == nil {
		client.Transport = http.DefaultTransport
	}
	c.transport = c.renewable(client.Transport)
	c.http = &http.Client{Transport: c.transport, Timeout: client.Timeout, CheckRedirect: staysWithServer}
	if c.core, err = rest.RESTClientForConfigAndClient(coreConfig(config), c.http); err != nil {
		return fmt.Errorf("preparing the client for %s: %w", config.Host, err)
	}
	if c.dynamic, err = dynamic.NewForConfigAndClient(config, c.http); err != nil {
		return fmt.Errorf("preparing the client for %s: %w", config.Host, err)
	}
	if c.logs, c.logsTransport, err = c.apartFrom(config); err != nil {
		return err
	}
	if c.proxied, c.proxiedTransport, err = c.apartFrom(config); err != nil {
		return err
	}
	c.proxied.Client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.upgraded.Store(config)
	return nil
}

// apartFrom makes a client with connections of its own. It relies on client-go
// making a transport of its own for each call where the configuration has a
// dialer, which tuned sees to.
func (c *connection) apartFrom(config *rest.Config) (*rest.RESTClient, *renewable, error) {
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

// renew reads the kubeconfig again, for a login that was renewed in the file
// while we ran. Requests already under way keep what they have.
func (c *connection) renew() error {
	config, err := readConfig(freshFlags(c.flags))
	if err != nil {
		return err
	}
	if config.Host != c.address {
		return fmt.Errorf("the kubeconfig now names the server %s; start again to follow it there", config.Host)
	}
	config = tuned(config)
	c.plugin.watch(config)
	if err := c.plugin.prepare(func() error { return c.renewTransports(config) }); err != nil {
		return err
	}
	c.upgraded.Store(config)
	return nil
}

func (c *connection) renewTransports(config *rest.Config) error {
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
func (c *connection) renewable(t http.RoundTripper) *renewable {
	r := &renewable{}
	r.set(c.punctual(t))
	return r
}

func (c *connection) punctual(t http.RoundTripper) *punctual {
	return &punctual{c.plugin.before(t), c.patience, c.large}
}

func (r *renewable) set(t http.RoundTripper) { r.current.Store(&t) }

// RoundTrip implements http.RoundTripper.
func (r *renewable) RoundTrip(request *http.Request) (*http.Response, error) {
	return (*r.current.Load()).RoundTrip(request)
}

// WrappedRoundTripper lets client-go find the transport below, to close its
// idle connections after an outage.
func (r *renewable) WrappedRoundTripper() http.RoundTripper { return *r.current.Load() }

// ask makes one request within --request-timeout (probeTimeout when there is
// none) and says which server did not answer when none did.
func (c *connection) ask(ctx context.Context, request func(context.Context) error) error {
	limit := cmp.Or(c.timeout, probeTimeout)
	err := within(withoutLogs(ctx), limit, request)
	if lost := asConnectionError(c.address, err); lost != nil {
		return lost
	}
	if isLate(err) {
		return &ConnectionError{Address: c.address, Plugin: c.plugin.words(limit), Cause: err}
	}
	return err
}

// within makes requests that have so long together.
func within(ctx context.Context, limit time.Duration, request func(context.Context) error) error {
	limited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := request(limited)
	if err != nil && ctx.Err() == nil && limited.Err() != nil && !isLate(err) {
		return &lateError{limit, notBegun}
	}
	return err
}

// probeTimeout bounds one question whether the server answers.
const probeTimeout = 10 * time.Second
