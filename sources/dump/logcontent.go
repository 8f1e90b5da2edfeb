package dump

import (
	"bytes"
	"path/filepath"
	"regexp"

	"github.com/traintop/traintop/sources/dump/document"
	"github.com/traintop/traintop/sources/logfeed"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// notLogs are file names of programs, settings, notes and tables: they may
// quote a log, and have names and numbers, without being one.
var notLogs = regexp.MustCompile(`(?i)(?:^|[-_.])(?:readme|license|requirements)\b|^timestamp$|\.(?:py|pyi|ipynb|sh|bash|zsh|go|c|cc|cpp|cu|h|hpp|rs|js|ts|java|md|rst|adoc|tex|html?|css|csv|tsv|ya?ml|toml|ini|cfg|conf|env|lock|sql|proto|xml|patch|diff|service)$`)

// readsAsLog reports whether a text in a folder has the content of a log,
// whatever its name.
func (r *fileReader) readsAsLog(name string) bool {
	in, err := r.files.disk.Open(name)
	if err != nil {
		return false // it was read before; reading it again will report the error
	}
	defer in.Close() // read only, so this error loses nothing
	o, err := unpack(in)
	if err != nil {
		return false
	}
	if notLogs.MatchString(filepath.Base(name)) {
		return o.converted
	}
	head, _ := o.text.Peek(sniffSize) // a short text is no error
	return o.is == isForeign || isLogText(head, r.files.logs)
}

// isLogText reports whether a text has JSON lines, times at the start of most
// lines, samples, or known texts of failures.
func isLogText(head []byte, o logfeed.Options) bool {
	if isJSONLines(document.NullNumbers(head)) && bytes.Contains(bytes.TrimSpace(head), []byte{'\n'}) { // settings may be one line
		return true
	}
	signs := &logSigns{}
	feed := logfeed.NewFeed(signs, train.StreamID{File: "text"}, o)
	_, _ = feed.Write(head) // a feed never fails
	feed.End()
	return signs.samples > 0 || signs.hits > 0 || signs.dated > 0 && signs.dated*2 >= signs.lines
}

// logSigns counts the signs of a log.
type logSigns struct{ lines, dated, samples, hits int }

// Apply implements sources.Sink.
func (s *logSigns) Apply(events ...store.Event) {
	for _, e := range events {
		logged, is := e.(store.Logged)
		if !is {
			continue
		}
		for i := range logged.Lines {
			s.lines++
			if !logged.Lines[i].Time.IsZero() {
				s.dated++
			}
		}
		s.samples += len(logged.Samples)
		s.hits += len(logged.Hits)
	}
}
