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
	for i := range r.fields {
		f := &r.fields[i]
		if f.fraction || f.clock || !beginsCell(r.text, f) {
			continue
		}
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
// number behind it: "loss 2.99 tokens/s 45012". No loss is measured in tokens/s.
func nameRates(r *pairs) {
	for i := range len(r.fields) - 1 {
		f, next := &r.fields[i], &r.fields[i+1]
		if f.unit < unitItsSecond || f.unit > unitRate || f.name.empty() || !next.name.empty() || next.unit != unitNone || next.fraction || next.clock {
			continue
		}
		word := bytes.LastIndexByte(r.text[f.lo:f.hi], ' ')
		if word < 0 || len(bytes.Trim(r.text[f.hi:next.lo], " :=")) > 0 || !isNoRate(r, f.name.of(r.text)) {
			continue
		}
		next.name, next.separated = span{f.lo + word + 1, f.hi}, true
		f.unit, f.hi = unitNone, f.lo+word
	}
}

// isNoRate reports whether a value of the name is no rate of data or steps: a loss, or a rate
// of something else, as GB/s.
func isNoRate(r *pairs, name []byte) bool {
	switch r.cache.classify(name, &r.words).class {
	case classLoss, classEvalLoss, classObjective, classLR, classGradNorm, classAccuracy, classEvalAccuracy, classMFU, classTFLOPS, classEvidence:
		return true
	}
	return bytes.HasSuffix(name, []byte("/s")) || bytes.HasSuffix(name, []byte("/sec"))
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

// evaluates reports whether a name begins as that of a value of evaluation.
func evaluates(name []byte) bool {
	for _, word := range [...]string{"val", "test", "eval", "dev"} {
		if hasFold(name, word) {
			return true
		}
	}
	return false
}
