package redact

import "strings"

// Secrets of Kubernetes that a log or a file contains: all values of their data
// are secret, whatever their names.

// maxSecretObject is how many bytes on each side of the kind are searched for data.
const maxSecretObject = 16 << 10

// isSecretKind reports whether "Secret" at an offset is the kind of an object.
func isSecretKind(text string, at int) bool {
	end := at + len("Secret")
	if !hasPrefix(text[at:], "Secret") || end < len(text) && inName(text[end]) {
		return false
	}
	before := strings.TrimRight(text[max(0, at-16):at], ` "'\:`)
	return strings.HasSuffix(before, "kind")
}

// secretObject masks the values in data and stringData around a kind.
func (f *finder) secretObject(text string, at int) {
	from, to := max(0, at-maxSecretObject), min(len(text), at+maxSecretObject)
	for _, begins := range [...]string{"\n---", "apiVersion"} {
		if cut := strings.LastIndex(text[from:at], begins); cut >= 0 {
			from += cut
		}
		near := min(to, at+len(`Secret", "apiVersion`)) // apiVersion may follow the kind
		if cut := strings.Index(text[near:to], begins); cut >= 0 {
			to = near + cut
		}
	}
	for _, name := range [...]string{"data", "stringData"} {
		for next := from; next < to; {
			found := strings.Index(text[next:to], name)
			if found < 0 {
				break
			}
			start := next + found
			next = start + len(name)
			if start > 0 && inName(text[start-1]) && !starts(text, start) {
				continue
			}
			f.secretData(text, start, next, name == "data")
		}
	}
}

// secretData masks the values of the members after a name, in JSON or YAML. coded
// is true for data, whose values are in base64.
func (f *finder) secretData(text string, from, at int, coded bool) {
	at, _ = closing(text, at)
	if at = blanks(text, at); at >= len(text) || text[at] != ':' {
		return
	}
	at = blanks(text, at+1)
	if at < len(text) && text[at] == '{' {
		f.membersOf(text, behindNewlines(text, at+1), coded)
		return
	}
	newline := newlineAt(text, at)
	if newline == "" {
		return
	}
	indent := indentOf(text, from, newline)
	for at += len(newline); at < len(text); {
		end, last := lineOf(text, at, newline)
		name := at + len(text[at:end]) - len(strings.TrimLeft(text[at:end], " "))
		colon := strings.Index(text[name:end], ": ")
		if name-at <= indent || !f.spend(end-at) {
			return
		}
		if colon > 0 {
			s := setting{judged: judged{certain, NamedSecret}}
			start, to, _ := valueAt(text, blanks(text, name+colon+1))
			if !f.below(text, name, start, s) && s.masksLine(text[start:to]) && (!coded || isCoded(text[start:to])) {
				f.add(start, to, NamedSecret)
			}
		}
		if last {
			return
		}
		at = end + len(newline)
	}
}

// membersOf masks the values of the members of an object in JSON.
func (f *finder) membersOf(text string, at int, coded bool) {
	for range maxItems {
		if quoteAt(text, at) == 0 {
			return
		}
		name, end, _ := valueAt(text, at)
		if oneOf(text[name:end], "description", "additionalProperties") {
			return // a schema
		}
		end, _ = closing(text, end)
		if end = blanks(text, end); end >= len(text) || text[end] != ':' {
			return
		}
		from, to, quoted := valueAt(text, blanks(text, end+1))
		if !quoted || !f.spend(to-at) {
			return
		}
		if !isPlaceholder(text[from:to]) && (!coded || isCoded(text[from:to])) {
			f.add(from, to, NamedSecret)
		}
		at, _ = closing(text, to)
		if at = behindNewlines(text, at); at >= len(text) || text[at] != ',' {
			return
		}
		at = behindNewlines(text, at+1)
	}
}

// isCoded reports whether a value can be base64.
func isCoded(value string) bool {
	return len(value)%4 == 0 && isBase64(strings.TrimRight(value, "="))
}
