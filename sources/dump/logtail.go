package dump

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/text/encoding/unicode"

	"github.com/traintop/traintop/sources/dump/exported"
	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// tail reads one log file, and follows it. It belongs to one goroutine at a
// time. It keeps no file open between two polls.
type tail struct {
	reader *logReader
	path   string
	// arg is the argument under which the file was found.
	arg string
	// given is the rank from the argument, -1 for none; refused is true once it
	// was reported that no job has it.
	given   int
	refused bool
	// unclear is true once it was reported that its name is that of several pods.
	unclear bool
	rank    logRank
	id      train.StreamID
	within  within
	// in is a stream that cannot be opened again; nil for a file.
	in *opened

	// earlier are the rotated parts of the log before this file, the oldest
	// first.
	earlier []string

	lines feeder
	fed   []fedLog // the logs that it feeds
	// lacking counts the notices of missing lines that were reported.
	lacking int
	offset  int64
	// start has the first bytes of the file, end the bytes before the offset
	// and info its earlier state, to detect that it was replaced.
	start  []byte
	end    []byte
	info   fs.FileInfo
	packed bool
	// lacks is what an answer of a log store states about records that it does not have.
	lacks string
	// unread names what is no text within the file.
	unread string
	// order is the byte order of a UTF-16 text, nil otherwise; mark is how
	// many bytes before the text were removed.
	order *unicode.Endianness
	mark  int64
	// calm counts the polls that found the file unchanged.
	calm int
	// movedLooks counts the polls of the file under its new name; past are the
	// files that had this name before.
	movedLooks     int
	past           []fs.FileInfo
	packedReported bool         // that the compressed file changed was reported
	stored         countedBytes // of the file, which may be compressed
	state          train.StreamState
	err            error
	// broke is the last line of the file if it reports why its reading broke off.
	broke              string
	unprefixedReported bool // that lines are in no log was reported
	// listed is the size of the file in bytes when it was found, and shrank reports
	// that it became shorter since, "" if it did not.
	listed int64
	shrank string
	file   io.Reader // open while it is read
}

// countedBytes counts the bytes read.
type countedBytes struct {
	io.Reader
	read int64
}

// Read implements io.Reader.
func (c *countedBytes) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.read += int64(n)
	return n, err
}

// feeder receives the bytes of a file.
type feeder interface {
	io.Writer
	End()
	Lines() int64
}

// fedLog is a log that the sink knows.
type fedLog struct {
	id train.StreamID
	logRank
	feed *logfeed.Feed // nil before it is read
}

// lacking describes the lines that are missing within the log, as its keeper reports.
func (l *fedLog) lacking() (line int64, text string) {
	if l.feed == nil {
		return 0, ""
	}
	m := l.feed.Missing()
	if m.Count == 0 {
		return 0, ""
	}
	text = fmt.Sprintf("lines are missing in it: line %d says %q", m.Line, plain(m.Text))
	if m.Count > 1 {
		text += fmt.Sprintf(", and so do %d before it", m.Count-1)
	}
	return m.Line, text
}

// startSize is how much of a file's beginning is remembered, and of the bytes
// read last.
const startSize = 256

// change reports a new state of all logs of the file.
func (t *tail) change(state train.StreamState, text string) {
	lacking := 0
	for _, log := range t.fed {
		if log.feed != nil {
			lacking += log.feed.Missing().Count
		}
	}
	if t.state == state && state != train.StreamFailed && lacking == t.lacking {
		return
	}
	t.lacking = lacking
	if t.fed == nil && t.lines == nil {
		t.fed = []fedLog{{id: t.id, logRank: t.rank}} // empty or unreadable: no sign of several logs
	}
	t.state = state
	t.report(train.StreamStatus{State: state, Text: text, Since: t.reader.now()}, false)
}

func (t *tail) report(status train.StreamStatus, restart bool) {
	for i := range t.fed {
		log, own := &t.fed[i], status
		if line, text := log.lacking(); line > 0 {
			own.LacksAt, own.Text = line, strings.TrimPrefix(status.Text+"; "+text, "; ")
		}
		t.reader.sink.Apply(store.StreamChanged{Stream: log.id, Status: own, Restart: restart, Rank: log.rank, Job: log.job})
	}
}

// begin creates the feeder for a file, according to its beginning.
func (t *tail) begin(head []byte) {
	p := prefixingOf(head, t.reader.pods)
	t.forget(p != oneLog)
	if p == oneLog {
		feed := t.reader.newFeed(t.id)
		t.fed, t.lines = []fedLog{{t.id, t.rank, feed}}, feed
		return
	}
	t.lines = &splitter{prefixing: p, feeds: map[source]*logfeed.Feed{}, open: t.openSource}
}

