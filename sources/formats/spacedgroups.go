package formats

// readSpacedGroups adds the groups of thousands behind a blank to the number of a field that counts
// steps or data, where nothing else is printed in this form: "step=19 000 loss=2.8", "step 1 000/60 000".
func readSpacedGroups(text []byte, f *field) bool {
	if f.unit != unitNone || f.fraction || f.clock || !digits(text, f.lo, f.hi-f.lo) || !namesCount(f.name.of(text)) {
		return false
	}
	number, end, zero := spacedGroups(text, f.lo)
	if end == f.hi {
		return false
	}
	if end+1 < len(text) && text[end] == '/' && isDigit(text[end+1]) { // the total is written in the same form
		of, after, _ := spacedGroups(text, end+1)
		if of < number || !endsNumber(text, after) {
			return false
		}
		f.number, f.of, f.fraction, f.hi = number, of, true, after
		return true
	}
	if !endsGroups(text, end) || !zero && !(f.separated && nameOrEnd(text, end)) {
		return false
	}
	f.number, f.hi = number, end
	return true
}

// spacedGroups parses digits and groups of three digits behind blanks. zero: one of the groups begins
// with 0, which no number of its own does.
func spacedGroups(text []byte, at int) (number float64, end int, zero bool) {
	const longest, group = 3, 4
	end = digitsEnd(text, at)
	number = float64(atoi(text[at:min(end, at+18)]))
	if end-at > longest || text[at] == '0' {
		return number, end, false
	}
	for end < len(text) && text[end] == ' ' && groupFollows(text, end) {
		number = number*1000 + float64(atoi(text[end+1:end+group]))
		zero = zero || text[end+1] == '0'
		end += group
	}
	return number, end, zero
}

// endsGroups reports whether nothing that belongs to the last group follows it.
func endsGroups(text []byte, at int) bool {
	return at == len(text) || !isWordByte(text[at]) && text[at] != '.' && text[at] != '%' && endsNumber(text, at)
}

// nameOrEnd reports whether a number at whose end a place is has no word behind it of what it counts:
// the line or the item ends there, or a name with its value follows.
func nameOrEnd(text []byte, at int) bool {
	name := skipBlanks(text, at)
	if name == len(text) || name == at || !isLetter(text[name]) {
		return true
	}
	for name < len(text) && isWordByte(text[name]) {
		name++
	}
	return name < len(text) && (text[name] == '=' || text[name] == ':')
}
