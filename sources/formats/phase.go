package formats

import "bytes"

// phase is whether a part of a line is about training or evaluation.
type phase uint8

const (
	phaseNone phase = iota
	phaseTrain
	phaseEval
)

// maxLabel is how far back a label is searched for words.
const maxLabel = 160

// phaseAt returns the phase of a field: that of its label, or of the name of a position
// ("eval epoch: 1"), else the phase before. The name of a value affects only the value.
func (r *pairs) phaseAt(i int, before phase) phase {
	f, k := &r.fields[i], &r.kinds[i]
	label := f.label.of(r.text)
	if len(r.members.objects) > 0 { // what is behind an object is no longer in it
		label = label[bytes.LastIndexByte(label, '}')+1:]
	}
	if k.class == classStep || k.class == classEpoch {
		switch {
		case k.eval:
			return phaseEval
		case k.train && before == phaseNone:
			before = phaseTrain
		}
	}
	if !f.separated && (k.class == classUnknown || k.class == classNone) {
		if said := labelPhase(f.name.of(r.text)); said != phaseNone {
			return said
		}
	}
	if len(label) >= len("metric") && bytes.HasSuffix(bytes.TrimRight(label, " '\"`"), []byte("metric")) {
		return before // "Evaluation metric 'epoch_loss'=5.1" of GluonTS: the name decides
	}
	if said := labelPhase(label); said != phaseNone {
		return said
	}
	return before
}

// phaseBehind returns the phase that a text opens with, and a bracket closes: "valid)".
func phaseBehind(text []byte) phase {
	end := 0
	for end < len(text) && isLetter(text[end]) {
		end++
	}
	if end == len(text) || text[end] != ')' {
		return phaseNone
	}
	return wordPhase(text[:end])
}

// labelPhase searches a text without numbers for a word of training or evaluation. The
// last one counts.
func labelPhase(label []byte) phase {
	if len(label) > maxLabel {
		label = label[len(label)-maxLabel:]
	}
	found := phaseNone
	for i := 0; i < len(label); {
		if !isLetter(label[i]) {
			i++
			continue
		}
		end := i
		for end < len(label) && (isWordByte(label[end]) || joinsWord(label, end)) {
			end++
		}
		if p := wordPhase(label[i:end]); p != phaseNone {
			found = p
		}
		i = end
	}
	return found
}

// joinsWord keeps paths, hosts and files together: test.py does not mean test.
func joinsWord(text []byte, at int) bool {
	switch text[at] {
	case '-':
		return at+1 < len(text) && isWordByte(text[at+1]) && !(isUpper(text[at+1]) && titled(text[:at]))
	case '.', '/', '\\', '=':
		return at+1 < len(text) && isWordByte(text[at+1])
	}
	return false
}

// titled reports whether text ends in a word of letters that begins with a capital one,
// as the parts of a tag do and those of a host do not: "Diff-Val".
func titled(text []byte) bool {
	i := len(text)
	for i > 0 && isLetter(text[i-1]) {
		i--
	}
	return i < len(text) && isUpper(text[i]) && (i == 0 || !isWordByte(text[i-1]))
}

func wordPhase(word []byte) phase {
	if len(word) < 3 || len(word) > 10 {
		return phaseNone
	}
	switch word[0] | 0x20 {
	case 'v', 'e', 't', 'd':
	default:
		return phaseNone
	}
	var buffer [10]byte
	for i, c := range word {
		buffer[i] = lower(c)
	}
	switch string(buffer[:len(word)]) {
	case "val", "vali", "valid", "eval", "validation", "validating", "validate", "evaluation", "evaluating", "evaluate", "evaluated", "validated", "test", "testing", "dev":
		return phaseEval
	case "train", "training", "trained":
		return phaseTrain
	}
	return phaseNone
}
