package dump

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/traintop/traintop/sources/metrics"
	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/termtext"
)

// Unmeasured is a text that has nothing about GPUs in it, as far as it is known.
type Unmeasured struct {
	Problem
	// Log is true if the text has the content of a log, which need not have
	// anything about GPUs.
	Log bool
}

// mostUnmeasured limits how many such texts are kept.
const mostUnmeasured = 20

// ExpectMetrics makes Unmeasured list the texts without GPUs. Call it before Run.
func (f *Files) ExpectMetrics() { f.measures = true }

// Unmeasured returns the texts that were read to their end without finding a GPU, the
// first of them, and that are neither objects nor reported as unreadable.
func (f *Files) Unmeasured() []Unmeasured {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.unmeasured
}

// addUnmeasured records a text without GPUs.
func (r *fileReader) addUnmeasured(file string, got report) {
	if got.begins == "" || got.trouble() {
		return
	}
	why := fmt.Sprintf("it begins with %q, which is neither a table nor a series of GPUs that is known", got.begins)
	if got.metrics {
		why = fmt.Sprintf("%s; it begins with %q", got.note, got.begins)
	}
	f := r.files
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.unmeasured) < mostUnmeasured {
		f.unmeasured = append(f.unmeasured, Unmeasured{Problem{File: file, Text: "nothing about GPUs was read: " + why}, got.likeLog})
	}
}

// BadPages returns the pages of exporters in which lines are bad, and the answers of
// Prometheus that are errors or incomplete, in which not one GPU could be read, the first
// of them and each with its first problem: they do not show that there are none.
func (f *Files) BadPages() []Problem {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.badPages
}

// addBadPage records such a page.
func (r *fileReader) addBadPage(file string, got report) {
	if !got.badPage || len(got.broken) == 0 {
		return
	}
	f := r.files
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.badPages) < mostUnmeasured {
		f.badPages = append(f.badPages, got.broken[0])
	}
}

// firstWords returns the beginning of the first line that is no comment, for a
// message.
func firstWords(head []byte) string {
	first := ""
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if first = cmp.Or(first, string(line)); len(line) > 0 && line[0] != '#' {
			first = string(line)
			break
		}
	}
	return termtext.Short(redact.Text(first), 60)
}

// expectMetrics completes the report of a text in which no GPU was found.
func (r *fileReader) expectMetrics(got report, head []byte) report {
	if !r.files.measures {
		return got
	}
	got.begins = firstWords(head)
	got.likeLog = got.log && isLogText(head, r.files.logs)
	return got
}

// withoutGPUs reports whether an answer has series, of which none is known.
func withoutGPUs(a metrics.Answer) bool {
	return a.Note == metrics.NoGPUs || a.Note == metrics.NoGPUSeries
}
