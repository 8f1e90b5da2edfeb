package redact

import "strings"

// JSON whose beginning is cut off: the tail of a log, a line that was split. The
// text before the first quote is the end of a name or of a value, and what it was
// is tried.

// maxHead is how long the rest of a name or a value at the beginning may be.
const maxHead = 128

// cutNames are secrets' names of which only the end may be left. leastEnd is the
// least that distinguishes them from others: ord, ken, ret.
var cutNames = [...]string{"password", "passwd", "passphrase", "secret", "token", "access_token", "api_key", "access_key", "credentials", "authorization"}

const leastEnd = 3

// cutHead scans a text again whose beginning is the rest of JSON, with what may have
// been before it.
func (f *finder) cutHead(text string) {
	rest, next := headOf(text)
	if next == 0 {
		return
	}
	for _, head := range headsFor(text, rest, next) {
		if f.spend(len(text)) {
			f.behind(head, text)
		}
	}
}

// headOf returns the text before the first quote of a text, and the byte after
// that quote, 0 if the text does not begin within JSON.
func headOf(text string) (rest string, next byte) {
	quote := strings.IndexByte(text[:min(len(text), maxHead)], '"')
	if quote < 0 || strings.IndexByte(text[:quote], '{') >= 0 {
		return "", 0
	}
	rest = text[:quote]
	if rest == "" || rest == ":" || rest == ": " {
		if !says(text, `"name"`, `"key"`, `"kind"`) && !strings.HasPrefix(text, `"Secret"`) {
			return "", 0
		}
		return rest, '"'
	}
	for i := range len(rest) {
		if c := rest[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`:=,[]{}()<>'\`, c) >= 0 {
			return "", 0
		}
	}
	at := blanks(text, quote+1)
	if at >= len(text) || strings.IndexByte(":,}", text[at]) < 0 {
		return "", 0
	}
	return rest, text[at]
}

// headsFor returns the texts that may come before a cut one.
func headsFor(text, rest string, next byte) []string {
	switch {
	case next == '"' && strings.HasPrefix(text, `":`):
		return []string{`{"value`}
	case next == '"' && rest != "":
		return []string{`{"value"`}
	case next == '"':
		return []string{`{"value":`, `{"kind":`}
	case next == ':' && says(text, `"kind":"secret"`):
		return []string{`{"data":{"`}
	case next == ':':
		return append(beforeEnd(`{"`, rest, 1, "value", "name", "kind"), beforeEnd(`{"`, rest, leastEnd, cutNames[:]...)...)
	}
	heads := append([]string{`{"value":"`}, beforeEnd(`{"kind":"`, rest, 1, "Secret")...)
	return append(heads, beforeEnd(`{"name":"`, rest, leastEnd, cutNames[:]...)...)
}

// beforeEnd returns the beginning of each word that ends with a rest of it.
func beforeEnd(before, rest string, least int, words ...string) []string {
	var heads []string
	for _, word := range words {
		if len(rest) < least || len(rest) >= len(word) || !hasSuffixFold(word, rest) || strings.EqualFold(rest, "key") {
			continue
		}
		head := word[:len(word)-len(rest)]
		if rest == strings.ToUpper(rest) {
			head = strings.ToUpper(head)
		}
		heads = append(heads, before+head)
	}
	return heads
}

// behind scans a text with a head before it, and keeps what is found in the text.
func (f *finder) behind(head, text string) {
	before := len(f.spans)
	f.skip = 0
	f.scan(head + text)
	kept := f.spans[:before]
	for _, s := range f.spans[before:] {
		if s.from, s.to = max(0, s.from-len(head)), s.to-len(head); s.to > s.from {
			kept = append(kept, s)
		}
	}
	f.spans = kept
}
