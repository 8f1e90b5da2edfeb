package dump

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/termtext"
)

// printedBeside matches lines that kubectl writes to standard error, which are
// in a dump saved with 2>&1 (kubectl pkg/cmd/util/helpers.go, client-go
// rest/warnings.go, klog). No field of an object, and no text inside of one,
// begins a line like this.
var (
	printedBeside = regexp.MustCompile(`^(?:Warning: |Flag --|Defaulted container |[EWI][0-9]{4} [0-9:.]{8,} +[0-9]+ \S+\.go:[0-9]+\]|` + kubectlFailure + `)`)
	printedError  = regexp.MustCompile(`^(?:E[0-9]{4} |` + kubectlFailure + `)`)
)

// kubectlFailure starts kubectl's message about a failed request.
const kubectlFailure = `error: |Error from server|Unable to connect to the server: |The connection to the server |Unauthorized\r?\n?$`

// withoutStderr reads a dump without the lines of standard error. It replaces
// them by blank lines of the same length, so that all offsets stay.
type withoutStderr struct {
	text   *bufio.Reader
	rest   []byte // of a line
	inside bool   // of a line that is longer than the buffer
	number int    // lines before this one
	errors []Problem
	failed int    // number of all errors
	aside  string // the first line that is a warning
	asides int    // number of all warnings
}

func readWithoutStderr(in io.Reader) *withoutStderr {
	return &withoutStderr{text: bufio.NewReaderSize(in, sniffSize)}
}

// Read implements io.Reader. It returns all whole lines in memory.
func (w *withoutStderr) Read(into []byte) (n int, err error) {
	for n < len(into) && (n == 0 || len(w.rest) > 0 || w.text.Buffered() > 0) {
		if len(w.rest) == 0 {
			if w.rest, err = w.line(n > 0); len(w.rest) == 0 {
				return n, err
			}
		}
		copied := copy(into[n:], w.rest)
		n, w.rest = n+copied, w.rest[copied:]
	}
	return n, nil
}

// line returns the next line, or a part of a long one; with inMemory it
// returns nil if no whole line is buffered.
func (w *withoutStderr) line(inMemory bool) ([]byte, error) {
	if inMemory {
		if held, _ := w.text.Peek(w.text.Buffered()); bytes.IndexByte(held, '\n') < 0 {
			return nil, nil
		}
	}
	line, err := w.text.ReadSlice('\n')
	if len(line) == 0 {
		return nil, err
	}
	if !w.inside {
		w.take(line)
	}
	if w.inside = line[len(line)-1] != '\n'; !w.inside {
		w.number++
	}
	return line, nil
}

// take blanks a line of standard error, and records it.
func (w *withoutStderr) take(line []byte) {
	if !bytes.ContainsAny(line[:1], "eEWIUFTD") || !printedBeside.Match(line) {
		return
	}
	said := termtext.Short(string(bytes.TrimSpace(line)), 160)
	if printedError.Match(line) {
		if w.failed++; len(w.errors) < maxProblems {
			w.errors = append(w.errors, Problem{Line: w.number + 1, Text: "the dump itself says: " + said})
		}
	} else if w.asides++; w.asides == 1 {
		w.aside = said
	}
	for i, b := range line {
		if b != '\n' && b != '\r' {
			line[i] = ' '
		}
	}
}

// addTo adds the lines of standard error in a file to its report.
func (w *withoutStderr) addTo(got *report, name string) {
	if w == nil {
		return
	}
	got.failed += w.failed
	for _, p := range w.errors {
		if p.File = name; len(got.broken) < maxProblems {
			got.broken = append(got.broken, p)
		}
	}
	slices.SortStableFunc(got.broken, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	if w.asides > 0 {
		said := fmt.Sprintf("%s of kubectl in it (%q)", termtext.Count(w.asides, "remark"), w.aside)
		got.aside = strings.TrimPrefix(got.aside+"; "+said, "; ")
	}
}
