package redact

// leastDeclared is the length in bytes from which a declared value is searched for
// in logs: shorter ones occur in other words.
const leastDeclared = 8

// Declared reports whether the value that an object declares under a name is a
// secret that differs enough from ordinary words to be masked wherever it is
// printed, and returns its kind. Weak values ("training-1") are masked only where
// they are as words of their own.
func Declared(name, value string) (kind Kind, weak, is bool) {
	kind, is = secretOf(name, value)
	if !is || len(value) < leastDeclared {
		return "", false, false
	}
	drawn := looksRandomUnder(kind, value)
	switch {
	case drawn:
		return kind, false, true
	case judge(name).class != certain:
		return kind, true, kind != NamedKey && drawnOrMixed(value)
	}
	return kind, true, varied(value)
}

// DeclaredLine is Declared for one line of a secret of many lines: only what a
// machine drew, since others are the frame around it (BEGIN lines, JSON).
func DeclaredLine(line string) bool { return len(line) >= leastDeclared && random(line) }

const (
	// leastLetters and leastDigits are the lengths from which a value of small
	// letters or of digits alone is masked: shorter ones are words and dates.
	leastLetters, leastDigits = 16, 12
	// leastDistinct is how many different bytes a value has at least.
	leastDistinct = 5
)

// varied reports whether a value has enough different characters to be no word.
func varied(value string) bool {
	var seen [256]bool
	distinct, lower, upper, digit := 0, 0, 0, 0
	for i := range len(value) {
		if c := value[i]; !seen[c] {
			seen[c] = true
			distinct++
		}
		switch c := value[i]; {
		case isLower(c):
			lower++
		case isUpper(c):
			upper++
		case isDigit(c):
			digit++
		}
	}
	switch {
	case distinct < leastDistinct:
		return false
	case digit == len(value):
		return len(value) >= leastDigits
	case lower == len(value), upper == len(value):
		return len(value) >= leastLetters
	}
	return true
}
