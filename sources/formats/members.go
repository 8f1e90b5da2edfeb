package formats

import (
	"bytes"
	"slices"
)

const (
	// maxShared bounds how many names of members of different objects are remembered.
	maxShared = 256
	// memberSlots is how many lists the names of a line are divided into by their hash.
	memberSlots = 256
)

// members finds the members of one name in different objects of a record. Where one of them
// would be left out for the other, each gets the names of its objects in front, as they are
// joined when a record is made flat: "generator.loss" and "discriminator.loss" of
// {"generator": {"loss": 1.9}, "discriminator": {"loss": 0.7}}.
type members struct {
	objects []object
	at      []int // by field: the object that it is a member of, -1 for none
	starts  []int // by field: where its value is
	roots   int   // objects that are in no other
	slots   [memberSlots]int16
	next    []int16 // by field: one more whose name has the same hash, -1 for none
	twins   []span  // names that members of different objects have
	shared  map[string]bool
	text    []byte
}

// object is a pair of braces or brackets, and the name in front of it.
type object struct {
	key   span
	up    int   // the object around it, -1 for none
	phase phase // of its name, or of one around it
}

// nested reports whether a line has more than one object.
func nested(text []byte) bool {
	open := bytes.IndexByte(text, '{')
	return open >= 0 && bytes.IndexByte(text[open+1:], '{') >= 0
}

// read reads the fields of a line that has more than one object. A name that members shared once
// is always written with those of its objects: in the next record one of them may be missing.
func (m *members) read(r *pairs, nulls bool) *point {
	m.locate(r.text, r.fields)
	m.findPhases(r)
	m.findTwins(r)
	namesLoss := r.namesLoss
	if len(m.shared) == 0 || len(m.twins) > 0 {
		pt := interpret(r)
		if !m.share(r) && len(m.shared) == 0 {
			return pt
		}
		r.fields = readFields(r.text, r.fields[:0], nulls)
	}
	r.namesLoss = namesLoss
	m.flatten(r)
	r.fields = readFields(r.text, r.fields[:0], nulls)
	return interpret(r)
}

// flatten writes the names of objects in front of those members whose name alone would be that
// of another value.
func (m *members) flatten(r *pairs) {
	m.text = m.text[:0]
	done := 0
	for i := range r.fields {
		f := &r.fields[i]
		if m.at[i] >= 0 && !f.name.empty() && m.shared[string(f.name.of(r.text))] {
			m.text = append(m.text, r.text[done:f.name.lo]...)
			m.text = m.appendPath(m.text, r.text, m.at[i], maxName-(f.name.hi-f.name.lo))
			done = f.name.lo
		}
		m.starts[i] += len(m.text) - done
	}
	if done > 0 {
		m.text = append(m.text, r.text[done:]...)
		r.text = m.text
	}
}

// locate finds the objects of a line, and which of them each field is a member of.
func (m *members) locate(text []byte, fields []field) {
	m.objects, m.at, m.starts, m.roots = m.objects[:0], m.at[:0], m.starts[:0], 0
	inside, quote := -1, byte(0)
	for i := 0; i < len(text); i++ {
		if k := len(m.at); k < len(fields) && i == fields[k].lo {
			m.at, m.starts = append(m.at, inside), append(m.starts, i)
		}
		switch c := text[i]; {
		case quote != 0:
			if c == '\\' {
				i++
			} else if c == quote {
				quote = 0
			}
		case isQuote(c):
			if inside >= 0 {
				quote = c
			}
		case c == '{', c == '[' && inside >= 0:
			if inside < 0 {
				m.roots++
			}
			m.objects = append(m.objects, object{key: keyBefore(text, i), up: inside})
			inside = len(m.objects) - 1
		case (c == '}' || c == ']') && inside >= 0:
			inside = m.objects[inside].up
		}
	}
	for k := len(m.at); k < len(fields); k++ {
		m.at, m.starts = append(m.at, -1), append(m.starts, fields[k].lo)
	}
}

// keyBefore returns the name in front of the object that begins at an offset, empty for none.
func keyBefore(text []byte, at int) span {
	i := len(bytes.TrimRight(text[:at], " "))
	if i == 0 || text[i-1] != ':' && text[i-1] != '=' {
		return span{}
	}
	i = len(bytes.TrimRight(text[:i-1], " "))
	if i > 0 && isQuote(text[i-1]) {
		open := bytes.LastIndexByte(text[max(0, i-1-maxName):i-1], text[i-1])
		if open < 0 {
			return span{}
		}
		return span{max(0, i-1-maxName) + open + 1, i - 1}
	}
	lo := i
	for lo > 0 && (isWordByte(text[lo-1]) || text[lo-1] == '.' || text[lo-1] == '-' || text[lo-1] == '/') {
		lo--
	}
	if lo == i || !isLetter(text[lo]) {
		return span{}
	}
	return span{lo, i}
}

