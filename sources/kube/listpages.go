package kube

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/traintop/traintop/train/kinds"
)

// These bound a list that is read in pages. A server, or a proxy before it,
// may answer each page with the continue token of one more.
const (
	// mostPages at pageSize objects are a million of them, and the most that is
	// read of a server whose own pages are far smaller.
	mostPages = 2000
	// mostEmptyPages may come in a row. API servers send none but the last.
	mostEmptyPages = 10
	// mostOfPages is how many bytes all pages may have together: 30,000 jobs of
	// 16 KiB.
	mostOfPages = 512 << 20
	// onceListLimit is how long all of a list may take for an answer that is
	// printed, and listLimit for a screen, which shows the others meanwhile.
	onceListLimit = 2 * time.Minute
	listLimit     = 10 * time.Minute
)

// ofList bounds a list with all its pages; zero bounds nothing.
func (p patience) ofList() time.Duration {
	switch {
	case p.endless:
		return 0
	case p.once:
		return max(onceListLimit, p.timeout)
	}
	return max(listLimit, p.timeout)
}

// listPages are the pages of one list that came.
type listPages struct {
	limit        time.Duration
	began        time.Time
	tokens       map[string]bool
	pages, empty int
	bytes        atomic.Int64
	objects      []kinds.Object
}

func newListPages(limit time.Duration) *listPages {
	return &listPages{limit: limit, began: time.Now(), tokens: map[string]bool{}} //nolint:forbidigo // a stopwatch, no time of day
}

// read reads the next page within what is left of the list's time. An error
// says what of the list had come.
func (p *listPages) read(ctx context.Context, page func(context.Context) (runtime.Object, error)) (runtime.Object, error) {
	list, err := p.inTime(context.WithValue(ctx, countKey{}, &p.bytes), page)
	if err == nil || isLate(err) {
		p.take(list)
	}
	if err == nil {
		err = p.goesOn(list)
	}
	if err != nil && len(p.objects) > 0 && ctx.Err() == nil {
		err = &partialListError{why: err, objects: p.objects, pages: p.pages}
	}
	return list, err
}

func (p *listPages) inTime(ctx context.Context, page func(context.Context) (runtime.Object, error)) (runtime.Object, error) {
	if p.limit <= 0 {
		return page(ctx)
	}
	late := &lateError{p.limit, notComplete}
	limited, stop := context.WithDeadlineCause(ctx, p.began.Add(p.limit), late)
	defer stop()
	list, err := page(limited)
	if err != nil && ctx.Err() == nil && errors.Is(context.Cause(limited), late) {
		err = late
	}
	return list, err
}

// take keeps what came of a page.
func (p *listPages) take(list runtime.Object) {
	before := len(p.objects)
	if list == nil {
		return
	}
	_ = meta.EachListItem(list, func(o runtime.Object) error { // it has no error of its own
		if object, ok := o.(kinds.Object); ok {
			p.objects = append(p.objects, object)
		}
		return nil
	})
	if p.pages++; len(p.objects) > before {
		p.empty = 0
		return
	}
	p.empty++
}

// goesOn is an error where a list goes on that should have ended.
func (p *listPages) goesOn(list runtime.Object) error {
	switch token := continueOf(list); {
	case token == "":
		return nil
	case p.tokens[token]:
		return fmt.Errorf("the list does not end: page %d leads to a page that was read before (its continue token is a repeated one)", p.pages)
	case p.empty >= mostEmptyPages:
		return fmt.Errorf("the list does not end: the last %d pages were empty, and each says that there is one more", p.empty)
	case p.pages >= mostPages, len(p.objects) >= mostObjects:
		return fmt.Errorf("the list does not end: it goes on after %d objects in %d pages", len(p.objects), p.pages)
	case p.bytes.Load() >= mostOfPages:
		return fmt.Errorf("the list goes on after %d MiB, which is all that is read of one", int64(mostOfPages)>>20)
	}
	p.tokens[continueOf(list)] = true
	return nil
}

// continueOf is the token of the page behind, "" on the last one.
func continueOf(list runtime.Object) string {
	if about, err := meta.ListAccessor(list); err == nil {
		return about.GetContinue()
	}
	return ""
}

// partialListError says why a list was given up of which something had come.
type partialListError struct {
	why     error
	objects []kinds.Object
	pages   int
}

// Error says why, and what had come.
func (e *partialListError) Error() string { return cause(e.why) + e.came() }

func (e *partialListError) came() string {
	pages := ""
	if e.pages > 1 {
		pages = fmt.Sprintf(" in %d pages", e.pages)
	}
	return fmt.Sprintf("; the %d objects that came%s are used, others may be missing", len(e.objects), pages)
}

// Unwrap is the reason.
func (e *partialListError) Unwrap() error { return e.why }

type countKey struct{}

// countRead counts bytes of an answer to a request whose context counts them.
func countRead(ctx context.Context, n int) {
	if count, ok := ctx.Value(countKey{}).(*atomic.Int64); ok {
		count.Add(int64(n))
	}
}
