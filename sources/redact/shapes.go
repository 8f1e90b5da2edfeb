package redact

import "strings"

// shape is a token that is recognised by its look, wherever it occurs.
type shape struct {
	kind Kind
	// prefix is how it begins, in any case.
	prefix string
	// least and most are how many characters of set follow.
	least, most int
	set         *set
	// loose allows a letter or digit before the prefix, since nothing else
	// looks like it.
	loose bool
	// encoded is true if it is searched for in base64 too.
	encoded bool
	// plausible, when set, checks the text after the prefix.
	plausible func(rest string) bool
}

// set is the bytes that a token may contain.
type set [256]bool

func setOf(extra string) *set {
	var s set
	for c := range 256 {
		s[c] = isAlnum(byte(c)) || strings.IndexByte(extra, byte(c)) >= 0
	}
	return &s
}

// tokenRow is the tokens of one service that look alike but for their prefix.
type tokenRow struct {
	// service names who issues them, for readers of the table.
	service string
	kind    Kind
	// prefixes are how they begin, in any case.
	prefixes []string
	// least and most are how many characters of set follow the prefix.
	least, most int
	set         *set
	// loose, encoded and plausible are those of shape.
	loose, encoded bool
	plausible      func(rest string) bool
}

// shapes are the rows of the tables (shapesservices.go), one for each prefix.
func shapes() []shape {
	var all []shape
	for _, rows := range tokenRows() {
		for _, row := range rows {
			for _, prefix := range row.prefixes {
				all = append(all, shape{
					kind: row.kind, prefix: prefix, least: row.least, most: row.most, set: row.set,
					loose: row.loose, encoded: row.encoded, plausible: row.plausible,
				})
			}
		}
	}
	return all
}

// mayBegin reports whether the end of a text that was cut is the beginning of a token, and
// not of a word: "sk_learn", "path" and "MTAnalysis" begin as tokens do. A token's first
// characters have a digit or a capital, and behind letters alone a digit.
func mayBegin(prefix, rest string) bool {
	const longestWord = 10
	letters := strings.TrimFunc(prefix, func(r rune) bool { return r|0x20 >= 'a' && r|0x20 <= 'z' }) == ""
	switch {
	case letters && len(prefix) <= 3 && (prefix == strings.ToLower(prefix) || prefix == strings.ToUpper(prefix)):
		return len(rest) >= longestWord && strings.ContainsAny(rest, "0123456789")
	case len(prefix) <= len("ghp_"):
		return len(rest) >= longestWord || strings.Trim(rest, "abcdefghijklmnopqrstuvwxyz_") != ""
	}
	return true
}

// match returns where a token of this shape ends that begins at an offset; with
// open the text may be incomplete.
func (s *shape) match(text string, at int, open bool) (end int, found bool) {
	if at+len(s.prefix) > len(text) || !strings.EqualFold(text[at:at+len(s.prefix)], s.prefix) || !s.loose && !starts(text, at) {
		return 0, false
	}
	from := at + len(s.prefix)
	end = from
	for end < len(text) && end-from < s.most && s.set[text[end]] {
		end++
	}
	if s.set['.'] {
		for end > from && text[end-1] == '.' {
			end-- // ends a sentence
		}
	}
	if open && end == len(text) && mayBegin(s.prefix, text[from:end]) {
		return end, true
	}
	if end-from < s.least || s.least == s.most && end < len(text) && s.set[text[end]] {
		return 0, false
	}
	return end, s.plausible == nil || s.plausible(text[from:end])
}

// starts reports whether a word can begin at an offset: the character before it is
// neither letter nor digit, or belongs to an escape (\n, \u003d, %3D, a colour).
func starts(text string, at int) bool {
	if at == 0 || !isAlnum(text[at-1]) && text[at-1] != '_' {
		return true
	}
	if at >= 2 && text[at-2] == '\\' && strings.IndexByte("nrt", text[at-1]) >= 0 {
		return true
	}
	if at >= 3 && text[at-3] == '%' && isHex(text[at-2]) && isHex(text[at-1]) {
		return true
	}
	if at >= 6 && strings.HasPrefix(text[at-6:], `\u00`) {
		return true
	}
	return text[at-1] == 'm' && colourEnds(text[:at-1])
}

// colourEnds reports whether a text ends like the escape sequence of a colour
// without its "m", as JSON and Python escape it: \u001b[31, \x1b[0.
func colourEnds(text string) bool {
	i := len(text)
	for i > 0 && (isDigit(text[i-1]) || text[i-1] == ';') {
		i--
	}
	return i > 0 && text[i-1] == '['
}

// accessKeyID: a word of sixteen letters without digits has to be in capitals.
func accessKeyID(rest string) bool {
	return strings.ContainsAny(rest, "0123456789") || rest == strings.ToUpper(rest)
}

// mixed: one piece mixes letters and digits or alternates both cases, as random
// values do and names of runs do not.
func mixed(rest string) bool {
	if bothCases(rest) {
		return true
	}
	for piece := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		if len(piece) < 12 {
			continue
		}
		digits := strings.IndexFunc(piece, func(r rune) bool { return r >= '0' && r <= '9' }) >= 0
		letters := strings.IndexFunc(piece, func(r rune) bool { return r > '9' }) >= 0
		if digits && letters {
			return true
		}
	}
	return false
}

// drawnPiece: one piece is random, as no name of a project is:
// sk-proj-llama-train is the name of an image.
func drawnPiece(rest string) bool {
	upper, lower, digit := false, false, false
	for i := range len(rest) {
		upper, lower, digit = upper || isUpper(rest[i]), lower || isLower(rest[i]), digit || isDigit(rest[i])
	}
	if upper && lower && digit && len(rest) >= 40 {
		return true
	}
	for piece := range strings.FieldsFuncSeq(rest, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		if random(piece) {
			return true
		}
	}
	return false
}

// serverChan accepts the rest of a key of ServerChan: the number of a person, a T
// and the key (sct.ftqq.com, doc.sc3.ft07.com).
func serverChan(rest string) bool {
	number := 0
	for number < len(rest) && isDigit(rest[number]) {
		number++
	}
	return number > 0 && number < 10 && len(rest)-number >= 16 && rest[number]|0x20 == 't'
}

func hexToken(rest string) bool {
	for i := range min(32, len(rest)) {
		if !isHex(rest[i]) {
			return false
		}
	}
	return true
}

// isJWT: header and payload, both JSON in base64, and a signature that may be
// empty (RFC 7519); or, if it is encrypted, five parts: header, a key that may be
// empty, the initialization vector, the text and its tag (RFC 7516, section 7.1).
// rest is the text after the header's first three characters.
func isJWT(rest string) bool {
	header, more, found := strings.Cut(rest, ".")
	if parts := strings.Split(more, "."); len(parts) == 4 {
		return len(header) >= 8 && len(parts[1]) >= 8 && len(parts[2]) >= 2 && len(parts[3]) >= 16
	}
	payload, _, _ := strings.Cut(more, ".")
	return found && len(header) >= 8 && len(payload) >= 8 && (payload[0]|0x20) == 'e'
}
