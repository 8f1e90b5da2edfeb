package formats

import (
	"bytes"
	"math"
	"slices"
	"time"

	"github.com/traintop/traintop/train"
)

// pairs is the general reader: it converts the fields of a line to a point, whatever
// the separators of the line are.
type pairs struct {
	text   []byte
	fields []field
	kinds  []kind
	words  wordList
	point  point
	names  *nameBook
	cache  kindCache
	joined []span // room for joinedNames
	// namesLoss: a line of the log has a loss or a part of one.
	namesLoss bool
	records   recordShapes
	members   members
	unread    []field // room for unreadValues
	refused   []int   // fields whose metric has a value of another field
	// chosen fields, -1 for none
	stepAt, epochAt, lossAt, evalAt int
}

// read parses text into the point. The result is valid until the next call.
func (r *pairs) read(text []byte) *point {
	r.text = text
	if n := len(text); n > 0 && text[n-1] == '}' {
		return r.records.read(r)
	}
	return readMembers(r, false)
}

// readMembers reads the fields of the text, and those of each of its objects.
func readMembers(r *pairs, nulls bool) *point {
	r.members.objects = r.members.objects[:0]
	r.fields = readFields(r.text, r.fields[:0], nulls)
	if nested(r.text) {
		return r.members.read(r, nulls)
	}
	return interpret(r)
}

// interpret converts the fields to the point.
func interpret(r *pairs) *point {
	unread := unreadValues(r)
	r.nameCount()
	nameStepsBehind(r)
	nameEpochBehind(r.text, r.fields)
	nameListed(r)
	nameDashed(r)
	nameIndexed(r)
	nameCells(r)
	nameRates(r)
	dropWindows(r)
	dropBestPositions(r)
	joinRanks(r)
	r.splitPosition()
	splitPairs(r)
	r.splitJoined()
	r.classify()
	r.point.reset()
	if len(r.fields) == 0 {
		return &r.point
	}
	r.choosePosition()
	r.nameFromBehind()
	r.chooseLoss()
	r.collect()
	r.point.leftOut += unread
	return &r.point
}

// unreadValues counts the values with a name behind the last field of a line that has more than
// are read.
func unreadValues(r *pairs) (n int32) {
	if len(r.fields) < maxFields {
		return 0
	}
	for from := r.fields[maxFields-1].hi; from < len(r.text); {
		r.unread = readFields(r.text[from:], r.unread[:0], false)
		for i := range r.unread {
			if r.unread[i].separated && !r.unread[i].name.empty() {
				n++
			}
		}
		if len(r.unread) < maxFields {
			break
		}
		from += r.unread[maxFields-1].hi
	}
	return n
}

// nameCount names the n/N that begins a line by the word behind it, which is then no part
// of the next name: "1/10 epoch G_loss : 4.37".
func (r *pairs) nameCount() {
	if len(r.fields) < 2 {
		return
	}
	f, next := &r.fields[0], &r.fields[1]
	if !f.fraction || f.of <= 0 || !f.name.empty() || f.unit != unitNone || f.hi >= len(r.text) {
		return
	}
	behind := f.hi
	if f.bracket == '[' && r.text[behind] == ']' && behind+1 < len(r.text) { // "[1/10] epoch, loss: 0.5"
		behind++
	}
	if !isBlank(r.text[behind]) {
		return
	}
	if behind > f.hi && nameBehindBracket(r, behind+1) {
		return
	}
	if behind+1 != next.name.lo { // "3/100 epochs - loss: 0.5"
		const epochs = "epochs"
		if rest := r.text[behind+1:]; hasFold(rest, epochs) && len(rest) > len(epochs) && !isWordByte(rest[len(epochs)]) && r.startsLine(0) {
			f.name, f.separated = span{behind + 1, behind + len(epochs)}, true // without the s
		}
		return
	}
	end := next.name.lo
	for end < next.name.hi && isLetter(r.text[end]) {
		end++
	}
	if end == next.name.hi || !isBlank(r.text[end]) {
		return
	}
	word := span{next.name.lo, end}
	if said := word.of(r.text); !hasFold(said, "epoch") && !hasFold(said, "iteration") && !hasFold(said, "step") || len(said) > len("iteration") {
		return
	}
	f.name, f.separated = word, true
	next.name = trimName(r.text, span{end, next.name.hi})
}

// nameBehindBracket names the n/N in brackets by the word at an offset: "[1/10] epoch: loss 0.5".
func nameBehindBracket(r *pairs, at int) bool {
	f, next := &r.fields[0], &r.fields[1]
	end := at
	for end < len(r.text) && isLetter(r.text[end]) {
		end++
	}
	said := r.text[at:end]
	if !hasFold(said, "epoch") && !hasFold(said, "iteration") && !hasFold(said, "step") || len(said) > len("iteration") || end == len(r.text) || isWordByte(r.text[end]) || !r.startsLine(0) {
		return false
	}
	f.name, f.separated = span{at, end}, true
	if next.name.lo < end && !next.name.empty() {
		next.name = trimName(r.text, span{end, next.name.hi})
	}
	return true
}

// nameStepsBehind names the number at the beginning of a line, or behind "after", by the
// word of steps or epochs behind it: "after 10 steps train loss: 0.5", "10 steps: loss=0.5".
func nameStepsBehind(r *pairs) {
	if len(r.fields) < 2 {
		return
	}
	f, next := &r.fields[0], &r.fields[1]
	if f.fraction || f.clock || f.separated || f.unit != unitNone || f.number != math.Trunc(f.number) || f.number < 0 || f.hi >= len(r.text) || r.text[f.hi] != ' ' ||
		!(f.name.empty() && r.startsLine(0) && f.bracket == 0) && !(f.name.lo == 0 && (f.name.hi == len("after") && hasFold(r.text, "after") || f.name.hi == len("processed") && hasFold(r.text, "processed"))) {
		return
	}
	word := span{f.hi + 1, f.hi + 1}
	for word.hi < len(r.text) && isLetter(r.text[word.hi]) {
		word.hi++
	}
	if said := wordPhase(word.of(r.text)); said == phaseTrain && word.hi < len(r.text) && r.text[word.hi] == ' ' { // "After 10 training step(s), loss 0.5"
		word.lo = word.hi + 1
		for word.hi = word.lo; word.hi < len(r.text) && isLetter(r.text[word.hi]); {
			word.hi++
		}
	}
	rest := r.text[word.hi:]
	if one, several := bytes.CutPrefix(rest, []byte("(s)")); several && countedWords[string(word.of(r.text))+"s"] {
		nameCounted(r, word, len(rest)-len(one))
		return
	}
	if r.text[f.hi-1] == '.' {
		nameOrdinal(r, word)
		return
	}
	done := bytes.HasPrefix(rest, []byte(" done")) || bytes.HasPrefix(rest, []byte(" completed")) || bytes.HasPrefix(rest, []byte(":")) || bytes.HasPrefix(rest, []byte(". "))
	if len(rest) == 0 || next.name.lo > word.lo && f.name.empty() && !done || !countedWords[string(word.of(r.text))] {
		return
	}
	word.hi--
	nameCounted(r, word, 1)
}

// nameCounted names the first number by the word behind it, of which the plural's ending is no part.
func nameCounted(r *pairs, word span, ending int) {
	f, next := &r.fields[0], &r.fields[1]
	f.name, f.separated = word, true
	if next.name.lo <= word.hi && !next.name.empty() {
		next.name = trimName(r.text, span{word.hi + ending, next.name.hi})
		next.label = span{word.hi + ending, next.name.lo}
	}
}

// nameOrdinal names the number that a full stop makes an ordinal by the word behind it: "1.
// epoch: loss 0.3", "1000. iteration loss: 1.2". In a list of notes another word follows.
func nameOrdinal(r *pairs, word span) {
	f, next := &r.fields[0], &r.fields[1]
	said, rest := word.of(r.text), r.text[word.hi:]
	if !f.name.empty() || len(rest) == 0 || !hasFold(said, "epoch") && !hasFold(said, "iteration") && !hasFold(said, "step") && !hasFold(said, "round") || len(said) > len("iteration") {
		return
	}
	if rest[0] != ':' && rest[0] != ',' && !bytes.HasPrefix(rest, []byte(" - ")) && !bytes.HasPrefix(rest, []byte(" | ")) {
		measured := trimName(r.text, span{word.hi, max(word.hi, next.name.hi)})
		if k := classify(measured.of(r.text), &r.words); !next.separated || !k.class.meter() {
			return
		}
	}
	f.name, f.separated = word, true
	if next.name.lo <= word.hi && !next.name.empty() {
		next.name = trimName(r.text, span{word.hi, next.name.hi})
		next.label = span{word.hi, next.name.lo}
	}
}

// countedWords are plurals of names of positions.
var countedWords = map[string]bool{"steps": true, "iterations": true, "iters": true, "epochs": true, "updates": true, "batches": true}

// nameEpochBehind names a number by the word behind it where an n/N is in that epoch:
// "3/100 in 0 epoch finished".
func nameEpochBehind(text []byte, fields []field) {
	const link, counted = " in ", " epoch"
	for i := 1; i < len(fields); i++ {
		f, before := &fields[i], &fields[i-1]
		rest := text[f.hi:]
		if !before.fraction || before.of <= 0 || f.fraction || f.unit != unitNone || string(text[before.hi:f.lo]) != link || f.number != math.Trunc(f.number) ||
			!hasFold(rest, counted) || len(rest) > len(counted) && isWordByte(rest[len(counted)]) {
			continue
		}
		end := f.hi + len(counted)
		f.name, f.separated = span{f.hi + 1, end}, true
		if i+1 < len(fields) && fields[i+1].name.lo < end && !fields[i+1].name.empty() {
			fields[i+1].name = trimName(text, span{end, fields[i+1].name.hi})
		}
		return
	}
}

// windowWords count what a mean is taken over, windowLinks lead to the count.
var (
	windowWords  = map[string]bool{"episodes": true, "steps": true, "batches": true, "iterations": true, "iters": true, "epochs": true, "games": true, "rounds": true, "updates": true, "runs": true, "rollouts": true, "trials": true, "minibatches": true, "examples": true, "samples": true, "ep": true, "eps": true}
	windowLinks  = map[string]bool{"last": true, "past": true, "recent": true, "previous": true, "latest": true, "the": true, "over": true, "of": true, "in": true, "for": true, "from": true, "across": true}
	averageWords = map[string]bool{"avg": true, "mean": true, "average": true, "averaged": true}
)

