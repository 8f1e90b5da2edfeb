package formats

import (
	"bytes"
	"encoding/json"
	"slices"
)

// maxLine is how many bytes of one line are read; the rest is skipped. Container
// runtimes cut at 16 KiB, verl's lines have 4 kB.
const maxLine = 64 << 10

// cleaner removes what a terminal would not show.
type cleaner struct {
	buffer  []byte
	blanked []byte // the line with plain blanks
}

// states calls read with each state of a line: the parts between carriage returns that
// a collector wrote as text, between runs of backspaces, and between movements of the
// cursor to the line above.
func (c *cleaner) states(raw []byte, read func([]byte)) {
	raw = unframe(raw)
	for more := true; more; { // a record may be of several lines
		var one []byte
		one, raw, more = bytes.Cut(raw, []byte{'\n'})
		c.statesOfLine(one, read)
	}
}

func (c *cleaner) statesOfLine(raw []byte, read func([]byte)) {
	if len(raw) > maxLine {
		raw = raw[:maxLine]
	}
	printed := isPlain(raw)
	if !printed {
		raw = c.plain(raw)
	}
	for len(raw) > 0 && isSpace(raw[len(raw)-1]) {
		raw = raw[:len(raw)-1]
	}
	if !(hasControls(raw, printed) || hasWrittenControls(raw)) {
		read(raw)
		return
	}
	c.buffer = c.buffer[:0]
	for i := 0; i < len(raw); {
		plain := i
		for plain < len(raw) && !mayMove[raw[plain]] {
			plain++
		}
		c.buffer = append(c.buffer, raw[i:plain]...)
		if i = plain; i == len(raw) {
			break
		}
		n, breaks := c.step(raw, i)
		if breaks {
			if len(bytes.TrimSpace(c.buffer)) > 0 {
				read(c.buffer)
			}
			c.buffer = c.buffer[:0]
		}
		i += n
	}
	read(c.buffer)
}

// hasControls reports whether a line has control characters that step does not copy. printed: it has
// none at all.
func hasControls(raw []byte, printed bool) bool {
	return !printed && (bytes.IndexByte(raw, 0x1b) >= 0 || bytes.IndexByte(raw, '\b') >= 0 || bytes.IndexByte(raw, '\r') >= 0 || bytes.IndexByte(raw, 0) >= 0)
}

// hasWrittenControls reports whether a line may have such characters as a collector writes them.
func hasWrittenControls(raw []byte) bool {
	return bytes.IndexByte(raw, '#') >= 0 && bytes.Contains(raw, []byte("#0")) || bytes.IndexByte(raw, '^') >= 0 && bytes.Contains(raw, []byte("^M"))
}

// mayMove are the bytes with which begins what step does not copy.
var mayMove = [256]bool{0: true, '\b': true, '\r': true, 0x1b: true, '#': true, '^': true}

// step copies or skips the character or sequence at raw[i], and returns its length
// and whether a new state begins after it.
func (c *cleaner) step(raw []byte, i int) (n int, breaks bool) {
	rest := raw[i:]
	switch {
	case rest[0] == 0x1b:
		n = escapeLength(rest)
		return n, rest[n-1] == 'A' && n < len(rest) // the cursor moves up: tqdm, to the bar above
	case bytes.HasPrefix(rest, []byte("#033[")): // rsyslog writes ESC this way
		return 3 + escapeLength(rest[3:]), false
	case rest[0] == '\r':
		return 1, true
	case bytes.HasPrefix(rest, []byte("#015")): // rsyslog writes CR this way
		return 4, true
	case bytes.HasPrefix(rest, []byte("#011")): // and a tab
		c.buffer = append(c.buffer, '\t')
		return 4, false
	case bytes.HasPrefix(rest, []byte("^M")):
		return 2, true
	case rest[0] == '\b':
		for n < len(rest) && rest[n] == '\b' {
			n++
		}
		if n >= 4 || n > len(c.buffer) { // Keras moves back to the start of its bar
			return n, true
		}
		c.buffer = c.buffer[:len(c.buffer)-n]
		return n, false
	case rest[0] == 0:
		return 1, false
	}
	c.buffer = append(c.buffer, rest[0])
	return 1, false
}

// escapeLength returns the length of an escape sequence, or of its first byte if it is
// none.
func escapeLength(text []byte) int {
	if len(text) < 2 {
		return 1
	}
	switch text[1] {
	case '[':
		for i := 2; i < len(text) && i < 64; i++ {
			if text[i] >= 0x40 && text[i] <= 0x7e {
				return i + 1
			}
		}
		return 2
	case ']':
		for i := 2; i < len(text) && i < 4096; i++ {
			if text[i] == 7 {
				return i + 1
			}
			if text[i] == 0x1b {
				return min(i+2, len(text))
			}
		}
		return 2
	}
	return 2
}

// unframe removes the framing of Docker's json-file driver or of CRI, in case the
// caller did not, and a collector's record around a record of the program.
func unframe(raw []byte) []byte {
	if bytes.HasPrefix(raw, []byte(`{"log":"`)) {
		var frame struct {
			Log string `json:"log"`
		}
		if json.Unmarshal(raw, &frame) == nil {
			return []byte(frame.Log)
		}
	}
	if inner := wrappedRecord(raw); inner != nil {
		return inner
	}
	return raw
}

// messageKeys are the keys under which collectors and loggers write what a program
// printed.
var messageKeys = [][]byte{[]byte(`"message"`), []byte(`"msg"`), []byte(`"log"`), []byte(`"line"`), []byte(`"textPayload"`), []byte(`"MESSAGE"`)}

// positionKeys are those of a record that has the position in a run itself.
var positionKeys = [][]byte{[]byte(`"step"`), []byte(`"epoch"`), []byte(`"iteration"`)}

// wrappedRecord returns the message of a JSON object, a string that is a JSON object itself
// or has several lines; nil for none.
func wrappedRecord(raw []byte) []byte {
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	at := bytes.Index(raw, []byte(`"{\"`))
	if at < 0 {
		if at = startOfLines(raw); at < 0 {
			return nil
		}
	}
	key, named := bytes.CutSuffix(bytes.TrimRight(raw[:at], " "), []byte(":"))
	key = bytes.TrimRight(key, " ")
	if !named || !slices.ContainsFunc(messageKeys, func(name []byte) bool { return bytes.HasSuffix(key, name) }) {
		return nil
	}
	end := at + 1
	for end < len(raw) && raw[end] != '"' {
		if raw[end] == '\\' {
			end++
		}
		end++
	}
	for _, position := range positionKeys {
		if bytes.Contains(raw[:at], position) || end < len(raw) && bytes.Contains(raw[end:], position) {
			return nil // the text of the message belongs to it
		}
	}
	var inner string
	if end >= len(raw) || json.Unmarshal(raw[at:end+1], &inner) != nil {
		return nil
	}
	return []byte(inner)
}

// startOfLines returns where the string begins that has a newline in it, -1 where none has.
func startOfLines(raw []byte) int {
	at := bytes.Index(raw, []byte(`\n`))
	for at > 0 {
		if at = bytes.LastIndexByte(raw[:at], '"'); at < 1 || raw[at-1] != '\\' {
			return at
		}
	}
	return -1
}
