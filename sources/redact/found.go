package redact

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"
)

// Matchers that are called where a literal occurs, except those for names
// (named.go) and URLs (urls.go).

// look returns the matcher that is called where the prefix of a shape occurs.
func (s shape) look() func(f *finder, text string, at int) {
	return func(f *finder, text string, at int) {
		end, found := s.match(text, at, f.open)
		if !found {
			return
		}
		f.add(at, end, s.kind)
		switch {
		case s.kind == AWSAccessKey:
			f.secretBeside(text, end, 40, AWSSecretKey)
		case strings.HasPrefix(s.prefix, "LTAI"): // Alibaba Cloud; gitleaks, alibaba-secret-key
			f.secretBeside(text, end, 30, NamedSecret)
		case s.prefix == "AKID": // Tencent Cloud
			f.secretBeside(text, end, 32, NamedSecret)
		}
	}
}

// secretBeside finds the secret key that follows its id (a row of CSV,
// "id:secret"): length characters of base64.
func (f *finder) secretBeside(text string, at, length int, kind Kind) {
	most := min(len(text), at+60)
	for i := at; i < most && text[i] != '\n'; i++ {
		if !isAlnum(text[i]) && text[i] != '/' && text[i] != '+' {
			continue
		}
		end := i
		for end < len(text) && (isAlnum(text[end]) || text[end] == '/' || text[end] == '+') {
			end++
		}
		if end-i == length || f.open && end == len(text) {
			f.add(i, end, kind)
			return
		}
		i = end
	}
}

// azureSecret finds a client secret of Azure AD: three characters, a digit, "Q~"
// and 31 to 34 characters.
func azureSecret(f *finder, text string, at int) {
	end := at + 3
	for end < len(text) && (isAlnum(text[end]) || strings.IndexByte("_~.-", text[end]) >= 0) {
		end++
	}
	if at >= 3 && end-at-3 >= 31 {
		f.add(at-3, end, AzureToken)
	}
}

// telegram finds the token of a bot: its number, a colon, and 35 characters that
// begin with AA (core.telegram.org/bots/api).
func telegram(f *finder, text string, at int) {
	from, end := at, at+1
	for from > 0 && isDigit(text[from-1]) && at-from < 12 {
		from--
	}
	for end < len(text) && (isAlnum(text[end]) || text[end] == '_' || text[end] == '-') {
		end++
	}
	long := end-at > 30 && end-at < 64 || f.open && end == len(text)
	if at-from >= 8 && at-from <= 11 && long {
		f.add(from, end, ServiceToken)
	}
}

// bearer finds the token in the header of RFC 6750, whole or printed in part.
func bearer(f *finder, text string, at int) {
	from := skipQuotes(text, at+len("bearer "))
	end := token68(text, from)
	if value := text[from:end]; len(value) >= 20 || len(value) >= 12 && strings.ContainsAny(value, "0123456789") || f.open && end == len(text) {
		f.add(from, end, BearerToken)
	}
}

