package redact

import "strings"

// Credentials of a name and a password, or of a known option, that no name beside
// the value calls secret.

// maxPair is the most bytes between an option and the end of its value.
const maxPair = 256

// pairAfter returns the matcher of an option whose value is name:password: -u,
// --auth, LOGIN=, also as an item of a list behind it.
func pairAfter(word string) func(f *finder, text string, at int) {
	return func(f *finder, text string, at int) {
		from := behindMarks(text, at+len(word), ` "',=\`)
		if from == at+len(word) && !strings.HasSuffix(word, " ") && !strings.HasSuffix(word, "=") {
			return
		}
		if hasPrefix(text[from-1:], "\\\n") { // a shell's line that goes on
			from = behindMarks(text, from, "\n\t \"'")
		}
		most := min(len(text), from+maxPair)
		end := from
		for end < most && strings.IndexByte(" \t\r\n\"'`,;\\:", text[end]) < 0 {
			end++
		}
		colon := behindMarks(text, end, `"'\`) // "ada":"x" of a shell
		if end == from || colon >= most || text[colon] != ':' {
			return
		}
		from = behindMarks(text, colon+1, `"'\`)
		end = from
		for end < most && strings.IndexByte(" \t\r\n\"'`,;\\", text[end]) < 0 {
			end++
		}
		if password := text[min(from, end):end]; isMadeUp(password) && !isPlaceholder(password) {
			f.add(from, end, NamedPassword)
		}
	}
}

// passwordItem finds the value after "-p" in a list of arguments that has a user:
// "-u", "ada", "-p", "x".
func passwordItem(f *finder, text string, at int) {
	before := text[max(0, at-maxPair):at]
	before = before[strings.LastIndexByte(before, '[')+1:]
	if !strings.Contains(before, `-u`) && !strings.Contains(before, "user") {
		return
	}
	from := behindMarks(text, at+len(`"-p`), ` "',\`)
	end := from
	for end < len(text) && end-from < maxPair && strings.IndexByte("\"'\n\\", text[end]) < 0 {
		end++
	}
	if value := text[from:end]; isItemPassword(value) {
		f.add(from, end, NamedPassword)
	}
}

// isItemPassword reports whether the value of -p beside a user's name can be a
// password: no port, path or sentence.
func isItemPassword(value string) bool {
	return drawnOrMixed(value) && !strings.ContainsAny(value, " /:") && !isPlaceholder(value)
}

// serverWithUser finds the password in "server: name:password@host", which has no
// scheme before it.
func serverWithUser(f *finder, text string, at int) {
	from := behindMarks(text, at+len("server"), ` "':=\`)
	end := from
	for end < len(text) && end-from < maxPair && strings.IndexByte(" \t\r\n\"'`,;\\/", text[end]) < 0 {
		end++
	}
	colon, sign := strings.IndexByte(text[from:end], ':'), strings.LastIndexByte(text[from:end], '@')
	if colon > 0 && sign > colon+1 && !isPlaceholder(text[from+colon+1:from+sign]) {
		f.add(from+colon+1, from+sign, URLPassword)
	}
}

// escapedUserinfo finds the password in a URL that is a parameter of another:
// https%3A%2F%2Fname%3Apassword%40host.
func escapedUserinfo(f *finder, text string, at int) {
	from := at + len("%3a%2f%2f")
	part := text[from:min(len(text), from+maxPair)]
	if end := strings.IndexAny(part, " \t\r\n\"'<>&"); end >= 0 {
		part = part[:end]
	}
	colon, sign := indexFold(part, "%3a"), indexFold(part, "%40")
	if slash := indexFold(part, "%2f"); colon < 0 || sign < colon || slash >= 0 && slash < colon {
		return
	}
	if value := part[colon+len("%3a") : sign]; !isPlaceholder(value) {
		f.add(from+colon+len("%3a"), from+sign, URLPassword)
	}
}

// encodedValue returns the matcher of a field that holds credentials in base64:
// "basic" of an auth object, .dockerconfigjson.
func encodedValue(word string) func(f *finder, text string, at int) {
	return func(f *finder, text string, at int) {
		from := behindMarks(text, at+len(word), ` "':=\`)
		end := from
		for end < len(text) && (isAlnum(text[end]) || strings.IndexByte("+/=_-", text[end]) >= 0) {
			end++
		}
		if value := text[from:end]; from > at+len(word) && len(value) >= 16 && (random(value) || mixed(value)) {
			f.add(from, end, NamedCredentials)
		}
	}
}

// inBrackets finds a value in brackets behind its name: API Key (x).
func inBrackets(word string) func(f *finder, text string, at int) {
	return func(f *finder, text string, at int) {
		from := at + len(word)
		end := from
		for end < len(text) && isAlnum(text[end]) {
			end++
		}
		if value := text[from:end]; end < len(text) && text[end] == ')' && len(value) >= 20 && mixed(value) {
			f.add(from, end, NamedKey)
		}
	}
}

// entry finds the text of an XML element whose attribute names a secret: <entry
// key="pwd">x</entry>.
func entry(f *finder, text string, at int) {
	from := behindMarks(text, at+len("key="), `"\`)
	quote := strings.IndexAny(text[from:min(len(text), from+maxName)], `"'\`)
	if quote <= 0 || !Suspicious(text[from:from+quote]) {
		return
	}
	value := behindMarks(text, from+quote, `"'\`)
	switch {
	case hasPrefix(text[value:], ">"):
		value++
	case hasPrefix(text[value:], "u003e"): // JSON's escape of it
		value += len("u003e")
	default:
		return
	}
	if end := strings.IndexAny(text[value:min(len(text), value+maxPair)], "<\n\\"); end > 0 && !isPlaceholder(text[value:value+end]) {
		f.add(value, value+end, NamedPassword)
	}
}

// webhook finds the last part of a URL that a variable or a flag for a webhook holds:
// who knows it may post there.
func webhook(f *finder, text string, at int) {
	from := at + len("webhook")
	for from < len(text) && from-at < maxName/2 && inName(text[from]) {
		from++
	}
	from = behindMarks(text, from, ` "':=\`)
	if url := text[from:min(len(text), from+len("https://"))]; strings.Contains(url, "://") {
		f.posting(text, from+strings.Index(url, "://")+len("://"), mixed)
	}
}

// webhookPath returns the matcher of a part of a URL that only webhooks have.
func webhookPath(path string) func(f *finder, text string, at int) {
	return func(f *finder, text string, at int) {
		begin := max(0, at-maxAuthority)
		begin += strings.LastIndexAny(text[begin:at], " \t\r\n\"'`<>") + 1
		if path[0] == ':' || strings.Contains(text[begin:at], "://") {
			f.posting(text, at+len(path), isDrawn)
		}
	}
}

// posting masks the last part of a URL behind an offset, if a machine drew it.
func (f *finder) posting(text string, after int, drawn func(value string) bool) {
	end := after
	for end < len(text) && end-after < maxAuthority && strings.IndexByte(" \t\r\n\"'`<>\\,;)", text[end]) < 0 {
		end++
	}
	if !f.spend(end - after) {
		return
	}
	if query := strings.IndexByte(text[after:end], '?'); query >= 0 {
		end = after + query
	}
	end = after + len(strings.TrimRight(text[after:end], "/.:"))
	from := after + strings.LastIndexByte(text[after:end], '/') + 1
	if value := text[from:end]; len(value) >= 16 && (random(value) || drawn(value)) {
		f.add(from, end, URLSignature)
	}
}

// isSaid returns the matcher of a sentence that contains a password: 密码是 x.
func isSaid(word string) func(f *finder, text string, at int) {
	return func(f *finder, text string, at int) {
		from := behindMarks(text, at+len(word), ` "'`)
		end := bareEnd(text, from)
		if value := text[from:end]; isInvented(value) || isMadeUp(value) {
			f.add(from, end, NamedPassword)
		}
	}
}

// behindMarks returns the offset behind any of some marks.
func behindMarks(text string, at int, marks string) int {
	for at < len(text) && strings.IndexByte(marks, text[at]) >= 0 {
		at++
	}
	return at
}
