package recording

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"
)

// File is a recording open for reading. Load and Next must be called from one
// goroutine at a time; the other methods from any.
type File struct {
	in     io.ReaderAt
	closer io.Closer
	size   int64
	begin  int64 // offset of the first piece
	pieces []piece
	// written are all pieces, also those that are not read.
	written []piece
	chunks  map[kind][]chunk
	// runs are the starts of recorders, in file order.
	runs []run
	// interruptions are the positions at which recording restarted.
	interruptions []interruption
	// doubts are the offsets after which earlier state may be wrong, until the
	// next snapshot restores it.
	doubts []int64
	// resyncs are those snapshots.
	resyncs []chunk
	// cut is true if the end of the file is incomplete.
	cut  bool
	info Info

	mu     sync.Mutex
	damage []Loss // damage found while reading, beyond info.Damage

	play playing
	// objects caches the parsed objects of the newest loaded snapshot. It is
	// filled from the second load on, since a command loads only one.
	objects *objectsRead
	loaded  bool
	// shift was added to every time of the file.
	shift time.Duration
}

// Info describes a recording without reading all of it.
type Info struct {
	Version int
	About   About
	// From and To are the first and the last recorded instant.
	From, To time.Time
	Bytes    int64
	// Gaps are time spans with missing events, ordered by time.
	Gaps []Gap
	// Turns are the instants at which the recorder's clock went back;
	// everything recorded before a turn is shown that much earlier.
	Turns []Turn
	// Redacted counts redacted secrets by kind.
	Redacted map[string]int
	// Trimmed counts the bytes dropped from the beginning to stay within the
	// limits.
	Trimmed int64
	// Closed is false if the recording is still growing or its recorder was
	// killed; Growing is true if a recorder is known to be writing it.
	Closed, Growing bool
	// Damage lists the parts that cannot be read.
	Damage []Loss
}

// chunk is a run of pieces that are read together, starting with the first.
type chunk struct {
	kind     kind
	pieces   []piece
	from, to int64
}

// Open opens a recording. If the file is cut or damaged, it opens the intact
// parts; Info lists the others.
func Open(path string) (*File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("opening the recording %s: %w", path, bare(err))
	}
	info, err := file.Stat()
	if err == nil {
		var f *File
		if f, err = openAs(file, info.Size(), isLocked(path)); err == nil {
			f.closer = file
			return f, nil
		}
	}
	_ = file.Close() // read only
	return nil, fmt.Errorf("opening the recording %s: %w", path, bare(err))
}

// Read opens a recording that is not a file, for example one in memory.
func Read(in io.ReaderAt, size int64) (*File, error) { return open(in, size) }

// Close closes the file.
func (f *File) Close() error {
	f.play.close()
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}

func open(in io.ReaderAt, size int64) (*File, error) { return openAs(in, size, false) }

// openAs opens a recording; growing means that a recorder is writing it.
func openAs(in io.ReaderAt, size int64, growing bool) (*File, error) {
	head := make([]byte, min(size, 64))
	if _, err := io.ReadFull(io.NewSectionReader(in, 0, size), head); err != nil {
		return nil, fmt.Errorf("reading its beginning: %w", bare(err))
	}
	begin, err := checkMagic(head)
	if err != nil {
		return nil, err
	}
	f := &File{in: in, size: size, begin: int64(begin), info: Info{Version: Version, Bytes: size, Growing: growing}}
	var holes []hole
	if !f.readIndex() {
		f.pieces, holes = scan(in, f.begin, size)
		if n := len(holes); growing && n > 0 && holes[n-1].tail {
			holes = holes[:n-1] // the piece being written
		}
	}
	f.sift()
	f.readNotes()
	f.holeLosses(holes)
	f.group()
	f.span()
	f.endLoss()
	f.findResyncs()
	return f, nil
}

// readIndex reads the list of pieces from the index at the end; it returns
// false if there is no usable index.
func (f *File) readIndex() bool {
	if f.size < f.begin+footerSize {
		return false
	}
	foot := make([]byte, footerSize)
	if _, err := f.in.ReadAt(foot, f.size-footerSize); err != nil {
		return false
	}
	at, whole := readFooter(foot)
	if !whole || at < f.begin || at > f.size-footerSize-pieceHead {
		return false
	}
	head := make([]byte, pieceHead)
	if _, err := f.in.ReadAt(head, at); err != nil {
		return false
	}
	p, whole := readPiece(head)
	if p.offset = at; !whole || p.kind != kindIndex || p.end() > f.size {
		return false
	}
	packed, err := f.content(&p)
	if err != nil {
		return false
	}
	pieces, err := unpackIndex(packed)
	if err != nil || len(pieces) > 0 && (pieces[0].offset < f.begin || pieces[len(pieces)-1].end() > at) {
		return false
	}
	f.pieces = pieces
	return true
}

