package client

import (
	"context"
	"sync/atomic"
	"time"
)

// ObjectLimit is how long a list may take to bring one more whole object. What
// comes meanwhile does not count: blanks and halves of objects are no answer.
const ObjectLimit = 30 * time.Second

// ReadCount counts what came of a list.
type ReadCount struct{ Bytes, objects atomic.Int64 }

type CountKey struct{}

// CountOf is the count of the list that a request is for, nil for none.
func CountOf(ctx context.Context) *ReadCount {
	count, _ := ctx.Value(CountKey{}).(*ReadCount)
	return count
}

// CountObject counts an object that was decoded while its list comes.
func (c *ReadCount) CountObject() {
	if c != nil {
		c.objects.Add(1)
	}
}

// objectScanner finds the ends of objects in a list in JSON that is decoded
// only when all of it came.
type objectScanner struct {
	depth            int
	quoted, escaping bool
}

// itemDepth is how deep an item of a list stands: in the list, in its array.
const itemDepth = 2

// ends counts the items that end in a piece of the text.
func (s *objectScanner) ends(piece []byte) (n int64) {
	for _, c := range piece {
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
			if s.depth--; c == '}' && s.depth == itemDepth {
				n++
			}
		}
	}
	return n
}
