package formats

import "bytes"

// rankMember is how the names of a rank end in a record.
var rankMember = []byte(`rank"`)

// rankNames are those that count in the whole job.
var rankNames = [][]byte{[]byte(`"rank"`), []byte(`"global_rank"`), []byte(`"world_rank"`), []byte(`"RANK"`)}

// recordRank returns the rank that a record in JSON names in a member of its own, -1 for
// none: {"rank": 5, "step": 10, "loss": 2.5}.
func recordRank(text []byte) int {
	if len(text) == 0 || text[0] != '{' {
		return -1
	}
	for rest := text; ; {
		at := bytes.Index(rest, rankMember)
		if at < 0 {
			return -1
		}
		end := at + len(rankMember)
		for _, name := range rankNames {
			if bytes.HasSuffix(rest[:end], name) {
				return rankAfter(rest[end:])
			}
		}
		rest = rest[end:]
	}
}

// rankAfter reads the number behind a member's name, which may be in quotes.
func rankAfter(text []byte) int {
	text = bytes.TrimLeft(text, " ")
	if len(text) == 0 || text[0] != ':' {
		return -1
	}
	text = bytes.TrimLeft(text[1:], ` "`)
	rank, digits := 0, 0
	for digits < len(text) && digits < 6 && isDigit(text[digits]) {
		rank = 10*rank + int(text[digits]-'0')
		digits++
	}
	if digits == 0 || digits == 6 || digits < len(text) && text[digits] == '.' {
		return -1
	}
	return rank
}
