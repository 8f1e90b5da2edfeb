package redact

import (
	"cmp"
	"slices"
	"strings"
)

// finder finds the secrets of one text at a time. It belongs to one goroutine.
type finder struct {
	anchors *anchors
	spans   []span
	// open says that more of the text will come: what may be the beginning of
	// a secret at its end is one.
	open bool
	// budget is how many more bytes may be looked at closer; skip is where
	// what is behind a place goes on that was masked whole.
	budget, skip int
	// written says that escape sequences are written out in the text.
	written bool
	// letters says that letters are written by their number: pass\u0077ord.
	letters bool
	// depth is how many layers of base64 are around the text.
	depth int
	inner *finder
	plain []byte
	cuts  []cut
}

// span is a secret in a text.
type span struct {
	from, to int
	sort     Sort
}

func newFinder() *finder { return &finder{anchors: table()} }

// find lists the secrets of a text in order, none of them overlapping. The
// result is valid until the next call. A text at which a rule fails is a secret
// as a whole, and the program goes on.
func (f *finder) find(text string, open bool) (found []span) {
	defer func() {
		if recover() != nil { // a rule failed: what it would have found is not known
			f.inner, f.depth = nil, 0
			f.spans = append(f.spans[:0], span{0, len(text), NamedSecret})
			found = f.spans
		}
	}()
	f.spans, f.open, f.written = f.spans[:0], open, false
	f.letters = false
	f.budget, f.skip = 64<<10+16*len(text), 0
	f.scan(text)
	if f.written || strings.IndexByte(text, 0x1b) >= 0 {
		f.without(text, "\x1b\\", escapeAt)
	}
	if f.letters {
		f.unescaped(text)
	}
	if strings.IndexByte(text, '\r') >= 0 {
		f.without(text, "\r", returnAt)
	}
	if len(f.spans) > 1 {
		f.spans = joined(f.spans)
	}
	return f.spans
}

// scan looks at all places of a text where a secret may stand.
func (f *finder) scan(text string) {
	f.anchors.each(f, text)
	if strings.HasSuffix(text, "==") {
		azureKey(f, text, len(text)-len("=="))
	}
}

func (f *finder) add(from, to int, sort Sort) {
	if to > from {
		f.spans = append(f.spans, span{from, to, sort})
	}
}

// afford pays for looking at bytes closer. Texts that ask for it again and
// again at every place are made to cost time.
func (f *finder) afford(bytes int) bool {
	f.budget -= bytes
	return f.budget >= 0
}

// all masks the rest of a line that is too costly to look at.
func (f *finder) all(text string, from int, sort Sort) {
	end := len(text)
	if line := strings.IndexByte(text[from:], '\n'); line >= 0 {
		end = from + line
	}
	f.add(from, end, sort)
	f.skip = end
}

// without looks at the text again with something taken out that can stand
// within a secret (a colour, a carriage return): of bytes that may begin such
// a thing, those where it has a length.
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
	before := len(f.spans)
	f.skip = 0
	f.scan(string(f.plain))
	for i := before; i < len(f.spans); i++ {
		s := &f.spans[i]
		s.from, s.to = f.original(s.from), f.original(s.to-1)+1
	}
}

// cut says that the plain text from a place on stands so many bytes further
// back in the text it was made of.
type cut struct{ at, moved int }

func (f *finder) original(place int) int {
	after, _ := slices.BinarySearchFunc(f.cuts, place+1, func(c cut, place int) int { return cmp.Compare(c.at, place) })
	if after == 0 {
		return place
	}
	return place + f.cuts[after-1].moved
}

// unescaped looks at the text again with the letters in place of their numbers.
func (f *finder) unescaped(text string) {
	f.plain, f.cuts = f.plain[:0], f.cuts[:0]
	for at := 0; at < len(text); {
		n := 0
		if text[at] == '\\' {
			n = escapedLetter(text, at)
		}
		if n == 0 {
			f.plain = append(f.plain, text[at])
			at++
			continue
		}
		f.plain = append(f.plain, unhex(text[at+n-2])<<4|unhex(text[at+n-1]))
		at += n
		f.cuts = append(f.cuts, cut{len(f.plain), at - len(f.plain)})
	}
	before := len(f.spans)
	f.skip = 0
	f.scan(string(f.plain))
	for i := before; i < len(f.spans); i++ {
		s := &f.spans[i]
		s.from, s.to = f.original(s.from), f.original(s.to)
	}
}

// escapedLetter is the length of \u0077, with all backslashes before the u,
// where it stands for a letter, a digit or a mark within a name, or for one of
// <, > and &, which Go's JSON writes so; 0 for none.
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

// escapeAt is the length of an escape sequence (CSI of ECMA-48), also of one
// that JSON or Python wrote out.
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

// joined puts spans in order and makes one of those that overlap, of the sort
// that tells most.
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
		if s.sort.rank() > last.sort.rank() {
			last.sort = s.sort
		}
	}
	return kept
}
