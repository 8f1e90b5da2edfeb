package redact

import "strings"

// Passwords before an @ in an address without a scheme: //ada:x@host/share of
// CIFS, ada:x@host:5432, ada/x@ORCL of Oracle.

// accounts checks every @ of a text.
func (f *finder) accounts(text string) {
	for at := strings.IndexByte(text, '@'); at >= 0; {
		f.tried = true
		f.account(text, at)
		next := strings.IndexByte(text[at+1:], '@')
		if next < 0 {
			return
		}
		at += 1 + next
	}
}

// maxAccount is how many bytes before an @ are searched for a user's name.
const maxAccount = 160

// account masks the password in the word before an @.
func (f *finder) account(text string, sign int) {
	begin := sign
	for begin > 0 && sign-begin < maxAccount && strings.IndexByte(" \t\r\n\"'`<>(){}|\\,", text[begin-1]) < 0 {
		begin--
	}
	if begin == sign || sign+1 >= len(text) || !f.spend(sign-begin) || strings.Contains(text[begin:sign], "://") {
		return
	}
	if equals := strings.IndexByte(text[begin:sign], '='); equals > 0 && isWord(text[begin:begin+equals]) {
		begin += equals + 1
	}
	share := hasPrefix(text[begin:], "//")
	if share {
		begin += len("//")
	}
	user, password, found := strings.Cut(text[begin:sign], ":")
	switch {
	case !found:
		f.oracleAccount(text, begin, sign)
	case !isWord(user) || !isLetter(rune(user[0])) || isPlaceholder(password) || number(password) || strings.ContainsAny(password, "/:"):
	case share && isShare(text[sign+1:]), !share && behindProxy(text[:begin]), !share && hasPort(text[sign+1:]) && isAccountPassword(password):
		f.add(sign-len(password), sign, URLPassword)
	}
}

// isWord reports whether a text is a name of letters, digits, dots, dashes and
// underscores.
func isWord(text string) bool {
	for i := range len(text) {
		if !inName(text[i]) {
			return false
		}
	}
	return text != ""
}

// isAccountPassword reports whether a word between a user's name and an @ can be a
// password rather than a tag or an index.
func isAccountPassword(word string) bool {
	return len(word) >= 6 && drawnOrMixed(word) && strings.IndexByte(word, '.') < 0 &&
		strings.IndexFunc(word, isLetter) >= 0
}

// hostEnd returns where the host at the beginning of a text ends.
func hostEnd(text string) int {
	end := 0
	for end < len(text) && (isAlnum(text[end]) || text[end] == '.' || text[end] == '-') {
		end++
	}
	return end
}

// isShare reports whether a host and the name of a share begin a text.
func isShare(text string) bool {
	end := hostEnd(text)
	return end > 0 && end+1 < len(text) && text[end] == '/' && (inName(text[end+1]) || text[end+1] == '$')
}

// hasPort reports whether a host and its port begin a text. The digest of an image
// has an algorithm in the place of the host.
func hasPort(text string) bool {
	end := hostEnd(text)
	from := end + 1
	if end == 0 || from >= len(text) || text[end] != ':' || hasPrefixFold(text, "sha") {
		return false
	}
	end = from
	for end < len(text) && isDigit(text[end]) {
		end++
	}
	return end-from >= 2 && end-from <= 5 && (end == len(text) || !inName(text[end]) || text[end] == '.')
}

// behindProxy reports whether a text ends with an option or a variable that names a
// proxy.
func behindProxy(before string) bool {
	before = strings.TrimRight(before[max(0, len(before)-24):], " \"'")
	for _, word := range [...]string{"proxy", "proxy=", "proxy:", " -x"} {
		if hasSuffixFold(before, word) {
			return true
		}
	}
	return false
}

// oracleAccount masks the password in user/password@service if the line mentions
// Oracle: names of images, packages and actions have the same form.
func (f *finder) oracleAccount(text string, begin, sign int) {
	from, to := slashed(text[begin:sign])
	near := text[:min(len(text), sign+1+maxAuthority)]
	service := near[sign+1 : bareEnd(near, sign+1)]
	if to <= from || service == "" || hasPrefixFold(service, "sha") || len(service) > 1 && service[0] == 'v' && isDigit(service[1]) {
		return
	}
	if service != strings.ToUpper(service) && !strings.HasPrefix(service, "//") && !hasPort(service) && indexFold(service, "orcl") < 0 {
		return
	}
	line := text[sign-lineBefore(text, sign) : min(lineEnd(text, sign), sign+maxConnection)]
	if !f.spend(len(line)) {
		return
	}
	word := strings.Index(line, text[begin:sign])
	for _, context := range [...]string{"oracle", "ora-", "tns:", "orcl", "sqlplus"} {
		if at := indexFold(line, context); at >= 0 && (at < word || at >= word+sign-begin) {
			f.add(begin+from, begin+to, NamedPassword)
			return
		}
	}
}
