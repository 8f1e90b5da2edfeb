package flightrecord

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/termtext"
)

// Prefixes of the lines that summarize a rank's record, for the diagnosis.
const (
	// WaitsIn is followed by the number of the oldest incomplete collective of a
	// group, its operation, elements and state.
	WaitsIn = "flight record: waits in collective "
	// AllDone is followed by the number of a group's last collective, which has
	// completed.
	AllDone = "flight record: all done, last collective "
)

// Text reads a dump and writes it as log lines: one for each entry, with the time
// at which it was enqueued, then one for each group that reports how far this
// rank has come in it.
func Text(in io.Reader) ([]byte, error) {
	r, err := Read(in)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "PyTorch flight record, format %s: %d entries in %d groups of processes\n", plain(cmp.Or(r.Version, "unknown")), len(r.Entries), len(r.Groups))
	for i := range r.Entries {
		e := &r.Entries[i]
		fmt.Fprintf(&b, "%s%s %s, %s%s\n", stamp(e.Created), e.prefix(), e.describe(), plain(cmp.Or(e.State, "state unknown")), e.rest())
	}
	r.sum(&b)
	return b.Bytes(), nil
}

// sum writes the progress of this rank in each group. Only the group with the
// oldest open collective is reported as waiting: the others wait for it too.
func (r *Record) sum(b *bytes.Buffer) {
	var last time.Time
	var order []string
	open, done := map[string]*Entry{}, map[string]*Entry{}
	var oldest *Entry
	for i := range r.Entries {
		e := &r.Entries[i]
		if e.Created.After(last) {
			last = e.Created
		}
		if e.Between || e.Sequence < 0 {
			continue
		}
		key := e.prefix()
		if !slices.Contains(order, key) {
			order = append(order, key)
		}
		switch {
		case e.State == "completed":
			done[key] = e
		case open[key] == nil:
			open[key] = e
			if oldest == nil || e.Created.Before(oldest.Created) {
				oldest = e
			}
		}
	}
	for _, key := range order {
		ranks := ""
		if g := r.Groups[cmp.Or(open[key], done[key]).Group]; g.Ranks != "" {
			ranks = ", of ranks " + plain(g.Ranks)
		}
		switch e := open[key]; {
		case e == nil:
			fmt.Fprintf(b, "%s%s %s%d%s%s\n", stamp(last), key, AllDone, done[key].Sequence, done[key].place(), ranks)
		case e == oldest:
			fmt.Fprintf(b, "%s%s %s%d, %s, %s%s%s\n", stamp(last), key, WaitsIn, e.Sequence, e.operation(), plain(e.State), e.place(), ranks)
		default:
			fmt.Fprintf(b, "%s%s collective %d has not completed either, %s%s%s\n", stamp(last), key, e.Sequence, e.operation(), e.place(), ranks)
		}
	}
}

// stamp formats a time as logs with times do, "" for none.
func stamp(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Format("2006-01-02T15:04:05.000000Z ")
}

// prefix names the group as PyTorch's own lines have done since 2.5.
func (e *Entry) prefix() string {
	return fmt.Sprintf("[PG ID %d PG GUID %s(%s)]", e.ID, oneWord(e.Group), oneWord(e.Description))
}

func (e *Entry) describe() string {
	if e.Between {
		return e.operation()
	}
	return fmt.Sprintf("collective %d, %s", e.Sequence, e.operation())
}

// operation is the operation as PyTorch's watchdog names it, ALLREDUCE for
// nccl:all_reduce, and how many elements it moves.
func (e *Entry) operation() string {
	_, name, backend := strings.Cut(e.Name, ":")
	if !backend {
		name = e.Name
	}
	name, between, _ := strings.Cut(name, " ")
	name = strings.ToUpper(strings.ReplaceAll(oneWord(name), "_", ""))
	text := cmp.Or(name, "UNKNOWN")
	if e.Elements >= 0 {
		text += fmt.Sprintf(" of %d elements", e.Elements)
	}
	if e.Type != "" {
		text += " " + plain(e.Type)
	}
	if between != "" {
		text += " " + plain(between)
	}
	return text
}

func (e *Entry) rest() string {
	text := ""
	if e.Duration > 0 {
		text = fmt.Sprintf(" in %.3g ms", float64(e.Duration)/float64(time.Millisecond))
	}
	return text + e.place()
}

// place is the stack frame of the user's own program that enqueued it.
func (e *Entry) place() string {
	for _, f := range e.Frames {
		if !isLibrary(f.File) {
			return fmt.Sprintf(", at %s:%d in %s", plain(path.Base(f.File)), f.Line, plain(f.Function))
		}
	}
	return ""
}

// isLibrary reports whether a file belongs to PyTorch, to another package or to
// Python itself.
func isLibrary(file string) bool {
	for _, part := range []string{"/site-packages/", "/dist-packages/", "/torch/", "/lib/python3", "<frozen ", "<string>", "<eval_with_key>"} {
		if strings.Contains(file, part) {
			return true
		}
	}
	return file == "" || strings.HasPrefix(file, "torch/") || strings.HasSuffix(file, ".so") || strings.HasSuffix(file, ".cpp") || file == "??"
}

// plain makes a text of the dump safe for one line.
func plain(text string) string { return termtext.Line(text) }

// oneWord replaces the spaces of a text, so that it is one word.
func oneWord(text string) string { return strings.Join(strings.Fields(plain(text)), "_") }
