package dump

import (
	"bufio"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// halfNUL detects UTF-16 text without a byte order mark by its first kilobyte,
// in which every second byte is NUL and hardly any other.
func halfNUL(head []byte) (is bool, order unicode.Endianness) {
	head = head[:min(len(head), 1024)/2*2]
	var nul [2]int
	for i, b := range head {
		if b == 0 {
			nul[i%2]++
		}
	}
	most, least, half := max(nul[0], nul[1]), min(nul[0], nul[1]), len(head)/2
	order = unicode.LittleEndian
	if nul[0] > nul[1] {
		order = unicode.BigEndian
	}
	return half >= 8 && most*10 >= half*9 && least*10 <= half, order
}

// orderOf detects a UTF-16 text, as PowerShell's > writes it, by a byte order
// mark of mark bytes or by its NULs.
func orderOf(text *bufio.Reader) (order unicode.Endianness, mark int, is bool) {
	switch head, _ := text.Peek(2); string(head) {
	case "\xff\xfe":
		return unicode.LittleEndian, 2, true
	case "\xfe\xff":
		return unicode.BigEndian, 2, true
	}
	is, order = halfNUL(firstBytes(text))
	return order, 0, is
}

// wholeUnits reads only whole characters of a growing UTF-16 text, and calls
// read with them.
type wholeUnits struct {
	in    io.Reader
	order unicode.Endianness
	read  func([]byte)
	held  []byte // of an incomplete character
}

// Read implements io.Reader.
func (u *wholeUnits) Read(into []byte) (int, error) {
	n := copy(into, u.held)
	more, err := u.in.Read(into[n:])
	n += more
	whole := u.whole(into[:n])
	u.held = append(u.held[:0], into[whole:n]...)
	u.read(into[:whole])
	return whole, err
}

// whole returns how many bytes of p are whole characters.
func (u *wholeUnits) whole(p []byte) int {
	n := len(p) &^ 1
	if n == 0 {
		return 0
	}
	high := p[n-1]
	if u.order == unicode.BigEndian {
		high = p[n-2]
	}
	if high&0xfc == 0xd8 { // the first half of a surrogate pair
		n -= 2
	}
	return n
}

// inOrder decodes a text without a byte order mark.
func inOrder(text io.Reader, order unicode.Endianness) io.Reader {
	return transform.NewReader(text, unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder())
}
