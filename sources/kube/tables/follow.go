package tables

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/traintop/traintop/sources/kube/client"
	"github.com/traintop/traintop/train/apitable"
)

// asTable asks for a table, with the metadata of each object. A server that makes none
// answers with the objects.
const asTable = "application/json;as=Table;v=v1;g=meta.k8s.io,application/json"

const (
	// pollInterval is how often objects are listed that may not be watched.
	pollInterval = 10 * time.Second
	// rightsInterval is how often a refused list is tried again.
	rightsInterval = time.Minute
	// settleTime is how long changes are collected before a new table is made.
	settleTime = 100 * time.Millisecond
	// firstRetry and lastRetry bound the wait after an error.
	firstRetry, lastRetry = time.Second, 30 * time.Second
)

// Follow lists and watches a listing until ctx ends, and hands out its table after every
// change. Where all namespaces may not be listed it shows fallback, unless that is "".
// apply must not block for long.
func Follow(ctx context.Context, c *client.Connection, listing apitable.Listing, fallback string, apply func(*apitable.Table)) {
	f := &follower{
		connection: c, listing: listing, namespace: listing.Namespace, fallback: fallback, apply: apply,
		rows: map[string]*apitable.Row{}, retry: client.NewBackoff(firstRetry, lastRetry),
	}
	ctx = client.WithoutLogs(ctx)
	for ctx.Err() == nil {
		f.round(ctx)
	}
}

// follower follows one listing.
type follower struct {
	connection *client.Connection
	listing    apitable.Listing
	namespace  string // that is read, "" for all
	fallback   string
	apply      func(*apitable.Table)
	retry      *client.Backoff

	columns []apitable.Column
	rows    map[string]*apitable.Row
	version string // the newest resourceVersion
	table   apitable.Table
}

// round lists the listing, and watches it until a list is needed again.
func (f *follower) round(ctx context.Context) {
	err := f.list(ctx)
	if ctx.Err() != nil {
		return
	}
	switch {
	case err == nil:
		f.working()
	case apierrors.IsForbidden(err) && f.namespace == "" && f.listing.Namespaced && f.fallback != "":
		f.namespace, f.table.OnlyIn = f.fallback, f.fallback
		return
	case apierrors.IsForbidden(err):
		f.fail("listing", err)
		client.Sleep(ctx, rightsInterval)
		return
	default:
		f.fail("listing", err)
		client.Sleep(ctx, f.retry.Next())
		return
	}
	f.watchOn(ctx)
}

// watchOn watches from the newest version, again after each end of the stream, until the
// version has expired or watching is refused.
func (f *follower) watchOn(ctx context.Context) {
	for ctx.Err() == nil {
		err := f.watch(ctx)
		switch {
		case ctx.Err() != nil:
			return
		case err == nil: // servers end watches after some minutes
			f.retry.Reset()
			client.Sleep(ctx, settleTime)
		case apierrors.IsResourceExpired(err), apierrors.IsGone(err):
			client.Sleep(ctx, settleTime)
			return
		case apierrors.IsForbidden(err), apierrors.IsMethodNotSupported(err), errors.Is(err, errNoVersion):
			f.table.Every = pollInterval
			f.publish()
			client.Sleep(ctx, pollInterval)
			return
		default:
			f.fail("watching", err)
			client.Sleep(ctx, f.retry.Next())
			return
		}
	}
}

// working notes that the server answers as it should.
func (f *follower) working() {
	f.table.Trouble, f.table.Refused, f.table.Listed = "", false, true
	f.publish()
}

// fail shows why the table is not up to date.
func (f *follower) fail(doing string, err error) {
	f.table.Refused = apierrors.IsForbidden(err)
	what := client.Joined(doing+" "+f.listing.FullName(), f.where())
	if f.table.Refused {
		f.table.Trouble = what + " was refused: " + client.Answer(err)
	} else if lost := client.AsConnectionError(f.connection.Address, err); lost != nil {
		f.table.Trouble = lost.Error()
	} else {
		f.table.Trouble = what + ": " + client.Answer(err) + client.TimeoutHint(err)
	}
	f.publish()
}

