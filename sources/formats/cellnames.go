package formats

import (
	"bytes"
	"math"
	"slices"
)

// nameCells names the value that begins a cell by the words behind it in the cell, which are
// then no name of the next cell's value: "| 42.6% bf16 MFU | 171542 tok/s" of llm.c, "2.0 loss -
// 0.88 acc". Cells are between bars, or dashes with blanks around them.
func nameCells(r *pairs) {
	named := false
	for i := range r.fields {
		f := &r.fields[i]
		if f.fraction || f.clock || !beginsCell(r.text, f) {
			continue
		}
		if !named && !f.name.empty() && f.name.hi+len(" - ") == f.lo && string(r.text[f.name.hi:f.lo]) == " - " {
			return // "loss - 2.3 acc - 0.4": the names are in front of the dashes
		}
		named = true
		words := trimName(r.text, span{f.hi, cellEnd(r.text, f.hi)})
		last := i == len(r.fields)-1
		if words.empty() || !last && r.fields[i+1].lo < words.hi || r.cache.classify(words.of(r.text), &r.words).class == classUnknown {
			continue
		}
		f.name, f.separated = words, true
		if next := i + 1; !last && r.fields[next].name.lo < words.hi {
			r.fields[next].name, r.fields[next].separated = span{}, false
		}
	}
}

// beginsCell reports whether a value without a name of its own cell is the first of it.
func beginsCell(text []byte, f *field) bool {
	at := f.lo
	for at > 0 && isBlank(text[at-1]) {
		at--
	}
	return at > 0 && at < f.lo && cellBreak(text, at-1)
}

// cellEnd returns where the cell ends that has a byte of text.
func cellEnd(text []byte, at int) int {
	for ; at < len(text); at++ {
		if cellBreak(text, at) {
			return at
		}
	}
	return at
}

// cellBreak reports whether a byte parts two cells.
func cellBreak(text []byte, at int) bool {
	switch text[at] {
	case '|':
		return true
	case '-':
		return at > 0 && isBlank(text[at-1]) && at+1 < len(text) && isBlank(text[at+1])
	}
	return false
}

// nameRates takes the unit of a rate behind the value of something else for the name of the
// number behind it: "loss 2.99 samples/s 12 tokens/s 45012". No loss is measured in tokens/s.
func nameRates(r *pairs) {
	for i := range r.fields {
		f := &r.fields[i]
		if !f.unit.ofRate() || f.name.empty() || !isNoRate(r, f.name.of(r.text)) {
			continue
		}
		last := i
		for unitGoesOn(r, last) {
			last++
		}
		if last > i && r.fields[last].unit != unitNone {
			last = i // each number has its unit
		}
		for at := last - 1; at >= i; at-- {
			giveUnit(r, at)
		}
		if last == i && !f.separated {
			nameInFront(r, i)
		}
	}
}

// unitGoesOn reports whether the unit behind a value, with a blank between them, may be the
// name of the number that follows.
func unitGoesOn(r *pairs, i int) bool {
	if i+1 >= len(r.fields) || !r.fields[i].unit.ofRate() {
		return false
	}
	f, next := &r.fields[i], &r.fields[i+1]
	return next.name.empty() && !next.fraction && !next.clock && (next.unit == unitNone || next.unit.ofRate()) &&
		bytes.IndexByte(r.text[f.lo:f.hi], ' ') > 0 && len(bytes.Trim(r.text[f.hi:next.lo], " :=")) == 0
}

// giveUnit makes the unit of a value the name of the next one, or its unit where it is no name
// that is known.
func giveUnit(r *pairs, i int) {
	f, next := &r.fields[i], &r.fields[i+1]
	word := span{f.lo + bytes.LastIndexByte(r.text[f.lo:f.hi], ' ') + 1, f.hi}
	if r.cache.classify(word.of(r.text), &r.words).class == classUnknown {
		next.unit = f.unit
	} else {
		next.name, next.separated = word, true
	}
	f.unit, f.hi = unitNone, word.lo-1
}

// nameInFront gives the name in front of a rate to the number before it, and so on to the first
// number, which has none: "2.71 loss 0.5 grad_norm 45029 tok/s".
func nameInFront(r *pairs, i int) {
	first := i
	for first > 0 && !r.fields[first].separated && !r.fields[first].name.empty() && r.fields[first].name.lo == skipBlanks(r.text, r.fields[first-1].hi) {
		first--
	}
	if f := &r.fields[first]; first == i || !f.name.empty() || f.fraction || f.clock || f.unit != unitNone {
		return
	}
	for at := first; at < i; at++ {
		r.fields[at].name, r.fields[at].separated = r.fields[at+1].name, true
	}
	r.fields[i].name = span{}
}

