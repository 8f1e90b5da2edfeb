package exported

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"time"

	"github.com/traintop/traintop/sources/logfeed"
)

// Log collectors show the newest line first, and many of their exports are in
// that order: Grafana's "Download logs", CloudWatch Logs Insights, Kibana. Such
// a file is read from its last line to its first; otherwise the first step
// would be taken for the last one, and a failure for its own beginning.

const (
	// leastFalls is how often the time must fall from one line to the next.
	leastFalls = 5
	// MaxReversed limits a file that is kept in memory to be turned around.
	MaxReversed = 256 << 20
)

// NewestFirst reports whether the times of the lines of a text's beginning
// only fall. A line that is cut off at the end does not count.
func NewestFirst(head []byte) bool {
	falls, before := 0, time.Time{}
	for len(head) > 0 {
		line, rest, whole := bytes.Cut(head, []byte{'\n'})
		if !whole {
			break
		}
		head = rest
		at := timeOfLine(line)
		switch {
		case at.IsZero():
			continue
		case !before.IsZero() && at.After(before):
			return false
		case at.Before(before):
			falls++
		}
		before = at
	}
	return falls >= leastFalls
}

// timeOfLine returns the time that a line begins with, or that a line of JSON
// has beside its message; zero for none.
func timeOfLine(line []byte) time.Time {
	if bytes.HasPrefix(line, []byte{'{'}) {
		var fields map[string]any
		if json.Unmarshal(line, &fields) != nil {
			return time.Time{}
		}
		r, _ := recordOf(fields)
		return r.At
	}
	return logfeed.TimeOf(bytes.TrimPrefix(line, []byte{'"'}), time.UTC)
}

// OldestFirst turns a text around whose newest line comes first: by entries,
// which begin with a line that has a time and keep the order of the lines
// after it. all is false where the text is too long to be turned around, and
// is returned as it was.
func OldestFirst(text *bufio.Reader) (turned *bufio.Reader, all bool, err error) {
	whole, err := io.ReadAll(io.LimitReader(text, MaxReversed+1))
	if err != nil {
		return nil, false, err
	}
	if len(whole) > MaxReversed {
		return bufio.NewReader(io.MultiReader(bytes.NewReader(whole), text)), false, nil
	}
	var entries [][]byte
	for len(whole) > 0 {
		end := bytes.IndexByte(whole, '\n') + 1
		if end == 0 {
			whole = append(whole, '\n')
			end = len(whole)
		}
		line := whole[:end]
		if last := len(entries) - 1; last >= 0 && timeOfLine(line).IsZero() {
			from := entries[last]
			entries[last] = from[:len(from)+len(line)] // they are adjacent in the text
		} else {
			entries = append(entries, line)
		}
		whole = whole[end:]
	}
	slices.Reverse(entries)
	readers := make([]io.Reader, len(entries))
	for i, entry := range entries {
		readers[i] = bytes.NewReader(entry)
	}
	return bufio.NewReader(io.MultiReader(readers...)), true, nil
}
