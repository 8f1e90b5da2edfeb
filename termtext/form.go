package termtext

import (
	"unicode"
	"unicode/utf8"
	"unsafe"
)

// Form selects which characters besides text a line keeps, and its length.
type Form struct {
	Tabs, Lines, Colours bool // are kept
	Bare                 bool // control characters are dropped instead of shown as numbers
	Fold                 bool // white space becomes one space, and none at the ends
	Most                 int  // runes; an ellipsis replaces the rest. 0 is no limit
}

// Line makes a text safe for one line.
func Line(text string) string { return Form{}.Of(text) }

// Lines makes a text safe and keeps its line ends and tabs.
func Lines(text string) string { return Form{Lines: true, Tabs: true}.Of(text) }

// Short makes a text safe for one line, folds its white space and cuts it to most runes.
func Short(text string, most int) string { return Form{Fold: true, Most: most}.Of(text) }

// AppendLog appends a line of a log, and keeps its tabs and colours. It stops before dst
// grows by more than most bytes, and returns how many bytes of text are then left.
func AppendLog(dst, text []byte, most int) (out []byte, left int) {
	p, most := printer{form: Form{Tabs: true, Colours: true}, out: dst}, most+len(dst)
	for len(text) > 0 {
		n := min(asciiBytes(text), most-len(p.out))
		if p.out = append(p.out, text[:n]...); n > 0 {
			p.letter.begin(rune(text[n-1]))
		}
		if text = text[n:]; len(text) == 0 || len(p.out) == most {
			break
		}
		// The bytes do not change while the string exists, and the string is not kept.
		rest, before := unsafe.String(unsafe.SliceData(text), len(text)), len(p.out)
		size, f := p.next(rest)
		if p.put(f, rest[:size]); len(p.out) > most {
			p.out = p.out[:before]
			break
		}
		text = text[size:]
	}
	return p.out, len(text)
}

// Log makes a line of a log from another source safe, as AppendLog does.
func Log(text string) string { return Form{Tabs: true, Colours: true}.Of(text) }

// Of returns text in this form. Plain ASCII is returned unchanged.
func (f Form) Of(text string) string {
	if f.asIs(text) {
		return text
	}
	p, building := printer{form: f}, f.Fold || f.Most > 0
	for i := 0; i < len(text) && !p.full; {
		n, what := p.next(text[i:])
		if !building && what != kept {
			p.out, building = append(make([]byte, 0, len(text)+8), text[:i]...), true
		}
		if building {
			p.put(what, text[i:i+n])
		}
		i += n
	}
	if !building {
		return text
	}
	return string(p.out)
}

// asIs is the fast path for nearly all texts: it reports whether text needs no change.
func (f Form) asIs(text string) bool {
	if f.Most > 0 && len(text) > f.Most {
		return false
	}
	for i := range len(text) {
		if c := text[i]; c > '~' || c < ' ' && (c != '\t' || !f.Tabs || f.Fold) {
			return false
		}
	}
	return !f.Fold || folded(text)
}

// folded reports whether ASCII text has single spaces only, none at its ends.
func folded(text string) bool {
	for i := range len(text) {
		if text[i] == ' ' && (i == 0 || i == len(text)-1 || text[i-1] == ' ') {
			return false
		}
	}
	return true
}

// asciiBytes counts the bytes at the beginning of text that need no check.
func asciiBytes(text []byte) int {
	for i, c := range text {
		if (c < 0x20 && c != '\t') || c >= 0x7f {
			return i
		}
	}
	return len(text)
}

// fate is what happens to the beginning of a text.
type fate uint8

const (
	kept     fate = iota
	dropped       // removed
	blank         // replaced by a space
	escaped       // replaced by the number of its byte: \x07
	replaced      // replaced by U+FFFD
)

// printer writes a text in a form.
type printer struct {
	form   Form
	letter cluster
	out    []byte
	runes  int
	gap    bool // white space that is not written yet
	full   bool
}

// next returns the fate of the character or escape sequence at the beginning of text, and
// its size.
func (p *printer) next(text string) (size int, what fate) {
	c := text[0]
	switch {
	case c >= utf8.RuneSelf:
		r, size := utf8.DecodeRuneInString(text)
		if r == utf8.RuneError && size == 1 {
			p.letter.begin('x')
			return 1, escaped
		}
		return size, p.letter.add(r, text[size:])
	case c >= ' ' && c <= '~':
		p.letter.begin(rune(c))
		return 1, kept
	case c == escape:
		size, colour := EscapeLength(text)
		if colour && p.form.Colours {
			return size, kept
		}
		return size, dropped
	}
	return 1, p.control(c)
}

func (p *printer) control(c byte) fate {
	p.letter = cluster{base: ' '}
	switch {
	case c == '\n' && p.form.Lines:
		p.letter = cluster{}
		return kept
	case c == '\t' && p.form.Tabs:
		return kept
	case c == '\n', c == '\t', c == '\r':
		return blank
	}
	return escaped
}

// put writes a part of the text according to its fate.
func (p *printer) put(what fate, part string) {
	switch what {
	case kept:
		p.write(part)
	case blank:
		p.write(" ")
	case replaced:
		p.write("\uFFFD")
	case escaped:
		c := part[len(part)-1] // of the two bytes of a C1 character, the second
		if p.form.Bare && utf8.ValidString(part) {
			return
		}
		const hex = "0123456789abcdef"
		for _, digit := range [...]byte{'\\', 'x', hex[c>>4], hex[c&15]} {
			p.write(string(rune(digit)))
		}
	}
}

// write adds text that is safe: one rune, or an escape sequence.
func (p *printer) write(part string) {
	if p.form.Fold {
		if r, _ := utf8.DecodeRuneInString(part); unicode.IsSpace(r) {
			p.gap = len(p.out) > 0
			return
		}
	}
	if p.full {
		return
	}
	width := 1
	if p.gap {
		width = 2
	}
	if p.form.Most > 0 && p.runes+width > p.form.Most {
		p.out, p.full = append(p.out, "…"...), true
		return
	}
	if p.gap {
		p.out, p.gap = append(p.out, ' '), false
	}
	p.runes += width
	p.out = append(p.out, part...)
}
