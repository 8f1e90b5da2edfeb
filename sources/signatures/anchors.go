package signatures

import "encoding/binary"

// anchors finds which of many literals a text contains, in one pass: Wu and Manber's
// search (1994). It reads three bytes at a time and skips ahead to the next position
// where a literal may end; of ordinary log lines it reads about one byte in five.
// docs/performance.md compares it with the Aho-Corasick libraries, which have to read
// every byte.
type anchors struct {
	// shift is how far the window may move when its last three bytes hash to the
	// index; 0 if a literal may have the end of its first minAnchor bytes there.
	shift [blockTable]uint8
	// begin maps a hash to the first of its literals in words, which are sorted
	// by hash; the next hash's begin is their end.
	begin [blockTable + 1]uint16
	words []anchor
}

// anchor is a literal and its rule.
type anchor struct {
	first uint32 // the first four bytes of text, little-endian
	rule  uint16
	text  string
}

const (
	// minAnchor is the length of the shortest literal allowed: the window.
	minAnchor  = 8
	blockSize  = 3
	blockBits  = 15
	blockTable = 1 << blockBits
)

// block hashes the three bytes before end (Fibonacci hashing).
func block(text []byte, end int) uint32 {
	three := uint32(text[end-3]) | uint32(text[end-2])<<8 | uint32(text[end-1])<<16
	return three * 0x9e3779b1 >> (32 - blockBits)
}

func newAnchors(words []anchor) *anchors {
	a := &anchors{}
	for i := range a.shift {
		a.shift[i] = minAnchor - blockSize + 1
	}
	byHash := map[uint32][]anchor{}
	for _, w := range words {
		for end := blockSize; end <= minAnchor; end++ {
			h := block([]byte(w.text), end)
			a.shift[h] = min(a.shift[h], uint8(minAnchor-end))
			if end == minAnchor {
				w.first = binary.LittleEndian.Uint32([]byte(w.text))
				byHash[h] = append(byHash[h], w)
			}
		}
	}
	for h := range uint32(blockTable) {
		a.begin[h] = uint16(len(a.words))
		a.words = append(a.words, byHash[h]...)
	}
	a.begin[blockTable] = uint16(len(a.words))
	return a
}

// find appends the rules whose literals occur in text to found, each once.
func (a *anchors) find(text []byte, found []uint16) []uint16 {
	for end := minAnchor; end <= len(text); {
		h := block(text, end)
		if skip := a.shift[h]; skip > 0 {
			end += int(skip)
			continue
		}
		found = a.here(text[end-minAnchor:], h, found)
		end++
	}
	return found
}

// here appends the rules whose literals begin at the start of text.
func (a *anchors) here(text []byte, h uint32, found []uint16) []uint16 {
	first := binary.LittleEndian.Uint32(text)
	for i := a.begin[h]; i < a.begin[h+1]; i++ {
		w := &a.words[i]
		if w.first == first && len(text) >= len(w.text) && string(text[:len(w.text)]) == w.text && !contains(found, w.rule) {
			found = append(found, w.rule)
		}
	}
	return found
}

func contains(found []uint16, rule uint16) bool {
	for _, f := range found {
		if f == rule {
			return true
		}
	}
	return false
}