// nameListed names the number that ends a line by the item in front of it, where the line is a
// list with commas and the item is the name of a loss: "epoch 1, step 10, loss_train, 0.833".
func nameListed(r *pairs) {
	last := len(r.fields) - 1
	if last < 1 {
		return
	}
	f, low := &r.fields[last], r.fields[last-1].hi
	if f.hi != len(r.text) || !f.name.empty() || f.fraction || f.clock || f.unit != unitNone || f.lo-low < len(", loss, ") || !bytes.HasSuffix(r.text[:f.lo], []byte(", ")) {
		return
	}
	end := f.lo - len(", ")
	comma := bytes.LastIndexByte(r.text[low:end], ',')
	if comma < 0 {
		return
	}
	name := trimName(r.text, span{low + comma + 1, end})
	if k := r.cache.classify(name.of(r.text), &r.words); k.class == classLoss || k.class == classEvalLoss {
		f.name, f.separated = name, true
	}
}

// nameDashed names a value by the words in front of a dash where they are the name of a loss:
// "Epoch 3 - loss - 0.52 - acc - 0.81". Otherwise a dash separates fields.
func nameDashed(r *pairs) {
	const dash = " - "
	for i := range r.fields {
		f := &r.fields[i]
		if !f.name.empty() || f.fraction || f.clock || f.unit != unitNone || f.bracket != 0 || f.number == math.Trunc(f.number) && f.number != 0 || f.lo-f.label.lo < len("loss - ") || string(r.text[f.lo-len(dash):f.lo]) != dash {
			continue
		}
		name := nameBefore(r.text, f.label.lo, f.lo-len(dash))
		if name.empty() {
			continue
		}
		if k := r.cache.classify(name.of(r.text), &r.words); k.class.meter() {
			f.name, f.separated = name, true
		}
	}
}

// dropWindows removes the size of the window from "mean reward over the last 100 episodes:
// 1.5" and "Average Score (last 100): 5.2": the value is the reward's.
func dropWindows(r *pairs) {
	for i := 0; i+1 < len(r.fields); i++ {
		f, next := &r.fields[i], &r.fields[i+1]
		if f.separated || f.fraction || f.unit != unitNone || f.number < 1 || f.number != math.Trunc(f.number) {
			continue
		}
		var name span
		switch {
		case f.hi+1 == next.name.lo && !next.name.empty() && r.text[next.name.hi-1] == 's' && windowWords[string(next.name.of(r.text))]:
			if positionAfter(r, i) {
				continue
			}
			before, cut := beforeWindow(r.text, f.name)
			if !cut || before.empty() && i == 0 {
				continue
			}
			name = before
		case next.separated && next.name.empty() && f.name.lo > 0 && r.text[f.name.lo-1] == '(' && closesWindow(r.text, f.hi):
			if rest, cut := beforeWindow(r.text, f.name); !cut || !rest.empty() {
				continue
			}
			if name = nameBefore(r.text, f.label.lo, f.name.lo-1); name.empty() {
				continue
			}
		case f.bracket == '(' && next.separated && next.name.empty() && !f.name.empty() && f.hi < len(r.text) && r.text[f.hi] != ')' && closesWindow(r.text, f.hi):
			name = f.name // "Avg Reward (100 ep): 1.5"
		default:
			continue
		}
		next.name, next.separated, next.label = name, true, f.label
		r.fields = slices.Delete(r.fields, i, i+1)
	}
}

// positionAfter names the values of "loss after 100 steps: 0.52": the step and the loss.
func positionAfter(r *pairs, i int) bool {
	const after = " after"
	f, next := &r.fields[i], &r.fields[i+1]
	before, found := bytes.CutSuffix(f.name.of(r.text), []byte(after))
	if !found || len(before) == 0 {
		return false
	}
	counted := next.name
	counted.hi-- // the step, not how many there are
	if bytes.HasSuffix(counted.of(r.text), []byte("tche")) {
		counted.hi--
	}
	next.name, next.separated = span{f.name.lo, f.name.hi - len(after)}, true
	f.name, f.separated = counted, true
	switch string(counted.of(r.text)) {
	case "example", "sample":
		f.index = true // "Loss after 0100 examples: 0.52"
	}
	return true
}

// closesWindow reports whether the bracket around the size of a window closes right behind
// it, or behind the word that it counts.
func closesWindow(text []byte, at int) bool {
	start := skipBlanks(text, at)
	end := start
	for end < len(text) && isLetter(text[end]) {
		end++
	}
	return end < len(text) && text[end] == ')' && (end == start || windowWords[string(text[start:end])])
}

// beforeWindow removes the words that lead to the size of a window from the end of a name.
func beforeWindow(text []byte, name span) (before span, cut bool) {
	for end := name.hi; ; cut = true {
		for end > name.lo && (isBlank(text[end-1]) || text[end-1] == '(' || text[end-1] == ',') {
			end--
		}
		start := end
		for start > name.lo && isLetter(text[start-1]) {
			start--
		}
		inBrackets := start > 0 && text[start-1] == '(' // "(avg of 20 iters)"
		if start == end || !windowLinks[string(text[start:end])] && !(inBrackets && averageWords[string(text[start:end])]) {
			return span{name.lo, end}, cut
		}
		end = start
	}
}

// joinRanks puts the number back into a name that it belongs to: "top 5 acc: 0.61".
func joinRanks(r *pairs) {
	for i := 0; i+1 < len(r.fields); i++ {
		f, next := &r.fields[i], &r.fields[i+1]
		name := f.name.of(r.text)
		if len(name) < len("top") || f.separated || f.fraction || f.unit != unitNone || !hasFold(name[len(name)-len("top"):], "top") ||
			f.lo != f.name.hi+1 || next.name.empty() || next.name.lo != f.hi+1 || !next.separated || f.number != math.Trunc(f.number) {
			continue
		}
		next.name.lo = f.name.lo
		r.fields = append(r.fields[:i], r.fields[i+1:]...)
	}
}

// splitPosition splits "epoch/iter: 9/2579" of FastReID, and the names of "iteration/NLL: 1  700.8".
func (r *pairs) splitPosition() {
	for i := range r.fields {
		f := &r.fields[i]
		if i+1 < len(r.fields) && r.fields[i+1].name.empty() && f.separated && !f.fraction && namesTwo(r, i) {
			slash := f.name.lo + bytes.IndexByte(f.name.of(r.text), '/')
			next := &r.fields[i+1]
			next.name, next.separated = span{slash + 1, f.name.hi}, true
			f.name.hi = slash
			return
		}
		if !f.fraction || f.of <= 0 || !f.separated || f.name.hi-f.name.lo < len("epoch/it") {
			continue
		}
		name := f.name.of(r.text)
		slash := bytes.IndexByte(name, '/')
		if slash < 0 || classify(name[:slash], &r.words).class != classEpoch || classify(name[slash+1:], &r.words).class != classStep {
			continue
		}
		step := *f
		step.name.lo += slash + 1
		step.number, step.of, step.fraction = f.of, 0, false
		f.name.hi = f.name.lo + slash
		f.of, f.fraction = 0, false
		r.fields = slices.Insert(r.fields, i+1, step)
		return
	}
}

// namesTwo reports whether the name of a number is that of a position, a slash, and what the next
// number measures.
func namesTwo(r *pairs, i int) bool {
	f, next := &r.fields[i], &r.fields[i+1]
	if next.fraction || f.number != math.Trunc(f.number) || len(bytes.Trim(r.text[f.hi:next.lo], " \t,")) > 0 {
		return false
	}
	name := f.name.of(r.text)
	slash := bytes.IndexByte(name, '/')
	if slash <= 0 {
		return false
	}
	c := r.cache.classify(name[:slash], &r.words).class
	return (c == classStep || c == classEpoch) && r.cache.classify(name[slash+1:], &r.words).class.meter()
}

func (r *pairs) classify() {
	r.kinds = r.kinds[:0]
	trained := false // an unknown name contains a word of training
	for i := range r.fields {
		f := &r.fields[i]
		if n := f.name.hi - f.name.lo; i > 0 && (n == len("is") || n == len("was")) && onlyVerb(r.text, f) {
			f.name, f.separated = span{}, true
		}
		if f.name.empty() && i > 0 && f.separated && endsInPosition(r, i-1) {
			r.borrowName(i)
		} else if f.name.empty() && i > 0 && r.stepBetween(i) {
			f.name, f.separated = r.fields[i-1].name, true
			r.kinds[i-1] = kind{class: classStep, prio: 60}
			r.fields[i-1].class = classStep
		} else if f.name.empty() && i > 0 && f.separated && r.fields[i-1].lo > 0 {
			r.borrowName(i)
		}
		if drawn(f.name.of(r.text)) || f.bracket == '[' && !f.separated && f.name.lo > 1 && string(r.text[f.name.lo-2:f.name.lo]) == "::" {
			f.name = span{} // "tests/test_loss.py::test_loss[0.2] PASSED" of pytest too
		}
		if keys := valueKeysOf(f.name.of(r.text)); keys != nil && f.separated {
			r.takeName(f, keys)
		}
		k := r.cache.classify(f.name.of(r.text), &r.words)
		if !f.separated && k.class == classEvidence && r.proseTail(f.name.of(r.text)) {
			k = kind{}
		}
		if f.index {
			k = kind{class: classStep, prio: 60}
		}
		if k.class == classLR && f.isDuration() {
			k = kind{} // "learning 0.135s" is how long it took
		}
		if k.class == classSetting && !f.separated && hasFold(f.name.of(r.text), "start ") { // "Start training epoch #0"
			k = classify(f.name.of(r.text)[len("start "):], &r.words)
		}
		if f.hi < len(r.text) && r.text[f.hi] == '(' && k.class.meter() && !k.train && phaseBehind(r.text[f.hi+1:]) == phaseEval {
			k.eval = true // "Loss: 2.3(valid)"
			k.evaluate()
		}
		if f.evalOf {
			k = r.kinds[i-1]
			k.evaluate()
		}
		f.class = k.class
		if f.fraction && f.of != math.Trunc(f.of) && k.class.meter() { // "loss: 0.51/0.62": two values
			f.fraction, f.of = false, 0
		}
		trained = trained || k.train && k.class == classUnknown
		r.kinds = append(r.kinds, k)
	}
	letterLosses(r)
	onlyOfLosses(r)
	if trained {
		twinsMeasure(r)
	}
	stepOfParts(r)
}

