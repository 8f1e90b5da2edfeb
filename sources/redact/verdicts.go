package redact

import "strings"

// Secrets that a message quotes to report what is wrong with them: "api key x is
// not 40 characters", "token 'x' is malformed", "Incorrect API key provided: x",
// "New value: x for password".

// refusals are what follows a secret that was refused; formats are what follows a
// secret of the wrong form, and what else has a form.
var (
	refusals = []string{" is malformed", " is invalid", " is not valid", " is expired", " is revoked", " is unauthorized", " has expired", " has been revoked", " was rejected", " was refused", " was revoked", " rejected", " refused", " not accepted"}
	formats  = []string{" is not ", " is too ", " is wrong", " is incorrect", " must be ", " must have ", " must contain ", " should be ", " should have ", " does not "}
)

// refused reports whether a word after a name is the secret that a message calls
// wrong.
func (s *setting) refused(text, before, value string, end int, quoted bool) bool {
	if len(value) < 4 || isPlaceholder(value) || isName(value) || isVariable(value) || Suspicious(value) && isWord(value) && !drawnOrMixed(value) || strings.ContainsAny(value, " /[]{}") {
		return false
	}
	sure := s.class == certain || s.qualified
	if !sure && (s.kind != NamedToken || len(value) < 6 || strings.IndexByte(value, '.') >= 0 || ofGrammar(before)) || !quoted && !drawnOrMixed(value) {
		return false
	}
	behind, _ := closing(text, end)
	return startsWith(text[behind:], refusals) || sure && startsWith(text[behind:], formats)
}

// ofGrammar reports whether the word before "token" shows that it is one of a text
// or of a vocabulary.
func ofGrammar(before string) bool {
	before = strings.TrimRight(before[max(0, len(before)-24):], " ")
	word := before[strings.LastIndexFunc(before, func(r rune) bool { return !isLetter(r) })+1:]
	return oneOf(word, "unexpected", "unknown", "unrecognized", "illegal", "expected") || meaning(word) == learning
}

func startsWith(text string, beginnings []string) bool {
	for _, b := range beginnings {
		if hasPrefixFold(text, b) {
			return true
		}
	}
	return false
}

// handsOver reports whether a word and a colon announce the value that was handed
// over: "API key provided: x".
func handsOver(word string) bool {
	return oneOf(word, "provided:", "given:", "received:", "used:", "supplied:", "passed:", "found:")
}

// isHandedOver reports whether the word after such a colon is the secret.
func (s *setting) isHandedOver(value string) bool {
	return (s.class == certain || s.qualified) && drawnOrMixed(value) && !isPlaceholder(value) && !isName(value) && !isObjectFile(value)
}

// maxBefore is how many bytes before a name are searched for its value.
const maxBefore = 320

// valueBefore masks the value of "value: x for NAME".
func (f *finder) valueBefore(text string, from int, s setting) {
	if s.class != certain {
		return
	}
	before := strings.TrimRight(text[max(0, from-maxBefore):from], `"'\`)
	before = before[strings.LastIndexByte(before, '\n')+1:]
	for _, kind := range [...]string{"key ", "field ", "variable ", "setting ", "option ", "parameter ", "the "} {
		before = strings.TrimSuffix(before, kind)
	}
	rest, found := strings.CutSuffix(before, " for ")
	if !found {
		return
	}
	at := strings.LastIndex(rest, "alue: ")
	if at < 0 {
		at = strings.LastIndex(rest, "alue=")
	}
	if at < 1 || rest[at-1]|0x20 != 'v' {
		return
	}
	sign := strings.IndexAny(rest[at:], ":=")
	value := strings.Trim(rest[at+sign+1:], ` "'\`)
	start := strings.LastIndex(text[:from], rest) + at + sign + 1 + strings.Index(rest[at+sign+1:], value)
	if strings.IndexByte(value, ' ') >= 0 || isPlaceholder(value) || isName(value) || number(value) && s.kind != NamedPassword {
		return
	}
	f.add(start, start+len(value), s.kind)
}
