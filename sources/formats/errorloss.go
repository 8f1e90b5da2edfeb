package formats

import (
	"bytes"
	"math"
)

// errorWords end the name of an error that training makes smaller. In a log that names no loss such
// an error is the loss.
var errorWords = map[string]bool{
	"error": true, "err": true, "mse": true, "nll": true, "xent": true, "ce": true, "bce": true, "logloss": true, "crossentropy": true,
	"fehler": true, "erreur": true, "ошибка": true,
}

// scoreWords may be printed beside such an error: they are measured in learning alone, and are no error.
var scoreWords = [...]string{"acc", "ppl", "perplexity", "auc", "f1", "top"}

// chooseError finds the errors that are the losses in a log that names none: one of training, and one
// of evaluation if its name shows it. "Iteration: 100	Error: 0.196229392", "epoch 3: train nll 0.51,
// valid nll 0.62".
func chooseError(r *pairs) (train, eval int) {
	train, eval = -1, -1
	const most, mostBeside = 6, 10 // "ep count train error other epoch total" are the shares of the time of n2p2
	if !r.point.positioned() && len(r.fields) > 1 || len(r.fields) > mostBeside || r.point.hasStep && r.point.stepPrio == bareStep {
		return -1, -1
	}
	if valueOfIteration(r) {
		return 1, -1
	}
	scored := false
	for i := range r.fields {
		f, k := &r.fields[i], &r.kinds[i]
		switch {
		case i == r.stepAt || i == r.epochAt || f.clock:
		case !mayBeError(f.name.of(r.text)) || !r.plainError(f):
			if k.class != classEvidence {
				continue
			}
			if !scores(f.name.of(r.text)) {
				return -1, -1
			}
			scored = true
		case !f.separated && !r.point.positioned() || f.unit != unitNone || f.fraction || bytes.IndexByte(r.text[f.lo:f.hi], '.') < 0 && f.number == math.Trunc(f.number):
			return -1, -1
		case k.eval && eval < 0:
			eval = i
		case !k.eval && train < 0:
			train = i
		default:
			return -1, -1 // of two errors neither is the loss
		}
	}
	if train >= 0 && mayBeRate(r.fields[train].name.of(r.text)) && (len(r.fields) > most && !scored || complements(r, train)) {
		return -1, -1
	}
	if train < 0 || eval >= 0 && !sameBehindPhase(r.fields[train].name.of(r.text), r.fields[eval].name.of(r.text)) && r.kinds[train].train {
		return -1, -1
	}
	return train, eval
}

func scores(name []byte) bool {
	for _, word := range scoreWords {
		if containsFold(name, word) {
			return true
		}
	}
	return false
}

// mayBeRate reports whether an error may be the share of what was wrong.
func mayBeRate(name []byte) bool {
	last := name[bytes.LastIndexAny(name, " _-/")+1:]
	return !hasFold(last, "mse") && (containsFold(last, "err") || last[0] >= 0x80) || hasFold(last, "fehler")
}

// complements reports whether an error and an accuracy of its line are one together: it is the share
// of what was wrong.
func complements(r *pairs, at int) bool {
	for i := range r.fields {
		if c := r.kinds[i].class; c != classAccuracy && c != classEvalAccuracy {
			continue
		}
		if sum := r.shown(i) + r.fields[at].number; math.Abs(sum-1) < 0.011 || math.Abs(sum-100) < 1.1 {
			return true
		}
	}
	return false
}

// valueOfIteration reports whether a line is what nnet and optim of R print: "iter  10 value 12.345".
func valueOfIteration(r *pairs) bool {
	if len(r.fields) != 2 || r.stepAt != 0 || r.fields[1].separated || !measuredField(r, 1) {
		return false
	}
	return string(r.stepName()) == "iter" && string(r.fields[1].name.of(r.text)) == "value" && r.fields[1].hi == len(r.text)
}

// mayBeError reports whether a name ends as those of errors do, which spares the others the table.
func mayBeError(name []byte) bool {
	if len(name) == 0 {
		return false
	}
	last, before := lower(name[len(name)-1]), byte(0)
	if len(name) > 1 {
		before = lower(name[len(name)-2])
	}
	if !isLetter(before) {
		return last >= 0x80 || bytes.IndexByte([]byte("relsty)"), last) >= 0
	}
	switch last {
	case 'r':
		return before == 'o' || before == 'r' || before == 'e' || before == 'u'
	case 'e':
		return before == 's' || before == 'c'
	case 'l':
		return before == 'l'
	case 't':
		return before == 'n'
	case 's':
		return before == 's'
	case 'y':
		return before == 'p'
	}
	return last == ')' || last >= 0x80
}
