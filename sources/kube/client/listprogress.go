package client

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync/atomic"
	"time"
)

// ObjectLimit is how long a list may take for one more complete object. Blanks
// and partial objects do not count.
const ObjectLimit = 30 * time.Second

// ReadCount counts the bytes and objects read of a list.
type ReadCount struct{ Bytes, objects atomic.Int64 }

type CountKey struct{}

// CountOf returns the count of the list that a request reads, nil for none.
func CountOf(ctx context.Context) *ReadCount {
	count, _ := ctx.Value(CountKey{}).(*ReadCount)
	return count
}

// CountObject counts an object that was decoded while its list arrives.
func (c *ReadCount) CountObject() {
	if c != nil {
		c.objects.Add(1)
	}
}

// errBehindList is the error of a list behind which there is more: Kubernetes sends
// nothing there.
var errBehindList = errors.New("there is more behind the end of the list, which was not read")

// EndOfList returns an error unless a list in JSON ends here: that more comes, or that
// of reading its end, where a compressed answer has its checksum.
func EndOfList(d *json.Decoder) error {
	syntax := (*json.SyntaxError)(nil)
	switch _, err := d.Token(); {
	case errors.Is(err, io.EOF):
		return nil
	case err == nil, errors.As(err, &syntax):
		return errBehindList
	default:
		return err
	}
}

// objectScanner finds the ends of objects in a JSON list that is decoded only
// when complete.
type objectScanner struct {
	depth            int
	quoted, escaping bool
}

// itemDepth is the nesting depth of an item: in the list object, in its array.
const itemDepth = 2

// take reads one byte and reports whether it closes an object or an array.
func (s *objectScanner) take(c byte) (closed bool) {
	switch {
	case s.escaping:
		s.escaping = false
	case s.quoted:
		s.escaping, s.quoted = c == '\\', c != '"'
	case c == '"':
		s.quoted = true
	case c == '{', c == '[':
		s.depth++
	case c == '}', c == ']':
		s.depth--
		return true
	}
	return false
}

// ends counts the items that end in a piece of the text.
func (s *objectScanner) ends(piece []byte) (n int64) {
	for _, c := range piece {
		if s.take(c) && c == '}' && s.depth == itemDepth {
			n++
		}
	}
	return n
}
