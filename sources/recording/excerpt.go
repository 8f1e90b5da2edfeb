package recording

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/traintop/traintop/train"
)

// Excerpt describes a recording of a single job, to be cut out of another.
type Excerpt struct {
	// Job is the job. Created is when it was created: everything earlier
	// becomes one initial state. The zero time is the beginning of the
	// recording.
	Job     train.JobID
	Created time.Time
	// UpTo is the last instant; zero means the end of the recording.
	UpTo time.Time
	// Path is the file to write; an existing file is an error and stays
	// unchanged.
	Path string
	// Program is as in About.
	Program string
	// Redact redacts secrets; nil only if they are to be kept.
	Redact Redactor
}

// WriteExcerpt writes a recording of one job: its objects, logs, marks and
// samples, its nodes and their GPUs, and of other jobs only the resources they
// hold (kinds.Outline). From the job's creation on, every instant is as exact
// as in the original. It returns the size in bytes.
//
// It uses a reader of its own, so any goroutine may call it. If it fails or
// ctx ends, it removes the file.
func (f *File) WriteExcerpt(ctx context.Context, o Excerpt) (bytes int64, err error) {
	beside := f.beside()
	defer beside.play.close()
	from, until := beside.excerptSpan(&o)
	own := newFamily(o.Job)
	stretches := beside.timeRanges(from, until)
	for i := range stretches {
		if err := beside.findFamily(ctx, own, &stretches[i]); err != nil {
			return 0, err
		}
	}
	if own.name == "" {
		return 0, fmt.Errorf("the job is not in the recording from %s to %s", stamp(instant(from)), stamp(instant(until)))
	}
	c, err := newCopier(beside, own, &o, from, until)
	if err != nil {
		return 0, err
	}
	for i := range stretches {
		if err = c.copy(ctx, &stretches[i]); err != nil {
			break
		}
	}
	if err == nil {
		err = c.copyMarks(ctx, from, until)
	}
	if err == nil {
		c.writer.enqueue(batch{lost: beside.lossesIn(from, until)})
	}
	if err = errors.Join(err, c.end(until)); err != nil {
		_ = os.Remove(o.Path) // an incomplete excerpt helps nobody
		return 0, fmt.Errorf("saving the excerpt %s: %w", o.Path, err)
	}
	return written(o.Path)
}

// lossesIn returns the losses in a time span, since a copy of the span lacks
// the same.
func (f *File) lossesIn(from, until int64) (all []Loss) {
	for _, l := range f.Info().Damage {
		if (l.To.IsZero() || micros(l.To) >= from) && (l.From.IsZero() || micros(l.From) < until) {
			all = append(all, l)
		}
	}
	return all
}

// written returns the size of a file.
func written(path string) (int64, error) {
	info, err := os.Stat(path)
	if err != nil {
		return 0, fmt.Errorf("looking at the excerpt that was saved: %w", err)
	}
	return info.Size(), nil
}

// beside returns the same file for a second reader.
func (f *File) beside() *File {
	f.mu.Lock()
	defer f.mu.Unlock()
	return &File{
		in: f.in, size: f.size, begin: f.begin, pieces: f.pieces, chunks: f.chunks, runs: f.runs, interruptions: f.interruptions,
		doubts: f.doubts, resyncs: f.resyncs, info: f.info, shift: f.shift,
	}
}

// excerptSpan returns the span from the job's creation to the requested end,
// limited to the recording.
func (f *File) excerptSpan(o *Excerpt) (from, until int64) {
	from, until = micros(f.From()), micros(f.To())
	if !o.UpTo.IsZero() {
		until = min(max(micros(o.UpTo), from), until)
	}
	if !o.Created.IsZero() {
		from = min(max(micros(o.Created), from), until)
	}
	return from, until
}

// timeRange is a part of a recording without an interruption. Its initial
// state does not depend on earlier parts.
type timeRange struct {
	from, until int64
	// end is the file offset at which the next range begins.
	end int64
	// whole is true if the range begins with the recording, not in its middle.
	whole bool
	// gap is the gap before the range, nil for the first.
	gap *Gap
}

