package formats

import "bytes"

// Ranks that share a terminal or a file, and programs that print the end of a line by
// itself, leave two records on one line: "step 3 loss 2.3step 4 loss 2.2". The head of a
// record, its text up to the first number, shows where the next one begins.

// mostGlued bounds the records of one line.
const mostGlued = 64

// leastHead is the shortest head that distinguishes a record from any other word.
const leastHead = 3

// gluedAt returns where the next record begins on a line, and where its text begins
// behind a prefix of its own; 0 where there is none. before is the prefix that was
// taken off the line.
func gluedAt(text, before []byte) (at, behind int) {
	head := headOf(text)
	if len(head) < leastHead {
		at = remarkBehindBar(text)
		return at, at
	}
	for from := len(head); from < len(text); {
		next := bytes.Index(text[from:], head)
		if next < 0 {
			return 0, 0
		}
		next += from
		if start := alikeBefore(text, next, before); start > len(head) && endsRecord(text[start-1], text[start]) {
			return start, next
		}
		if len(bytes.TrimSpace(before)) == 0 && endsRecord(text[next-1], head[0]) && next+len(head) < len(text) && isDigit(text[next+len(head)]) {
			return next, next
		}
		from = next + len(head)
	}
	return 0, 0
}

// remarkBehindBar returns where the remark of a callback of Keras begins right behind the last
// value of a bar, which ends no line before the epoch does: "517/518 [===>.] - loss:
// 3.91Epoch 00022: val_loss improved from 4.10 to 4.08". It is 0 where there is none.
func remarkBehindBar(text []byte) int {
	if len(text) == 0 || !isDigit(text[0]) {
		return 0
	}
	if at := bytes.Index(text, []byte("Epoch 0")); at > 0 && isDigit(text[at-1]) {
		return at
	}
	return 0
}

// beforeText returns what was taken off the beginning of a line.
func beforeText(whole, text []byte) []byte {
	return whole[:max(0, len(whole)-len(text))]
}

// headOf returns the text of a record up to its first number, nil where it has none
// or no word before it.
func headOf(text []byte) []byte {
	named := false
	for i, c := range text {
		switch {
		case isDigit(c) && named:
			return text[:i]
		case isDigit(c):
			return nil
		case isLetter(c):
			named = true
		case i >= maxName:
			return nil
		}
	}
	return nil
}

// endsRecord reports whether a record may end with last and another one begin right
// behind it with first: nothing separates them.
func endsRecord(last, first byte) bool {
	switch last {
	case '}', ')', ']', '%', '"', '\'':
		return isWordByte(first) || first == '{' && last == '}'
	}
	return isDigit(last) || isLetter(last) && (isDigit(first) || first == '[' || first == '{')
}

// alikeBefore returns where a prefix like another one begins that ends at an
// offset: they differ in digits and in the level with its padding alone. It is 0
// where there is none.
func alikeBefore(text []byte, end int, other []byte) int {
	i, j := len(other), end
	padded, levelled := false, false
	for i > 0 && j > 0 {
		a, b := other[i-1], text[j-1]
		switch {
		case isBlank(a) && isBlank(b):
			before, behind := i, j
			i, j = len(bytes.TrimRight(other[:i], " \t")), len(bytes.TrimRight(text[:j], " \t"))
			padded = padded || before-i != behind-j
		case isLetter(a) && isLetter(b):
			word, beside := lastWord(other[:i]), lastWord(text[:j])
			switch {
			case bytes.HasSuffix(beside, word):
				i, j = i-len(word), j-len(word)
			case levels[string(word)] && levels[string(beside)]:
				i, j, levelled = i-len(word), j-len(beside), true
			default:
				return 0
			}
		case a == b, isDigit(a) && isDigit(b):
			i, j = i-1, j-1
		default:
			return 0
		}
	}
	if i > 0 || j == end || padded && !levelled {
		return 0
	}
	return j
}

// lastWord returns the letters at the end of a text.
func lastWord(text []byte) []byte {
	start := len(text)
	for start > 0 && isLetter(text[start-1]) {
		start--
	}
	return text[start:]
}
