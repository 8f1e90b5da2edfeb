package formats

import (
	"bytes"
	"time"

	"github.com/traintop/traintop/train"
)

var nerfstudio = format{
	name:   `nerfstudio`,
	source: `nerfstudio 0.1 to 1.1, nerfstudio/utils/writer.py`,
	about:  `a table of the step, its duration, what remains and the rate; no loss`,
	read:   readNerfstudio,
	examples: []example{
		{lines: []string{
			`Step (% Done)       Train Iter (time)    ETA (time)           Train Rays / Sec`,
			`150 (0.50%)         16.357 ms            8 m, 8 s             40.02 M`,
		}, want: `step=150 step_time_ms=16.357`},
		{lines: []string{
			`4210 (84.18%)       1 s, 46.2 ms         36 s, 563.6 ms       13.93 M`,
		}, want: `step=4210 step_time_s=1.0462`},
	},
}

// readNerfstudio parses "150 (0.50%)         16.357 ms            8 m, 8 s             40.02 M":
// two spaces separate the cells.
func readNerfstudio(p *Parser, l *line) bool {
	if len(l.text) == 0 || !isDigit(l.text[0]) {
		return false
	}
	first, rest, _ := bytes.Cut(l.text, []byte("%)  "))
	step, at, numeric := readFloat(first, 0)
	if !numeric || !bytes.HasPrefix(first[at:], []byte(" (")) {
		return false
	}
	_, end, percent := readFloat(first, at+len(" ("))
	took, rest, measured := durationCell(rest)
	left, _, remains := durationCell(rest)
	if !percent || end != len(first) || !measured || !remains {
		return false
	}
	pt := &p.pairs.point
	pt.reset()
	pt.hasStep, pt.step, pt.scope, pt.scopeKnown = true, step, train.ScopeRun, true
	if took < time.Second {
		pt.add(metricStepMillis, float64(took)/float64(time.Millisecond))
	} else {
		pt.add(train.MetricStepTime, took.Seconds())
	}
	pt.setRemaining(left)
	p.accept(l, pt)
	return true
}

// durationCell reads the duration with which text begins, a list of numbers with units,
// and returns what is behind it: "8 m, 8 s".
func durationCell(text []byte) (d time.Duration, rest []byte, ok bool) {
	text = bytes.TrimLeft(text, " ")
	seconds := 0.0
	for {
		number, end, numeric := readFloat(text, 0)
		if !numeric || end >= len(text) || text[end] != ' ' {
			return 0, text, false
		}
		word := end + 1
		for end = word; end < len(text) && isLetter(text[end]); {
			end++
		}
		of := units[string(text[word:end])]
		scale, _ := of.seconds()
		if of == unitNone || scale == 0 {
			return 0, text, false
		}
		seconds += number * scale
		if text = text[end:]; !bytes.HasPrefix(text, []byte(", ")) {
			break
		}
		text = text[len(", "):]
	}
	if !(seconds >= 0 && seconds < maxRemaining) {
		return 0, text, false
	}
	return time.Duration(seconds * float64(time.Second)), text, true
}
