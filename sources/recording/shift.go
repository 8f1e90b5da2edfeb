package recording

import (
	"slices"
	"time"

	"github.com/traintop/traintop/train"
)

// Shift moves all times of the recording by a duration, truncated to whole
// seconds because times in objects have no more. From, To, Info, Marks, Load,
// Next and At then use the shifted times, also inside objects. Further calls
// add up. Call it before Load: events already applied are not shifted, and
// Next needs a new Load first.
//
// Texts do not change, except a time of the form 2026-11-20 14:07:31 (or with
// a T) within the first bytes of a log line.
func (f *File) Shift(by time.Duration) {
	by = by.Truncate(time.Second)
	f.play.close()
	f.objects = nil
	f.shift += by
	move := func(p *piece) {
		p.from += by.Microseconds()
		p.to += by.Microseconds()
	}
	for i := range f.pieces {
		move(&f.pieces[i])
	}
	for i := range f.runs {
		move(&f.runs[i].piece)
	}
	for i := range f.interruptions {
		move(&f.interruptions[i].piece)
		f.interruptions[i].gap = f.interruptions[i].gap.shifted(by)
	}
	for _, chunks := range f.chunks {
		for i := range chunks {
			c := &chunks[i]
			c.from += by.Microseconds()
			c.to += by.Microseconds()
			for k := range c.pieces {
				move(&c.pieces[k])
			}
		}
	}
	f.findResyncs()
	f.mu.Lock()
	defer f.mu.Unlock()
	f.info.From, f.info.To = f.info.From.Add(by), f.info.To.Add(by)
	f.info.About.Began = later(f.info.About.Began, by)
	f.info.Gaps = slices.Clone(f.info.Gaps) // earlier results of Info must not change
	for i := range f.info.Gaps {
		f.info.Gaps[i] = f.info.Gaps[i].shifted(by)
	}
	for _, losses := range []*[]Loss{&f.info.Damage, &f.damage} {
		*losses = slices.Clone(*losses)
		for i := range *losses {
			l := &(*losses)[i]
			l.From, l.To = later(l.From, by), later(l.To, by)
		}
	}
	f.info.Turns = slices.Clone(f.info.Turns)
	for i := range f.info.Turns {
		f.info.Turns[i].At = later(f.info.Turns[i].At, by)
	}
}

// shifted returns the gap at another time.
func (g Gap) shifted(by time.Duration) Gap {
	g.From, g.To = later(g.From, by), later(g.To, by)
	return g
}

// later moves an instant; the zero time stays zero.
func later(t time.Time, by time.Duration) time.Time {
	if t.IsZero() {
		return t
	}
	return t.Add(by)
}

// stampAt limits the offset at which a line's own time may start: after a
// bracket or a short name, as in "[titan] 2026-11-20 14:07:31,512 - root".
const stampAt = 12

// shiftLines moves the times at the start of lines.
func shiftLines(lines []train.LogLine, by time.Duration) {
	for i := range lines {
		lines[i].Text = shiftText(lines[i].Text, by)
	}
}

func shiftText(text string, by time.Duration) string {
	const size = len(time.DateTime)
	for at := 0; at <= stampAt && at+size <= len(text); at++ {
		if text[at] < '0' || text[at] > '9' {
			continue
		}
		if !hasShape(text[at:at+size], "dddd-dd-dd?dd:dd:dd") {
			return text // another number comes first
		}
		layout := time.DateTime
		if text[at+10] == 'T' {
			layout = "2006-01-02T15:04:05"
		}
		stamp, err := time.Parse(layout, text[at:at+size])
		if err != nil {
			return text
		}
		return text[:at] + stamp.Add(by).Format(layout) + text[at+size:]
	}
	return text
}

// hasShape compares a text with a pattern of the same length: d matches a
// digit, ? anything, and other bytes themselves.
func hasShape(text, pattern string) bool {
	for i := range len(pattern) {
		switch pattern[i] {
		case 'd':
			if !isDigit(text[i]) {
				return false
			}
		case '?':
		case text[i]:
		default:
			return false
		}
	}
	return true
}
