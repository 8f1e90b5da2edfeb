package redact

import (
	"cmp"
	"slices"
	"strings"
)

// finder finds the secrets of one text at a time. Only one goroutine may use it.
type finder struct {
	anchors *anchors
	spans   []span
	// open is true if the text is incomplete: what may be the beginning of a
	// secret at its end then counts as one.
	open bool
	// budget is how many more bytes matchers may read; skip is the offset after
	// a range that was masked as a whole.
	budget, skip int
	// written is true if the text contains escaped escape sequences (\x1b[).
	written bool
	// letters is true if the text contains escaped letters: pass\u0077ord.
	letters bool
	// framed is where the last name in the text begins whose value may be on the next line,
	// and where what is around the text of its line begins; 0 for none.
	framed [2]int
	// tried is true if a matcher was called for a text.
	tried bool
	// depth is how many layers of base64 contain the text.
	depth int
	inner *finder
	plain []byte
	cuts  []cut
}

// span is a secret in a text.
type span struct {
	from, to int
	kind     Kind
}

func newFinder() *finder { return &finder{anchors: table()} }

// find returns the secrets of a text in order, without overlaps. The result is
// valid until the next call. If a rule panics, the whole text counts as a secret
// and the program continues.
func (f *finder) find(text string, open bool) (found []span) {
	defer func() {
		if recover() != nil { // a rule panicked: it might have found more
			f.inner, f.depth = nil, 0
			f.spans = append(f.spans[:0], span{0, len(text), NamedSecret})
			found = f.spans
		}
	}()
	f.spans, f.open, f.written = f.spans[:0], open, false
	f.letters, f.tried, f.framed = false, false, [2]int{}
	f.budget, f.skip = 64<<10+16*len(text), 0
	f.scan(text)
	if f.written || strings.IndexByte(text, 0x1b) >= 0 {
		f.without(text, "\x1b\\", escapeAt)
	}
	if f.letters {
		f.decoded(text, escapedByte)
	}
	if f.tried && hasEscapedNewline(text) {
		f.decoded(text, escapedNewline)
	}
	if strings.IndexByte(text, '\r') >= 0 {
		f.without(text, "\r", returnAt)
	}
	f.withoutInvisible(text)
	f.cutHead(text)
	if len(f.spans) > 1 {
		f.spans = joined(f.spans)
	}
	return f.spans
}

// scan checks all positions of a text where a secret may be.
func (f *finder) scan(text string) {
	f.anchors.each(f, text)
	f.accounts(text)
	if strings.HasSuffix(text, "==") {
		azureKey(f, text, len(text)-len("=="))
	}
}

func (f *finder) add(from, to int, kind Kind) {
	if to > from {
		f.spans = append(f.spans, span{from, to, kind})
	}
}

// spend takes bytes from the budget, before a matcher reads them. A text that
// starts matchers at every position was made to cost time.
func (f *finder) spend(bytes int) bool {
	f.budget -= bytes
	return f.budget >= 0
}

// all masks the rest of a line that is too expensive to scan.
func (f *finder) all(text string, from int, kind Kind) {
	end := len(text)
	if line := strings.IndexByte(text[from:], '\n'); line >= 0 {
		end = from + line
	}
	f.add(from, end, kind)
	f.skip = end
}

// without scans the text again without interruptions that may occur inside a
// secret (a colour, a carriage return). begins are the bytes that may start an
// interruption; length is its length there, 0 for none.
func (f *finder) without(text, begins string, length func(text string, at int) int) {
	f.plain, f.cuts = f.plain[:0], f.cuts[:0]
	for kept, at := 0, 0; ; {
		next := strings.IndexAny(text[at:], begins)
		if next < 0 {
			f.plain = append(f.plain, text[kept:]...)
			break
		}
		at += next
		n := length(text, at)
		if n == 0 {
			at++
			continue
		}
		f.plain = append(f.plain, text[kept:at]...)
		at += n
		kept = at
		f.cuts = append(f.cuts, cut{len(f.plain), at - len(f.plain)})
	}
	f.rescan(string(f.plain))
}

