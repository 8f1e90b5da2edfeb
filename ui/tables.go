package ui

import (
	"context"
	"slices"
	"sync"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/apitable"
	"github.com/traintop/traintop/views"
)

// ResourceReader is a Cluster that reads any resource of the API server.
type ResourceReader interface {
	// Resources are all that the server serves.
	Resources(ctx context.Context) (*apitable.Catalog, error)
	// FollowTable lists and watches a resource until ctx ends, and hands out its
	// table after every change.
	FollowTable(ctx context.Context, listing apitable.Listing, apply func(*apitable.Table))
	// Object returns the fields of an object, secrets masked.
	Object(ctx context.Context, ref train.Ref) (map[string]any, error)
	// SecretValues returns the decoded values of a Secret, for a person who was
	// asked before.
	SecretValues(ctx context.Context, ref train.Ref) (map[string]string, error)
}

// tables are the tables of the API server that the screens show. Each is
// followed while a screen with it is open, and forgotten afterwards.
type tables struct {
	m *model
	// send passes a message to the event loop; nil follows nothing.
	send      func(tea.Msg)
	following map[apitable.Listing]followed
	newest    map[apitable.Listing]*apitable.Table
	started   int
	running   sync.WaitGroup
}

// followed is one table that is followed.
type followed struct {
	stop context.CancelFunc
	// number distinguishes messages of this one from those of one before.
	number int
}

// begin forgets the tables of the session before.
func (t *tables) begin() {
	for _, f := range t.following {
		f.stop()
	}
	t.following, t.newest = map[apitable.Listing]followed{}, map[apitable.Listing]*apitable.Table{}
}

// shown are the tables for a frame, nil where none is read now.
func (t *tables) shown() map[apitable.Listing]*apitable.Table {
	if t.m.travel.past() || t.m.resources.reader() == nil {
		return nil
	}
	return t.newest
}

// follow follows the tables of all open screens from now on, and no others. It
// is called after each drawing.
func (t *tables) follow() {
	wanted := t.wanted()
	for listing, f := range t.following {
		if !slices.Contains(wanted, listing) {
			f.stop()
			delete(t.following, listing)
			delete(t.newest, listing)
		}
	}
	for _, listing := range wanted {
		if _, already := t.following[listing]; !already {
			t.start(listing)
		}
	}
}

func (t *tables) wanted() (listings []apitable.Listing) {
	if t.m.resources.reader() == nil || t.send == nil {
		return nil
	}
	frame := t.m.frame()
	for _, v := range t.m.stack {
		if tabular, is := v.(views.Tabular); is {
			listings = append(listings, tabular.Tables(frame)...)
		}
	}
	return listings
}

func (t *tables) start(listing apitable.Listing) {
	ctx, stop := context.WithCancel(t.m.ctx)
	t.started++
	number, reader, send := t.started, t.m.resources.reader(), t.send
	t.following[listing] = followed{stop, number}
	t.running.Go(func() {
		reader.FollowTable(ctx, listing, func(table *apitable.Table) {
			if ctx.Err() == nil {
				send(tableRead{table, number})
			}
		})
	})
}

// end stops all of them and returns when they have ended.
func (t *tables) end() {
	t.begin()
	t.running.Wait()
}

// tableRead is a new state of a table.
type tableRead struct {
	table  *apitable.Table
	number int
}

func (r tableRead) arrive(m *model) tea.Cmd {
	if f, is := m.tables.following[r.table.Listing]; is && f.number == r.number {
		m.tables.newest[r.table.Listing] = r.table
	}
	return nil
}
