package kube

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/tools/cache"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

const (
	// rightsInterval is how often refused rights are checked again.
	rightsInterval = time.Minute
	// relistInterval is how often a resource is listed that may not be
	// watched.
	relistInterval = 30 * time.Second
	// longRound is how long a watch must have lasted for its end to be normal:
	// servers end watches every few minutes.
	longRound = 30 * time.Second
	// quietRounds is how many short rounds in a row are not reported: a watch
	// that expired (410) is listed again at once, which is common.
	quietRounds = 2
)

// follower keeps one resource up to date in the sink, in the widest scope that
// the server allows.
type follower struct {
	resource  client.Resource
	link      *link
	report    *reporter
	sink      sources.Sink
	pinned    string
	namespace *namespaceInUse
	slim      func(runtime.Object)
	// others are namespaces that are read besides the one in use, nil for
	// none.
	others *otherNamespaces
	// listed is called after every complete list, unless nil.
	listed func()
	// missing is called when the server no longer knows the resource.
	missing func()
}

// everywhere is the scope of all namespaces.
const everywhere = ""

// run returns when ctx has ended and nothing more will reach the sink.
func (f *follower) run(ctx context.Context) {
	for ctx.Err() == nil {
		refused := f.follow(ctx, f.pinned)
		if ctx.Err() != nil {
			return
		}
		if f.pinned == everywhere && !f.resource.ClusterScoped {
			f.fallBack(ctx, refused)
			continue
		}
		f.refuse(ctx, f.pinned, refused)
	}
}

// refuse reports that a scope may not be read, and waits before the next try.
func (f *follower) refuse(ctx context.Context, namespace string, err error) {
	f.sink.Apply(store.Unwatched{Kind: f.resource.Kind, Namespace: namespace})
	f.report.resource(f.resource, namespace, train.SourceForbidden, refusal(f.resource, namespace, err), rightsInterval)
	client.Sleep(ctx, rightsInterval)
}

// fallBack reads the namespace in use, and others besides it, until all
// namespaces can be read.
func (f *follower) fallBack(ctx context.Context, refused error) {
	f.sink.Apply(store.Unwatched{Kind: f.resource.Kind})
	others := newScopes(ctx, f)
	defer others.end()
	defer f.others.leave(others)
	for joined := false; ctx.Err() == nil; joined = true {
		name, changed := f.namespace.get()
		// First report the namespace as listing, then the refusal, which alone
		// would look like a complete answer.
		f.report.listing(f.resource, name)
		others.use(name)
		if !joined {
			f.others.join(others)
		}
		f.report.everywhereRefused(f.resource, name, refused, rightsInterval)
		f.report.onlyIn(f.resource, others.read(), others.count())
		if f.readInUse(ctx, name, changed) {
			return
		}
	}
}

// readInUse reads a namespace until another one is in use, or until it is time
// to try again. It reports whether all namespaces can be read.
func (f *follower) readInUse(ctx context.Context, name string, changed <-chan struct{}) (widened bool) {
	round, end := context.WithCancel(ctx)
	waited := make(chan bool, 1)
	go func() {
		defer end()
		waited <- f.awaitRights(round, changed)
	}()
	err := f.follow(round, name)
	refused := round.Err() == nil
	if refused {
		f.sink.Apply(store.Unwatched{Kind: f.resource.Kind, Namespace: name})
		f.report.resource(f.resource, name, train.SourceForbidden, refusal(f.resource, name, err), rightsInterval)
		client.Sleep(round, rightsInterval)
	}
	end()
	widened = <-waited || refused && ctx.Err() == nil && f.mayListAll(ctx)
	if now, _ := f.namespace.get(); now != name {
		f.sink.Apply(store.Unwatched{Kind: f.resource.Kind, Namespace: name})
		return false
	}
	return widened
}

// awaitRights returns true once all namespaces can be listed, and false if the
// namespace in use changed or ctx ended.
func (f *follower) awaitRights(ctx context.Context, changed <-chan struct{}) bool {
	ticks := time.NewTicker(rightsInterval)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return false
		case <-changed:
			return false
		case <-ticks.C:
		}
		if f.link.wait(ctx) && f.mayListAll(ctx) {
			return true
		}
	}
}

// mayListAll requests one object rather than all, since it runs every minute.
func (f *follower) mayListAll(ctx context.Context) bool {
	_, err := beginningOf(ctx, f.link.connection, f.resource, everywhere, "")
	f.link.failed(ctx, err)
	return err == nil
}