// isNoRate reports whether a value of the name is no rate of data or steps: a loss, or a rate
// of something else, as GB/s.
func isNoRate(r *pairs, name []byte) bool {
	switch r.cache.classify(name, &r.words).class {
	case classLoss, classEvalLoss, classObjective, classLR, classGradNorm, classAccuracy, classEvalAccuracy, classMFU, classTFLOPS:
		return true
	case classEvidence:
		return !saysTrait(name, isRateWord|isPerTime, &r.words)
	}
	return units[string(name)].ofRate() || bytes.HasSuffix(name, []byte("/s")) || bytes.HasSuffix(name, []byte("/sec"))
}

// saysTrait reports whether a word of a name has one of the traits.
func saysTrait(name []byte, wanted traits, w *wordList) bool {
	w.split(name)
	for i := range w.count {
		if words[string(w.word(i))]&wanted != 0 {
			return true
		}
	}
	return false
}

// splitPairs makes two values of "train/val loss: 2.95/3.16" and "train_loss/val_loss: 2.95/3.16":
// the first is that of training.
func splitPairs(r *pairs) {
	for i := 0; i < len(r.fields); i++ {
		f := &r.fields[i]
		if !f.fraction || f.clock || !f.separated && f.of == math.Trunc(f.of) {
			continue
		}
		name := f.name.of(r.text)
		slash := bytes.IndexByte(name, '/')
		if slash > 0 && f.number != math.Trunc(f.number) && f.of != math.Trunc(f.of) && (!containsFold(name[:slash], "train") || !evaluates(name[slash+1:])) {
			i = splitTwo(r, i, slash)
			continue
		}
		if slash < 0 || !containsFold(name[:slash], "train") || !evaluates(name[slash+1:]) {
			continue
		}
		second := *f
		second.number, second.of, second.fraction, second.evalOf = f.of, 0, false, true
		f.of, f.fraction = 0, false
		const train = "train"
		before := name[:slash]
		bare := len(before) >= len(train) && hasFold(before[len(before)-len(train):], train)
		if measured := bytes.TrimRight(before[:max(0, len(before)-len(train))], " ([_"); bare && len(measured) > 0 { // "loss (train/val)"
			f.name.hi = f.name.lo + len(measured)
		} else if blank := bytes.IndexByte(name[slash:], ' '); blank > 0 { // "train/val loss"
			f.name.lo += slash + blank + 1
		} else { // "train_loss/val_loss"
			f.name.hi, second.evalOf = f.name.lo+slash, false
			second.name.lo += slash + 1
		}
		r.fields = slices.Insert(r.fields, i+1, second)
		i++
	}
}

// splitTwo splits "Dis/Gen Cost: 1.054/1.374", two names and two values, and returns the place of
// the second. The word for both belongs to both names, and stays with the second.
func splitTwo(r *pairs, i, slash int) int {
	f := &r.fields[i]
	if !isLetter(r.text[f.name.lo+slash-1]) || f.name.lo+slash+1 >= f.name.hi || !isLetter(r.text[f.name.lo+slash+1]) {
		return i
	}
	second := *f
	second.number, second.of, second.fraction, second.separated = f.of, 0, false, true
	second.name.lo += slash + 1
	f.of, f.fraction, f.separated = 0, false, true
	f.name.hi = f.name.lo + slash
	r.fields = slices.Insert(r.fields, i+1, second)
	return i + 1
}

// inEvalCell reports whether an accuracy follows the loss of evaluation in one cell
// between bars, with nothing of training in it: "| val loss 2.2 acc 0.80".
func inEvalCell(r *pairs, i int) bool {
	if r.kinds[i].class != classAccuracy || r.kinds[i].train {
		return false
	}
	bar := bytes.LastIndexByte(r.text[:r.fields[i].lo], '|')
	for at := i - 1; at >= 0 && bar >= 0 && r.fields[at].lo > bar && !r.kinds[at].train; at-- {
		if r.kinds[at].class == classEvalLoss {
			return true
		}
	}
	return false
}

// evaluates reports whether a name begins as that of a value of evaluation.
func evaluates(name []byte) bool {
	for _, word := range [...]string{"val", "test", "eval", "dev"} {
		if hasFold(name, word) {
			return true
		}
	}
	return false
}
