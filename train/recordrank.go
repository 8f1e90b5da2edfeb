package train

import "bytes"

// rankNames are the members of a record that name the rank of the process in the job.
var rankNames = [][]byte{[]byte(`"rank"`), []byte(`"global_rank"`), []byte(`"world_rank"`), []byte(`"RANK"`)}

// contexts are the members of a record in which loggers put what is common to all lines
// of a process.
var contexts = [][]byte{[]byte(`"extra"`), []byte(`"context"`), []byte(`"labels"`), []byte(`"fields"`), []byte(`"record"`)}

// RecordRank returns the rank that a line in JSON names as that of its process, up to
// 99999, -1 for none: {"rank": 5, "step": 10, "loss": 2.5}. A rank behind the loss is what was
// measured (of an answer among others), and one of another object is its own (LoRA's).
func RecordRank(line []byte) int {
	if len(line) == 0 || line[0] != '{' || !bytes.Contains(line, []byte("ank\"")) && !bytes.Contains(line, []byte("RANK\"")) {
		return -1
	}
	depth, known := 0, 0 // known is the depth in which a member may be the process's
	var name []byte
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case '{':
			if depth == known && (depth == 0 || isOne(contexts, name)) {
				known++
			}
			depth++
		case '}':
			depth--
			known = min(known, depth)
		case '"':
			end := stringEnd(line, i)
			if end < 0 {
				return -1
			}
			quoted := line[i : end+1]
			i = end
			if depth != known || !isName(line, end+1) {
				continue
			}
			name = quoted
			switch {
			case isOne(rankNames, name):
				return rankBehind(line[end+1:])
			case bytes.Contains(name, []byte("loss")):
				return -1
			}
		}
	}
	return -1
}

func isOne(names [][]byte, name []byte) bool {
	for _, one := range names {
		if bytes.Equal(one, name) {
			return true
		}
	}
	return false
}

// stringEnd returns the place of the quote that ends a string, -1 for none.
func stringEnd(line []byte, open int) int {
	for i := open + 1; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return -1
}

// isName reports whether a colon follows: a string in front of it is a member's name.
func isName(line []byte, at int) bool {
	for at < len(line) && line[at] == ' ' {
		at++
	}
	return at < len(line) && line[at] == ':'
}

// rankBehind reads the number behind a member's name, which may be in quotes.
func rankBehind(text []byte) int {
	text = bytes.TrimLeft(text, ` :"`)
	rank, digits := 0, 0
	for digits < len(text) && digits < 6 && '0' <= text[digits] && text[digits] <= '9' {
		rank = 10*rank + int(text[digits]-'0')
		digits++
	}
	if digits == 0 || digits == 6 || digits < len(text) && text[digits] == '.' {
		return -1
	}
	return rank
}