// follow lists and watches one scope until ctx ends or the server refuses it,
// and returns the refusal.
func (f *follower) follow(ctx context.Context, namespace string) error {
	r := f.newRound(namespace)
	defer r.lister.settle()
	if !f.link.wait(ctx) {
		return nil
	}
	reflector := r.reflector()
	pause := client.NewBackoff(time.Second, rightsInterval/2)
	short := 0
	// lost is true after an error of the connection: if the server answers
	// again and this list fails the same way, the error belongs to the list.
	lost := false
	for ctx.Err() == nil {
		began := f.report.now()
		r.listed.Store(false)
		another, err := f.listAndWatch(ctx, reflector)
		if another {
			reflector = r.reflector() // the old one would continue from its last version
			r.lister.settle()
			f.sink.Apply(store.Unwatched{Kind: f.resource.Kind, Namespace: namespace})
			continue
		}
		r.useWhatCame(err)
		switch {
		case ctx.Err() != nil:
			return nil
		case r.listed.Load() && isWatchRefused(err):
			f.report.resource(f.resource, namespace, train.SourceLive,
				fmt.Sprintf("may be listed and not watched, so it is read every %s only: %s", relistInterval, client.Cause(err)), 0)
			client.Sleep(ctx, relistInterval)
			continue
		case apierrors.IsForbidden(err):
			return err
		case apierrors.IsResourceExpired(err), apierrors.IsGone(err):
			err = nil
		case apierrors.IsNotFound(err) && f.missing != nil:
			f.missing()
		}
		if err == nil && f.report.now().Sub(began) > longRound {
			pause.Reset()
			short, lost = 0, false
			continue
		}
		short++
		delay := pause.Next()
		ofLink := client.AsConnectionError(f.link.connection.Address, err) != nil
		if short > quietRounds || (err != nil && (!ofLink || lost)) {
			f.report.resource(f.resource, namespace, train.SourceRetrying, trouble(f.resource, err), delay)
		}
		lost = ofLink
		if f.link.connection.Patience.Once && cutShort(err) {
			<-ctx.Done() // the answer uses what came; another try would bring as much on top
			return nil
		}
		client.Sleep(ctx, delay)
	}
	return nil
}

// listAndWatch runs a reflector until it ends, or another cluster answers.
func (f *follower) listAndWatch(ctx context.Context, reflector *cache.Reflector) (another bool, err error) {
	changed := f.link.identity.untilAnother()
	turn, stop := context.WithCancel(ctx)
	defer stop()
	go func() {
		select {
		case <-changed:
			stop()
		case <-turn.Done():
		}
	}()
	err = reflector.ListAndWatchWithContext(turn)
	select {
	case <-changed:
		return ctx.Err() == nil, err
	default:
		return false, err
	}
}

// isWatchRefused reports whether a list that was read cannot be watched: the right
// is missing, the server has no watch for it, or the list no version.
func isWatchRefused(err error) bool {
	return apierrors.IsForbidden(err) || apierrors.IsMethodNotSupported(err) || errors.Is(err, errNoVersion)
}

func trouble(res client.Resource, err error) string {
	name := res.Gvr.GroupResource().String()
	if err == nil {
		return "watching " + name + ": the stream broke off early several times"
	}
	return "reading " + name + ": " + client.Cause(err) + client.TimeoutHint(err)
}

// round is the reading of one scope: a reflector with its lister and feed.
type round struct {
	follower *follower
	lister   *lister
	feed     *feed
	// listed is true once a complete list was sent since the reflector last
	// started.
	listed atomic.Bool
	// came counts the objects of abandoned lists.
	came int
}

func (f *follower) newRound(namespace string) *round {
	r := &round{follower: f}
	live := func() { f.report.resource(f.resource, namespace, train.SourceLive, "", 0) }
	r.lister = &lister{
		resource: f.resource, namespace: namespace, link: f.link, slim: f.slim,
		odd: &unusableObjects{name: f.resource.Gvr.GroupResource().String(), namespace: namespace, say: func(text string) { f.report.leftOut(f.resource, namespace, text) }},
		answered: func(err error) {
			switch {
			case !r.listed.Load():
			case err == nil:
				live()
			case apierrors.IsTooManyRequests(err): // the reflector retries by itself
				f.report.resource(f.resource, namespace, train.SourceRetrying, trouble(f.resource, err), 0)
			}
		},
	}
	r.feed = &feed{
		kind: f.resource.Kind, namespace: namespace, sink: f.sink, slim: f.slim,
		listed: func() {
			r.listed.Store(true)
			if namespace == everywhere {
				f.report.everywhereAllowed(f.resource)
			}
			if f.listed != nil {
				f.listed()
			}
			live()
		},
	}
	return r
}

// useWhatCame passes on the objects of an abandoned list. They exist; whether
// there are others is unknown. A server that never ends its lists sends other
// objects with each try: those of the tries before are dropped then.
func (r *round) useWhatCame(err error) {
	partial := (*client.PartialListError)(nil)
	if !errors.As(err, &partial) {
		return
	}
	if r.came += len(partial.Objects); r.came > client.MostObjects {
		r.came = len(partial.Objects)
		r.follower.sink.Apply(store.Unwatched{Kind: r.follower.resource.Kind, Namespace: r.lister.namespace})
	}
	r.feed.add(partial.Objects)
}

// cutShort reports whether objects of a list came and the rest was too much, or
// too late.
func cutShort(err error) bool {
	partial := (*client.PartialListError)(nil)
	return errors.As(err, &partial) && (client.IsCut(err) || client.IsLate(err))
}

// reflector retries by itself only after its watch call got 429 or a refused
// connection, and ignores its context while it waits; so its delays are short.
// follow and the link use longer ones.
func (r *round) reflector() *cache.Reflector {
	reflector := cache.NewReflectorWithOptions(r.lister, r.follower.resource.Expected(), r.feed, cache.ReflectorOptions{
		Name: r.follower.resource.Source(), TypeDescription: r.follower.resource.Gvr.GroupResource().String(),
		Backoff: &wait.Backoff{Duration: 250 * time.Millisecond, Factor: 2, Jitter: 1, Steps: 4, Cap: 2 * time.Second},
	})
	reflector.WatchListPageSize = pageSize
	return reflector
}