// content reads the body of a piece and checks head and body.
func (f *File) content(p *piece) ([]byte, error) {
	if p.end() > f.size {
		return nil, fmt.Errorf("a piece at byte %d ends behind the file", p.offset)
	}
	whole := make([]byte, pieceHead+int(p.size)) // at most the size of the file
	_, err := f.in.ReadAt(whole, p.offset)
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("reading at byte %d: the file was cut since it was opened, or is being replaced", p.offset)
	}
	if err != nil {
		return nil, fmt.Errorf("reading at byte %d: %w", p.offset, bare(err))
	}
	found, is := readPiece(whole)
	content := whole[pieceHead:]
	if !is || found.kind != p.kind || found.chunk != p.chunk || found.part != p.part || found.size != p.size || found.raw != p.raw || checksum(content) != found.sum {
		return nil, fmt.Errorf("the piece at byte %d is damaged", p.offset)
	}
	return content, nil
}

// group sorts pieces into chunks. A piece cannot be read if an earlier one of
// its chunk is missing.
func (f *File) group() {
	f.chunks = map[kind][]chunk{}
	open := map[kind]*chunk{}
	for _, p := range f.pieces {
		switch p.kind {
		case kindHead, kindNote, kindIndex:
			continue
		}
		c := open[p.kind]
		switch {
		case p.part == 0:
			f.chunks[p.kind] = append(f.chunks[p.kind], chunk{kind: p.kind, pieces: []piece{p}, from: p.from, to: p.to})
			open[p.kind] = &f.chunks[p.kind][len(f.chunks[p.kind])-1]
		case c != nil && c.pieces[0].chunk == p.chunk && int(p.part) == len(c.pieces):
			c.pieces, c.to = append(c.pieces, p), max(c.to, p.to)
		default:
			f.orphan(&p)
		}
	}
}

func (f *File) span() {
	var from, to int64
	for i := range f.pieces {
		p := &f.pieces[i]
		if p.kind == kindHead && i == 0 && len(f.pieces) > 1 {
			continue // in a trimmed file the head is older than the rest
		}
		if from == 0 || p.from < from {
			from = p.from
		}
		to = max(to, p.to)
	}
	f.info.From, f.info.To = instant(from), instant(to)
}

// Info returns the description of the file, with all damage found so far.
func (f *File) Info() Info {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := f.info
	i.Damage = slices.Clone(i.Damage)
	for _, l := range f.damage {
		i.Damage = addLoss(i.Damage, l)
	}
	return i
}

// From returns the first instant of the recording.
func (f *File) From() time.Time { return f.info.From }

// To returns the last instant of the recording.
func (f *File) To() time.Time { return f.info.To }

// damaged notes a loss found while reading.
func (f *File) damaged(l Loss) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.damage = addLoss(f.damage, l)
}

// Marks returns what happened, ordered by time: changes of jobs, restarts,
// nodes and sources, and the gaps of the recording itself.
func (f *File) Marks(ctx context.Context) ([]Mark, error) {
	c := f.cursor(f.chunks[kindMarks])
	defer c.close()
	var marks []Mark
	for r := c.take(); r != nil && ctx.Err() == nil; r = c.take() {
		if r.mark != nil {
			marks = append(marks, *r.mark)
		}
	}
	for _, gap := range f.info.Gaps {
		marks = append(marks, Mark{At: gap.From, Until: gap.To, Kind: MarkRecorder, Text: gap.String(), Trouble: true})
	}
	for _, l := range f.Info().Damage {
		if !l.From.IsZero() {
			marks = append(marks, Mark{At: l.From, Until: l.To, Kind: MarkRecorder, Text: l.String(), Trouble: true})
		}
	}
	for _, turn := range f.info.Turns {
		marks = append(marks, Mark{At: turn.At, Kind: MarkRecorder, Text: turn.String(), Trouble: true})
	}
	slices.SortStableFunc(marks, func(a, b Mark) int { return cmp.Or(a.At.Compare(b.At)) })
	return marks, ctx.Err()
}
