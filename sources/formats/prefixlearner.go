package formats

import (
	"bytes"
	"math/bits"
	"strings"
	"time"

	"github.com/traintop/traintop/train"
)

// prefixLearner keeps the first lines of a log, and finds what they all begin
// with. Whether that is a prefix is decided by the result: the lines are read
// again without it, and it counts if that gives more points.
type prefixLearner struct {
	lines []keptLine
	bytes int
	// read is what was read from each line.
	read map[int64]contents
}

// contents are the parts that samples of a line have.
type contents uint8

const (
	withSample contents = 1 << iota
	withStep
	withEpoch
	withLoss
)

func contentsOf(s *train.Sample) contents {
	has := withSample
	if s.HasStep {
		has |= withStep
	}
	if s.HasEpoch {
		has |= withEpoch
	}
	for i := range s.Metrics {
		if name := s.Metrics[i].Name; name == train.MetricLoss || name == train.MetricEvalLoss {
			has |= withLoss
		}
	}
	return has
}

// showsMoreThan reports whether a sample is worth reporting again. An epoch beside a
// step is not: a step that comes a second time looks like a run that goes on from
// there.
func (c contents) showsMoreThan(before contents) bool {
	if before&withStep != 0 {
		before |= withEpoch
	}
	return c&^before != 0
}

// keptLine is one state of a line of the log.
type keptLine struct {
	number   int64
	at       time.Time
	whole    []byte
	stripped []byte // without the prefixes that are known
}

// A prefix is looked for after so many lines, and at the end of the log from
// leastLines on; what is kept until then is bounded.
var learnAfter = [...]int{3, 8, 32, 128}

const (
	leastLines   = 3
	mostKept     = 64 << 10
	mostParts    = 40
	mostCuts     = 6
	longestField = 160
)

// add keeps a line.
func (p *prefixLearner) add(l *line, whole, stripped []byte, samples []train.Sample) {
	for i := range samples {
		p.read[samples[i].Line] |= contentsOf(&samples[i])
	}
	p.bytes += len(whole)
	whole = bytes.Clone(whole)
	kept := keptLine{number: l.number, at: l.at, whole: whole}
	if start := bytes.Index(whole, stripped); start >= 0 {
		kept.stripped = whole[start:]
	}
	p.lines = append(p.lines, kept)
}

// worth is how much was read from lines: losses, with one more for each position
// that they have, the positions at which something was measured, and the total.
type worth struct {
	losses, positions int
	epochs            int  // samples that have one
	total             bool // how long the run will be
}

func worthOf(samples []train.Sample, hints train.ProgressHints) worth {
	type position struct{ step, epoch float64 }
	w := worth{total: hints.TotalSteps > 0}
	positions := map[position]bool{}
	for i := range samples {
		s := &samples[i]
		here := position{-1, -1}
		if s.HasStep {
			here.step = s.Step
		}
		if s.HasEpoch {
			here.epoch = s.Epoch
			w.epochs++
		}
		positions[here] = true
		if has := contentsOf(s); has&withLoss != 0 {
			w.losses += bits.OnesCount8(uint8(has &^ withSample))
		}
	}
	delete(positions, position{-1, -1})
	w.positions = len(positions)
	return w
}

// preferred is the prefix without which the lines give the most, nil for none.
// read returns what they give without a prefix. The shortest prefix counts that
// gives as many losses as a longer one. last: there will be no more lines, so that
// positions count where no loss is printed (one alone may be the number of a process),
// and that a line begins alike in lines that then differ.
func (p *prefixLearner) preferred(read func(*learnedPrefix) worth, last bool) *learnedPrefix {
	var best *learnedPrefix
	var most, plain worth
	for i, prefix := range p.candidates() {
		if i == 0 {
			plain = read(&learnedPrefix{})
			most = plain
		}
		w := read(&prefix)
		if w.positions <= plain.positions && prefix.isWord() {
			continue // "policy " of "policy loss: 0.5": a part of a name
		}
		if w.epochs < plain.epochs && w.losses <= plain.losses {
			continue // "[0/25]" of "[0/25][100/1583] Loss_D: 1.24"
		}
		switch {
		case w.losses > most.losses,
			w.losses == most.losses && w.positions > max(2*most.positions, 1) && (last || w.positions >= manyPositions),
			best == nil && w.losses == plain.losses && w.total && !plain.total,
			last && best == nil && w.losses == plain.losses && (w.positions > max(plain.positions, 1) || (w.positions > 0 || plain.positions == 0) && p.differsBehind(&prefix)):
			best, most = &prefix, w
		}
	}
	return best
}

