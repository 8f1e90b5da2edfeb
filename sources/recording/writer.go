package recording

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/traintop/traintop/sources"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// Redactor removes secrets from events before they are written.
type Redactor interface {
	// Redact returns the events without secrets; it changes copies.
	Redact(events []store.Event) []store.Event
	// Text returns the text of a mark without secrets.
	Text(text string) string
	// Counts returns how many secrets of each sort were found.
	Counts() map[string]int
}

// Options configure a Writer.
type Options struct {
	// SameSource refuses to continue a recording of another source.
	SameSource bool
	About      About
	// Now returns the time of an event that arrives.
	Now func() time.Time
	// Redact is nil if secrets are kept on request.
	Redact Redactor
	// Ready reports whether Redact knows all secrets. Until then, and for two
	// minutes at most, nothing is redacted or written. nil is always.
	Ready func() bool
	// MaxSize limits the file in bytes and Keep its time span; beyond them the
	// oldest part is dropped. 0 means no limit.
	MaxSize int64
	Keep    time.Duration
	// Snapshots is the longest time between snapshots if events came; 0 means
	// ten minutes.
	Snapshots time.Duration
	// Window is how far back compression looks, a power of two in bytes; each
	// stream takes as much memory. 0 means 4 MiB, the most.
	Window int
	// Flush is how much recorded time a power failure may lose; 0 means two
	// seconds.
	Flush time.Duration
	// Trouble is called with the reason when writing fails, and with "" when
	// it works again. It runs in another goroutine and must not call the
	// Writer.
	Trouble func(text string)
	// Said is called, as Trouble is, with what was mended without a loss: a
	// file that was put back.
	Said func(text string)

	// relock is as in output.
	relock func(path string) error
}

// Writer is a sink that writes events into a file, beside the store that gets
// the same events. Many goroutines may call Apply, which blocks only while
// more events are queued than a second brings.
type Writer struct {
	o   Options
	out *output
	in  chan batch

	items   chan item
	writing sync.WaitGroup
	coding  sync.WaitGroup

	// The fields below belong to the encoding goroutine.
	state    *state
	events   *chunkWriter
	measures *chunkWriter
	marks    *chunkWriter
	snapshot *chunkWriter
	last     int64 // newest time, which never goes back
	chunks   uint32
	pending  map[*chunkWriter]int64 // events in the piece being filled
	since    sinceSnapshot
	broken   *brokenOff
	odd      error // error of the first event that could not be encoded
	piece    int   // bytes of records per piece
	held     heldBatches

	// continued is true if the file already was a recording.
	continued bool

	lock *lock // empty if nobody else can know the file
	// patient makes the writer wait for the disk, however slow.
	patient bool

	mu     sync.Mutex
	closed bool
	newest int64 // newest time of a batch since the clock last went back
	result error
}

// maxWaiting is how many bytes may be queued for the disk.
const maxWaiting = 64 << 20

// batch is what one call of Apply or Mark passed.
type batch struct {
	at     int64
	events []store.Event
	marks  []Mark
	// gap means that the events are the whole state after this gap.
	gap *Gap
	// lost lists unreadable parts of the recording being copied.
	lost []Loss
	// back is how far the clock went back, in microseconds.
	back int64
}

// sinceSnapshot counts what was written since the newest snapshot, and the
// size of that snapshot.
type sinceSnapshot struct {
	at           int64
	raw, packed  int64
	snapshotRaw  int64
	snapshotSize int64
}

// brokenOff is a time in which writing fails.
type brokenOff struct {
	from   int64
	events int64
	why    string
}

var _ sources.Sink = (*Writer)(nil)

// Continued reports whether the recording already existed.
func (w *Writer) Continued() bool { return w.continued }

// Create starts a recording, or continues an existing one. It is an error if
// the file is something else, which stays unchanged, or if another process is
// writing it.
func Create(path string, o Options) (*Writer, error) {
	if pointsNowhere(path) {
		return nil, fmt.Errorf("recording into %s: it is a symbolic link to a file that does not exist", path)
	}
	lock, err := lockBeside(path)
	if err != nil {
		return nil, fmt.Errorf("recording into %s: %w", path, err)
	}
	w, err := createLocked(path, lock, o)
	if err != nil {
		lock.release()
		return nil, err
	}
	w.lock = lock
	return w, nil
}

