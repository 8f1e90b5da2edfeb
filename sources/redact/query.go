package redact

import "strings"

// Parameters in the query of a URL and of an HTTP header whose names are secret only
// there.

// queryParameter returns the matcher of such a parameter of a URL: a session, a
// JWT, the code of OAuth beside its state (RFC 6749, chapter 4.1.2), the policy of a
// signed URL beside its signature.
func queryParameter(word, beside string) func(f *finder, text string, at int) {
	return func(f *finder, text string, at int) {
		if at == 0 || !inQuery(text[:at]) || !f.spend(maxAuthority) {
			return
		}
		from := at + len(word)
		end := from
		for end < len(text) && (isAlnum(text[end]) || strings.IndexByte("-_.~%+/=", text[end]) >= 0) {
			end++
		}
		value := text[from:end]
		if f.open && end == len(text) && beside == "" || len(value) >= 12 && (random(value) || mixed(value) || dotted(value)) && (beside == "" || hasBeside(text, at, end, beside)) {
			f.add(from, end, URLSignature)
		}
	}
}

// hasBeside reports whether the URL around a range has another parameter.
func hasBeside(text string, from, to int, parameter string) bool {
	before := text[max(0, from-maxAuthority):from]
	before = before[strings.LastIndexAny(before, " \t\n\"'<>")+1:]
	after := text[to:min(len(text), to+maxAuthority)]
	if end := strings.IndexAny(after, " \t\n\"'<>"); end >= 0 {
		after = after[:end]
	}
	return indexFold(before, parameter) >= 0 || indexFold(after, parameter) >= 0
}

// answered finds the answer to a challenge in the header of a scheme: response of
// Digest (RFC 7616), mac of Hawk.
func answered(word, scheme string) func(f *finder, text string, at int) {
	return func(f *finder, text string, at int) {
		before := text[max(0, at-maxConnection):at]
		before = before[strings.LastIndexByte(before, '\n')+1:]
		if !f.spend(maxConnection) || at > 0 && isAlnum(text[at-1]) || indexFold(before, scheme) < 0 {
			return
		}
		from, to, _ := valueAt(text, at+len(word))
		if to-from >= 16 && to-from <= 128 {
			f.add(from, to, NamedCredentials)
		}
	}
}

// cookieJar masks the values of cookies that are written as an object.
func (f *finder) cookieJar(text string, value int, s setting) bool {
	if value >= len(text) || text[value] != '{' || !hasSuffixFold(s.name, "cookie") && !hasSuffixFold(s.name, "cookies") {
		return false
	}
	for at := value + 1; ; {
		at = behindNewlines(text, at)
		if quoteAt(text, at) == 0 {
			return true
		}
		_, end, _ := valueAt(text, at)
		end, _ = closing(text, end)
		if end = blanks(text, end); end >= len(text) || text[end] != ':' {
			return true
		}
		from, to, quoted := valueAt(text, blanks(text, end+1))
		if !f.spend(to - at) {
			return true
		}
		if len(text[from:to]) >= 8 && drawnOrMixed(text[from:to]) && !isPlaceholder(text[from:to]) {
			f.add(from, to, s.kind)
		}
		if at = to; quoted {
			at, _ = closing(text, to)
		}
		if at = behindNewlines(text, at); at >= len(text) || text[at] != ',' {
			return true
		}
		at++
	}
}

// maxAwkward is how far the @ may be behind a quote or a space in a password.
const maxAwkward = 40

// awkward returns where the host of a URL ends and the offset of its @, if a quote
// or spaces in the password stopped the search at an offset; -1 for none.
func awkward(text string, from, stop int) (end, sign int) {
	colon := strings.IndexByte(text[from:stop], ':')
	if colon <= 0 || stop+1 >= len(text) || strings.IndexByte(` '"`, text[stop]) < 0 || digits(text[from+colon+1:stop]) {
		return stop, -1
	}
	if space := text[stop] == ' '; space && hasSuffixFold(strings.TrimRight(text[:from], `:/\`), "http") || space && hasSuffixFold(strings.TrimRight(text[:from], `:/\`), "https") || !space && !isAlnum(text[stop+1]) {
		return stop, -1
	}
	for i := stop; i < len(text) && i < stop+maxAwkward; i++ {
		switch text[i] {
		case '@':
			host := i + 1
			for host < len(text) && inName(text[host]) {
				host++
			}
			if host == i+1 || host < len(text) && strings.IndexByte(`:/ "'`, text[host]) < 0 && !isSpace(text[host]) {
				return stop, -1
			}
			return host, i
		case '\n', ',', ';', '(', ')', '<', '>', '{', '}', '=', '/':
			return stop, -1
		}
	}
	return stop, -1
}
