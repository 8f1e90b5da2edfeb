package signatures

import (
	"bytes"
	"strings"
	"time"

	"github.com/traintop/traintop/train"
)

// folded joins a message that YAML wrote over several lines, as kubectl get -o yaml
// does past 80 columns: between quotes, after ">", or indented deeper than its key. A
// literal one ("|") keeps its lines. It also joins a message of the scheduler that was
// wrapped when somebody copied it, and the report of a process that ended, which PRRTE
// writes over two lines.
type folded struct {
	style  byte // ' for one quote, " for two, > and p for plain, w for wrapped; 0 for none
	indent int  // of the key
	number int64
	at     time.Time
	text   []byte
	lines  int
}

// Limits of a message: beyond them, its quote was probably never closed.
const (
	maxFoldedLines = 60
	maxFoldedBytes = 16 << 10
)

// opens reports whether a line begins a message that may continue, and keeps it.
func (f *folded) opens(number int64, at time.Time, text []byte) bool {
	rest := bytes.TrimLeft(text, " ")
	if bytes.HasPrefix(rest, []byte("- ")) {
		rest = bytes.TrimLeft(rest[2:], " ")
	}
	value, is := bytes.CutPrefix(rest, []byte("message: "))
	if f.style = 0; is {
		f.style = styleOf(bytes.TrimSpace(value))
	} else if wrapped(text) {
		f.style = 'w'
	}
	if f.style == 0 {
		return false
	}
	f.indent, f.number, f.at, f.lines = len(text)-len(rest), number, at, 0
	f.text = append(f.text[:0], bytes.TrimRight(text, " \t\r")...)
	return true
}

// reportGoesOn reports whether Open MPI's report of a process that ended stops before the
// signal. PRRTE breaks it behind "exited on" (help-prterun.txt of 3.0), older copies do
// behind the process ID where the line is full.
func reportGoesOn(text []byte) bool {
	text = bytes.TrimRight(text, " \t\r")
	return bytes.HasSuffix(text, []byte(" exited on")) || bytes.HasSuffix(bytes.TrimRight(text, "0123456789"), []byte(" with PID "))
}

// wrapped reports whether a message of the scheduler stops where none can end.
func wrapped(text []byte) bool {
	for len(text) > 0 && text[len(text)-1] <= ' ' {
		text = text[:len(text)-1]
	}
	// The last byte is checked first, since every line of a log comes here.
	if len(text) == 0 || len(text) > 400 || strings.IndexByte(":,)dehst", text[len(text)-1]) < 0 || !bytes.Contains(text, []byte("nodes are available:")) {
		return false
	}
	for _, end := range []string{"available:", ",", "had", "didn't", "match", "untolerated", "taint", "node(s)", "Pod's", "pod", "Insufficient", "volume", "that", "the", "preemption:"} {
		if bytes.HasSuffix(text, []byte(end)) {
			return true
		}
	}
	return false
}

// goesOn reports whether a line can continue such a message.
func goesOn(line []byte) bool {
	c := line[0]
	return ('0' <= c && c <= '9' || 'a' <= c && c <= 'z' || c == '{' || bytes.HasPrefix(line, []byte("Pod's ")) || bytes.HasPrefix(line, []byte("Insufficient "))) && !isKey(line)
}

// styleOf returns how a value continues on further lines, 0 if it is complete.
func styleOf(value []byte) byte {
	if len(value) == 0 {
		return 0
	}
	switch c := value[0]; c {
	case '\'', '"':
		if closed(value[1:], c) {
			return 0
		}
		return c
	case '>':
		return c
	case '|', '{', '[', '&', '*', '!':
		return 0
	}
	return 'p'
}

// closed reports whether the closing quote of a text is on this line.
func closed(text []byte, quote byte) bool {
	for i := 0; i < len(text); i++ {
		switch {
		case quote == '"' && text[i] == '\\', text[i] == quote && quote == '\'' && i+1 < len(text) && text[i+1] == quote:
			i++
		case text[i] == quote:
			return true
		}
	}
	return false
}

// takes reports whether a line belongs to the message, and adds it. done is true for
// the last line.
func (f *folded) takes(text []byte) (is, done bool) {
	line := bytes.TrimSpace(text)
	if f.style == 'w' {
		if len(line) == 0 || !goesOn(line) || f.lines >= 8 {
			return false, false
		}
		f.text = append(append(f.text, ' '), line...)
		f.lines++
		return true, !wrapped(f.text) && !reportGoesOn(f.text)
	}
	deeper := len(text)-len(bytes.TrimLeft(text, " ")) > f.indent
	quoted := f.style == '\'' || f.style == '"'
	if len(line) == 0 || !deeper && (!quoted || isKey(line)) || f.lines >= maxFoldedLines || len(f.text)+len(line) > maxFoldedBytes {
		return false, false
	}
	if before, cut := bytes.CutSuffix(f.text, []byte(`\`)); cut && f.style == '"' {
		f.text, line = before, bytes.TrimPrefix(line, []byte(`\`))
	} else {
		f.text = append(f.text, ' ')
	}
	f.text = append(f.text, line...)
	f.lines++
	return true, quoted && closed(line, f.style)
}

// isKey reports whether a line is a new field: "reason: Unschedulable".
func isKey(line []byte) bool {
	name, _, is := bytes.Cut(bytes.TrimPrefix(line, []byte("- ")), []byte(":"))
	return is && len(name) > 0 && !bytes.ContainsAny(name, " '\"")
}

// unfolded reads a line of a text that may be YAML. It scans a message when it is
// complete, and gives its hits the number of the first line.
func (s *Scanner) unfolded(number int64, at time.Time, text []byte) []train.LogHit {
	var before []train.LogHit
	if s.folded.style != 0 {
		is, done := s.folded.takes(text)
		if is && !done {
			return nil
		}
		hits := s.whole()
		if is {
			return hits
		}
		before = append(s.before[:0], hits...)
		s.before = before
	}
	if s.folded.opens(number, at, text) {
		return before
	}
	hits := s.line(number, at, text)
	if len(hits) == 1 && hits[0].Signature == mpiEnded && reportGoesOn(text) {
		s.folded = folded{style: 'w', number: number, at: at, text: append(s.folded.text[:0], text...)}
		return before
	}
	if len(before) == 0 {
		return hits
	}
	s.before = append(before, hits...)
	return s.before
}

// whole scans the message that is now complete.
func (s *Scanner) whole() []train.LogHit {
	if s.folded.style == 0 {
		return nil
	}
	s.folded.style = 0
	return s.line(s.folded.number, s.folded.at, s.folded.text)
}