// twinsMeasure takes a name that no table has for something that is measured where one of training
// and one of evaluation are on the line: "'train_perf': 0.5, 'test_perf': 0.53".
func twinsMeasure(r *pairs) {
	for i := range r.kinds {
		if k := &r.kinds[i]; k.class != classUnknown || !k.train || !r.fields[i].separated || r.fields[i].fraction {
			continue
		}
		for j := range r.kinds {
			if k := &r.kinds[j]; k.class != classUnknown || !k.eval || !r.fields[j].separated || r.fields[j].fraction || !sameBehindPhase(r.fields[i].name.of(r.text), r.fields[j].name.of(r.text)) {
				continue
			}
			r.kinds[i].class, r.fields[i].class = classEvidence, classEvidence
			r.kinds[j].class, r.fields[j].class = classEvidence, classEvidence
			break
		}
	}
}

// sameBehindPhase reports whether two names are the same but for the phase that they begin with.
func sameBehindPhase(a, b []byte) bool {
	x, y := behindPhase(a), behindPhase(b)
	return len(x) > 0 && bytes.EqualFold(x, y)
}

// behindPhase returns a name without its first word, nil where that is no phase.
func behindPhase(name []byte) []byte {
	end := 0
	for end < len(name) && isLetter(name[end]) {
		end++
	}
	if end+1 >= len(name) || wordPhase(name[:end]) == phaseNone {
		return nil
	}
	return name[end:]
}

// onlyVerb reports whether the words between two numbers are a verb alone, so that the name is
// in front of the first: "loss at iteration 125 is: 2.33".
func onlyVerb(text []byte, f *field) bool {
	switch string(f.name.of(text)) {
	case "is", "was", "are":
		return f.label.hi >= f.label.lo && len(bytes.TrimLeft(f.label.of(text), " ")) == 0
	}
	return false
}

// onlyOfLosses takes the one value of a dict that is called losses for the loss: "Losses
// {'ner': 172.9}", as loops around spaCy print it.
func onlyOfLosses(r *pairs) {
	const losses = "losses"
	if len(r.fields) != 1 || !r.fields[0].quoted || len(r.text) <= len(losses) || !hasFold(r.text, losses) || r.kinds[0].class != classUnknown && r.kinds[0].class != classEvidence {
		return
	}
	if rest := bytes.TrimLeft(r.text[len(losses):], " :="); len(rest) > 0 && rest[0] == '{' {
		r.kinds[0] = kind{class: classLoss, prio: 60}
		r.fields[0].class = classLoss
	}
}

// proseTail reports whether a name ends in an unknown word, as a sentence does: "val_loss
// improved from".
func (r *pairs) proseTail(name []byte) bool {
	r.words.split(name)
	return r.words.count > 2 && words[string(r.words.word(r.words.count-1))] == 0
}

// stepBetween reports whether the step is between the name and the value, as in "Train
// loss 100 0.65" and "Validation loss 1000: 0.61" of NVIDIA's Tacotron 2 and WaveGlow.
func (r *pairs) stepBetween(i int) bool {
	before, k := &r.fields[i-1], r.kinds[i-1].class
	if k != classLoss && k != classEvalLoss || before.separated || before.fraction || before.unit != unitNone || before.bracket != 0 {
		return false
	}
	gap := bytes.TrimSpace(r.text[before.hi:r.fields[i].lo])
	return before.number == math.Trunc(before.number) && (len(gap) == 0 || string(gap) == ":") && !bytes.ContainsRune(r.text[before.lo:before.hi], '.')
}

// borrowName finds the name in "loss at step 100: 2.31" and "loss of epoch 3 batch 9: 2.31",
// where the name of the value precedes the names of its position.
func (r *pairs) borrowName(i int) {
	at := i - 1
	for at > 0 && goesOnPosition(r, at) {
		at--
	}
	before := r.fields[at].name
	text := before.of(r.text)
	if named := beforePosition(r, at); !named.empty() {
		r.fields[i].name = named
		return
	}
	if bytes.HasPrefix(text, []byte("at ")) { // "Training loss (for one batch) at step 200: 0.91"
		label := r.fields[at].label
		if open := bytes.IndexByte(label.of(r.text), '('); open > 0 {
			label.hi = label.lo + open
		}
		r.fields[i].name = trimName(r.text, span{max(label.lo, label.hi-maxName), label.hi})
		return
	}
	if blank := bytes.LastIndexByte(text, ' '); blank > 0 && endsInPosition(r, at) {
		lendName(r, i, at, blank, blank+1)
		r.fields[at].separated = true
		return
	}
	if label := r.fields[at].label; before.lo == label.hi { // "loss of epoch3-batch9: 2.31"
		before.lo = max(label.lo, before.lo-maxName)
		text = before.of(r.text)
	}
	for _, link := range [...]string{" at ", " after ", " for ", " in ", " on ", " @ ", " over ", " of "} {
		if cut := bytes.Index(text, []byte(link)); cut > 0 && (link != " of " || lossOf(r, text[:cut], text[cut+len(link):])) {
			r.fields[at].name.lo = before.lo
			lendName(r, i, at, cut, cut+len(link))
			return
		}
	}
}

// lendName divides the name of the position at: its first bytes name the value i.
func lendName(r *pairs, i, at, cut, position int) {
	before := &r.fields[at].name
	r.fields[i].name = span{before.lo, before.lo + cut}
	before.lo += position
	if at < len(r.kinds) {
		r.kinds[at] = classify(before.of(r.text), &r.words)
		r.fields[at].class = r.kinds[at].class
	}
}

// goesOnPosition reports whether a number is the second of a position: "epoch 3 batch 9",
// "epoch3-batch9".
func goesOnPosition(r *pairs, i int) bool {
	f, before := &r.fields[i], &r.fields[i-1]
	if r.kinds[i].class != classStep || r.kinds[i-1].class != classEpoch || before.fraction || f.name.empty() || f.name.lo < before.hi || bytes.IndexByte(f.name.of(r.text), ' ') >= 0 {
		return false // "Epoch 3 - train loss at batch 7: 3.0" has the name in front of the batch
	}
	return len(bytes.Trim(r.text[before.hi:f.name.lo], " ,-/")) == 0
}

// endsInPosition reports whether the name of a whole number is that of a loss and then that of
// the position that it counts: "Training loss epoch 3: 0.5".
func endsInPosition(r *pairs, i int) bool {
	f := &r.fields[i]
	if f.separated || f.fraction || f.clock || f.unit != unitNone || f.bracket != 0 || f.number != math.Trunc(f.number) {
		return false
	}
	name := f.name.of(r.text)
	blank := bytes.LastIndexByte(name, ' ')
	if blank <= 0 || len(name)-blank > len(" iteration") {
		return false
	}
	switch said := name[blank+1:]; {
	case hasFold(said, "epoch"), hasFold(said, "step"), hasFold(said, "iter"):
		return lossOf(r, name[:blank], said) || accuracyOf(r, name[:blank], said)
	}
	return false
}

// accuracyOf reports whether the parts of a name state that it is an accuracy of a
// position: "accuracy epoch".
func accuracyOf(r *pairs, measured, position []byte) bool {
	of := r.cache.classify(position, &r.words).class
	said := r.cache.classify(measured, &r.words).class
	return (of == classStep || of == classEpoch) && (said == classAccuracy || said == classEvalAccuracy)
}

// beforePosition returns the name in front of a position in brackets or behind "@":
// "val_loss (step 10) = 0.5", "loss @ step 10: 0.5".
func beforePosition(r *pairs, i int) span {
	f := &r.fields[i]
	if c := r.kinds[i].class; c != classStep && c != classEpoch || f.name.empty() {
		return span{}
	}
	at := f.name.lo
	for at > f.label.lo && isBlank(r.text[at-1]) {
		at--
	}
	if at <= f.label.lo || r.text[at-1] != '(' && r.text[at-1] != '[' && r.text[at-1] != '@' {
		return span{}
	}
	at--
	for at > f.label.lo && isBlank(r.text[at-1]) {
		at--
	}
	return nameBefore(r.text, max(f.label.lo, at-maxName), at)
}

// lossOf reports whether the parts of a name state that it is a loss of a position: "loss
// of iteration".
func lossOf(r *pairs, measured, position []byte) bool {
	of := r.cache.classify(position, &r.words).class
	said := r.cache.classify(measured, &r.words).class
	return (of == classStep || of == classEpoch) && (said == classLoss || said == classEvalLoss)
}

// progressWords name the n/N of a pass over the data.
var progressWords = map[string]bool{"Process": true, "Processed": true, "Progress": true, "progress": true, "Done": true, "Completed": true}