func (f *follower) where() string {
	switch {
	case !f.listing.Namespaced:
		return ""
	case f.namespace == "":
		return "in all namespaces"
	}
	return "in namespace " + f.namespace
}

// publish hands out a table of what is known now.
func (f *follower) publish() {
	f.table.Version++
	t := f.table
	t.Listing, t.Columns = f.listing, f.columns
	t.Rows = make([]*apitable.Row, 0, len(f.rows))
	for _, row := range f.rows {
		t.Rows = append(t.Rows, row)
	}
	slices.SortFunc(t.Rows, func(a, b *apitable.Row) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	f.apply(&t)
}

// list replaces the rows by those of a new list.
func (f *follower) list(ctx context.Context) error {
	request := f.connection.Core.Get().AbsPath(resourceOf(f.listing).Path(f.namespace, "")...).SetHeader("Accept", asTable)
	if f.version == "" {
		request.Param("resourceVersion", "0") // from the server's cache; the watch brings what is newer
	}
	body, err := request.Stream(client.Reading(ctx, client.MostOfList))
	if err != nil {
		return err
	}
	defer body.Close()
	came, err := readTable(body)
	if err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	f.columns, f.version = came.columns, came.version
	f.rows = make(map[string]*apitable.Row, len(came.rows))
	for _, row := range came.rows {
		f.rows[row.Key()] = row
	}
	return nil
}

// errNoVersion is the reason why a list cannot be watched.
var errNoVersion = errors.New("the list has no resourceVersion")

// watch applies the events of one watch until its stream ends.
func (f *follower) watch(ctx context.Context) error {
	if f.version == "" {
		return errNoVersion
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	body, err := f.connection.Core.Get().AbsPath(resourceOf(f.listing).Path(f.namespace, "")...).SetHeader("Accept", asTable).
		Param("watch", "true").Param("allowWatchBookmarks", "true").Param("resourceVersion", f.version).
		Param("timeoutSeconds", strconv.Itoa(300+rand.IntN(300))).Stream(ctx)
	if err != nil {
		return err
	}
	defer body.Close()
	if f.table.Every != 0 || f.table.Trouble != "" {
		f.table.Every = 0
		f.working()
	}
	events := make(chan event)
	ended := make(chan error, 1)
	go func() { ended <- pass(ctx, body, events) }()
	err = f.applyAll(ctx, events, ended)
	stop()
	return err
}

// pass decodes events until the stream or ctx ends.
func pass(ctx context.Context, body io.Reader, events chan<- event) error {
	for d := json.NewDecoder(body); ; {
		e, err := readEvent(d)
		if err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return nil
			}
			return err
		}
		select {
		case events <- e:
		case <-ctx.Done():
			return nil
		}
	}
}

// applyAll applies events, and hands out a table once they have settled.
func (f *follower) applyAll(ctx context.Context, events <-chan event, ended <-chan error) error {
	var settled <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return nil
		case err := <-ended:
			if settled != nil {
				f.publish()
			}
			return err
		case <-settled:
			settled = nil
			f.publish()
		case e := <-events:
			changed, err := f.change(e)
			if err != nil {
				return err
			}
			if changed && settled == nil {
				settled = time.After(settleTime)
			}
		}
	}
}

// change applies one event; changed is false for one that only brings a version.
func (f *follower) change(e event) (changed bool, err error) {
	if e.status != nil {
		return false, &apierrors.StatusError{ErrStatus: *e.status}
	}
	if e.newest != "" {
		f.version = e.newest
	}
	if e.verb == "BOOKMARK" {
		return false, nil
	}
	if len(e.columns) > 0 && e.Kind == "Table" {
		f.columns = e.columns
	}
	for _, row := range e.rows {
		if e.verb == "DELETED" {
			delete(f.rows, row.Key())
			continue
		}
		f.rows[row.Key()] = row
	}
	return len(e.rows) > 0, nil
}
