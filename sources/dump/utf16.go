package dump

import (
	"bufio"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// halfNUL tells text in UTF-16 without a mark by its first kilobyte, in which
// every second byte is NUL and hardly any other.
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

// inUTF16 reports whether a byte order mark says that a text is in UTF-16, as
// PowerShell's > writes it.
func inUTF16(text *bufio.Reader) bool {
	mark, _ := text.Peek(2)
	return string(mark) == "\xff\xfe" || string(mark) == "\xfe\xff"
}

// fromUTF16 reads a text with a byte order mark as UTF-8 without one.
func fromUTF16(text io.Reader) io.Reader {
	return transform.NewReader(text, unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder())
}

// inOrder reads a text without a mark.
func inOrder(text io.Reader, order unicode.Endianness) io.Reader {
	return transform.NewReader(text, unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder())
}