// forget removes the file's own log if the file turns out to have several, and
// these if it no longer has them.
func (t *tail) forget(several bool) {
	for _, log := range t.fed {
		if (log.id == t.id) == several {
			t.reader.sink.Apply(store.StreamChanged{Stream: log.id})
		}
	}
	t.fed = slices.DeleteFunc(t.fed, func(log fedLog) bool { return (log.id == t.id) == several })
}

// openSource starts one of the logs in a file. The ranks of earlier ones may
// change: workers are numbered after masters found later.
func (t *tail) openSource(from source) *logfeed.Feed {
	id := streamFrom(t.path, from, t.reader.pods)
	switch s, _ := t.lines.(*splitter); {
	case from == noPod:
		id = t.id
	case s != nil && s.prefixing == ofDescriptions: // what kubectl prints about a pod is no log of it
		id = train.StreamID{File: t.path + "/" + from.pod}
	}
	feed := t.reader.newFeed(id)
	if at := slices.IndexFunc(t.fed, func(log fedLog) bool { return log.id == id }); at >= 0 {
		t.fed[at].feed = feed
		return feed // the file was truncated, and the log occurs again
	}
	ids := make([]train.StreamID, 0, len(t.fed)+1)
	for _, log := range t.fed {
		ids = append(ids, log.id)
	}
	for i, found := range ranksOfLogs(append(ids, id)) {
		if i == len(t.fed) {
			t.fed = append(t.fed, fedLog{id, found, feed})
		} else if t.fed[i].logRank == found {
			continue
		}
		log := &t.fed[i]
		log.logRank = found
		status := train.StreamStatus{State: train.StreamLive, Since: t.reader.now()}
		t.reader.sink.Apply(store.StreamChanged{Stream: log.id, Status: status, Rank: found.rank, Job: found.job})
	}
	return feed
}

// all reads the file from its offset to its end.
func (t *tail) all(ctx context.Context) {
	if t.err = t.readEarlier(ctx); t.err == nil {
		t.err = t.read(ctx)
	}
	switch {
	case ctx.Err() != nil:
	case t.err != nil && errors.Is(t.err, fs.ErrNotExist):
		t.change(train.StreamGone, "the file was deleted; it is read again when it comes back")
	case t.err != nil:
		t.change(train.StreamFailed, plain(explainOpen(t.err).Error()))
	case t.grows():
		t.caughtUp()
		t.reportUnprefixed()
		t.change(train.StreamLive, "")
	default:
		if t.lines != nil {
			t.lines.End()
			t.reportUnprefixed()
		}
		if t.shrank != "" {
			t.change(train.StreamFailed, t.shrank)
			return
		}
		if t.broke != "" {
			t.change(train.StreamFailed, "whoever wrote this file could not read all of it ("+t.broke+")")
			return
		}
		if t.lacks != "" {
			t.change(train.StreamFailed, "the answer of the log store is not whole: "+plain(t.lacks))
			return
		}
		if t.unread != "" {
			t.change(train.StreamFailed, t.unread)
			return
		}
		t.change(train.StreamEnded, "")
	}
}

// reportUnprefixed reports once which lines of a file of several logs are in none.
func (t *tail) reportUnprefixed() {
	s, several := t.lines.(*splitter)
	if !several || t.unprefixedReported || t.broke != "" {
		return
	}
	if note := s.unprefixedNote(); note != "" {
		t.unprefixedReported = true
		t.reader.leftOut(Problem{File: t.path, Text: note})
	}
}

// caughtUp notes that further lines are read as they are printed.
func (t *tail) caughtUp() {
	if feed, isOne := t.lines.(*logfeed.Feed); isOne && t.reader.follow {
		feed.Arrive(t.reader.now)
	}
}

// grows reports whether the file may still grow.
func (t *tail) grows() bool { return t.reader.follow && t.in == nil && !t.packed }

// read passes everything after the offset to the feeder.
func (t *tail) read(ctx context.Context) error { return t.readAs(ctx, t.path) }

func (t *tail) readAs(ctx context.Context, name string) error {
	text, done, err := t.open(ctx, name)
	if err != nil {
		return err
	}
	defer done()
	defer t.measure(name)
	head, err := text.Peek(1)
	if len(head) == 0 {
		if errors.Is(err, io.EOF) {
			return nil
		}
		return err
	}
	if t.lines == nil {
		if why := cmp.Or(insteadOfLog(wholeAnswer(text)), t.answerInstead(text)); why != "" {
			return errors.New(why)
		}
		t.begin(firstBytes(text))
		t.change(train.StreamLive, "")
		if text, err = t.inOrderOfTime(text); err != nil {
			return fmt.Errorf("reading stopped before the end: %w", err)
		}
	}
	if t.reader.follow || t.in != nil { // offsets are those of the file, and nothing waits
		return t.copy(ctx, text)
	}
	mixed := &mixedText{text: text}
	err = t.copy(ctx, mixed)
	t.unread = mixed.unread()
	return err
}

