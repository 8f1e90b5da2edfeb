package recording

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
)

// media is the file that an output writes; tests replace it by one that fails.
type media interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	Sync() error
	Stat() (os.FileInfo, error)
	Close() error
}

// output is the file being written; it appends whole pieces or nothing. It
// belongs to one goroutine except for the fields that mu guards.
type output struct {
	path   string
	file   media
	size   int64
	pieces []piece
	// head is the newest encoded About, which is kept when the file is
	// trimmed.
	head    []byte
	trimmed int64
	limits  limits
	// relock locks the file that replaced the locked one; it is nil if nobody
	// else can know the file.
	relock func(path string) error

	waiting atomic.Int64 // bytes queued for writing

	mu     sync.Mutex
	err    error // why writing fails; nil while it works
	said   string
	lost   lost
	length int64 // copy of size for other goroutines
}

// limits bound the recording.
type limits struct {
	size int64 // bytes of the file; 0 is no limit
	keep int64 // microseconds; 0 is no limit
}

// lost counts what could not be written since writing last worked.
type lost struct {
	from   int64 // time of the first lost piece, 0 for none
	events int64
}

// item is a piece queued for writing.
type item struct {
	bytes  []byte
	piece  piece
	events int64
	probe  bool // written only to test whether writing works again
}

// take writes an item, unless writing failed before.
func (o *output) take(i item) {
	if o.failed() != nil && !i.probe {
		o.lose(i)
		return
	}
	err := o.keepPlace()
	if err == nil {
		err = o.write(i.bytes, i.piece)
	}
	o.mu.Lock()
	o.err, o.length = err, o.size
	o.mu.Unlock()
	if err != nil {
		o.lose(i)
		return
	}
	if err := o.keepWithin(); err != nil {
		o.mu.Lock()
		o.err = err
		o.mu.Unlock()
	}
}

func (o *output) lose(i item) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.lost.events += i.events; o.lost.from == 0 {
		o.lost.from = i.piece.from
	}
}

// failed returns why writing fails, or nil.
func (o *output) failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// written returns the size of the file.
func (o *output) written() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.length
}

// takeLost returns what was lost and resets the count.
func (o *output) takeLost() lost {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.lost
	o.lost = lost{}
	return l
}

// write appends a piece. After an error it truncates the file to its earlier
// end, if the disk allows that.
func (o *output) write(b []byte, p piece) error {
	if _, err := o.file.WriteAt(b, o.size); err != nil {
		_ = o.file.Truncate(o.size) // a reader skips half a piece
		return fmt.Errorf("writing %s: %w", o.path, bare(err))
	}
	p.offset = o.size
	o.size += int64(len(b))
	o.pieces = append(o.pieces, p)
	if p.kind == kindHead {
		o.head = b
	}
	if p.kind == kindSnapshot && p.part == 0 {
		return o.sync()
	}
	return nil
}

func (o *output) sync() error {
	if err := o.file.Sync(); err != nil {
		return fmt.Errorf("writing %s to the disk: %w", o.path, bare(err))
	}
	return nil
}

// bare removes the path from an error, if the caller's message contains it.
func bare(err error) error {
	if at := (*os.PathError)(nil); errors.As(err, &at) {
		return at.Err
	}
	return err
}

// close writes the index and closes the file.
func (o *output) close() error {
	if o.failed() == nil {
		err := o.keepPlace()
		at := o.size
		b, p := plainPiece(kindIndex, 0, packIndex(o.pieces))
		if err == nil {
			err = o.write(b, p)
		}
		if err == nil {
			_, err = o.file.WriteAt(appendFooter(nil, at), o.size)
		}
		if err == nil {
			err = o.sync()
		}
		o.mu.Lock()
		o.err = err
		o.mu.Unlock()
	}
	if err := o.file.Close(); err != nil && o.failed() == nil {
		return fmt.Errorf("closing %s: %w", o.path, bare(err))
	}
	return o.failed()
}

// plainPiece makes an uncompressed piece outside of any chunk.
func plainPiece(k kind, at int64, content []byte) ([]byte, piece) {
	p := piece{kind: k, from: at, to: at, raw: uint32(len(content)), size: uint32(len(content)), sum: checksum(content)}
	return append(p.append(nil), content...), p
}

func jsonPiece(k kind, at int64, content any) ([]byte, piece) {
	text, _ := json.Marshal(content) // structs of strings and numbers always marshal
	return plainPiece(k, at, text)
}
