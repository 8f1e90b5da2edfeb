package redact

import "strings"

// Objects in which one member makes another, "value", secret: its name
// ({"value": "…", "name": "DB_PASSWORD"}), or a mark ("sensitive": true of
// Terraform, "Type": "SecureString" of AWS).

// maxSibling is how many bytes are searched for the other member.
const maxSibling = 1024

// usualSibling is how far the end of an object usually is.
const usualSibling = 128

// maxRepeated is how often "value" may be repeated in one object: readers of JSON
// differ in which of them counts.
const maxRepeated = 4

// marked returns the matcher that is called where a mark occurs.
func marked(word string) func(f *finder, text string, at int) {
	return func(f *finder, text string, at int) {
		to := at + len(word)
		if at < f.skip || at > 0 && isAlnum(text[at-1]) || to < len(text) && isAlnum(text[to]) {
			return
		}
		if word != "securestring" {
			end, _ := closing(text, to)
			if end = blanks(text, end); end >= len(text) || text[end] != ':' && text[end] != '=' {
				return
			}
			if to = blanks(text, end+1); !hasPrefixFold(text[to:], "true") {
				return
			}
		} else if to < len(text) && text[to] == '\t' { // a column of "aws --output text"
			from, end, _ := valueAt(text, to+1)
			f.add(from, end, NamedSecret)
			return
		}
		f.sibling(text, at, to, NamedSecret)
	}
}

// sibling masks the member "value" of the object that contains the member at..to.
func (f *finder) sibling(text string, at, to int, kind Kind) bool {
	if !f.spend(maxSibling) {
		return false
	}
	from, end, found := memberBefore(text, at)
	if !found {
		from, end, found = memberAfter(text, to)
	}
	if value := text[from:end]; !found || isPlaceholder(value) || isName(value) || number(value) && kind != NamedPassword {
		return false
	}
	f.add(from, end, kind)
	f.repeated(text, from, end, kind)
	return true
}

// repeated masks other members "value" of the object that has one at from..to.
func (f *finder) repeated(text string, from, to int, kind Kind) {
	for n, at := 0, to; n < maxRepeated && f.spend(usualSibling); n++ {
		start, end, found := memberAfter(text, at)
		if !found {
			break
		}
		f.add(start, end, kind)
		at = end
	}
	name := max(0, strings.LastIndexAny(text[:from], "vV")) // of this member
	for n, at := 0, name; n < maxRepeated && f.spend(usualSibling); n++ {
		start, end, found := memberBefore(text, at)
		if !found {
			break
		}
		f.add(start, end, kind)
		at = max(0, strings.LastIndexAny(text[:start], "vV"))
	}
}

// memberAfter finds the member "value" that follows in the object.
func memberAfter(text string, at int) (from, to int, found bool) {
	for i := at; i < len(text) && i < at+maxSibling; i++ {
		switch {
		case text[i] == '{', text[i] == '}', endsItem(text, i):
			return 0, 0, false
		case text[i]|0x20 == 'v':
			if from, to, found = memberAt(text, i); found {
				return from, to, true
			}
		}
	}
	return 0, 0, false
}

// memberBefore finds the member "value" that precedes in the object.
func memberBefore(text string, at int) (from, to int, found bool) {
	for i := at - 1; i >= 0 && i > at-maxSibling; i-- {
		switch {
		case text[i] == '{', text[i] == '}', endsItem(text, i):
			return 0, 0, false
		case text[i]|0x20 == 'v':
			if from, to, found = memberAt(text, i); found && to <= at {
				return from, to, true
			}
		}
	}
	return 0, 0, false
}

// memberAt reads a member "value" whose name is at an offset.
func memberAt(text string, at int) (from, to int, found bool) {
	if !hasPrefixFold(text[at:], "value") || at > 0 && inName(text[at-1]) && !starts(text, at) {
		return 0, 0, false
	}
	end, _ := closing(text, at+len("value"))
	if end = blanks(text, end); end >= len(text) || text[end] != ':' && text[end] != '=' {
		return 0, 0, false
	}
	from, to, quoted := valueAt(text, blanks(text, end+1))
	if !quoted {
		to = from + len(strings.TrimRight(text[from:to], ",;"))
	}
	return from, to, from < to && text[from] != '{' && text[from] != '['
}

// endsItem reports whether an item of a list or an object ends at a newline: an
// empty line or the dash of the next item follows.
func endsItem(text string, at int) bool {
	newline := ""
	if text[at] == '\n' || text[at] == '\\' {
		newline = newlineAt(text, at)
	}
	if newline == "" {
		return false
	}
	next := at + len(newline)
	for next < len(text) && text[next] == ' ' {
		next++
	}
	return next >= len(text) || newlineAt(text, next) != "" || text[next] == '-'
}

// isMemberName reports whether a text ends with the name of a member "name" or
// "key" and what separates it from its value.
func isMemberName(before string) bool {
	before = strings.TrimRight(before[max(0, len(before)-24):], ` "'\:=`)
	for _, word := range [...]string{"name", "key"} {
		if hasSuffixFold(before, word) && (len(before) == len(word) || !isAlnum(before[len(before)-len(word)-1])) {
			return true
		}
	}
	return false
}