// isWord reports whether a prefix is a word and blanks alone.
func (p *learnedPrefix) isWord() bool {
	for i := range p.parts {
		if c := p.parts[i].class; c != partWord && c != partBlank || c == partWord && p.parts[i].text == "" {
			return false
		}
	}
	return true
}

// manyPositions prove a prefix without losses before the last look.
const manyPositions = 3

// differsBehind reports whether lines go on in many ways behind a prefix, so that
// it is nothing that the program measures.
func (p *prefixLearner) differsBehind(prefix *learnedPrefix) bool {
	const many, length = 4, 3
	ways := map[string]bool{}
	for i := range p.lines {
		if rest, _, ok := prefix.cut(p.lines[i].stripped); ok && len(rest) > length {
			ways[string(rest[:length])] = true
		}
	}
	return len(ways) >= many
}

// due reports whether it is time to look for a prefix, and whether for the last
// time.
func (p *prefixLearner) due() (now, last bool) {
	n := len(p.lines)
	last = n >= learnAfter[len(learnAfter)-1] || p.bytes > mostKept
	for _, after := range learnAfter {
		now = now || n == after
	}
	return now || last, last
}

// candidates are the prefixes that the lines may have, the shortest first. The bar and
// the blanks in front of the rows of a box are none.
func (p *prefixLearner) candidates() []learnedPrefix {
	if p.rowsOfBox()*2 > len(p.lines) {
		return nil
	}
	walk := newPrefixWalk(p.lines)
	var found []learnedPrefix
	for len(walk.parts) < mostParts && walk.step() {
		if walk.mayEnd() && len(found) < mostCuts {
			found = append(found, learnedPrefix{parts: append([]prefixPart(nil), walk.parts...)})
		}
	}
	return found
}

// rowsOfBox is how many lines are rows of a box.
func (p *prefixLearner) rowsOfBox() (rows int) {
	for i := range p.lines {
		if _, _, row := boxCells(bytes.TrimSpace(p.lines[i].stripped)); row {
			rows++
		}
	}
	return rows
}

// prefixWalk goes through the parts that most lines have in common.
type prefixWalk struct {
	lines []keptLine
	at    []int // where each line is read, -1 where it differs from the most
	left  int   // lines that do not differ
	ended int   // lines that ended already
	parts []prefixPart
	depth int // of brackets
	solid bool
}

func newPrefixWalk(lines []keptLine) *prefixWalk {
	w := &prefixWalk{}
	number := int64(-1)
	for _, l := range lines {
		if l.number != number && len(bytes.TrimSpace(l.stripped)) > 0 {
			w.lines = append(w.lines, l)
		}
		number = l.number
	}
	w.at = make([]int, len(w.lines))
	w.left = len(w.lines)
	return w
}

// enough reports whether nearly all lines, of those that go on, do not differ.
func (w *prefixWalk) enough() bool {
	lines := len(w.lines) - w.ended
	return w.left >= max(leastLines, (9*lines+9)/10)
}

// step takes one part more; false where the lines differ, or what follows may be
// a value.
func (w *prefixWalk) step() bool {
	if !w.enough() {
		return false
	}
	if w.takeTime() {
		return true
	}
	class := w.commonClass()
	values := w.drop(class)
	if !w.enough() || class == partNone {
		return false
	}
	part := prefixPart{class: class}
	if len(values) == 1 {
		for part.text = range values {
		}
	}
	switch class {
	case partSign:
		if !w.sign(part.text) {
			return false
		}
	case partWord:
		if !mayBePrefix(part.text, values, w.file(values)) {
			return false
		}
	case partNumber:
		if part.process = part.text == "" && w.fewValues(values) && w.attached(); part.text == "" && !part.process && !w.ordinal() && !w.clock() {
			return false
		}
	case partBlank:
		part.text = shortest(values)
	}
	w.solid = w.solid || class != partBlank
	w.parts = append(w.parts, part)
	w.advance()
	return true
}

