package redact

import "strings"

// Names that another setting beside them makes certain: "pass" beside a user's name,
// "secret" beside a key, "key" in a call that logs in, the last part of an
// annotation's key.

// besideUser reports whether the setting before or after a password names its user:
// "user: ada pw: x", "pass=x,user=ada".
func besideUser(text string, from, end int) bool {
	if name, value := settingBefore(text, from); isUserName(name) && value != "" && isLetter(rune(value[0])) {
		return true
	}
	rest := strings.TrimLeft(text[min(end, len(text)):min(len(text), end+maxName)], ` ,;&"'\`)
	name := 0
	for name < len(rest) && inName(rest[name]) {
		name++
	}
	if !isUserName(rest[:name]) {
		return false
	}
	value := strings.TrimLeft(rest[name:], `"'\ `)
	return value != "" && (value[0] == ':' || value[0] == '=') &&
		strings.IndexFunc(strings.TrimLeft(value[1:], ` "'\`), isLetter) == 0
}

func isUserName(name string) bool {
	return oneOf(name, "user", "username", "user_name", "login", "uid", "usr")
}

// settingBefore returns the name and the value of the setting that ends before an
// offset, separated by a space, a comma or a semicolon; "" for none.
func settingBefore(text string, from int) (name, value string) {
	whole := text[max(0, from-maxName):from]
	whole = whole[strings.LastIndexByte(whole, '\n')+1:]
	before := strings.TrimRight(whole, ` ,;&"'\`)
	if !strings.ContainsAny(whole[len(before):], " ,;&") {
		return "", ""
	}
	sign := strings.LastIndexAny(before, ":=")
	if sign < 0 {
		return "", ""
	}
	value = strings.Trim(before[sign+1:], ` "'\`)
	if strings.IndexByte(value, ' ') >= 0 {
		return "", ""
	}
	before = strings.TrimRight(before[:sign], ` "'\`)
	begin := len(before)
	for begin > 0 && inName(before[begin-1]) {
		begin--
	}
	return before[begin:], value
}

// isBesideKey reports whether "secret" follows the key that it belongs to, or "key"
// and "token" are arguments of a call that logs in.
func isBesideKey(text string, from int, name string) bool {
	switch {
	case oneOf(name, "secret"):
		key, _ := settingBefore(text, from)
		return oneOf(key, "key", "access_key", "key_id")
	case oneOf(name, "key", "token"):
		before := text[max(0, from-maxName):from]
		call := strings.LastIndex(before, "login(")
		return call >= 0 && strings.IndexByte(before[call:], ')') < 0
	}
	return false
}

// isAnnotation reports whether a text ends with the prefix of an annotation's key,
// a domain and a slash. A URL has a slash before the domain.
func isAnnotation(before string) bool {
	domain, found := strings.CutSuffix(before[max(0, len(before)-maxName):], "/")
	if !found {
		return false
	}
	begin := len(domain)
	for begin > 0 && inName(domain[begin-1]) {
		begin--
	}
	return strings.IndexByte(domain[begin:], '.') > 0 && (begin == 0 || strings.IndexByte("/:@", domain[begin-1]) < 0)
}

// secretAnnotation reports whether the value of an annotation is secret by its key.
// The last part of the key decides where the whole does not; it often names a
// Secret, or what a queue sorts by, so these do not count.
func (r *Redactor) secretAnnotation(key, value string) bool {
	if r.judge(key).class == certain {
		return true
	}
	last := r.judge(key[strings.LastIndexByte(key, '/')+1:])
	switch {
	case last.class != doubtful || last.kind == NamedKey:
		return false
	case last.kind == NamedSecret, last.kind == NamedCredentials:
		return !isObjectName(value)
	}
	return true
}