// choosePosition finds the step and the epoch of the line.
func (r *pairs) choosePosition() {
	r.stepAt, r.epochAt = -1, -1
	for i := range r.fields {
		f, k := &r.fields[i], &r.kinds[i]
		if f.clock || f.number < 0 || f.number != f.number || f.unit == unitPercent {
			continue
		}
		switch k.class {
		case classStep:
			if countsThings(r, i) || k.prio == playPrio && indexed(r.text, f) || f.bracket != 0 && listed(r.text, f) || r.epochAt < 0 && f.name.hi-f.name.lo == len("up") && hasFold(f.name.of(r.text), "up") {
				k.class, f.class = classUnknown, classUnknown // "STEPS: (20, 35)", "{'DOWN': 517, 'UP': 468}"
			} else if f.separated && gluedTime(f, r.text) { // "Step: 34ms" of pytorch-cifar
				k.class, f.class = classStepTime, classStepTime
			} else if f.number == math.Trunc(f.number) {
				r.offerStep(i, k.prio)
			} else { // "update: 1.192" is a duration
				k.class, f.class = classUnknown, classUnknown
			}
		case classTotalEpochs: // "epochs:0.15" of ParlAI
			if f.isDuration() {
				k.class, f.class = classClock, classClock // "50 epochs: 1.1981 hours"
				continue
			}
			if r.epochAt < 0 && (f.number != math.Trunc(f.number) && !f.fraction || f.fraction && f.separated && f.of >= f.number && f.of > 1) { // "epochs: 3/10"
				k.class, f.class, k.prio = classEpoch, classEpoch, 20
				r.epochAt = i
			}
		case classEpoch:
			if f.isDuration() {
				k.class, f.class = classClock, classClock
				continue
			}
			if f.number != math.Trunc(f.number) && f.name.hi-f.name.lo == 1 { // "e: 1e-14", the step of a derivative
				k.class, f.class = classUnknown, classUnknown
				continue
			}
			if r.epochAt < 0 || k.prio > r.kinds[r.epochAt].prio {
				r.epochAt = i
			}
		case classNone:
			r.offerUnnamed(i)
		case classUnknown:
			// "Train: 0 [  50/2502 (  2%)]" of timm: the epoch
			if (k.train || k.eval) && f.fraction && f.bracket != 0 && wordPhase(f.name.of(r.text)) != phaseNone {
				r.offerStep(i, 45) // "Test: [  10/196]", "[Train](1000/100000)"
				k.class, f.class = classStep, classStep
				continue
			}
			if i == 0 && f.fraction && f.of == 0 && r.epochAt < 0 && bytes.Contains(r.text, []byte("∞ ━")) {
				k.class, f.class, k.prio = classEpoch, classEpoch, 60 // "stage 0/∞ ━━━ 56/56" of kraken
				r.epochAt = i
				continue
			}
			if i == 0 && f.fraction && f.of >= f.number && progressWords[string(f.name.of(r.text))] {
				r.offerStep(i, 40) // "Process 100/3161(3.2%) ..."
				continue
			}
			if f.separated && f.fraction && f.of >= f.number && r.epochAt >= 0 && f.name.hi-f.name.lo == 1 {
				k.class, f.class = classStep, classStep // "epoch=0 i=3/530 loss=0.23": the variable of the loop
				r.offerStep(i, 40)
				continue
			}
			if i > 0 && r.epochAt == i-1 && loopVariable(r, i) {
				k.class, f.class = classStep, classStep // "[epoch: 0, i: 4999] loss: 2.38"
				r.offerStep(i, 40)
				continue
			}
			if i > 0 && r.epochAt == i-1 && !f.fraction && string(f.name.of(r.text)) == "B" && string(r.fields[i-1].name.of(r.text)) == "E" {
				k.class, f.class = classStep, classStep // "E 0 B 2 loss rc:0.22": epoch and batch
				r.offerStep(i, 40)
				continue
			}
			if i > 0 && r.epochAt == i-1 && f.name.lo == r.fields[i-1].hi && f.lo == f.name.hi {
				k.class, f.class = classStep, classStep // "e1b100"
				r.offerStep(i, 40)
				continue
			}
			if k.train && f.separated && f.fraction && r.epochAt < 0 && r.sharedFraction(i) {
				r.epochAt = i // "Train:    1/3 ( 33%) [  49/323 ( 15%)]" of OpenPCDet
				r.kinds[i].prio = 10
				continue
			}
			if k.train && f.separated && i+1 < len(r.fields) && r.fields[i+1].fraction && r.fields[i+1].name.empty() && r.epochAt < 0 {
				r.epochAt = i
				r.kinds[i].prio = 10
			}
			if k.eval && f.bracket == '[' && r.epochAt < 0 && r.stackedBehind(i) { // "val: [125][0/6]" of CenterNet
				k.class, f.class, k.prio = classEpoch, classEpoch, 10
				r.epochAt = i
			}
		}
	}
	r.chooseCounter()
	countEpisodes(r)
	measurePopulation(r)
	dropBatchSize(r)
	if r.epochAt >= 0 && r.stepAt < 0 && r.kinds[r.epochAt].prio == passPrio { // "Pass [1] throughput: ..."
		r.kinds[r.epochAt].class, r.epochAt = classUnknown, -1
	}
	r.dropPluralSteps()
	r.dropLength()
	r.takePosition()
}

// countEpisodes takes "ep" for the episode where its reward is measured, and no loss: "Ep: 201 | Ep_r:
// 1.59".
func countEpisodes(r *pairs) {
	at := r.epochAt
	if at < 0 || r.stepAt >= 0 || r.fields[at].name.hi-r.fields[at].name.lo != len("ep") {
		return
	}
	rewarded := false
	for i := range r.kinds {
		switch name := r.fields[i].name.of(r.text); {
		case r.kinds[i].class == classLoss || r.kinds[i].class == classEvalLoss:
			return
		case r.kinds[i].class == classEvidence:
			rewarded = rewarded || containsFold(name, "rew") || containsFold(name, "return") || hasFold(name, "ep_r") || hasFold(name, "score")
		}
	}
	if rewarded {
		r.kinds[at].class, r.fields[at].class, r.epochAt = classStep, classStep, -1
		r.offerStep(at, 40)
	}
}

// loopVariable reports whether a field is the variable of the loop over batches: its name is
// that of an index, and something is measured behind it.
func loopVariable(r *pairs, i int) bool {
	f := &r.fields[i]
	switch string(f.name.of(r.text)) {
	case "b", "B", "k", "s", "t":
		if r.fields[i-1].name.hi-r.fields[i-1].name.lo > len("ep") {
			return false // beside a letter for the epoch: "e=1 b=300 loss=0.5"
		}
		fallthrough
	case "i", "j", "idx", "index", "I":
		return f.separated && !f.fraction && !f.clock && f.unit == unitNone && f.number == math.Trunc(f.number) && r.measures()
	}
	return false
}

// dropBatchSize takes the n/N that begins a line for the step where "batch" ends it, behind
// what was measured: there it is the size of the batch, "[3200/50000] loss 0.06 | batch 16".
func dropBatchSize(r *pairs) {
	last := len(r.fields) - 1
	if last < 2 || r.stepAt != last || r.epochAt >= 0 {
		return
	}
	first, f := &r.fields[0], &r.fields[last]
	if !first.fraction || first.of < first.number || !first.name.empty() || first.unit != unitNone || !r.startsLine(0) ||
		f.fraction || !hasFold(f.name.of(r.text), "batch") || f.name.hi-f.name.lo != len("batch") || !r.measures() {
		return
	}
	r.kinds[last].class, f.class = classSetting, classSetting
	r.kinds[0].class, first.class, r.kinds[0].prio = classStep, classStep, 55
	r.stepAt = 0
}

// countsThings reports whether the word behind a number states that it counts samples or
// tokens: "generation: 128 tokens, 2.1 s/token".
func countsThings(r *pairs, i int) bool {
	f := &r.fields[i]
	if !f.separated || f.fraction || f.hi+1 >= len(r.text) || r.text[f.hi] != ' ' || !isLetter(r.text[f.hi+1]) {
		return false
	}
	end := f.hi + 1
	for end < len(r.text) && isLetter(r.text[end]) {
		end++
	}
	return words[string(r.text[f.hi+1:end])]&(isTokenWord|isRateOf) != 0 && (i+1 == len(r.fields) || r.fields[i+1].name.lo >= end || r.fields[i+1].name.empty())
}

// listed reports whether a value is the first of several in brackets behind its name: a
// setting, not a position.
func listed(text []byte, f *field) bool {
	if !f.separated || f.fraction || f.bracket != '(' && f.bracket != '[' || f.hi+1 >= len(text) || text[f.hi] != ',' {
		return false
	}
	next := skipBlanks(text, f.hi+1)
	return next < len(text) && isDigit(text[next])
}

// chooseCounter takes the counter of a loop for the step where it begins a line with a loss,
// or follows the tag that begins it, and no other position is on it: "count: 50,
// loss:228.9", "[TRAIN(0,1,3)]: i: 5, train_loss: 1.38".
func (r *pairs) chooseCounter() {
	if r.stepAt >= 0 || r.epochAt >= 0 || len(r.fields) < 2 {
		return
	}
	at, from := behindTag(r.text, r.fields)
	if at >= len(r.fields) {
		return
	}
	f, k := &r.fields[at], &r.kinds[at]
	if !f.separated || f.fraction || f.clock || f.unit != unitNone || f.number < 0 || f.number != math.Trunc(f.number) || f.name.lo > from {
		return
	}
	switch string(f.name.of(r.text)) {
	case "count", "Count", "counter", "i", "idx", "index":
	default:
		return
	}
	for i := range r.kinds {
		if r.kinds[i].class == classLoss && r.fields[i].separated && r.fields[i].unit == unitNone {
			k.class, f.class = classStep, classStep
			r.offerStep(at, bareStep)
			return
		}
	}
}

// behindTag returns the first field behind a tag in brackets that begins the line, and where
// its name may begin.
func behindTag(text []byte, fields []field) (at, from int) {
	if text[0] != '[' {
		return 0, 0
	}
	end := bytes.IndexByte(text, ']')
	for end > 0 && at < len(fields) && fields[at].hi <= end {
		at++
	}
	for from = max(0, end+1); from < len(text) && (text[from] == ':' || text[from] == ' '); from++ {
	}
	return at, from
}

// isDuration reports whether a number has a unit of time.
func (f *field) isDuration() bool {
	switch f.unit {
	case unitSeconds, unitMillis, unitMicros, unitMinutes, unitHours:
		return true
	}
	return false
}

// gluedTime reports whether a number is a duration with its unit right behind it.
func gluedTime(f *field, text []byte) bool {
	switch f.unit {
	case unitSeconds, unitMillis, unitMicros:
		return bytes.IndexByte(text[f.lo:f.hi], ' ') < 0
	}
	return false
}

// behindEpoch is the priority of a number without a name behind the epoch.
const behindEpoch = 44

// passPrio is the priority of "pass", an epoch only beside a batch.
const passPrio = 40

// sharedFraction reports whether n/N is followed by its percentage, and that by another
// n/N in brackets.
func (r *pairs) sharedFraction(i int) bool {
	if i+2 >= len(r.fields) {
		return false
	}
	share, next := &r.fields[i+1], &r.fields[i+2]
	return share.name.empty() && share.unit == unitPercent && next.name.empty() && next.fraction && next.bracket == '['
}

func (r *pairs) offerStep(i int, prio uint8) {
	if r.stepAt < 0 || prio > r.kinds[r.stepAt].prio {
		r.kinds[i].prio = prio
		r.stepAt = i
	}
}

