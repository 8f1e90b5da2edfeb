package recording

import (
	"sort"
	"strconv"

	"github.com/traintop/traintop/train"
)

// Most numbers of a sample occur in the text of its line, which is in the same
// record. A sample therefore refers to the line's number instead of repeating
// it. A number is encoded either as inline followed by the number, or as its
// position among the numbers of the line, counted from 1.
const inline = 0

// sample encodes a sample without a schema.
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
	tokens := numbersOf(line)
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
	tokens := numbersOf(line)
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

// from writes a number, by its position in the line if it occurs there. hint
// is the position of the same number in the line before, which mostly saves a
// search.
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

// lineNumbers are the first numbers in a line, found on demand: digits with a
// decimal point and an exponent, and a minus sign before them. Stored files
// depend on which texts count as numbers, so this must not change without a
// new Version.
type lineNumbers struct {
	text   string
	looked int // offset at which the search continues
	spans  [mostNumbers]struct{ begin, end uint16 }
	n      int
	// values caches parsed numbers; the bits in known mark which.
	values [mostNumbers]float64
	known  uint32
}

const mostNumbers = 24

// numbersOf returns the numbers of a line, none for nil.
func numbersOf(line *train.LogLine) (l lineNumbers) {
	const mostSearched = 1 << 10
	if line != nil {
		l.text = line.Text[:min(len(line.Text), mostSearched)]
	}
	return l
}

// has reports whether the line has a number at a position, counted from 1.
func (l *lineNumbers) has(place int) bool {
	if place > mostNumbers {
		return false
	}
	for l.n < place && l.findNext() {
	}
	return l.n >= place
}

func (l *lineNumbers) findNext() bool {
	text := l.text
	for i := l.looked; i < len(text); i++ {
		if text[i]-'0' > 9 {
			continue
		}
		begin, end := i, endOfNumber(text, i)
		if begin > 0 && text[begin-1] == '-' {
			begin--
		}
		l.spans[l.n].begin, l.spans[l.n].end = uint16(begin), uint16(end)
		l.n++
		l.looked = end
		return true
	}
	l.looked = len(text)
	return false
}

// value returns the number at an existing position.
func (l *lineNumbers) value(place byte) float64 {
	i := place - 1
	if l.known&(1<<i) == 0 {
		l.known |= 1 << i
		l.values[i] = numberIn(l.text[l.spans[i].begin:l.spans[i].end])
	}
	return l.values[i]
}

func numberIn(text string) float64 {
	if v, exact := shortDecimal(text); exact {
		return v
	}
	v, _ := strconv.ParseFloat(text, 64) // a number too large is infinite
	return v
}

// exactPowers are the powers of ten that a float64 holds exactly.
var exactPowers = [...]float64{
	1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
}

// shortDecimal parses most numbers of logs exactly as strconv.ParseFloat does,
// several times faster: an integer below 2^53, multiplied or divided by an
// exact power of ten, gives the nearest number. It reports exact as false for
// all others.
func shortDecimal(text string) (v float64, exact bool) {
	const mostDigits = 15
	var whole uint64
	digits, point := 0, -1
	negative := text[0] == '-'
	if negative {
		text = text[1:]
	}
	i := 0
	for ; i < len(text); i++ {
		if c := text[i] - '0'; c <= 9 {
			whole = whole*10 + uint64(c)
			digits++
		} else if text[i] == '.' {
			point = digits
		} else {
			break
		}
	}
	power := 0
	if i < len(text) { // an exponent
		var short bool
		if power, short = shortExponent(text[i+1:]); !short {
			return 0, false
		}
	}
	if point >= 0 {
		power -= digits - point
	}
	if digits > mostDigits || power >= len(exactPowers) || -power >= len(exactPowers) {
		return 0, false
	}
	if v = float64(whole); power < 0 {
		v /= exactPowers[-power]
	} else {
		v *= exactPowers[power]
	}
	if negative {
		v = -v
	}
	return v, true
}

// shortExponent parses an exponent of one or two digits.
func shortExponent(text string) (n int, short bool) {
	negative := text[0] == '-'
	if negative || text[0] == '+' {
		text = text[1:]
	}
	if len(text) > 2 {
		return 0, false
	}
	for i := range len(text) {
		n = n*10 + int(text[i]-'0')
	}
	if negative {
		n = -n
	}
	return n, true
}

// place returns the position of a number, 0 if it does not occur; it tries
// hint first.
func (l *lineNumbers) place(v float64, hint byte) byte {
	if v == 0 || v != v { // a zero may be minus zero
		return 0
	}
	if hint > 0 && l.has(int(hint)) && l.value(hint) == v {
		return hint
	}
	for place := 1; l.has(place); place++ {
		if l.value(byte(place)) == v {
			return byte(place)
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

// lineNumbered finds a line by its number. Lines are in order, except that a
// redrawn progress bar repeats its number.
func lineNumbered(lines []train.LogLine, number int64) *train.LogLine {
	if len(lines) == 0 {
		return nil
	}
	at := number - lines[0].Number // index if no number is missing
	if at >= 0 && at < int64(len(lines)) && lines[at].Number == number && (at == 0 || lines[at-1].Number < number) {
		return &lines[at]
	}
	i := sort.Search(len(lines), func(i int) bool { return lines[i].Number >= number })
	if i < len(lines) && lines[i].Number == number {
		return &lines[i]
	}
	return nil
}
