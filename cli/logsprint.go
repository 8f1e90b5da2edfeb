package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/traintop/traintop/cli/arguments"
	"github.com/traintop/traintop/cli/logsread"
	"github.com/traintop/traintop/cli/mergedlogs"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/train"
)

// logLook is how lines are printed.
type logLook struct{ prefix, stamps, colour bool }

// logPrinter writes lines to standard output, and notes about missing lines to
// standard error.
type logPrinter struct {
	look    logLook
	out     *bufio.Writer
	err     error // of the first write that failed
	printed atomic.Int64

	mu sync.Mutex
	// width is that of the widest name so far.
	width    int
	messages io.Writer
	said     map[string]bool
	cutLines int64
	cutBytes int64
	cutLast  map[string]int64 // the number of the newest cut line by log
	merge    *mergedlogs.Merge
	// failed counts logs that could not be read.
	failed int
}

func newLogPrinter(out, messages io.Writer, look logLook) *logPrinter {
	return &logPrinter{look: look, out: bufio.NewWriterSize(out, 64<<10), messages: messages, said: map[string]bool{}, cutLast: map[string]int64{}}
}

// merged returns what merges the lines to print.
func (p *logPrinter) merged(w *logsWanted, clock func() time.Time) *mergedlogs.Merge {
	p.merge = mergedlogs.New(&w.filter, w.heldFor(), clock, p.line)
	return p.merge
}

// names announces the logs to print, so that all prefixes are equally wide.
func (p *logPrinter) names(all []mergedlogs.LogSource) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, from := range all {
		p.width = max(p.width, len(from.Name))
	}
}

// stampFormat is that of kubectl logs --timestamps.
const stampFormat = "2006-01-02T15:04:05.000000000Z07:00"

// palette are the colours of the 256 that are readable on dark and on light
// backgrounds.
var palette = [...]string{"31", "32", "33", "34", "35", "36", "38;5;208", "38;5;99", "38;5;37", "38;5;168", "38;5;71", "38;5;69"}

// line prints one line. A write that fails makes every later one fail too, so
// that only the last has to be checked.
func (p *logPrinter) line(from mergedlogs.LogSource, line *train.LogLine) {
	p.printed.Add(1)
	if line.Cut > 0 {
		if p.cutLast[from.Name] != line.Number { // it may come in parts while it grows
			p.cutLast[from.Name] = line.Number
			p.cutLines++
		}
		p.cutBytes += int64(line.Cut)
	}
	if p.look.prefix {
		p.prefix(from)
	}
	if p.look.stamps && !line.Time.IsZero() {
		_, _ = p.out.WriteString(line.Time.UTC().Format(stampFormat))
		_ = p.out.WriteByte(' ')
	}
	text := termtext.Log(line.Text) // a recording may hold text that no source of ours keeps
	coloured := strings.IndexByte(text, 0x1b) >= 0
	if coloured && !p.look.colour {
		text, coloured = ansi.Strip(text), false
	}
	_, _ = p.out.WriteString(text)
	if coloured {
		_, _ = p.out.WriteString("\x1b[0m")
	}
	if err := p.out.WriteByte('\n'); err != nil && p.err == nil {
		p.err = err
	}
}

func (p *logPrinter) prefix(from mergedlogs.LogSource) {
	p.mu.Lock()
	width := p.width
	p.mu.Unlock()
	if p.look.colour {
		_, _ = p.out.WriteString("\x1b[" + palette[from.Colour%len(palette)] + "m")
	}
	_ = p.out.WriteByte('[')
	for range width - len(from.Name) {
		_ = p.out.WriteByte(' ')
	}
	_, _ = p.out.WriteString(from.Name)
	_ = p.out.WriteByte(']')
	if p.look.colour {
		_, _ = p.out.WriteString("\x1b[0m")
	}
	_ = p.out.WriteByte(' ')
}

// flush writes the buffered lines; an error stays.
func (p *logPrinter) flush() error {
	if err := p.out.Flush(); err != nil && p.err == nil {
		p.err = err
	}
	return p.err
}

// say writes a message to standard error, once.
func (p *logPrinter) say(format string, args ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text := termtext.Line(fmt.Sprintf(format, args...))
	const most = 10_000 // different messages; a program that runs for weeks must not keep them all
	if p.said[text] || len(p.said) > most {
		return
	}
	p.said[text] = true
	fmt.Fprintln(p.messages, "traintop:", text)
}

// whileSilent reports progress as long as nothing is printed.
func (p *logPrinter) whileSilent(progress func() string) func() string {
	before := int64(0)
	return func() string {
		printed := p.printed.Load()
		if silent := printed == before; silent {
			return progress()
		}
		before = printed
		return ""
	}
}

// trouble receives the status of a log, and prints the problems in it.
func (p *logPrinter) trouble(from mergedlogs.LogSource, status train.StreamStatus) {
	switch status.State {
	case train.StreamForbidden, train.StreamFailed, train.StreamGone, train.StreamWaiting:
		if status.Retry.IsZero() {
			p.mu.Lock()
			p.failed++
			p.mu.Unlock()
		}
		p.say("[%s] %s", from.Name, status.Text)
	case train.StreamRetrying, train.StreamLive, train.StreamEnded:
		if status.Text != "" {
			p.say("[%s] %s", from.Name, status.Text)
		}
	}
}

// notes prints problems of many logs at once.
func (p *logPrinter) notes(all []problemAnswer) {
	for _, n := range logsread.Group(all) {
		p.say("[%s] %s", n.Source, n.Text)
	}
}

// unknownRanks names the chosen ranks that the job does not have.
func (p *logPrinter) unknownRanks(w *logsWanted, job *train.Job) {
	if why := w.ranks.Unknown(arguments.RanksOf(job)); why != "" {
		p.say("%s: %s", termtext.Line(job.Ref.String()), why)
	}
}

// sayDeleted names a job that exists no longer, and the deleted ones of its name.
func (p *logPrinter) sayDeleted(snapshot *store.Snapshot, job *train.Job) {
	if earlier := earlierJobs(snapshot, job); earlier != "" {
		p.say("%s: %s", termtext.Line(job.Ref.String()), termtext.Line(earlier))
	}
	if store.IsDeletedJob(job.ID) {
		p.say("%s is deleted; what is known of its logs by its pods is printed", termtext.Line(job.Ref.String()))
	}
}

// end flushes, and reports cut lines.
func (p *logPrinter) end() error {
	if p.cutLines > 0 {
		p.say("lines longer than 64 KiB, which were cut: %d; bytes of them that are not shown: %d", p.cutLines, p.cutBytes)
	}
	if p.merge != nil {
		if lines, bytes := p.merge.Unsearched(); lines > 0 {
			p.say("lines longer than 64 KiB, of which --grep found nothing in what is kept: %d; bytes of them that were not searched: %d", lines, bytes)
		}
	}
	return p.flush()
}
