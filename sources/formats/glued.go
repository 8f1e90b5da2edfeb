package formats

import "bytes"

// Ranks that share a terminal or a file, and programs that print the end of a line by
// itself, leave two records on one line: "step 3 loss 2.3step 4 loss 2.2". The head of a
// record, its text up to the first number, tells where the next one begins.

// mostGlued bounds the records of one line.
const mostGlued = 64

// leastHead is the shortest head that tells a record from any other word.
const leastHead = 3

// gluedAt returns where the next record begins on a line, and where its text begins
// behind a prefix of its own; 0 where there is none. before is the prefix that was
// taken off the line.
func gluedAt(text, before []byte) (at, behind int) {
	head := headOf(text)
	if len(head) < leastHead {
		return 0, 0
	}
	for from := len(head); from < len(text); {
		next := bytes.Index(text[from:], head)
		if next < 0 {
			return 0, 0
		}
		next += from
		if start := next - len(before); len(before) > 0 && start > len(head) && sameLayout(text[start:next], before) && endsRecord(text[start-1], before[0]) {
			return start, next
		}
		if len(bytes.TrimSpace(before)) == 0 && endsRecord(text[next-1], head[0]) && next+len(head) < len(text) && isDigit(text[next+len(head)]) {
			return next, next
		}
		from = next + len(head)
	}
	return 0, 0
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

// sameLayout reports whether two texts differ in digits alone.
func sameLayout(a, b []byte) bool {
	for i := range a {
		if a[i] != b[i] && !(isDigit(a[i]) && isDigit(b[i])) {
			return false
		}
	}
	return true
}
