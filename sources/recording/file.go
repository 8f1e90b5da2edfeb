package recording

import (
	"cmp"
	"context"
	"encoding/json"
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
	// runs are where a writer began, in the order of the file.
	runs []piece
	// gaps are where the writer noted that something is missing before.
	gaps []piece
	info Info

	mu     sync.Mutex
	damage []string // what reading found beyond info.Damage

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
	// Redacted counts what was taken out, by sort.
	Redacted map[string]int
	// Trimmed is how many bytes were dropped at the beginning to stay within
	// limits.
	Trimmed int64
	// Closed is false for a recording that goes on or was ended by force.
	Closed bool
	// Damage says what cannot be read, each in a sentence.
	Damage []string
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
		if f, err = open(file, info.Size()); err == nil {
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

func open(in io.ReaderAt, size int64) (*File, error) {
	head := make([]byte, min(size, 64))
	if _, err := io.ReadFull(io.NewSectionReader(in, 0, size), head); err != nil {
		return nil, fmt.Errorf("reading its beginning: %w", bare(err))
	}
	begin, err := checkMagic(head)
	if err != nil {
		return nil, err
	}
	f := &File{in: in, size: size, begin: int64(begin), info: Info{Version: Version, Bytes: size}}
	if !f.readIndex() {
		pieces, skipped, cut := scan(in, f.begin, size)
		f.pieces = pieces
		if skipped > 0 {
			f.info.Damage = append(f.info.Damage, fmt.Sprintf("%d bytes in it are damaged and were passed over", skipped))
		}
		if cut > 0 {
			f.info.Damage = append(f.info.Damage, fmt.Sprintf("its last %d bytes are not whole: it was cut, or is being written", cut))
		}
	}
	f.group()
	f.readNotes()
	f.span()
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
	lost := 0
	for _, p := range f.pieces {
		switch p.kind {
		case kindHead:
			f.runs = append(f.runs, p)
			continue
		case kindNote, kindIndex:
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
			lost++
		}
	}
	if lost > 0 {
		f.info.Damage = append(f.info.Damage, fmt.Sprintf("%d pieces cannot be read, since one before them is missing", lost))
	}
}

// readNotes reads what the writer said about the file.
func (f *File) readNotes() {
	for i := range f.pieces {
		p := &f.pieces[i]
		if p.kind != kindNote && (p.kind != kindHead || p.offset != f.runs[0].offset) {
			continue
		}
		text, err := f.content(p)
		if err != nil {
			f.info.Damage = append(f.info.Damage, err.Error())
			continue
		}
		if p.kind == kindHead {
			_ = json.Unmarshal(text, &f.info.About) // what is not there stays empty
			continue
		}
		var n Note
		if json.Unmarshal(text, &n) == nil {
			f.info.note(&n)
			if n.Gap != nil {
				f.gaps = append(f.gaps, *p)
			}
		}
	}
	if n := len(f.runs); n > 0 && f.pieces[len(f.pieces)-1].kind == kindHead {
		f.info.Closed = false
	}
}

func (i *Info) note(n *Note) {
	if n.Gap != nil {
		i.Gaps = append(i.Gaps, *n.Gap)
	}
	if n.Redacted != nil {
		i.Redacted = n.Redacted
	}
	i.Trimmed = max(i.Trimmed, n.Trimmed)
	i.Closed = n.Closed
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
	i.Damage = slices.Concat(i.Damage, f.damage)
	return i
}

// From is the first instant of the recording.
func (f *File) From() time.Time { return f.info.From }

// To is the last instant of the recording.
func (f *File) To() time.Time { return f.info.To }

const maxDamage = 32 // sentences that are kept

func (f *File) damaged(text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.damage) < maxDamage && !slices.Contains(f.damage, text) {
		f.damage = append(f.damage, text)
	}
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
		marks = append(marks, Mark{At: gap.From, Kind: MarkRecorder, Text: fmt.Sprintf("%d events were not recorded until %s: %s", gap.Events, gap.To.UTC().Format(time.TimeOnly), gap.Why), Trouble: true})
	}
	for i := 1; i < len(f.runs); i++ {
		marks = append(marks, Mark{At: instant(f.runs[i].from), Kind: MarkRecorder, Text: "the recording was continued by another run"})
	}
	slices.SortStableFunc(marks, func(a, b Mark) int { return cmp.Or(a.At.Compare(b.At)) })
	return marks, ctx.Err()
}
