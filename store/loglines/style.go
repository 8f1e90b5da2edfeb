package loglines

import (
	"sort"
	"strings"
)

// style is a colour sequence before an offset in a chunk's text. The text
// itself is kept without colours, so that searches see what a person reads and
// run at the speed of memory.
type style struct {
	at uint32
	// sequence is an index in chunk.sequences.
	sequence uint32
}

const (
	styleCost = 8
	// maxAlike is how many of the newest sequences are compared before a
	// sequence is stored again: programs use few, and hostile text must stay
	// cheap.
	maxAlike = 16
)

// addText appends a line's text without its colours.
func (c *chunk) addText(text string) {
	for {
		escape := strings.IndexByte(text, '\x1b')
		if escape < 0 {
			c.text = append(c.text, text...)
			return
		}
		c.text = append(c.text, text[:escape]...)
		text = text[escape:]
		n := sequenceLen(text)
		if n == 0 { // no colour: keep any other sequence
			c.text, text = append(c.text, text[0]), text[1:]
			continue
		}
		c.styles = append(c.styles, style{uint32(len(c.text)), c.sequence(text[:n])})
		text = text[n:]
	}
}

// sequenceLen returns the length of the SGR sequence at the beginning of text
// ("\x1b[1;31m"), 0 when there is none.
func sequenceLen(text string) int {
	if !strings.HasPrefix(text, "\x1b[") {
		return 0
	}
	for i := 2; i < len(text); i++ {
		switch b := text[i]; {
		case b == 'm':
			return i + 1
		case b != ';' && b != ':' && (b < '0' || b > '9'):
			return 0
		}
	}
	return 0
}

func (c *chunk) sequence(text string) uint32 {
	for i := len(c.sequences) - 1; i >= 0 && i >= len(c.sequences)-maxAlike; i-- {
		if c.sequences[i] == text {
			return uint32(i)
		}
	}
	c.sequences = append(c.sequences, strings.Clone(text))
	c.sequenceBytes += len(text) + 16
	return uint32(len(c.sequences) - 1)
}

// coloured returns the text from start to end with its colours.
func (c *chunk) coloured(start, end uint32) string {
	first := sort.Search(len(c.styles), func(i int) bool { return c.styles[i].at >= start })
	if first == len(c.styles) || c.styles[first].at > end {
		return asString(c.text[start:end])
	}
	var b strings.Builder
	for _, s := range c.styles[first:] {
		if s.at > end {
			break
		}
		b.Write(c.text[start:s.at])
		b.WriteString(c.sequences[s.sequence])
		start = s.at
	}
	b.Write(c.text[start:end])
	return b.String()
}

// plain returns text without its colours.
func plain(text string) string {
	if strings.IndexByte(text, '\x1b') < 0 {
		return text
	}
	var c chunk
	c.addText(text)
	return asString(c.text)
}
