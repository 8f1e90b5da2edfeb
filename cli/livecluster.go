package cli

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/sources/kube"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/store/streams"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/ui"
)

// liveCluster serves the interface's requests to the cluster: manifests,
// namespaces, another context. Its methods are called from many goroutines.
type liveCluster struct {
	opened *opening
	config config.Config
	// outlive ends with the program, not with one connection.
	outlive context.Context
	failed  func(error)

	mu      sync.Mutex
	session *session
	source  *following
}

func (l *liveCluster) start(ctx context.Context, failed func(error)) {
	l.outlive, l.failed = ctx, failed
	l.source = follow(ctx, l.session, failed)
}

func (l *liveCluster) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.source.stop()
}

// parse implements adopting.
func (l *liveCluster) parse(o formats.Options) string {
	l.cluster().UseFormats(o)
	return "logs are read again with your formats"
}

// adopt implements adopting.
func (l *liveCluster) adopt(c config.Config) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.config = c
}

func (l *liveCluster) cluster() *kube.Cluster {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.session.cluster
}

// Contexts implements ui.Cluster.
func (l *liveCluster) Contexts(context.Context) ([]ui.Context, error) {
	contexts, err := client.Contexts(l.opened.cluster)
	if err != nil {
		return nil, err
	}
	current := l.cluster().Context()
	all := make([]ui.Context, 0, len(contexts))
	for _, c := range contexts {
		all = append(all, ui.Context{Name: c.Name, Cluster: c.Cluster, User: c.User, Namespace: c.Namespace, Current: c.Name == current})
	}
	return all, nil
}

// Namespaces implements ui.Cluster.
func (l *liveCluster) Namespaces(ctx context.Context) ([]string, error) {
	return l.cluster().Namespaces(ctx)
}

// Manifest implements ui.Cluster.
func (l *liveCluster) Manifest(ctx context.Context, ref train.Ref) (string, error) {
	text, err := l.cluster().Manifest(ctx, schema.GroupKind{Group: ref.Group, Kind: ref.Kind}, ref.Namespace, ref.Name)
	return string(text), err
}

// UseNamespace implements ui.Cluster.
func (l *liveCluster) UseNamespace(namespace string) {
	if namespace != "" {
		l.cluster().UseNamespace(namespace)
	}
}

// SwitchContext implements ui.Cluster. The old connection is closed only after
// the new one is made, so a wrong name changes nothing.
func (l *liveCluster) SwitchContext(_ context.Context, name string) (ui.Session, error) {
	next, err := l.opened.inContext(name)
	if err != nil {
		return ui.Session{}, err
	}
	if next.cluster != nil {
		next.cluster.ScreenHasTerminal()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.source.stop()
	// without a past the screen reports it when a person asks for one
	_ = next.rememberPast(&l.config, l.opened.app.clock)
	l.session = next
	if next.cluster != nil { // the formats may have changed while it was made
		next.cluster.UseFormats(*l.opened.loaded.formats.Load())
	}
	l.source = follow(l.outlive, next, l.failed)
	return l.opened.session(l.config, next), nil
}

// Stream implements ui.Cluster.
func (l *liveCluster) Stream(plan *streams.Plan) { l.cluster().Stream(plan) }
