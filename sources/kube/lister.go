package kube

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"

	"github.com/traintop/traintop/sources/kube/client"
)

// pageSize is how many unstructured objects are decoded before they are
// slimmed. Typed ones are decoded one by one (readList).
const pageSize = 500

// lister lists and watches one resource in one namespace ("" for all) for a
// reflector.
type lister struct {
	resource  client.Resource
	namespace string
	link      *link
	slim      func(runtime.Object)
	// answered is called after every watch that the server accepted or
	// refused.
	answered func(error)
	// odd records unusable objects.
	odd *unusableObjects
	// version is the newest resource version received, "" before the first
	// list.
	version string
	// another closes when a different cluster answers than the one version
	// came from.
	another <-chan struct{}
	// watched is true once a watch was requested after the newest list.
	watched bool
	// listing is held for reading by running lists, which the reflector
	// abandons when its context ends.
	listing sync.RWMutex
}

var _ cache.ListerWatcherWithContext = (*lister)(nil)

// List and Watch are required by the reflector's interface, but it does not
// call them on a lister that takes contexts.
func (l *lister) List(o metav1.ListOptions) (runtime.Object, error) {
	return l.ListWithContext(context.Background(), o)
}

func (l *lister) Watch(o metav1.ListOptions) (watch.Interface, error) {
	return l.WatchWithContext(context.Background(), o)
}

// IsWatchListSemanticsUnSupported keeps the reflector from requesting the list
// as a watch stream: that is not compressed, and takes both sides about twice
// the time (docs/performance.md).
func (l *lister) IsWatchListSemanticsUnSupported() bool { return true }

// ListWithContext reads a whole list and slims it page by page, so that a list
// of 10,000 pods is never in memory unslimmed. The reflector's own pager would
// drop the rest of a list that expired and is still sent in pages.
func (l *lister) ListWithContext(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	l.listing.RLock()
	defer l.listing.RUnlock()
	if !l.link.wait(ctx) {
		return nil, context.Cause(ctx)
	}
	l.watched = false
	if !l.sameCluster(ctx) {
		return nil, errAnother
	}
	list, err := l.whole(ctx, o)
	if err != nil {
		l.link.failed(ctx, err)
		return nil, err
	}
	return list, nil
}

// whole reads all pages. If the list expires between two pages, it requests it
// again, in one answer.
func (l *lister) whole(ctx context.Context, o metav1.ListOptions) (*metav1.List, error) {
	pages := newListPages(ofList(l.link.connection.Patience))
	if l.resource.Form == client.DynamicForm {
		pages.room = l.link.connection.Room
	}
	list, err := l.allPages(ctx, o, pages)
	if hasExpired(err) && pages.pages > 0 {
		o.Limit = 0
		list, err = l.allPages(ctx, o, pages.anew())
	}
	return list, expiredTwice(err)
}

func hasExpired(err error) bool { return apierrors.IsResourceExpired(err) || apierrors.IsGone(err) }

// expiredTwice names the page of a list that expired again when the list was read
// anew. It is no longer an expired version to whoever reads it: a watch that ended
// with one would be as it should be.
func expiredTwice(err error) error {
	if partial := (*client.PartialListError)(nil); errors.As(err, &partial) && hasExpired(partial.Why) {
		partial.Why = fmt.Errorf("page %d of the list had expired before it was asked for, also when the list was read anew (%s); it is listed again", partial.Pages+1, client.Cause(partial.Why))
	}
	return err
}

func (l *lister) allPages(ctx context.Context, o metav1.ListOptions, pages *listPages) (*metav1.List, error) {
	l.odd.reset()
	pages.usable = func(o runtime.Object, number int) bool { return l.usable(o, number, pages.twin) }
	defer l.odd.report()
	for {
		page, err := pages.readPage(ctx, func(ctx context.Context) (runtime.Object, error) { return l.list(ctx, o) })
		if err != nil {
			return nil, err
		}
		if o.Continue = continueOf(page); o.Continue == "" {
			return pages.list(page), nil
		}
		o.ResourceVersion, o.ResourceVersionMatch = "", "" // the token contains it
	}
}

// usable reports whether an object of a list is usable, and records why not.
func (l *lister) usable(o runtime.Object, number int, twin func(metav1.Object) string) bool {
	why := l.wrongWith(o)
	if object, is := o.(metav1.Object); is && why == "" {
		why = twin(object)
	}
	if why != "" {
		l.odd.add(fmt.Sprintf("object %d of the list: %s", number, why))
	}
	return why == ""
}

// settle waits for running lists to end.
func (l *lister) settle() {
	l.listing.Lock()
	defer l.listing.Unlock()
}

