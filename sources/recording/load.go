package recording

import (
	"context"
	"fmt"
	"math"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

// Backlog is how many bytes of records before an instant are told at least,
// where there are that many: the newest lines of logs and the whole curves of
// what is smaller than that. Everything tells all there is, however long it takes.
const (
	Backlog    = 8 << 20
	Everything = math.MaxInt64
)

// fromBegin is how many bytes of records are told from the beginning, rather
// than from a snapshot, whatever backlog is wanted.
const fromBegin = 32 << 20

// playing is where Next goes on.
type playing struct {
	events, measures *cursor
	at               int64
	// clocked is true while a source that was recorded pins the time.
	clocked bool
	// pods are those that were told and are there.
	pods map[objectKey]types.UID
	// joined makes one recording of what several runs told.
	joined joined
}

func (p *playing) close() {
	for _, c := range []*cursor{p.events, p.measures} {
		if c != nil {
			c.close()
		}
	}
	*p = playing{}
}

// Load tells an empty sink all that was known at an instant, and nothing
// later, and pins its time there: from the snapshot before it on, or an
// earlier one where less than backlog bytes of records lie between. An
// instant outside of the recording stands for its beginning or end.
//
// A sink that takes snapshots (*store.Store) is asked for some on the way, so
// that it knows of the past what it would know.
func (f *File) Load(ctx context.Context, sink sources.Sink, at time.Time, backlog int64) error {
	if len(f.pieces) == 0 {
		text := ""
		if len(f.info.Damage) > 0 {
			text = ": " + f.info.Damage[0].String()
		}
		return fmt.Errorf("the recording holds nothing that can be read%s", text)
	}
	f.play.close()
	until := min(max(micros(at), micros(f.info.From)), micros(f.info.To))
	run, whole := f.origin(ctx, until)
	base := f.base(run, until, backlog, whole)
	t := &teller{ctx: ctx, sink: sink, play: &f.play}
	t.add(store.Clock{Now: instant(until)})
	from := run
	if base != nil {
		from = base.offset()
	}
	f.play.joined.bounds = f.runsBehind(from)
	f.play.events = f.ahead(f.eventsFrom(from), until)
	measured := from
	var newest []record
	if base != nil {
		newest = t.replaySnapshot(f, base, until)
	} else {
		measured, newest = t.measuredBefore(f, run, until)
	}
	m := f.measuring(t, newest, run, measured, from, until)
	f.play.measures = m.cursor
	t.replay(f.play.events, until)
	m.replay(until)
	f.play.goOn()
	t.end(until)
	return ctx.Err()
}

// Next tells what came after the instant of the last Load or Next, up to
// another one, and pins the time there.
func (f *File) Next(ctx context.Context, sink sources.Sink, at time.Time) error {
	if f.play.events == nil {
		return f.Load(ctx, sink, at, Backlog)
	}
	until := max(f.play.at, min(micros(at), micros(f.info.To)))
	t := &teller{ctx: ctx, sink: sink, play: &f.play}
	for ctx.Err() == nil {
		c, next := f.play.next()
		if next == nil || next.at > until {
			break
		}
		t.take(c.take())
	}
	t.end(until)
	return ctx.Err()
}

// next is the record that comes next, nil at the end, and where it is taken.
func (p *playing) next() (*cursor, *record) {
	event, measure := p.events.peek(), p.measures.peek()
	if measure != nil && (event == nil || measure.at < event.at) {
		return p.measures, measure
	}
	return p.events, event
}

// goOn has what comes next read ahead without a limit, once somebody asks for it.
func (p *playing) goOn() {
	p.events.until, p.measures.until = math.MaxInt64, math.MaxInt64
}

// At is the instant that was told last.
func (f *File) At() time.Time { return instant(f.play.at) }

// base is the snapshot to begin with, nil for the beginning of the run: the
// newest one before which lies no less than the backlog.
func (f *File) base(run, until, backlog int64, whole bool) *chunk {
	all := f.chunks[kindSnapshot]
	for i := len(all) - 1; i >= 0; i-- {
		at := all[i].pieces[0].offset
		if at < run {
			break
		}
		if all[i].to <= until && f.rawBetween(at, until) >= backlog {
			return &all[i]
		}
	}
	if whole && f.rawBetween(run, until) < max(backlog, fromBegin) {
		return nil
	}
	return f.first(run, until)
}

// first is the oldest snapshot behind a place.
func (f *File) first(run, until int64) *chunk {
	for i := range f.chunks[kindSnapshot] {
		if c := &f.chunks[kindSnapshot][i]; c.pieces[0].offset >= run && c.to <= until {
			return c
		}
	}
	return nil
}

// newest is the newest snapshot behind a place.
func (f *File) newest(run, until int64) *chunk {
	all := f.chunks[kindSnapshot]
	for i := len(all) - 1; i >= 0; i-- {
		if c := &all[i]; c.pieces[0].offset >= run && c.to <= until {
			return c
		}
	}
	return nil
}

// rawBetween is how many bytes of events lie between a place and an instant.
func (f *File) rawBetween(offset, until int64) (n int64) {
	for i := range f.pieces {
		if p := &f.pieces[i]; p.kind == kindEvents && p.offset >= offset && p.from <= until {
			n += int64(p.raw)
		}
	}
	return n
}

// after are the chunks that begin behind a place.
func after(chunks []chunk, offset int64) []chunk {
	for i := range chunks {
		if chunks[i].pieces[0].offset >= offset {
			return chunks[i:]
		}
	}
	return nil
}

// teller hands records to a sink, many at once.
type teller struct {
	ctx    context.Context
	sink   sources.Sink
	play   *playing
	events []store.Event
	// pictured is when the newest snapshot was taken.
	pictured int64
}

// batchSize is how many events are told at once.
const batchSize = 512

// pictureEvery is how much recorded time lies between snapshots, at least.
const pictureEvery = 200_000 // microseconds

// replay tells what a cursor has up to an instant.
func (t *teller) replay(c *cursor, until int64) {
	for r := c.peek(); r != nil && r.at <= until && t.ctx.Err() == nil; r = c.peek() {
		t.take(c.take())
	}
}

// measuredBefore is what the newest snapshot of a run has of measurements, and
// where it stands, if there is so much before it that not all of that is told.
// Else it is nothing, and the beginning of the run.
func (t *teller) measuredBefore(f *File, run, until int64) (from int64, measured []record) {
	if _, bytes := measuredIn(after(f.chunks[kindMeasures], run), until-pastMicros, until); bytes <= spreadBytes {
		return run, nil
	}
	newest := f.newest(run, until)
	if newest == nil {
		return run, nil
	}
	c := f.cursor([]chunk{*newest})
	defer c.close()
	for r := c.take(); r != nil && r.at <= until && t.ctx.Err() == nil; r = c.take() {
		switch r.event.(type) {
		case store.Measured, store.Used:
			measured = append(measured, *r)
		}
	}
	return newest.pieces[0].offset, measured
}

// replaySnapshot tells a snapshot but for what was measured, which it returns:
// older measurements have to be told before.
func (t *teller) replaySnapshot(f *File, base *chunk, until int64) (measured []record) {
	c := f.cursor([]chunk{*base})
	if f.loaded {
		f.objects = f.objects.next()
	}
	c.objects, f.loaded = f.objects, true
	defer c.close()
	defer func() { t.pictured = 0 }() // what goes at once behind it was not seen whole
	for r := c.peek(); r != nil && r.at <= until && t.ctx.Err() == nil; r = c.peek() {
		switch c.take(); r.event.(type) {
		case store.Measured, store.Used:
			measured = append(measured, *r)
		default:
			t.take(r)
		}
	}
	return measured
}

// take tells what a record says to whoever was told the ones before. What goes
// was seen before it went, as it would be live.
func (t *teller) take(r *record) {
	before, event := t.play.joined.of(r)
	for _, e := range before {
		t.add(e)
	}
	switch e := event.(type) {
	case nil:
		return
	case store.Deleted, store.Unwatched:
		t.pictureBefore(r)
	case store.Listed:
		if e.Kind == kinds.PodKind { // pods that are not in it are gone
			t.pictureBefore(r)
			t.play.knowPods(e.Objects)
		}
	case store.Set:
		if e.Kind == kinds.PodKind {
			t.takePod(r, e.Object)
		}
	case store.Clock:
		t.play.clocked = !e.Now.IsZero()
	case picture:
		t.picture()
		return
	}
	t.add(event)
}

// takePod looks at a pod before another of its name takes its place.
func (t *teller) takePod(r *record, pod kinds.Object) {
	if was, told := t.play.pods[keyOf(pod)]; told && was != pod.GetUID() {
		t.pictureBefore(r)
	}
	t.play.knowPods([]kinds.Object{pod})
}

func (p *playing) knowPods(pods []kinds.Object) {
	if p.pods == nil {
		p.pods = make(map[objectKey]types.UID, len(pods))
	}
	for _, pod := range pods {
		p.pods[keyOf(pod)] = pod.GetUID()
	}
}

// pictureBefore lets a store look before a record is told, but not too often.
func (t *teller) pictureBefore(r *record) {
	if r.at >= t.pictured+pictureEvery {
		t.pictured = r.at
		t.picture()
	}
}

func (t *teller) add(e store.Event) {
	if t.events == nil {
		t.events = make([]store.Event, 0, batchSize) // the sink may keep what it was told before
	}
	if t.events = append(t.events, e); len(t.events) >= batchSize {
		t.flush()
	}
}

func (t *teller) flush() {
	if len(t.events) > 0 {
		t.sink.Apply(t.events...)
		t.events = nil
	}
}

// snapshot lets a store look at what it was told.
func (t *teller) picture() {
	t.flush()
	if pictures, does := t.sink.(interface{ Snapshot() *store.Snapshot }); does {
		pictures.Snapshot()
	}
}

// end pins the time, unless a source that was recorded does.
func (t *teller) end(until int64) {
	if !t.play.clocked {
		t.add(store.Clock{Now: instant(until)})
	}
	t.flush()
	t.play.at = until
}
