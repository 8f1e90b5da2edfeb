package kube

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/cli-runtime/pkg/genericclioptions"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/sources/kube/act"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/sources/redact/declared"
	"github.com/traintop/traintop/sources/redact/eventmask"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

// Options select the cluster, and how it is read.
type Options struct {
	// Flags are kubectl's connection flags. Nil means none given.
	Flags *genericclioptions.ConfigFlags
	// Namespace pins reading to one namespace: no request goes to others, and
	// a resource refused in it is not tried elsewhere. "" reads all
	// namespaces, or the one in use where that is refused.
	Namespace string
	// Named are namespaces that the user asked for: they are read besides the
	// one in use where lists of all namespaces are refused.
	Named []string
	// Endless lets requests wait without limit: the user gave
	// --request-timeout=0, rather than no flag.
	Endless bool
	// Once means that the cluster is read for one answer: a slow list is
	// abandoned sooner than on a screen, which meanwhile shows the others.
	Once bool
	// Until is the deadline for the objects of that answer, zero for none. The
	// part of a list that came until then is used.
	Until time.Time
	// Now is the clock of health events; nil is the machine's clock.
	Now func() time.Time
	// SetOffset moves that clock to the API server's, which is so far ahead of this
	// machine's, or behind it (below 0); nil leaves it as it is.
	SetOffset func(offset time.Duration)
	// Kinds are the job, queue and pod-group kinds to read; nil means
	// kinds.Jobs and kinds.Related.
	Kinds []kinds.Kind
	// Formats configure how metrics are parsed from logs.
	Formats formats.Options
	// LinesOnly skips parsing metrics and failures in logs.
	LinesOnly bool
	// Exporters is the interval for scraping each exporter of GPU metrics
	// through the API server's pod proxy; 0 scrapes none.
	Exporters time.Duration
	// Usage is the interval for reading the usage of nodes and pods from
	// metrics.k8s.io; 0 never reads it.
	Usage time.Duration
}

// Cluster is a live cluster. It is a sources.Source; Run may be called once.
type Cluster struct {
	*act.Actor
	served     *client.ServedKinds
	connection *client.Connection
	pinned     string
	named      []string
	flags      *genericclioptions.ConfigFlags
	now        func() time.Time
	kinds      []kinds.Kind
	namespace  *namespaceInUse
	logs       *logSet
	pods       podSecrets
	// exporters and usage are intervals as in Options, 0 for never.
	exporters, usage time.Duration
	covered          atomic.Pointer[func(string) bool]
	// offset is by how much the server's clock is ahead, in nanoseconds.
	offset atomic.Int64
	// report is nil until Run starts.
	report atomic.Pointer[reporter]
}

var _ sources.Source = (*Cluster)(nil)

// New reads the kubeconfig; it makes no request. Its errors state what to do
// (NoKubeconfigError, UnknownContextError).
func New(o Options) (*Cluster, error) {
	client.SilenceKlog()
	if o.Flags == nil {
		o.Flags = genericclioptions.NewConfigFlags(false)
	}
	if o.Now == nil {
		o.Now = time.Now //nolint:forbidigo // replaces the clock that cli gives
	}
	if o.Kinds == nil {
		o.Kinds = append(append([]kinds.Kind{}, kinds.Jobs()...), kinds.Related()...)
	}
	if err := client.CheckName(o.Namespace); err != nil {
		return nil, err
	}
	connection, err := client.Connect(o.Flags, client.Timeouts{Endless: o.Endless, Once: o.Once, Until: o.Until})
	if err != nil {
		return nil, err
	}
	namespace := o.Namespace
	if namespace == "" {
		namespace = connection.Namespace
	}
	served := client.NewServedKinds()
	c := &Cluster{
		Actor: act.NewActor(connection, o.Now, served), served: served,
		connection: connection, pinned: o.Namespace, named: o.Named, flags: o.Flags, now: o.Now, kinds: o.Kinds,
		namespace: newNamespaceInUse(namespace), logs: newLogs(connection, o),
		exporters: o.Exporters, usage: o.Usage,
	}
	if o.SetOffset != nil {
		connection.OnOffset(func(offset time.Duration) {
			o.SetOffset(offset)
			c.offset.Store(int64(offset))
			if report := c.report.Load(); report != nil {
				report.clock(offset)
			}
		})
	}
	return c, nil
}

// clockLimit is how long an answer that contains the server's time may take.
const clockLimit = 2 * time.Second

