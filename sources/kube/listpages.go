package kube

import (
	"context"
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train/kinds"
)

// Limits of a list that is read in pages. A server, or a proxy before it, may
// answer every page with another continue token.
const (
	// mostPages at pageSize objects are a million of them; it also limits
	// servers with far smaller pages.
	mostPages = 2000
	// mostEmptyPages may come in a row. API servers send only the last page
	// empty.
	mostEmptyPages = 10
	// mostOfPages is how many bytes all pages may have together: 30,000 jobs
	// of 16 KiB.
	mostOfPages = 512 << 20
	// onceListLimit is how long a whole list may take for a printed answer,
	// and listLimit for a screen, which meanwhile shows the others.
	onceListLimit = 2 * time.Minute
	listLimit     = 10 * time.Minute
	// beforeUntil is how long before the deadline of an answer a list is
	// abandoned, so that the answer can use the received part.
	beforeUntil = time.Second
)

// ofList limits a list with all its pages; zero means no limit.
func ofList(p client.Timeouts) time.Duration {
	switch {
	case p.Endless:
		return 0
	case time.Until(p.Until) > beforeUntil: //nolint:forbidigo // a stopwatch, no time of day
		return max((time.Until(p.Until) - beforeUntil).Round(time.Second), time.Second) //nolint:forbidigo // the same
	case p.Once:
		return max(onceListLimit, p.Timeout)
	}
	return max(listLimit, p.Timeout)
}

// listPages are the received pages of one list.
type listPages struct {
	limit        time.Duration
	began        time.Time
	tokens       map[string]bool
	pages, empty int
	read         client.ReadCount
	objects      []kinds.Object
	// came counts all objects, including unusable ones.
	came int
	// usable reports whether an object is usable, nil accepts all.
	usable func(o runtime.Object, number int) bool
	// names are the received objects, and repeated is one that came twice.
	names    map[types.NamespacedName]bool
	repeated string
	// uids are the received objects by UID.
	uids map[types.UID]string
	// promised is the total number of objects according to the server, 0 if it
	// gives none.
	promised int
	// earlier came before the list expired and was restarted.
	earlier []kinds.Object
	// room bounds the list after each page, nil for none.
	room *client.ListRoom
}

func newListPages(limit time.Duration) *listPages {
	return &listPages{
		limit: limit, began: time.Now(), //nolint:forbidigo // a stopwatch, no time of day
		tokens: map[string]bool{}, names: map[types.NamespacedName]bool{}, uids: map[types.UID]string{},
	}
}

// anew restarts the list within the time left.
func (p *listPages) anew() *listPages {
	next := newListPages(p.limit)
	next.began, next.earlier, next.room = p.began, p.objects, p.room
	return next
}

// list returns all received objects, with the metadata of the last page.
func (p *listPages) list(last runtime.Object) *metav1.List {
	whole := &metav1.List{Items: make([]runtime.RawExtension, len(p.objects))}
	if about, err := meta.ListAccessor(last); err == nil {
		whole.ResourceVersion = about.GetResourceVersion()
	}
	for i, object := range p.objects {
		whole.Items[i].Object = object
	}
	return whole
}

// readPage reads the next page within the time left for the list. An error
// reports how much had come.
func (p *listPages) readPage(ctx context.Context, page func(context.Context) (runtime.Object, error)) (runtime.Object, error) {
	list, err := p.inTime(context.WithValue(ctx, client.CountKey{}, &p.read), page)
	if err == nil || client.IsLate(err) || client.IsCut(err) {
		p.take(list)
	}
	if err == nil {
		err = p.goesOn(list)
	}
	if len(p.objects) == 0 {
		p.objects = p.earlier
	}
	if err != nil && len(p.objects) > 0 && ctx.Err() == nil {
		err = &client.PartialListError{Why: err, Objects: p.objects, Pages: p.pages}
	}
	return list, err
}

