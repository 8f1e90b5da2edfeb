package kube

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
)

// discoveryInterval is how often discovery runs.
const discoveryInterval = time.Minute

// afterBell is when discovery runs again after a CRD changed: the API server
// serves a new kind only some moments after its definition exists.
var afterBell = []time.Duration{200 * time.Millisecond, time.Second, 3 * time.Second, 6 * time.Second}

// planner keeps one follower for every resource that can be read.
type planner struct {
	cluster *Cluster
	link    *link
	report  *reporter
	sink    sources.Sink
	changed chan struct{} // of capacity one: the served kinds may have changed

	following map[schema.GroupKind]*following
	others    *otherNamespaces
	places    *placesReader // nil where none reads
}

// following is a running follower.
type following struct {
	resource client.Resource
	stop     context.CancelFunc
	done     chan struct{}
}

func (f *following) end() {
	f.stop()
	<-f.done
}

func newPlanner(c *Cluster, l *link, r *reporter, sink sources.Sink) *planner {
	return &planner{
		cluster: c, link: l, report: r, sink: sink,
		changed: make(chan struct{}, 1), following: map[schema.GroupKind]*following{}, others: newOtherNamespaces(c, l, r),
	}
}

// run starts the resources that need no discovery, then repeats discovery
// until ctx ends.
func (p *planner) run(ctx context.Context) {
	for _, r := range client.CoreResources {
		p.start(ctx, r)
	}
	var watching sync.WaitGroup
	watching.Go(func() { p.listenForDefinitions(ctx) })
	watching.Go(func() { p.others.run(ctx) })
	p.followDiscovery(ctx)
	watching.Wait()
	for _, f := range p.following {
		f.end()
	}
}

func (p *planner) followDiscovery(ctx context.Context) {
	wait := client.NewBackoff(time.Second, discoveryInterval)
	// lost is true after an error of the connection: if the server answers
	// again and discovery fails the same way, the error belongs to discovery.
	lost := false
	for p.link.wait(ctx) {
		found, err := client.Discover(ctx, p.cluster.connection, p.wanted)
		if err != nil && ctx.Err() == nil {
			delay := wait.Next()
			before := lost
			if lost = p.link.failed(ctx, err); !lost || before {
				p.report.undiscovered(err, delay)
				p.places.found(nil)
			}
			client.Sleep(ctx, delay)
			continue
		}
		if ctx.Err() != nil {
			return
		}
		lost = false
		wait.Reset()
		for _, kind := range p.cluster.kinds {
			p.adjust(ctx, kind, found)
		}
		p.places.found(found)
		p.report.unshown(unshown(found))
		p.report.discovered()
		p.report.announced()
		p.rest(ctx)
	}
}

// rest waits for the next interval or the bell; after the bell it runs
// discovery a few times in a row.
func (p *planner) rest(ctx context.Context) {
	timer := time.NewTimer(discoveryInterval)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-p.changed:
		for _, pause := range afterBell {
			if !client.Sleep(ctx, pause) {
				return
			}
			if found, err := client.Discover(ctx, p.cluster.connection, p.wanted); err == nil {
				for _, kind := range p.cluster.kinds {
					p.adjust(ctx, kind, found)
				}
				p.places.found(found)
				p.report.unshown(unshown(found))
			}
		}
	}
}

// unshown returns the resources that are served beside the jobs of an operator, in the
// group of a kind that is a row, and are neither rows nor read for what they report
// about rows. Groups of Kubernetes itself are left out.
func unshown(found *client.Apis) []string {
	var names []string
	for kind, plural := range found.Namespaced() {
		operators := strings.Contains(kind.Group, ".") && slices.ContainsFunc(kinds.Jobs(), func(k kinds.Kind) bool { return k.Group == kind.Group })
		if operators && !kinds.IsJob(kind) && !kinds.BuiltIn(kind) {
			names = append(names, client.Printable(plural+"."+kind.Group))
		}
	}
	slices.Sort(names)
	return names
}

