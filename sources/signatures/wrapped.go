package signatures

import (
	"bytes"
	"time"

	"github.com/traintop/traintop/train"
)

// cutting joins lines that a terminal of fixed width, or a form into which they were
// pasted, cut at that width: no single line then contains the message. It joins only
// lines as long as the longest so far, and only where a word or a sentence continues.
// A hit in the joined text that no single line has gets the number of the first line.
type cutting struct {
	width  int // of the longest line so far
	number int64
	at     time.Time
	text   []byte // the joined lines, empty for none
	weight int    // greatest weight of the lines' own hits
}

// Limits of what may be cut: nobody has a narrower terminal, and a wider one cuts
// almost nothing.
const (
	minCutWidth = 60
	maxCutWidth = 400
	maxCutBytes = 4 << 10
)

// bar is the block of which progress bars are made: a bar is drawn to the width of the
// terminal, and no message is cut there.
var bar = []byte("█")

// goesOnIn reports whether the text continues in line: at least one side of the cut
// has no space, and line does not begin like a line of its own.
func (c *cutting) goesOnIn(line []byte) bool {
	if len(c.text) == 0 || len(line) == 0 || len(line) > c.width {
		return false
	}
	first, last := line[0], c.text[len(c.text)-1]
	if first == ' ' {
		if last == ' ' || len(line) < 2 || line[1] == ' ' {
			return false
		}
	} else if !letter(first) && digits(line) == 0 && bytes.IndexByte([]byte("_/.,:;)='\"(<-`"), first) < 0 {
		return false
	}
	if len(line) >= 3 && bytes.HasPrefix(c.text, line[:3]) || bytes.HasPrefix(line, []byte("Traceback")) {
		return false // each line begins like this
	}
	return !isStamp(line)
}

// isStamp reports whether a line begins with a time: "2026-05-18", "12:30:01",
// "E0612 ".
func isStamp(line []byte) bool {
	if len(line) > 0 && bytes.IndexByte([]byte("IWEF"), line[0]) >= 0 {
		return digits(line[1:]) == 4
	}
	n := digits(line)
	return n < len(line) && (n == 4 && (line[4] == '-' || line[4] == '/') || n == 2 && line[2] == ':')
}

// digits counts the digits at the beginning.
func digits(text []byte) int {
	n := 0
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	return n
}

// uncut adds the next line, with its own hits, and returns a hit of the joined lines
// if they have one.
func (s *Scanner) uncut(number int64, at time.Time, line []byte, hits []train.LogHit) (hit train.LogHit, found bool) {
	c := &s.cutting
	if c.goesOnIn(line) && len(c.text)+len(line) <= maxCutBytes {
		c.text = append(c.text, line...)
		c.weight = max(c.weight, heaviest(hits))
		hit, found = s.together()
		if len(line) < c.width {
			c.text = c.text[:0]
		}
		return hit, found
	}
	c.text = c.text[:0]
	if len(line) >= max(c.width, minCutWidth) && len(line) <= maxCutWidth && !bytes.Contains(line, bar) {
		c.width = len(line)
		c.text, c.number, c.at, c.weight = append(c.text, line...), number, at, heaviest(hits)
	}
	return hit, false
}

// heaviest is the greatest weight of hits, 0 for none.
func heaviest(hits []train.LogHit) int {
	weight := 0
	for i := range hits {
		if w, _, known := Weigh(&hits[i]); known {
			weight = max(weight, w)
		}
	}
	return weight
}

// together returns a hit of the joined lines that none of them has alone.
func (s *Scanner) together() (train.LogHit, bool) {
	c := &s.cutting
	if bytes.Contains(c.text, []byte("NCCL INFO")) {
		return train.LogHit{}, false
	}
	s.found = s.list.anchors.find(c.text, s.found[:0])
	if len(s.found) == 0 {
		return train.LogHit{}, false
	}
	p := unprefix(c.text)
	r, m := s.best(p.text)
	if r == nil || m.Cause == "" || m.Weight <= c.weight {
		return train.LogHit{}, false
	}
	c.weight = m.Weight
	hit := train.LogHit{Signature: m.Signature, Cause: m.Cause, Line: c.number, Time: c.at, Text: shown(p.text), Captures: m.Captures, Rank: p.rank}
	if rank, named := r.rank(m.Captures); named {
		hit.Rank = rank
	} else if hit.Rank < 0 {
		hit.Rank = namedRank(p.text)
	}
	return hit, true
}

// behindClock returns a line without what Kaggle's log of a notebook writes before it: the
// seconds since its start and the number of the line, each with a tab behind.
func behindClock(text []byte) []byte {
	if len(text) == 0 || text[0] < '0' || text[0] > '9' {
		return text
	}
	clock, rest, timed := bytes.Cut(text[:min(len(text), clockWithin)], []byte("s\t"))
	if !timed || digits(bytes.Replace(clock, []byte("."), nil, 1)) != len(clock)-bytes.Count(clock, []byte(".")) {
		return text
	}
	number, _, numbered := bytes.Cut(rest, []byte("\t"))
	if !numbered || digits(number) != len(number) {
		return text
	}
	return text[len(clock)+len(number)+len("s\t\t"):]
}

// clockWithin is how many bytes the seconds and the number of a line have at most.
const clockWithin = 24

// behindBar returns the message behind a progress bar of tqdm, which ends without a line
// break: " 0%|   | 0/3100 [00:00<?, ?it/s][rank1]: Traceback". A line that is a bar alone,
// or none, stays as it is.
func behindBar(text []byte) []byte {
	at := bytes.Index(text, []byte("%|"))
	if at < 0 || at > 5 && digits(bytes.TrimLeft(text, " ")) == 0 {
		return text
	}
	_, counts, drawn := bytes.Cut(text[at+2:], []byte("| "))
	_, rate, timed := bytes.Cut(counts, []byte(" ["))
	_, message, ends := bytes.Cut(rate, []byte("]"))
	if !drawn || !timed || !ends || len(message) < shortLine {
		return text
	}
	return message
}
