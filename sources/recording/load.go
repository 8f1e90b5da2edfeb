package recording

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train/kinds"
)

// Backlog is how many bytes of records before an instant Load replays at
// least, if there are that many: the newest lines of logs, and whole curves of
// smaller recordings. Everything replays all, however long it takes.
const (
	Backlog    = 8 << 20
	Everything = math.MaxInt64
)

// fromBegin: with fewer bytes of records than this, Load starts at the
// beginning instead of a snapshot, whatever backlog the caller wants.
const fromBegin = 32 << 20

// playing is the state from which Next continues.
type playing struct {
	events, measures *cursor
	at               int64
	// clocked is true while a recorded source sets the time.
	clocked bool
	// answered is true once an event of reading was applied (isReading).
	answered bool
	// pods are the pods that were applied and still exist.
	pods map[objectKey]types.UID
	// joined merges the runs of the recorder.
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

// Load applies to an empty sink the state at an instant, without later events,
// and sets its clock to that instant. It starts from the last snapshot before
// the instant, or from an earlier one if fewer than backlog bytes of records
// lie between. It clamps the instant to the recording.
//
// Load makes a sink that takes snapshots (*store.Store) take some on the way,
// so that the store derives the past as it would live.
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
	t := &replayer{ctx: ctx, sink: sink, play: &f.play}
	t.add(store.Clock{Now: instant(until)})
	from := run
	if base != nil {
		from = base.offset()
	}
	f.play.joined.later = f.runsBehind(from)
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

// Next applies the events after the instant of the last Load or Next, up to
// another instant, and sets the clock to it.
func (f *File) Next(ctx context.Context, sink sources.Sink, at time.Time) error {
	if f.play.events == nil {
		return f.Load(ctx, sink, at, Backlog)
	}
	until := max(f.play.at, min(micros(at), micros(f.info.To)))
	t := &replayer{ctx: ctx, sink: sink, play: &f.play}
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

// next returns the next record and its cursor, nil at the end.
func (p *playing) next() (*cursor, *record) {
	event, measure := p.events.peek(), p.measures.peek()
	if measure != nil && (event == nil || measure.at < event.at) {
		return p.measures, measure
	}
	return p.events, event
}

// goOn lifts the limit of reading ahead, which starts on the next request.
func (p *playing) goOn() {
	p.events.until, p.measures.until = math.MaxInt64, math.MaxInt64
}

// At returns the instant replayed up to.
func (f *File) At() time.Time { return instant(f.play.at) }

// base returns the snapshot to start from, nil for the beginning of the run:
// the newest one with at least backlog bytes between it and the instant.
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

// first returns the oldest snapshot after an offset.
func (f *File) first(run, until int64) *chunk {
	for i := range f.chunks[kindSnapshot] {
		if c := &f.chunks[kindSnapshot][i]; c.pieces[0].offset >= run && c.to <= until {
			return c
		}
	}
	return nil
}

// newest returns the newest snapshot after an offset.
func (f *File) newest(run, until int64) *chunk {
	all := f.chunks[kindSnapshot]
	for i := len(all) - 1; i >= 0; i-- {
		if c := &all[i]; c.pieces[0].offset >= run && c.to <= until {
			return c
		}
	}
	return nil
}

// rawBetween returns the bytes of events between an offset and an instant.
func (f *File) rawBetween(offset, until int64) (n int64) {
	for i := range f.pieces {
		if p := &f.pieces[i]; p.kind == kindEvents && p.offset >= offset && p.from <= until {
			n += int64(p.raw)
		}
	}
	return n
}

// after returns the chunks that begin after an offset.
func after(chunks []chunk, offset int64) []chunk {
	for i := range chunks {
		if chunks[i].pieces[0].offset >= offset {
			return chunks[i:]
		}
	}
	return nil
}

// replayer applies records to a sink in batches.
type replayer struct {
	ctx    context.Context
	sink   sources.Sink
	play   *playing
	events []store.Event
	// lastSnapshot is the record time of the newest snapshot that the sink took.
	lastSnapshot int64
}

// batchSize is how many events one batch has.
const batchSize = 512

// sinkSnapshotEvery is the least recorded time between snapshots of the sink.
const sinkSnapshotEvery = 200_000 // microseconds

// replay applies the records of a cursor up to an instant.
func (t *replayer) replay(c *cursor, until int64) {
	for r := c.peek(); r != nil && r.at <= until && t.ctx.Err() == nil; r = c.peek() {
		t.take(c.take())
	}
}

// measuredBefore returns the measurements in the newest snapshot of a run and
// its offset, if there are too many earlier measurements to replay all.
// Otherwise it returns none, and the beginning of the run.
func (t *replayer) measuredBefore(f *File, run, until int64) (from int64, measured []record) {
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

// replaySnapshot applies a snapshot except its measurements. It returns these,
// since older measurements have to be applied first.
func (t *replayer) replaySnapshot(f *File, base *chunk, until int64) (measured []record) {
	c := f.cursor([]chunk{*base})
	if f.loaded {
		f.objects = f.objects.next()
	}
	c.objects, f.loaded = f.objects, true
	defer c.close()
	defer func() { t.lastSnapshot = 0 }() // the sink has not taken a snapshot since, and must before a removal
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

// take applies a record to a sink that got all earlier ones. Before a removal
// it makes the sink take a snapshot, as it would have live.
func (t *replayer) take(r *record) {
	before, event := t.play.joined.of(r)
	for _, e := range before {
		if _, is := e.(store.Unwatched); is {
			t.snapshotBefore(r)
		}
		t.add(e)
	}
	switch e := event.(type) {
	case nil:
		return
	case store.Deleted, store.Unwatched:
		t.snapshotBefore(r)
	case store.Listed:
		if e.Kind == kinds.PodKind { // pods missing from the list are deleted
			t.snapshotBefore(r)
			t.play.knowPods(e.Objects)
		}
	case store.Set:
		if e.Kind == kinds.PodKind {
			t.takePod(r, e.Object)
		}
	case store.Clock:
		t.play.clocked = !e.Now.IsZero()
	case snapshotPoint:
		t.snapshotMark()
		return
	}
	t.add(event)
}

// takePod takes a snapshot before a pod replaces another of the same name.
func (t *replayer) takePod(r *record, pod kinds.Object) {
	if was, known := t.play.pods[keyOf(pod)]; known && was != pod.GetUID() {
		t.snapshotBefore(r)
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

// snapshotBefore makes the sink take a snapshot before a record, but not too
// often.
func (t *replayer) snapshotBefore(r *record) {
	if r.at >= t.lastSnapshot+sinkSnapshotEvery {
		t.lastSnapshot = r.at
		t.snapshotMark()
	}
}

// isReading reports whether an event states that objects or logs were read, or
// that a source of them is asked: an empty state after it is what was read, or is
// reported to be unread. Sources of measurements report neither.
func isReading(e store.Event) bool {
	switch e := e.(type) {
	case store.Listed, store.Set, store.Logged, store.StreamChanged:
		return true
	case store.HealthChanged:
		source := e.Health.Source
		return source == "kube" || slices.ContainsFunc([]string{"kube/", "file ", SourceName + " "}, func(of string) bool { return strings.HasPrefix(source, of) })
	}
	return false
}

func (t *replayer) add(e store.Event) {
	t.play.answered = t.play.answered || isReading(e)
	if t.events == nil {
		t.events = make([]store.Event, 0, batchSize) // the sink may keep the earlier slice
	}
	if t.events = append(t.events, e); len(t.events) >= batchSize {
		t.flush()
	}
}

func (t *replayer) flush() {
	if len(t.events) > 0 {
		t.sink.Apply(t.events...)
		t.events = nil
	}
}

// snapshotMark makes the sink take a snapshot, if it is a store.
func (t *replayer) snapshotMark() {
	t.flush()
	if snapshots, does := t.sink.(interface{ Snapshot() *store.Snapshot }); does {
		snapshots.Snapshot()
	}
}

// end sets the clock, unless a recorded source sets it.
func (t *replayer) end(until int64) {
	if !t.play.clocked {
		t.add(store.Clock{Now: instant(until)})
	}
	if later := t.play.joined.later; len(later) > 0 && until > micros(later[0].gap.From) {
		for _, e := range t.play.joined.stopLogs(later[0].gap.From) { // nothing was recorded since
			t.add(e)
		}
	}
	t.flush()
	t.play.at = until
}