func (p *planner) ring() {
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// wanted reports whether a kind of ours may be served in a version. Versions
// that are not known count too: a kind that is served in no other is reported.
func (p *planner) wanted(gv schema.GroupVersion) bool {
	return slices.ContainsFunc(p.cluster.kinds, func(kind kinds.Kind) bool { return kind.Group == gv.Group && len(kind.Versions) > 0 })
}

// adjust starts, replaces or stops the follower of one kind according to
// discovery.
func (p *planner) adjust(ctx context.Context, kind kinds.Kind, found *client.Apis) {
	current := p.following[kind.GroupKind]
	if current != nil && current.resource.Form != client.DynamicForm {
		return // a core kind, read as its Go type
	}
	for _, version := range kind.Versions {
		gv := schema.GroupVersion{Group: kind.Group, Version: version}
		if resource, clusterScoped, served := found.ServesAs(gv.WithKind(kind.Kind)); served {
			if why := servedOtherwise(kind, resource, clusterScoped); why != "" {
				p.abandon(current, kind, why)
				return
			}
			p.follow(ctx, current, client.DynamicResource(kind, version))
			return
		}
		if reason, unknown := found.WhyUnknown(gv); unknown {
			if current == nil {
				p.report.resource(client.DynamicResource(kind, version), p.cluster.pinned, train.SourceRetrying, reason, discoveryInterval)
			}
			return
		}
	}
	why := ""
	if unknown := found.OtherVersions(kind.GroupKind); len(unknown) > 0 {
		why = versionUnknown(kind, unknown)
	}
	p.abandon(current, kind, why)
}

func (p *planner) follow(ctx context.Context, current *following, r client.Resource) {
	switch {
	case current == nil:
		p.start(ctx, r)
	case current.resource.Gvr != r.Gvr:
		current.end()
		p.start(ctx, r)
	}
}

// abandon stops reading a kind that the cluster does not have, or has in a form
// that cannot be read, which is why.
func (p *planner) abandon(current *following, kind kinds.Kind, why string) {
	if current != nil {
		current.end()
		delete(p.following, kind.GroupKind)
		p.cluster.served.Set(kind.GroupKind, nil)
		p.sink.Apply(store.Unwatched{Kind: kind.GroupKind})
		if name := p.cluster.Namespace(); name != "" {
			p.sink.Apply(store.Unwatched{Kind: kind.GroupKind, Namespace: name})
		}
		p.report.everywhereAllowed(current.resource)
	}
	switch {
	case len(kind.Versions) == 0:
	case why != "":
		p.report.resource(client.DynamicResource(kind, kind.Versions[0]), p.cluster.pinned, train.SourceFailed, why, 0)
	default:
		p.report.resource(client.DynamicResource(kind, kind.Versions[0]), "", train.SourceAbsent, "", 0)
	}
}

// versionUnknown reports in which versions a kind is served, and which are read.
func versionUnknown(kind kinds.Kind, served []string) string {
	return fmt.Sprintf("%s.%s are served as %s, and traintop reads %s: they were not read; a newer traintop may read them",
		kind.Resource, kind.Group, client.Printable(termtext.Few(served, 3)), termtext.Few(kind.Versions, 3))
}

// servedOtherwise reports that a kind is served under another plural or in another
// scope than it is read in, as one of the configuration may be; "" where it is
// served as expected. A job and its pods are in one namespace.
func servedOtherwise(kind kinds.Kind, resource string, clusterScoped bool) string {
	switch {
	case clusterScoped && !kind.ClusterScoped:
		return fmt.Sprintf("%s of %s are in no namespace: they were not read, since a job is in the namespace of its pods; take the kind out of kinds in the configuration", client.Printable(resource), kind.Group)
	case resource != kind.Resource:
		return fmt.Sprintf("%s.%s is served as %s, not as %s: it was not read; write resource: %s for it in kinds of the configuration", kind.Kind, kind.Group, client.Printable(resource), kind.Resource, client.Printable(resource))
	}
	return ""
}

func (p *planner) start(ctx context.Context, r client.Resource) {
	scope := p.cluster.pinned
	if r.ClusterScoped {
		scope = everywhere
	}
	p.report.resource(r, scope, train.SourceListing, "", 0)
	p.cluster.served.Set(r.Kind, &r)
	f := p.follower(r, scope)
	f.missing = p.ring
	p.following[r.Kind] = begin(ctx, r, f)
}

func (p *planner) follower(r client.Resource, scope string) *follower {
	return &follower{
		resource: r, link: p.link, report: p.report, sink: p.sink,
		pinned: scope, namespace: p.cluster.namespace, slim: slimmer(r, p.cluster.logs.secrets), others: p.others,
	}
}

func begin(ctx context.Context, r client.Resource, f *follower) *following {
	ctx, stop := context.WithCancel(ctx)
	running := &following{resource: r, stop: stop, done: make(chan struct{})}
	go func() {
		defer close(running.done)
		f.run(ctx)
	}()
	return running
}

// listenForDefinitions rings the bell whenever a CRD of ours is added, changed
// or deleted. If CRDs may not be watched, the interval has to suffice.
func (p *planner) listenForDefinitions(ctx context.Context) {
	ours := map[string]bool{}
	for _, kind := range p.cluster.kinds {
		ours[kind.Resource+"."+kind.Group] = true
	}
	hear := sinkFunc(func(events ...store.Event) {
		for _, event := range events {
			switch e := event.(type) {
			case store.Set:
				p.ringFor(ours[e.Object.GetName()])
			case store.Deleted:
				p.ringFor(ours[e.Name])
			}
		}
	})
	nobody := sinkFunc(func(...store.Event) {})
	f := &follower{
		resource: client.Definitions, link: p.link, report: newReporter(nobody, p.cluster.now, ""), sink: hear,
		namespace: p.cluster.namespace, slim: slimmer(client.Definitions, p.cluster.logs.secrets),
	}
	f.run(ctx)
}

func (p *planner) ringFor(ours bool) {
	if ours {
		p.ring()
	}
}

type sinkFunc func(...store.Event)

func (f sinkFunc) Apply(events ...store.Event) { f(events...) }
