package readings

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/traintop/traintop/termtext"
)

// OneLine makes text from outside safe for a message.
func OneLine(text string) string {
	const most = 300
	return termtext.Short(text, most)
}

// Quote returns the beginning of a line, for a message.
func Quote(line []byte) string {
	const most = 80
	text := strings.ToValidUTF8(string(bytes.TrimSpace(line[:min(len(line), most*4)])), "\uFFFD")
	if runes := []rune(text); len(runes) > most {
		return fmt.Sprintf("%q…", string(runes[:most]))
	}
	return fmt.Sprintf("%q", text)
}
