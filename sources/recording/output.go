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

// media is the file below an output; tests make it fail.
type media interface {
	io.ReaderAt
	io.WriterAt
	Truncate(size int64) error
	Sync() error
	Close() error
}

// output is the file that is written: pieces are appended whole or not at
// all. It belongs to one goroutine but for what mu guards.
type output struct {
	path   string
	file   media
	size   int64
	pieces []piece
	// head is the newest piece of About, which stays when the file is trimmed.
	head    []byte
	trimmed int64
	limits  limits
	// relock locks the file that took the place of the one that was locked; it is
	// nil where nobody else can know of it.
	relock func(path string) error

	waiting atomic.Int64 // bytes on their way here

	mu     sync.Mutex
	err    error // why nothing can be written; nil while all is well
	lost   lost
	length int64 // size, for others
}

// limits are how much of a recording is kept.
type limits struct {
	size int64 // bytes of the file; 0 is no limit
	keep int64 // microseconds; 0 is no limit
}

// lost is what could not be written since all was well.
type lost struct {
	from   int64 // of the first piece of it, 0 for none
	events int64
}

// item is a piece on its way into the file.
type item struct {
	bytes  []byte
	piece  piece
	events int64
	probe  bool // it is written to see whether writing goes again
}

// take writes an item, unless writing failed before.
func (o *output) take(i item) {
	if o.failed() != nil && !i.probe {
		o.lose(i)
		return
	}
	err := o.write(i.bytes, i.piece)
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

// failed is why nothing can be written.
func (o *output) failed() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// written is the size of the file.
func (o *output) written() int64 {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.length
}

// takeLost returns what was lost, once.
func (o *output) takeLost() lost {
	o.mu.Lock()
	defer o.mu.Unlock()
	l := o.lost
	o.lost = lost{}
	return l
}

// write appends a piece. After an error the file ends where it ended before,
// as far as the disk allows that.
func (o *output) write(b []byte, p piece) error {
	if _, err := o.file.WriteAt(b, o.size); err != nil {
		_ = o.file.Truncate(o.size) // a reader passes over half a piece
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

// bare takes the path off an error that is said together with it.
func bare(err error) error {
	if at := (*os.PathError)(nil); errors.As(err, &at) {
		return at.Err
	}
	return err
}

// close ends the file with its index.
func (o *output) close() error {
	if o.failed() == nil {
		at := o.size
		b, p := plainPiece(kindIndex, 0, packIndex(o.pieces))
		err := o.write(b, p)
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

// plainPiece makes a piece that is not compressed and stands for itself.
func plainPiece(k kind, at int64, content []byte) ([]byte, piece) {
	p := piece{kind: k, from: at, to: at, raw: uint32(len(content)), size: uint32(len(content)), sum: checksum(content)}
	return append(p.append(nil), content...), p
}

func jsonPiece(k kind, at int64, content any) ([]byte, piece) {
	text, _ := json.Marshal(content) // structs of texts and numbers can be written
	return plainPiece(k, at, text)
}
