package formats

import "bytes"

// dropBestPositions removes the position of a best value where the line has one of its own:
// "Progress: 300/1000, Loss: 1.5, Best: 1.53 @ step 293".
func dropBestPositions(r *pairs) {
	for i := 1; i < len(r.fields); i++ {
		if ofBest(r, i) && elsewherePositioned(r, i) {
			r.fields = append(r.fields[:i], r.fields[i+1:]...)
			i--
		}
	}
}

// ofBest reports whether a field is the position of the best value right before it: behind "@"
// or "at", or in brackets.
func ofBest(r *pairs, i int) bool {
	f, before := &r.fields[i], &r.fields[i-1]
	if f.fraction || f.clock || f.name.empty() || f.name.lo < before.hi || before.name.empty() {
		return false
	}
	at := f.name.lo
	for at > before.hi && isBlank(r.text[at-1]) {
		at--
	}
	link := at > before.hi && (r.text[at-1] == '@' || r.text[at-1] == '(' || r.text[at-1] == '[')
	if !link && !bytes.HasPrefix(f.name.of(r.text), []byte("at ")) || len(bytes.Trim(r.text[before.hi:at], " %,@([")) > 0 {
		return false
	}
	if c := r.cache.classify(f.name.of(r.text), &r.words).class; c != classStep && c != classEpoch {
		return false
	}
	return saysBest(before.name.of(r.text), &r.words)
}

// wasBest reports whether a line reports that an epoch was the best: "epoch 212 was the best: loss = 0.03".
func wasBest(r *pairs) bool {
	if r.epochAt < 0 {
		return false
	}
	rest := r.text[r.fields[r.epochAt].hi:]
	return bytes.HasPrefix(rest, []byte(" was the best")) || bytes.HasPrefix(rest, []byte(" is the best"))
}

// bestWords mark a value as the best of many.
var bestWords = map[string]bool{"best": true, "lowest": true, "highest": true, "min": true, "max": true, "minimum": true, "maximum": true}

// saysBest reports whether a word of a name marks its value as the best.
func saysBest(name []byte, w *wordList) bool {
	w.split(name)
	for i := range w.count {
		if bestWords[string(w.word(i))] {
			return true
		}
	}
	return false
}

// elsewherePositioned reports whether another field of the line is a position: one that is
// named so, or an n/N that begins the line or is called progress.
func elsewherePositioned(r *pairs, best int) bool {
	for i := range r.fields {
		f := &r.fields[i]
		if i == best || f.clock || i > 0 && ofBest(r, i) {
			continue
		}
		name := f.name.of(r.text)
		if c := r.cache.classify(name, &r.words).class; c == classStep || c == classEpoch || i == 0 && f.fraction && f.of >= f.number && (len(name) == 0 || progressWords[string(name)]) {
			return true
		}
	}
	return false
}