// offerUnnamed uses n/N without a name as a step where one may be: after the epoch, or
// at the beginning of the line.
func (r *pairs) offerUnnamed(i int) {
	f := &r.fields[i]
	switch {
	case i == 0 && r.stackedBrackets():
		r.epochAt, r.kinds[0].prio = 0, 10
		r.kinds[1].class, r.fields[1].class = classStep, classStep
		r.offerStep(1, 55)
		r.point.scope, r.point.scopeKnown = train.ScopeEpoch, true
	case i == 0 && r.bracketAndNumber():
		r.epochAt, r.kinds[0].prio = 0, 10
		r.kinds[1].class, r.fields[1].class = classStep, classStep
		r.offerStep(1, 55)
		r.point.scope, r.point.scopeKnown = train.ScopeEpoch, true
	case i == 0 && fractionPair(r):
		r.epochAt, r.kinds[0].prio = 0, 10
		r.kinds[1].class, r.fields[1].class = classStep, classStep
		r.offerStep(1, 55)
	case i > 0 && r.epochAt == i-1 && numberBehindEpoch(r, i):
		r.kinds[i].class, f.class = classStep, classStep
		r.offerStep(i, behindEpoch)
	case i == 1 && f.fraction && f.of > 0 && r.behindListNumber():
		if bytes.IndexByte(r.text[r.fields[0].lo:f.lo], '.') < 0 && r.epochAt < 0 { // "   1  100 /  320 whole_loss = 0.64"
			r.epochAt, r.kinds[0].prio = 0, 10
		}
		r.kinds[i].class, f.class = classStep, classStep
		r.offerStep(i, 55)
	case f.fraction && f.unit == unitNone && r.behindBracket(f):
		// "Epoch:[0/19](100/24681)"
		r.kinds[i].class, f.class = classStep, classStep
		r.offerStep(i, 55)
	case f.fraction && f.unit == unitNone && f.bracket != '(' && (r.epochAt >= 0 || i == 0 && (r.startsLine(i) || behindPhaseCell(r, f)) || r.timmEpoch(i)):
		r.kinds[i].class, f.class = classStep, classStep
		r.offerStep(i, 55)
	case f.fraction && f.unit == unitNone && (countsInEpoch(r, i) || besidePercent(r, i) || behindBar(r.text, f)):
		// "Epoch 3/10 (20/500)", "12% (60 of 500)", "[###...] 60/500"
		r.kinds[i].class, f.class = classStep, classStep
		r.offerStep(i, 55)
	case f.fraction && f.unit == unitNone && f.bracket == '[' && (i > 0 || labelPhase(f.label.of(r.text)) != phaseNone):
		// "Test: [ 10/196]", or "loss: 0.69  [   64/60000]" of PyTorch's tutorial
		r.kinds[i].class, f.class = classStep, classStep
		r.offerStep(i, 45)
	case i == 0 && f.bracket == '[' && r.pairInBrackets():
		// "[1,  2000] loss: 2.173" of PyTorch's first tutorial: epoch, batch
		r.epochAt, r.kinds[0].prio = 0, 10
		r.offerStep(1, 55)
		r.point.scope, r.point.scopeKnown = train.ScopeEpoch, true
	case i == 0 && pairOfNumbers(r):
		r.epochAt, r.kinds[0].prio = 0, 10
		r.kinds[1].class, r.fields[1].class = classStep, classStep
		r.offerStep(1, 55)
	case i == 0 && r.phaseRow():
		r.kinds[i].class, f.class = classStep, classStep
		r.offerStep(i, 15)
	case i == 0 && f.bracket == 0 && !f.fraction && f.unit == unitNone && r.startsLine(i) && f.number == float64(int64(f.number)) && r.numbersRecord(f):
		// "010, train/loss: 0.12886.", "604 [D loss: 0.41, acc.: 80.00%]" of Keras-GAN
		r.kinds[i].class, f.class = classStep, classStep
		r.offerStep(i, 15)
	case i == 0 && f.bracket == '[' && !f.fraction && f.unit == unitNone && r.startsLine(i) && f.number == float64(int64(f.number)) && (f.hi < len(r.text) && r.text[f.hi] == ']' || r.secondsBehind(f)):
		// "[100]\ttrain-rmse:0.5" of boosters and of clu's metric writer, and
		// "[10 | 28.14] loss=3.71" of GPT-2's train.py
		r.kinds[i].class, f.class = classStep, classStep
		r.offerStep(i, bareStep)
	}
}

// behindPhaseCell reports whether an n/N is the cell behind that of the phase which begins the line:
// "train | 100/1000 | loss 0.51", "[ Train | 001/020 ] loss = 1.14".
func behindPhaseCell(r *pairs, f *field) bool {
	before := bytes.TrimRight(r.text[:f.lo], " ")
	cell := bytes.TrimSuffix(before, []byte("|"))
	return len(cell) < len(before) && f.of >= f.number && wordPhase(bytes.Trim(cell, " |[")) != phaseNone && r.measures()
}

// countsInEpoch reports whether n/N in round brackets directly follows the epoch and is no
// second way to write it: "Epoch 3/10 (20/500)", but not "Epoch 3 (4/10)".
func countsInEpoch(r *pairs, i int) bool {
	f := &r.fields[i]
	if i == 0 || r.epochAt != i-1 || f.bracket != '(' || f.of < f.number {
		return false
	}
	epoch := &r.fields[i-1]
	return (epoch.fraction || f.number != epoch.number && f.number != epoch.number+1) && len(bytes.Trim(r.text[epoch.hi:f.lo], " ](,:-")) == 0
}

// besidePercent reports whether n/N directly follows its percentage: "12% (60 of 500)".
func besidePercent(r *pairs, i int) bool {
	f := &r.fields[i]
	if i != 1 || f.of <= 0 || f.number > f.of || !r.startsLine(0) {
		return false
	}
	share := &r.fields[0]
	return share.name.empty() && share.unit == unitPercent && math.Abs(share.number-100*f.number/f.of) <= 1 &&
		len(bytes.Trim(r.text[share.hi:f.lo], " ](|[")) == 0
}

// behindBar reports whether n/N directly follows a bar that a program drew: "[###...] 60/500",
// "|███   | 60/500", "━━━╸    60/500".
func behindBar(text []byte, f *field) bool {
	const shortest = 4 // of signs that are no letters of a bar alone
	if f.of < f.number || f.of <= 0 || f.lo == 0 || !isBlank(text[f.lo-1]) {
		return false
	}
	before := bytes.TrimRight(text[:f.lo], " ")
	if bracketedBar(before) >= 0 {
		return true
	}
	n := len(before)
	if n > 0 && before[n-1] == '|' {
		inside := before[:n-1]
		open := bytes.LastIndexByte(inside, '|') // it may be taken off as the joint of a prefix
		if n-open < shortest || open < 0 && inside[0] < 0x80 {
			return false
		}
		for _, c := range inside[open+1:] {
			if c < 0x80 && !isBarSign(c) {
				return false
			}
		}
		return true
	}
	return n > 2 && before[n-3] == 0xE2 && before[n-2] >= 0x94 && before[n-2] <= 0x96
}

// numbersRecord reports whether the number at the beginning of a line is of the record
// behind it: a comma, a bracket, a bar or the name of a value follows.
func (r *pairs) numbersRecord(f *field) bool {
	rest := r.text[f.hi:]
	switch {
	case bytes.HasPrefix(rest, []byte(",")):
		return r.measures()
	case bytes.HasPrefix(rest, []byte(" [")):
		return true
	case rateBehind(rest): // "     200 -  256.73 equations/s -  4584.27 words/s" of XLM
		return true
	case f.lo > 0:
		return measuresBehind(r, f)
	case bytes.HasPrefix(rest, []byte(" - ")) && len(r.fields) == 2: // "8 - Mean Squared Error := 0.112946"
		return r.fields[1].name.lo == f.hi+len(" - ") && r.fields[1].separated && r.measures()
	case bytes.HasPrefix(rest, []byte(" | ")): // "430 | loss 4.3750 | lr 9.0e-04"
		return measuresInCells(r)
	}
	if len(r.fields) < 2 {
		return false
	}
	if measuresBehind(r, f) {
		return true
	}
	name := r.fields[1].name
	if k := r.kinds[1]; k.class.meter() && (k.train || k.eval) && name.lo == f.hi+1 && r.fields[1].separated { // "0 Train accuracy: 0.9 Test accuracy 0.89"
		return true
	}
	if r.kinds[1].class != classLoss { // "12 total_loss=10.79928 grad_loss=1.39298"
		return false
	}
	return name.lo == f.hi+1 && name.hi < len(r.text) && r.text[name.hi] == '='
}

// measuresBehind reports whether the loss of training, and something of evaluation, follow
// the number that begins a line: "   1 train loss  0.64516 test acc: 91.65%" of candle.
func measuresBehind(r *pairs, f *field) bool {
	if len(r.fields) < 3 || r.fields[1].name.lo != f.hi+1 || r.kinds[1].class != classLoss || !r.kinds[1].train || r.fields[1].unit != unitNone {
		return false
	}
	return r.kinds[2].eval && r.kinds[2].class.meter()
}

// rateBehind reports whether a text begins with a dash and how many of something were
// done in a second.
func rateBehind(text []byte) bool {
	if !bytes.HasPrefix(text, []byte(" - ")) {
		return false
	}
	rest := bytes.TrimLeft(text[3:], " ")
	digits := 0
	for digits < len(rest) && (isDigit(rest[digits]) || rest[digits] == '.') {
		digits++
	}
	if digits == 0 || digits == len(rest) || rest[digits] != ' ' {
		return false
	}
	rest = rest[digits+1:]
	letters := 0
	for letters < len(rest) && isLetter(rest[letters]) {
		letters++
	}
	return letters > 0 && bytes.HasPrefix(rest[letters:], []byte("/s"))
}

// measuresInCells reports whether a name of training and its value are in one cell. The rows
// of Lightning's table of layers begin with a number and a bar too, and have a cell for the
// class: "12 | test_sens | BinaryRecall | 0".
func measuresInCells(r *pairs) bool {
	for i := range r.kinds {
		f := &r.fields[i]
		if r.kinds[i].class.meter() && bytes.IndexByte(r.text[f.name.hi:max(f.lo, f.name.hi)], '|') < 0 {
			return true
		}
	}
	return false
}

// measures reports whether the line has something that only training prints.
func (r *pairs) measures() bool {
	for i := range r.kinds {
		if r.kinds[i].class.meter() {
			return true
		}
	}
	return false
}

// secondsBehind reports whether a bracket holds a number, a bar and one number more,
// the seconds since the start: "[10 | 28.14]".
func (r *pairs) secondsBehind(f *field) bool {
	if len(r.fields) < 3 || !bytes.HasPrefix(r.text[f.hi:], []byte(" | ")) {
		return false
	}
	seconds := &r.fields[1]
	return seconds.lo == f.hi+len(" | ") && !seconds.fraction && seconds.hi < len(r.text) && r.text[seconds.hi] == ']'
}

