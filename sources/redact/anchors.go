package redact

import "sync"

// anchors finds the positions where a secret may be. It searches a text once for
// three bytes of each literal, ignoring case, at every position. Names and tokens
// have no three bytes in common, so no position can be skipped; a table lookup of
// three bytes is fast enough (docs/redaction.md has the figure).
type anchors struct {
	// some is 1 where first has an entry.
	some [hashes]uint8
	// first maps the hash of three bytes to their literals: the index of the
	// first one in words, 0 for none.
	first [hashes]uint16
	words []anchor
}

// anchor is a literal and the matcher (look) to call where it occurs.
type anchor struct {
	text  string // in lower case, unless exact
	exact bool
	// three is the offset of the three bytes in text.
	three int
	look  func(f *finder, text string, at int)
	// more is the index of the next anchor with the same hash.
	more uint16
}

const (
	hashBits = 15
	hashes   = 1 << hashBits
)

// table is built when first used and never changes.
var table = sync.OnceValue(func() *anchors {
	a := &anchors{words: make([]anchor, 1)}
	for _, w := range literals() {
		h := place(threeAt(w.text, w.three))
		a.some[h] = 1
		w.more = a.first[h]
		a.first[h] = uint16(len(a.words))
		a.words = append(a.words, w)
	}
	return a
})

// each calls the matcher wherever a literal occurs. It tests six positions in one
// step, since most have no literal.
func (a *anchors) each(f *finder, text string) {
	i := 0
	for ; i+8 <= len(text); i += 6 {
		t := text[i : i+8]
		eight := uint64(t[0]) | uint64(t[1])<<8 | uint64(t[2])<<16 | uint64(t[3])<<24 |
			uint64(t[4])<<32 | uint64(t[5])<<40 | uint64(t[6])<<48 | uint64(t[7])<<56 | 0x2020202020202020
		if a.some[place(eight)]|a.some[place(eight>>8)]|a.some[place(eight>>16)]|
			a.some[place(eight>>24)]|a.some[place(eight>>32)]|a.some[place(eight>>40)] == 0 {
			continue
		}
		for k := range 6 {
			if h := place(eight >> (8 * k)); a.some[h] != 0 {
				a.here(f, text, i+k, h)
			}
		}
	}
	for ; i+3 <= len(text); i++ {
		if h := place(threeAt(text, i)); a.some[h] != 0 {
			a.here(f, text, i, h)
		}
	}
}

// place hashes the first three of the given bytes, which are in lower case.
func place(bytes uint64) uint32 { return uint32(bytes) << 8 * 0x9e3779b1 >> (32 - hashBits) }

func threeAt(text string, i int) uint64 {
	return uint64(text[i]) | uint64(text[i+1])<<8 | uint64(text[i+2])<<16 | 0x202020
}

func (a *anchors) here(f *finder, text string, i int, h uint32) {
	for next := a.first[h]; next != 0; {
		w := &a.words[next]
		next = w.more
		at := i - w.three
		if at >= 0 && at+len(w.text) <= len(text) && same(text[at:at+len(w.text)], w.text, w.exact) {
			f.tried = true
			w.look(f, text, at)
		}
	}
}

func same(text, word string, exact bool) bool {
	if exact {
		return text == word
	}
	for i := range len(word) {
		c := text[i]
		if isUpper(c) {
			c |= 0x20
		}
		if c != word[i] {
			return false
		}
	}
	return true
}
