package redact

import "strings"

// render replaces each span of a text by a mask. It keeps newlines, and the colours
// within a secret, so that the text after it has its own colour.
func render(text string, spans []span, mask func(Kind) string) string {
	var b strings.Builder
	b.Grow(len(text))
	at := 0
	for _, s := range spans {
		b.WriteString(text[at:s.from])
		writeMask(&b, text[s.from:s.to], mask(s.kind))
		at = s.to
	}
	b.WriteString(text[at:])
	return b.String()
}

func writeMask(b *strings.Builder, secret, mask string) {
	for i, line := range strings.Split(secret, "\n") {
		if i > 0 {
			b.WriteByte('\n')
			body := strings.TrimLeft(line, " \t")
			b.WriteString(line[:len(line)-len(body)])
			if line = body; line == "" {
				continue
			}
		}
		b.WriteString(mask)
		for at := strings.IndexByte(line, 0x1b); at >= 0 && at < len(line); at++ {
			if n := escapeAt(line, at); n > 1 {
				b.WriteString(line[at : at+n])
				at += n - 1
			}
		}
	}
}