// pointsNowhere reports whether a path is a symbolic link without a target.
func pointsNowhere(path string) bool {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&os.ModeSymlink == 0 {
		return false
	}
	_, err = os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

func createLocked(path string, lock *lock, o Options) (*Writer, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("opening %s for the recording: %w", path, bare(err))
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("this is no regular file")
	}
	if err == nil {
		err = lock.lockItself(path)
	}
	var w *Writer
	if err == nil {
		o.relock = lock.lockItself
		w, err = create(path, file, info.Size(), o)
	}
	if err != nil {
		_ = file.Close() // nothing was written
		return nil, fmt.Errorf("recording into %s: %w", path, err)
	}
	return w, nil
}

func create(path string, file media, size int64, o Options) (*Writer, error) {
	if o.Flush <= 0 {
		o.Flush = 2 * time.Second
	}
	if o.Snapshots <= 0 {
		o.Snapshots = snapshotEvery
	}
	if o.Window <= 0 || o.Window > wholeWindow {
		o.Window = wholeWindow
	}
	if o.Trouble == nil {
		o.Trouble = func(string) {}
	}
	if o.Said == nil {
		o.Said = func(string) {}
	}
	w := &Writer{
		o: o, piece: pieceRaw, in: make(chan batch, 256), items: make(chan item, 4096), state: newState(), pending: map[*chunkWriter]int64{},
		out: &output{path: path, file: file, relock: o.relock, limits: limits{size: o.MaxSize, keep: o.Keep.Microseconds()}},
	}
	if o.MaxSize > 0 { // so that a small file has several pieces
		w.piece = int(min(pieceRaw, max(o.MaxSize/64, 4<<10)))
	}
	for l, k := range map[**chunkWriter]kind{&w.events: kindEvents, &w.measures: kindMeasures, &w.marks: kindMarks, &w.snapshot: kindSnapshot} {
		var err error
		if *l, err = newChunkWriter(k, o.Window); err != nil {
			return nil, err
		}
	}
	if err := w.begin(size); err != nil {
		return nil, err
	}
	w.writing.Go(func() {
		for i := range w.items {
			w.out.take(i)
			w.out.waiting.Add(-int64(len(i.bytes)))
		}
	})
	w.coding.Go(w.run)
	return w, nil
}

// begin writes the beginning of a new file, or finds the end of an existing
// one.
func (w *Writer) begin(size int64) error {
	if size > 0 {
		if err := w.resume(size); err != nil {
			return err
		}
	} else {
		if _, err := w.out.file.WriteAt(magicLine, 0); err != nil {
			return bare(err)
		}
		w.out.size = int64(len(magicLine))
	}
	now := micros(w.o.Now())
	if w.last = max(w.last, now); w.last-now > clockTolerance.Microseconds() {
		w.last = now // the clock of the earlier writer was ahead
	}
	w.newest, w.since.at = now, w.last
	b, p := jsonPiece(kindHead, w.last, w.o.About)
	err := w.out.write(b, p)
	w.out.length = w.out.size
	return err
}

// resume finds the end of the last whole piece of a recording.
func (w *Writer) resume(size int64) error {
	r, err := open(w.out.file, size)
	if err != nil {
		return fmt.Errorf("the file is there already and cannot be continued: %w", err)
	}
	if r.withoutSecrets() && !w.o.About.Redacted {
		return errors.New("secrets were taken out of what is in it, and this recording would leave them in; record into another file, or take them out of this one too")
	}
	if was, is := r.info.About.Source, w.o.About.Source; w.o.SameSource && otherSource(was, is) {
		return fmt.Errorf("the file is there already and is a recording of %.200s, not of %s; record into another file", AddressName(was), is)
	}
	w.continued = true
	w.out.pieces, w.out.size = r.written, r.begin
	for _, p := range r.written {
		w.chunks, w.last, w.out.size = max(w.chunks, p.chunk), max(w.last, p.to), max(w.out.size, p.end())
	}
	return w.out.file.Truncate(w.out.size)
}

// Apply implements sources.Sink. After Close it does nothing.
func (w *Writer) Apply(events ...store.Event) {
	w.enqueue(batch{events: slices.Clone(events)})
}

// Mark records marks for the timeline.
func (w *Writer) Mark(marks ...Mark) {
	if len(marks) == 0 {
		return
	}
	marks = slices.Clone(marks)
	for i := range marks {
		if w.o.Redact != nil {
			marks[i].Text = w.o.Redact.Text(marks[i].Text)
		}
	}
	w.enqueue(batch{marks: marks})
}

func (w *Writer) enqueue(b batch) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return
	}
	b.at = micros(w.o.Now())
	if back := w.newest - b.at; back > clockTolerance.Microseconds() {
		b.back, w.newest = back, b.at
	}
	w.newest = max(w.newest, b.at)
	w.in <- b
}