// ReadClock compares this machine's clock with the server's (Options.SetOffset) before
// anything is read, for what must not see the clock move; a server that does not answer
// in time is asked no longer. Where a program signs in first, which may ask a person,
// nothing is asked ahead.
func (c *Cluster) ReadClock(ctx context.Context) {
	if c.connection.Plugin != nil {
		return
	}
	ctx, stop := context.WithTimeout(ctx, clockLimit)
	defer stop()
	_ = c.connection.Core.Get().AbsPath("/version").MaxRetries(0).Do(ctx).Error() // what reads the cluster reports errors
}

// Run follows the cluster until ctx ends, then returns nil. It reports every
// failure as health and retries.
func (c *Cluster) Run(ctx context.Context, sink sources.Sink) error {
	ctx = client.WithoutLogs(ctx)
	sink = c.pods.masking(eventmask.NewLate(sink, c.logs.secrets))
	var tap *exporterTap
	if c.exporters > 0 {
		tap = newExporterTap(sink)
		sink = tap
	}
	var queues *queueTap
	if c.readsQueues() {
		queues = newQueueTap(sink)
		sink = queues
	}
	report := newReporter(sink, c.now, c.connection.Address)
	report.hide = c.connection.Hide
	c.report.Store(report)
	if offset := time.Duration(c.offset.Load()); offset != 0 {
		report.clock(offset)
	}
	link := newLink(c.connection, report)
	plan := newPlanner(c, link, report, sink)

	var running sync.WaitGroup
	if tap != nil {
		scrapes := newScraper(c, link, tap, report, sink)
		scrapes.report() // first: the snapshot is not complete without the first round
		running.Go(func() { scrapes.run(ctx) })
	}
	if plan.places = newPlacesReader(c, link, report, queues); plan.places != nil {
		running.Go(func() { plan.places.run(ctx) })
	}
	if c.usage > 0 {
		running.Go(func() { newUsageReader(c, link, report, sink, plan.others).run(ctx) })
	}
	running.Go(func() { link.run(ctx) })
	running.Go(func() { link.reportChanges(ctx) })
	running.Go(func() { plan.run(ctx) })
	running.Go(func() { c.logs.run(ctx, link, sink) })
	running.Wait()
	return nil
}

// Connecting is the health of the source before its first answer. Callers that
// wait for all sources to settle apply it before any of them runs: where another
// one fails first, nothing would show them that a cluster is to answer yet.
func (c *Cluster) Connecting() store.Event {
	health := connectingTo(c.connection.Address)
	health.Since = c.now()
	return store.HealthChanged{Health: health}
}

// Declared returns the secrets that pods declare in plain sight, as far as they
// were read, and a function that reports whether that is all of them. Until it is,
// what the cluster answers may quote one that is not masked.
func (c *Cluster) Declared() (secrets *declared.Values, known func() bool) {
	return c.logs.secrets, c.pods.known.Load
}

// Address returns the server's URL.
func (c *Cluster) Address() string { return c.connection.Address }

// Context returns the name of the kubeconfig context in use, "" for a
// connection without one (in-cluster, --server).
func (c *Cluster) Context() string { return c.connection.Context }

// Namespace returns the namespace in use: the last one given to UseNamespace,
// else that of the flags or the context.
func (c *Cluster) Namespace() string { name, _ := c.namespace.get(); return name }

// UseNamespace changes the namespace in use. It does not affect resources that
// are read in all namespaces; those that fell back to the old namespace drop
// it and read the new one. It has no effect on a pinned cluster.
func (c *Cluster) UseNamespace(namespace string) {
	if c.pinned == "" {
		c.namespace.set(namespace)
	}
}

// SetCovered sets a function that reports whether another source (Prometheus)
// measures the GPUs of a node: exporters there are not scraped while it
// returns true. It is called often, from another goroutine, and must not
// block. nil covers no node.
func (c *Cluster) SetCovered(covered func(node string) bool) { c.covered.Store(&covered) }

func (c *Cluster) covers(node string) bool {
	covered := c.covered.Load()
	return covered != nil && *covered != nil && (*covered)(node)
}

// SignIn lets a credential plugin ask on the terminal before a screen takes
// it.
func (c *Cluster) SignIn(ctx context.Context, asking func(command string)) {
	c.connection.SignIn(ctx, asking)
}

// ScreenHasTerminal cuts a credential plugin off from the terminal, since a
// screen is open.
func (c *Cluster) ScreenHasTerminal() { c.connection.ScreenHasTerminal() }
