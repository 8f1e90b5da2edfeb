package redact

import "strings"

// Passwords in sentences and statements: "A temporary password is generated
// for root@localhost: x", SET PASSWORD FOR 'ada' = 'x'.

// maxSentence is how many bytes may come between "password" and its value.
const maxSentence = 100

// stated finds a password at the end of the sentence that announces it, and
// reports whether it did.
func (f *finder) stated(text string, at int) bool {
	end := cellEnd(text, at)
	if hasPrefixFold(text[at:end], " for ") {
		if sign := strings.Index(text[at:min(end, at+maxSentence)], " = "); sign > 0 {
			from := at + sign + len(" = ")
			if hasPrefixFold(text[from:], "password(") {
				from += len("password(")
			}
			from, to, quoted := valueAt(text, from)
			if quoted && !isPlaceholder(text[from:to]) {
				f.add(from, to, NamedPassword)
				return true
			}
		}
	}
	colon := strings.LastIndex(text[at:end], ": ")
	if colon <= 0 || colon > maxSentence || !namesOwner(text[at:at+colon]) {
		return false
	}
	from, _ := trimmed(text, at+colon+2, end)
	to := min(bareEnd(text, from), end)
	if !isInvented(text[from:to]) || strings.Trim(text[to:end], " \"'\\})]") != "" {
		return false
	}
	f.add(from, to, NamedPassword)
	return true
}

// namesOwner reports whether the words after "password" name its owner, and not why it
// was refused.
func namesOwner(words string) bool {
	for _, why := range [...]string{"fail", "invalid", "incorrect", "error", "wrong", "expire", "denied", "missing", "require", "unknown", "not ", "refuse", "reject", "try", "rule", "policy", "use", "check"} {
		if indexFold(words, why) >= 0 && why != "use" || why == "use" && indexFold(words, " use ") >= 0 {
			return false
		}
	}
	if strings.ContainsAny(words, "{}[]=<>|\\") {
		return false
	}
	for _, whose := range [...]string{" for ", " of ", " is", " generated", " ("} {
		if indexFold(words, whose) >= 0 {
			return true
		}
	}
	return false
}

// isInvented reports whether a word is a password that a program generated:
// lower-case letters with digits or marks, and not a host or a file.
func isInvented(word string) bool {
	if len(word) < 6 || len(word) > 128 || strings.ContainsAny(word, " \t/") || isPlaceholder(word) {
		return false
	}
	letters := strings.ContainsAny(word, "abcdefghijklmnopqrstuvwxyz")
	return letters && strings.ContainsAny(word, "0123456789!@#$%^&*;?+=~<>") && (strings.IndexByte(word, '.') < 0 || strings.ContainsAny(word, "!#$%^&*;?+=~<>"))
}

// announces reports whether a word after a name is the value that the sentence
// announces: "API key is x", "SECRET set to x", "using token x". said is true
// after "is" and "to", last at the end of the line.
func (s *setting) announces(value string, said, last bool) bool {
	switch {
	case said && last && s.kind == NamedPassword && isInvented(value):
		return true
	case s.class != certain && !s.qualified || isPlaceholder(value) || isName(value):
		return false
	}
	return isMadeUp(value)
}

// isDrawnWhole reports whether a word after "token" or "credentials" is a secret whatever
// the sentence contains: it is drawn from letters of both cases and digits, or a name and
// such a password.
func (s *setting) isDrawnWhole(value string) bool {
	switch s.kind {
	case NamedCredentials:
		_, password, named := strings.Cut(value, ":")
		return named && isLogin(value) && isDrawn(password)
	case NamedToken:
		return isDrawn(value)
	}
	return false
}

// isDrawn reports whether a word is drawn from letters of both cases and digits: none of
// its letters form a syllable, as those of a name of a model or a class do.
func isDrawn(word string) bool {
	const least, syllable = 14, 4
	kinds, turns := characters(word)
	run := 0
	for i := range len(word) {
		if run++; !isLower(word[i]) {
			run = 0
		}
		if run == syllable {
			return false
		}
	}
	return len(word) >= least && kinds[0] > 0 && kinds[1] > 0 && kinds[2] > 1 && 2*turns >= len(word)
}

// isMadeUp reports whether a word looks generated even within a sentence:
// alternating lower-case letters and digits, with capitals or marks among them.
func isMadeUp(word string) bool {
	kinds, turns := characters(word)
	return kinds[0] > 0 && kinds[2] > 0 && kinds[1]+kinds[3] > 0 && turns >= 3
}

// characters counts the lower-case letters, capitals, digits and marks of a word, and how
// often one follows another. All are 0 of what a password cannot be in a sentence.
func characters(word string) (kinds [4]int, turns int) {
	const marks = "!#$%^&*+~?@"
	if word == "" || word[0] == '-' || Suspicious(word) || len(word) < 8 || len(word) > 128 || strings.ContainsAny(word, " \t/.:()[]{}<>\"'\\,|") {
		return kinds, 0
	}
	before := -1
	for i := range len(word) {
		kind := 3
		switch c := word[i]; {
		case isLower(c):
			kind = 0
		case isUpper(c):
			kind = 1
		case isDigit(c):
			kind = 2
		case c == '-' || c == '_':
			continue
		case strings.IndexByte(marks, c) < 0:
			return [4]int{}, 0
		}
		kinds[kind]++
		if kind != before && before >= 0 {
			turns++
		}
		before = kind
	}
	return kinds, turns
}