func (l *lister) list(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	c := l.link.connection
	if l.resource.Form == client.DynamicForm {
		return l.page(ctx, o)
	}
	o.Limit = 0
	request := c.Core.Get().AbsPath(l.resource.Path(l.namespace, "")...).VersionedParams(&o, client.Parameters)
	if l.resource.Form == client.MetadataForm {
		request = request.SetHeader("Accept", client.MetadataOnly)
	}
	body, err := request.Stream(client.Reading(ctx, client.MostOfList))
	if err != nil {
		return nil, err
	}
	defer body.Close()
	list, err := readListWithin(c.Room, body, l.resource, l.counting(client.CountOf(ctx)))
	if list == nil { // not an interface that holds nil
		return nil, err
	}
	return list, err
}

// counting returns a function that slims and counts objects as they are
// decoded.
func (l *lister) counting(count *client.ReadCount) func(runtime.Object) {
	return func(o runtime.Object) {
		l.slim(o)
		count.CountObject()
	}
}

// page reads one page of unstructured objects. The reflector requests resource
// version "0", for which API servers ignore the limit and send everything at
// once; a consistent read respects it.
func (l *lister) page(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	if o.Limit > 0 && o.Continue == "" {
		o.ResourceVersion, o.ResourceVersionMatch = "", ""
	}
	page, err := l.unstructuredPage(ctx, o)
	if err != nil {
		return nil, err
	}
	if err := checkPage(l.resource, page); err != nil {
		return nil, err
	}
	return page, meta.EachListItem(page, func(o runtime.Object) error {
		l.slim(o)
		return nil
	})
}

// unstructuredPage requests a page as the dynamic client does, and returns an error
// for one without items, which that client takes for an empty list, or with two, of
// which it takes the last.
func (l *lister) unstructuredPage(ctx context.Context, o metav1.ListOptions) (*unstructured.UnstructuredList, error) {
	result := l.link.connection.Core.Get().AbsPath(l.resource.Path(l.namespace, "")...).SetHeader("Accept", "application/json").
		VersionedParams(&o, client.Parameters).Do(client.Reading(ctx, client.MostOfPage))
	body, err := result.Raw()
	if err != nil {
		return nil, cmp.Or(result.Error(), err) // unlike Raw's error, it has the server's text
	}
	page := &unstructured.UnstructuredList{}
	if err := page.UnmarshalJSON(body); err != nil {
		return nil, fmt.Errorf("the answer is no list: %w", err)
	}
	if page.GetKind() == statusKind {
		return page, nil
	}
	return page, checkItems(body)
}

// sameCluster returns false if a different cluster answers than before.
func (l *lister) sameCluster(ctx context.Context) bool {
	select {
	case <-l.another:
		l.version = ""
	default:
	}
	if l.version == "" {
		l.another = l.link.identity.untilAnother()
		return true
	}
	return l.link.sameCluster(ctx, l, l.version)
}

var (
	// errAnother ends a reflector, which is then restarted.
	errAnother = errors.New("another cluster answers")
	// errNoVersion: a watch without a start version would miss deletions since
	// the list.
	errNoVersion = errors.New("the list has no resourceVersion to watch from")
)

// WatchWithContext opens a watch.
func (l *lister) WatchWithContext(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	if !l.link.wait(ctx) {
		return nil, context.Cause(ctx)
	}
	resumed := l.watched
	l.version, l.watched = o.ResourceVersion, true
	if resumed && !l.sameCluster(ctx) {
		return nil, errAnother
	}
	if o.ResourceVersion == "" {
		return nil, errNoVersion
	}
	w, err := l.watch(ctx, o)
	if err == nil {
		l.answered(nil)
		return l.checked(w, o.ResourceVersion), nil
	}
	if !l.link.failed(ctx, err) && ctx.Err() == nil {
		l.answered(err)
	}
	return nil, err
}

// reportBack reports that a watch delivered an older version than before.
func (l *lister) reportBack(from, to uint64) {
	l.link.identity.publish(fmt.Sprintf("a watch told of version %d of %s after %d; the change counts, and these are listed anew",
		to, l.resource.Gvr.GroupResource(), from))
}

func (l *lister) watch(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	c := l.link.connection
	if l.resource.Form == client.DynamicForm {
		return c.Dynamic.Resource(l.resource.Gvr).Namespace(l.namespace).Watch(ctx, o)
	}
	o.Watch = true
	request := c.Core.Get().AbsPath(l.resource.Path(l.namespace, "")...).VersionedParams(&o, client.Parameters)
	if l.resource.Form == client.MetadataForm {
		request = request.SetHeader("Accept", client.MetadataOnlyWatch)
	}
	return request.Watch(ctx)
}
