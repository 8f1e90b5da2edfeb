package signatures

// anchors finds which of many literals stand in a text, in one pass: Wu and
// Manber's search (1994). It looks at three bytes at a time and skips ahead by
// how far the nearest literal that ends in other bytes can be; of ordinary log
// lines it reads about one byte in four. docs/performance.md compares it with
// the Aho-Corasick libraries, which have to read every byte.
type anchors struct {
	// shift is how far the window may move when its last three bytes hash to
	// the index; 0 where a literal may end its first minAnchor bytes there.
	shift [blockTable]uint8
	// begin leads from a hash to the first of its literals in words, which
	// stand in order of hash; the next hash's begin is their end.
	begin [blockTable + 1]uint16
	words []anchor
}

// anchor is a literal and the rule that it stands for.
type anchor struct {
	text string
	rule uint16
}

const (
	// minAnchor is the length of the shortest literal allowed: the window.
	minAnchor  = 6
	blockSize  = 3
	blockTable = 1 << 15
)

func block(a, b, c byte) uint32 {
	return (uint32(a)<<10 ^ uint32(b)<<5 ^ uint32(c)) & (blockTable - 1)
}

func newAnchors(words []anchor) *anchors {
	a := &anchors{}
	for i := range a.shift {
		a.shift[i] = minAnchor - blockSize + 1
	}
	byHash := map[uint32][]anchor{}
	for _, w := range words {
		for end := blockSize; end <= minAnchor; end++ {
			h := block(w.text[end-3], w.text[end-2], w.text[end-1])
			a.shift[h] = min(a.shift[h], uint8(minAnchor-end))
			if end == minAnchor {
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

// find appends the rules whose literals stand in text to found, each once.
func (a *anchors) find(text []byte, found []uint16) []uint16 {
	for i := minAnchor - 1; i < len(text); {
		h := block(text[i-2], text[i-1], text[i])
		if skip := a.shift[h]; skip > 0 {
			i += int(skip)
			continue
		}
		found = a.here(text[i-minAnchor+1:], h, found)
		i++
	}
	return found
}

// here appends the rules whose literals begin at the start of text.
func (a *anchors) here(text []byte, h uint32, found []uint16) []uint16 {
	for _, w := range a.words[a.begin[h]:a.begin[h+1]] {
		if len(text) >= len(w.text) && string(text[:len(w.text)]) == w.text && !contains(found, w.rule) {
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
