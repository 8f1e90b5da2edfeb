package formats

import "bytes"

// splitJoined gives each value its own name where a comma joins the names:
// "loss_d,loss_g 0.31 0.42" of Python's print("loss_d,loss_g", d, g). As many values
// as names have to follow, with one space between them.
func (r *pairs) splitJoined() {
	for i := range r.fields {
		name := r.fields[i].name
		if name.empty() || name.lo < 2 || r.text[name.lo-1] != ',' || !isWordByte(r.text[name.lo-2]) {
			continue
		}
		names := r.joinedNames(name)
		if len(names) < 2 || r.valuesFrom(i) != len(names) {
			continue
		}
		for k, name := range names {
			r.fields[i+k].name, r.fields[i+k].separated = name, r.fields[i].separated
		}
	}
}

// joinedNames are the words between commas that end with last, in their order, nil where
// one has no letter in front.
func (r *pairs) joinedNames(last span) []span {
	const most = 8
	names := r.joined[:0]
	for lo, hi := last.lo, last.hi; len(names) < most; {
		names = append(names, span{lo, hi})
		if lo < 2 || r.text[lo-1] != ',' {
			break
		}
		hi = lo - 1
		for lo = hi; lo > 0 && isWordByte(r.text[lo-1]); lo-- {
		}
		if lo == hi || !isLetter(r.text[lo]) {
			return nil
		}
	}
	for a, b := 0, len(names)-1; a < b; a, b = a+1, b-1 {
		names[a], names[b] = names[b], names[a]
	}
	r.joined = names
	return names
}

// valuesFrom counts a value and those without a name that follow, each behind a space.
func (r *pairs) valuesFrom(i int) int {
	n := 1
	for i+n < len(r.fields) && r.fields[i+n].name.empty() && bytes.Equal(r.text[r.fields[i+n-1].hi:r.fields[i+n].lo], []byte(" ")) {
		n++
	}
	return n
}
