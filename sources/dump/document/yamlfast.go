package document

import (
	"bytes"
	"errors"
	"unicode/utf8"
)

// kubectlYAML parses the YAML that kubectl and similar tools print: mappings
// and sequences in block style, scalars plain, quoted or literal. It is some
// ten times as fast as the YAML library, which a dump of hundreds of megabytes
// needs. For anything else (anchors, tags, folded scalars, odd or repeated keys,
// every error) it gives up and the library decides. A text that it accepts has the
// same value as in the library; tests compare.
func kubectlYAML(text []byte) (value any, err error) {
	if !plainBytes(text) {
		return nil, errUnsure
	}
	p := &yamlParser{text: text}
	if !p.nextLine() {
		return nil, errUnsure
	}
	if value, err = p.block(0); err != nil {
		return nil, err
	}
	if p.more {
		return nil, errUnsure
	}
	return value, nil
}

// errUnsure makes the caller use the YAML library.
var errUnsure = errors.New("not the YAML that kubectl prints")

// maxYAMLDepth limits "- - - -", where each dash nests once more.
const maxYAMLDepth = 100

// yamlParser has one current line and skips comments and blank lines. It
// treats the content of a list item as a line of its own, indented to its
// column.
type yamlParser struct {
	text []byte
	next int // start of the line after the current one

	more   bool // there is a current line
	indent int
	line   []byte // without Indentation, line break and trailing spaces
}

// nextLine moves to the next line with content.
func (p *yamlParser) nextLine() bool {
	for p.next < len(p.text) {
		line := p.takeLine()
		trimmed := bytes.TrimLeft(line, " ")
		if len(trimmed) == 0 || trimmed[0] == '#' {
			continue
		}
		p.indent, p.line, p.more = len(line)-len(trimmed), trimmed, true
		return true
	}
	p.more = false
	return false
}

// takeLine returns the text up to the next line break, without trailing
// spaces.
func (p *yamlParser) takeLine() []byte {
	line := p.text[p.next:]
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	p.next = min(p.next+len(line)+1, len(p.text))
	return bytes.TrimRight(line, " ")
}

// block parses the mapping or sequence that starts at the current line.
func (p *yamlParser) block(depth int) (any, error) {
	if depth > maxYAMLDepth {
		return nil, errUnsure
	}
	if IsDash(p.line) {
		return p.sequence(depth)
	}
	return p.mapping(depth)
}

func (p *yamlParser) mapping(depth int) (any, error) {
	indent, values, keys := p.indent, map[string]any{}, 0
	for ; p.more && p.indent == indent && !IsDash(p.line); keys++ {
		key, rest, ok := splitKey(p.line)
		if !ok {
			return nil, errUnsure
		}
		var err error
		if len(rest) > 0 {
			values[key], err = p.scalar(rest, indent)
		} else {
			// A sequence may have the indentation of its key.
			p.nextLine()
			switch {
			case p.more && (p.indent > indent || p.indent == indent && IsDash(p.line)):
				values[key], err = p.block(depth + 1)
			default:
				values[key] = nil
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if p.more && p.indent > indent || keys != len(values) { // a key occurs twice
		return nil, errUnsure
	}
	return values, nil
}

func (p *yamlParser) sequence(depth int) (any, error) {
	indent, items := p.indent, []any{}
	for p.more && p.indent == indent && IsDash(p.line) {
		var value any
		var err error
		content := bytes.TrimLeft(p.line[1:], " ")
		switch _, _, isMapping := splitKey(content); {
		case len(content) == 0 || content[0] == '#':
			if p.nextLine() && p.indent > indent {
				value, err = p.block(depth + 1)
			}
		case isMapping || IsDash(content):
			p.indent += len(p.line) - len(content)
			p.line = content
			value, err = p.block(depth + 1)
		default:
			value, err = p.scalar(content, indent)
		}
		if err != nil {
			return nil, err
		}
		items = append(items, value)
	}
	if p.more && p.indent > indent {
		return nil, errUnsure
	}
	return items, nil
}

// maxKey is less than YAML's limit for a key (1024).
const maxKey = 1000

// splitKey splits "key: value". rest is empty if the value is on the lines
// below.
func splitKey(line []byte) (key string, rest []byte, ok bool) {
	var end int
	switch {
	case len(line) == 0:
		return "", nil, false
	case line[0] == '"' || line[0] == '\'':
		closing := bytes.IndexByte(line[1:], line[0])
		if closing < 0 || bytes.IndexByte(line[1:1+closing], '\\') >= 0 {
			return "", nil, false
		}
		key, end = string(line[1:1+closing]), closing+2
		if end >= len(line) || line[end] != ':' {
			return "", nil, false
		}
	case isLetter(line[0]):
		if end = keyEnd(line); end < 0 || line[end-1] == ' ' || mayBeWord(line[:end]) {
			return "", nil, false
		}
		key = string(line[:end])
	default:
		return "", nil, false
	}
	rest = line[end+1:]
	if end > maxKey || len(rest) > 0 && rest[0] != ' ' {
		return "", nil, false
	}
	rest = bytes.TrimLeft(rest, " ")
	if len(rest) > 0 && rest[0] == '#' {
		rest = nil
	}
	return key, rest, true
}

// keyEnd returns the position of the colon that ends a plain key, or -1.
func keyEnd(line []byte) int {
	for i, b := range line {
		switch b {
		case ':':
			if i+1 == len(line) || line[i+1] == ' ' {
				return i
			}
		case '#', '\t':
			return -1
		}
	}
	return -1
}

// plainBytes reports whether a text has none of the bytes that YAML treats
// specially: control characters, line breaks other than \n, byte order marks,
// invalid UTF-8.
func plainBytes(text []byte) bool {
	ascii := true
	for _, b := range text {
		if b < ' ' && b != '\n' || b == 0x7f {
			return false
		}
		ascii = ascii && b < utf8.RuneSelf
	}
	if ascii {
		return true
	}
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError || r >= 0x80 && r <= 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff || r >= 0xfffe && r <= 0xffff {
			return false
		}
		text = text[size:]
	}
	return true
}

func isLetter(b byte) bool { return b|0x20 >= 'a' && b|0x20 <= 'z' }

func Indentation(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }

// IsDash reports whether text, without its Indentation, starts a list item.
func IsDash(text []byte) bool {
	return text[0] == '-' && (len(text) == 1 || text[1] == ' ' || text[1] == '\n' || text[1] == '\r')
}