// bareStep is the priority of a number in brackets at the beginning of a line. On a
// line without other numbers it is the number of an item.
const bareStep = 20

func (r *pairs) pairInBrackets() bool {
	if len(r.fields) < 3 || !r.startsLine(0) {
		return false
	}
	first, second := &r.fields[0], &r.fields[1]
	between := bytes.TrimSpace(r.text[first.hi:second.lo])
	return len(between) == 1 && between[0] == ',' && second.hi < len(r.text) && r.text[second.hi] == ']' &&
		first.number == float64(int64(first.number)) && second.number == float64(int64(second.number))
}

// pairOfNumbers reports whether a line begins with two whole numbers and a loss: "234 1024 train
// loss: 0.02" of AttentionXML, epoch and batch.
func pairOfNumbers(r *pairs) bool {
	if len(r.fields) < 3 || !r.startsLine(0) {
		return false
	}
	first, second, third := &r.fields[0], &r.fields[1], &r.fields[2]
	if c := r.kinds[2].class; c != classLoss && c != classEvalLoss || !third.separated || !second.name.empty() {
		return false
	}
	for _, f := range [...]*field{first, second} {
		if f.fraction || f.clock || f.bracket != 0 || f.unit != unitNone || f.number != math.Trunc(f.number) || bytes.IndexByte(r.text[f.lo:f.hi], '.') >= 0 {
			return false
		}
	}
	return second.lo > first.hi && len(bytes.Trim(r.text[first.hi:second.lo], " \t")) == 0
}

// fractionPair reports whether a line begins with two n/N and a blank between them: "1/20 300/4000
// loss 0.5", epoch and batch.
func fractionPair(r *pairs) bool {
	if len(r.fields) < 3 || !r.startsLine(0) || !r.measures() {
		return false
	}
	first, second := &r.fields[0], &r.fields[1]
	for _, f := range [...]*field{first, second} {
		if !f.fraction || bytes.IndexByte(r.text[f.lo:f.hi], '/') < 0 || f.of < f.number || f.of <= 0 || f.of != math.Trunc(f.of) || !f.name.empty() || f.unit != unitNone {
			return false
		}
	}
	return second.lo > first.hi && len(bytes.Trim(r.text[first.hi:second.lo], " \t")) == 0
}

// numberBehindEpoch reports whether a number without a name directly follows the epoch, in
// front of a sign: "Epoch 1 300: loss 0.5".
func numberBehindEpoch(r *pairs, i int) bool {
	f, epoch := &r.fields[i], &r.fields[i-1]
	if f.bracket == '(' {
		return inBracketsBehind(r.text, epoch, f)
	}
	if f.fraction || f.clock || f.unit != unitNone || f.bracket != 0 || f.separated || f.number != math.Trunc(f.number) || epoch.hi >= f.lo || len(bytes.Trim(r.text[epoch.hi:f.lo], " \t")) > 0 {
		return false
	}
	if i+1 < len(r.fields) && r.kinds[i+1].class.meter() && len(bytes.TrimLeft(r.text[f.hi:max(f.hi, r.fields[i+1].name.lo)], " .")) == 0 {
		return true // "Epoch 1 300 loss 0.5"
	}
	rest := bytes.TrimLeft(r.text[f.hi:], " ")
	return len(rest) > 0 && bytes.IndexByte([]byte(":,;|\t-"), rest[0]) >= 0
}

// inBracketsBehind reports whether a whole number alone in round brackets follows right behind an n/N of
// epochs: "Epoch [3/100] (1600) train_mae: 0.5" of DCRNN.
func inBracketsBehind(text []byte, epoch, f *field) bool {
	return epoch.fraction && !f.fraction && !f.clock && f.unit == unitNone && f.number == math.Trunc(f.number) && f.number >= epoch.number &&
		f.hi < len(text) && text[f.hi] == ')' && epoch.hi < f.lo && len(bytes.Trim(text[epoch.hi:f.lo], " ](")) == 0
}

// behindBracket reports whether a field is like the last one in "](100/24681)".
func (r *pairs) behindBracket(f *field) bool {
	return f.bracket == '(' && f.lo > 1 && r.text[f.lo-2] == ']'
}

// stackedBrackets reports whether a line begins with "[0/20][10/32]", as the DCGAN of
// PyTorch's examples and its many copies print: epoch, then batch.
func (r *pairs) stackedBrackets() bool {
	if len(r.fields) < 3 || !r.startsLine(0) {
		return false
	}
	first, second := &r.fields[0], &r.fields[1]
	between := bytes.TrimSpace(r.text[first.hi:second.lo])
	return first.bracket == '[' && (first.fraction || second.fraction) &&
		first.number == math.Trunc(first.number) && second.number == math.Trunc(second.number) &&
		len(between) > 1 && len(bytes.Trim(between, "[], ")) == 0 && second.hi < len(r.text) && r.text[second.hi] == ']'
}

// bracketAndNumber reports whether a line begins with "[  0]      10 ||", as that of
// YOLACT: epoch, then iteration.
func (r *pairs) bracketAndNumber() bool {
	if len(r.fields) < 3 || !r.startsLine(0) || r.fields[0].bracket != '[' {
		return false
	}
	first, second := &r.fields[0], &r.fields[1]
	return second.name.empty() && !first.fraction && !second.fraction && second.unit == unitNone &&
		first.number == math.Trunc(first.number) && second.number == math.Trunc(second.number) &&
		string(bytes.TrimSpace(r.text[first.hi:second.lo])) == "]" && bytes.HasPrefix(r.text[second.hi:], []byte(" |"))
}

// behindListNumber reports whether only the number of an item is before the second
// field: "2.  39497/50000: episode: 570" of Keras-RL.
func (r *pairs) behindListNumber() bool {
	first := &r.fields[0]
	return first.name.empty() && !first.fraction && r.startsLine(0) && first.number == math.Trunc(first.number) &&
		len(bytes.Trim(r.text[first.hi:r.fields[1].lo], ". ")) == 0
}

// stackedBehind reports whether "][0/6]" follows a number in brackets.
func (r *pairs) stackedBehind(i int) bool {
	if i+1 >= len(r.fields) {
		return false
	}
	next := &r.fields[i+1]
	return next.fraction && next.bracket == '[' && string(r.text[r.fields[i].hi:next.lo]) == "]["
}

func (r *pairs) timmEpoch(i int) bool { return i == 1 && r.kinds[0].train }

func (r *pairs) startsLine(i int) bool {
	return len(bytes.Trim(r.text[:r.fields[i].lo], " \t|[(<=->*#.")) == 0
}

// dropPluralSteps rejects "Steps: 235" beside an epoch: it is a number of steps. Beside a
// number of epochs and without a loss it is a setting: "epochs=20 steps=2000".
func (r *pairs) dropPluralSteps() {
	if r.stepAt < 0 || r.kinds[r.stepAt].prio != 50 || r.fields[r.stepAt].fraction {
		return
	}
	if r.epochAt >= 0 {
		r.kinds[r.stepAt].class = classStepsPerEpoch
		r.point.steps = r.fields[r.stepAt].number
		r.stepAt = -1
		return
	}
	counts := false
	for i := range r.kinds {
		switch r.kinds[i].class {
		case classLoss, classEvalLoss, classObjective:
			return
		case classTotalEpochs:
			counts = true
		}
	}
	if counts {
		r.kinds[r.stepAt].class, r.fields[r.stepAt].class = classUnknown, classUnknown
		r.stepAt = -1
	}
}

// dropLength rejects "Steps: 53" beside "Episode 7/500", or behind the "Episode 7" that begins
// the line: it is how long the episode was.
func (r *pairs) dropLength() {
	if r.stepAt < 0 || r.kinds[r.stepAt].prio != 50 || r.fields[r.stepAt].fraction {
		return
	}
	for i := range r.fields {
		f := &r.fields[i]
		if r.kinds[i].class == classStep && i < r.stepAt && (f.fraction && f.of >= f.number || i == 0 && f.name.lo == 0 && hasFold(f.name.of(r.text), "episode")) {
			r.kinds[r.stepAt].class, r.fields[r.stepAt].class = classUnknown, classUnknown
			r.stepAt = i
			return
		}
	}
}

func (r *pairs) takePosition() {
	p := &r.point
	if r.stepAt >= 0 {
		f := &r.fields[r.stepAt]
		p.hasStep, p.step, p.stepFraction, p.stepOf = true, f.number, f.fraction, f.of
		p.stepPrio = r.kinds[r.stepAt].prio
		p.leading = r.stepAt == 0
		name := f.name.of(r.text)
		name = name[bytes.LastIndexByte(name, ' ')+1:]
		p.batch = r.epochAt < 0 && !f.fraction && len(name) == len("batch") && hasFold(name, "batch")
	}
	if r.epochAt >= 0 {
		f := &r.fields[r.epochAt]
		p.hasEpoch, p.epoch = true, f.number
		p.epochFraction, p.epochOf = f.fraction, f.of
		p.leading = p.leading || r.epochAt == 0
	}
	p.stepFirst = r.epochAt > r.stepAt && !p.epochFraction
	if p.hasStep && p.stepFraction && !p.hasEpoch && p.stepPrio == 45 && r.stepAt > 0 && r.stepAt == len(r.fields)-1 && r.fields[r.stepAt].bracket == '[' {
		p.scope, p.scopeKnown = train.ScopeSamples, true // PyTorch's tutorial, and its copies
	}
	if p.hasStep && p.stepFraction && p.hasEpoch && p.stepPrio < 90 {
		p.scope, p.scopeKnown = train.ScopeEpoch, false
		// pytorch/examples mnist and its many copies count samples here.
		if r.kinds[r.stepAt].prio == 55 && r.kinds[r.epochAt].train && r.kinds[r.epochAt].prio > 10 && r.epochNamed("train_epoch") {
			p.scope, p.scopeKnown = train.ScopeSamples, true
		}
	}
}

func (r *pairs) epochNamed(want string) bool {
	r.words.split(r.fields[r.epochAt].name.of(r.text))
	return string(r.words.all()) == want && r.text[r.fields[r.epochAt].name.hi-1] != ')'
}

