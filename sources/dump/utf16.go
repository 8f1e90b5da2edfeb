package dump

import (
	"bufio"
	"io"

	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

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
