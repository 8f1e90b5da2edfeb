package dump

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"golang.org/x/text/encoding/unicode"

	"github.com/traintop/traintop/sources/dump/exported"
	"github.com/traintop/traintop/sources/flightrecord"
)

// opened is a file's text, uncompressed and without a byte order mark, and its
// type according to its first bytes.
type opened struct {
	text      *bufio.Reader
	is        content
	foreign   string
	converted bool   // the text was made of a collector's document or a flight record
	lacks     string // what such a document states about records that it does not have
	packed    bool   // it was compressed, quoted, in UTF-16, or converted to text
	// mark is how many bytes before the text were removed: a byte order mark,
	// a hole.
	mark int64
	// order is the byte order of a UTF-16 text with no other encoding around
	// it, nil otherwise.
	order *unicode.Endianness
	// around reads the text without the text around its objects, nil if there
	// is none.
	around *unwrapped
	// beside leaves out lines of standard error, nil if a text has no objects.
	beside *withoutStderr
}

// unpack examines the start of a file and decompresses it if needed.
func unpack(in io.Reader) (opened, error) {
	return unpackBy(in, func(text *bufio.Reader) ([]byte, error) { return text.Peek(sniffSize) })
}

// LogText returns the text of a file as its lines are read and counted where it is a
// log: decompressed, in UTF-8, without a byte order mark. An error names what a file
// is that holds no text.
func LogText(file io.Reader) (io.Reader, error) {
	o, err := unpack(file)
	if err != nil {
		return nil, err
	}
	if o.is == isBinary || o.foreign == emptyFile {
		return nil, errors.New(o.foreign)
	}
	return o.text, nil
}

// unpackStream does the same for a stream whose next bytes may take long to
// come: it waits at most for the first significant line.
func unpackStream(in io.Reader) (opened, error) { return unpackBy(in, peekLine) }

// peekLine waits for a line that decides the type of a stream.
func peekLine(text *bufio.Reader) (head []byte, err error) {
	for want := 1; ; want = len(head) + 1 {
		if _, err = text.Peek(want); err != nil {
			return firstBytes(text), err
		}
		head = firstBytes(text)
		line := significant(head)
		ended := len(line) < len(bytes.TrimSpace(head)) || bytes.HasSuffix(head, []byte{'\n'}) || bytes.IndexByte(line, '\r') >= 0
		if len(line) > 2 && ended || len(head) >= sniffSize {
			return head, nil
		}
	}
}

func unpackBy(in io.Reader, peek func(*bufio.Reader) ([]byte, error)) (opened, error) {
	o := opened{}
	text := bufio.NewReaderSize(in, sniffSize)
	for range 2 { // a .gz of a .gz happens; more is no accident
		magic, _ := text.Peek(2)
		if !bytes.Equal(magic, gzipMagic) {
			break
		}
		inner, err := newGunzip(text)
		if err != nil {
			return opened{}, fmt.Errorf("starts like a gzip file but is none: %w", err)
		}
		text, o.packed = bufio.NewReaderSize(inner, sniffSize), true
	}
	if order, mark, is := orderOf(text); is {
		if !o.packed {
			o.order, o.mark = &order, int64(mark)
		}
		_, _ = text.Discard(mark) // it was examined before
		text, o.packed = bufio.NewReaderSize(inOrder(text, order), sniffSize), true
	}
	hole := skipHole(text, o.packed, mostHole)
	head, err := peek(text)
	if err != nil && !errors.Is(err, io.EOF) && len(head) == 0 {
		return opened{}, err
	}
	if quoted := unquote(head, text); quoted != nil {
		text, o.packed, o.order = bufio.NewReaderSize(quoted, sniffSize), true, nil
		head, _ = peek(text) // reading it will report the error
	}
	if w := wrappingOf(bytes.TrimPrefix(head, utf8BOM), errors.Is(err, io.EOF)); w != nil {
		if bytes.HasPrefix(head, utf8BOM) {
			_, _ = text.Discard(len(utf8BOM)) // it was examined before
		}
		o.beside = readWithoutStderr(text)
		o.around = w.reader(o.beside)
		text, o.packed = bufio.NewReaderSize(o.around, sniffSize), true
		head, _ = peek(text)
	}
	if o.text = text; hole > 0 {
		if o.mark = hole; len(head) == 0 {
			head = make([]byte, holeSize) // the whole text
		}
	}
	if lead := leadOf(head); lead > 0 && exported.MayBe(head[lead:]) {
		_, _ = o.text.Discard(lead) // it was examined before
		o.mark, head = o.mark+int64(lead), head[lead:]
	}
	switch o.is, o.foreign = detect(head); {
	case exported.MayBe(head) && o.is != isBinary && o.readExport():
		return o, nil
	case o.is == isFlight:
		return o.asLog(), nil
	case bytes.HasPrefix(head, utf8BOM):
		o.mark += int64(len(utf8BOM))
		_, err = text.Discard(len(utf8BOM))
	default:
		err = nil
	}
	o.leaveOutStderr(peek)
	return o, err
}