// rescan scans a text from which parts were taken, and maps what is found back.
func (f *finder) rescan(text string) {
	before, framed := len(f.spans), f.framed
	f.skip, f.framed = 0, [2]int{}
	f.scan(text)
	if from, to := f.framed[0], f.framed[1]; to > 0 {
		framed = [2]int{f.original(from), f.original(to-1) + 1}
	}
	f.framed = framed
	for i := before; i < len(f.spans); i++ {
		s := &f.spans[i]
		s.from, s.to = f.original(s.from), f.original(s.to-1)+1
	}
}

// cut maps offsets back: from offset at of the plain text on, the original offset
// is moved bytes greater.
type cut struct{ at, moved int }

func (f *finder) original(place int) int {
	after, _ := slices.BinarySearchFunc(f.cuts, place+1, func(c cut, place int) int { return cmp.Compare(c.at, place) })
	if after == 0 {
		return place
	}
	return place + f.cuts[after-1].moved
}

// decoded scans the text again with escapes decoded: one is the length of an escape at
// an offset, 0 for none, and what it encodes.
func (f *finder) decoded(text string, one func(text string, at int) (n int, encodes string)) {
	f.plain, f.cuts = f.plain[:0], f.cuts[:0]
	for at := 0; at < len(text); {
		n, encodes := one(text, at)
		if n == 0 {
			f.plain = append(f.plain, text[at])
			at++
			continue
		}
		f.plain = append(f.plain, encodes...)
		at += n
		f.cuts = append(f.cuts, cut{len(f.plain), at - len(f.plain)})
	}
	before, framed := len(f.spans), f.framed
	f.skip = 0
	f.scan(string(f.plain))
	f.framed = framed // by offsets of the text itself
	for i := before; i < len(f.spans); i++ {
		s := &f.spans[i]
		s.from, s.to = f.original(s.from), f.original(s.to)
	}
}

func escapedByte(text string, at int) (n int, encodes string) {
	if text[at] != '\\' {
		return 0, ""
	}
	if n = escapedLetter(text, at); n > 0 {
		encodes = string(rune(unhex(text[at+n-2])<<4 | unhex(text[at+n-1])))
	}
	return n, encodes
}

// escapedLetter returns the length of \u0077, including all backslashes before
// the u, if it encodes a letter, a digit or a mark within a name, or one of <, >
// and &, which Go's JSON escapes; 0 otherwise.
func escapedLetter(text string, at int) int {
	u := at
	for u < len(text) && text[u] == '\\' {
		u++
	}
	if u == at || u+5 > len(text) || text[u]|0x20 != 'u' || text[u+1:u+3] != "00" || !isHex(text[u+3]) || !isHex(text[u+4]) {
		return 0
	}
	if c := unhex(text[u+3])<<4 | unhex(text[u+4]); !inName(c) && c != '<' && c != '>' && c != '&' {
		return 0
	}
	return u + 5 - at
}

func unhex(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c | 0x20 - 'a' + 10
}

func returnAt(string, int) int { return 1 }

// escapeAt returns the length of an escape sequence (CSI of ECMA-48), also of one
// that JSON or Python escaped.
func escapeAt(text string, at int) int {
	begin := 0
	switch {
	case text[at] == 0x1b:
		begin = 1
	case text[at] != '\\':
		return 0
	case strings.HasPrefix(text[at:], `\u001b`), strings.HasPrefix(text[at:], `\u001B`):
		begin = 6
	case strings.HasPrefix(text[at:], `\x1b`), strings.HasPrefix(text[at:], `\x1B`), strings.HasPrefix(text[at:], `\033`):
		begin = 4
	default:
		return 0
	}
	if at+begin == len(text) || text[at+begin] != '[' {
		return begin
	}
	for i := at + begin + 1; i < len(text) && i < at+64; i++ {
		if text[i] >= 0x40 && text[i] <= 0x7e {
			return i + 1 - at
		}
	}
	return begin
}

// joined sorts spans and merges those that overlap; the merged span gets the most
// specific kind.
func joined(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	kept := spans[:1]
	for _, s := range spans[1:] {
		last := &kept[len(kept)-1]
		if s.from >= last.to {
			kept = append(kept, s)
			continue
		}
		last.to = max(last.to, s.to)
		if s.kind.precedence() > last.kind.precedence() {
			last.kind = s.kind
		}
	}
	return kept
}