// chooseLoss decides which of several losses is the loss.
func (r *pairs) chooseLoss() {
	r.lossAt, r.evalAt = -1, -1
	objective, lossish := -1, 0
	phase, carried := phaseNone, phaseNone
	for i := range r.fields {
		f, k := &r.fields[i], &r.kinds[i]
		if phase = r.members.phaseAt(f.lo); phase == phaseNone {
			carried = r.phaseAt(i, carried)
			phase = carried
		}
		if phase == phaseEval {
			k.evaluate()
			f.class = k.class
		}
		if f.clock || f.fraction && f.of != 0 {
			continue
		}
		if r.twinOfEval(i) || inEvalCell(r, i) {
			k.evaluate()
			f.class = k.class
		}
		if scale, _ := f.unit.seconds(); (k.class == classLoss || k.class == classEvalLoss || k.class == classEvidence && endsInCost(f.name.of(r.text))) && f.unit != unitNone && scale > 0 {
			k.class, f.class = classTime, classTime // "cost 350.23 s", "time cost: 2.26s"
			continue
		}
		switch {
		case k.class == classLoss:
			r.lossAt = r.better(i, r.lossAt)
		case k.class == classEvalLoss:
			r.evalAt = r.better(i, r.evalAt)
		case k.class == classObjective:
			objective = i
			lossish++
		case k.class == classEvidence && containsFold(f.name.of(r.text), "loss") && !r.plainError(f): // not "logloss"
			if !r.auxiliary(f) {
				lossish++
			}
			r.point.part = r.point.part || f.separated
		}
	}
	r.point.eval = phase == phaseEval
	evaluateBehind(r)
	if r.evalAt < 0 {
		r.evalAt = r.evalBehindTrain()
	}
	r.namesLoss = r.namesLoss || r.lossAt >= 0 || r.evalAt >= 0 || objective >= 0 || lossish > 0
	if r.lossAt < 0 && r.evalAt < 0 && objective < 0 && lossish == 0 {
		r.chooseBarePair()
		r.choosePhaseRow()
	}
	if r.lossAt < 0 && r.evalAt < 0 && objective < 0 {
		chooseTotal(r)
	}
	if !r.namesLoss && phase != phaseEval && r.lossAt < 0 && r.evalAt < 0 {
		r.lossAt, r.evalAt = chooseError(r)
		r.point.guessed = r.lossAt >= 0
	}
	if r.lossAt >= 0 && r.kinds[r.lossAt].class == classLoss && r.kinds[r.lossAt].prio <= costPrio && !r.kinds[r.lossAt].train {
		r.point.guessed = true // routes and plans have a cost too
	}
	if r.lossAt >= 0 || r.evalAt >= 0 || objective < 0 || lossish > 1 {
		return
	}
	r.point.objective = true
	if !r.point.positioned() {
		r.point.function = r.fields[objective].name.of(r.text)
	}
	if phase == phaseEval || r.kinds[objective].eval {
		r.evalAt = objective
	} else {
		r.lossAt = objective
	}
}

// costPrio is the highest priority of a cost, which is a loss where a position goes with it.
const costPrio = 40

// twinOfEval reports whether a field is a second loss of the same name, right behind a value
// of evaluation: "Train: 9.17% loss= 2.3 | Test: 10.65% loss= 2.4".
func (r *pairs) twinOfEval(i int) bool {
	if r.lossAt < 0 || r.lossAt == i-1 || r.kinds[i].class != classLoss || !r.kinds[i-1].eval {
		return false
	}
	return bytes.EqualFold(r.fields[i].name.of(r.text), r.fields[r.lossAt].name.of(r.text))
}

// plainError reports whether a name is that of an error, and states nothing else than how and where
// it was measured.
func (r *pairs) plainError(f *field) bool {
	r.words.split(f.name.of(r.text))
	n := r.words.count
	if n == 0 || r.words.over {
		return false
	}
	for i := range n - 1 {
		if t := words[string(r.words.word(i))]; t&(hasTrain|hasEval|isFiller) == 0 && string(r.words.word(i)) != "squared" {
			return false
		}
	}
	return errorWords[string(r.words.word(n-1))]
}

// auxiliary reports whether a loss only keeps the model in shape, as "aux_loss",
// "load-balance-loss" and "router_z_loss" of a mixture of experts do: beside it the
// objective is the loss.
func (r *pairs) auxiliary(f *field) bool {
	r.words.split(f.name.of(r.text))
	for i := range r.words.count {
		switch string(r.words.word(i)) {
		case "aux", "auxiliary", "balance", "balancing", "router", "z", "regularization", "reg":
			return true
		}
	}
	return false
}

// evaluateBehind takes an accuracy that names no phase for the evaluation's where the first
// thing measured on its line is the loss of an evaluation, and none of training is: "val loss:
// 0.5, acc: 0.9".
func evaluateBehind(r *pairs) {
	if r.evalAt < 0 || r.lossAt >= 0 {
		return
	}
	for i := range r.fields {
		f, k := &r.fields[i], &r.kinds[i]
		switch {
		case i < r.evalAt && k.class.meter() || k.train && k.class.meter():
			return
		case i > r.evalAt && k.class == classAccuracy:
			k.evaluate()
			f.class = k.class
		}
	}
}

// evalBehindTrain finds the evaluation's loss in "loss train: 1.981  eval: 2.344" of
// Open3D-ML, -1 for none.
func (r *pairs) evalBehindTrain() int {
	next := r.lossAt + 1
	if r.lossAt < 0 || next >= len(r.fields) || r.kinds[next].class != classUnknown {
		return -1
	}
	if f, before := &r.fields[next], r.text[r.fields[r.lossAt].hi:max(r.fields[r.lossAt].hi, r.fields[next].name.lo)]; string(before) == " (" && wordPhase(f.name.of(r.text)) == phaseEval && !f.fraction && f.unit == unitNone {
		f.separated = true
		return next // "loss 0.5 (val 0.6)"
	}
	f, first := &r.fields[next], &r.fields[r.lossAt]
	if !f.separated && (first.separated || f.name.lo != first.hi+1 || f.fraction || f.unit != unitNone) { // "LOSS train 0.51 valid 0.62" of PyTorch's tutorial
		return -1
	}
	said := first.name.of(r.text)
	if blank := bytes.LastIndexByte(said, ' '); wordPhase(said[blank+1:]) != phaseTrain || wordPhase(f.name.of(r.text)) != phaseEval {
		return -1
	}
	f.separated = true
	return next
}

// chooseBarePair handles "Epoch 6 - train: 0.51 - val: 0.62": beside a position the two
// words alone are the losses. If "test" is beside them, they are the accuracies of
// PyG's examples.
func (r *pairs) chooseBarePair() {
	if !r.point.positioned() {
		return
	}
	trainAt, evalAt := -1, -1
	for i := range r.fields {
		f, k := &r.fields[i], &r.kinds[i]
		if k.class == classAccuracy || k.class == classEvalAccuracy || k.class == classEvidence && !lossPart(f.name.of(r.text)) {
			return
		}
		if i == r.stepAt || i == r.epochAt || k.class != classUnknown || f.fraction || f.clock || f.unit != unitNone {
			continue
		}
		switch said := f.name.of(r.text); {
		case hasFold(said, "test") || hasFold(said, "dev"):
			return
		case (wordPhase(said) == phaseTrain || string(said) == "tr") && trainAt < 0:
			trainAt = i
		case (wordPhase(said) == phaseEval || string(said) == "va") && evalAt < 0:
			evalAt = i
		}
	}
	if trainAt >= 0 && evalAt > trainAt {
		r.lossAt, r.evalAt = trainAt, evalAt
		r.fields[trainAt].separated, r.fields[evalAt].separated = true, true
	}
}

// better returns the field whose name has the higher priority, the first of two equal ones.
func (r *pairs) better(i, than int) int {
	if than < 0 || r.kinds[i].prio > r.kinds[than].prio {
		return i
	}
	return than
}

// evaluate changes a name that mentions neither training nor evaluation to one of evaluation.
func (k *kind) evaluate() {
	switch {
	case k.class == classLoss && !k.train:
		k.class = classEvalLoss
	case k.class == classAccuracy:
		k.class = classEvalAccuracy
	}
}

// collect converts each field that is no position to a metric.
func (r *pairs) collect() {
	p := &r.point
	r.refused = r.refused[:0]
	for i := range r.fields {
		f, k := &r.fields[i], &r.kinds[i]
		if i == r.stepAt || i == r.epochAt {
			continue
		}
		if f.clock {
			if k.class == classETA {
				r.collectRemaining(f)
			}
			continue
		}
		switch k.class {
		case classNone:
			r.collectRate(f)
		case classETA:
			r.collectRemaining(f)
		case classTotalSteps:
			if k.train && r.epochAt >= 0 && r.stepAt < 0 && r.lossAt >= 0 {
				p.steps, p.trainSteps = f.number, true // "Epoch id: 1, Training steps: 100, Avg loss: 0.9"
				continue
			}
			p.totals.TotalSteps = f.number
		case classTotalEpochs:
			p.totals.TotalEpochs = f.number
		case classStepsPerEpoch:
			p.totals.StepsPerEpoch = f.number
		default:
			r.collectMetric(i)
		}
	}
	if r.lossAt >= 0 || r.evalAt >= 0 {
		p.atLeast(loss)
	}
}

func (p *point) setRemaining(d time.Duration) { p.remaining, p.hasRemaining = d, true }

func endsInCost(name []byte) bool {
	const cost = "cost"
	return len(name) >= len(cost) && hasFold(name[len(name)-len(cost):], cost)
}

// collectRate adds numbers that only their unit names: "143 Examples/sec".
func (r *pairs) collectRate(f *field) {
	switch f.unit {
	case unitSamplesRate, unitRate:
		r.point.add(train.MetricSamples, f.number)
	case unitTokensRate:
		r.point.add(train.MetricTokens, f.number)
	case unitWordsRate:
		r.point.add("words_per_second", f.number)
	case unitItsSecond:
		r.point.add(train.MetricItsSecond, f.number)
	case unitSecondsIt:
		r.point.add(train.MetricStepTime, f.number)
	case unitMillisIt:
		r.point.add(metricStepMillis, f.number)
	case unitTFLOPS:
		r.point.add(train.MetricTFLOPS, f.number)
	}
}

const metricStepMillis = "step_time_ms"

