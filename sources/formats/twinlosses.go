package formats

import "bytes"

// twinNames are short names of the loss of training, and of that of evaluation where both are on one
// line: "L: 3.48, A: 8.80% | VL: 3.46, VA: 10.68%", "ep 3 tl 0.51 vl 0.62", "L=2.30 vL=2.49".
var twinNames = map[string]string{"L": "VL", "TL": "VL", "tl": "vl", "trL": "vaL", "TrL": "VaL", "tL": "vL", "l": "vl"}

// letterLosses takes two short names for the losses of training and of evaluation, which one alone is
// not: "L_train 0.5 L_val 0.6" too.
func letterLosses(r *pairs) {
	train := -1
	for i := range r.fields {
		if r.kinds[i].class != classUnknown {
			continue
		}
		name := r.fields[i].name.of(r.text)
		if train >= 0 && isMeanOf(name, r.fields[train].name.of(r.text)) && measuredField(r, i) {
			takeMean(r, train, i)
			return
		}
		if n := len(name); n == 0 || n > len("validation_l") || n > len("trL") && name[1] != '_' && name[n-2] != '_' {
			continue
		}
		switch lower(name[0]) {
		case 'l', 't', 'v', 'e', 'd':
		default:
			continue
		}
		switch {
		case train < 0 && (twinNames[string(name)] != "" || letterOfLoss(name, phaseTrain)):
			if measuredField(r, i) {
				train = i
			}
		case train >= 0 && measuredField(r, i) && (bytes.EqualFold([]byte(twinNames[string(r.fields[train].name.of(r.text))]), name) || letterOfLoss(name, phaseEval) && letterOfLoss(r.fields[train].name.of(r.text), phaseTrain)):
			takeTwins(r, train, i)
			return
		}
	}
}

// takeTwins makes two fields the losses of training and of evaluation.
func takeTwins(r *pairs, train, eval int) {
	const unsure = 50
	r.kinds[train] = kind{class: classLoss, prio: unsure, train: true}
	r.kinds[eval] = kind{class: classEvalLoss, prio: unsure, eval: true}
	r.fields[train].class, r.fields[eval].class = classLoss, classEvalLoss
	r.fields[train].separated, r.fields[eval].separated = true, true
}

// measuredField reports whether a field is a number with decimals and without a unit.
func measuredField(r *pairs, i int) bool {
	f := &r.fields[i]
	return !f.fraction && !f.clock && !f.null && f.unit == unitNone && bytes.IndexByte(r.text[f.lo:f.hi], '.') >= 0
}

// letterOfLoss reports whether a name is the letter of the loss and a phase: "L_train", "val_l".
func letterOfLoss(name []byte, of phase) bool {
	cut := bytes.IndexByte(name, '_')
	if cut <= 0 || cut+1 == len(name) {
		return false
	}
	a, b := name[:cut], name[cut+1:]
	if len(b) == 1 {
		a, b = b, a
	}
	if len(a) != 1 || lower(a[0]) != 'l' {
		return false
	}
	switch string(b) {
	case "tr", "trn":
		return of == phaseTrain
	case "va", "te", "tst":
		return of == phaseEval
	}
	return wordPhase(b) == of
}

// isMeanOf reports whether a name is the mean of what another one measures: "Avg L" of "L".
func isMeanOf(name, of []byte) bool {
	rest, found := bytes.CutSuffix(name, of)
	return found && len(rest) > 1 && (rest[len(rest)-1] == ' ' || rest[len(rest)-1] == '_') && averageWords[string(bytes.ToLower(rest[:len(rest)-1]))]
}

// takeMean makes a letter the loss, and the value beside it its mean: "L: 0.397  Avg L: 0.440".
func takeMean(r *pairs, loss, mean int) {
	r.kinds[loss] = kind{class: classLoss, prio: 50}
	r.kinds[mean] = kind{class: classEvidence}
	r.fields[loss].class, r.fields[mean].class = classLoss, classEvidence
	r.fields[loss].separated, r.fields[mean].separated = true, true
}
