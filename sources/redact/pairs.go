package redact

import "strings"

// Passwords that follow a user's name and have no name of their own.

// callPair finds the second argument of a call that logs in, and the second
// element of a pair: HTTPBasicAuth('ada', 'x'), BasicAuthentication('ada', 'x'),
// PlainCredentials('ada', 'x'), auth=('ada', 'x'), login('ada', 'x').
func callPair(f *finder, text string, at int) {
	from := at + strings.IndexByte(text[at:], '(') + 1
	if at > 0 && !isAlnum(text[from-2]) && isAlnum(text[at-1]) {
		return // oauth = (…)
	}
	from = blanks(text, from)
	if quoteAt(text, from) == 0 {
		return
	}
	_, end, _ := valueAt(text, from)
	end, _ = closing(text, end)
	if end = blanks(text, end); end >= len(text) || text[end] != ',' || !f.spend(end-from) {
		return
	}
	if end = blanks(text, end+1); quoteAt(text, end) == 0 {
		return
	}
	from, end, _ = valueAt(text, end)
	behind, _ := closing(text, end)
	if behind = blanks(text, behind); behind < len(text) && strings.IndexByte("),", text[behind]) < 0 || from == end || isPlaceholder(text[from:end]) {
		return
	}
	f.add(from, end, NamedPassword)
}

// pgpass reads a line of PostgreSQL's password file, found by its port:
// host:port:database:user:password (PostgreSQL's manual, chapter 34.16).
func pgpass(f *finder, text string, at int) {
	begin := at
	for begin > 0 && at-begin < maxName && (inName(text[begin-1]) || text[begin-1] == '*' || text[begin-1] == ':') {
		begin--
	}
	end := bareEnd(text, at)
	fields := strings.SplitN(text[begin:end], ":", 5)
	if len(fields) < 5 || fields[0] == "" || fields[2] == "" || fields[3] == "" || !digits(strings.Trim(fields[1], "*")) {
		return
	}
	if value := fields[4]; !isPlaceholder(value) && !strings.ContainsAny(fields[2]+fields[3], "/@=(){}[],") {
		f.add(end-len(value), end, NamedPassword)
	}
}

// oracle finds the password in jdbc:oracle:thin:user/password@host.
func oracle(f *finder, text string, at int) {
	from, end := at+len("jdbc:oracle:"), bareEnd(text, at)
	if from >= end {
		return
	}
	driver := strings.IndexByte(text[from:end], ':')
	if driver < 0 {
		return
	}
	from += driver + 1
	start, to := slashed(text[from:end])
	if to > start {
		f.add(from+start, from+to, NamedPassword)
	}
}

// slashed returns the range of the password in user/password@host, an empty one for none.
func slashed(word string) (from, to int) {
	slash, sign := strings.IndexByte(word, '/'), strings.LastIndexByte(word, '@')
	if sign < 0 {
		sign = len(word)
	}
	if slash <= 0 || sign < slash || strings.ContainsAny(word[:slash], "@:.") || isPlaceholder(word[slash+1:sign]) {
		return 0, 0
	}
	return slash + 1, sign
}

// redisAuth finds the password after a typed AUTH: alone or after a user's name,
// at the end of a line.
func redisAuth(f *finder, text string, at int) {
	before := strings.TrimRight(text[max(0, at-maxSibling):at], " ")
	labelled := strings.HasSuffix(before, ":")
	if !hasPrefix(text[at:], "AUTH ") || !labelled && before != "" && !hasSuffix(before, ">", "\n", "redis-cli", "\r", `"`, "│") && !strings.Contains(before[strings.LastIndexByte(before, '\n')+1:], "redis-cli ") {
		return
	}
	end := cellEnd(text, at)
	words := strings.Fields(text[at+len("AUTH ") : end])
	if len(words) == 0 || len(words) > 2 || oneOf(words[0], "failed", "failed:", "failure", "error", "error:", "required", "ok", "success", "succeeded", "enabled", "disabled", "timeout", "denied", "none", "LOGIN", "PLAIN", "TLS", "SSL", "CRAM-MD5", "XOAUTH2", "NTLM", "token", "token:", "user", "user:") {
		return
	}
	from, to, _ := valueAt(text, at+strings.LastIndex(text[at:end], words[len(words)-1]))
	if to = min(to, end); from < to && !isPlaceholder(text[from:to]) && !isName(text[from:to]) && (!labelled || isMadeUp(text[from:to])) {
		f.add(from, to, NamedPassword)
	}
}

// typedPass finds the password after FTP's PASS, as clients print it.
func typedPass(f *finder, text string, at int) {
	before := strings.TrimRight(text[max(0, at-maxName):at], " ")
	if !hasPrefix(text[at:], "PASS ") || !strings.HasSuffix(before, ">") {
		return
	}
	from, to := trimmed(text, at+len("PASS "), cellEnd(text, at))
	if value := text[from:to]; drawnOrMixed(value) && !strings.ContainsAny(value, " /.") && !isPlaceholder(value) {
		f.add(from, to, NamedPassword)
	}
}

// aclUser finds the password in a line of Redis' users.acl: user ada on >x.
func aclUser(f *finder, text string, at int) {
	before := text[max(0, at-maxName):at]
	from := at + len(" on >")
	end := bareEnd(text, from)
	if space := strings.LastIndexByte(before, ' '); space > 0 && strings.HasSuffix(before[:space], "user") && !isPlaceholder(text[from:end]) {
		f.add(from, end, NamedPassword)
	}
}

func hasSuffix(text string, endings ...string) bool {
	for _, ending := range endings {
		if strings.HasSuffix(text, ending) {
			return true
		}
	}
	return false
}