// Close writes the queued events, the index and the footer.
func (w *Writer) Close() error {
	w.mu.Lock()
	if !w.closed {
		w.closed = true
		close(w.in)
	}
	w.mu.Unlock()
	w.coding.Wait()
	if w.lock != nil {
		w.lock.release()
	}
	return w.result
}

// Size returns the size of the file in bytes.
func (w *Writer) Size() int64 { return w.out.written() }

// run encodes batches until the writer is closed.
func (w *Writer) run() {
	tick := time.NewTicker(w.o.Flush)
	defer tick.Stop()
	for {
		select {
		case b, more := <-w.in:
			if !more {
				w.finish()
				return
			}
			w.hold(b)
		case <-tick.C:
			if !w.holds() {
				w.last = max(w.last, micros(w.o.Now()))
				w.flushAll()
			}
			w.mend()
			w.snapshotWhenDue()
		}
	}
}

func (w *Writer) finish() {
	w.takeHeld()
	w.flushAll()
	for w.broken != nil && w.out.failed() == nil && len(w.items) > 0 {
		time.Sleep(time.Millisecond) // at the end, wait for a slow disk
	}
	if w.mend(); w.broken != nil { // it has tried whether the disk accepts writes again
		for w.out.waiting.Load() > 0 {
			time.Sleep(time.Millisecond)
		}
		w.mend()
	}
	w.note(Note{Closed: true, Redacted: w.counts()})
	close(w.items)
	w.writing.Wait()
	if w.result = errors.Join(w.out.close(), w.odd); w.result == nil {
		w.result = w.unrecorded()
	}
	w.reportOutput()
}

// unrecorded reports that writing failed and that the file, which could be closed,
// does not show it.
func (w *Writer) unrecorded() error {
	lost := w.out.takeLost()
	switch {
	case w.broken != nil:
		return fmt.Errorf("the last of it is not in the file, %d events: %s", w.broken.events+lost.events, w.broken.why)
	case lost.from > 0:
		return fmt.Errorf("the last of it is not in the file, %d events: writing %s failed for a while", lost.events, w.out.path)
	}
	return nil
}

func (w *Writer) reportOutput() {
	if text := w.out.takeSaid(); text != "" {
		w.o.Said(text)
	}
}

// take encodes a batch.
func (w *Writer) take(b batch) {
	if b.back > 0 {
		w.resetClock(&b)
	}
	w.last = max(w.last, b.at)
	events := b.events
	if w.o.Redact != nil && len(events) > 0 {
		events = w.o.Redact.Redact(events)
	}
	if b.gap != nil {
		w.beginAnew()
	}
	if len(b.lost) > 0 {
		w.note(Note{Lost: b.lost})
	}
	for _, event := range events {
		if event = reduced(event, w.o.About.Logs); event == nil {
			continue
		}
		w.state.fold(event)
		if b.gap == nil {
			w.add(event)
		}
	}
	if b.gap != nil && w.note(Note{Gap: b.gap}) {
		w.takeSnapshot()
	}
	for i := range b.marks {
		w.addMark(&b.marks[i])
	}
	w.snapshotWhenDue()
}

// beginAnew resets the state: the next events do not depend on earlier ones.
func (w *Writer) beginAnew() {
	w.flushAll()
	for _, l := range []*chunkWriter{w.events, w.measures, w.marks} {
		l.end()
	}
	w.state = newState()
}

// reduced keeps the wanted part of a log event; nil for none.
func reduced(event store.Event, logs Logs) store.Event {
	switch e := event.(type) {
	case store.StreamChanged:
		if logs == LogsNone {
			return nil
		}
	case store.Logged:
		if logs == LogsAll {
			return event
		}
		if e.Lines = nil; logs == LogsNone || len(e.Samples)+len(e.Marks)+len(e.Hits)+len(e.Broken) == 0 && e.Hints == nil {
			return nil
		}
		e.Samples = inMillis(e.Samples)
		return e
	}
	return event
}

// inMillis returns samples with times cut to the millisecond. Without the
// lines only the sample holds the time, and the rest of a kubelet's
// nanoseconds is noise that does not compress.
func inMillis(samples []train.Sample) []train.Sample {
	samples = slices.Clone(samples)
	for i := range samples {
		samples[i].Time = samples[i].Time.Truncate(time.Millisecond)
	}
	return samples
}

// add writes an event into its chunk.
func (w *Writer) add(event store.Event) {
	if w.broken != nil {
		w.broken.events++
		return
	}
	l := w.events
	switch event.(type) {
	case store.Measured, store.Backfilled, store.Used:
		l = w.measures
	}
	w.addTo(l, event)
}