// commonClass is the class of the next part of most lines.
func (w *prefixWalk) commonClass() partClass {
	var count [partTime + 1]int
	best := partNone
	for i, at := range w.at {
		if at >= 0 {
			class, _ := nextPart(w.lines[i].stripped[at:])
			if count[class]++; count[class] > count[best] {
				best = class
			}
		}
	}
	return best
}

// drop leaves out lines whose next part is of another class, or another sign than
// most have, and returns the values of the others.
func (w *prefixWalk) drop(class partClass) map[string]int {
	values := map[string]int{}
	for i, at := range w.at {
		if at < 0 {
			continue
		}
		found, n := nextPart(w.lines[i].stripped[at:])
		if found == partNone {
			w.ended++
		}
		if found != class || at > longestField {
			w.at[i] = -1
			w.left--
			continue
		}
		values[string(w.lines[i].stripped[at:at+n])]++
	}
	if class != partSign || len(values) < 2 {
		return values
	}
	most := ""
	for value, n := range values {
		if n > values[most] {
			most = value
		}
	}
	for i, at := range w.at {
		if at >= 0 && !bytes.HasPrefix(w.lines[i].stripped[at:], []byte(most)) {
			w.at[i] = -1
			w.left--
		}
	}
	return map[string]int{most: values[most]}
}

// takeTime takes a date or time that all lines have next.
func (w *prefixWalk) takeTime() bool {
	for i, at := range w.at {
		if at >= 0 && timeLength(w.lines[i].stripped[at:]) == 0 {
			return false
		}
	}
	for i, at := range w.at {
		if at >= 0 {
			w.at[i] += timeLength(w.lines[i].stripped[at:])
		}
	}
	w.solid = true
	w.parts = append(w.parts, prefixPart{class: partTime})
	return true
}

func (w *prefixWalk) advance() {
	part := &w.parts[len(w.parts)-1]
	for i, at := range w.at {
		if at < 0 {
			continue
		}
		_, n := nextPart(w.lines[i].stripped[at:])
		if part.class == partBlank && len(w.parts) > 1 {
			n = min(n, len(part.text))
		}
		w.at[i] += n
	}
}

// sign reports whether a sign may be in a prefix: not one that begins a record.
func (w *prefixWalk) sign(text string) bool {
	switch text {
	case "[", "(", "<":
		w.depth++
	case "]", ")", ">":
		w.depth = max(0, w.depth-1)
	case "{", "}", `"`, "'", "=", "%":
		return false
	}
	return true
}

// mayEnd reports whether a prefix may end here: behind a blank or a sign that
// separates, outside brackets, unless blanks or separators follow.
func (w *prefixWalk) mayEnd() bool {
	if w.depth > 0 || !w.solid || !w.enough() || w.namesValue() {
		return false
	}
	last := w.parts[len(w.parts)-1].class
	if next := w.commonClass(); next == partBlank && last != partBlank || next == partSign && w.separates() {
		return false
	}
	switch part := &w.parts[len(w.parts)-1]; part.class {
	case partBlank:
		return true
	case partSign:
		return !strings.Contains("-_./\\+*@,", part.text)
	}
	return false
}

// namesValue reports whether a number follows in each line behind a colon and what may
// name it: "file index:0", "before 2048:1.000". The end of a file's name names none.
func (w *prefixWalk) namesValue() bool {
	i := len(w.parts) - 1
	glued := i >= 0 && w.parts[i].class != partBlank
	if i > 0 && !glued {
		i--
	}
	if i < 1 || w.parts[i].text != ":" {
		return false
	}
	switch name := w.parts[i-1]; {
	case name.class == partWord && (i < 2 || w.parts[i-2].text != "."):
	case name.class == partNumber && name.text != "" && glued:
	default:
		return false
	}
	for i, at := range w.at {
		if at < 0 {
			continue
		}
		if class, _ := nextPart(w.lines[i].stripped[at:]); class != partNumber {
			return false
		}
	}
	return true
}