// timeRanges returns the ranges between two instants, in order.
func (f *File) timeRanges(from, until int64) []timeRange {
	all := []timeRange{{from: from, until: until, end: f.size, whole: from == micros(f.From())}}
	for i := range f.interruptions {
		by := &f.interruptions[i]
		if by.from <= from || by.from > until {
			continue
		}
		last := &all[len(all)-1]
		last.until, last.end = by.from, by.offset
		all = append(all, timeRange{from: by.from, until: until, end: f.size, gap: &by.gap})
	}
	return all
}

// nextOf returns the next record of a time range and its cursor, nil at the
// end.
func (p *playing) nextOf(s *timeRange) (*cursor, *record) {
	for {
		c, r := p.next()
		switch {
		case r == nil || r.at > s.until:
			return nil, nil
		case r.place < s.end:
			return c, r
		}
		c.take() // same instant, but it belongs to the next time range
	}
}

// copier writes the events that a filter keeps, at their original times.
type copier struct {
	from   *File
	filter *excerptFilter
	writer *Writer
	now    atomic.Int64 // microseconds: time of the event being written

	mu      sync.Mutex
	trouble string
}

func newCopier(from *File, own *family, o *Excerpt, at, until int64) (*copier, error) {
	file, err := os.OpenFile(o.Path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("saving the excerpt %s: %w", o.Path, bare(err))
	}
	c := &copier{from: from, filter: newExcerptFilter(own)}
	c.now.Store(at)
	about := from.info.About
	about.Source = AddressName(about.Source)
	about.Program, about.Began, about.Redacted = o.Program, instant(at).UTC(), about.Redacted || o.Redact != nil
	about.Source = "the job " + own.name + " of " + about.Source
	asked, later := from.asksIn(at, until)
	about.Logs, about.Namespace, about.Later = cmp.Or(asked.Logs, LogsAll), asked.Namespace, later
	c.writer, err = create(o.Path, file, 0, Options{
		About: about, Redact: o.Redact, Trouble: c.noteTrouble, Flush: unhurried,
		Now: func() time.Time { return instant(c.now.Load()) },
	})
	if err != nil {
		_ = file.Close() // nothing was written
		_ = os.Remove(o.Path)
		return nil, fmt.Errorf("saving the excerpt %s: %w", o.Path, err)
	}
	c.writer.patient = true
	return c, nil
}

// unhurried is the flush interval of a copy: effectively never, since the copy
// uses the recorded clock.
const unhurried = 1000 * time.Hour

func (c *copier) noteTrouble(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.trouble == "" {
		c.trouble = text
	}
}

// copy copies a time range.
func (c *copier) copy(ctx context.Context, s *timeRange) error {
	known := newStateSink(s.whole)
	if err := c.from.Load(ctx, known, instant(s.from), 0); err != nil {
		return err
	}
	c.now.Store(s.from)
	c.filter.begin()
	events := c.filter.of(known.events(c.from.play.clocked))
	c.writer.enqueue(batch{gap: s.gap, events: events})
	play := &c.from.play
	for ctx.Err() == nil {
		from, next := play.nextOf(s)
		if next == nil {
			break
		}
		from.take()
		c.now.Store(max(c.now.Load(), next.at))
		before, event := play.joined.of(next)
		if event != nil {
			before = append(before, event)
		}
		if kept := c.filter.of(before); len(kept) > 0 {
			c.writer.Apply(kept...)
		}
	}
	return ctx.Err()
}

// copyMarks copies the marks of the job, its nodes and the sources.
func (c *copier) copyMarks(ctx context.Context, from, until int64) error {
	marks := c.from.cursor(c.from.chunks[kindMarks])
	defer marks.close()
	for r := marks.peek(); r != nil && r.at <= until && ctx.Err() == nil; r = marks.peek() {
		marks.take()
		if r.mark != nil && r.at >= from && c.filter.family.marked(r.mark) {
			c.writer.Mark(*r.mark)
		}
	}
	return ctx.Err()
}

// end closes the file at its last instant.
func (c *copier) end(until int64) error {
	c.now.Store(max(c.now.Load(), until))
	c.writer.Apply() // no events: it dates the end
	err := c.writer.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil && c.trouble != "" {
		err = errors.New(c.trouble)
	}
	return err
}
