package formats

import (
	"bytes"
	"slices"
)

// A log that lost the ends of its lines holds many records on one: blanks replace the
// newlines, or the two characters \n, or each line is a text in a list. A record begins
// with its position, and is alike the next but for the numbers.

// mostRepeated bounds the records of one line; maxLine bytes hold no more.
const mostRepeated = 4096

// repeatedRecords returns the records of such a line, nil for any other: at least two, of
// the same words, whose positions rise.
func repeatedRecords(text []byte) [][]byte {
	if records := recordsLike(text, text); records != nil {
		return records
	}
	if _, second, found := bytes.Cut(text, []byte(`\n`)); found { // words of the document before the first
		return recordsLike(text, second)
	}
	return nil
}

// recordsLike cuts a line into records that begin as one of them does.
func recordsLike(text, one []byte) [][]byte {
	head := headOf(one)
	word := len(head)
	for word > 0 && !isLetter(head[word-1]) {
		word--
	}
	start := word - len(lastWord(head[:word]))
	if start == word || !gluedPosition[string(head[start:word])] || bytes.ContainsAny(head[word:], `"'`) {
		return nil // a member of an object has quotes; recordLists reads lists of those
	}
	lead := bytes.LastIndexAny(head[:start], `"'[({>`) + 1
	if records := cutAt(text, head[lead:]); records != nil || lead == start {
		return records
	}
	return cutAt(text, head[start:])
}

// cutAt cuts a line in front of each head.
func cutAt(text, head []byte) (records [][]byte) {
	first := bytes.Index(text, head)
	from := first + len(head)
	if !bytes.Contains(text[from:], head) {
		return nil
	}
	position, at := -1, first
	for len(records) < mostRepeated {
		now := atoi(text[from:digitsEnd(text, from)])
		if now <= position {
			return givenTwice(records, cutAt(text[at:], head))
		}
		position = now
		next := nextHead(text, head, from)
		switch {
		case next < 0 && len(records) == 0:
			return nil
		case next < 0:
			return alike(append(records, text[at:]))
		}
		records = append(records, text[at:next])
		at, from = next, next+len(head)
	}
	return nil
}

// givenTwice returns records that a document has in two forms, as ansible prints stdout and
// stdout_lines; nil where the second are others.
func givenTwice(records, again [][]byte) [][]byte {
	same := func(a, b []byte) bool { return bytes.Equal(bytes.TrimRight(a, `"'`), bytes.TrimRight(b, `"'`)) }
	if records = alike(records); records == nil || !slices.EqualFunc(records, again, same) {
		return nil
	}
	return records
}

// nextHead returns where the next head is that has a number behind it, -1 where none is.
func nextHead(text, head []byte, from int) int {
	for {
		next := bytes.Index(text[from:], head)
		if next < 0 {
			return -1
		}
		next += from
		from = next + len(head)
		if from < len(text) && isDigit(text[from]) && (!isWordByte(text[next-1]) && text[next-1] != '_' || endsInN(text[:next])) {
			return next
		}
	}
}

// endsInN reports whether a text ends with a newline as the two characters \n.
func endsInN(text []byte) bool { return bytes.HasSuffix(text, []byte(`\n`)) }

// alike returns records without what is between them, nil where they differ in more than
// their numbers or have none beside their position. The last of more than two may differ,
// since a very long line is cut within it.
func alike(records [][]byte) [][]byte {
	last := records[len(records)-1]
	if before := records[:len(records)-1]; len(before) > 1 {
		if length, _, _ := sameShape(before[0], last); !isBetween(before[0][length:]) {
			if before = alike(before); before == nil {
				return nil
			}
			return append(before, last)
		}
	}
	for i, record := range records[:len(records)-1] {
		length, _, numbers := sameShape(record, last)
		if tag := bytes.LastIndexByte(record[:length], '<'); tag >= 0 && !bytes.ContainsAny(record[tag:length], "0123456789") {
			length = tag
		}
		if numbers < 2 || !isBetween(record[length:]) {
			return nil
		}
		records[i] = record[:length]
	}
	_, length, _ := sameShape(records[0], last)
	if rest := last[length:]; bytes.ContainsAny(rest, "0123456789") && !bytes.ContainsAny(rest[:1], "\"'`") {
		return nil
	}
	records[len(records)-1] = last[:length]
	return records
}

// isBetween reports whether a text may be between two records: marks, tags,
// names of members and a level.
func isBetween(text []byte) bool {
	for i := 0; i < len(text); {
		switch word := wordAt(text, i); {
		case text[i] == '<':
			end := bytes.IndexByte(text[i:], '>')
			if end < 0 {
				return false
			}
			i += end + 1
		case bytes.HasPrefix(text[i:], []byte(`\n`)):
			i += len(`\n`)
		case len(word) > 0 && memberEnd(text, i) > 0:
			i = memberEnd(text, i)
		case isDigit(text[i]), len(word) > 0 && !levels[string(word)]:
			return false
		default:
			i += max(1, len(word))
		}
	}
	return true
}

// memberEnd returns the end of the name of a member and its colon, 0 where none is at an offset.
func memberEnd(text []byte, at int) int {
	for at < len(text) && (isLetter(text[at]) || text[at] == '_') {
		at++
	}
	if !bytes.HasPrefix(text[at:], []byte(`":`)) {
		return 0
	}
	return at + len(`":`)
}

// wordAt returns the letters at an offset.
func wordAt(text []byte, at int) []byte {
	end := at
	for end < len(text) && isLetter(text[end]) {
		end++
	}
	return text[at:end]
}

// sameShape returns how far two texts are the same but for their numbers, and how many
// numbers that are.
func sameShape(a, b []byte) (inA, inB, numbers int) {
	for inA < len(a) && inB < len(b) {
		endA, endB := shapeNumber(a, inA), shapeNumber(b, inB)
		switch {
		case endA > inA && endB > inB:
			inA, inB = endA, endB
			numbers++
		case endA == inA && endB == inB && a[inA] == b[inB]:
			inA, inB = inA+1, inB+1
		default:
			return inA, inB, numbers
		}
	}
	return inA, inB, numbers
}

// shapeNumber returns the end of the number at an offset, the offset where there is none.
// nan and inf are numbers.
func shapeNumber(text []byte, at int) int {
	digits := at
	if text[at] == '-' || text[at] == '+' {
		digits++
	}
	if word := wordAt(text, digits); hasFold(word, "nan") && len(word) == 3 || hasFold(word, "inf") && len(word) == 3 {
		if at == 0 || !isLetter(text[at-1]) {
			return digits + 3
		}
	}
	if digits == len(text) || !isDigit(text[digits]) {
		return at
	}
	end := digits
	for end < len(text) && (isDigit(text[end]) || end+1 < len(text) && isDigit(text[end+1]) && text[end] == '.') {
		end++
	}
	if rest := text[end:]; len(rest) > 2 && (rest[0] == 'e' || rest[0] == 'E') && (rest[1] == '-' || rest[1] == '+') && isDigit(rest[2]) {
		for end += 2; end < len(text) && isDigit(text[end]); end++ {
		}
	}
	return end
}