// separates reports whether a sign follows that separates the parts of a prefix, or a
// name from its value.
func (w *prefixWalk) separates() bool {
	for i, at := range w.at {
		if at >= 0 && at < len(w.lines[i].stripped) {
			return strings.IndexByte("~|:;>,-=", w.lines[i].stripped[at]) >= 0
		}
	}
	return false
}

// mayBePrefix reports whether a word may be in a prefix: the same in all lines or
// in few forms, and not a name of something measured. A file's name may contain
// such words, and a text that all lines of a training contain shows nothing.
func mayBePrefix(same string, values map[string]int, file bool) bool {
	if same == "" && len(values) > 3 {
		return false
	}
	for value := range values {
		lower := strings.ToLower(value)
		if _, named := names[lower]; named && len(lower) > 2 && !file {
			return false
		}
		t := words[lower] | traitsOfParts(value)
		if t&(hasLoss|isPosition|isEpochWord|isEvidence|isAccuracy|isGrad|isNorm|isLearning|hasEval) != 0 && len(lower) > 2 && !file {
			return false
		}
		if t&hasTrain != 0 && same == "" && !file {
			return false
		}
	}
	return true
}

// traitsOfParts are those of a word that ends where ASCII begins: "Época".
func traitsOfParts(word string) (all traits) {
	var parts wordList
	parts.split([]byte(word))
	for i := 0; i < parts.count && parts.count > 1; i++ {
		all |= words[string(parts.word(i))]
	}
	return all
}

// file reports whether the word is part of a file's or logger's dotted name.
func (w *prefixWalk) file(values map[string]int) bool {
	for i, at := range w.at {
		if at < 0 {
			continue
		}
		text := w.lines[i].stripped[at:]
		n := run(text, func(c byte) bool { return isLetter(c) || c == '_' })
		if n+1 >= len(text) || text[n] != '.' && text[n] != '/' || !isLetter(text[n+1]) {
			return false
		}
	}
	return true
}

// fewValues reports whether the values repeat, as numbers of processes do.
func (w *prefixWalk) fewValues(values map[string]int) bool {
	return len(values) <= max(2, w.left/4)
}

// attached reports whether the number belongs to a word before it: worker-3, n7.
func (w *prefixWalk) attached() bool {
	n := len(w.parts)
	if n > 0 && w.parts[n-1].class == partWord {
		return true
	}
	return n > 1 && w.parts[n-1].class == partSign && strings.Contains("-_.#", w.parts[n-1].text) && w.parts[n-2].class != partBlank
}

// ordinal reports whether the number counts the lines of the log.
func (w *prefixWalk) ordinal() bool {
	offset, first := int64(0), true
	for i, at := range w.at {
		if at < 0 {
			continue
		}
		text := w.lines[i].stripped[at:]
		distance := int64(atoi(text[:run(text, isDigit)])) - w.lines[i].number
		if !first && distance != offset {
			return false
		}
		offset, first = distance, false
	}
	return true
}

// clock reports whether the number is a time that never goes back: seconds or
// milliseconds since 1970, or of the log in brackets, and the fraction behind it.
func (w *prefixWalk) clock() bool {
	if n := len(w.parts); n > 1 && w.parts[n-1].text == "." && w.parts[n-2].class == partNumber && w.parts[n-2].text == "" {
		return true
	}
	before, bracket := int64(0), w.depth > 0
	for i, at := range w.at {
		if at < 0 {
			continue
		}
		text := w.lines[i].stripped[at:]
		n := run(text, isDigit)
		value := wholeNumber(text[:n])
		fraction := n+1 < len(text) && text[n] == '.' && isDigit(text[n+1])
		if value < before || !(n >= 10 && n <= 19 || bracket && fraction) {
			return false
		}
		before = value
	}
	return true
}

func wholeNumber(digits []byte) int64 {
	value := int64(0)
	for _, c := range digits[:min(len(digits), 18)] {
		value = value*10 + int64(c-'0')
	}
	return value
}

func shortest(values map[string]int) string {
	best, first := "", true
	for value := range values {
		if first || len(value) < len(best) {
			best, first = value, false
		}
	}
	return best
}