// inOrderOfTime turns a file around whose newest line comes first, and reports it.
// One that may grow is read as it is written.
func (t *tail) inOrderOfTime(text *bufio.Reader) (*bufio.Reader, error) {
	if t.reader.follow || t.in != nil {
		return text, nil
	}
	head, _ := text.Peek(sniffSize) // a short text is no error
	if !exported.NewestFirst(head) {
		return text, nil
	}
	turned, all, err := exported.OldestFirst(text)
	if err != nil {
		return nil, err
	}
	note := "its newest line stands first; it is read from its last line to its first, and lines are counted in that order"
	if !all {
		note = fmt.Sprintf("its newest line stands first, and it is longer than %d MiB, so it is read as it stands: turn it around (tac FILE)", exported.MaxReversed>>20)
	}
	t.reader.leftOut(Problem{File: t.path, Text: note})
	return turned, nil
}

// present is a file up to its present end, where it is not followed: one that is
// written faster than it is read would have no other.
func (t *tail) present(ctx context.Context, file io.Reader) io.Reader {
	if t.reader.follow || t.info == nil {
		return file
	}
	if t.info.Size() == 0 { // of /proc the size is 0
		return untilSilent(ctx, file, t.path, t.reader.silence, t.reader.leftOut)
	}
	return io.LimitReader(file, t.info.Size())
}

// open opens the file at the offset.
func (t *tail) open(ctx context.Context, name string) (text *bufio.Reader, done func(), err error) {
	if t.in != nil {
		return t.in.text, func() {}, nil
	}
	if err := t.checkLinks(name); err != nil {
		return nil, nil, err
	}
	file, err := t.reader.disk.Open(name)
	if err != nil {
		return nil, nil, err
	}
	t.file = file
	done = func() { _ = file.Close() } // read only, so this error loses nothing
	if stater, ok := file.(interface{ Stat() (fs.FileInfo, error) }); ok {
		t.info, _ = stater.Stat()
	}
	if t.offset == 0 {
		t.stored.Reader = t.present(ctx, file)
		o, err := unpack(&t.stored)
		if err != nil {
			done()
			return nil, nil, err
		}
		t.packed, t.offset, t.mark, t.lacks = o.packed, o.mark, o.mark, o.lacks
		if o.order == nil || !t.reader.follow {
			return o.text, done, nil
		}
		t.packed, t.order = false, o.order // it may grow
	}
	seeker, ok := file.(io.Seeker)
	if !ok {
		done()
		return nil, nil, errors.New("cannot be read on from the middle")
	}
	if _, err := seeker.Seek(t.offset, io.SeekStart); err != nil {
		done()
		return nil, nil, err
	}
	if t.order != nil {
		characters := &wholeUnits{in: file, order: *t.order, read: t.took}
		return bufio.NewReaderSize(inOrder(characters, *t.order), sniffSize), done, nil
	}
	return bufio.NewReaderSize(file, sniffSize), done, nil
}

// took records the bytes read.
func (t *tail) took(p []byte) {
	t.remember(p)
	t.offset += int64(len(p))
}

// firstBytes returns the bytes that decide the type of a file: all that is
// available without waiting.
func firstBytes(text *bufio.Reader) []byte {
	head, _ := text.Peek(text.Buffered()) // buffered bytes are available
	return head
}

const copySize = 128 << 10

// waited is the least duration of a read that had to wait: by then everything
// that a stream had buffered has been read.
const waited = 300 * time.Millisecond

func (t *tail) copy(ctx context.Context, text io.Reader) error {
	buf := t.reader.buffers.Get().(*[]byte)
	defer t.reader.buffers.Put(buf)
	var end heldEnd
	for {
		if ctx.Err() != nil {
			return errors.New("more was there when reading was ended")
		}
		asked := t.reader.now()
		n, err := text.Read(*buf)
		if t.reader.now().Sub(asked) > waited {
			t.caughtUp()
		}
		if t.order == nil {
			t.took((*buf)[:n])
		}
		t.write(&end, (*buf)[:n])
		t.reader.progress(t, n)
		if errors.Is(err, io.EOF) {
			t.writeEnd(&end)
			return nil
		}
		if err != nil && n == 0 && t.reader.follow && ctx.Err() != nil {
			return nil // an end that was asked for, while the stream had nothing more
		}
		if err != nil {
			t.writeEnd(&end) // what came is whole
			return fmt.Errorf("reading stopped before the end: %w", err)
		}
	}
}