// findPhases finds the phases that the names of objects state. A metric in an object
// of evaluation is of evaluation, whatever the names are in between.
func (m *members) findPhases(r *pairs) {
	for i := range m.objects {
		o := &m.objects[i]
		if o.up >= 0 {
			o.phase = m.objects[o.up].phase
		}
		if o.key.empty() || o.phase == phaseEval {
			continue
		}
		r.words.split(o.key.of(r.text))
		all := traits(0)
		for k := range r.words.count {
			all |= traitsOf(r.words.word(k))
		}
		switch {
		case all&hasEval != 0:
			o.phase = phaseEval
		case all&hasTrain != 0:
			o.phase = phaseTrain
		}
	}
}

// phaseAt returns the phase of the objects around the value at an offset.
func (m *members) phaseAt(at int) phase {
	if len(m.objects) == 0 {
		return phaseNone
	}
	if i, found := slices.BinarySearch(m.starts, at); found && m.at[i] >= 0 {
		return m.objects[m.at[i]].phase
	}
	return phaseNone
}

// keyOf returns the name of an object. One around the whole record has none: a text in front of
// it shows which record it is, "Epoch5: {...}".
func (m *members) keyOf(o *object) span {
	if o.up < 0 && m.roots < 2 {
		return span{}
	}
	return o.key
}

// findTwins finds the names that members of different objects have, but for positions.
func (m *members) findTwins(r *pairs) {
	m.twins = m.twins[:0]
	for i := range m.slots {
		m.slots[i] = -1
	}
	m.next = m.next[:0]
	for i := range r.fields {
		m.next = append(m.next, -1)
		name := r.fields[i].name.of(r.text)
		if m.at[i] < 0 || len(name) == 0 || !r.fields[i].separated || m.shared[string(name)] {
			continue
		}
		hash := uint32(0)
		for _, c := range name {
			hash = hash*31 + uint32(c)
		}
		slot := &m.slots[hash%memberSlots]
		for k := *slot; k >= 0; k = m.next[k] {
			if before := r.fields[k].name; bytes.Equal(before.of(r.text), name) {
				if !m.samePath(r.text, m.at[k], m.at[i]) && !m.isPosition(r, name) {
					m.twins = append(m.twins, before)
				}
				break
			}
		}
		m.next[i], *slot = *slot, int16(i)
	}
}

func (m *members) isPosition(r *pairs, name []byte) bool {
	c := r.cache.classify(name, &r.words).class
	return c == classStep || c == classEpoch
}

// samePath reports whether two objects have the same names from the outermost one on, as the
// objects of one list have.
func (m *members) samePath(text []byte, a, b int) bool {
	for a != b {
		for a >= 0 && m.keyOf(&m.objects[a]).empty() {
			a = m.objects[a].up
		}
		for b >= 0 && m.keyOf(&m.objects[b]).empty() {
			b = m.objects[b].up
		}
		if a < 0 || b < 0 {
			return a == b
		}
		if a != b && !bytes.Equal(m.objects[a].key.of(text), m.objects[b].key.of(text)) {
			return false
		}
		a, b = m.objects[a].up, m.objects[b].up
	}
	return true
}

// share remembers those of the twins of which a value was left out, and reports whether there
// are any.
func (m *members) share(r *pairs) (some bool) {
	for _, at := range r.refused {
		name := r.fields[at].name.of(r.text)
		if len(m.shared) < maxShared && slices.ContainsFunc(m.twins, func(s span) bool { return bytes.Equal(s.of(r.text), name) }) {
			if m.shared == nil {
				m.shared = map[string]bool{}
			}
			m.shared[string(name)], some = true, true
		}
	}
	return some
}

// appendPath appends the names of the objects around a member, each with a full stop behind it,
// as far as there is room: those that are nearest to the member.
func (m *members) appendPath(out, text []byte, at, room int) []byte {
	const deepest = 16
	var keys [deepest]span
	n := 0
	for ; at >= 0 && n < deepest; at = m.objects[at].up {
		key := m.keyOf(&m.objects[at])
		if key.empty() {
			continue
		}
		if room -= key.hi - key.lo + 1; room < 0 {
			break
		}
		keys[n] = key
		n++
	}
	for n--; n >= 0; n-- {
		for _, c := range keys[n].of(text) {
			if !isWordByte(c) && c < 0x80 && c != '-' && c != '.' && c != '/' {
				c = '_'
			}
			out = append(out, c)
		}
		out = append(out, '.')
	}
	return out
}