func (r *pairs) collectMetric(i int) {
	f, k, p := &r.fields[i], &r.kinds[i], &r.point
	if k.class == classEvidence && !r.hasRate() && (isBaseRate(f.name.of(r.text)) || groupRate(f.name.of(r.text), &r.words)) {
		k.class, f.class = classLR, classLR // "_base/lr=0.001" of Catalyst, with no other beside it
	}
	if !f.separated && f.class == classEvidence && endsWithFor(f.name.of(r.text)) {
		return // "Training until validation scores don't improve for 50 rounds"
	}
	if f.class == classUnknown && (!f.separated && !keepUnseparated(f.name.of(r.text)) || isPath(f.name.of(r.text))) {
		return
	}
	if f.number < 0 && (k.class == classStep || k.class == classEpoch) {
		return // "step -3" before training begins is no measurement
	}
	if f.fraction && f.of != 0 && k.class != classAccuracy && k.class != classEvalAccuracy {
		if k.class == classUnknown || k.class == classStep {
			return
		}
	}
	if measuresNothing(r, i) {
		return
	}
	name := r.metricName(i)
	if name == "" {
		if !f.name.empty() {
			p.leftOut++
		}
		return
	}
	if !p.add(name, r.shown(i)) && !addByItsName(r, i, name) {
		r.refused = append(r.refused, i)
	}
	p.separated = p.separated || f.separated
	switch {
	case k.class == classLR:
		p.atLeast(rateOnly)
	case k.class.meter():
		p.atLeast(metric)
	case k.class == classTime && f.number == f.number:
		p.atLeast(unknown)
	case k.class == classUnknown && (f.separated || epochRecord(r, i)):
		p.atLeast(unknown)
	}
}

// epochRecord reports whether a line is an epoch, a word and a number with decimals, and nothing else:
// "[epoch 3] GAUC 0.7133".
func epochRecord(r *pairs, i int) bool {
	if i != 1 || len(r.fields) != 2 || r.epochAt != 0 || !measuredField(r, 1) {
		return false
	}
	f := &r.fields[1]
	name := f.name.of(r.text)
	return len(name) > 2 && bytes.IndexByte(name, ' ') < 0 && isLetter(name[0]) && f.name.lo >= r.fields[0].hi &&
		len(bytes.Trim(r.text[r.fields[0].hi:f.name.lo], " ]):|,-")) == 0 && len(bytes.TrimRight(r.text[f.hi:], " ")) == 0
}

// addByItsName adds a value of a record under the name that the log gives it where another
// field of another name is the metric: "layer1.grad_norm" beside "layer0.grad_norm".
func addByItsName(r *pairs, i int, metric string) bool {
	own := r.fields[i].name.of(r.text)
	if !r.fields[i].quoted || string(own) == metric {
		return false
	}
	for k := range i {
		if k != r.stepAt && k != r.epochAt && r.kinds[k].class == r.kinds[i].class && r.metricName(k) == metric {
			return !bytes.Equal(r.fields[k].name.of(r.text), own) && r.point.add(r.names.keep(own), r.shown(i))
		}
	}
	return false
}

// since1970 is a number that is seconds since 1970, or milliseconds, rather than a duration.
const since1970 = 1e9

// sinceNames are names of a time of day that is a number.
var sinceNames = map[string]bool{"ts": true, "timestamp": true, "@timestamp": true, "_timestamp": true, "unix_time": true, "created": true}

// measuresNothing reports whether a field that has a name is no measurement: a time of day,
// how long something took or will take, a second name of the position, a count, or an index.
func measuresNothing(r *pairs, i int) bool {
	f, k := &r.fields[i], &r.kinds[i]
	name := f.name.of(r.text)
	switch k.class {
	case classTime, classStepTime, classStepMillis:
		return f.number >= since1970 // "time: 1591835837.72, epoch: 1"
	case classSetting:
		return string(name) == "batch" // its size
	case classStep:
		return r.stepAt >= 0 && f.number == r.fields[r.stepAt].number && bytes.IndexByte(name, ' ') >= 0
	case classUnknown:
		switch {
		case f.isDuration() && bytes.HasSuffix(name, []byte(" in")): // "Epoch 1 completed in 473.85s"
			return true
		case f.number >= since1970 && sinceNames[string(name)]:
			return true
		case string(name) == "left" && i > 0 && r.fields[i-1].isDuration(): // "loss=1.1 hours left=9.3"
			return true
		case r.stepAt >= 0 && f.number == r.fields[r.stepAt].number && bytes.HasSuffix(name, []byte(" global step")): // "Saving dict for global step 5468: ..."
			return true
		}
		return !f.separated && f.bracket == '[' && indexed(r.text, f)
	}
	if math.IsInf(f.number, 0) && bytes.HasPrefix(r.text[f.hi:], []byte(" -->")) {
		return true // "Model is improving ppl: inf --> 5.45"
	}
	return f.fraction && f.of >= f.number && f.of > 1 && k.class != classAccuracy && k.class != classEvalAccuracy &&
		f.name.lo > 0 && r.text[f.name.lo-1] == '[' && f.hi < len(r.text) && r.text[f.hi] == ']' // "[LOSS EVAL 98/100] Starting ..."
}

// indexed reports whether a number in brackets is glued to a name and names go on behind it:
// "gen[1] reward=-1.18".
func indexed(text []byte, f *field) bool {
	return f.lo > 1 && text[f.lo-1] == '[' && isWordByte(text[f.lo-2]) && f.number == math.Trunc(f.number) &&
		f.hi+1 < len(text) && text[f.hi] == ']' && (text[f.hi+1] == ' ' || text[f.hi+1] == '.')
}

func (r *pairs) hasRate() bool {
	for i := range r.kinds {
		if r.kinds[i].class == classLR {
			return true
		}
	}
	return false
}

// groupRate reports whether a name is that of the learning rate of one group of
// parameters: "matrix lr" of trainers with Muon, "encoder_lr".
func groupRate(name []byte, w *wordList) bool {
	w.split(name)
	if w.count != 2 || w.over || string(w.word(1)) != "lr" {
		return false
	}
	return words[string(w.word(0))] == 0 && isLetter(w.word(0)[0])
}

func isBaseRate(name []byte) bool {
	switch string(name) {
	case "Base Learning Rate", "base learning rate": // MATLAB
		return true
	}
	return string(name) == "base_lr" || string(name) == "base/lr" || string(name) == "_base/lr"
}

// shown returns the value of a field. For an accuracy printed as a count,
// "9890/10000 (98.90%)", it is the percentage after it, else the fraction.
func (r *pairs) shown(i int) float64 {
	f := &r.fields[i]
	if f.fraction && f.of > 0 && i+1 < len(r.fields) { // "HellaSwag accuracy: 3047/10042=0.3034"
		if next := &r.fields[i+1]; next.lo == f.hi+1 && r.text[f.hi] == '=' && math.Abs(next.number-f.number/f.of) <= 0.01 {
			return next.number
		}
	}
	if !f.fraction || f.of <= 0 || f.class != classAccuracy && f.class != classEvalAccuracy {
		return f.number
	}
	share := f.number / f.of
	if i+1 < len(r.fields) {
		next := &r.fields[i+1]
		if next.name.empty() && next.unit == unitPercent && math.Abs(next.number-100*share) <= 1 {
			return next.number
		}
	}
	return share
}

// canonical are the names of classes with a canonical metric.
var canonical = [classEvidence + 1]string{
	classLR: train.MetricLR, classGradNorm: train.MetricGradNorm,
	classAccuracy: train.MetricAccuracy, classEvalAccuracy: evalAccuracy,
	classTokens: train.MetricTokens, classSamples: train.MetricSamples, classItsSecond: train.MetricItsSecond,
	classMFU: train.MetricMFU, classTFLOPS: train.MetricTFLOPS, classStepMillis: metricStepMillis,
}

// metricName returns the canonical name of a field, or the log's own.
func (r *pairs) metricName(i int) string {
	f := &r.fields[i]
	name := canonical[f.class]
	switch {
	case i == r.lossAt:
		name = train.MetricLoss
	case i == r.evalAt, f.class == classEvalLoss && string(f.name.of(r.text)) == train.MetricLoss:
		name = train.MetricEvalLoss
	case f.unit == unitTFLOPS:
		name = train.MetricTFLOPS
	case f.class == classStepTime:
		name = timeName(f.unit, true)
	case f.class == classTime && !f.several: // "time 2h 5m 15s" is since the start
		name = timeName(f.unit, r.stepAt >= 0)
	case f.class == classEvidence, f.class == classUnknown:
		name = rateName(f.unit)
	}
	if name == "" {
		name = r.names.keep(bytes.TrimPrefix(f.name.of(r.text), []byte("and ")))
	}
	return name
}

// timeName returns the name of a step's duration, "" if it may be an epoch's.
func timeName(u unit, ofStep bool) string {
	switch {
	case u == unitMillis || u == unitMillisIt:
		return metricStepMillis
	case ofStep && (u == unitNone || u == unitSeconds || u == unitSecondsIt):
		return train.MetricStepTime
	}
	return ""
}

// rateName returns the metric for "Speed: 9.41 samples/sec".
func rateName(u unit) string {
	switch u {
	case unitSamplesRate:
		return train.MetricSamples
	case unitTokensRate:
		return train.MetricTokens
	case unitItsSecond:
		return train.MetricItsSecond
	}
	return ""
}

// keepUnseparated distinguishes "throughput 3.9" from the end of a sentence.
func keepUnseparated(name []byte) bool {
	wordCount := 1
	for i := range name {
		if name[i] == ' ' {
			wordCount++
		}
	}
	return wordCount <= 2 && !links[string(name)]
}

// links are words before a number that name nothing.
var links = map[string]bool{
	"to": true, "from": true, "by": true, "at": true, "in": true, "of": true, "for": true, "with": true, "and": true, "is": true, "was": true, "than": true, "on": true, "after": true, "before": true, "or": true, "took": true, "the": true, "a": true, "version": true, "rank": true, "Rank": true, "line": true, "GPU": true, "using": true, "only": true, "over": true, "until": true, "about": true, "within": true, "x": true,
}

func (r *pairs) collectRemaining(f *field) {
	if d, ok := readDuration(r.text[f.lo:]); ok {
		r.point.setRemaining(d)
	}
}

// isPath reports whether a name is a file or a path: its number is a line.
func isPath(name []byte) bool {
	return bytes.IndexByte(name, '.') >= 0 && (bytes.Contains(name, []byte(".py")) || bytes.Contains(name, []byte(".cc")) || bytes.Contains(name, []byte(".cpp")) || bytes.Contains(name, []byte(".go")))
}
