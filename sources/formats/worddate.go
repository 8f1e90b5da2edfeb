package formats

// monthNames are those of English; each may be cut to its first three letters.
var monthNames = [...]string{
	"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
}

// monthLength is the length of the name of a month that text begins with, 0 for none.
func monthLength(text []byte) int {
	const short = 3
	if len(text) < short {
		return 0
	}
	switch text[0] {
	case 'J', 'F', 'M', 'A', 'S', 'O', 'N', 'D':
	default:
		return 0
	}
	if !months[string(text[:short])] {
		return 0
	}
	end := short
	for end < len(text) && isWordByte(text[end]) {
		end++
	}
	if end == short {
		return end
	}
	for _, name := range monthNames {
		if string(text[:end]) == name {
			return end
		}
	}
	return 0
}

// dayFirst is the length of a date that begins with its day: "1 Nov 2026",
// "01-Nov-2026". It is 0 for none.
func dayFirst(text []byte, at int) int {
	i := dayEnd(text, at)
	if i == at || i+1 >= len(text) || text[i] != ' ' && text[i] != '-' || !isUpper(text[i+1]) || at > 0 && (isWordByte(text[at-1]) || text[at-1] == '.' || text[at-1] == ':') {
		return 0
	}
	joint := text[i]
	month := monthLength(text[i+1:])
	if i += 1 + month; month == 0 || i >= len(text) || text[i] != joint && text[i] != ',' {
		return 0
	}
	if year := yearLength(text, skipSeparators(text, i)); year > 0 {
		return skipSeparators(text, i) + year - at
	}
	return 0
}

// monthFirst is the length of a date that begins with its month: "Nov 1, 2026",
// "Nov  1 10:00:00 UTC 2026". It is 0 for none.
func monthFirst(text []byte, at int) int {
	i := at + monthLength(text[at:])
	if i == at || i >= len(text) || text[i] != ' ' {
		return 0
	}
	day := skipBlanks(text, i)
	if i = dayEnd(text, day); i == day {
		return 0
	}
	next := skipSeparators(text, i)
	if next == i {
		return 0
	}
	if year := yearLength(text, next); year > 0 {
		return next + year - at
	}
	clock := clockLength(text[next:])
	if clock == 0 {
		return 0
	}
	end := next + clock
	zone := skipBlanks(text, end)
	for zone < len(text) && isUpper(text[zone]) {
		zone++
	}
	if year := yearLength(text, skipBlanks(text, zone)); year > 0 {
		end = skipBlanks(text, zone) + year
	}
	return end - at
}

// dayEnd is the end of the day of a month at an offset, the offset itself for none.
func dayEnd(text []byte, at int) int {
	const last = 31
	i, day := at, 0
	for ; i < len(text) && i < at+2 && isDigit(text[i]); i++ {
		day = day*10 + int(text[i]-'0')
	}
	if day < 1 || day > last || i < len(text) && isDigit(text[i]) {
		return at
	}
	return i
}

// yearLength is 4 where text has a year at an offset, and 0 elsewhere.
func yearLength(text []byte, at int) int {
	const length = 4
	if !digits(text, at, length) || text[at] != '1' && text[at] != '2' || at+length < len(text) && isWordByte(text[at+length]) {
		return 0
	}
	return length
}

// skipSeparators skips a comma, a dash and blanks between the parts of a date.
func skipSeparators(text []byte, at int) int {
	for at < len(text) && (isBlank(text[at]) || text[at] == ',' || text[at] == '-') {
		at++
	}
	return at
}
