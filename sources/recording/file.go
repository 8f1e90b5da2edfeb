package recording

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"
)

// File is a recording that is read. Load and Next belong to one goroutine at
// a time; the other methods may be called from any.
type File struct {
	in     io.ReaderAt
	closer io.Closer
	size   int64
	begin  int64 // where the first piece stands
	pieces []piece
	chunks map[kind][]chunk
	// runs are where a recorder began, in the order of the file.
	runs []run
	// interruptions are where recording began again.
	interruptions []interruption
	// doubts are the places behind which what was known before may be wrong,
	// until a snapshot says it anew.
	doubts []int64
	// resyncs are those snapshots.
	resyncs []chunk
	// cut is true where the end of the file is not whole.
	cut  bool
	info Info

	mu     sync.Mutex
	damage []Loss // what reading found beyond info.Damage

	play playing
	// objects are those of the snapshot that was loaded last, kept from the
	// second one on: a command loads one.
	objects *objectsRead
	loaded  bool
	// shift is what was added to every time of the file.
	shift time.Duration
}

// Info is what is known of a recording without reading all of it.
type Info struct {
	Version int
	About   About
	// From and To are the first and the last instant that it tells of.
	From, To time.Time
	Bytes    int64
	// Gaps are spans of which something is missing, in order of time.
	Gaps []Gap
	// Turns are where the clock of the recorder went back; what was recorded
	// before is shown that much earlier.
	Turns []Turn
	// Redacted counts what was taken out, by sort.
	Redacted map[string]int
	// Trimmed is how many bytes were dropped at the beginning to stay within
	// limits.
	Trimmed int64
	// Closed is false for a recording that goes on or was ended by force, and
	// Growing true for one that a recorder is known to write now.
	Closed, Growing bool
	// Damage is what cannot be read.
	Damage []Loss
}

// chunk is a run of pieces that are read together, from its first.
type chunk struct {
	kind     kind
	pieces   []piece
	from, to int64
}

// Open opens a recording. A file that is cut or damaged opens with what is
// whole of it; Info says what is not.
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

// Read opens a recording that something else holds, the memory say.
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

// openAs opens a file; growing says that a recorder writes it now.
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
			holes = holes[:n-1] // the piece that is being written
		}
	}
	f.readNotes()
	f.holeLosses(holes)
	f.group()
	f.span()
	f.endLoss()
	f.findResyncs()
	return f, nil
}

// readIndex takes the pieces from the index at the end; false when there is
// none that can be used.
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

// content reads what follows the head of a piece, and checks both.
func (f *File) content(p *piece) ([]byte, error) {
	if p.end() > f.size {
		return nil, fmt.Errorf("a piece at byte %d ends behind the file", p.offset)
	}
	whole := make([]byte, pieceHead+int(p.size)) // no more than the file has
	if _, err := f.in.ReadAt(whole, p.offset); err != nil {
		return nil, fmt.Errorf("reading at byte %d: %w", p.offset, bare(err))
	}
	found, is := readPiece(whole)
	content := whole[pieceHead:]
	if !is || found.kind != p.kind || found.chunk != p.chunk || found.part != p.part || found.size != p.size || found.raw != p.raw || checksum(content) != found.sum {
		return nil, fmt.Errorf("the piece at byte %d is damaged", p.offset)
	}
	return content, nil
}

// group sorts pieces into chunks. A piece whose chunk lacks one before it
// cannot be read.
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
			continue // of a trimmed file it is older than the rest
		}
		if from == 0 || p.from < from {
			from = p.from
		}
		to = max(to, p.to)
	}
	f.info.From, f.info.To = instant(from), instant(to)
}

// Info is what is known of the file, with the damage that reading has met so far.
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

// From is the first instant of the recording.
func (f *File) From() time.Time { return f.info.From }

// To is the last instant of the recording.
func (f *File) To() time.Time { return f.info.To }

// damaged notes what reading found.
func (f *File) damaged(l Loss) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.damage = addLoss(f.damage, l)
}

// Marks are what happened, in order of time: phases of jobs, restarts, nodes
// and sources; and gaps of the recording itself.
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
