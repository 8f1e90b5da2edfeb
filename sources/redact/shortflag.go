package redact

import "strings"

const (
	// leastShortFlag is how long the value of a flag of one letter has to be: names
	// of images, files and runs are seldom as long without a mark in them.
	leastShortFlag = 28
)

// shortFlag finds a key as the value of a flag of one letter, whose name shows
// nothing: -s=KEY. Only a value that nobody would think of counts: letters of both
// cases and digits, without a mark. Digests and commits are hexadecimal.
func shortFlag(f *finder, text string, at int) {
	if at > 0 && strings.IndexByte(" \t\n\r\"'`[(,", text[at-1]) < 0 && newlineBefore(text, at) == 0 {
		return
	}
	from, to, _ := valueAt(text, at+len("-s="))
	value := text[from:to]
	if len(value) < leastShortFlag || !f.spend(len(value)) {
		return
	}
	var upper, lower, numbers int // numbers: groups of digits, of which a name has one or two
	for i := range len(value) {
		switch c := value[i]; {
		case isUpper(c):
			upper++
		case isLower(c):
			lower++
		case isDigit(c):
			if i == 0 || !isDigit(value[i-1]) {
				numbers++
			}
		default:
			return
		}
	}
	if upper >= 4 && lower >= 4 && numbers >= 3 && random(value) {
		f.add(from, to, NamedKey)
	}
}