func (w *Writer) addTo(l *chunkWriter, event store.Event) {
	l.begin(w.nextChunk, w.last)
	for _, part := range split(event) {
		if err := l.add(w.last, part); err != nil && w.odd == nil {
			w.odd = err
		}
		if m, is := part.(store.Measured); is {
			l.head.count += uint32(len(m.Readings))
		}
		if len(l.raw) >= w.piece {
			w.flush(l)
		}
	}
	w.pending[l]++
	if l != w.snapshot && l.due(w.last) {
		w.flush(l)
		l.end()
	}
}

func (w *Writer) addMark(m *Mark) {
	if w.broken != nil {
		return
	}
	w.marks.begin(w.nextChunk, w.last)
	w.marks.encoder.out = w.marks.encoder.out[:0]
	w.marks.encoder.timelineMark(m)
	w.marks.record(w.last, recordMark)
	w.pending[w.marks]++
	if w.marks.due(w.last) {
		w.flush(w.marks)
		w.marks.end()
	}
}

func (w *Writer) nextChunk() uint32 { w.chunks++; return w.chunks }

func (w *Writer) flushAll() {
	for _, l := range []*chunkWriter{w.events, w.measures, w.marks} {
		if w.flush(l); l.due(w.last) {
			l.end()
		}
	}
}

// flush queues the piece that a chunk writer holds.
func (w *Writer) flush(l *chunkWriter) {
	b, p := l.flush()
	if b == nil {
		return
	}
	if l == w.snapshot {
		w.since.snapshotRaw += int64(p.raw)
		w.since.snapshotSize += int64(len(b))
	} else {
		w.since.raw += int64(p.raw)
		w.since.packed += int64(len(b))
	}
	events := w.pending[l]
	w.pending[l] = 0
	w.send(item{bytes: b, piece: p, events: events})
}

// send queues an item. If the queue is full, the disk is too slow and
// recording breaks off.
func (w *Writer) send(i item) bool {
	if err := w.out.failed(); err != nil {
		w.breakOff(i, err.Error())
		return false
	}
	if w.out.waiting.Add(int64(len(i.bytes))); w.patient {
		w.items <- i
		return true
	}
	if w.out.waiting.Load() <= maxWaiting {
		select {
		case w.items <- i:
			return true
		default:
		}
	}
	w.out.waiting.Add(-int64(len(i.bytes)))
	w.breakOff(i, fmt.Sprintf("writing %s: the disk is slower than what comes", w.out.path))
	return false
}

// breakOff ends all chunks, since nothing after a lost piece of a chunk can be
// read.
func (w *Writer) breakOff(i item, why string) {
	if w.broken == nil {
		w.broken = &brokenOff{from: i.piece.from, why: why}
		w.o.Trouble(why)
	}
	w.broken.events += i.events
	for _, l := range []*chunkWriter{w.events, w.measures, w.marks, w.snapshot} {
		w.broken.events += w.pending[l]
		w.pending[l] = 0
		l.end()
	}
}

// mend continues once the disk accepts writes again: it notes the gap and
// takes a snapshot after it.
func (w *Writer) mend() {
	w.reportOutput()
	if w.broken == nil {
		if err := w.out.failed(); err != nil {
			w.breakOff(item{piece: piece{from: w.last}}, err.Error())
		}
		return
	}
	if len(w.items) > 0 {
		return
	}
	if w.out.failed() != nil {
		b, p := jsonPiece(kindNote, w.last, Note{})
		w.out.waiting.Add(int64(len(b)))
		w.items <- item{bytes: b, piece: p, probe: true}
		return
	}
	gap := *w.broken
	if l := w.out.takeLost(); l.from > 0 {
		gap.from, gap.events = min(gap.from, l.from), gap.events+l.events
	}
	w.broken = nil
	if w.note(Note{Gap: &Gap{From: instant(gap.from).UTC(), To: instant(w.last).UTC(), Events: gap.events, Why: gap.why}}) {
		w.takeSnapshot()
	}
	if w.broken == nil {
		w.o.Trouble("")
		return
	}
	w.broken.from, w.broken.events = gap.from, w.broken.events+gap.events
}

func (w *Writer) note(n Note) bool {
	b, p := jsonPiece(kindNote, w.last, n)
	return w.send(item{bytes: b, piece: p})
}

func (w *Writer) counts() map[string]int {
	if w.o.Redact == nil {
		return nil
	}
	return maps.Clone(w.o.Redact.Counts())
}
