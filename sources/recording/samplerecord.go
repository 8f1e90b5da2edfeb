package recording

import (
	"sort"
	"strconv"

	"github.com/traintop/traintop/train"
)

// Most numbers of a sample stand in the text of its line, which is in the
// same record: the sample then says which number of the line it is instead of
// writing it out. These are the ways in which a number stands in a record:
// inline and the number, or its place among the numbers of the line and 1.
const inline = 0

// sample writes what a line says of training.
func (e *encoder) sample(delta *streamDelta, s *train.Sample, lines []train.LogLine) {
	line := lineNumbered(lines, s.Line)
	e.int(s.Line - delta.line)
	sameTime := line != nil && line.Time.Equal(s.Time) && line.Time.Location() == s.Time.Location()
	e.byte(flags(s.HasStep, s.HasEpoch, sameTime, line != nil))
	if !sameTime {
		e.time(s.Time)
	}
	e.int(int64(s.Rank))
	e.byte(byte(s.Scope))
	var tokens lineNumbers
	if line != nil {
		tokens.find(line.Text)
	}
	e.from(&tokens, s.Step, &delta.hints[0])
	e.from(&tokens, s.Epoch, &delta.hints[1])
	e.uint(uint64(len(s.Metrics)))
	for i := range s.Metrics {
		e.word(s.Metrics[i].Name)
		e.from(&tokens, s.Metrics[i].Value, &delta.hints[2+i%(len(delta.hints)-2)])
	}
}

func (d *decoder) samples(delta *streamDelta, lines []train.LogLine, n int) (all []train.Sample) {
	for range n {
		if all = append(all, d.sample(delta, lines)); d.err != nil {
			break
		}
	}
	return all
}

func (d *decoder) sample(delta *streamDelta, lines []train.LogLine) train.Sample {
	s := train.Sample{Line: delta.line + d.int()}
	set := d.byte()
	s.HasStep, s.HasEpoch = set&1 != 0, set&2 != 0
	var line *train.LogLine
	if set&8 != 0 {
		line = lineNumbered(lines, s.Line)
	}
	switch {
	case set&4 == 0:
		s.Time = d.time()
	case line != nil:
		s.Time = line.Time
	}
	s.Rank, s.Scope = int(d.int()), train.StepScope(d.byte())
	var tokens lineNumbers
	if line != nil {
		tokens.find(line.Text)
	}
	s.Step, s.Epoch = d.from(&tokens), d.from(&tokens)
	if n := d.count(); n > 0 {
		s.Metrics = make([]train.Metric, n)
	}
	for i := range s.Metrics {
		s.Metrics[i] = train.Metric{Name: d.word(), Value: d.from(&tokens)}
	}
	return s
}

func flags(set ...bool) (b byte) {
	for i, is := range set {
		if is {
			b |= 1 << i
		}
	}
	return b
}

// from writes a number by its place in the line where it stands there. hint is
// where its like stood in the line before, which mostly saves a search.
func (e *encoder) from(tokens *lineNumbers, v float64, hint *byte) {
	if place := tokens.place(v, *hint); place > 0 {
		*hint = place
		e.byte(place)
		return
	}
	e.byte(inline)
	e.number(v)
}

func (d *decoder) from(tokens *lineNumbers) float64 { return d.at(tokens, d.byte()) }

// lineNumbers are the first numbers that stand in a line.
type lineNumbers struct {
	text  string
	spans [24]struct{ begin, end uint16 }
	n     int
}

// find looks for the numbers of a text: digits with a point and an exponent,
// and a sign in front of them. What it finds decides what files mean, so it
// stays as it is for as long as Version does.
func (l *lineNumbers) find(text string) {
	const mostSearched = 1 << 10
	l.text = text[:min(len(text), mostSearched)]
	for i := 0; i < len(l.text) && l.n < len(l.spans); i++ {
		if !isDigit(l.text[i]) {
			continue
		}
		begin, end := i, endOfNumber(l.text, i)
		if begin > 0 && l.text[begin-1] == '-' {
			begin--
		}
		l.spans[l.n].begin, l.spans[l.n].end = uint16(begin), uint16(end)
		l.n++
		i = end - 1
	}
}

// value is the number at a place from 1.
func (l *lineNumbers) value(place byte) float64 {
	span := l.spans[place-1]
	text := l.text[span.begin:span.end]
	if v, exact := shortDecimal(text); exact {
		return v
	}
	v, _ := strconv.ParseFloat(text, 64) // too large a number is infinite
	return v
}

// shortDecimal reads what most numbers of logs are, as strconv.ParseFloat
// does and several times faster: a whole number below 2^53 over a power of
// ten that is exact give the nearest number. It leaves others alone.
func shortDecimal(text string) (v float64, exact bool) {
	const mostDigits = 15
	var whole uint64
	digits, behind := 0, 0
	negative := text[0] == '-'
	if negative {
		text = text[1:]
	}
	for i := range len(text) {
		switch c := text[i]; {
		case isDigit(c):
			whole = whole*10 + uint64(c-'0')
			digits++
		case c == '.':
			behind = len(text) - 1 - i
		default:
			return 0, false
		}
	}
	if digits > mostDigits || behind >= len(powers) {
		return 0, false
	}
	if v = float64(whole) / powers[behind]; negative {
		v = -v
	}
	return v, true
}

// place is where a number stands, 0 for nowhere; hint is looked at first.
func (l *lineNumbers) place(v float64, hint byte) byte {
	if v == 0 || v != v { // a zero may be minus zero
		return 0
	}
	if hint > 0 && int(hint) <= l.n && l.value(hint) == v {
		return hint
	}
	for i := range l.n {
		if l.value(byte(i+1)) == v {
			return byte(i + 1)
		}
	}
	return 0
}

func endOfNumber(text string, i int) int {
	i = endOfDigits(text, i)
	if i+1 < len(text) && text[i] == '.' && isDigit(text[i+1]) {
		i = endOfDigits(text, i+1)
	}
	if i+1 < len(text) && (text[i] == 'e' || text[i] == 'E') {
		at := i + 1
		if at+1 < len(text) && (text[at] == '-' || text[at] == '+') {
			at++
		}
		if isDigit(text[at]) {
			i = endOfDigits(text, at)
		}
	}
	return i
}

func endOfDigits(text string, i int) int {
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	return i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// lineNumbered finds a line by its number; lines come in order, but for a
// bar, which comes again.
func lineNumbered(lines []train.LogLine, number int64) *train.LogLine {
	i := sort.Search(len(lines), func(i int) bool { return lines[i].Number >= number })
	if i < len(lines) && lines[i].Number == number {
		return &lines[i]
	}
	return nil
}
