package redact

import "strings"

// Passwords in sentences and statements: "A temporary password is generated
// for root@localhost: x", SET PASSWORD FOR 'ada' = 'x'.

// maxSentence bounds how many bytes stand between "password" and what it is.
const maxSentence = 100

// stated finds a password behind the sentence that speaks of it, and reports
// whether it did.
func (f *finder) stated(text string, at int) bool {
	end := cellEnd(text, at)
	if hasPrefixFold(text[at:end], " for ") {
		if sign := strings.Index(text[at:min(end, at+maxSentence)], " = "); sign > 0 {
			from := at + sign + len(" = ")
			if hasPrefixFold(text[from:], "password(") {
				from += len("password(")
			}
			from, to, quoted := valueAt(text, from)
			if quoted && !harmless(text[from:to]) {
				f.add(from, to, NamedPassword)
				return true
			}
		}
	}
	colon := strings.LastIndex(text[at:end], ": ")
	if colon <= 0 || colon > maxSentence || !speaks(text[at:at+colon]) {
		return false
	}
	from, to := trimmed(text, at+colon+2, end)
	if !isInvented(text[from:to]) {
		return false
	}
	f.add(from, to, NamedPassword)
	return true
}

// speaks reports whether words behind "password" say whose it is, and not why
// it was refused.
func speaks(words string) bool {
	for _, why := range [...]string{"fail", "invalid", "incorrect", "error", "wrong", "expire", "denied", "missing", "require", "unknown", "not ", "refuse", "reject", "try", "rule", "policy", "use", "check"} {
		if indexFold(words, why) >= 0 && why != "use" || why == "use" && indexFold(words, " use ") >= 0 {
			return false
		}
	}
	if strings.IndexAny(words, "{}[]=<>|\\/") >= 0 {
		return false
	}
	for _, whose := range [...]string{" for ", " of ", " is", " generated", " ("} {
		if indexFold(words, whose) >= 0 {
			return true
		}
	}
	return false
}

// isInvented reports whether a word is a password that a program made up: of
// small letters with digits or marks, and no name of a host or file.
func isInvented(word string) bool {
	if len(word) < 6 || len(word) > 128 || strings.ContainsAny(word, " \t/") || harmless(word) {
		return false
	}
	letters := strings.ContainsAny(word, "abcdefghijklmnopqrstuvwxyz")
	return letters && strings.ContainsAny(word, "0123456789!@#$%^&*;?+=~<>") && (strings.IndexByte(word, '.') < 0 || strings.ContainsAny(word, "!#$%^&*;?+=~<>"))
}

// isReport reports whether what follows the name of the program passwd is a
// sentence: "passwd: all authentication tokens updated successfully".
func isReport(text, name string, from, to int) bool {
	if !oneOf(name, "passwd", "chpasswd") || strings.Trim(text[from:to], "abcdefghijklmnopqrstuvwxyz") != "" {
		return false
	}
	next := blanks(text, to)
	return next > to && next < len(text) && isLower(text[next])
}
