package formats

import "bytes"

// printedTuple returns the text of a line that Python 2 printed as a tuple, since the program
// called print as a function: "('Epoch:', 2, 'cost =0.292')" is "Epoch: 2 cost =0.292". A tuple
// whose strings are only names is none: "('loss', 25.7)". Any other line stays as it is.
func (s *scalars) printedTuple(text []byte) []byte {
	n := len(text)
	if n < 6 || text[0] != '(' || text[n-1] != ')' || text[1] != '\'' && text[1] != '"' || !printedParts(text[1:n-1]) {
		return text
	}
	s.tuple = s.tuple[:0]
	for rest := text[1 : n-1]; ; {
		item, after := tupleItem(rest)
		s.tuple = append(append(s.tuple, item...), ' ')
		if len(after) == 0 {
			return s.tuple
		}
		rest = after
	}
}

// printedParts reports whether some string of a tuple is a part of a sentence: it ends in a blank
// or a sign between a name and its value, or has both.
func printedParts(inside []byte) bool {
	parts := false
	for len(inside) > 0 {
		quoted := inside[0] == '\'' || inside[0] == '"'
		item, after := tupleItem(inside)
		if len(item) == len(inside) && len(after) == 0 && quoted {
			return false
		}
		if n := len(item); quoted && n > 0 {
			parts = parts || item[n-1] == ' ' || item[n-1] == ':' || bytes.IndexByte(item, '=') >= 0
		}
		inside = after
	}
	return parts
}

// tupleItem returns the first item of a tuple, a string without its quotes, and what follows.
func tupleItem(text []byte) (item, after []byte) {
	if quote := text[0]; quote == '\'' || quote == '"' {
		if end := bytes.IndexByte(text[1:], quote); end >= 0 {
			after = bytes.TrimLeft(bytes.TrimPrefix(bytes.TrimLeft(text[end+2:], " "), []byte(",")), " ")
			return text[1 : end+1], after
		}
		return text, nil
	}
	comma := bytes.IndexByte(text, ',')
	if comma < 0 {
		return text, nil
	}
	return text[:comma], bytes.TrimLeft(text[comma+1:], " ")
}
