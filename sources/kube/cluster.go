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
	"github.com/traintop/traintop/train/kinds"
)

// Options say which cluster is read, and how.
type Options struct {
	// Flags are kubectl's own connection flags. Nil stands for none given.
	Flags *genericclioptions.ConfigFlags
	// Namespace pins reading to one namespace: nothing is asked of others, and
	// what cannot be read in it is not tried elsewhere. "" reads all
	// namespaces, and the one in use where that is refused.
	Namespace string
	// Named are namespaces that somebody asked for: they are read beside the one
	// in use where lists of all namespaces are refused.
	Named []string
	// Endless lets requests wait without limit: --request-timeout=0 was given,
	// and not left out.
	Endless bool
	// Once says that the cluster is read for one answer: a list that takes long
	// is given up sooner than on a screen, which shows the others meanwhile.
	Once bool
	// Until is when the objects have to be there for it, the zero time where
	// nothing bounds them together. What comes of a list until then is used.
	Until time.Time
	// Now is the clock that health events carry; nil is the machine's.
	Now func() time.Time
	// Kinds are the job, queue and pod-group kinds to read; nil stands for
	// kinds.Jobs and kinds.Related.
	Kinds []kinds.Kind
	// Formats are how metrics are read from logs.
	Formats formats.Options
	// LinesOnly leaves metrics and what tells of failures in logs alone.
	LinesOnly bool
	// Exporters is how often each exporter of GPU metrics is asked, through the
	// API server's pod proxy; 0 asks none.
	Exporters time.Duration
	// Usage is how often metrics.k8s.io is asked what nodes and pods use; 0 is never.
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
	// exporters and usage are how often these are asked, 0 for not at all.
	exporters, usage time.Duration
	covered          atomic.Pointer[func(string) bool]
}

var _ sources.Source = (*Cluster)(nil)

// New reads the kubeconfig; it makes no request. Its errors tell a person what
// to do (NoKubeconfigError, UnknownContextError).
func New(o Options) (*Cluster, error) {
	client.SilenceKlog()
	if o.Flags == nil {
		o.Flags = genericclioptions.NewConfigFlags(false)
	}
	if o.Now == nil {
		o.Now = time.Now //nolint:forbidigo // stands in for the clock that cli gives
	}
	if o.Kinds == nil {
		o.Kinds = append(append([]kinds.Kind{}, kinds.Jobs()...), kinds.Related()...)
	}
	if err := client.CheckName(o.Namespace); err != nil {
		return nil, err
	}
	connection, err := client.Connect(o.Flags, client.Patience{Endless: o.Endless, Once: o.Once, Until: o.Until})
	if err != nil {
		return nil, err
	}
	namespace := o.Namespace
	if namespace == "" {
		namespace = connection.Namespace
	}
	served := client.NewServedKinds()
	return &Cluster{
		Actor: act.NewActor(connection, o.Now, served), served: served,
		connection: connection, pinned: o.Namespace, named: o.Named, flags: o.Flags, now: o.Now, kinds: o.Kinds,
		namespace: newNamespaceInUse(namespace), logs: newLogs(connection, o),
		exporters: o.Exporters, usage: o.Usage,
	}, nil
}

// Run follows the cluster until ctx ends, and returns nil then. All trouble
// is reported as health and retried.
func (c *Cluster) Run(ctx context.Context, sink sources.Sink) error {
	ctx = client.WithoutLogs(ctx)
	var tap *exporterTap
	if c.exporters > 0 {
		tap = newExporterTap(sink)
		sink = tap
	}
	report := newReporter(sink, c.now, c.connection.Address)
	link := newLink(c.connection, report)
	plan := newPlanner(c, link, report, sink)

	var running sync.WaitGroup
	if tap != nil {
		scrapes := newScraper(c, link, tap, report, sink)
		scrapes.report() // before anything else: the snapshot is not complete without its first round
		running.Go(func() { scrapes.run(ctx) })
	}
	if c.usage > 0 {
		running.Go(func() { newUsageReader(c, link, report, sink).run(ctx) })
	}
	running.Go(func() { link.run(ctx) })
	running.Go(func() { link.tellChanges(ctx) })
	running.Go(func() { plan.run(ctx) })
	running.Go(func() { c.logs.run(ctx, link, sink) })
	running.Wait()
	return nil
}

// Address is the server's URL.
func (c *Cluster) Address() string { return c.connection.Address }

// Context is the name of the kubeconfig context in use, "" for a connection
// that needs none (in-cluster, --server).
func (c *Cluster) Context() string { return c.connection.Context }

// Namespace is the namespace in use: that of the flags or the context, or the
// one given to UseNamespace since.
func (c *Cluster) Namespace() string { name, _ := c.namespace.get(); return name }

// UseNamespace changes the namespace in use. Resources that can be read in
// all namespaces do not notice; those that had to fall back to the old
// namespace forget it and read the new one. A pinned cluster stays pinned.
func (c *Cluster) UseNamespace(namespace string) {
	if c.pinned == "" {
		c.namespace.set(namespace)
	}
}

// SetCovered says of which nodes another source (Prometheus) tells the GPUs: their
// exporters are left alone for as long as covered returns true. It is called
// from another goroutine, often, and must not block. nil covers none.
func (c *Cluster) SetCovered(covered func(node string) bool) { c.covered.Store(&covered) }

func (c *Cluster) covers(node string) bool {
	covered := c.covered.Load()
	return covered != nil && *covered != nil && (*covered)(node)
}

// SignIn lets a credential plugin ask on the terminal, before a screen has it.
func (c *Cluster) SignIn(ctx context.Context, asking func(command string)) {
	c.connection.SignIn(ctx, asking)
}

// ScreenHasTerminal keeps a credential plugin from the terminal: a screen is open.
func (c *Cluster) ScreenHasTerminal() { c.connection.ScreenHasTerminal() }