func skipQuotes(text string, at int) int {
	for at < len(text) && strings.IndexByte(` "'\`, text[at]) >= 0 {
		at++
	}
	return at
}

// token68 returns where the characters that RFC 7235 allows after a scheme end.
func token68(text string, at int) int {
	for at < len(text) && (isAlnum(text[at]) || strings.IndexByte("-._~+/=", text[at]) >= 0) {
		at++
	}
	return at
}

// basic finds the header of RFC 7617: a name and a password in base64.
func basic(f *finder, text string, at int) {
	from := skipQuotes(text, at+len("basic "))
	end := token68(text, from)
	if isUserAndPassword(text[from:end]) || f.open && end == len(text) {
		f.add(from, end, BasicAuth)
	}
}

// isUserAndPassword reports whether a text is the base64 of "name:password".
func isUserAndPassword(text string) bool {
	if len(text) < 6 {
		return false
	}
	plain, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
	return err == nil && utf8.Valid(plain) && strings.IndexByte(string(plain), ':') > 0 &&
		strings.IndexFunc(string(plain), func(r rune) bool { return r < ' ' }) < 0
}

// maxPEM bounds a private key, in bytes: an RSA key of 16,384 bits has 13 kB.
const maxPEM = 64 << 10

// pem finds a private key in PEM (RFC 7468), on many lines or on one with escaped
// newlines. Certificates and public keys are not secret, and neither is the mention
// of such a line in a sentence.
func pem(f *finder, text string, at int) {
	if at < f.skip {
		return
	}
	dashes := at + strings.IndexByte(text[at:], ' ')
	if dashes == at+len("----") && hasPrefixFold(text[dashes:], " begin ") { // SSH2 of RFC 4716 has a space there
		dashes++
	}
	from := strings.IndexByte(text[dashes:], ' ') + dashes + 1
	end := strings.Index(text[from:min(len(text), from+64)], "----")
	if end < 0 || !privateLabel(text[from:from+end]) {
		return
	}
	from += end
	for from < len(text) && text[from] == '-' {
		from++
	}
	f.skip = f.keyBody(text, at, from)
}

// putty finds the private part of a key in PuTTY's format: "Private-Lines: N" and
// N lines of base64 (PuTTY's manual, appendix C). If the newlines are escaped, it
// ends at the line of the MAC.
func putty(f *finder, text string, at int) {
	if at < f.skip {
		return
	}
	number := blanks(text, at+len("private-lines:"))
	from := number
	for from < len(text) && isDigit(text[from]) {
		from++
	}
	if from == number {
		return
	}
	from = behindNewlines(text, from)
	most := min(len(text), from+maxPEM)
	to := most
	if mac := indexFold(text[from:most], "private-mac"); mac >= 0 {
		to = from + mac
	}
	for to > from && newlineBefore(text, to) > 0 {
		to -= newlineBefore(text, to)
	}
	if hasPrefix(text[from:], "<redacted:") {
		return
	}
	f.add(from, to, PrivateKey)
	f.skip = to
}

// puttyMAC finds the code at the end of such a key, which is made from the key and its
// passphrase: a guess can be checked against it.
func puttyMAC(f *finder, text string, at int) {
	from := blanks(text, at+len("private-mac:"))
	to := from
	for to < len(text) && isHex(text[to]) {
		to++
	}
	if to-from >= 32 || f.open && to == len(text) && to > from {
		f.add(from, to, PrivateKey)
	}
}

// behindNewlines returns the offset after newlines and spaces, escaped newlines
// included.
func behindNewlines(text string, at int) int {
	for at < len(text) {
		sign := at + len(text[at:]) - len(strings.TrimLeft(text[at:], `\`))
		switch {
		case isSpace(text[at]):
			at++
		case sign > at && sign < len(text) && strings.IndexByte("nr", text[sign]) >= 0:
			at = sign + 1
		default:
			return at
		}
	}
	return at
}

// newlineBefore returns the length of the newline before an offset, 0 for none.
func newlineBefore(text string, at int) int {
	if isSpace(text[at-1]) {
		return 1
	}
	body := strings.TrimRight(text[:at-1], `\`)
	if strings.IndexByte("nr", text[at-1]) >= 0 && len(body) < at-1 {
		return at - len(body)
	}
	return 0
}

func privateLabel(label string) bool {
	return indexFold(label, "private key") >= 0 || indexFold(label, "static key") >= 0 // of OpenVPN
}

func indexFold(text, word string) int {
	for i := 0; i+len(word) <= len(text); i++ {
		c := text[i]
		if isUpper(c) {
			c |= 0x20
		}
		if c == word[0] && same(text[i:i+len(word)], word, false) {
			return i
		}
	}
	return -1
}

// wandb finds keys of Weights & Biases. Their forty hexadecimal digits look like a
// commit, so the line has to mention login, key or netrc.
func wandb(f *finder, text string, at int) {
	most := min(len(text), at+160)
	if line := strings.IndexByte(text[at:most], '\n'); line >= 0 {
		most = at + line
	}
	asks := false
	for i := at + len("wandb"); i < most; {
		end := i
		for end < len(text) && isAlnum(text[end]) {
			end++
		}
		word := text[i:end]
		switch {
		case asks && (len(word) == 40 || f.open && end == len(text) && len(word) > 3) && allHex(word):
			f.add(i, end, WandbKey)
			return
		case oneOf(word, "login", "relogin", "key", "netrc", "password"):
			asks = true
		}
		i = max(end, i+1)
	}
}

func allHex(text string) bool {
	for i := range len(text) {
		if !isHex(text[i]) {
			return false
		}
	}
	return true
}

// maxEncoded is how many bytes are decoded on each side of an anchor.
const maxEncoded = 16 << 10

// encoded decodes the base64 around group, the offset of a group of four
// characters, and masks all of it if it contains a secret.
func (f *finder) encoded(text string, group int) {
	if f.depth > 1 || group < 0 || group < f.skip {
		return
	}
	from := group
	for from >= 4 && group-from < maxEncoded && isBase64(text[from-4:from]) {
		from -= 4
	}
	end := group
	for end < len(text) && end-group < maxEncoded && isBase64(text[end:end+1]) {
		end++
	}
	if end-from < 16 {
		return
	}
	if !f.spend(8 * (end - from)) {
		f.all(text, from, Encoded)
		return
	}
	standard := strings.NewReplacer("-", "+", "_", "/").Replace(text[from:end])
	if len(standard)%4 == 1 {
		standard = standard[:len(standard)-1]
	}
	plain, err := base64.RawStdEncoding.DecodeString(standard)
	if err != nil {
		return
	}
	if f.inner == nil {
		f.inner = &finder{anchors: f.anchors, depth: f.depth + 1}
	}
	if len(f.inner.find(string(plain), f.open && end == len(text))) == 0 {
		return
	}
	for from > 0 && isBase64(text[from-1:from]) {
		from--
	}
	for end < len(text) && text[end] == '=' {
		end++
	}
	f.add(from, end, Encoded)
	f.skip = end
}

func isBase64(text string) bool {
	for i := range len(text) {
		if !isAlnum(text[i]) && strings.IndexByte("+/-_", text[i]) < 0 {
			return false
		}
	}
	return true
}
