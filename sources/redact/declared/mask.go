package declared

import (
	"bytes"
	"encoding/binary"
	"strings"
)

const (
	filterBits  = 14
	filterWords = 1 << filterBits / 64
	// leastPart is how long the beginning of a value has to be to reveal it.
	leastPart = 4
	// leastWritten is the length in bytes of the shortest secret (eight).
	leastWritten = 8
)

// Mask returns a text of a log with placeholders instead of declared secrets; the
// same bytes if there are none. open means that the text was cut or goes on: what
// may be the beginning of a secret at its end counts as one.
func (s *Set) Mask(text []byte, open bool) []byte {
	if s == nil || s.count.Load() == 0 {
		return text
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	var masked []byte
	from := 0
	for i := 0; i+8 <= len(text); i++ {
		start := binary.LittleEndian.Uint64(text[i:])
		if s.starts[filterWord(start)]&filterBit(start) == 0 {
			continue
		}
		if w := s.at(text, i, start); w != nil {
			masked = append(append(masked, text[from:i]...), w.placeholder...)
			from = i + len(w.text)
			i = from - 1
		}
	}
	if open {
		if cut, w := s.begun(text, from); w != nil {
			return append(append(masked, text[from:cut]...), w.placeholder...)
		}
	}
	if from == 0 {
		return text
	}
	return append(masked, text[from:]...)
}

// Text is Mask for a whole text.
func (s *Set) Text(text string) string {
	if s == nil || s.count.Load() == 0 || len(text) < leastWritten {
		return text
	}
	return string(s.Mask([]byte(text), false))
}

// at returns the longest secret that begins at a position, nil for none.
func (s *Set) at(text []byte, i int, start uint64) *written {
	var found *written
	for _, w := range s.byStart[start] {
		end := i + len(w.text)
		if end > len(text) || string(text[i:end]) != w.text || found != nil && len(found.text) >= len(w.text) {
			continue
		}
		if !w.weak || !joins(text, i) && !joins(text, end) {
			found = w
		}
	}
	return found
}

// begun returns where the end of a text is the beginning of a secret.
func (s *Set) begun(text []byte, from int) (cut int, w *written) {
	for i := max(from, len(text)-longest); i+leastPart <= len(text); i++ {
		for _, w := range s.byPart[binary.LittleEndian.Uint32(text[i:])] {
			if strings.HasPrefix(w.text, string(text[i:])) && (!w.weak || !joins(text, i)) {
				return i, w
			}
		}
	}
	return 0, nil
}

// joins reports whether the bytes before and at a position are of one word, and
// not the end of a colour (ESC [ 31 m) or of an escape in a string (\n).
func joins(text []byte, i int) bool {
	if i == 0 || i >= len(text) || !isWord(text[i-1]) || !isWord(text[i]) {
		return false
	}
	before := bytes.TrimRight(text[:i-1], "0123456789;")
	return !bytes.HasSuffix(before, []byte("\x1b[")) && !bytes.HasSuffix(text[:i-1], []byte(`\`))
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

func eight(text string) uint64 { return binary.LittleEndian.Uint64([]byte(text[:8])) }
func four(text string) uint32  { return binary.LittleEndian.Uint32([]byte(text[:4])) }

func filterHash(start uint64) uint64 { return start * 0x9e3779b97f4a7c15 >> (64 - filterBits) }
func filterWord(start uint64) uint64 { return filterHash(start) / 64 }
func filterBit(start uint64) uint64  { return 1 << (filterHash(start) % 64) }