func (p *listPages) inTime(ctx context.Context, page func(context.Context) (runtime.Object, error)) (runtime.Object, error) {
	if p.limit <= 0 {
		return page(ctx)
	}
	late := &client.LateError{After: p.limit, Stage: client.NotComplete}
	limited, stop := context.WithDeadlineCause(ctx, p.began.Add(p.limit), late)
	defer stop()
	list, err := page(limited)
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(limited), late) {
		err = late
	}
	return list, err
}

// take keeps the objects of a page.
func (p *listPages) take(list runtime.Object) {
	before := p.came
	if list == nil {
		return
	}
	_ = meta.EachListItem(list, func(o runtime.Object) error { // it returns no error of its own
		if p.came++; p.usable == nil || p.usable(o, p.came) {
			p.add(o)
		}
		return nil
	})
	p.room.Read(client.DynamicForm, p.came-before)
	p.expect(list)
	if p.pages++; p.came > before {
		p.empty = 0
		return
	}
	p.empty++
}

func (p *listPages) add(o runtime.Object) {
	object, ok := o.(kinds.Object)
	if !ok {
		return
	}
	name := types.NamespacedName{Namespace: object.GetNamespace(), Name: object.GetName()}
	if p.names[name] {
		p.repeated = name.String()
		return
	}
	p.names[name] = true
	p.objects = append(p.objects, object)
}

// twin returns that an earlier object of the list has the UID of this one, "" if
// none has. By the UID the store distinguishes jobs, and one would replace the
// other.
func (p *listPages) twin(o metav1.Object) string {
	uid, name := o.GetUID(), o.GetNamespace()+"/"+o.GetName()
	first, met := p.uids[uid]
	if uid == "" || met && first == name {
		return ""
	}
	if met {
		return client.Printable(name + " has the UID of " + first)
	}
	p.uids[uid] = name
	return ""
}

// expect sets the expected number of objects from remainingItemCount.
func (p *listPages) expect(list runtime.Object) {
	about, err := meta.ListAccessor(list)
	if err != nil {
		return
	}
	if n := about.GetRemainingItemCount(); n != nil && *n > 0 {
		p.promised = p.came + int(min(*n, client.MostObjects))
	} else if about.GetContinue() != "" {
		p.promised = 0
	}
}

// endsEarly returns an error if a list ends before all promised objects came.
func (p *listPages) endsEarly() error {
	if p.came < p.promised {
		return fmt.Errorf("the list is not whole: it ended after %d objects, and the server had said that there are %d", p.came, p.promised)
	}
	return nil
}

// goesOn returns an error if a list continues when it should end, ends when it
// should continue, or mixes pages of different lists.
func (p *listPages) goesOn(list runtime.Object) error {
	switch token := continueOf(list); {
	case token != "" && p.tokens[token]:
		return cutList("the list does not end: page %d leads to a page that was read before (its continue token is a repeated one)", p.pages)
	case p.repeated != "": // instead of another
		return fmt.Errorf("the list is not whole: page %d repeats %s", p.pages, client.Printable(p.repeated))
	case token == "":
		return p.endsEarly()
	case p.empty >= mostEmptyPages:
		return cutList("the list does not end: the last %d pages were empty, and each says that there is one more", p.empty)
	case p.pages >= mostPages, len(p.objects) >= client.MostObjects:
		return cutList("the list does not end: it goes on after %d objects in %d pages", len(p.objects), p.pages)
	case p.read.Bytes.Load() >= mostOfPages:
		return cutList("the list goes on after %d MiB, which is all that is read of one", int64(mostOfPages)>>20)
	}
	if err := p.room.Full(len(p.objects), p.read.Bytes.Load()); err != nil {
		return err
	}
	p.tokens[continueOf(list)] = true
	return nil
}

func cutList(text string, values ...any) error {
	return &client.CutListError{Why: fmt.Sprintf(text, values...)}
}

// continueOf returns the token of the next page, "" on the last one.
func continueOf(list runtime.Object) string {
	if about, err := meta.ListAccessor(list); err == nil {
		return about.GetContinue()
	}
	return ""
}
