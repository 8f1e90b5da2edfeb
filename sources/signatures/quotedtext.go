package signatures

import "regexp"

// ownMistake matches the beginning of an exception that is about the program's
// own values: what it quotes is a value, not what happened.
var ownMistake = regexp.MustCompile(`^(?:\[\w+\d+\]:? ?)?(?:[A-Za-z_]\w*\.)*(?:Value|Key|Type|Assertion|Lookup|Name|Attribute|Index|NotImplemented)Error: `)

// quotedPhrase matches several words between quotes. A single word is a name or
// a path, which belongs to the message.
var quotedPhrase = regexp.MustCompile(`"[^"\s]+ [^"]*"|(?:^|[\s(\[{:=,])'[^'\s]+ [^']*'`)

// quotedSpans returns where a message about a program's own values quotes
// phrases, nil for none.
func quotedSpans(text []byte) [][]int {
	if !ownMistake.Match(text) {
		return nil
	}
	return quotedPhrase.FindAllIndex(text, -1)
}

// WithoutQuotes returns a message without the phrases that it quotes as values
// of the program.
func WithoutQuotes(text string) string {
	if spans := quotedSpans([]byte(text)); spans != nil {
		return string(blanked([]byte(text), spans))
	}
	return text
}

// blanked replaces parts of a text by spaces.
func blanked(text []byte, spans [][]int) []byte {
	out := append([]byte(nil), text...)
	for _, span := range spans {
		for i := span[0]; i < span[1]; i++ {
			out[i] = ' '
		}
	}
	return out
}

// unquotedMatches removes the matches that lie in quoted phrases as a whole.
func (s *Scanner) unquotedMatches(matches []Match, text []byte) []Match {
	spans := quotedSpans(text)
	if spans == nil {
		return matches
	}
	left := blanked(text, spans)
	still := map[uint16]bool{}
	for _, at := range s.list.anchors.find(left, nil) {
		still[at] = true
	}
	kept := matches[:0]
	for _, m := range matches {
		if still[uint16(s.list.places[m.Signature])] {
			kept = append(kept, m)
		}
	}
	return kept
}
