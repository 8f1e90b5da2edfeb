package logfindings

import (
	"regexp"
	"time"

	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// samplesAfter counts the samples that follow a line in its log: those of its
// own rank or of no known rank, and the most that any one other rank printed.
// Samples of another log that was appended to this one do not count.
func samplesAfter(log *store.Log, hit *train.LogHit) (own, others int) {
	rows, end, byRank := log.Samples.Rows, endOfPart(log, hit), map[int]int{}
	for i := len(rows) - 1; i >= 0 && rows[i].Line > hit.Line; i-- {
		switch {
		case end > 0 && rows[i].Line >= end:
		case hit.Rank < 0 || rows[i].Rank < 0 || int(rows[i].Rank) == hit.Rank:
			own++
		default:
			byRank[int(rows[i].Rank)]++
			others = max(others, byRank[int(rows[i].Rank)])
		}
	}
	return own, others
}

// fileHeader is the line with which head and tail name the file whose lines
// follow.
var fileHeader = regexp.MustCompile(`^==> .+ <==$`)

// farthestHeader is how many lines after a hit are searched for such a header.
const farthestHeader = 256

// endOfPart returns the number of the first line that belongs to another log
// than a hit before it, 0 for none: a header names another file, or the clock
// of the samples jumps back.
func endOfPart(log *store.Log, hit *train.LogHit) int64 {
	end := int64(0)
	from := log.Lines.Find(hit.Line + 1)
	for i := from; i < min(log.Lines.Len(), from+farthestHeader); i++ {
		if line := log.Lines.At(i); fileHeader.MatchString(line.Text) {
			end = line.Number
			break
		}
	}
	if hit.Time.IsZero() {
		return end
	}
	rows := log.Samples.Rows
	for i := len(rows) - 1; i >= 0 && rows[i].Line > hit.Line; i-- {
		if at := rows[i].Time; at != 0 && hit.Time.UnixNano()-at > int64(clockJitter) && (end == 0 || rows[i].Line < end) {
			end = rows[i].Line
		}
	}
	return end
}

// clockJitter is by how much the lines of processes that share a log may be
// out of order.
const clockJitter = 2 * time.Second