// write passes a part of the file on; of one that does not grow its end is held
// back. A feeder never fails.
func (t *tail) write(end *heldEnd, p []byte) {
	if t.reader.follow {
		_, _ = t.lines.Write(p)
		return
	}
	before, now := end.pass(p)
	for _, part := range [][]byte{before, now} {
		if len(part) > 0 {
			_, _ = t.lines.Write(part)
		}
	}
}

// writeEnd passes the end of a file on, without the line that reports why its
// reading broke off.
func (t *tail) writeEnd(end *heldEnd) {
	text, why := end.end(t.lines.Lines() == 0)
	t.broke = why
	if len(text) > 0 {
		_, _ = t.lines.Write(text)
	}
}

// look reads the bytes added to the file since the last poll, or all of it if
// it was replaced.
func (t *tail) look(ctx context.Context) {
	if t.in != nil {
		return
	}
	info, err := t.reader.disk.Stat(t.path)
	if t.packed {
		t.lookPacked(info)
		return
	}
	unchanged := err == nil && t.state == train.StreamLive && info.Size() == t.offset && t.untouched(info)
	switch {
	case err != nil:
		t.finishMoved(ctx)
		t.lost(err)
		return
	case unchanged && t.calm >= calmLooks:
		return
	case !t.same(info) && t.finishMoved(ctx):
		return // the next poll reads the new file
	case !t.same(info) || info.Size() < t.offset || !t.readsAlike():
		t.restart()
		t.earlier = nil // their names are others now
	case unchanged:
		t.calm++
		return
	}
	t.calm = 0
	t.all(ctx)
}

// calmLooks is after how many polls a file with the same size and modification
// time counts as unchanged: file systems keep that time in steps of up to two
// seconds, in which a file may be rewritten.
const calmLooks = 5

// lookPacked reports, once, that a compressed file has changed, which cannot
// be followed.
func (t *tail) lookPacked(info fs.FileInfo) {
	if info == nil || t.state != train.StreamEnded || t.packedReported || t.same(info) && info.Size() == t.info.Size() && t.untouched(info) {
		return
	}
	t.packedReported = true
	t.report(train.StreamStatus{State: t.state, Text: "the file has changed, but one that is compressed or quoted is not followed; read it again", Since: t.reader.now()}, false)
}

func (t *tail) lost(err error) {
	if errors.Is(err, fs.ErrNotExist) {
		t.change(train.StreamGone, "the file was deleted; it is read again when it comes back")
	} else if t.state != train.StreamFailed {
		t.change(train.StreamFailed, plain(explainOpen(err).Error()))
	}
}

// untouched reports whether the file was not written since it was opened.
func (t *tail) untouched(info fs.FileInfo) bool {
	return t.same(info) && (t.info == nil || info.ModTime().Equal(t.info.ModTime()))
}

func (t *tail) same(info fs.FileInfo) bool { return t.info == nil || os.SameFile(t.info, info) }

// remember keeps the first bytes of the file and the last bytes read.
func (t *tail) remember(text []byte) {
	if more := min(len(text), startSize-len(t.start)); more > 0 {
		t.start = append(t.start, text[:more]...)
	}
	t.end = append(t.end, text[max(0, len(text)-startSize):]...)
	t.end = append(t.end[:0], t.end[max(0, len(t.end)-startSize):]...)
}

// readsAlike reports whether the bytes read are still in the file: it may have
// been rewritten since the last poll, and be as large as before or larger.
func (t *tail) readsAlike() bool {
	file, err := t.reader.disk.Open(t.path)
	if err != nil {
		return true // reading it will report the error
	}
	defer file.Close()
	seekable, ok := file.(io.ReadSeeker)
	return !ok || holds(seekable, t.mark, t.start) && holds(seekable, t.offset-int64(len(t.end)), t.end)
}

// holds reports whether a file has a text at an offset, as far as it can be
// read.
func holds(file io.ReadSeeker, at int64, text []byte) bool {
	if _, err := file.Seek(at, io.SeekStart); err != nil {
		return true
	}
	now := make([]byte, len(text))
	n, _ := io.ReadFull(file, now) // a shorter file does not have it
	return bytes.Equal(now[:n], text)
}

// restart forgets the bytes read, since the file was truncated or replaced.
func (t *tail) restart() {
	t.forgetMoved()
	t.offset, t.start, t.end, t.info, t.lines = 0, nil, nil, nil, nil
	t.order, t.mark, t.lacking = nil, 0, 0
	for i := range t.fed {
		t.fed[i].feed = nil
	}
	t.state = train.StreamLive
	t.report(train.StreamStatus{State: t.state, Since: t.reader.now()}, true)
}
