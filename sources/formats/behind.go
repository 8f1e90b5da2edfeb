package formats

import "bytes"

// nameFromBehind names the values of a line that prints each value before its name:
// "Epoch 3: 0.9816 C.E. Loss, 94.28% Accuracy". It needs a position, and that no value
// has a name before it.
func (r *pairs) nameFromBehind() {
	if r.stepAt < 0 && r.epochAt < 0 {
		return
	}
	first := -1
	for i := range r.fields {
		f := &r.fields[i]
		switch {
		case i == r.stepAt, i == r.epochAt, f.clock, f.name.empty() && f.unit.ofRate():
		case !f.name.empty() || f.fraction || f.unit != unitNone && f.unit != unitPercent:
			return
		case first < 0:
			first = i
		}
	}
	for i := first; i >= 0 && i < len(r.fields); i++ {
		if f := &r.fields[i]; i != r.stepAt && i != r.epochAt && !f.clock && !f.unit.ofRate() {
			r.nameBehind(i)
		}
	}
}

// nameBehind names a value by the words up to the next comma, bar or value, if they name
// something that only training prints.
func (r *pairs) nameBehind(i int) {
	f := &r.fields[i]
	rest := r.text[f.hi:]
	if i+1 < len(r.fields) {
		rest = r.text[f.hi:r.fields[i+1].lo]
	}
	end := bytes.IndexAny(rest, ",;|")
	if end < 0 && i+1 < len(r.fields) {
		return
	}
	if end < 0 {
		end = len(rest)
	}
	const longest = 40
	if end < 2 || end > longest || rest[0] != ' ' {
		return
	}
	name := trimName(r.text, span{f.hi, f.hi + end})
	if k := classify(name.of(r.text), &r.words); k.class.meter() {
		f.name, f.separated = name, true
		f.class, r.kinds[i] = k.class, k
	}
}
