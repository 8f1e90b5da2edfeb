package formats

import "bytes"

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }

// isWordByte reports whether c is a letter, a digit or an underscore.
func isWordByte(c byte) bool { return wordBytes[c] }

var wordBytes = func() (is [256]bool) {
	for c := range is {
		is[c] = isLetter(byte(c)) || isDigit(byte(c)) || c == '_'
	}
	return is
}()

func isSpace(c byte) bool { return isBlank(c) || c == '\r' || c == '\n' }

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func skipBlanks(text []byte, at int) int {
	for at < len(text) && isBlank(text[at]) {
		at++
	}
	return at
}

// trimBlanks removes the blanks that text begins with.
func trimBlanks(text []byte) []byte { return text[skipBlanks(text, 0):] }

// hasFold reports whether text begins with word, which is in lower case, ignoring case.
func hasFold(text []byte, word string) bool {
	if len(text) < len(word) {
		return false
	}
	for i := range len(word) {
		if lower(text[i]) != word[i] {
			return false
		}
	}
	return true
}

// containsFold reports whether text contains word, which is in lower case, ignoring case.
func containsFold(text []byte, word string) bool { return indexFold(text, word) >= 0 }

func indexFold(text []byte, word string) int {
	first := word[0]
	for i := 0; i+len(word) <= len(text); i++ {
		if lower(text[i]) == first && hasFold(text[i:], word) {
			return i
		}
	}
	return -1
}

// indexBy returns where a phrase is first, -1 for none. Most lines do not have its rare byte, phrase[rare],
// so that they are not searched for the phrase; those that have it often are, as bytes.Index does.
func indexBy(text []byte, phrase string, rare int) int {
	const most = 8
	from := 0
	for range most {
		at := bytes.IndexByte(text[from:], phrase[rare])
		if at < 0 {
			return -1
		}
		from += at + 1
		if start := from - 1 - rare; start >= 0 && start+len(phrase) <= len(text) && string(text[start:start+len(phrase)]) == phrase {
			return start
		}
	}
	start := max(0, from-rare)
	if at := bytes.Index(text[start:], []byte(phrase)); at >= 0 {
		return start + at
	}
	return -1
}

func lower(c byte) byte {
	if isUpper(c) {
		return c | 0x20
	}
	return c
}