// isGiven reports whether the sentence names the owner after a password: "password
// x1y for ada". The digit has to be inside the word, unlike that of a version.
func isGiven(text string, end int, value string) bool {
	digit := strings.IndexAny(value, "0123456789!#$%^&*")
	inside := digit > 0 && digit < len(value)-1 && strings.IndexByte(value, '=') < 0
	return inside && (hasPrefix(text[end:], " for ") || hasPrefix(text[end:], " as ") || hasPrefix(text[end:], " of "))
}

// behindWhom returns the offset after "is" in "password for the user ada is x", -1
// if no such words follow.
func behindWhom(text string, at int) int {
	whom := text[at:min(cellEnd(text, at), at+maxSentence)]
	for _, is := range [...]string{" is : ", " is: ", " is ", " to ", " was "} {
		if n := strings.Index(whom, is); n > 0 && !strings.ContainsAny(whom[:n], ",;={}\"'") {
			return at + n + len(is) - 1
		}
	}
	return -1
}

// isCapitals reports whether a name is written like a variable, without lower-case letters.
func isCapitals(name string) bool {
	return len(name) > 2 && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// typedLogin finds the password in a login instruction: "login: ada / x",
// "log in with ada:x".
func typedLogin(f *finder, text string, at int) {
	at += len("login")
	end := min(cellEnd(text, at), at+maxSentence)
	for _, between := range [...]string{" / ", ":"} {
		sign := strings.Index(text[at:end], between)
		if between == ":" && sign >= 0 && at+sign+1 < end && text[at+sign+1] == ' ' { // login: ada:x
			next := strings.Index(text[at+sign+1:end], between)
			if next < 0 {
				continue
			}
			sign += 1 + next
		}
		if sign <= 0 || !isLetter(rune(text[at+sign-1])) {
			continue
		}
		from, to, _ := valueAt(text, at+sign+len(between))
		if to = min(to, end); from < to && isMadeUp(text[from:to]) && !isPlaceholder(text[from:to]) {
			f.add(from, to, NamedPassword)
			return
		}
	}
}

// isReport reports whether a sentence follows the name of the program passwd:
// "passwd: all authentication tokens updated successfully".
func isReport(text, name string, from, to int) bool {
	if !oneOf(name, "passwd", "chpasswd") || strings.Trim(text[from:to], "abcdefghijklmnopqrstuvwxyz") != "" {
		return false
	}
	next := blanks(text, to)
	return next > to && next < len(text) && isLower(text[next])
}

// column masks the second of two columns whose first is the name, as
// "vault kv get" prints them.
func (f *finder) column(text string, at int, s setting) bool {
	from := blanks(text, at)
	if s.class != certain && s.kind != NamedToken || from-at < 2 && (at >= len(text) || text[at] != '\t') || lineBefore(text, at) > maxName {
		return false
	}
	end := lineEnd(text, from)
	start, to := trimmed(text, from, end)
	value := text[start:to]
	if strings.ContainsAny(value, " \t*[]().,") || isUpper(s.name[0]) && isLower(s.name[len(s.name)-1]) || isType(value) || !drawnOrMixed(value) || isPlaceholder(value) || s.class != certain && !looksRandomUnder(s.kind, value) {
		return false
	}
	if before := text[at-lineBefore(text, at) : at]; strings.TrimLeft(before, " \t") != s.name {
		return false
	}
	f.add(start, to, s.kind)
	return true
}

// isType reports whether a word is a Go type, as fields of structs have it.
func isType(word string) bool {
	return oneOf(strings.TrimRight(word, "0123456789"), "int", "uint", "float", "byte", "rune", "complex")
}

// isWhose reports whether the word before a name makes it certain ("API" of
// "API key"), or a user's name precedes "pass".
func isWhose(before, name string) bool {
	before = before[max(0, len(before)-40):]
	if oneOf(name, "pass", "pw") {
		for _, login := range [...]string{"user", "login", "bind", "uid=", "dn=", "cn="} {
			if indexFold(before, login) >= 0 {
				return true
			}
		}
		return false
	}
	if !oneOf(name, "key", "token", "secret") || !strings.HasSuffix(before, " ") {
		return false
	}
	before = strings.TrimRight(before, " ")
	word := before[strings.LastIndexFunc(before, func(r rune) bool { return !isLetter(r) })+1:]
	return oneOf(word, "api", "secret", "access", "client", "private", "master", "encryption", "license", "auth", "refresh", "session", "bot", "app")
}

func isLetter(r rune) bool { return r < 0x80 && isLower(byte(r)|0x20) }

// isObjectFile reports whether a word names a file or a location: what people
// write after "API key:" when they say where it is.
func isObjectFile(value string) bool { return strings.ContainsAny(value, "/.<>(){}") }

// isLogin reports whether a value is a user's name and a password.
func isLogin(value string) bool {
	user, secret, found := strings.Cut(value, ":")
	return found && len(secret) > 4 && user != "" && drawnOrMixed(secret) && strings.Trim(user, "abcdefghijklmnopqrstuvwxyz_-.@") == "" && !strings.ContainsAny(secret, "/ :<>(){}.")
}
