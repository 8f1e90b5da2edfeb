package probes

import (
	"fmt"
	"iter"
	"strings"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/termtext"
)

// The output of a container is untrusted: it is cut before it is read, and cleaned before
// it is shown.
const (
	maxLine   = 1024 // bytes of one line
	maxLines  = 5000
	maxDetail = 400 // lines
)

// lines returns the lines of a text, cut and cleaned, without spaces at their ends.
func lines(text []byte) iter.Seq[string] {
	return func(yield func(string) bool) {
		n := 0
		for line := range strings.SplitSeq(string(text), "\n") {
			if n++; n > maxLines || !yield(clean(line)) {
				return
			}
		}
	}
}

// clean makes a text safe for one line of a terminal.
func clean(line string) string {
	return strings.TrimRight(termtext.Line(line[:min(len(line), maxLine)]), " ")
}

// detail is the output for a person to read.
func detail(a actions.Answer) []string {
	var found []string
	for _, text := range [][]byte{a.Stdout, a.Stderr} {
		for line := range lines(text) {
			if len(found) == maxDetail {
				return append(found, "...")
			}
			if line != "" || len(found) > 0 {
				found = append(found, masked(line))
			}
		}
	}
	for len(found) > 0 && found[len(found)-1] == "" {
		found = found[:len(found)-1]
	}
	if a.Cut {
		found = append(found, "(it printed more, and was stopped)")
	}
	return found
}

// masked masks secrets in a line.
func masked(line string) string { return redact.Mask(line) }

// first is the first line that is not empty.
func first(text []byte) string {
	for line := range lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			return masked(line)
		}
	}
	return ""
}

// last is the last line that is not empty: of an exception, its message.
func last(text []byte) string {
	if most := maxLine * 8; len(text) > most {
		text = text[len(text)-most:]
	}
	said := ""
	for line := range lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			said = masked(line)
		}
	}
	return said
}

// silent is the result of a command that could not run: the reason.
func silent(a actions.Answer) (Result, bool) {
	r := Result{State: Unclear, Detail: detail(a)}
	switch {
	case a.Failure != nil:
		r.Line = clean(a.Failure.Text)
	case a.Exit == 126 || a.Exit == 127:
		r.Line = "a program that it needs is not in the container" + colon(last(a.Stderr))
	default:
		return Result{}, false
	}
	return r, true
}

// unread is the result for unexpected output.
func unread(a actions.Answer) Result {
	r := Result{State: Unclear, Detail: detail(a), Line: "nothing that can be read" + colon(first(a.Stdout))}
	if a.Exit != 0 {
		said := last(a.Stderr)
		if said == "" {
			said = last(a.Stdout)
		}
		r.Line = fmt.Sprintf("ended with exit code %d%s", a.Exit, colon(said))
	}
	return r
}

func colon(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

// python runs a constant program with arguments, with whichever Python exists.
func python(program string, arguments ...string) [][]string {
	return [][]string{
		append([]string{"python3", "-c", program}, arguments...),
		append([]string{"python", "-c", program}, arguments...),
	}
}

// shell runs a constant script; arguments are its positional parameters, and are not
// expanded.
func shell(script string, arguments ...string) []string {
	return append([]string{"sh", "-c", script, "sh"}, arguments...)
}