// leaveOutStderr reads objects without lines of standard error between them.
func (o *opened) leaveOutStderr(peek func(*bufio.Reader) ([]byte, error)) {
	if !o.holdsObjects() || o.beside != nil {
		return
	}
	o.beside = readWithoutStderr(o.text)
	o.text = bufio.NewReaderSize(o.beside, sniffSize)
	_, _ = peek(o.text) // reading it will report the error
}

// holeSize is the smallest hole: fewer NULs begin a file of another type.
const holeSize = 512

// mostHole is the largest hole that is skipped: a device such as /dev/zero has
// no end.
const mostHole = 8 << 30

// nothing is a part of a hole.
var nothing [sniffSize]byte

// skipHole skips at most so many NULs at the beginning of a file that was truncated while
// a program continued writing at its old offset.
func skipHole(text *bufio.Reader, packed bool, most int64) (size int64) {
	if head, _ := text.Peek(2); packed || len(bytes.Trim(head, "\x00")) > 0 {
		return 0 // a stream may take long to come
	}
	for _, part := range []int{sniffSize, holeSize} {
		for size < most {
			head, _ := text.Peek(part)
			if len(head) < part || !bytes.Equal(head, nothing[:part]) {
				break
			}
			n, _ := text.Discard(part) // it was examined before
			size += int64(n)
		}
	}
	if size == 0 {
		return 0
	}
	for next, _ := text.Peek(1); size < most && len(next) == 1 && next[0] == 0; next, _ = text.Peek(1) {
		_, _ = text.Discard(1)
		size++
	}
	return size
}

// readExport converts a log collector's document to log lines, and reports
// whether it is one.
func (o *opened) readExport() bool {
	lines, read, lacks := exported.Lines(o.text)
	if lines == nil {
		o.text = bufio.NewReaderSize(io.MultiReader(bytes.NewReader(read), o.text), sniffSize)
		_, _ = o.text.Peek(sniffSize) // a short text is no error
		return false
	}
	o.convert(lines)
	o.lacks = lacks
	return true
}

// convert replaces the text by lines of a log that were made of it.
func (o *opened) convert(lines []byte) {
	o.is, o.text, o.packed, o.converted = isLog, bufio.NewReaderSize(bytes.NewReader(lines), sniffSize), true, true
	_, _ = o.text.Peek(sniffSize) // firstBytes returns what is buffered
}

// asLog converts a flight record, which never grows, to log lines.
func (o opened) asLog() opened {
	lines, err := flightrecord.Text(o.text)
	if err != nil {
		o.is, o.foreign = isBinary, err.Error()
		return o
	}
	o.convert(lines)
	return o
}

// interruptible reads a stream that may be silent for a long time, standard
// input above all, and stops waiting when the context ends.
//
// A blocked read of a terminal or a pipe cannot be cancelled, so the reading
// goroutine outlives the context until its read returns; it touches nothing
// but its own buffer.
type interruptible struct {
	ctx    context.Context
	chunks <-chan chunk
	rest   []byte
	err    error
	// silence is how long it waits for more bytes, 0 for ever. Where none come, that is
	// the end, and is reported to ended; before the first byte it is an error.
	silence time.Duration
	ended   func()
	began   bool
}

type chunk struct {
	text []byte
	err  error
}

func newInterruptible(ctx context.Context, in io.Reader) *interruptible {
	chunks := make(chan chunk)
	go func() {
		defer close(chunks)
		for {
			buf := make([]byte, readSize)
			n, err := in.Read(buf)
			select {
			case chunks <- chunk{buf[:n], err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return &interruptible{ctx: ctx, chunks: chunks}
}

func (r *interruptible) Read(into []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.err != nil {
			return 0, r.err
		}
		select {
		case got := <-r.chunks:
			r.take(got)
		case <-r.ctx.Done():
			return 0, r.ctx.Err()
		}
	}
	n := copy(into, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (r *interruptible) take(got chunk) {
	r.rest, r.err = got.text, got.err
	r.began = r.began || len(r.rest) > 0
	if errors.Is(got.err, errSilent) {
		r.err = r.silent()
	}
}
