package metrics

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"

	"github.com/traintop/traintop/sources/metrics/tools"
)

// People paste texts into issues with signs of Markdown: fences of code around them,
// and a backslash before a sign that would begin a heading or a list. Both are taken
// off before a reader looks; lines keep their numbers.
var (
	fenceLine   = regexp.MustCompile("^[ \t]*(?:`{3,}|~{3,})[\\w+-]*[ \t]*\r?\n?$")
	escapedSign = regexp.MustCompile(`^([ \t]*)\\([#|+*-])`)
	noteHeading = regexp.MustCompile(`^#{1,6} +\S+(?: \S+)*\s*$`) // not the columns of nvidia-smi dmon
)

// isExpositionComment reports whether a line is a comment of the Prometheus text format or
// the heading of a table of nvidia-smi dmon, which begin like a heading of a note.
func isExpositionComment(line []byte) bool {
	text := string(bytes.TrimSpace(line))
	return promType.MatchString(text) || promHelp.MatchString(text) || tools.IsDmonHeading(text)
}

// isPasted reports whether the beginning of a text has such signs.
func isPasted(head []byte) bool {
	if !bytes.Contains(head, []byte("```")) && !bytes.Contains(head, []byte("~~~")) && bytes.IndexByte(head, '\\') < 0 {
		return false
	}
	for line := range bytes.Lines(head) {
		if fenceLine.Match(line) || escapedSign.Match(line) {
			return true
		}
	}
	return false
}

// cleaning takes off a line what is around it.
type cleaning func(line []byte) []byte

// cleaned returns the beginning of a text without what is around its lines.
func cleaned(head []byte, clean cleaning) []byte {
	all := make([]byte, 0, len(head))
	for line := range bytes.Lines(head) {
		all = append(all, clean(line)...)
	}
	return all
}

func unmarked(line []byte) []byte {
	if fenceLine.Match(line) {
		return []byte{'\n'}
	}
	return escapedSign.ReplaceAll(line, []byte("$1$2"))
}

// pasted reads a text without what is around its lines.
type pasted struct {
	text  *bufio.Reader
	clean cleaning
	rest  []byte
	long  bool // inside a line that is longer than the buffer
	err   error
}

func (p *pasted) Read(into []byte) (int, error) {
	for len(p.rest) == 0 {
		if p.err != nil {
			return 0, p.err
		}
		line, err := p.text.ReadSlice('\n')
		begins := !p.long
		p.long = errors.Is(err, bufio.ErrBufferFull)
		if !p.long {
			p.err = err
		}
		if begins && len(line) > 0 {
			line = p.clean(line)
		}
		p.rest = line
	}
	n := copy(into, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

var _ io.Reader = (*pasted)(nil)
