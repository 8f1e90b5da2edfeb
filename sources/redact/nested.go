package redact

import "strings"

// Values in brackets after a name: lists of texts, and objects whose member
// "value" is the value.

// maxItems is how many items of a list are scanned.
const maxItems = 256

// nested masks secrets in the brackets at an offset, and reports whether there is
// a list of texts or an object.
func (f *finder) nested(text string, at int, s setting) bool {
	if at >= len(text) || text[at] != '[' && text[at] != '{' {
		return false
	}
	next := behindNewlines(text, at+1)
	if f.flowMember(text, at, next, s) {
		return true
	}
	if next >= len(text) || quoteAt(text, next) == 0 && (text[at] == '{' || s.class == certain) {
		return false
	}
	if text[at] == '[' {
		f.items(text, next, s)
		return true
	}
	from, to, found := memberAfter(text, next)
	if found && !isPlaceholder(text[from:to]) && (s.class == certain || s.masksLine(text[from:to])) {
		f.add(from, to, s.kind)
	}
	return true
}

// flowMember masks the member "value" of an object without quotes, as YAML writes it
// in one line: redisPassword: {value: X}.
func (f *finder) flowMember(text string, open, at int, s setting) bool {
	if text[open] != '{' || s.class != certain || at >= len(text) || quoteAt(text, at) != 0 {
		return false
	}
	from, to, found := memberAt(text, at)
	if !found || isPlaceholder(text[from:to]) {
		return false
	}
	f.add(from, from+len(strings.TrimRight(text[from:to], "}")), s.kind)
	return true
}

// leastWords is how many items without a secret make a list count as ordinary
// words.
const leastWords = 3

// items masks the secret texts of a list.
func (f *finder) items(text string, at int, s setting) {
	words := 0
	for n := 0; n < maxItems && at < len(text) && text[at] != ']'; n++ {
		from, to, quoted := valueAt(text, at)
		if !quoted {
			to = from + len(text[from:to]) - len(strings.TrimLeft(text[from:to], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+/=.~"))
		}
		value := text[from:to]
		if !f.spend(to - at) {
			return
		}
		if s.masksLine(value) && !number(value) {
			f.add(from, to, s.kind)
		} else if words++; words == leastWords && s.class != certain {
			return
		}
		if at = to; quoted {
			at, _ = closing(text, to)
		}
		if at = behindNewlines(text, at); at >= len(text) || text[at] != ',' {
			return
		}
		at = behindNewlines(text, at+1)
	}
}
